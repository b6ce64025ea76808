"""Crops of what the detector takes for upper faces, of dice and of all else: for ``calibration.training.presence``.

In photographs without dice whatever it takes for one is none; so is what it finds in drawn pictures where neither a
die of these games nor one of another lies. A crop shows the face with its surroundings
(``vision.lean_network.lean_crop``, the base where a usual camera has it).
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthesis.outlines import JITTER
from calibration.training.stills import pictures_below, read_stills
from vision.detector import Detector, Found
from vision.lean_network import Crop, lean_crop, usual_base
from vision.polygons import reach_of
from vision.reading import Pixels

LONGER_SIDE_PX = (300, 1100)
"""Photographs without dice are looked at in a size between these: what is as large as dice in them varies, too."""

_ON_A_DIE, _NEAR_A_DIE = 0.5, 1.6  # of the reach of an upper face: nearer is the face itself, farther another thing

Seen = tuple[Crop, bool]
"""A crop, and whether it shows a die."""

Place = tuple[NDArray[Any], float]
"""The middle (2,) px of an upper face, and its reach (px)."""


def upper_faces(detector: Detector, frame: Pixels) -> list[Found]:
    """What the detector takes for upper faces."""
    return [face for face in detector.find(frame, number_dice=True) if face.stands]


def places_of(label: dict[str, Any]) -> Iterator[tuple[Place, bool]]:
    """Where dice lie, by a picture's label, and whether they are of these games."""
    for die in label["dice"]:
        if die.get("top_quad_px"):
            corners = np.array(die["top_quad_px"], np.float64)
            yield (corners.mean(axis=0), reach_of(corners)), True
        elif die.get("box"):
            left, top, width, height = die["box"]
            yield (np.array([left + width / 2, top + height / 2]), max(width, height) * 0.6), True
    for other in label.get("other_dice", ()):
        corners = np.array(other, np.float64)
        yield (corners.mean(axis=0), reach_of(corners)), False


def shows_a_die(face: Found, places: Sequence[tuple[Place, bool]]) -> bool | None:
    """Whether a face that was found is a die's upper one; None where that is no matter, or cannot be said."""
    apart = [(math.dist(face.center_px, middle) / reach, is_ours) for (middle, reach), is_ours in places]
    if any(off < _ON_A_DIE and is_ours for off, is_ours in apart):
        return True
    return None if any(off < _NEAR_A_DIE for off, _ in apart) else False


def looks_at(frame: Pixels, face: Found, rng: np.random.Generator, looks: int) -> Iterator[Crop]:
    """Crops about a face that was found, all but the first a little off."""
    outline = np.array(face.outline_px)
    for look in range(looks):
        seen = outline + rng.normal(0, JITTER * reach_of(outline), outline.shape) * (look > 0)
        yield lean_crop(frame, seen, usual_base(seen, frame.shape))


def with_dice(folder: Path, detector: Detector, rng: np.random.Generator, looks: int) -> Iterator[Seen]:
    """What is found in a folder's labelled pictures."""
    for still in read_stills(folder, False):
        places = list(places_of(still.label))
        if len(places) < len(still.label["dice"]):
            continue  # nobody said where some lie
        for face in upper_faces(detector, still.picture):
            answer = shows_a_die(face, places)
            if answer or (answer is False and "camera" in still.label):  # in photographs some dice have no label
                for crop in looks_at(still.picture, face, rng, looks):
                    yield crop, answer


def without_dice(folder: Path, detector: Detector, rng: np.random.Generator, looks: int) -> Iterator[Seen]:
    """What is found in pictures without any die, wherever they lie in a folder."""
    for picture in pictures_below(folder):
        scale = rng.uniform(*LONGER_SIDE_PX) / max(picture.shape[:2])
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        frame = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=method), np.uint8)
        for face in upper_faces(detector, frame):
            for crop in looks_at(frame, face, rng, looks):
                yield crop, False
