"""Patches of upper faces for training: rendered close about one die, cut and balanced as the reader does it.

Every sample has its own room, lamp, camera, floor and die; only floors are kept for a while, since they take longest.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthesis import clutter
from calibration.synthesis.dice import Maker, any_die
from calibration.synthesis.floors import FLOORS, Floor, any_floor, linear_plane
from calibration.synthesis.lights import Lighting, any_lighting
from calibration.synthesis.number_dice import number_die
from calibration.synthesis.optics import Camera, overhead_camera
from calibration.synthesis.outlines import anywhere, astray, jittered, turned
from calibration.synthesis.render import Drawn, draw, white_at
from calibration.synthesis.sensor import Sensor, any_sensor, still
from calibration.synthesis.things import Die, Thing, as_thing, lay
from vision import mat_layout
from vision.dice import KINDS, NUMBER_DIE, PIP_DIE
from vision.patches import rectify

Floats = NDArray[Any]
Patch = NDArray[Any]

KIND_SHARES = {"chance-cube": 0.09, "rig-die": 0.25, "pip-die": 0.22, "action-die": 0.14, "number-die": 0.30}
"""How often each kind is drawn: those with more and finer faces more often."""

LEAST_SEEN = 0.93
"""A face of which less is seen than this is not taught as itself; below ``MOST_COVERED`` it is taught as nothing."""
MOST_COVERED = 0.7

MAT_GREY = 0.305
"""Linear reflectance of the mat's grey, sRGB 150."""

_FLAT_PX = 8
_MARKED = (NUMBER_DIE, PIP_DIE)
_MIDDLE = slice(14, 34)
_LEAST_CONTRAST = 0.022  # of a patch's middle: below it the marks are burnt out (looked at)
_PHOTOGRAPHS = 2  # of everything drawn, by different cameras' sensors: drawing takes longer
_ANYWHERE_SHARE = 0.2


@dataclass(frozen=True)
class Sample:
    """A patch (48, 48, 3) and what it shows: kind ("nothing" for no upper face), face, body (None: any)."""

    patch: Patch
    kind: str
    face: str
    body: str | None


@dataclass(frozen=True)
class CloseUp:
    """One photograph about one die, square, uint8 BGR, and the light as the reader would take it.

    ``dice`` holds those of which the whole upper face is in the picture: the die, its corners (px) and how much of it
    is seen, the one that the photograph is of first. ``middles_px`` are those of all upper faces, ``reach_px`` is how
    wide a large die is.
    """

    picture: NDArray[np.uint8]
    light: "KnownLight"
    dice: tuple[tuple[Die, Floats, float], ...]
    middles_px: tuple[Floats, ...]
    reach_px: float


@dataclass(frozen=True)
class KnownLight:
    """A ``vision.patches.Light`` for renders: the white of the place is known, up to an error drawn for the
    picture."""

    white: Floats

    def reflectance(self, pixels: NDArray[np.uint8], at_px: tuple[float, float]) -> NDArray[Any]:
        value = pixels.astype(np.float32) / 255
        linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
        return (linear / self.white).astype(np.float32)


class FloorShelf:
    """Floors kept for reuse: one is replaced every few takings."""

    def __init__(self, rng: np.random.Generator, names: Sequence[str], size: int = 14, every: int = 6) -> None:
        self._rng = rng
        self._names = tuple(names)
        self._every = every
        self._size = size
        self._taken = 0
        self._floors: list[Floor] = []

    def take(self) -> Floor:
        self._taken += 1
        if len(self._floors) < self._size:
            self._floors.append(self._new())
        elif self._taken % self._every == 0:
            self._floors[int(self._rng.integers(self._size))] = self._new()
        return self._floors[int(self._rng.integers(len(self._floors)))]

    def _new(self) -> Floor:
        name = "mat" if self._rng.random() < 0.5 else str(self._rng.choice(self._names))
        return any_floor(self._rng, name)


def samples(
    seed: int,
    fonts: Sequence[Path] = (),
    shares: Mapping[str, float] = KIND_SHARES,
    make: Maker = any_die,
) -> Iterator[Sample]:
    """Samples without end, the same for the same seed, fonts, shares of kinds (which add up to one) and maker."""
    rng = np.random.default_rng(seed)
    for one in close_ups(rng, fonts, shares, make=make):
        yield from _looked_at(rng, one)


def close_ups(
    rng: np.random.Generator,
    fonts: Sequence[Path],
    shares: Mapping[str, float],
    shown: str | None = None,
    make: Maker = any_die,
) -> Iterator[CloseUp]:
    """Photographs without end of dice that ``make`` designs; ``shown`` is the face that is up where they have it."""
    shelf = FloorShelf(rng, FLOORS)
    while True:
        floor = shelf.take()
        camera = overhead_camera(rng)
        lighting = any_lighting(rng, camera.position)
        at = (rng.uniform(-98, 98), rng.uniform(-86, 62))
        dice, others = _dice_about(rng, at, fonts, shares, shown, make)
        middle = camera.project(np.array([[at[0], at[1], -8.0]]))[0]
        reach = np.linalg.norm(
            camera.project(np.array([[at[0] + 20.0, at[1], -15.0]]))[0]
            - camera.project(np.array([[at[0], at[1], -15.0]]))[0]
        )
        side = int(np.clip(3.4 * reach, 70, 300))
        view = camera.view((float(middle[0]), float(middle[1])), side)
        things = [die.thing for die in dice] + others
        drawn = draw(view, lighting, floor, things)
        for _ in range(_PHOTOGRAPHS):
            yield _photographed(rng, camera, view, lighting, floor, at, drawn, dice, float(reach))


def _photographed(
    rng: np.random.Generator,
    camera: Camera,
    view: Camera,
    lighting: Lighting,
    floor: Floor,
    at: tuple[float, float],
    drawn: Drawn,
    dice: Sequence[Die],
    reach_px: float,
) -> CloseUp:
    """One photograph of what was drawn."""
    sensor, white = _sensed(rng, lighting, at, float(drawn.light.mean()))
    lens_reach_px = float(np.hypot(camera.width, camera.height) / 2)
    picture = sensor.expose(drawn.light, rng, view.principal_px, lens_reach_px)
    light = _balance(rng, view, sensor, white, floor, lens_reach_px)
    inside, middles = [], []
    for index, die in enumerate(dice):
        corners = view.project(die.top_corners).astype(np.float32)
        middles.append(corners.mean(0))
        if corners.min() >= 3 and corners.max() <= view.width - 4:
            inside.append((die, corners, _seen(drawn.owner, view.project(die.top_outline), index)))
    return CloseUp(picture, light, tuple(inside), tuple(middles), reach_px)


def _looked_at(rng: np.random.Generator, one: CloseUp) -> list[Sample]:
    """The patches of one photograph; every die is looked at, most of them rightly."""
    out = [sample for die in one.dice for sample in _of_die(rng, one.picture, one.light, *die)]
    if rng.random() < _ANYWHERE_SHARE:
        corners = anywhere(rng, len(one.picture), one.reach_px)
        if all(np.linalg.norm(middle - corners.mean(0)) > 0.5 * one.reach_px for middle in one.middles_px):
            out.append(Sample(rectify(one.picture, turned(rng, corners), one.light), "nothing", "", None))
    return out


def _dice_about(
    rng: np.random.Generator,
    at: tuple[float, float],
    fonts: Sequence[Path],
    shares: Mapping[str, float],
    shown: str | None = None,
    make: Maker = any_die,
) -> tuple[list[Die], list[Thing]]:
    kinds = list(shares)
    dice: list[Die] = []
    others: list[Thing] = []
    if rng.random() < 0.06:
        return [], clutter.THINGS[str(rng.choice(["coin", "tokens", "pen", "rubber"]))](rng, at)
    size = rng.uniform(11.8, 19.2)
    kind = str(rng.choice(kinds, p=list(shares.values())))
    unmarked = kind == NUMBER_DIE and rng.random() < 0.04
    design = number_die(rng, None, fonts, "none") if unmarked else make(rng, kind, size, fonts)
    face = int(rng.integers(len(design.faces)))
    if unmarked:
        face = int(rng.choice([i for i, name in enumerate(design.faces) if name == "?"]))
    if shown in design.faces:
        face = int(rng.choice([i for i, name in enumerate(design.faces) if name == shown]))
    tilt, state = None, "flat"
    if rng.random() < 0.07:
        turn, lean = rng.uniform(0, 2 * np.pi), np.deg2rad(rng.uniform(14, 40))
        tilt, state = np.array([np.cos(turn), np.sin(turn), 0]) * lean, "cocked"
    yaw = float(rng.uniform(0, 360))
    dice.append(Die(design, as_thing(design, *lay(design, face, at, yaw, tilt)), state, yaw, 0.0, 0.0))
    for _ in range(int(rng.choice([0, 1, 2, 3], p=(0.45, 0.3, 0.15, 0.1)))):
        other = any_die(rng, kind if rng.random() < 0.6 else str(rng.choice(kinds)), size, fonts)
        away = (design.size_mm + other.size_mm) / 2 * rng.uniform(1.0, 1.5) + rng.exponential(2)
        turn = np.deg2rad(yaw + 90 * rng.integers(4)) if rng.random() < 0.5 else rng.uniform(0, 2 * np.pi)
        spot = (at[0] + away * np.cos(turn), at[1] + away * np.sin(turn))
        if any(np.hypot(*(d.thing.place[:2] - spot)) < 0.5 * (d.design.size_mm + other.size_mm) for d in dice):
            continue
        side_yaw = yaw if rng.random() < 0.4 else float(rng.uniform(0, 360))
        dice.append(
            Die(
                other,
                as_thing(other, *lay(other, int(rng.integers(len(other.faces))), spot, side_yaw)),
                "flat",
                side_yaw,
                0.0,
                0.0,
            )
        )
    if rng.random() < 0.07:
        spot = (at[0] + rng.normal(0, 14), at[1] + rng.normal(0, 14))
        others = clutter.THINGS[str(rng.choice(["pen", "hand", "hand"]))](rng, spot)
    return dice, others


def _sensed(
    rng: np.random.Generator, lighting: Lighting, at: tuple[float, float], mean: float
) -> tuple[Sensor, Floats]:
    middle = white_at(lighting, np.zeros((1, 2)))[0]
    balance = str(rng.choice(["auto", "fixed", "none"], p=(0.8, 0.12, 0.08)))
    sensor = any_sensor(
        rng, middle, max(mean, 0.12), hard=float(rng.choice([0.1, 0.5, 1.0], p=(0.6, 0.3, 0.1))), balance=balance
    )
    return sensor, white_at(lighting, np.array([at]))[0]


def _balance(
    rng: np.random.Generator, view: Camera, sensor: Sensor, white: Floats, floor: Floor, lens_reach_px: float
) -> KnownLight:
    """The light as the reader would take it: from the mat's grey, else from the picture's brightness, or guessed."""
    grey = MAT_GREY if floor.name != "mat" or floor.sheet is None else floor.sheet[len(floor.sheet) // 2, 600]
    u, v = view.principal_px
    half = view.width / 2 - _FLAT_PX / 2
    flat = np.tile((white * grey).astype(np.float32), (_FLAT_PX, _FLAT_PX, 1))
    pixels = still(sensor).expose(flat, rng, (u - half, v - half), lens_reach_px).reshape(-1, 3).mean(0)
    seen = linear_plane(pixels) / linear_plane(np.array(mat_layout.ROLL_AREA_SRGB, float))
    if floor.name == "mat":
        error = rng.normal(0, 0.03) + rng.normal(0, 0.02, 3)
    elif rng.random() < 0.6:  # the brightness alone is guessed; what colour the camera left stays
        seen = np.full(3, float(seen.mean()))
        error = np.full(3, rng.normal(0, 0.3))
    else:
        error = rng.normal(0, 0.2) + rng.normal(0, 0.12, 3)
    return KnownLight(np.maximum(seen * np.exp(error), 0.01))


def _seen(owner: NDArray[np.int16], corners: Floats, index: int) -> float:
    mask = np.zeros(owner.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    inside = mask > 0
    return float((owner[inside] == index).mean()) if inside.any() else 0.0


def _of_die(
    rng: np.random.Generator, picture: NDArray[np.uint8], light: KnownLight, die: Die, corners: Floats, seen: float
) -> list[Sample]:
    out = []
    truth = (die.design.kind, die.face, die.design.seen_body)
    if die.design.kind == "chance-cube":
        truth = (die.design.kind, die.face, die.face)
    if die.state == "cocked":
        flat = anywhere(rng, 1, 1.0) - 0.5
        flat = corners.mean(0) + flat / np.abs(flat).max() * np.linalg.norm(corners[0] - corners[1]) * 0.5
        return [Sample(rectify(picture, turned(rng, flat), light), "nothing", "", None)]
    if seen < MOST_COVERED or die.face == "?":
        return [Sample(rectify(picture, turned(rng, jittered(rng, corners)), light), "nothing", "", None)]
    if seen >= LEAST_SEEN and KINDS[truth[0]].has_face(truth[1]):
        patch = rectify(picture, turned(rng, jittered(rng, corners)), light)
        lost = truth[0] in _MARKED and patch[_MIDDLE, _MIDDLE].mean(-1).std() < _LEAST_CONTRAST
        out.append(Sample(patch, "nothing", "", None) if lost else Sample(patch, *truth))
    if rng.random() < 0.16:
        out.append(Sample(rectify(picture, turned(rng, astray(rng, corners)), light), "nothing", "", None))
    return out
