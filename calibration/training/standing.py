"""Where a die's base and its sides appear in a picture whose camera its label tells, from the upper face's corners.

A regular polygon's pose is found as Collins and Bartoli have it ("Infinitesimal Plane-Based Pose Estimation", 2014,
``cv2.SOLVEPNP_IPPE``). Lengths are in circumradii of the upper face.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lean_network import HEIGHTS

Camera = dict[str, Any]
"""A label's: matrix ``K``, coefficients ``dist``, and ``rvec`` from the axes of the table (z down) to its own."""

_BELT, _BELT_DEEP = (1 + np.sqrt(5)) / 2, 1.0
"""Of a regular dodecahedron: how far from its axis, and how deep below the upper face, the next five corners lie."""

_SEEN = 0.2  # of a side: the cosine of the angle at which it is looked at; flatter ones are seen by no detector


@dataclass(frozen=True)
class Pose:
    """Corners (k, 3) of an upper face and the unit vectors ``normal`` and ``down`` (3,), in the camera's axes."""

    corners: NDArray[Any]
    normal: NDArray[Any]
    down: NDArray[Any]


def pose_of(top_px: NDArray[Any], camera: Camera) -> Pose:
    """The pose of the upper face with those corners (k, 2); ``normal`` points into the die, ``down`` at the floor."""
    count = len(top_px)
    around = np.arange(count) * 2 * np.pi / count
    found: list[tuple[float, NDArray[Any], NDArray[Any]]] = []
    for turning in (1, -1):  # its corners may run either way
        shape = np.column_stack([np.cos(around), turning * np.sin(around), np.zeros(count)])
        _, turns, places, errors = cv2.solvePnPGeneric(
            shape,
            top_px.reshape(-1, 1, 2),
            np.array(camera["K"], np.float64),
            np.array(camera["dist"], np.float64),
            flags=cv2.SOLVEPNP_IPPE,
        )
        for turn, place, error in zip(turns, places, np.ravel(errors), strict=True):
            rotation = cv2.Rodrigues(turn)[0]
            normal = rotation[:, 2] * np.sign(rotation[:, 2] @ place.ravel())
            found.append((float(error), shape @ rotation.T + place.ravel(), normal))
    _, corners, normal = min(found, key=lambda one: one[0])
    return Pose(corners, normal, cv2.Rodrigues(np.array(camera["rvec"], np.float64))[0][:, 2])


def base_of(top_px: NDArray[Any], camera: Camera) -> NDArray[Any]:
    """Where the base's middle appears (px) of a die with that upper face (k, 2), however it lies."""
    pose = pose_of(top_px, camera)
    return _projected((pose.corners.mean(axis=0) + HEIGHTS[len(top_px)] * pose.normal)[None], camera)[0]


def base_if_standing(top_px: NDArray[Any], camera: Camera) -> NDArray[Any]:
    """Where the base's middle would appear (px) if the die with that upper face (k, 2) stood.

    >>> camera = {"K": [[900, 0, 320], [0, 900, 240], [0, 0, 1]], "dist": [0, 0, 0, 0], "rvec": [0, 0, 0]}
    >>> top = np.array([(300.0, 220), (340, 220), (340, 260), (300, 260)])
    >>> [round(float(x)) for x in base_if_standing(top, camera)]
    [320, 240]
    """
    pose = pose_of(top_px, camera)
    return _projected((pose.corners.mean(axis=0) + HEIGHTS[len(top_px)] * pose.down)[None], camera)[0]


def sides_of(top_px: NDArray[Any], camera: Camera) -> Iterator[NDArray[Any]]:
    """The corners (k, 2) px of each side that the camera sees of a standing die with that upper face (k, 2).

    >>> camera = {"K": [[900, 0, 320], [0, 900, 240], [0, 0, 1]], "dist": [0, 0, 0, 0], "rvec": [0, 0, 0]}
    >>> beside = np.array([(600.0, 220), (640, 220), (640, 260), (600, 260)])
    >>> [side.round().astype(int).tolist() for side in sides_of(beside, camera)]
    [[[600, 260], [600, 220], [588, 221], [588, 259]]]
    """
    pose = pose_of(top_px, camera)
    middle = pose.corners.mean(axis=0)
    inside = middle + HEIGHTS[len(top_px)] / 2 * pose.down
    for one, other in zip(pose.corners, np.roll(pose.corners, -1, axis=0), strict=True):
        side = _side_below(len(top_px), one, other, middle, pose.down)
        out = side.mean(axis=0) - inside
        sight = -side.mean(axis=0)
        if out @ sight > _SEEN * np.linalg.norm(out) * np.linalg.norm(sight):
            yield _projected(side, camera)


def _side_below(
    count: int, one: NDArray[Any], other: NDArray[Any], middle: NDArray[Any], down: NDArray[Any]
) -> NDArray[Any]:
    """The corners (k, 3) of the side below that edge of an upper face with ``count`` corners."""
    if count == 4:
        return np.array([one, other, other + HEIGHTS[4] * down, one + HEIGHTS[4] * down])
    lowest = (one + other) / 2 - middle
    lowest = middle + _BELT * lowest / np.linalg.norm(lowest) + (HEIGHTS[5] - _BELT_DEEP) * down
    left, right = (middle + _BELT * (corner - middle) + _BELT_DEEP * down for corner in (one, other))
    return np.array([one, other, right, lowest, left])


def _projected(points: NDArray[Any], camera: Camera) -> NDArray[Any]:
    lens, bends = np.array(camera["K"], np.float64), np.array(camera["dist"], np.float64)
    seen, _ = cv2.projectPoints(points, np.zeros(3), np.zeros(3), lens, bends)
    return np.asarray(seen.reshape(-1, 2), np.float64)
