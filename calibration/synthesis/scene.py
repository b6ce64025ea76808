"""Whole pictures of dice, with their truth, in every state that a tray holds.

``picture`` draws one; the label has the keys of the labelled pictures that ``croupier read`` is scored with: for each
die its kind, body, face, state, upper face in pixels, how much of that is seen, and whether it can be read.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthesis import clutter
from calibration.synthesis.design import Design
from calibration.synthesis.dice import Maker, any_die
from calibration.synthesis.floors import Floor, any_floor
from calibration.synthesis.lights import Lighting, any_lighting
from calibration.synthesis.optics import Camera, aslant_camera, overhead_camera
from calibration.synthesis.other_dice import other_die
from calibration.synthesis.render import Drawn, draw, white_at
from calibration.synthesis.sensor import Sensor, any_sensor
from calibration.synthesis.things import Die, Thing, as_thing, lay
from vision import mat_layout
from vision.dice import KINDS, NUMBER_DIE, PIP_DIE

Floats = NDArray[Any]

HARD = (
    "touching",
    "cocked",
    "stacked",
    "occluded",
    "outside",
    "glare",
    "warm",
    "cool",
    "dim",
    "blur",
    "clutter",
    "shadow",
    "tilt",
)
"""Conditions that a hard picture may have; a tidy one is tagged ``clean``."""

LEAST_VISIBLE = 0.7
"""Of the upper face: what is covered more than this is no honest reader's."""

Others = Callable[[np.random.Generator, list[Die], str], tuple[list[Thing], list[str]]]
"""Lays what is no die among dice, for a condition: the things, and what they are called."""

_ROOM_MM = 13.0  # about the middle of another game's die; the largest is 21 mm wide
_TRIES = 20
_PAPER_MM = 0.12  # the mat's own thickness: dice stand on the sheet


@dataclass(frozen=True)
class Picture:
    """``pixels`` uint8 (H, W, 3) BGR and its ``label``, a JSON object without the file's name.

    ``owner`` int16 (H, W) says which of the label's dice each pixel shows; what is less, or more, is no die.
    """

    pixels: NDArray[np.uint8]
    label: dict[str, Any]
    owner: NDArray[np.int16]


def picture(
    rng: np.random.Generator,
    floor_name: str = "mat",
    kinds: Sequence[str] = tuple(KINDS),
    condition: str | None = None,
    most_dice: int = 8,
    fonts: Sequence[Path] = (),
    things: Others | None = None,
    make: Maker = any_die,
    most_others: int = 0,
    aslant_deg: tuple[float, float] | None = None,
) -> Picture:
    """One picture; ``condition`` is ``"clean"``, one of ``HARD``, or None for any.

    ``things`` lays what is no die, ``make`` makes the dice. Of other games' dice ``most_others`` lie among them.
    ``aslant_deg`` is how far the camera leans, at least and at most, where it does not hang above the page.
    """
    if condition is None:
        condition = "clean" if rng.random() < 0.6 else str(rng.choice(HARD))
    if condition == "stacked":  # only cubes stay on one another
        kinds = [kind for kind in kinds if kind != NUMBER_DIE] or [PIP_DIE]
    if aslant_deg is None:
        camera = overhead_camera(rng, tilt_deg=22.0 if condition == "tilt" else 7.0)
    else:
        camera = aslant_camera(rng, rng.uniform(*aslant_deg))
    lighting = _lighting(rng, camera, condition)
    floor = any_floor(rng, floor_name)
    dice = _dice(rng, kinds, condition, int(rng.integers(min(1, most_dice), most_dice + 1)), fonts, make)
    others, clutter_names = (things or lay_others)(rng, dice, condition)
    strange = _other_dice(rng, dice, int(rng.integers(1, most_others + 1)), fonts) if most_others else []
    drawn = draw(camera, lighting, floor, [die.thing for die in dice] + others + strange)
    sensor = _sensor(rng, lighting, drawn, condition)
    pixels = sensor.expose(drawn.light, rng, camera.principal_px)
    if condition == "blur":
        pixels = cv2.GaussianBlur(pixels, (0, 0), 1.0).astype(np.uint8)
    label = {
        "width": camera.width,
        "height": camera.height,
        "tags": [condition],
        "floor": floor.name,
        "glossy_floor": floor.sheen > 0,
        "clutter": clutter_names,
        "light": {"rig": lighting.rig, "kelvin": round(lighting.kelvin)},
        "camera": _camera_label(camera),
        "sensor": sensor.described(),
        "dice": [_die_label(camera, drawn, die, i, pixels, floor) for i, die in enumerate(dice)],
    }
    if strange:
        label["other_dice"] = [_upper_face(camera, thing).round(2).tolist() for thing in strange]
    return Picture(pixels, label, drawn.owner)


def _lighting(rng: np.random.Generator, camera: Camera, condition: str) -> Lighting:
    kelvin = {"warm": rng.uniform(2600, 3200), "cool": rng.uniform(6200, 7500)}.get(condition)
    rig = {"glare": str(rng.choice(["ring", "bars", "window"])), "shadow": "spot"}.get(condition)
    return any_lighting(rng, camera.position, rig, kelvin)


def _sensor(rng: np.random.Generator, lighting: Lighting, drawn: Drawn, condition: str) -> Sensor:
    white = white_at(lighting, np.zeros((1, 2)))[0]
    coloured = condition in ("warm", "cool")
    hard = {"dim": 1.0, "blur": 0.6}.get(condition, 0.05)
    sensor = any_sensor(rng, white, float(drawn.light.mean()), hard=hard, balance="auto")
    if not coloured:
        return sensor
    level = float(np.mean(sensor.gains))  # set for daylight: the lamp's own colour stays in the picture
    return Sensor(**{**sensor.__dict__, "gains": (level, level, level)})


def _dice(
    rng: np.random.Generator,
    kinds: Sequence[str],
    condition: str,
    count: int,
    fonts: Sequence[Path],
    make: Maker = any_die,
) -> list[Die]:
    size = rng.uniform(12, 19)
    designs = [
        make(rng, str(rng.choice(list(kinds))), size, fonts)
        for _ in range(max(count, 2 if condition in ("touching", "stacked") else 0))
    ]
    dice: list[Die] = []
    for number, design in enumerate(designs):
        special = number < max(1, len(designs) // 3)
        if number == 1 and condition == "stacked":
            dice += _on_top(rng, design, dice)
            continue
        at = _free_spot(rng, dice, design, condition, special)
        if at is None:
            continue
        yaw = float(rng.uniform(0, 360))
        if condition == "touching" and dice and at[2] is not None:
            yaw = at[2]
        tilt, state, degrees = None, "flat", 0.0
        if special and condition == "cocked":
            degrees = float(rng.uniform(12, 42))
            turn = rng.uniform(0, 2 * np.pi)
            tilt, state = np.array([np.cos(turn), np.sin(turn), 0]) * np.deg2rad(degrees), "cocked"
        face = int(rng.integers(len(design.faces)))
        thing = as_thing(design, *lay(design, face, (at[0], at[1]), yaw, tilt, _PAPER_MM))
        dice.append(Die(design, thing, state, yaw, degrees, _PAPER_MM))
    return dice


def _on_top(rng: np.random.Generator, design: Design, dice: list[Die]) -> list[Die]:
    """The die on top of the first one, which from now on is under it."""
    low = dice[0]
    dice[0] = Die(low.design, low.thing, "under", low.yaw_deg, 0.0, low.base_mm, (1,))
    spot = low.thing.place[:2] + rng.normal(0, 0.22 * low.design.size_mm, 2).clip(
        -0.4 * low.design.size_mm, 0.4 * low.design.size_mm
    )
    yaw = float(rng.uniform(0, 360))
    base = _PAPER_MM + low.design.size_mm
    thing = as_thing(
        design, *lay(design, int(rng.integers(len(design.faces))), (float(spot[0]), float(spot[1])), yaw, None, base)
    )
    return [Die(design, thing, "on_top", yaw, 0.0, base)]


def _free_spot(
    rng: np.random.Generator, dice: list[Die], design: Design, condition: str, special: bool
) -> tuple[float, float, float | None] | None:
    area = mat_layout.ROLL_AREA
    room = design.size_mm * 0.75
    for _ in range(60):
        yaw = None
        if condition == "outside" and special:
            x, y = rng.uniform(-140, 140), rng.uniform(-105, 100)
            if area.contains((x, y), room):
                continue
        elif condition == "touching" and dice:
            other = dice[int(rng.integers(len(dice)))]
            turn = np.deg2rad(other.yaw_deg + 90 * rng.integers(4))
            yaw = other.yaw_deg + float(rng.choice([0, rng.normal(0, 6)]))
            away = (other.design.size_mm + design.size_mm) / 2 * rng.uniform(1.0, 1.12)
            aside = rng.normal(0, 3)
            x = float(other.thing.place[0] + away * np.cos(turn) - aside * np.sin(turn))
            y = float(other.thing.place[1] + away * np.sin(turn) + aside * np.cos(turn))
            if not area.contains((x, y), room):
                continue
        else:
            x, y = (
                rng.uniform(area.left_mm + room, area.right_mm - room),
                rng.uniform(area.top_mm + room, area.bottom_mm - room),
            )
        least = 0.98 if yaw is not None else 1.45
        if all(
            np.hypot(x - d.thing.place[0], y - d.thing.place[1]) > least * (design.size_mm + d.design.size_mm) / 2
            for d in dice
        ):
            return float(x), float(y), yaw
    return None


def lay_others(rng: np.random.Generator, dice: list[Die], condition: str) -> tuple[list[Thing], list[str]]:
    """What lies among the dice, or over the first of them, and is none; and what that is called."""
    if condition == "occluded" and dice:
        name = str(rng.choice(["hand", "pen", "hand"]))
        over = dice[0].thing.place[:2] + rng.normal(0, 9, 2)
        things = clutter.THINGS[name](rng, (float(over[0]), float(over[1])))
        if name == "pen":
            things = lifted(things, dice[0].design.size_mm + 0.5)
        return things, [name]
    if condition != "clutter":
        return [], []
    out: list[Thing] = []
    names: list[str] = []
    for _ in range(int(rng.integers(1, 4))):
        name = str(rng.choice(["coin", "coin", "tokens", "pen", "rubber", "phone"]))
        at = (float(rng.uniform(-90, 90)), float(rng.uniform(-80, 55)))
        things = clutter.THINGS[name](rng, at)
        reach = max(float(np.linalg.norm(t.corners[:, :2] - t.place[:2], axis=1).max()) for t in things)
        if name in ("pen", "phone"):
            clear = all(far(t, d) for t in things for d in dice)
        else:
            clear = all(
                np.hypot(*(t.place[:2] - d.thing.place[:2])) > reach + d.design.size_mm for t in things for d in dice
            )
        if clear:
            out += things
            names.append(name)
    return out, names


def _other_dice(rng: np.random.Generator, dice: Sequence[Die], count: int, fonts: Sequence[Path]) -> list[Thing]:
    """Dice of other games, as many as find room; none touches another die."""
    area = mat_layout.ROLL_AREA
    made: list[Thing] = []
    for _ in range(count * _TRIES):
        at = (
            float(rng.uniform(area.left_mm + _ROOM_MM, area.right_mm - _ROOM_MM)),
            float(rng.uniform(area.top_mm + _ROOM_MM, area.bottom_mm - _ROOM_MM)),
        )
        beside = [die.thing.place for die in dice] + [thing.place for thing in made]
        if all(np.hypot(*(place[:2] - at)) > 2 * _ROOM_MM for place in beside):
            made.append(other_die(rng, at, _PAPER_MM, fonts))
        if len(made) == count:
            break
    return made


def _upper_face(camera: Camera, thing: Thing) -> Floats:
    """The corners (n, 2) px that a thing's upper face would have without rounding."""
    return np.asarray(camera.project(thing.world(thing.solid.sharp[thing.top_face])))


def lifted(things: Sequence[Thing], height_mm: float) -> list[Thing]:
    """The same things, higher."""
    return [replace(thing, place=thing.place - [0, 0, height_mm]) for thing in things]


def far(thing: Thing, die: Die) -> bool:
    """Whether neither touches the other, seen from above."""
    hull = cv2.convexHull(thing.corners[:, :2].astype(np.float32))
    at = die.thing.place[:2]
    return cv2.pointPolygonTest(hull, (float(at[0]), float(at[1])), True) < -die.design.size_mm * 0.9


def _camera_label(camera: Camera) -> dict[str, Any]:
    return {
        "K": camera.matrix.round(4).tolist(),
        "dist": camera.coefficients.round(6).tolist(),
        "rvec": cv2.Rodrigues(camera.rotation)[0].ravel().round(7).tolist(),
        "tvec": camera.translation.round(4).tolist(),
        "height_mm": round(float(-camera.position[2]), 2),
    }


def _die_label(
    camera: Camera, drawn: Drawn, die: Die, index: int, pixels: NDArray[np.uint8], floor: Floor
) -> dict[str, Any]:
    corners = camera.project(die.top_corners)
    middle = camera.project(die.top_corners.mean(0, keepdims=True))[0]
    height, width = drawn.owner.shape
    flat = camera.project(die.top_outline)
    low = np.floor(flat.min(0)).astype(int) - 1
    size = np.ceil(flat.max(0)).astype(int) + 2 - low
    face = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(face, np.round((flat - low) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    x0, y0 = np.maximum(low, 0)
    x1, y1 = np.minimum(low + size, [width, height])
    seen, burnt = 0.0, 0.0
    if x1 > x0 and y1 > y0:
        inside = face[y0 - low[1] : y1 - low[1], x0 - low[0] : x1 - low[0]] > 0
        own = drawn.owner[y0:y1, x0:x1][inside] == index
        seen = float(own.sum()) / max(float(face.sum()), 1)
        if own.any():
            burnt = float((pixels[y0:y1, x0:x1][inside].min(1) >= 250).mean())
    around = camera.project(die.thing.corners)
    foot = die.thing.corners[:, :2]
    x, y = foot.min(0), foot.max(0)
    area = mat_layout.ROLL_AREA
    wholly = area.contains((float(x[0]), float(x[1]))) and area.contains((float(y[0]), float(y[1])))
    apart = y[0] < area.left_mm or x[0] > area.right_mm or y[1] < area.top_mm or x[1] > area.bottom_mm
    white_face = die.design.kind in ("pip-die", "action-die") and die.design.body in ("white", "ivory", "black")
    readable = die.state in ("flat", "on_top") and seen >= LEAST_VISIBLE and (burnt < 0.25 or white_face)
    return {
        "kind": die.design.kind,
        "body": die.design.body,
        "variant": die.design.variant,
        "face": die.face,
        "size_mm": round(die.design.size_mm, 3),
        "centre_mm": die.thing.place[:2].round(3).tolist(),
        "base_mm": round(die.base_mm, 3),
        "yaw_deg": round(die.yaw_deg % 360, 2),
        "tilt_deg": round(die.tilt_deg, 2),
        "state": die.state,
        "in_roll_area": ("yes" if wholly else "no" if apart else "partly") if floor.name == "mat" else "yes",
        "visible_fraction": round(seen, 3),
        "top_centre_px": middle.round(2).tolist(),
        "top_quad_px": corners.round(2).tolist(),
        "bbox_px": [*around.min(0).round(1).tolist(), *around.max(0).round(1).tolist()],
        "readable": bool(readable),
        "clipped_fraction": round(burnt, 3),
    }
