"""Where the light comes from: lamps with an extent, what they throw on a surface, and what a surface mirrors of them.

Light is measured in what white paper lying in the middle of the table sends up: 1.0 there, from all lamps together.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]

RIGS = ("ring", "ceiling", "bars", "window", "spot", "lamp")


@dataclass(frozen=True)
class Lamp:
    """A flat lamp in the world: ``shape`` "disc", "ring" or "panel"; ``half`` its half sizes along ``u`` and ``v``,
    mm.

    ``samples`` (K, 3) are points of it that stand for the whole, ``share`` its part of all the light.
    """

    shape: str
    centre: Floats
    u: Floats
    v: Floats
    half: tuple[float, float]
    samples: Floats
    share: float

    @cached_property
    def normal(self) -> Floats:
        return np.cross(self.u, self.v)

    @cached_property
    def at_origin(self) -> float:
        """What a lamp of unit strength gives to paper at the origin, before any scale."""
        distance = np.linalg.norm(self.samples, axis=1)
        facing = np.abs(self.samples[:, 2]) / distance
        leaving = np.abs(self.samples @ self.normal) / distance
        return float((facing * leaving / distance**2).mean())

    @property
    def area(self) -> float:
        a, b = self.half
        return {"disc": np.pi * a * b, "panel": 4 * a * b, "ring": 2 * np.pi * a * b}[self.shape]

    def seen_along(self, origins: Floats, directions: Floats, blur: float) -> Floats:
        """How much of the lamp lies along rays (N, 3), 0 to 1, its edges softened by ``blur`` (radians): (N)."""
        normal = self.normal
        along = directions @ normal
        reach = ((self.centre - origins) @ normal) / np.where(np.abs(along) < 1e-6, 1e-6, along)
        hits = origins + directions * reach[:, None] - self.centre
        x, y = hits @ self.u, hits @ self.v
        soft = np.maximum(np.abs(reach) * blur, 1.0)
        a, b = self.half
        if self.shape == "panel":
            inside = np.minimum((a - np.abs(x)) / soft, (b - np.abs(y)) / soft)
        elif self.shape == "ring":
            inside = (b - np.abs(np.hypot(x, y) - a)) / soft
        else:
            inside = (1 - np.hypot(x / a, y / b)) * min(a, b) / soft
        seen = 1 / (1 + np.exp(-np.clip(inside * 2.5, -30, 30)))
        return np.where(reach > 0, seen, 0.0)


@dataclass(frozen=True)
class Lighting:
    """All lamps, the light from everywhere else (``ambient``, 0 to 1), and the colour of both (B, G, R)."""

    rig: str
    kelvin: float
    lamps: tuple[Lamp, ...]
    ambient: float
    lamp_color: Floats
    ambient_color: Floats

    def direct(self, points: Floats, normals: Floats, visible: Floats | None = None) -> Floats:
        """Light of the lamps on surfaces at ``points`` (N, 3) facing ``normals`` (N, 3): (N).

        ``visible`` (N, K) says how much of each lamp sample is seen from each point.
        """
        total = np.zeros(len(points))
        first = 0
        for lamp in self.lamps:
            to = lamp.samples[None] - points[:, None]
            distance2 = (to**2).sum(-1)
            facing = np.maximum((to * normals[:, None]).sum(-1), 0) / np.sqrt(distance2)
            leaving = np.abs(to @ lamp.normal) / np.sqrt(distance2)
            given = facing * leaving / distance2
            if visible is not None:
                given = given * visible[:, first : first + len(lamp.samples)]
            first += len(lamp.samples)
            total += given.mean(1) * lamp.share / lamp.at_origin
        return total * (1 - self.ambient)

    def mirrored(self, points: Floats, normals: Floats, camera: Floats, roughness: float, strength: float) -> Floats:
        """What a coated surface mirrors towards the camera, in the same units: (N).

        ``strength`` is the reflectance at right angles (plastic: 0.04, Fresnel after Schlick); ``roughness`` is the
        spread of the mirrored ray in radians.
        """
        view = points - camera
        view /= np.linalg.norm(view, axis=1, keepdims=True)
        cosine = np.clip(-(view * normals).sum(1), 0, 1)
        fresnel = strength + (1 - strength) * (1 - cosine) ** 5 * 0.6
        out = view + 2 * cosine[:, None] * normals
        up = np.clip(-out[:, 2], 0, 1)
        total = self.ambient * (0.35 + 0.4 * up)
        for lamp in self.lamps:
            distance2 = float(lamp.centre @ lamp.centre)
            solid = lamp.area * abs(float(lamp.centre @ lamp.normal)) / distance2**1.5
            height = abs(lamp.centre[2]) / distance2**0.5
            bright = np.pi * lamp.share * (1 - self.ambient) / (height * (solid + 2 * np.pi * roughness**2))
            total = total + bright * lamp.seen_along(points, out, roughness)
        return np.asarray(fresnel * total)

    @cached_property
    def samples(self) -> Floats:
        return np.concatenate([lamp.samples for lamp in self.lamps])

    @cached_property
    def sample_shares(self) -> Floats:
        return np.concatenate([np.full(len(lamp.samples), lamp.share / len(lamp.samples)) for lamp in self.lamps])


def kelvin_color(kelvin: float) -> Floats:
    """Linear (B, G, R) of a black body's light, green 1 (a fit through 2700 K to 7500 K, daylight 5500 K white)."""
    mired = 1e6 / kelvin - 1e6 / 5500
    return np.array([np.exp(-mired / 260), 1.0, np.exp(mired / 330)])


def _lamp(
    shape: str, centre: Floats, facing: Floats, half: tuple[float, float], share: float, count: int = 8
) -> Lamp:
    normal = facing / np.linalg.norm(facing)
    u = np.cross(normal, [0.0, 1.0, 0.02])
    u /= np.linalg.norm(u)
    v = np.cross(normal, u)
    a, b = half
    t = np.arange(count) * 2 * np.pi / count
    if shape == "ring":
        flat = np.c_[np.cos(t) * a, np.sin(t) * a]
    elif shape == "panel":
        grid = np.array([(x, y) for x in (-0.75, -0.25, 0.25, 0.75) for y in (-0.5, 0.5)])
        flat = grid * [a, b]
    else:
        r = np.sqrt((np.arange(count) + 0.5) / count)
        flat = np.c_[np.cos(2.4 * np.arange(count)) * r * a, np.sin(2.4 * np.arange(count)) * r * b]
    samples = centre + flat[:, :1] * u + flat[:, 1:] * v
    return Lamp(shape, centre, u, v, half, samples, share)


def any_lighting(
    rng: np.random.Generator, camera: Floats, rig: str | None = None, kelvin: float | None = None
) -> Lighting:
    """A room: ``camera`` is where it hangs (mm), rings and bars sit around it."""
    name = rig or str(rng.choice(RIGS, p=(0.27, 0.27, 0.12, 0.14, 0.12, 0.08)))
    down = np.array([0.0, 0.0, 1.0])
    high = float(camera[2])
    lamps: list[Lamp] = []
    ambient = rng.uniform(0.15, 0.45)
    if name == "ring":
        lamps.append(
            _lamp(
                "ring",
                camera + np.array([0, 0, rng.uniform(-15, 20)]),
                down,
                (rng.uniform(30, 60), rng.uniform(3, 8)),
                1,
                10,
            )
        )
    elif name == "ceiling":
        at = np.array([rng.normal(0, 700), rng.normal(0, 700), -rng.uniform(1300, 2100)])
        lamps.append(_lamp("disc", at, down, (rng.uniform(60, 300),) * 2, 1))
        ambient = rng.uniform(0.3, 0.65)
    elif name == "bars":
        aside = rng.uniform(90, 220)
        for side in (-1, 1):
            at = np.array([side * aside, rng.normal(0, 20), high + rng.uniform(-40, 60)])
            lamps.append(
                _lamp(
                    "panel",
                    at,
                    np.array([-side * 0.4, 0, 1.0]),
                    (rng.uniform(6, 14), rng.uniform(70, 160)),
                    rng.uniform(0.35, 0.65),
                )
            )
    elif name == "window":
        turn = rng.uniform(0, 2 * np.pi)
        away = rng.uniform(700, 1800)
        at = np.array([np.cos(turn) * away, np.sin(turn) * away, -rng.uniform(500, 1100)])
        lamps.append(_lamp("panel", at, -at * [1, 1, 0.2], (rng.uniform(250, 600), rng.uniform(350, 700)), 1))
        ambient = rng.uniform(0.25, 0.5)
    else:
        turn, away = rng.uniform(0, 2 * np.pi), rng.uniform(150, 700)
        at = np.array([np.cos(turn) * away, np.sin(turn) * away, -rng.uniform(350, 900)])
        size = rng.uniform(8, 30) if name == "spot" else rng.uniform(40, 90)
        lamps.append(_lamp("disc", at, -at, (size, size), 1))
        ambient = rng.uniform(0.12, 0.4)
    if rng.random() < 0.25:  # a second, weaker lamp elsewhere in the room
        at = np.array([rng.normal(0, 900), rng.normal(0, 900), -rng.uniform(900, 2200)])
        lamps.append(_lamp("disc", at, down, (rng.uniform(50, 200),) * 2, rng.uniform(0.1, 0.4)))
    whole = sum(lamp.share for lamp in lamps)
    lamps = [Lamp(x.shape, x.centre, x.u, x.v, x.half, x.samples, x.share / whole) for x in lamps]
    temperature = kelvin or float(np.clip(rng.normal(4400, 650), 2700, 7000))
    other = float(np.clip(temperature + rng.normal(0, 350), 2600, 7500))
    return Lighting(name, temperature, tuple(lamps), float(ambient), kelvin_color(temperature), kelvin_color(other))
