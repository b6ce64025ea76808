"""Things in the scene: a solid at a place and in a turn, with what it looks like."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthesis.design import Design
from calibration.synthesis.paint import Art
from calibration.synthesis.solids import Solid

Floats = NDArray[Any]

UP = np.array([0.0, 0.0, -1.0])


@dataclass(frozen=True)
class Thing:
    """A convex solid in the world. ``rotation`` (3x3) and ``place`` (mm) take its own points there.

    ``art`` is drawn on its faces where there is any; elsewhere it has ``color`` (linear B, G, R), and on rounded
    edges ``edge`` (None: each half its face's own colour).
    """

    solid: Solid
    rotation: Floats
    place: Floats
    color: Floats
    art: tuple[Art, ...]
    reach_mm: float
    edge: Floats | None
    roughness: float
    gloss: float

    def world(self, points: Floats) -> Floats:
        """Points (…, 3) of the solid in the world."""
        return points @ self.rotation.T + self.place

    @cached_property
    def corners(self) -> Floats:
        return self.world(self.solid.corners)

    @cached_property
    def normals(self) -> Floats:
        return np.asarray(self.solid.normals @ self.rotation.T)

    @cached_property
    def ball_mm(self) -> float:
        """Radius of a ball that shades about as much as the thing does."""
        return float(np.median(self.solid.offsets)) * 1.15

    @property
    def top_face(self) -> int:
        """The face that looks up most."""
        return int(np.argmax(self.normals @ UP))


@dataclass(frozen=True)
class Die:
    """A die in the scene: its design, the thing it is, and in what state it lies."""

    design: Design
    thing: Thing
    state: str
    yaw_deg: float
    tilt_deg: float
    base_mm: float
    touching: tuple[int, ...] = ()

    @property
    def face(self) -> str:
        return self.design.faces[self.thing.top_face]

    @property
    def top_outline(self) -> Floats:
        """The corners of the flat part of the upper face, world mm (N, 3)."""
        return self.thing.world(self.design.solid.outlines[self.thing.top_face])

    @property
    def top_corners(self) -> Floats:
        """The corners that the upper face would have without rounding, world mm (N, 3)."""
        return self.thing.world(self.design.solid.sharp[self.thing.top_face])


def lay(
    design: Design,
    face: int,
    at: tuple[float, float],
    yaw_deg: float,
    tilt: Floats | None = None,
    base_mm: float = 0.0,
) -> tuple[Floats, Floats]:
    """Rotation (3x3) and place (3) of a die with ``face`` up at (x, y), standing on ``base_mm``.

    ``tilt`` is a rotation vector (radians) applied to the die as it would lie flat; it then stands on its lowest
    point.
    """
    normal, across = design.solid.normals[face], design.solid.across[face]
    own = np.stack([across, np.cross(normal, across), normal])
    goal = np.stack([[1.0, 0, 0], np.cross(UP, [1.0, 0, 0]), UP])
    rotation = cv2.Rodrigues(np.array([0, 0, np.deg2rad(yaw_deg)]))[0] @ goal.T @ own
    if tilt is not None:
        rotation = cv2.Rodrigues(np.asarray(tilt, float))[0] @ rotation
    lowest = (design.solid.corners @ rotation.T)[:, 2].max()
    return rotation, np.array([at[0], at[1], -base_mm - lowest])


def as_thing(design: Design, rotation: Floats, place: Floats) -> Thing:
    """The die's design, put somewhere."""
    return Thing(
        design.solid,
        rotation,
        place,
        np.array([0.5, 0.5, 0.5]),
        design.art,
        design.reach_mm,
        design.edge,
        design.roughness,
        design.gloss,
    )
