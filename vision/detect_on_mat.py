"""The detector on the mat, where the pose says how large dice are and where they may lie: one look is enough.

Found so are 367 of 369 drawn dice, as with the four looks at the whole picture that other floors need.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.detector import Detector, Found, surest
from vision.mat_layout import ROLL_AREA
from vision.reading import Pixels, Point

# Upper faces of cubes have circumradii of 8 to 14 mm, of number dice 5.5 to 7.5; the detector was trained on 10 to
# 32 px. Of those 369 dice 361 are found with 1.25 px a mm, and no more with 2.5.
_PX_PER_MM, _PX_PER_MM_IF_NUMBERS = 1.5, 1.75
_SAME_FACE = 0.3  # circumradii between a face's middle and where it is known to be
_NARROWEST_PX = 48
_BEYOND_MM = 25.0  # of the roll area: dice that lean out of it, and what is around them

Pixel = npt.NDArray[np.intp]
"""Column and row."""


def scale_on_mat(camera: Camera, number_dice: bool) -> float:
    """How many times smaller a picture is to be for the detector: at most 1."""
    return scale_for(camera, _PX_PER_MM_IF_NUMBERS if number_dice else _PX_PER_MM)


def scale_for(camera: Camera, px_per_mm: float) -> float:
    """How many times smaller a picture is to be to show the roll area with so many pixels a millimetre: at most 1."""
    corners = np.array(ROLL_AREA.corners_mm)
    lengths = np.linalg.norm(camera.project(corners + np.array([1.0, 0.0])) - camera.project(corners), axis=1)
    return min(1.0, px_per_mm / float(np.sqrt(lengths.min() * lengths.max())))


def find_on_mat(
    detector: Detector, frame: Pixels, camera: Camera, number_dice: bool, known_px: Sequence[Point] = ()
) -> tuple[Found, ...]:
    """As ``Detector.find``, in a frame (uint8 BGR) of the mat: what lies in its roll area or close beside it.

    Faces with a middle that is among those ``known_px`` are not looked at more closely.
    """
    corners = np.array(ROLL_AREA.corners_mm)
    seen = camera.project(corners + _BEYOND_MM * np.sign(corners - corners.mean(axis=0)))
    low = np.clip(np.floor(seen.min(axis=0)).astype(int), 0, np.array(frame.shape[1::-1]) - 1)
    high = np.ceil(seen.max(axis=0)).astype(int)
    first = look_over_part(detector, frame, low, high, number_dice, scale_on_mat(camera, number_dice))
    return tuple(surest(look_closer(detector, frame, first, number_dice, known_px)))


def look_closer(
    detector: Detector, frame: Pixels, faces: Sequence[Found], number_dice: bool, known_px: Sequence[Point]
) -> list[Found]:
    """As ``Detector.look_closer``, those faces as they are whose middle is among ``known_px``."""
    known = [face for face in faces if any(face.apart(place) < _SAME_FACE for place in known_px)]
    return known + detector.look_closer(frame, [face for face in faces if face not in known], number_dice)


def look_over_part(
    detector: Detector, frame: Pixels, low: Pixel, high: Pixel, number_dice: bool, scale: float
) -> list[Found]:
    """As ``Detector.look_over``, in the part of a picture from pixel ``low`` up to ``high`` (column, row).

    What is found lies as in all of the picture. Nothing is found in a part that is too narrow to hold a die.
    """
    part = np.ascontiguousarray(frame[low[1] : high[1], low[0] : high[0]])
    if min(part.shape[:2]) < _NARROWEST_PX:
        return []
    begins = (float(low[0]), float(low[1]))
    return [face.moved(begins) for face in detector.look_over(part, number_dice, scale)]
