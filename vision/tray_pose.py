"""How the camera above an own tray hangs, told by the dice in it, where no mat and no marker has told it.

A die's base, upper face and sides fit together only as seen from where the camera truly is: how far the sides lean
outwards says which point of the tray lies straight below the camera, and how far that grows with the distance says
how wide its lens draws. One throw tells little of either, so that what was learned is kept and weighed with the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np

from vision.camera import Camera
from vision.fit_solids import refitted_scores
from vision.reading import Floats
from vision.solids import CUBE, DODECAHEDRON, as_points
from vision.stand_out import Evidence

ENOUGH_DICE = 40
"""After so many dice the pose is taken for known."""

_STEPS = np.array([12.0, 12.0, 0.24])  # mm, mm, natural logarithm of the height; halved three times
_HALVINGS = 4
_WIDER_LOG = -0.68  # of a wide lens's focal length, relative to a usual one's
_WIDER_COST = 0.05  # of score: by so much a single cube may seem to fit a wide lens better, though it is none

# What a pose costs in score: by 20 mm off its foot, or 0.15 off its height, a die scores 0.0078 and 0.0035 less
# (measured on 60 drawn throws). Cameras that are said to look straight down lean by 3 degrees, 20 mm, and their
# lenses are off by a tenth.
_PER_DIE = np.array([0.0078 / 20**2, 0.0078 / 20**2, 0.0035 / 0.15**2])
_BEFORE = np.array([0.0064 / 20**2, 0.0064 / 20**2, 0.0064 / 0.1**2])
_CLIMB_MM = 0.45
_LEAST_MM = 3.0
_LEAST_LOG = 0.04


@dataclass(frozen=True)
class Throw:
    """Dice of one shape in one frame: their ``rows`` (n, 4) as ``vision.fit_solids`` fits them in ``evidence``."""

    evidence: Evidence
    is_cubes: bool
    rows: Floats


@dataclass(frozen=True)
class TrayPose:
    """What is known of the pose: it rests on ``dice`` dice that were seen under it or under one much like it."""

    dice: int = 0

    @property
    def is_settled(self) -> bool:
        """Whether more dice would change it no further."""
        return self.dice >= ENOUGH_DICE

    def learn(self, camera: Camera, throws: Sequence[Throw]) -> tuple["TrayPose", Floats | None]:
        """What is known after these dice; and how much otherwise the camera hangs, for ``hung_at``, if it does."""
        count = sum(len(throw.rows) for throw in throws)
        if not count:
            return self, None
        weight = _BEFORE + self.dice * _PER_DIE
        starts = [(np.zeros(3), 0.0)]
        if self.dice == 0:
            starts.append((np.array([0.0, 0.0, _WIDER_LOG]), _WIDER_COST))
        found = [_search(camera, throws, start, weight, cost) for start, cost in starts]
        offset = max(found, key=lambda one: one[1])[0]
        known = TrayPose(self.dice + count)
        if np.hypot(offset[0], offset[1]) < _LEAST_MM and abs(offset[2]) < _LEAST_LOG:
            return known, None
        return known, offset


def hung_at(camera: Camera, offset: Floats) -> Camera:
    """A camera that looks at the same point of the tray, its foot and the logarithm of its height changed so far.

    ``offset`` (3,): mm, mm, natural logarithm. Millimetres stay as large in its pictures, around that point.

    >>> from vision.profile import assumed_camera
    >>> moved = hung_at(assumed_camera((1000, 800), 400.0), np.array([20.0, -10.0, 0.1]))
    >>> moved.foot_mm.round(6).tolist(), round(moved.height_mm / 400, 4)
    ([20.0, -10.0], 1.1052)
    >>> bool(np.allclose(moved.ground(np.array([[499.5, 399.5]])), 0))
    True
    """
    middle_px = camera.matrix[:2, 2][None]
    aim = np.array([*camera.ground(middle_px)[0], 0.0])
    before = np.array([*camera.foot_mm, -camera.height_mm])
    place = np.array([*(camera.foot_mm + offset[:2]), -camera.height_mm * np.exp(offset[2])])
    forward = (aim - place) / np.linalg.norm(aim - place)
    right = cv2.Rodrigues(camera.rotation)[0][0]
    right = right - (right @ forward) * forward
    right /= np.linalg.norm(right)
    turned = np.stack([right, np.cross(forward, right), forward])
    matrix = camera.matrix.copy()
    matrix[[0, 1], [0, 1]] *= np.linalg.norm(aim - place) / np.linalg.norm(aim - before)
    return replace(
        camera,
        matrix=matrix,
        rotation=np.asarray(cv2.Rodrigues(turned)[0].ravel(), np.float64),
        translation=-turned @ place,
    )


def _search(
    camera: Camera, throws: Sequence[Throw], start: Floats, weight: Floats, cost: float
) -> tuple[Floats, float]:
    """The offset (3,) from the pose that fits the dice best, and how well: their scores less what it costs."""

    def worth(offset: Floats) -> float:
        return _fitting(camera, throws, offset) - float((weight * (offset - start) ** 2).sum()) - cost

    best, most = start, worth(start)
    for halving in range(_HALVINGS):
        step = _STEPS / 2**halving
        for axis, way in product(range(3), (-1, 1)):
            while (value := worth(tried := best + way * step * np.eye(3)[axis])) > most:
                best, most = tried, value
    return best, most


def _fitting(camera: Camera, throws: Sequence[Throw], offset: Floats) -> float:
    """The sum of the scores of all dice, fitted anew as this camera would see them."""
    # Only foot and height matter to how a die is drawn in the view; the view itself stays as it is.
    foot = camera.foot_mm + offset[:2]
    height = camera.height_mm * np.exp(offset[2])
    other = Camera(camera.matrix, np.zeros(5), np.zeros(3), np.array([-foot[0], -foot[1], height]), 0.0)
    total = 0.0
    for throw in throws:
        shape = CUBE if throw.is_cubes else DODECAHEDRON
        rows = throw.rows.copy()
        seen = shape.tops(camera, rows).mean(axis=1)
        rows[:, 3] = np.clip(rows[:, 3] * camera.growth(14.0) / other.growth(14.0), *shape.sizes_mm)
        rows[:, :2] += as_points(seen - shape.tops(other, rows).mean(axis=1))
        total += float(refitted_scores(other, throw.evidence, shape, rows, _CLIMB_MM).sum())
    return total
