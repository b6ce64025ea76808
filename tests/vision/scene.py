"""A drawn picture of the mat with plain cubes on it, for tests that need to know exactly what is there."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera import Camera
from vision.find_mat import marker_corners
from vision.mat_layout import COLOR_PATCHES, MARKER_CELLS, MARKER_CENTERS_MM, ROLL_AREA, ROLL_AREA_SRGB, SRGB
from vision.reading import Floats, Pixels
from vision.solids import CUBE, as_points

SIZE_PX = (1296, 972)
RED, BLUE, GREEN = (200, 30, 40), (30, 70, 180), (30, 140, 60)


@dataclass(frozen=True)
class DrawnCube:
    """A cube: where its base's middle is (mm), how it is turned (degrees), its size (mm), its upper face's colour.

    Its sides have the same colour unless ``sides`` gives another.
    """

    x: float
    y: float
    turn_deg: float = 20.0
    size: float = 16.0
    color: SRGB = RED
    sides: SRGB | None = None


def camera_above(height_mm: float = 300.0, tilt_deg: float = 0.0, turn_deg: float = 0.0) -> Camera:
    """A camera of 0.83 picture widths of focal length over the mat's middle."""
    focal = 0.83 * SIZE_PX[0]
    matrix = np.array([[focal, 0, (SIZE_PX[0] - 1) / 2], [0, focal, (SIZE_PX[1] - 1) / 2], [0, 0, 1]])
    tilt, turn = np.radians(tilt_deg), np.radians(turn_deg)
    around = cv2.Rodrigues(np.array([0.0, 0.0, turn]))[0]
    lean = cv2.Rodrigues(np.array([tilt, 0.0, 0.0]))[0]
    rotation = cv2.Rodrigues(lean @ around)[0].ravel()
    return Camera(matrix, np.zeros(5), rotation, np.array([0.0, 0.0, height_mm]), 0.0)


def draw_scene(camera: Camera, cubes: Sequence[DrawnCube] = ()) -> Pixels:
    """The mat as that camera sees it (uint8 BGR), with flat-coloured cubes whose sides are a little darker."""
    scale = 2
    frame = np.full((SIZE_PX[1] * scale, SIZE_PX[0] * scale, 3), 60, np.uint8)

    def fill(corners_mm: Floats, color: SRGB) -> None:
        at = np.rint((camera.project(corners_mm) + 0.5) * scale - 0.5).astype(np.int32)
        cv2.fillConvexPoly(frame, at, color[::-1], cv2.LINE_AA)

    fill(np.array([(-148.5, -105.0), (148.5, -105.0), (148.5, 105.0), (-148.5, 105.0)]), (235, 235, 235))
    fill(np.array(ROLL_AREA.corners_mm), ROLL_AREA_SRGB)
    for patch in COLOR_PATCHES:
        fill(np.array(patch.area.corners_mm), patch.srgb)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for marker in MARKER_CENTERS_MM:
        bits = cv2.aruco.generateImageMarker(dictionary, marker, MARKER_CELLS)
        corner, across, _, down = marker_corners(marker)
        step_x, step_y = (across - corner) / MARKER_CELLS, (down - corner) / MARKER_CELLS
        fill(marker_corners(marker), (15, 15, 15))
        for row, column in np.argwhere(bits > 0):
            start = corner + column * step_x + row * step_y
            fill(np.array([start, start + step_x, start + step_x + step_y, start + step_y]), (235, 235, 235))
    for cube in cubes:
        row = np.array([[cube.x, cube.y, np.radians(cube.turn_deg), cube.size]])
        top, base = as_points(CUBE.tops(camera, row)[0]), CUBE.base(camera, row)[0]
        for side in range(4):
            after = (side + 1) % 4
            shade = tuple(int(v * (0.6 + 0.08 * side)) for v in (cube.sides or cube.color))
            fill(np.array([base[side], base[after], top[after], top[side]]), (shade[0], shade[1], shade[2]))
        fill(top, cube.color)
    small = cv2.resize(frame, SIZE_PX, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.6), np.uint8)
