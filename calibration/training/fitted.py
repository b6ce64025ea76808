"""What the reader sees on the mat of a labelled picture, and how what it fits lies by the label."""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.training.stills import Still, truth_of
from vision.camera import Camera
from vision.candidate import Candidate
from vision.dice import NUMBER_DIE
from vision.find_mat import as_grey, find_mat
from vision.floor import ViewMap, fit_floor
from vision.judge import SITUATIONS
from vision.leaning import find_lean
from vision.network import FaceNetwork
from vision.on_mat import Seen, see_on_mat
from vision.reading import Point
from vision.situation import with_leans

_NEAR = 0.5  # of a face's side: a fit this near is that die's
_NO_DIES = 1.6  # of a side: a fit that far from all dice is none
_COVERED = 0.93  # of a face: less seen than this is covered
_UPPER_OFF = 0.22  # of a side: an outline further off than this shows no standing die


@dataclass(frozen=True)
class Situated:
    """One fitted solid, its signs (``vision.situation``) and the number of its situation among ``SITUATIONS``."""

    camera: Camera
    candidate: Candidate
    signs: NDArray[Any]
    situation: int


def seen_on_mat(
    still: Still, network: FaceNetwork, kinds: Collection[str] | None = None
) -> tuple[Camera, Seen] | None:
    """The camera, and what stands on the mat; None where there is no mat.

    It is sought among the ``kinds``, or among those that lie there.
    """
    mat = find_mat(as_grey(still.picture))
    if mat is None:
        return None
    view = ViewMap.of(mat.camera).draw(still.picture)
    floor = fit_floor(view)
    if floor is None:
        return None
    awaited = kinds or kinds_of(still) or None
    return mat.camera, see_on_mat(still.picture, view, floor, mat.camera, network, awaited)


def kinds_of(still: Still) -> set[str]:
    """The kinds of dice that lie in a picture."""
    return {truth_of(die)[0] for die in still.label["dice"]}


def situation_of(die: dict[str, Any], outline: NDArray[Any]) -> str | None:
    """What the label says of a die fitted with this outline of its upper face; None where it is no matter."""
    state = die["state"]
    if state == "cocked":
        return "cocked"
    if state in ("under", "on_top"):
        return "stacked"
    if die.get("visible_fraction", 1.0) < _COVERED:
        return "occluded"
    return "standing" if is_its_upper_face(die, outline) else None


def is_its_upper_face(die: dict[str, Any], outline: NDArray[Any]) -> bool:
    """Whether an outline (k, 2) px is that of a labelled die's upper face, or a little off it."""
    truth = np.asarray(die["top_quad_px"], np.float64)
    side = float(np.linalg.norm(truth[0] - truth[1]))
    return len(truth) == len(outline) and math.dist(truth.mean(axis=0), outline.mean(axis=0)) <= _UPPER_OFF * side


def sides_away(die: dict[str, Any], middle: Point) -> float:
    """How far a place (px) is from the middle of a labelled die's upper face, in sides of it."""
    corners = die["top_quad_px"]
    return math.dist(die["top_centre_px"], middle) / max(math.dist(corners[0], corners[1]), 1.0)


def labelled_faces(still: Still) -> list[dict[str, Any]]:
    """The labels of the dice of which it is known where their upper face lies."""
    return [die for die in still.label["dice"] if die.get("top_quad_px")]


def situations_on_mat(network: FaceNetwork, still: Still) -> Iterator[Situated]:
    """Every fitted solid of a picture whose truth is plain."""
    dice = labelled_faces(still)
    for camera, candidate, signs in _fitted(network, still):
        middle = candidate.center_px
        near = [die for die in dice if sides_away(die, middle) < _NEAR * (2 if die["state"] != "flat" else 1)]
        if not near:
            if all(sides_away(die, middle) > _NO_DIES for die in dice):
                yield Situated(camera, candidate, signs, SITUATIONS.index("not-a-die"))
            continue
        nearest = min(near, key=lambda die: math.dist(die["top_centre_px"], middle))
        situation = situation_of(nearest, candidate.outline_px)
        if situation is not None:
            yield Situated(camera, candidate, signs, SITUATIONS.index(situation))


def number_dice_beside(network: FaceNetwork, still: Still, kind: str) -> Iterator[Situated]:
    """What is fitted to standing twelve-sided dice where only ``kind``, which lies there, too, is sought: no dice."""
    if not {kind, NUMBER_DIE} <= kinds_of(still):
        return
    dice = labelled_faces(still)
    for camera, candidate, signs in _fitted(network, still, {kind}):
        near = [die for die in dice if sides_away(die, candidate.center_px) < _NEAR]
        if [(truth_of(die)[0], die["state"]) for die in near] == [(NUMBER_DIE, "flat")]:
            yield Situated(camera, candidate, signs, SITUATIONS.index("not-a-die"))


def _fitted(
    network: FaceNetwork, still: Still, kinds: Collection[str] | None = None
) -> Iterator[tuple[Camera, Candidate, NDArray[Any]]]:
    """The camera, every solid that is fitted to a picture, and its signs."""
    found = seen_on_mat(still, network, kinds)
    if found is None:
        return
    camera, seen = found
    leans = find_lean(camera, seen.evidence, [candidate.fit for candidate in seen.chosen])
    for candidate, signs in zip(seen.chosen, with_leans(seen.signs, leans), strict=True):
        yield camera, candidate, signs
