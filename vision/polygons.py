"""Convex polygons: how far their corners reach, and what two of them have in common.

``cv2.intersectConvexConvex`` is not used: of polygons that almost coincide it may say that they share nothing
(https://github.com/opencv/opencv/issues/22812), and what is seen of one die in two ways almost coincides.
"""

from itertools import pairwise

import numpy as np
import numpy.typing as npt


def reach_of(corners: npt.NDArray[np.number]) -> float:
    """The mean distance of a polygon's corners (k, 2) from their middle: of a face its circumradius.

    >>> reach_of(np.array([(-3, -4), (3, -4), (3, 4), (-3, 4)]))
    5.0
    """
    return float(np.linalg.norm(corners - corners.mean(axis=0), axis=1).mean())


def shared_area(one: npt.NDArray[np.number], other: npt.NDArray[np.number]) -> float:
    """The area that two convex polygons share: shapes (k, 2) and (m, 2), corners in either direction.

    One is cut along each edge of the other (Sutherland and Hodgman, 1974).

    >>> square = np.array([(0, 0), (2, 0), (2, 2), (0, 2)])
    >>> shared_area(square, square + 1), shared_area(square, square[::-1]), shared_area(square, square + 3)
    (1.0, 4.0, 0.0)
    """
    left: list[list[float]] = one.tolist()
    cutting: list[list[float]] = other.tolist()
    for own, others in zip(zip(*left, strict=True), zip(*cutting, strict=True), strict=True):
        if min(own) >= max(others) or min(others) >= max(own):
            return 0.0
    if _signed_area(cutting) < 0:
        cutting.reverse()
    for (ax, ay), (bx, by) in pairwise([*cutting, cutting[0]]):
        inside = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in left]
        kept = []
        for i, (point, side) in enumerate(zip(left, inside, strict=True)):
            before, side_before = left[i - 1], inside[i - 1]
            if (side >= 0) != (side_before >= 0):
                way = side_before / (side_before - side)
                kept.append([old + way * (new - old) for old, new in zip(before, point, strict=True)])
            if side >= 0:
                kept.append(point)
        if not kept:
            return 0.0
        left = kept
    return abs(_signed_area(left))


def are_near(polygons: npt.NDArray[np.number]) -> npt.NDArray[np.bool_]:
    """Which of polygons (n, k, 2) may share something, for the boxes around them do: shape (n, n).

    >>> square = np.array([(0, 0), (2, 0), (2, 2), (0, 2)])
    >>> are_near(np.stack([square, square + 1, square + 3])).tolist()
    [[True, True, False], [True, True, False], [False, False, True]]
    """
    low, high = polygons.min(axis=1), polygons.max(axis=1)
    return np.asarray(((low[:, None] < high) & (low < high[:, None])).all(axis=2))


def shared(one: npt.NDArray[np.number], other: npt.NDArray[np.number]) -> float:
    """How much of the smaller of two convex polygons (k, 2) they share, 0 to 1."""
    area = shared_area(one, other)
    return area / max(min(area_of(one), area_of(other)), 1e-6) if area else 0.0


def area_of(polygon: npt.NDArray[np.number]) -> float:
    """The area of a polygon (k, 2) whose corners follow one another in either direction."""
    corners: list[list[float]] = polygon.tolist()
    return abs(_signed_area(corners))


def _signed_area(corners: list[list[float]]) -> float:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*corners, corners[0]])) / 2
