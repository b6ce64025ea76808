"""Whether a die on the mat stands, told by where its base is seen, beside where this camera must show it.

What is fitted to a leaning die is a standing solid that was forced upon it, and whoever looks at that fit is misled a
little, too. The detector outlines the upper face by what it has learned; a network sees from the sides and the shadow
where the middle of the base is (``vision.base_network``); and the pose says where a standing die with that face has
it. They are asked where the many signs of ``vision.situation`` leave some doubt, which is so of one die in ten.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.base_network import BaseNetwork
from vision.camera import Camera
from vision.candidate import Candidate
from vision.detector import Detector, Found
from vision.lean_network import WAYS, Crop, lean_crop
from vision.polygons import reach_of
from vision.reading import Floats, Pixels, Point
from vision.seeds import seeds_under
from vision.situation import log_odds
from vision.solids import CUBE

# By logistic regression on 3,150 standing and 630 leaning dice in 900 drawn pictures, beside the log odds that they
# stand by all other signs (whose weight is then 1.0): the log odds of a base that is where it should be, and by how
# much they are less for each spread that it is off.
_IN_PLACE, _FOR_EACH_SPREAD = 5.4, 1.8
_MOST_SPREADS = 10.0
_LEAST_SPREAD = 0.03  # circumradii, on top of what the network says
_SURELY_STANDS = 3.0
"""Log odds, all together, from which one look is enough: 86 of 100 doubtful dice that stand have more, and two of 125
that lean, as with all looks."""
_FITTED = 1.0  # a score: whether there is a face to outline was asked before

_ONE_LOOK, _ALL_LOOKS = (0,), (0, 1)


def face_crop(frame: Pixels, camera: Camera, face: Found) -> Crop:
    """What the network of leaning dice sees of one on the mat with such an upper face in a frame (uint8 BGR)."""
    return lean_crop(frame, np.array(face.outline_px), np.array(_base_below(camera, face)))


@dataclass(frozen=True)
class BaseOnMat:
    """The ``detector``, which outlines upper faces, and the network that sees where the ``bases`` below them are."""

    detector: Detector
    bases: BaseNetwork

    def odds(self, frame: Pixels, camera: Camera, candidate: Candidate, standing: float) -> float:
        """The log odds that a candidate stands, by its base, in a frame (uint8 BGR); 0 where no face is seen.

        ``standing`` is how likely it does by all else: where one look leaves no doubt another would tell no more.
        """
        first = self._odds_seen(frame, camera, candidate, _ONE_LOOK, WAYS[:1])
        if log_odds(np.array(standing)) + first >= _SURELY_STANDS:
            return first
        return self._odds_seen(frame, camera, candidate, _ALL_LOOKS, WAYS)

    def _odds_seen(
        self,
        frame: Pixels,
        camera: Camera,
        candidate: Candidate,
        looks: Sequence[int],
        ways: Sequence[tuple[int, int]],
    ) -> float:
        face = self._face(frame, candidate, looks)
        if face is None:
            return 0.0
        outline = np.array(face.outline_px)
        (offset,), (spread,) = self.bases.bases(frame, [outline], ways)
        should = (np.array(_base_below(camera, face)) - outline.mean(axis=0)) / face.radius_px
        off = float(np.linalg.norm(offset - should) / np.hypot(spread, _LEAST_SPREAD))
        return _IN_PLACE - _FOR_EACH_SPREAD * min(off, _MOST_SPREADS)

    def _face(self, frame: Pixels, candidate: Candidate, looks: Sequence[int]) -> Found | None:
        """The upper face of a candidate as the detector outlines it."""
        outline = candidate.outline_px
        is_cube = candidate.fit.shape is CUBE
        radius = reach_of(outline)
        corners = tuple((float(u), float(v)) for u, v in outline)
        fitted = Found("cube" if is_cube else "number-die", _FITTED, candidate.center_px, radius, corners)
        near = self.detector.look_at(frame, fitted, not is_cube, looks)
        return near if near is not None and len(near.outline_px) == len(corners) else None


def with_base(situation: Floats, odds: float) -> Floats:
    """The probabilities of ``vision.judge.SITUATIONS``, given also the log ``odds`` that the die stands by its base.

    >>> with_base(np.array([0.5, 0.4, 0.1, 0.0, 0.0]), -2.0).round(2).tolist()
    [0.12, 0.7, 0.18, 0.0, 0.0]
    """
    stands = 1 / (1 + np.exp(-log_odds(situation[0]) - odds))
    others = float(situation[1:].sum())
    return np.concatenate([[stands], situation[1:] * ((1 - stands) / max(others, 1e-9))])


def _base_below(camera: Camera, face: Found) -> Point:
    """Where the middle of the base of a standing die with that upper face is seen."""
    u, v = camera.project(seeds_under(camera, [face])[:1, :2])[0]
    return float(u), float(v)
