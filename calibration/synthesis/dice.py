"""The five kinds of dice, each drawn with the variety of many makers.

What the games say of the dice (faces, bodies, which faces lie opposite) holds for every design; everything else is
left to chance: shades, sizes, rounding, stickers and their misplacement, pips, hands, wear, gloss.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration.synthesis.clear_plastic import in_clear_plastic
from calibration.synthesis.design import (
    BLACK,
    BLUE,
    GOLD,
    GREEN,
    PIP_BODIES,
    PURPLE,
    RED,
    WHITE,
    Design,
    any_cube,
    any_shine,
)
from calibration.synthesis.glyphs import any_glyph
from calibration.synthesis.number_dice import number_die
from calibration.synthesis.paint import Brush, Floats, clouds, coat, near, placed, plain, rounded_square, wear
from calibration.synthesis.solids import ball_cut_cube
from vision.dice import ACTION_DIE, CHANCE_CUBE, NUMBER_DIE, PIP_DIE, RIG_DIE

Maker = Callable[[np.random.Generator, str, float, Sequence[Path]], Design]
"""Designs a die of a kind, so many mm wide, its numbers in one of the fonts."""

RIG_BODIES = {"black": (24, 24, 26), "dark grey": (62, 62, 66), "white": (238, 238, 236), "cream": (232, 222, 190)}
RIG_STICKERS = {"blue": BLUE, "gold": GOLD, "black": (28, 28, 30), "red": RED, "green": GREEN, "purple": PURPLE}
RIG_TYPES = {
    "type1": ("blue blank", "gold blank", "black -", "red -", "green +", "purple +"),
    "type2": ("blue blank", "gold blank", "black +", "red +", "green -", "purple -"),
}
ACTION_FACES = {
    "blue": ("green", "green", "green", "green", "red", "white"),
    "red": ("green", "green", "red", "red", "red", "white"),
    "black": ("red", "red", "red", "white", "white", "white"),
}


_PAINTED = 0.2
"""Of plain cubes that might have them, those with a border or edges of the other colour. None of 33 red cubes in
pictures rendered by others has either: what looks like a red sticker on blue is rather one."""


def chance_cube(
    rng: np.random.Generator, size_mm: float | None = None, border: tuple[float, float] | None = None
) -> Design:
    """Three red and three blue faces, the two colours opposite each other or three of each about a corner.

    With a ``border`` every face is painted like a sticker on the other colour: half its width and its rounding, in
    half widths of the cube.
    """
    size, solid = any_cube(rng, size_mm)
    brush = Brush()
    layout = str(rng.choice(["opposite", "adjacent"]))
    if layout == "opposite":  # every red face looks away from a blue one
        reds = {int(2 * axis + rng.integers(2)) for axis in range(3)}
    else:
        axis = int(rng.integers(3))
        reds = {2 * axis, 2 * axis + 1, int(2 * ((axis + 1) % 3) + rng.integers(2))}
    style = str(rng.choice(["plain", "engraved", "dark", "white", "gold"], p=(0.35, 0.2, 0.17, 0.2, 0.08)))
    glyphs = {name: any_glyph(brush, rng) for name in ("red", "blue")}
    shades = {"red": near(RED, rng), "blue": near(BLUE, rng)}
    worn = rng.uniform(0, 0.6) if rng.random() < 0.2 else 0
    faces, art = [], []
    for face in range(6):
        name = "red" if face in reds else "blue"
        drawn = plain(shades[name])
        # As wide as any sticker's, or networks would know cubes by it; of its own chance, lest all dice change.
        beside = rng.spawn(1)[0]
        may_be_painted = rng.random() < 0.1 and style == "plain"
        painted = any_border(beside) if may_be_painted and beside.random() < _PAINTED else border
        if painted is not None:  # a border of the body's other half
            other = shades["red" if name == "blue" else "blue"]
            drawn = coat(plain(other), brush.union([rounded_square(*painted)]), shades[name])
        if style == "engraved":
            drawn = coat(drawn, wear(glyphs[name], rng, worn), shades[name] * rng.uniform(0.35, 0.85), 1.0)
        elif style != "plain":
            ink = {"dark": (30, 28, 34), "white": WHITE, "gold": (220, 180, 80)}[style]
            drawn = coat(drawn, wear(glyphs[name], rng, worn), near(ink, rng, 6), float(rng.random() < 0.3))
        faces.append(name)
        art.append(drawn)
    edge = shades[str(rng.choice(["red", "blue"]))] if rng.random() < 0.25 else None
    if style == "plain" and rng.spawn(1)[0].random() >= _PAINTED:
        edge = None
    roughness, gloss = any_shine(rng)
    return Design(
        CHANCE_CUBE,
        "red/blue",
        None,
        f"{layout}/{style}",
        size,
        solid,
        tuple(faces),
        tuple(art),
        size / 2,
        edge,
        roughness,
        gloss,
    )


def _sticker(brush: Brush, rng: np.random.Generator, half: float, rounding: float, slip: float) -> Floats:
    turn = float(rng.normal(0, 60 * slip))
    return placed(rounded_square(half, rounding), rng.normal(0, slip, 2), turn)


def rig_die(rng: np.random.Generator, size_mm: float | None = None) -> Design:
    """A dark or light die with six stickers, one of either type."""
    size, solid = any_cube(rng, size_mm)
    brush = Brush()
    body = str(rng.choice(list(RIG_BODIES), p=(0.3, 0.2, 0.3, 0.2)))
    color = near(RIG_BODIES[body], rng, 4)
    variant = str(rng.choice(list(RIG_TYPES)))
    half = rng.uniform(0.66, 0.93)
    rounding = half * rng.choice([rng.uniform(0.02, 0.15), rng.uniform(0.15, 0.5)])
    slip = rng.uniform(0, 0.045)
    long, pen = rng.uniform(0.24, 0.52), rng.uniform(0.13, 0.27)
    pen = min(pen, long * 0.75)
    ink = near(rng.choice([WHITE, WHITE, WHITE, (235, 225, 190), (205, 205, 210)]), rng, 5)
    worn = rng.uniform(0.05, 0.6) if rng.random() < 0.15 else 0
    stickers = {name: near(rgb, rng, 9) for name, rgb in RIG_STICKERS.items()}
    shiny = rng.uniform(0.85, 1.0)
    faces = RIG_TYPES[variant]
    art = []
    for face in faces:
        name, symbol = face.split()
        shape = _sticker(brush, rng, half, rounding, slip)
        if rng.random() < 0.03:
            shape = placed(rounded_square(half * 0.75, rounding * 0.5), turn_deg=45)
        drawn = coat(plain(color), brush.union([shape]), stickers[name] * shiny, -0.3)
        if symbol != "blank":
            turn = float(rng.normal(0, 4) + 90 * rng.integers(4))
            at = rng.normal(0, slip, 2)
            bars = [placed([[-long, 0], [long, 0]], at, turn)]
            if symbol == "+":
                bars.append(placed([[-long, 0], [long, 0]], at, turn + 90))
            blunt = [
                placed([[-long, -pen / 2], [long, -pen / 2], [long, pen / 2], [-long, pen / 2]], at, turn + 90 * i)
                for i in range(len(bars))
            ]
            mask = brush.union(blunt) if rng.random() < 0.8 else brush.strokes([b * 0.85 for b in bars], pen)
            drawn = coat(drawn, wear(mask, rng, worn), ink)
        art.append(drawn)
    roughness, gloss = any_shine(rng)
    seen = {"dark grey": "black", "cream": "white"}.get(body, body)
    return Design(RIG_DIE, body, seen, variant, size, solid, faces, tuple(art), size / 2, color, roughness, gloss)


def any_border(rng: np.random.Generator) -> tuple[float, float]:
    """Half the width and the rounding of an action die's sticker, in half widths of the cube."""
    half = rng.uniform(0.78, 0.96)
    return half, half * rng.choice([rng.uniform(0.02, 0.15), rng.uniform(0.15, 0.4)])


def action_die(
    rng: np.random.Generator,
    size_mm: float | None = None,
    body: str | None = None,
    border: tuple[float, float] | None = None,
) -> Design:
    """A blue, red or black die with green, red and white faces; ``border`` as of a chance cube."""
    size, solid = any_cube(rng, size_mm)
    brush = Brush()
    named = body or str(rng.choice(list(ACTION_FACES)))
    color = near({"blue": BLUE, "red": RED, "black": BLACK}[named], rng)
    faces = list(ACTION_FACES[named])
    rng.shuffle(faces)
    usual = any_border(rng)
    half, rounding = border or usual
    slip = rng.uniform(0, 0.03)
    colors = {"green": near(GREEN, rng), "red": near(RED, rng), "white": near(WHITE, rng, 5)}
    if named == "red" and rng.random() < 0.3:
        colors["red"] = color
    art = [
        coat(plain(color), brush.union([_sticker(brush, rng, half, rounding, slip)]), colors[f], -0.3) for f in faces
    ]
    roughness, gloss = any_shine(rng)
    return Design(
        ACTION_DIE, named, named, "victim", size, solid, tuple(faces), tuple(art), size / 2, color, roughness, gloss
    )


INKS = (RED, BLUE, GREEN, GOLD, (240, 230, 60), (235, 120, 40), (90, 60, 40), (200, 210, 230), (120, 200, 230))
_LEAST_CONTRAST = 22.0  # of lightness: red pips on black dice have 30
_LEAST_HUE = 0.45  # spread over the channels of the cube roots' difference: red on blue has 0.6

PIP_PLACES: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}


def _lightness(color: Floats) -> float:
    """CIE lightness (0 to 100) of a linear colour, from its luminance."""
    return float(116 * max(color @ np.array([0.0722, 0.7152, 0.2126]), 0.009) ** (1 / 3) - 16)


def _telling_ink(rng: np.random.Generator, body: Floats, usual: Floats) -> Floats:
    """A coloured ink that can be told from the body by lightness or hue; the usual one if none is found."""
    for _ in range(8):
        ink = near(INKS[int(rng.integers(len(INKS)))], rng)
        hue = np.abs(np.cbrt(ink) - np.cbrt(body))
        if abs(_lightness(ink) - _lightness(body)) > _LEAST_CONTRAST or np.ptp(hue) > _LEAST_HUE:
            return ink
    return usual


_EASTERN = 0.15  # of bright pip dice: a large red pip alone, four red ones
_ROUND_EASTERN, _SIDE_BY_SIDE = (
    0.5,
    0.6,
)  # of bright round ones; of these, whose two pips lie not across, but in a row
_MUCH_WORN = (0.25, 0.55)  # of the paint on worn pips; others have lost up to a half, and seldom any
_ROW = (0.6, 0.95)  # of two such pips' distance from the middle along one axis, of that of others


def pip_die(
    rng: np.random.Generator,
    size_mm: float | None = None,
    body: str | None = None,
    eastern: float = _EASTERN,
    side_by_side: float = 0.0,
    is_worn: bool = False,
) -> Design:
    """A die with one to six pips; opposite faces add up to seven.

    ``eastern`` of the bright ones have red pips; of these, ``side_by_side`` have two pips in a row along an edge.
    Much of the paint is gone where it ``is_worn``, of others of a few.
    """
    size, solid = any_cube(rng, size_mm, 0.24)
    brush = Brush()
    names = list(PIP_BODIES)
    named = body or str(rng.choice(names, p=np.r_[0.25, 0.2, np.full(len(names) - 2, 0.55 / (len(names) - 2))]))
    color = near(PIP_BODIES[named], rng, 8)
    bright = color.mean() > 0.22
    dark_ink, light_ink = near((22, 20, 22), rng, 5), near(WHITE, rng, 5)
    ink = dark_ink if bright else light_ink
    if rng.random() < 0.3:
        ink = _telling_ink(rng, color, ink)
    marble = rng.uniform(0.3, 0.9) if rng.random() < 0.35 and named not in ("white", "ivory") else 0.0
    other = "orange" if named == "yellow" else str(rng.choice(names))  # else it were no yellow die
    second = near(PIP_BODIES[other], rng, 8) * (1.0 if bright else 0.5)
    if abs(_lightness(second) - _lightness(ink)) < _LEAST_CONTRAST:
        second = color * rng.uniform(0.6, 1.3)
    spread = rng.uniform(0.38, 0.6)
    radius = rng.uniform(0.13, 0.23)
    variant = "western"
    special = {}
    layout = dict(PIP_PLACES)
    if rng.random() < eastern and bright:
        variant = "eastern"
        special = {1: (near(RED, rng), rng.uniform(1.2, 2.0)), 4: (near(RED, rng), 1.0)}
        if side_by_side and rng.random() < side_by_side:
            row = rng.uniform(*_ROW)
            layout[2] = ((-row, 0), (row, 0))
    faces = np.array([(1, 6), (2, 5), (3, 4)])[rng.permutation(3)]
    faces = np.array([pair[:: int(rng.choice([-1, 1]))] for pair in faces]).ravel()
    depth = float(rng.choice([0, 0.6, 1.0]))
    worn = rng.uniform(0.05, 0.5) if rng.random() < 0.12 else 0
    if is_worn:  # after the others' chance, so that such a die has the faces of one that is drawn new
        worn = rng.uniform(*_MUCH_WORN)
    shape = rng.random()
    clear = rng.uniform(0.1, 0.4) if rng.random() < 0.12 else 0  # a translucent die: the far side glimmers through
    tall = rng.uniform(0.85, 1.0)
    art = []
    for pips in faces:
        places = np.array(layout[int(pips)], float) * spread
        if pips == 6 and rng.random() < 0.5:
            places *= [tall, 1]
        places = placed(places, rng.normal(0, 0.008, 2), 90.0 * int(rng.integers(4)))
        paint, swell = special.get(int(pips), (ink, 1.0))
        r = radius * swell
        if shape < 0.94:
            mask = brush.discs(places, r)
        elif shape < 0.97:
            mask = brush.union([rounded_square(r, r * 0.3) + p for p in places])
        else:
            mask = np.clip(brush.discs(places, r) - brush.discs(places, r * 0.5), 0, 1)
        drawn = plain(color)
        if marble:
            drawn = coat(drawn, clouds(rng) * np.float32(marble), second)
        if clear:
            ghost = brush.discs(rng.uniform(-0.6, 0.6, (4, 2)), radius)
            drawn = coat(drawn, cv2.GaussianBlur(ghost, (0, 0), 5) * clear, ink * 0.5 + color * 0.5)
        art.append(coat(drawn, wear(mask, rng, worn), paint, depth))
    roughness, gloss = any_shine(rng)
    seen = named if named in ("white", "yellow") else ("white" if named == "ivory" else "other")
    return Design(
        PIP_DIE,
        named,
        seen,
        variant,
        size,
        solid,
        tuple(str(int(f)) for f in faces),
        tuple(art),
        size / 2,
        color,
        roughness,
        gloss,
    )


def any_die(rng: np.random.Generator, kind: str, size_mm: float | None = None, fonts: Sequence[Path] = ()) -> Design:
    """A die of this kind, as some maker might make it; twelve-sided ones have sizes of their own."""
    if kind == NUMBER_DIE:
        return number_die(rng, None, fonts)
    makers = {CHANCE_CUBE: chance_cube, RIG_DIE: rig_die, ACTION_DIE: action_die, PIP_DIE: pip_die}
    return makers[kind](rng, size_mm)


def any_round_die(
    rng: np.random.Generator, kind: str, size_mm: float | None = None, fonts: Sequence[Path] = ()
) -> Design:
    """As ``any_die``, but a ball cuts the corners off pip dice, half of the bright ones of which are eastern."""
    if kind != PIP_DIE:
        return any_die(rng, kind, size_mm, fonts)
    design = pip_die(rng, size_mm, eastern=_ROUND_EASTERN, side_by_side=_SIDE_BY_SIDE)
    return replace(design, solid=ball_cut_cube(design.size_mm, rng.uniform(0.62, 0.8)))


def any_worn_die(
    rng: np.random.Generator, kind: str, size_mm: float | None = None, fonts: Sequence[Path] = ()
) -> Design:
    """As ``any_die``, but much of the paint is gone from the pips of all pip dice."""
    return pip_die(rng, size_mm, is_worn=True) if kind == PIP_DIE else any_die(rng, kind, size_mm, fonts)


def any_clear_die(
    rng: np.random.Generator, kind: str, size_mm: float | None = None, fonts: Sequence[Path] = ()
) -> Design:
    """As ``any_die``, but pip dice and twelve-sided ones are of clear, speckled or marbled plastic."""
    design = any_die(rng, kind, size_mm, fonts)
    return in_clear_plastic(rng.spawn(1)[0], design) if kind in (PIP_DIE, NUMBER_DIE) else design
