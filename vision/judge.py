"""Stage 6: what may be said of each thing that stands out: a die with a face, or a reason for leaving it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.dice import CHANCE_CUBE, KINDS
from vision.fit_cubes import CubeFit
from vision.floor import view_mm, view_px
from vision.mat import ROLL_AREA_MM
from vision.read_chance_cube import FaceGuess, read_chance_cube
from vision.reading import Floats, Point, ReadDie, Unread
from vision.sample_faces import FaceColors
from vision.solids import cube_outlines
from vision.stand_out import Blob

# Below these a cube is not upright, not whole, or no cube. Of 190 upright cubes in rendered pictures the lowest
# score was 0.83 and the faintest upper edge 0.5; leaning ones scored 0.5 to 0.8.
_LEAST_SCORE = 0.8
_LEAST_EDGE = 0.4
_PLAUSIBLE_SCORE = 0.62
_EXPLAINED_MM = 2.5  # what lies this near a fitted die belongs to it: blur, tinted light on the floor
_LEAST_REST_MM2 = 35.0
_LARGEST_DIE_MM2 = 750.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one reading says of the things in one frame."""

    dice: tuple[ReadDie, ...]
    unread: tuple[Unread, ...]


def judge(
    camera: Camera,
    blobs: Sequence[Blob],
    fits: Sequence[CubeFit],
    colors: Sequence[FaceColors],
    kinds: Collection[str] | None,
    shape: tuple[int, ...],
) -> Verdict:
    """Name every fitted cube, or say why not; then name what no die explains."""
    allowed = set(KINDS) if kinds is None else set(kinds)
    dice: list[ReadDie] = []
    unread: list[Unread] = []
    for fit, seen in zip(fits, colors, strict=True):
        verdict = _judge_cube(camera, fit, seen, allowed)
        if isinstance(verdict, ReadDie):
            dice.append(verdict)
        elif verdict is not None:
            unread.append(verdict)
    unread.extend(_rest(camera, blobs, fits, shape))
    return Verdict(tuple(dice), tuple(unread))


def _judge_cube(camera: Camera, fit: CubeFit, seen: FaceColors, allowed: set[str]) -> ReadDie | Unread | None:
    outlines = cube_outlines(camera, fit.row)
    top = outlines.top[0]
    corners = camera.project(top)
    center = _point(camera.project(top.mean(axis=0)[None])[0])
    if fit.score < _PLAUSIBLE_SCORE:
        return None
    left, upper, right, lower = ROLL_AREA_MM
    if not (left <= fit.x <= right and upper <= fit.y <= lower):
        return Unread("outside", center)
    if fit.score < _LEAST_SCORE or min(fit.top_edges) < _LEAST_EDGE:
        return Unread("unsure", center)
    guess = read_chance_cube(seen) if CHANCE_CUBE in allowed else None
    if guess is None or (len(allowed) > 1 and not guess.unmistakable):
        return Unread("unsure", center)
    return _read(guess, fit, center, corners)


def _read(guess: FaceGuess, fit: CubeFit, center: Point, corners: Floats) -> ReadDie:
    confidence = guess.confidence * min(1.0, 0.5 + fit.score / 1.8)
    outline = tuple(_point(corner) for corner in corners)
    return ReadDie(guess.kind, guess.body, guess.face, confidence, center, (fit.x, fit.y), outline)


def _rest(camera: Camera, blobs: Sequence[Blob], fits: Sequence[CubeFit], shape: tuple[int, ...]) -> list[Unread]:
    """What stands out and belongs to no plausible cube."""
    explained = np.zeros(shape, np.uint8)
    for fit in fits:
        if fit.score >= _PLAUSIBLE_SCORE:
            cv2.fillConvexPoly(explained, np.rint(_hull(camera, fit)).astype(np.int32), 255)
    things = []
    for blob in blobs:
        free = explained[blob.pixels[:, 1], blob.pixels[:, 0]] == 0
        left = blob.pixels[free]
        area = blob.area_mm2 * len(left) / len(blob.pixels)
        if area < _LEAST_REST_MM2:
            continue
        middle_mm = view_mm(left.mean(axis=0)[None].astype(np.float64))
        reason = "not-a-die" if area > _LARGEST_DIE_MM2 else "unsure"
        if not _inside(middle_mm[0]):
            reason = "outside"
        things.append(Unread(reason, _point(camera.project(middle_mm)[0])))
    return things


def _hull(camera: Camera, fit: CubeFit) -> npt.NDArray[np.float32]:
    """The die's silhouette in the view and a little around it, as a convex polygon."""
    outlines = cube_outlines(camera, fit.row)
    both = np.concatenate([outlines.top[0], outlines.base[0]])
    middle = both.mean(axis=0)
    away = both - middle
    wide = middle + away * (1 + _EXPLAINED_MM / np.linalg.norm(away, axis=1, keepdims=True))
    return np.asarray(cv2.convexHull(view_px(wide).astype(np.float32)).reshape(-1, 2), np.float32)


def _inside(point_mm: Floats) -> bool:
    left, upper, right, lower = ROLL_AREA_MM
    return bool(left <= point_mm[0] <= right and upper <= point_mm[1] <= lower)


def _point(pixel: Floats) -> Point:
    return (float(pixel[0]), float(pixel[1]))
