"""What is drawn on an upper face: its ground colour, the marks on it, and the border around it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.colors import Names, name_colors
from vision.order import medians, percentiles
from vision.patches import FACE_SIDE_PX, PATCH_SIDE_PX
from vision.reading import Floats

_FIRST = (PATCH_SIDE_PX - FACE_SIDE_PX) // 2
_LAST = _FIRST + FACE_SIDE_PX
_BOX = 12.0  # Lab: the grid on which the commonest colour is looked for
_BOXES = 32  # of that size, along each axis of Lab
_BOX_PLACES = np.array([_BOXES**2, _BOXES, 1])
_NEAR = 20.0  # Lab distance within which samples are of one paint
_FAINTEST = 16.0  # Lab distance of the faintest mark that is still one
_BORDER_PX = (4, 6)  # outside and inside the face's edge: where a sticker may leave its body bare
_BORDER_NAMES = ("black", "white", "red", "blue")
_BORDER_LAB = np.array([(20.0, 0.0, 0.0), (95.0, 0.0, 2.0), (50.0, 55.0, 26.0), (36.0, 17.0, -50.0)])
_LEAST_PULL = 9.0  # Lab; a plain edge's blend strays by up to 6 from the straight way
_LEAST_COSINE = 0.75


@dataclass(frozen=True)
class Marks:
    """One face of four corners, taken apart.

    ``ground`` (3): the Lab colour that most of the face has. ``marks`` (32, 32, bool): where the face differs from
    it, its outermost pixels left out. ``bright`` (32, 32, bool): those marks that are lighter than the ground.
    ``border``: for each of the four sides what lies between the face's colour and what is beyond it: ``black``,
    ``white``, ``red``, ``blue``, or None for nothing. ``inner``: names of the colours inside the border.
    """

    ground: Floats
    marks: npt.NDArray[np.bool_]
    bright: npt.NDArray[np.bool_]
    border: tuple[str | None, ...]
    inner: Names


def find_marks(patch: npt.NDArray[np.float32]) -> Marks:
    """Take apart the patch of one face (``vision.patches``)."""
    return find_all_marks([patch])[0]


def find_all_marks(patches: Sequence[npt.NDArray[np.float32]]) -> list[Marks]:
    """The same of several faces, which takes less time for all together."""
    if not patches:
        return []
    lab = cv2.cvtColor(np.concatenate(patches), cv2.COLOR_BGR2LAB).astype(np.float64)
    lab = lab.reshape(-1, PATCH_SIDE_PX, PATCH_SIDE_PX, 3)
    face = lab[:, _FIRST:_LAST, _FIRST:_LAST]
    ground = _commonest(face[:, 6:-6, 6:-6].reshape(len(lab), -1, 3))
    off = face - ground[:, None, None]
    distance = _length(off)
    strongest = percentiles(distance[:, 4:-4, 4:-4].reshape(len(lab), -1), 98)
    marks = distance > np.maximum(_FAINTEST, 0.5 * strongest)[:, None, None]
    marks[:, :3], marks[:, -3:], marks[:, :, :3], marks[:, :, -3:] = False, False, False, False
    bright = marks & (off[..., 0] > 0)
    names = name_colors(face[:, 5:-5, 5:-5])
    borders = _borders(lab, ground)
    return [Marks(ground[i], marks[i], bright[i], borders[i], names[i]) for i in range(len(lab))]


def _length(vectors: Floats) -> Floats:
    """The lengths of vectors (..., 3)."""
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    return np.asarray(np.sqrt(x * x + y * y + z * z))


def _borders(lab: Floats, ground: Floats) -> list[tuple[str | None, ...]]:
    """What lies along each side of faces between their grounds and what is beyond, if that is more than a blend.

    Blur mixes a narrow border with both its neighbours, so it never shows its own colour: what counts is where to it
    pulls the colours away from the straight way between them.
    """
    first, last = _FIRST - _BORDER_PX[0], _FIRST + _BORDER_PX[1]
    turned = (np.rot90(lab, turn, (1, 2))[:, first:last, _FIRST + 7 : _LAST - 7] for turn in range(4))
    strips = np.stack(list(turned), axis=1).reshape(-1, last - first, _LAST - _FIRST - 14, 3)
    profile = medians(strips.swapaxes(2, 3))  # (face and side, depth from outside in, Lab)
    start = profile[:, :1]
    way = np.repeat(ground, 4, axis=0)[:, None] - start
    share = ((profile - start) * way).sum(axis=-1) / np.maximum((way * way).sum(axis=-1), 1.0)
    between = start + np.clip(share, 0, 1)[..., None] * way
    off = profile - between
    size = _length(off)
    side, at = np.arange(len(size)), size.argmax(axis=1)
    toward = _BORDER_LAB - between[side, at][:, None]
    pulls = (off[side, at][:, None] * toward).sum(axis=-1)
    pulls /= np.maximum(size[side, at][:, None] * _length(toward), 1e-6)
    best = pulls.argmax(axis=1)
    found = (size[side, at] >= _LEAST_PULL) & (pulls[side, best] > _LEAST_COSINE)
    names = [_BORDER_NAMES[k] if seen else None for k, seen in zip(best, found, strict=True)]
    return [tuple(names[i : i + 4]) for i in range(0, len(names), 4)]


def _commonest(samples: Floats) -> Floats:
    """The colour that most samples (n, k, 3) of each face share: the densest spot of Lab, then the mean around it."""
    boxes = np.floor(samples / _BOX).astype(np.intp) @ _BOX_PLACES + _BOX_PLACES.sum() * _BOXES // 2
    near = boxes == np.array([np.bincount(own).argmax() for own in boxes])[:, None]
    middle = np.zeros((len(samples), 3))
    for i in range(3):
        near = near if i == 0 else _length(samples - middle[:, None]) < _NEAR
        middle = (near[:, None] @ samples)[:, 0] / np.count_nonzero(near, axis=1)[:, None]
    return middle


@dataclass(frozen=True, slots=True)
class Spot:
    """One connected mark: its middle in shares of the face (0 to 1), area share, and how round it is (1: a disc)."""

    x: float
    y: float
    area: float
    round: float
    slender: float


def find_spots(marks: npt.NDArray[np.bool_]) -> list[Spot]:
    """The connected marks of a face, tiny ones left out."""
    count, labels, stats, centers = cv2.connectedComponentsWithStats(marks.astype(np.uint8), connectivity=4)
    spots = []
    for i in range(1, count):
        area = float(stats[i, cv2.CC_STAT_AREA])
        if area < 5:
            continue
        left, top, width, height = (int(v) for v in stats[i, :4])
        own = labels[top : top + height, left : left + width] == i
        moments = cv2.moments(own.view(np.uint8), binaryImage=True)
        xx, xy, yy = (moments[name] / area for name in ("mu20", "mu11", "mu02"))
        # The variances along the mark and across it, a pixel's own added (a twelfth).
        middle, reach = (xx + yy) / 2 + 1 / 12, math.hypot((xx - yy) / 2, xy)
        small, large = middle - reach, middle + reach
        # A disc of that area has a variance of area / 4 pi along every axis.
        roundness = area / (4 * math.pi) / large
        x, y = (float(v + 0.5) / FACE_SIDE_PX for v in centers[i])
        spots.append(Spot(x, y, area / FACE_SIDE_PX**2, roundness, large / max(small, 1e-6)))
    return spots
