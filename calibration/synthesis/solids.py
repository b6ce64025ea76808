"""Convex solids with rounded edges: cubes, dodecahedra, boxes and prisms as small facets with normals.

A rounded solid is a sharp one, shrunk by the rounding radius, plus a ball of that radius: its faces stay flat, its
edges become strips of cylinders, its corners pieces of a sphere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]

STRIP_STEPS = 4
"""Facets across a rounded edge; at 80 px a face more of them cannot be told apart."""


@dataclass(frozen=True)
class Solid:
    """A convex solid around its own origin, in units of mm.

    ``normals`` (F, 3) and ``offsets`` (F) are the planes of its faces; ``outlines`` their flat corners, ``sharp`` the
    corners they would have without rounding; ``across`` (F, 3) a unit vector in each face. ``facets`` (G, 4, 3) with
    ``facet_normals`` (G, 3) are the rounded rest.
    """

    normals: Floats
    offsets: Floats
    outlines: tuple[Floats, ...]
    sharp: tuple[Floats, ...]
    across: Floats
    facets: Floats
    facet_normals: Floats

    @cached_property
    def corners(self) -> Floats:
        """All corners of the flat faces (N, 3)."""
        return np.concatenate(self.outlines)

    def scaled(self, factor: float) -> "Solid":
        """The same solid, ``factor`` times as large."""
        return Solid(
            self.normals,
            self.offsets * factor,
            tuple(ring * factor for ring in self.outlines),
            tuple(ring * factor for ring in self.sharp),
            self.across,
            self.facets * factor,
            self.facet_normals,
        )


def _slerp(a: Floats, b: Floats, t: float) -> Floats:
    mixed = a * (1 - t) + b * t
    return mixed / np.linalg.norm(mixed)


def rounded_solid(corners: Floats, faces: Sequence[Sequence[int]], radius: float) -> Solid:
    """The solid with these sharp corners and faces (corner numbers, in turn round each face), rounded."""
    corners = np.asarray(corners, float)
    normals, offsets = [], []
    for face in faces:
        loop = corners[list(face)]
        normal = np.cross(loop[1] - loop[0], loop[2] - loop[1])
        normal *= np.sign(normal @ loop.mean(0)) / np.linalg.norm(normal)
        normals.append(normal)
        offsets.append(normal @ loop[0])
    at_corner = [[f for f, face in enumerate(faces) if c in face] for c in range(len(corners))]
    inner = np.empty_like(corners)
    for c, around in enumerate(at_corner):
        planes = np.array([normals[f] for f in around])
        inner[c] = np.linalg.lstsq(planes, np.array([offsets[f] - radius for f in around]), rcond=None)[0]
    facets, facet_normals = [], []
    edges: dict[tuple[int, int], list[int]] = {}
    for f, face in enumerate(faces):
        for a, b in zip(face, [*face[1:], face[0]], strict=True):
            edges.setdefault((min(a, b), max(a, b)), []).append(f)
    for (a, b), (left, right) in edges.items():
        bend = [_slerp(normals[left], normals[right], i / STRIP_STEPS) for i in range(STRIP_STEPS + 1)]
        for m, n in pairwise(bend):
            facets.append(
                [inner[a] + radius * m, inner[b] + radius * m, inner[b] + radius * n, inner[a] + radius * n]
            )
            facet_normals.append(_slerp(m, n, 0.5))
    for c, around in enumerate(at_corner):
        middle = np.sum([normals[f] for f in around], 0)
        middle /= np.linalg.norm(middle)
        for i, f in enumerate(around):
            for g in around[i + 1 :]:
                if not any(c in e and {f, g} == set(fs) for e, fs in edges.items()):
                    continue
                half = _slerp(normals[f], normals[g], 0.5)
                for end in (normals[f], normals[g]):
                    patch = [inner[c] + radius * v for v in (end, half, middle, _slerp(end, middle, 0.5))]
                    facets.append(patch)
                    facet_normals.append((end + half + middle) / np.linalg.norm(end + half + middle))
    outlines = tuple(inner[list(face)] + radius * n for face, n in zip(faces, normals, strict=True))
    sharp = tuple(corners[list(face)] for face in faces)
    across = []
    for ring, normal in zip(sharp, normals, strict=True):
        middle = (ring[0] + ring[1]) / 2 - ring.mean(0)
        middle -= normal * (middle @ normal)
        across.append(np.cross(middle / np.linalg.norm(middle), normal))
    return Solid(
        np.array(normals),
        np.array(offsets),
        outlines,
        sharp,
        np.array(across),
        np.array(facets).reshape(-1, 4, 3),
        np.array(facet_normals).reshape(-1, 3),
    )


@lru_cache(maxsize=64)
def box(size: tuple[float, float, float], radius: float) -> Solid:
    """A box of this size (mm); faces in the order +x, -x, +y, -y, +z, -z, so opposite ones stand together.

    >>> box((10, 10, 10), 1).offsets.round(3).tolist()
    [5.0, 5.0, 5.0, 5.0, 5.0, 5.0]
    """
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    faces = [(4, 6, 7, 5), (0, 1, 3, 2), (2, 3, 7, 6), (0, 4, 5, 1), (1, 5, 7, 3), (0, 2, 6, 4)]
    return rounded_solid(signs * np.array(size) / 2, faces, radius)


def faces_along(corners: Floats, sides: int, normals: Iterable[Floats]) -> tuple[tuple[int, ...], ...]:
    """The faces of a convex solid: along each of the unit ``normals`` the ``sides`` corners (their numbers, in turn
    round the face) that lie farthest.

    >>> faces_along(np.r_[np.eye(3), -np.eye(3)], 3, [np.ones(3) / 3**0.5])
    ((2, 0, 1),)
    """
    faces = []
    for normal in normals:
        ring = np.argsort(corners @ normal)[-sides:]
        u = corners[ring[0]] - normal * (corners[ring[0]] @ normal)
        v = np.cross(normal, u)
        faces.append(tuple(sorted(ring.tolist(), key=lambda i: np.arctan2(corners[i] @ v, corners[i] @ u))))
    return tuple(faces)


@lru_cache(maxsize=1)
def _dodecahedron_corners() -> tuple[Floats, tuple[tuple[int, ...], ...]]:
    golden = (1 + 5**0.5) / 2
    corners: list[tuple[float, float, float]] = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    for a in (-1 / golden, 1 / golden):
        for b in (-golden, golden):
            corners += [(0, a, b), (a, b, 0), (b, 0, a)]
    points = np.array(corners, float)
    axes: list[tuple[float, float, float]] = []
    for s in (-1, 1):
        for t in (-golden, golden):
            axes += [(0, t, s), (t, s, 0), (s, 0, t)]
    upper = [np.array(a) / np.linalg.norm(a) for a in axes if a > tuple(-np.array(a))]
    return points, faces_along(points, 5, [n for a in upper for n in (a, -a)])


@lru_cache(maxsize=64)
def _unit_cube(rounding_percent: float) -> Solid:
    return box((1, 1, 1), rounding_percent / 100)


@lru_cache(maxsize=64)
def _unit_dodecahedron(rounding_percent: float) -> Solid:
    corners, faces = _dodecahedron_corners()
    inradius = float(np.linalg.norm(corners[list(faces[0])].mean(0)))
    return rounded_solid(corners / (2 * inradius), faces, rounding_percent / 100)


def cube(size: float, rounding: float) -> Solid:
    """A cube of that edge (mm); ``rounding`` is a part of it (0.1: a tenth), kept to half a percent."""
    return _unit_cube(round(rounding * 200) / 2).scaled(size)


_BALL_STEPS = 12  # facets across a side of the cube, for what the ball leaves of it


@lru_cache(maxsize=64)
def _unit_ball_cut_cube(ball_percent: float) -> Solid:
    ball = ball_percent / 100
    sharp = _unit_cube(0)
    reach = np.sqrt(max(ball**2 - 0.25, 0.0))
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    outlines, facets, facet_normals = [], [], []
    ticks = np.tan(np.linspace(-np.pi / 4, np.pi / 4, _BALL_STEPS + 1)) / 2
    for ring, normal, across in zip(sharp.sharp, sharp.normals, sharp.across, strict=True):
        middle, down = ring.mean(0), np.cross(across, normal)
        circle = reach * np.c_[np.cos(turn), np.sin(turn)]
        circle = circle / np.maximum(np.abs(circle).max(1, keepdims=True) / 0.5, 1)
        outlines.append(middle + circle[:, :1] * across + circle[:, 1:] * down)
        x, y = np.meshgrid(ticks, ticks)
        points = middle + x[..., None] * across + y[..., None] * down
        points = points * np.minimum(ball / np.linalg.norm(points, axis=-1, keepdims=True), 1)
        quads = np.stack([points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]], 2).reshape(-1, 4, 3)
        cut = np.linalg.norm(quads, axis=-1).max(1) > ball - 1e-9
        facets.append(quads[cut])
        facet_normals.append(quads[cut].mean(1) / np.linalg.norm(quads[cut].mean(1), axis=-1, keepdims=True))
    return Solid(
        sharp.normals,
        sharp.offsets,
        tuple(outlines),
        sharp.sharp,
        sharp.across,
        np.concatenate(facets),
        np.concatenate(facet_normals),
    )


def ball_cut_cube(size: float, ball: float) -> Solid:
    """A cube of that edge (mm) whose corners a ball cuts off; its radius is ``ball`` edges, 0.5 to 0.87.

    Below 0.71 nothing is left of the edges of the cube: the faces are discs, twice the root of ball² - 0.25 wide.

    >>> ball_cut_cube(16, 0.6).offsets.tolist() == [8.0] * 6
    True
    >>> float(np.ptp(ball_cut_cube(10, 0.6).outlines[4][:, 0]).round(2))
    6.63
    """
    return _unit_ball_cut_cube(round(ball * 200) / 2).scaled(size)


def dodecahedron(size: float, rounding: float) -> Solid:
    """A dodecahedron, ``size`` mm from face to face, rounded by a part of it; opposite faces stand together.

    >>> dodecahedron(18, 0.03).offsets.round(3).tolist() == [9.0] * 12
    True
    """
    return _unit_dodecahedron(round(rounding * 200) / 2).scaled(size)


def prism(sides: int, radius: float, height: float, rounding: float) -> Solid:
    """An upright prism (coin, token, pencil): its axis along z."""
    angles = np.arange(sides) * 2 * np.pi / sides
    ring = np.c_[np.cos(angles) * radius, np.sin(angles) * radius]
    corners = np.r_[np.c_[ring, np.full(sides, height / 2)], np.c_[ring, np.full(sides, -height / 2)]]
    faces = [tuple(range(sides)), tuple(range(2 * sides - 1, sides - 1, -1))]
    faces += [(i, (i + 1) % sides, sides + (i + 1) % sides, sides + i) for i in range(sides)]
    return rounded_solid(corners, faces, rounding)
