"""Crops of what the detector takes for upper faces, and whether they are sides: for ``calibration.training.sides``.

Drawn pictures show both, below cameras that lean by up to 75 degrees; photographs that were taken from above show
upper faces alone. A part of both is seen as if the picture ended close by, for then nothing can be said.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.detector_model import detector_network
from calibration.synthesis.floors import FLOORS
from calibration.synthesis.outlines import JITTER
from calibration.synthesis.scene import picture
from calibration.training.found_faces import places_of, shows_a_die, upper_faces
from calibration.training.stills import read_stills
from vision.detector import Detector, Found
from vision.dice import KINDS, NUMBER_DIE
from vision.polygons import reach_of
from vision.reading import Floats, Pixels
from vision.side_network import wide_crops

LEANS_DEG = ((0, 12), (0, 25), (25, 45), (40, 60), (50, 75), (50, 75))
MOST_DICE = (5, 1)
OTHER_FLOORS = tuple(floor for floor in FLOORS if floor != "mat")
CUBES = tuple(kind for kind in KINDS if kind != NUMBER_DIE)
LOOKS = 2
LEAST_SCORE = 0.45  # of what the detector finds
LEAST_SURE = 0.6  # in photographs of which nobody says where the dice lie
LEAST_SEEN = 0.8
OF_A_DIE = 3.0  # circumradii within which something is a part of it
AN_UPPER_FACE, NO_UPPER_FACE = 0.5, 0.8  # circumradii between the middles of a die's upper face and of what was found
CUT_OFF, CUT_OFF_AT = 0.15, (1.15, 2.6)  # how many are seen as if the picture ended so close by, circumradii

Seen = tuple[NDArray[np.uint8], bool, bool]
"""A crop (48, 48, 5), whether it shows a side, and whether it is a twelve-sided die's."""


def faces_in(drawn: dict[str, Any], found: Sequence[Found]) -> Iterator[tuple[Found, bool]]:
    """What was found of standing dice in a drawn picture with that label, and whether it is a side."""
    every = [np.array(die["top_quad_px"], np.float64) for die in drawn["dice"] if die.get("top_quad_px")]
    standing = [
        np.array(die["top_quad_px"], np.float64)
        for die in drawn["dice"]
        if die.get("state", "flat") == "flat" and die.get("visible_fraction", 1.0) > LEAST_SEEN
    ]
    for face in found:
        if not standing or face.score < LEAST_SCORE:
            continue
        outline = np.array(face.outline_px)
        nearest = min(standing, key=lambda top: math.dist(top.mean(axis=0), outline.mean(axis=0)))
        away = math.dist(nearest.mean(axis=0), outline.mean(axis=0))
        if away < AN_UPPER_FACE * reach_of(nearest) and len(nearest) == len(outline):
            yield face, False
        others = min(math.dist(top.mean(axis=0), outline.mean(axis=0)) for top in every)
        if away > NO_UPPER_FACE * reach_of(nearest) and away <= others < OF_A_DIE * reach_of(outline):
            yield face, True


def looks_at(frame: Pixels, outline: Floats, rng: np.random.Generator, looks: int) -> Iterator[NDArray[np.uint8]]:
    """Crops about a face, all but the first a little off; where there are several, some of them cut off."""
    for look in range(looks):
        seen, part = outline + rng.normal(0, JITTER * reach_of(outline), outline.shape) * (look > 0), frame
        if looks > 1 and rng.random() < CUT_OFF:
            (left, top), (right, bottom) = _cut_off(frame, outline, rng)
            seen, part = seen - np.array([left, top]), np.ascontiguousarray(frame[top:bottom, left:right])
        yield np.asarray(np.round(wide_crops(part, [seen])[0] * 255), np.uint8)


def _cut_off(frame: Pixels, outline: Floats, rng: np.random.Generator) -> tuple[tuple[int, int], tuple[int, int]]:
    """The first and the last corner (px) of a part of the frame that ends close beside a face."""
    middle, size = outline.mean(axis=0), np.array([frame.shape[1], frame.shape[0]])
    reach = rng.uniform(*CUT_OFF_AT) * reach_of(outline) * rng.uniform(0.9, 1.2, 4)
    left, top = np.clip(middle - reach[:2], 0, size - 2).astype(int)
    right, bottom = np.clip(middle + reach[2:], [left + 1, top + 1], size).astype(int)
    return (int(left), int(top)), (int(right), int(bottom))


@cache
def _detector() -> Detector:
    return Detector(detector_network())


def drawn_crops(number: int, seed: int, looks: int) -> list[Seen]:
    """What is found in one drawn picture."""
    rng = np.random.default_rng([seed, number])
    kinds = (NUMBER_DIE,) if number // 6 % 5 < 3 else CUBES
    condition = None if number % 2 else "clean"
    most, floor = MOST_DICE[number // 30 % 2], str(rng.choice(OTHER_FLOORS))
    drawn = picture(rng, floor, kinds, condition, most, aslant_deg=LEANS_DEG[number % len(LEANS_DEG)])
    frame = np.ascontiguousarray(drawn.pixels)
    if number % 3 == 0:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))]
        frame = np.asarray(cv2.imdecode(cv2.imencode(".jpg", frame, quality)[1], cv2.IMREAD_COLOR), np.uint8)
    return [
        (crop, is_side, face.what == NUMBER_DIE)
        for face, is_side in faces_in(drawn.label, upper_faces(_detector(), frame))
        for crop in looks_at(frame, np.array(face.outline_px), rng, looks)
    ]


def photographed_crops(folders: Sequence[Path], seed: int) -> tuple[list[Seen], list[Seen]]:
    """Upper faces in photographs that were taken from above: to learn, and held back."""
    learnt: list[Seen] = []
    held: list[Seen] = []
    rng = np.random.default_rng(seed)
    for folder in folders:
        for number, still in enumerate(read_stills(folder, False)):
            places = list(places_of(still.label))
            for face in upper_faces(_detector(), still.picture):
                if shows_a_die(face, places) if places else face.score >= LEAST_SURE:
                    looks = looks_at(still.picture, np.array(face.outline_px), rng, LOOKS if number % 3 else 1)
                    (learnt if number % 3 else held).extend((crop, False, False) for crop in looks)
    return learnt, held
