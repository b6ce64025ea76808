"""Crops of labelled pictures for training the detector, and what it should say of each of their cells.

A labelled picture is a folder's ``labels.jsonl`` line (as ``calibration.synthesis`` writes them). A crop is turned,
scaled so that one of its dice has the size that the network works at, recoloured, blurred and made noisy; flat prints
(squares, markers, discs) that look like faces are drawn where no die lies.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detector import CELL_PX, CHANNELS, CLASSES
from vision.outline_numbers import RADIUS_PX, describe_outline

Floats = NDArray[Any]

CROP_PX = 144
_RADII = (10.0, 32.0)  # px of the crop; the detector's picture sizes are a factor 2 apart
_LOOKS = 6  # crops from each picture that was read


@dataclass(frozen=True)
class Face:
    """The outline of one upper face (n, 2) in px, and its class' number (-1: a place of which nothing is taught).

    Where the outline is only guessed (``exact`` False) its middle is taught alone.
    """

    corners: Floats
    what: int
    exact: bool = True


@dataclass(frozen=True)
class Source:
    """A labelled picture on disk."""

    file: Path
    faces: tuple[Face, ...]
    weight: float = 1.0


@dataclass(frozen=True)
class Crop:
    """``picture`` uint8 (144, 144, 3) BGR; ``truth`` (channels, 36, 36); ``taught`` (2, 36, 36), weights of the
    scores and of the outline."""

    picture: NDArray[np.uint8]
    truth: NDArray[np.float32]
    taught: NDArray[np.float32]


def class_of(die: dict[str, Any]) -> int:
    """The class of a labelled die."""
    if die.get("state") == "cocked":
        return CLASSES.index("cocked")
    if not die.get("readable", True):
        return CLASSES.index("covered")
    return CLASSES.index("number-die" if len(die["top_quad_px"]) == 5 else "cube")


def read_sources(folder: Path, weight: float = 1.0) -> list[Source]:
    """The labelled pictures of a folder; dice whose upper face has no outline are left out of what is taught."""
    sources = []
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        label = json.loads(line)
        faces = []
        for die in label["dice"]:
            corners = np.asarray(die["top_quad_px"], np.float64)
            what = -1 if die.get("ignore") else class_of(die)
            faces.append(Face(corners, what, not die.get("guessed")))
        sources.append(Source(folder / label["image"], tuple(faces), weight))
    return sources


def crops(sources: Sequence[Source], rng: np.random.Generator) -> Iterator[Crop]:
    """Crops without end, pictures drawn by their weights."""
    chance = np.array([source.weight for source in sources])
    chance /= chance.sum()
    while True:
        source = sources[int(rng.choice(len(sources), p=chance))]
        picture = cv2.imread(str(source.file))
        if picture is None:
            raise FileNotFoundError(source.file)
        for _ in range(_LOOKS):
            yield _crop(np.asarray(picture, np.uint8), source.faces, rng)


def _crop(picture: NDArray[np.uint8], faces: Sequence[Face], rng: np.random.Generator) -> Crop:
    height, width = picture.shape[:2]
    radius = np.exp(rng.uniform(np.log(_RADII[0]), np.log(_RADII[1])))
    if faces:
        die = faces[int(rng.integers(len(faces)))].corners
        own = float(np.linalg.norm(die - die.mean(0), axis=1).mean())
        middle = die.mean(0) + rng.uniform(-0.45, 0.45, 2) * CROP_PX * own / radius
        if rng.random() < 0.15:
            middle = rng.uniform(0, 1, 2) * [width, height]
        scale = radius / own
    else:
        middle = rng.uniform(0, 1, 2) * [width, height]
        scale = np.exp(rng.uniform(np.log(0.2), np.log(1.0)))
    scale = min(scale, 1.6)
    turn = rng.uniform(0, 2 * np.pi)
    flip = -1.0 if rng.random() < 0.5 else 1.0
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    linear = np.array([[c, -s], [s, c]]) @ np.diag([flip, 1.0])
    # Reduce before turning, so that nothing is skipped.
    reduce = 1.0
    while scale * reduce < 0.6:
        picture = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        reduce *= 2
    shift = CROP_PX / 2 - linear @ middle
    to = np.c_[linear * reduce, shift + linear @ np.full(2, (reduce - 1) / 2)]
    small = cv2.warpAffine(picture, to, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    moved = [Face(f.corners @ linear.T + shift, f.what, f.exact) for f in faces]
    moved = [f for f in moved if np.abs(f.corners.mean(0) - CROP_PX / 2).max() < CROP_PX / 2 + 30]
    out = np.asarray(small, np.uint8).copy()
    if rng.random() < 0.35:
        _print_something(out, moved, rng)
    truth, taught = teach(moved)
    return Crop(_recoloured(out, rng), truth, taught)


def teach(faces: Sequence[Face]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What the network should say of a crop with these faces, and where it is taught that."""
    cells = CROP_PX // CELL_PX
    truth = np.zeros((CHANNELS, cells, cells), np.float32)
    taught = np.stack([np.ones((cells, cells), np.float32), np.zeros((cells, cells), np.float32)])
    rows, columns = np.mgrid[:cells, :cells].astype(np.float32)
    nearest = np.full((cells, cells), np.inf, np.float32)
    for face in faces:
        middle = face.corners.mean(0)
        x, y = (middle + 0.5) / CELL_PX - 0.5
        away = (columns - x) ** 2 + (rows - y) ** 2
        numbers = describe_outline(face.corners)
        radius = RADIUS_PX * np.exp(numbers[0]) / CELL_PX
        cut = face.corners.min() < 1 or face.corners.max() > CROP_PX - 2
        if face.what < 0 or cut:
            taught[0][away < (1.2 * radius) ** 2] = 0
            continue
        spread = max(0.16 * radius, 0.6)
        heat = np.exp(-away / (2 * spread**2))
        if min(abs(away.min()), 1) < 1:
            heat[np.unravel_index(int(away.argmin()), away.shape)] = 1.0
        truth[face.what] = np.maximum(truth[face.what], heat)
        own = (away < max(0.25 * radius, 1.0) ** 2) & (away < nearest)
        nearest[own] = away[own]
        taught[1][own] = float(face.exact)
        first = len(CLASSES)
        truth[first][own] = (x - columns)[own]
        truth[first + 1][own] = (y - rows)[own]
        truth[first + 2 : first + 5, own] = numbers[:3, None]
        turn = first + (7 if len(face.corners) == 5 else 5)
        truth[first + 5 : first + 9, own] = 0
        truth[turn : turn + 2, own] = numbers[3:, None]
    return truth, taught


def _print_something(out: NDArray[np.uint8], faces: Sequence[Face], rng: np.random.Generator) -> None:
    """Draws flat squares, discs and markers where no die lies, alone or as a row of colour patches."""
    reach = float(rng.uniform(8, 34))
    if rng.random() < 0.4:
        turn = rng.uniform(0, 2 * np.pi)
        step = np.array([np.cos(turn), np.sin(turn)]) * reach * 1.42 * rng.uniform(1.15, 1.5)
        first = rng.uniform(0, CROP_PX, 2) - step * int(rng.integers(0, 4))
        places = [(first + i * step, reach, turn + np.pi / 4) for i in range(int(rng.integers(4, 10)))]
    else:
        places = [
            (rng.uniform(0, CROP_PX, 2), float(rng.uniform(8, 40)), float(rng.uniform(0, np.pi)))
            for _ in range(int(rng.integers(1, 5)))
        ]
    draw = rng.random()
    for at, reach, turn in places:
        if all(np.linalg.norm(f.corners.mean(0) - at) > np.ptp(f.corners, axis=0).max() * 1.1 + reach for f in faces):
            _print_one(out, at, reach, turn, draw, rng)


def _print_one(
    out: NDArray[np.uint8], at: Floats, reach: float, turn: float, draw: float, rng: np.random.Generator
) -> None:
    color = rng.integers(0, 256, 3).tolist()
    around = turn + np.arange(4) * np.pi / 2
    box = at + reach * np.c_[np.cos(around), np.sin(around)]
    if draw < 0.6:
        cv2.fillConvexPoly(out, np.round(box * 16).astype(np.int32), color, cv2.LINE_AA, 4)
    elif draw < 0.7:
        cv2.circle(out, (int(at[0]), int(at[1])), int(reach * 0.8), color, -1, cv2.LINE_AA)
    else:
        cells = (rng.random((6, 6)) < 0.5).astype(np.uint8) * 200 + 40
        cells[[0, -1]] = cells[:, [0, -1]] = int(rng.integers(10, 60))
        side = 48
        marker = cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST)
        square = np.array([[0, 0], [side, 0], [side, side]], np.float32)
        to = cv2.getAffineTransform(square, np.asarray(box[:3], np.float32))
        drawn = cv2.warpAffine(cv2.merge([marker] * 3), to, (CROP_PX, CROP_PX))
        mask = cv2.warpAffine(np.full((side, side), 255, np.uint8), to, (CROP_PX, CROP_PX))
        out[mask > 127] = drawn[mask > 127]
    if rng.random() < 0.2:  # something dotted on it, flat all the same
        for _ in range(int(rng.integers(1, 6))):
            dot = at + rng.uniform(-0.45, 0.45, 2) * reach
            cv2.circle(out, (int(dot[0]), int(dot[1])), max(int(reach * 0.1), 1), (20, 20, 20), -1, cv2.LINE_AA)


def _recoloured(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Another lamp, exposure, contrast, lens and sensor."""
    value: Floats = picture.astype(np.float32) / 255
    if rng.random() < 0.15:
        value = value[..., rng.permutation(3)]
    gains = np.exp(rng.normal(0, 0.25) + rng.normal(0, 0.12, 3)).astype(np.float32)
    value = np.clip(value * gains, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.2)))
    if rng.random() < 0.1:
        value = value.mean(-1, keepdims=True) * 0.7 + value * 0.3
    if rng.random() < 0.25:
        slope = rng.uniform(-0.35, 0.35, 2) / CROP_PX
        light = (
            1 + (np.arange(CROP_PX) - CROP_PX / 2)[:, None] * slope[0] + (np.arange(CROP_PX) - CROP_PX / 2) * slope[1]
        )
        value = value * light[..., None].astype(np.float32)
    if rng.random() < 0.35:
        value = cv2.GaussianBlur(value, (0, 0), float(rng.uniform(0.3, 1.3)))
    elif rng.random() < 0.2:
        value = value + 0.8 * (value - cv2.GaussianBlur(value, (0, 0), 1.0))
    if rng.random() < 0.4:
        value = value + rng.normal(0, rng.uniform(0.005, 0.05), value.shape).astype(np.float32)
    out = np.round(np.clip(value, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.25:
        coded = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))])[1]
        out = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return out
