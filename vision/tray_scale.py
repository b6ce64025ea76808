"""How high the camera hangs above a tray of which nothing says its scale: so that dice come out as large as dice are.

The median of all dice seen lately is taken for the usual size. Dice of a game may all be small ones, though, and
others large: no die seen may come out larger or smaller than dice are sold, or no solid would be fitted to it. Sizes
are those of upper faces as the detector outlines them, for what was fitted is never beyond these bounds.
"""

from collections import deque
from collections.abc import Sequence

import numpy as np

from vision.camera import Camera
from vision.detector import Found
from vision.profile import ASSUMED_DIE_MM
from vision.seeds import seeds_under

_SCALE_OFF = 1.07  # beyond it the height is set anew, even where all dice are within bounds
_HARDLY_OFF = 1.02
_USUAL_MM = {4: ASSUMED_DIE_MM, 5: 18.0}  # by the corners of their upper faces
_LEAST_MM, _MOST_MM = {4: 11.5, 5: 15.2}, {4: 20.5, 5: 20.8}
"""Fits reach from 11 to 21.5 and from 14.5 to 21.5 mm, dice are 12 to 19 and 16 to 21."""
_SMALL_AND_LARGE = (8, 92)  # percentiles: outlines are off by 9 % once in ten times, by 13 % once in fifty
_SURELY_SEEN = 0.7  # detector's score: of 1,279 drawn faces that have it one is none
_MOST_SIZES = 40  # remembered, of either shape


class TrayScale:
    """The sizes of dice that were seen above one tray: as many pixels as they would cover on its floor.

    Neither setting the height anew nor learning how the camera hangs (``vision.tray_pose``) changes these.
    """

    def __init__(self) -> None:
        self._sizes_px: dict[int, deque[float]] = {corners: deque(maxlen=_MOST_SIZES) for corners in _USUAL_MM}

    @property
    def is_known(self) -> bool:
        """Whether any die was seen."""
        return any(self._sizes_px.values())

    def learn(self, camera: Camera, faces: Sequence[Found]) -> None:
        """Take in the dice of a frame; ``faces`` are what the detector sees where the tray has changed."""
        sure = [face for face in faces if face.stands and face.score >= _SURELY_SEEN]
        for face, die in zip(sure, seeds_under(camera, sure), strict=True):
            self._sizes_px[len(face.outline_px)].append(float(die[3]) * _px_per_mm(camera))

    def times_too_large(self, camera: Camera) -> float:
        """How many times too large dice come out below this camera; 1 where that is near enough.

        >>> from vision.profile import assumed_camera
        >>> corners = ((476.0, 376.0), (524.0, 376.0), (524.0, 424.0), (476.0, 424.0))
        >>> scale, camera = TrayScale(), assumed_camera((1000, 800), 400.0)
        >>> scale.learn(camera, [Found("cube", 0.9, (500.0, 400.0), 34.0, corners)])
        >>> round(scale.times_too_large(camera), 2), scale.times_too_large(assumed_camera((1000, 800), 280.0))
        (1.42, 1.0)
        """
        per_mm = _px_per_mm(camera)
        known = {corners: np.array(sizes) / per_mm for corners, sizes in self._sizes_px.items() if sizes}
        if not known:
            return 1.0
        usual = float(np.median(np.concatenate([sizes / _USUAL_MM[k] for k, sizes in known.items()])))
        ends = {k: np.percentile(sizes, _SMALL_AND_LARGE) for k, sizes in known.items()}
        least = max(float(large) / _MOST_MM[k] for k, (_, large) in ends.items())
        most = min(float(small) / _LEAST_MM[k] for k, (small, _) in ends.items())
        times = float(np.sqrt(least * most)) if least > most else min(max(usual, least), most)
        near = _SCALE_OFF if least <= 1 <= most else _HARDLY_OFF
        return 1.0 if 1 / near < times < near else times


def _px_per_mm(camera: Camera) -> float:
    """How many pixels a millimetre of the floor covers, in the middle of the picture."""
    return float(camera.matrix[0, 0]) / camera.height_mm
