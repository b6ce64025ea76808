"""The reader as the appliance uses it: with the networks that the repository holds."""

from calibration.detector_model import any_floor
from calibration.model import trained_faces
from vision.any_floor import AnyFloor
from vision.profile import Profile
from vision.reader import Reader


def trained_reader(profile: Profile | None = None) -> Reader:
    """A new reader with the trained networks in memory, for the tray of ``profile`` where there is one."""
    return Reader(profile, network=trained_faces(), any_floor=_any_floor())


def _any_floor() -> AnyFloor | None:
    """The networks for pictures without a mat, where this copy of the program has them."""
    try:
        return any_floor()
    except FileNotFoundError:
        return None
