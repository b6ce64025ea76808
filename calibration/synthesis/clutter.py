"""What lies in trays and is no die: coins, tokens, pens, rubbers, phones, a hand."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthesis.paint import Art, Brush, coat, near, plain
from calibration.synthesis.solids import Solid, box, prism
from calibration.synthesis.things import Thing

Floats = NDArray[Any]
Spot = tuple[float, float]

SKINS = ((224, 172, 140), (198, 134, 100), (141, 85, 60), (95, 60, 45), (240, 200, 180))
METALS = ((200, 150, 90), (185, 185, 188), (190, 110, 70), (215, 190, 110))


def _put(
    solid: Solid,
    at: Spot,
    turn_deg: float,
    height: float,
    color: Floats,
    shine: tuple[float, float],
    art: tuple[Art, ...] = (),
    reach: float = 1.0,
    tip: Floats | None = None,
) -> Thing:
    rotation = cv2.Rodrigues(np.array([0, 0, np.deg2rad(turn_deg)]))[0]
    if tip is not None:
        rotation = rotation @ cv2.Rodrigues(np.asarray(tip, float))[0]
    lowest = float((solid.corners @ rotation.T)[:, 2].max())
    place = np.array([at[0], at[1], -height - lowest])
    return Thing(solid, rotation, place, color, art, reach, color, *shine)


def coin(rng: np.random.Generator, at: Spot) -> list[Thing]:
    """A coin, 17 to 27 mm across, with a rim and something struck on it."""
    radius = rng.uniform(8.5, 13.5)
    color = near(METALS[int(rng.integers(len(METALS)))], rng)
    brush = Brush()
    t = np.linspace(0, 2 * np.pi, 50)
    drawn = coat(plain(color), brush.strokes([np.c_[np.cos(t), np.sin(t)] * 0.9], 0.05), color * 0.6, 0.8)
    blot = np.c_[np.cos(t), np.sin(t)] * rng.uniform(0.3, 0.65, 50)[:, None]
    drawn = coat(drawn, cv2.GaussianBlur(brush.union([blot]), (0, 0), 1), color * rng.uniform(0.6, 0.9), 1.0)
    if rng.random() < 0.6:
        drawn = coat(drawn, brush.strokes([rng.uniform(-0.4, 0.4, (4, 2))], 0.12), color * 0.5, 1.0)
    solid = prism(20, radius, rng.uniform(1.6, 2.4), 0.3)
    return [
        _put(
            solid,
            at,
            rng.uniform(0, 360),
            0,
            color,
            (rng.uniform(0.1, 0.35), rng.uniform(0.1, 0.4)),
            (drawn,) * 22,
            radius,
        )
    ]


def token(rng: np.random.Generator, at: Spot) -> list[Thing]:
    """One to four round, six- or eight-sided counters of one colour."""
    out = []
    for i in range(int(rng.integers(1, 5))):
        spot = (at[0] + i * rng.uniform(-24, 24), at[1] + i * rng.uniform(-24, 24))
        sides = int(rng.choice([6, 8, 20, 20]))
        radius = rng.uniform(6, 13)
        color = near(rng.uniform(15, 240, 3), rng)
        drawn = plain(color)
        if rng.random() < 0.5:
            drawn = coat(
                drawn, Brush().discs(np.zeros((1, 2)), rng.uniform(0.3, 0.7)), near(rng.uniform(15, 240, 3), rng)
            )
        solid = prism(sides, radius, rng.uniform(1.5, 6), 0.4)
        out.append(
            _put(
                solid,
                spot,
                rng.uniform(0, 360),
                0,
                color,
                (rng.uniform(0.1, 0.5), 0.04),
                (drawn,) * (sides + 2),
                radius,
            )
        )
    return out


def pen(rng: np.random.Generator, at: Spot) -> list[Thing]:
    """A pencil or pen lying down."""
    radius = rng.uniform(3.5, 5.5)
    color = near(rng.uniform(15, 240, 3), rng)
    turn = rng.uniform(0, 360)
    body = _put(
        prism(int(rng.choice([6, 12])), radius, rng.uniform(90, 140), 0.4),
        at,
        turn,
        0,
        color,
        (0.1, 0.05),
        tip=np.array([0, np.pi / 2, 0]),
    )
    end = np.array(at) + 62 * np.array([np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))])
    cap = prism(10, radius * 1.05, rng.uniform(15, 40), 0.6)
    return [
        body,
        _put(
            cap,
            (float(end[0]), float(end[1])),
            turn,
            0,
            near(rng.uniform(15, 240, 3), rng),
            (0.1, 0.05),
            tip=np.array([0, np.pi / 2, 0]),
        ),
    ]


def rubber(rng: np.random.Generator, at: Spot) -> list[Thing]:
    """A rubber, a small box, a domino."""
    size = (rng.uniform(28, 55), rng.uniform(14, 24), rng.uniform(6, 15))
    color = near(
        [(230, 230, 225), (230, 130, 140), (40, 70, 160), (40, 120, 60), (200, 40, 40)][int(rng.integers(5))], rng
    )
    return [_put(box(size, rng.uniform(0.5, 3)), at, rng.uniform(0, 360), 0, color, (0.4, 0.03))]


def phone(rng: np.random.Generator, at: Spot) -> list[Thing]:
    """A phone, its screen dark or lit."""
    solid = box((rng.uniform(140, 160), rng.uniform(66, 76), rng.uniform(7, 9)), 2.5)
    screen = near((15, 15, 18) if rng.random() < 0.6 else rng.uniform(60, 250, 3), rng)
    return [_put(solid, at, rng.uniform(0, 360), 0, screen, (0.03, 0.05))]


def hand(rng: np.random.Generator, at: Spot) -> list[Thing]:
    """A hand reaching in, its forearm leaving the tray; its fingers stay a little above what lies there."""
    skin = near(SKINS[int(rng.integers(len(SKINS)))], rng, 6)
    turn = float(rng.uniform(0, 360))
    lift = rng.uniform(12, 24)
    a = np.deg2rad(turn)
    ahead, aside = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    pieces = []

    def piece(along: float, beside: float, size: tuple[float, float, float], bend: float = 0.0) -> None:
        spot = np.array(at) + along * ahead + beside * aside
        radius = min(size) * 0.48
        pieces.append(_put(box(size, radius), (float(spot[0]), float(spot[1])), turn + bend, lift, skin, (0.5, 0.03)))

    piece(-150, 0, (170, 55, 45))
    piece(-40, 0, (85, 80, 26))
    for i, beside in enumerate((-29, -10, 9, 28)):
        spread = (i - 1.5) * rng.uniform(2, 9)
        piece(24, beside * 1.05, (60, 16, 16), spread)
        piece(62 + rng.uniform(-8, 6), beside * 1.25 + spread * 0.5, (44, 14, 14), spread * 1.3)
    piece(-20, 48 * rng.choice([-1, 1]), (64, 19, 18), rng.uniform(-50, 50))
    return pieces


THINGS: dict[str, Callable[[np.random.Generator, Spot], list[Thing]]] = {
    "coin": coin,
    "tokens": token,
    "pen": pen,
    "rubber": rubber,
    "phone": phone,
    "hand": hand,
}
