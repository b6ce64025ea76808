"""Patches cut from labelled pictures (a folder with ``labels.jsonl``, as ``calibration.synthesis`` writes them)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthesis.outlines import jittered, turned
from calibration.synthesis.samples import KnownLight, Sample
from vision import mat_layout
from vision.any_light import light_of
from vision.dice import ACTION_DIE, CHANCE_CUBE, NUMBER_DIE, PIP_DIE, RIG_DIE
from vision.patches import Light, rectify

_SEEN_AS = {"dark grey": "black", "cream": "white", "ivory": "white"}
_PICTURES = (".jpg", ".jpeg", ".png")
_KINDS = {"d6-pips": "pip-die", "d12": "number-die"}


@dataclass(frozen=True)
class Still:
    """One labelled picture, on the croupier mat or elsewhere; ``held_back`` ones are for measuring alone."""

    picture: NDArray[np.uint8]
    label: dict[str, Any]
    on_mat: bool
    held_back: bool


def read_stills(folder: Path, on_mat: bool) -> Iterator[Still]:
    """The labelled pictures of a folder, in its order; every third is held back."""
    for number, line in enumerate((folder / "labels.jsonl").read_text("utf-8").splitlines()):
        label = json.loads(line)
        picture = cv2.imread(str(folder / label["image"]))
        if picture is not None:
            yield Still(np.asarray(picture, np.uint8), label, on_mat, number % 3 == 2)


def pictures_below(folder: Path) -> Iterator[NDArray[np.uint8]]:
    """The pictures in a folder and in those within it (uint8 BGR), labelled or not; what is none is passed over."""
    for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() in _PICTURES):
        picture = cv2.imread(str(path))
        if picture is not None:
            yield np.asarray(picture, np.uint8)


def truth_of(die: dict[str, Any]) -> tuple[str, str, str | None]:
    """Kind, face and body of a labelled die, named as the network names them."""
    kind = _KINDS.get(die["kind"], die["kind"])
    body = _SEEN_AS.get(die.get("body") or "", die.get("body"))
    if kind == CHANCE_CUBE:
        body = die["face"]
    elif kind == PIP_DIE:
        body = body if body in ("white", "yellow") else "other"
    elif kind not in (RIG_DIE, ACTION_DIE):
        body = None
    return kind, die["face"], body


def grey_around(picture: NDArray[np.uint8], corners: NDArray[Any]) -> KnownLight:
    """The light at a die on the mat, from the grey about it."""
    middle, reach = corners.mean(0), float(np.linalg.norm(corners - corners.mean(0), axis=1).max())
    low, high = np.maximum((middle - 3 * reach).astype(int), 0), (middle + 3 * reach).astype(int)
    window = picture[low[1] : high[1], low[0] : high[0]].reshape(-1, 3)
    bright = window.mean(1)
    dull = np.ptp(window.astype(int), axis=1) < 60
    usual = np.median(window[dull] if dull.sum() > 50 else window, axis=0)
    near = np.abs(bright - usual.mean()) < 25
    usual = np.median(window[near], axis=0) if near.sum() > 50 else usual

    def linear(value: NDArray[Any]) -> NDArray[Any]:
        return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)

    return KnownLight(np.maximum(linear(usual / 255) / linear(np.array(mat_layout.ROLL_AREA_SRGB) / 255), 0.01))


def light_about(still: Still, corners: NDArray[Any]) -> Light:
    """The light at a die: from the mat's grey about it, or from the whole picture."""
    return grey_around(still.picture, corners) if still.on_mat else light_of(still.picture)


def _readable(still: Still) -> Iterator[tuple[dict[str, Any], NDArray[np.float32]]]:
    for die in still.label["dice"]:
        if die.get("readable") and die.get("state") == "flat" and die.get("top_quad_px"):
            yield die, np.asarray(die["top_quad_px"], np.float32)


def cut_patches(still: Still, rng: np.random.Generator, looks: int = 1) -> list[Sample]:
    """Every readable die of the picture, ``looks`` times with small errors of its outline (one look: none)."""
    out = []
    for die, corners in _readable(still):
        light = light_about(still, corners)
        for _ in range(looks):
            outline = corners if looks == 1 else jittered(rng, corners)
            out.append(Sample(rectify(still.picture, turned(rng, outline), light), *truth_of(die)))
    return out


def numbers_in(still: Still) -> Iterator[tuple[NDArray[np.float32], int]]:
    """The corners of every readable number in the picture, and the number."""
    for die, corners in _readable(still):
        if truth_of(die)[0] == NUMBER_DIE:
            yield corners, int(die["face"])
