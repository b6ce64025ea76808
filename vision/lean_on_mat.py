"""Dice on the mat that stand for one network and lean for another, which was trained apart.

The first (``vision.situation``) knows the pose and the fit, which of a leaning die was forced upon it. The other one
(``vision.lean_network``) sees the face as the detector outlines it, and where the base must be below such a face: it
is asked where the detector has looked anyway and the first has some doubt, which is so of one die in six.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.detector import Found, face_at
from vision.lean_network import Crop, LeanNetwork, lean_crop
from vision.reading import Floats, Pixels, Point
from vision.seeds import seeds_under

_DOUBT = 0.985  # of standing, below which it is asked: all that it could then tell otherwise has less
# Logarithms of the odds. Of 2,338 drawn dice that stand and were read 7 have less, of 8 that lean and were read 4.
_LEAST_ODDS = 2.5


def face_crop(frame: Pixels, camera: Camera, face: Found) -> Crop:
    """What the network sees of a die on the mat with such an upper face in a frame (uint8 BGR)."""
    base = camera.project(seeds_under(camera, [face])[:1, :2])[0]
    return lean_crop(frame, np.array(face.outline_px), base)


def lean_after_all(
    network: LeanNetwork,
    frame: Pixels,
    camera: Camera,
    places_px: Sequence[Point],
    standing: Floats,
    faces: Sequence[Found],
) -> npt.NDArray[np.bool_]:
    """Which dice lean, of each of which (n) it is known how likely it stands by itself: (n,), 0 to 1.

    ``frame`` is uint8 BGR, ``places_px`` are the middles of the upper faces, ``faces`` are the detector's.
    """
    lean = np.zeros(len(places_px), np.bool_)
    for i in np.flatnonzero(standing < _DOUBT).tolist():
        face = face_at(faces, places_px[i])
        if face is not None:
            stands = float(np.log(standing[i]) - np.log1p(-standing[i]))
            lean[i] = stands - float(network.odds([face_crop(frame, camera, face)])[0]) < _LEAST_ODDS
    return lean
