"""Stage 7, last of all: dice under a hand, a pen or a box, of which too little is seen for any other stage."""

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.covered_network import CoveredDie, CoveredNetwork, die_cells_near, middles_of, seen_from_above
from vision.fit_solids import Fit
from vision.floor import VIEW_PX_PER_MM, view_mm, view_px
from vision.leftovers import is_on, large_things
from vision.mat_layout import ROLL_AREA
from vision.reading import Floats, Pixels, ReadDie, Unread
from vision.stand_out import Evidence, against_floor

_BESIDE_PX = 49  # of the view: as much as 12 mm beside what covers it a die's middle may lie
_DARK, _DARK_HAND_MM2 = 63, 2500.0  # of the floor's light as ``against_floor`` gives it: 0.6; shadows are smaller
_LEAST_CELLS = 3.0  # that show a covered die: with 5 four less of 186 are found, and 129 that are none instead of 163
# A hand above most of the roll area passes for its floor, and stands out in parts. Away from what is large 41 dice
# are found so in 600 pictures, two where none lies; in 1,630 without hands and pens over dice, two (drawn).
_LEAST_CELLS_OF_A_HAND, _LEAST_CELLS_ALONE = 8.0, 24.0
_LEAST_DIE_CELLS = 5.0  # near what was taken for a covered die: 14 of 27 pieces of hands have less
_TAKEN_MM = 13.0  # between a die that was read, or leans, and a covered one
_SAME_DIE_MM = 10.0  # between a covered die's middle and what it was taken for


def name_covered(
    network: CoveredNetwork,
    camera: Camera,
    evidence: Evidence,
    fits_read: Sequence[Fit],
    dice: Sequence[ReadDie],
    things: Sequence[Unread],
) -> list[Unread]:
    """What was left unread, and the dice that are covered; what was taken for one and shows no die is none.

    Only something far larger than a die covers one: elsewhere coins may look like covered dice, and far more must be
    seen of one.
    ``fits_read`` are the solids that were fitted to the ``dice`` read.
    """
    large = large_things(camera, evidence, fits_read)
    relative = against_floor(evidence.quiet, evidence.floor)
    over = large | _large_and_dark(evidence, relative)
    maps = network.maps(seen_from_above(relative))
    beside = np.asarray(cv2.dilate(over, np.ones((_BESIDE_PX, _BESIDE_PX), np.uint8)), np.uint8)
    kept, named = list(things), []
    least_elsewhere = _LEAST_CELLS_OF_A_HAND if over.any() else _LEAST_CELLS_ALONE
    for place, cells in _places_mm(middles_of(maps)):
        at_px = camera.project(place[None])[0]
        thing = Unread("occluded", (float(at_px[0]), float(at_px[1])))
        taken: list[Unread | ReadDie] = [*dice]
        if not is_on(large, camera, thing.center_px):
            taken += [one for one in kept if one.reason in ("cocked", "stacked")]
        is_enough = cells >= least_elsewhere or is_on(beside, camera, thing.center_px)
        if not is_enough or min(_away_mm(camera, taken, place), default=math.inf) < _TAKEN_MM:
            continue
        kept = [
            one
            for one, away in zip(kept, _away_mm(camera, kept, place), strict=True)
            if away > _SAME_DIE_MM or not (one.may_count or one.reason == "not-a-die")
        ]
        named.append(thing)
    return [*(_if_a_die(camera, maps, one) for one in kept), *named]


def _places_mm(found: Sequence[CoveredDie]) -> list[tuple[Floats, float]]:
    """Where the mat lies behind dice of which enough is seen, if that is in the roll area, and their cells."""
    enough = [die for die in found if die.cells >= _LEAST_CELLS]
    places = view_mm(np.array([die.center_px for die in enough]).reshape(-1, 2))
    inside = [ROLL_AREA.contains((float(x), float(y))) for x, y in places]
    return [(place, die.cells) for place, die, is_in in zip(places, enough, inside, strict=True) if is_in]


def _if_a_die(camera: Camera, maps: npt.NDArray[np.float32], thing: Unread) -> Unread:
    """The same thing; if it was taken for a covered die only because it lies on a hand, it is none."""
    if thing.reason != "occluded":
        return thing
    column, row = view_px(camera.ground(np.array([thing.center_px])))[0]
    is_die = die_cells_near(maps, (float(column), float(row))) >= _LEAST_DIE_CELLS
    return thing if is_die else replace(thing, reason="not-a-die")


def _away_mm(camera: Camera, things: Sequence[ReadDie | Unread], place_mm: Floats) -> list[float]:
    """How far things are from a place, where the mat lies behind their middles."""
    if not things:
        return []
    middles = camera.ground(np.array([thing.center_px for thing in things]))
    return [float(away) for away in np.linalg.norm(middles - place_mm, axis=1)]


def _large_and_dark(evidence: Evidence, relative: Pixels) -> npt.NDArray[np.uint8]:
    """Where a hand lies that is too dark and colourless to stand out for certain: a mask like the evidence's."""
    dark = (relative.max(axis=2) < _DARK).view(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(dark | (evidence.mask > 0).view(np.uint8))
    is_large = stats[:, cv2.CC_STAT_AREA] > _DARK_HAND_MM2 * VIEW_PX_PER_MM**2
    is_large[0] = False
    return np.asarray(is_large[labels], np.uint8) * np.uint8(255)
