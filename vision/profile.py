"""What the reader is told of one camera above one tray, where no mat says it."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera import Camera
from vision.reading import Floats, Pixels

ASSUMED_FOCAL_WIDTHS = 0.8
"""Focal length in picture widths of a lens that nobody measured: between those of Camera Module 2 and 3."""

ASSUMED_DIE_MM = 16.0
"""The dice that most games are sold with measure that from face to face."""


@dataclass(frozen=True)
class Profile:
    """One camera above one tray.

    ``size_px`` is the (width, height) of the camera's pictures. ``camera`` is the pose above the tray's floor;
    ``has_scale`` says whether its millimetres are true ones, or only sized so that dice come out as large as dice
    usually are. ``empty`` is the tray without dice, uint8 (height, width, 3) BGR, or None where the mat lies in it.
    ``white`` is the linear light (blue, green, red; 0 to 1) that white paper in the middle of the tray sent when
    ``empty`` was taken, or None where nothing white was seen.
    """

    size_px: tuple[int, int]
    camera: Camera
    has_scale: bool
    empty: Pixels | None
    white: tuple[float, float, float] | None

    def fits(self, frame: Pixels) -> bool:
        """Whether the frame has the size of the pictures that this was measured on."""
        return frame.shape[1::-1] == self.size_px


def assumed_camera(size_px: tuple[int, int], height_mm: float, focal_px: float | None = None) -> Camera:
    """A camera that looks straight down on the tray from that height; its lens is a usual one unless it is known.

    >>> camera = assumed_camera((1000, 800), 400.0)
    >>> camera.project(np.zeros((1, 2))).tolist(), camera.height_mm
    ([[499.5, 399.5]], 400.0)
    """
    width, height = size_px
    focal = focal_px or ASSUMED_FOCAL_WIDTHS * width
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]], np.float64)
    return Camera(matrix, np.zeros(5), np.zeros(3), np.array([0.0, 0.0, height_mm]), 0.0)


def moved_origin(camera: Camera, origin_mm: Floats) -> Camera:
    """The same camera; the floor's coordinates are counted from ``origin_mm`` (shape (2,)) from now on.

    >>> camera = moved_origin(assumed_camera((1000, 800), 400.0), np.array([30.0, -10.0]))
    >>> camera.foot_mm.round(6).tolist()
    [-30.0, 10.0]
    """
    turned = cv2.Rodrigues(camera.rotation)[0]
    shift = turned @ np.array([origin_mm[0], origin_mm[1], 0.0])
    return Camera(camera.matrix, camera.distortion, camera.rotation, camera.translation + shift, camera.error_px)
