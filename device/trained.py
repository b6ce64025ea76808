"""The reader as the appliance uses it: with the networks that the repository holds."""

from pathlib import Path

from calibration.detector_model import any_floor
from calibration.model import trained_covered, trained_faces, trained_situations
from calibration.profile_file import load_profile
from calibration.steps import Known, look_at_tray
from device.decode import decode_picture
from vision.any_floor import AnyFloor
from vision.network import FaceNetwork
from vision.profile import Profile
from vision.reader import Reader
from vision.taught_dice import TaughtDice


def trained_reader(profile: Profile | None = None, taught: TaughtDice | None = None) -> Reader:
    """A new reader with the trained networks in memory, for the tray of ``profile`` where there is one."""
    faces = trained_faces()
    return Reader(profile, faces, _any_floor(faces), taught, trained_situations(), trained_covered())


def profile_beside(folder: Path) -> Profile | None:
    """The profile of a recording's tray: its ``profile.json``, or one made of its ``empty.jpg``; None without both.

    Raises ``calibration.profile_file.ProfileError`` and ``device.decode.Undecodable``.
    """
    if (folder / "profile.json").is_file():
        return load_profile(folder / "profile.json").profile
    if not (folder / "empty.jpg").is_file():
        return None
    known = Known(any_floor=_any_floor(), reader=trained_reader)
    return look_at_tray([decode_picture(folder / "empty.jpg")], known, is_lit_well=True).known.profile


def _any_floor(faces: FaceNetwork | None = None) -> AnyFloor | None:
    """The networks for pictures without a mat, where they are there; those given serve them, too."""
    try:
        return any_floor(faces)
    except FileNotFoundError:
        return None
