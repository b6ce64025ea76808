"""The five kinds of dice, each drawn with the variety of many makers.

What the games say of the dice (faces, bodies, which faces lie opposite) holds for every design; everything else is
left to chance: shades, sizes, rounding, stickers and their misplacement, pips, hands, wear, gloss.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthesis.digits import any_hand
from calibration.synthesis.paint import (
    FACE_PX,
    Art,
    Brush,
    coat,
    linear,
    near,
    placed,
    plain,
    rounded_square,
    wear,
)
from calibration.synthesis.solids import Solid, cube, dodecahedron
from vision.dice import ACTION_DIE, CHANCE_CUBE, NUMBER_DIE, PIP_DIE, RIG_DIE

Floats = NDArray[Any]

RED, BLUE, GREEN = (200, 30, 40), (30, 70, 180), (30, 140, 60)
GOLD, PURPLE, BLACK, WHITE = (235, 175, 60), (100, 50, 140), (26, 26, 28), (238, 236, 230)

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
PIP_BODIES = {
    "white": (236, 235, 228), "yellow": (240, 190, 50), "ivory": (226, 212, 170), "red": (190, 25, 35),
    "black": (25, 25, 28), "blue": (30, 60, 160), "green": (25, 130, 60), "brown": (90, 50, 35),
    "purple": (95, 40, 130), "orange": (225, 110, 35), "grey": (120, 122, 125), "pink": (220, 120, 160),
}  # fmt: skip
NUMBER_BODIES = {
    **{name: PIP_BODIES[name] for name in ("white", "black", "red", "orange", "purple", "blue", "green", "yellow")},
    "ivory": (226, 212, 170), "grey": (110, 112, 116), "teal": (30, 130, 140), "pink": (215, 110, 150),
}  # fmt: skip


@dataclass(frozen=True)
class Design:
    """One die: its solid, what is on each face, and how it shines.

    ``faces`` names each face as the games do; ``art`` is drawn on the face's square, ``reach_mm`` half its side.
    ``edge`` is the linear colour of the rounded edges, None where each half has its face's own. ``body`` is what the
    body is called, ``seen_body`` what a reader should call it (None where any will do).
    """

    kind: str
    body: str
    seen_body: str | None
    variant: str
    size_mm: float
    solid: Solid
    faces: tuple[str, ...]
    art: tuple[Art, ...]
    reach_mm: float
    edge: Floats | None
    roughness: float
    gloss: float


def _cube(rng: np.random.Generator, size_mm: float | None, most_round: float = 0.14) -> tuple[float, Solid]:
    size = size_mm or rng.uniform(11.5, 19.5)
    return size, cube(size, rng.uniform(0.03, most_round))


def _shine(rng: np.random.Generator) -> tuple[float, float]:
    if rng.random() < 0.3:  # matte wood or stone
        return rng.uniform(0.3, 0.6), rng.uniform(0.015, 0.04)
    return float(np.exp(rng.uniform(np.log(0.025), np.log(0.3)))), rng.uniform(0.03, 0.06)


def _glyph(brush: Brush, rng: np.random.Generator) -> NDArray[Any]:
    r = rng.uniform(0.22, 0.55)
    pen = rng.uniform(0.07, 0.2)
    draw = int(rng.integers(10))
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float) * r * 0.85
    turn = float(rng.choice([0, 45, rng.uniform(0, 360)]))
    if draw == 0:
        return brush.discs(np.zeros((1, 2)), r * rng.uniform(0.4, 1))
    if draw == 1:
        return brush.union([placed(square * [0.6, 1], turn_deg=45 if rng.random() < 0.5 else 0)])
    if draw == 2:
        return brush.strokes([placed(np.r_[square, square[:1]], turn_deg=turn)], pen * 0.8)
    if draw == 3:
        return brush.strokes([placed(p, turn_deg=turn) for p in (square[[0, 2]], square[[1, 3]])], pen)
    if draw == 4:
        t = np.arange(10) * np.pi / 5
        star = (
            np.c_[np.sin(t), -np.cos(t)] * np.where(np.arange(10) % 2, rng.uniform(0.35, 0.55), 1)[:, None] * r * 1.2
        )
        return brush.union([placed(star, turn_deg=turn)])
    if draw == 5:
        t = np.linspace(0, 2 * np.pi, 40)
        return brush.strokes([np.c_[np.cos(t), np.sin(t)] * r], pen)
    if draw == 6:
        t = np.array([0, 2, 4]) * np.pi / 3
        return brush.union([placed(np.c_[np.sin(t), -np.cos(t)] * r * 1.2, turn_deg=turn)])
    if draw == 7:  # a crest, a beast: some blot
        t = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        blot = np.c_[np.cos(t), np.sin(t)] * (r * rng.uniform(0.4, 1.3, 24))[:, None]
        return brush.union([blot])
    if draw == 8:  # two swords, a rune
        return brush.strokes([rng.uniform(-r, r, (int(rng.integers(2, 5)), 2)) for _ in range(3)], pen)
    return brush.strokes([placed([[-r, 0], [r, 0]], turn_deg=turn)], pen)


def chance_cube(rng: np.random.Generator, size_mm: float | None = None) -> Design:
    """Three red and three blue faces, the two colours opposite each other or three of each about a corner."""
    size, solid = _cube(rng, size_mm)
    brush = Brush()
    layout = str(rng.choice(["opposite", "adjacent"]))
    if layout == "opposite":  # every red face looks away from a blue one
        reds = {int(2 * axis + rng.integers(2)) for axis in range(3)}
    else:
        axis = int(rng.integers(3))
        reds = {2 * axis, 2 * axis + 1, int(2 * ((axis + 1) % 3) + rng.integers(2))}
    style = str(rng.choice(["plain", "engraved", "dark", "white", "gold"], p=(0.35, 0.2, 0.17, 0.2, 0.08)))
    glyphs = {name: _glyph(brush, rng) for name in ("red", "blue")}
    shades = {"red": near(RED, rng), "blue": near(BLUE, rng)}
    worn = rng.uniform(0, 0.6) if rng.random() < 0.2 else 0
    faces, art = [], []
    for face in range(6):
        name = "red" if face in reds else "blue"
        drawn = plain(shades[name])
        if rng.random() < 0.1 and style == "plain":  # a painted face with a border of the body's other half
            drawn = coat(
                plain(shades["red" if name == "blue" else "blue"]),
                brush.union([rounded_square(0.92, 0.1)]),
                shades[name],
            )
        if style == "engraved":
            drawn = coat(drawn, wear(glyphs[name], rng, worn), shades[name] * rng.uniform(0.35, 0.85), 1.0)
        elif style != "plain":
            ink = {"dark": (30, 28, 34), "white": WHITE, "gold": (220, 180, 80)}[style]
            drawn = coat(drawn, wear(glyphs[name], rng, worn), near(ink, rng, 6), float(rng.random() < 0.3))
        faces.append(name)
        art.append(drawn)
    edge = shades[str(rng.choice(["red", "blue"]))] if rng.random() < 0.25 else None
    roughness, gloss = _shine(rng)
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
    size, solid = _cube(rng, size_mm)
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
    roughness, gloss = _shine(rng)
    seen = {"dark grey": "black", "cream": "white"}.get(body, body)
    return Design(RIG_DIE, body, seen, variant, size, solid, faces, tuple(art), size / 2, color, roughness, gloss)


def action_die(rng: np.random.Generator, size_mm: float | None = None, body: str | None = None) -> Design:
    """A blue, red or black die with green, red and white faces."""
    size, solid = _cube(rng, size_mm)
    brush = Brush()
    named = body or str(rng.choice(list(ACTION_FACES)))
    color = near({"blue": BLUE, "red": RED, "black": BLACK}[named], rng)
    faces = list(ACTION_FACES[named])
    rng.shuffle(faces)
    half = rng.uniform(0.78, 0.96)
    rounding = half * rng.choice([rng.uniform(0.02, 0.15), rng.uniform(0.15, 0.4)])
    slip = rng.uniform(0, 0.03)
    colors = {"green": near(GREEN, rng), "red": near(RED, rng), "white": near(WHITE, rng, 5)}
    if named == "red" and rng.random() < 0.3:
        colors["red"] = color
    art = [
        coat(plain(color), brush.union([_sticker(brush, rng, half, rounding, slip)]), colors[f], -0.3) for f in faces
    ]
    roughness, gloss = _shine(rng)
    return Design(
        ACTION_DIE, named, named, "victim", size, solid, tuple(faces), tuple(art), size / 2, color, roughness, gloss
    )


PIP_PLACES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}


def pip_die(rng: np.random.Generator, size_mm: float | None = None, body: str | None = None) -> Design:
    """A die with one to six pips; opposite faces add up to seven."""
    size, solid = _cube(rng, size_mm, 0.24)
    brush = Brush()
    names = list(PIP_BODIES)
    named = body or str(rng.choice(names, p=np.r_[0.25, 0.2, np.full(len(names) - 2, 0.55 / (len(names) - 2))]))
    color = near(PIP_BODIES[named], rng, 8)
    bright = color.mean() > 0.22
    dark_ink, light_ink = near((22, 20, 22), rng, 5), near(WHITE, rng, 5)
    ink = dark_ink if bright else light_ink
    if rng.random() < 0.12:
        ink = near(
            rng.choice([RED, BLUE, GREEN, (90, 60, 40)] if bright else [GOLD, (240, 240, 120), (200, 210, 230)]), rng
        )
    spread = rng.uniform(0.42, 0.6)
    radius = rng.uniform(0.13, 0.23)
    variant = "western"
    special = {}
    if rng.random() < 0.15:
        variant = "eastern"
        special = {1: (near(RED, rng), rng.uniform(1.2, 2.0)), 4: (near(RED, rng), 1.0)}
    faces = np.array([(1, 6), (2, 5), (3, 4)])[rng.permutation(3)]
    faces = np.array([pair[:: int(rng.choice([-1, 1]))] for pair in faces]).ravel()
    depth = float(rng.choice([0, 0.6, 1.0]))
    worn = rng.uniform(0.05, 0.5) if rng.random() < 0.12 else 0
    shape = rng.random()
    clear = rng.uniform(0.1, 0.4) if rng.random() < 0.12 else 0  # a translucent die: the far side glimmers through
    tall = rng.uniform(0.85, 1.0)
    art = []
    for pips in faces:
        places = np.array(PIP_PLACES[int(pips)], float) * spread
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
        if clear:
            ghost = brush.discs(rng.uniform(-0.6, 0.6, (4, 2)), radius)
            drawn = coat(drawn, cv2.GaussianBlur(ghost, (0, 0), 5) * clear, ink * 0.5 + color * 0.5)
        art.append(coat(drawn, wear(mask, rng, worn), paint, depth))
    roughness, gloss = _shine(rng)
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


def number_die(
    rng: np.random.Generator, size_mm: float | None = None, fonts: Sequence[Path] = (), mark: str | None = None
) -> Design:
    """A die with twelve numbered faces; opposite ones add up to thirteen, 6 and 9 carry a mark."""
    size = size_mm or rng.uniform(15.5, 21.5)
    solid = dodecahedron(size, rng.uniform(0.01, 0.05))
    named = str(rng.choice(list(NUMBER_BODIES)))
    color = near(NUMBER_BODIES[named], rng)
    bright = color.mean() > 0.2
    ink = near((20, 20, 22) if bright else WHITE, rng, 6)
    if rng.random() < 0.3:
        ink = near(
            rng.choice(
                [(120, 20, 25), (25, 40, 120), (60, 60, 60)]
                if bright
                else [(225, 185, 70), (190, 200, 215), (150, 230, 150)]
            ),
            rng,
        )
    if abs(np.log(ink.mean() + 0.03) - np.log(color.mean() + 0.03)) < 0.8:
        ink = near((20, 20, 22) if bright else WHITE, rng, 4)
    hand = any_hand(rng, fonts, mark)
    reach = float(np.linalg.norm(solid.sharp[0] - solid.sharp[0].mean(0), axis=1).max())
    tall = rng.uniform(0.62, 1.0)  # of a number, in half sides of the drawing
    crowded = rng.uniform(0.72, 0.95)
    turned = float(rng.choice([0.0, 0.0, 36.0]))
    depth = float(rng.choice([0, 0.7]))
    worn = rng.uniform(0.05, 0.5) if rng.random() < 0.15 else 0
    swirl = rng.uniform(0.1, 0.5) if rng.random() < 0.2 else 0
    second = near(rng.choice(list(NUMBER_BODIES.values())), rng)
    frame = rng.uniform(0.7, 0.78) if rng.random() < 0.06 else 0
    order = [
        n for low in rng.permutation(6) + 1 for n in ((low, 13 - low) if rng.random() < 0.5 else (13 - low, low))
    ]
    art = []
    for number in order:
        drawn = plain(color)
        if frame:
            t = np.arange(5) * 2 * np.pi / 5
            drawn = coat(plain(ink), Brush().union([np.c_[np.sin(t), -np.cos(t)] * frame * 1.15]), color)
        if swirl:
            cloud = cv2.resize(
                rng.random((5, 5), dtype=np.float32), (FACE_PX, FACE_PX), interpolation=cv2.INTER_CUBIC
            )
            drawn = coat(drawn, np.clip((cloud - 0.5) * 3, 0, 1) * swirl, second)
        turn = turned + 72.0 * int(rng.integers(5)) + float(rng.normal(0, 2))
        if rng.random() < 0.06:
            turn = float(rng.uniform(0, 360))
        scale = tall * (crowded if number >= 10 else 1.0) * FACE_PX / 2 / (128 * 0.6)
        c, s = np.cos(np.deg2rad(turn)) * scale, np.sin(np.deg2rad(turn)) * scale
        shift = FACE_PX / 2 - 0.5 + rng.normal(0, 1.0, 2)
        to = np.array([[c, -s, shift[0] - (c - s) * 63.5], [s, c, shift[1] - (s + c) * 63.5]])
        mask = cv2.warpAffine(hand.masks[number - 1], to, (FACE_PX, FACE_PX), flags=cv2.INTER_AREA)
        art.append(coat(drawn, wear((mask / 255).astype(np.float32), rng, worn), ink, depth))
    roughness, gloss = _shine(rng)
    faces = tuple("?" if mark == "none" and n in (6, 9) else str(int(n)) for n in order)
    return Design(NUMBER_DIE, named, None, "d12", size, solid, faces, tuple(art), reach, color, roughness, gloss)


def dark(color: Floats) -> bool:
    """Whether a linear colour counts as dark."""
    return bool(color @ linear((0, 255, 0)) < 0.1)


def any_die(rng: np.random.Generator, kind: str, size_mm: float | None = None, fonts: Sequence[Path] = ()) -> Design:
    """A die of this kind, as some maker might make it."""
    if kind == NUMBER_DIE:
        return number_die(rng, None if size_mm is None else size_mm * 1.1, fonts)
    makers = {CHANCE_CUBE: chance_cube, RIG_DIE: rig_die, ACTION_DIE: action_die, PIP_DIE: pip_die}
    return makers[kind](rng, size_mm)
