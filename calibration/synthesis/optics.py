"""A pinhole camera with lens distortion above the table.

The world is the mat's: millimetres, x right and y down on the page, origin in its middle. ``z`` points into the
table, as OpenCV's right-handed axes have it, so what stands on the table has negative ``z``.
"""

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]

GRID_STEP_PX = 8
"""Rays are worked out on a grid this coarse and interpolated: below 0.02 px off for the lenses drawn here."""


@dataclass(frozen=True)
class Camera:
    """Where the camera is and what its lens does.

    ``rotation`` (3x3) and ``translation`` (3, mm) take world points to the camera's axes (x right, y down, z ahead).
    """

    width: int
    height: int
    focal_px: float
    principal_px: tuple[float, float]
    distortion: tuple[float, float]
    rotation: Floats
    translation: Floats

    @property
    def matrix(self) -> Floats:
        """The 3x3 camera matrix."""
        u, v = self.principal_px
        return np.array([[self.focal_px, 0, u], [0, self.focal_px, v], [0, 0, 1]], float)

    @property
    def coefficients(self) -> Floats:
        """OpenCV's five distortion coefficients (two of them used)."""
        return np.array([*self.distortion, 0, 0, 0], float)

    @property
    def position(self) -> Floats:
        """The camera's place in the world, mm (3)."""
        return -self.rotation.T @ self.translation

    def project(self, points: Floats) -> Floats:
        """Pixels (N, 2) of world points (N, 3)."""
        pixels, _ = cv2.projectPoints(
            np.asarray(points, float).reshape(-1, 1, 3),
            cv2.Rodrigues(self.rotation)[0],
            self.translation,
            self.matrix,
            self.coefficients,
        )
        return pixels.reshape(-1, 2)

    def table_points(self) -> Floats:
        """The point of the table (x, y in mm) that each pixel sees: float32 (height, width, 2)."""
        columns = -(-self.width // GRID_STEP_PX) + 1
        rows = -(-self.height // GRID_STEP_PX) + 1
        u, v = np.meshgrid(np.arange(columns) * GRID_STEP_PX, np.arange(rows) * GRID_STEP_PX)
        pixels = np.stack([u, v], -1).reshape(-1, 1, 2).astype(float)
        ahead = cv2.undistortPoints(pixels, self.matrix, self.coefficients).reshape(-1, 2)
        rays = np.c_[ahead, np.ones(len(ahead))] @ self.rotation
        place = self.position
        reach = -place[2] / np.maximum(rays[:, 2], 1e-3)
        coarse = (place[:2] + rays[:, :2] * reach[:, None]).reshape(rows, columns, 2).astype(np.float32)
        x, y = np.meshgrid(
            np.arange(self.width, dtype=np.float32) / GRID_STEP_PX,
            np.arange(self.height, dtype=np.float32) / GRID_STEP_PX,
        )
        return cv2.remap(coarse, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)

    def view(self, centre_px: tuple[float, float], side_px: int) -> "Camera":
        """The same camera, keeping a square of its picture only: ``side_px`` wide around ``centre_px``."""
        left, top = round(centre_px[0] - side_px / 2), round(centre_px[1] - side_px / 2)
        u, v = self.principal_px
        return replace(self, width=side_px, height=side_px, principal_px=(u - left, v - top))


LENSES = (
    # width, height, focal length in px, spread of k1 and k2
    (1296, 972, 1078.0, 0.05, 0.02),
    (1536, 864, 1182.0, 0.04, 0.01),
    (1536, 864, 622.0, 0.03, 0.01),
    (1280, 720, 950.0, 0.12, 0.05),
    (1640, 1232, 1364.0, 0.05, 0.02),
)
"""Camera Module 2 and 3 (plain and wide) at the sizes the appliance asks for, and a USB camera."""


def overhead_camera(rng: np.random.Generator, *, tilt_deg: float = 9.0, upside_down: float = 0.15) -> Camera:
    """A camera 25 to 45 cm above the page, looking down, the page wholly or nearly in the picture."""
    width, height, focal, k1, k2 = LENSES[rng.choice(len(LENSES), p=(0.4, 0.25, 0.1, 0.1, 0.15))]
    focal *= rng.uniform(0.97, 1.03)
    fitting = focal * max(282 / width, 208 / height) * rng.uniform(1.06, 1.5)
    distance = float(np.clip(fitting, 240, 460))
    turn = rng.normal(0, 5) + (180 if rng.random() < upside_down else 0)
    if rng.random() < 0.1:
        turn = rng.uniform(0, 360)
    lean = np.deg2rad(rng.normal(0, tilt_deg / 2, 2).clip(-tilt_deg * 2, tilt_deg * 2))
    rotation = cv2.Rodrigues(np.array([lean[0], 0, 0]))[0] @ cv2.Rodrigues(np.array([0, lean[1], 0]))[0]
    rotation = rotation @ cv2.Rodrigues(np.array([0, 0, np.deg2rad(turn)]))[0]
    return _aimed(rng, (width, height, focal, k1, k2), rotation, distance)


def aslant_camera(rng: np.random.Generator, tilt_deg: float) -> Camera:
    """A camera on a stand beside the page or in a hand, 25 to 60 cm away, that looks at it aslant.

    ``tilt_deg`` is the angle between where it looks and straight down. Mostly what is farther away is up in the
    picture, and the page may lie any way below.
    """
    width, height, focal, k1, k2 = LENSES[rng.choice(len(LENSES), p=(0.4, 0.25, 0.1, 0.1, 0.15))]
    focal *= rng.uniform(0.97, 1.03)
    fitting = focal * max(282 / width, 208 / height) * rng.uniform(1.0, 1.5)
    distance = float(np.clip(fitting, 240, 600))
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.3 else np.deg2rad(rng.normal(0, 5))
    axis = rng.uniform(0, 2 * np.pi) if rng.random() < 0.25 else np.pi + rng.normal(0, 0.15)
    lean = np.array([np.cos(axis), np.sin(axis), 0.0]) * np.deg2rad(tilt_deg)
    rotation = cv2.Rodrigues(lean)[0] @ cv2.Rodrigues(np.array([0, 0, turn]))[0]
    return _aimed(rng, (width, height, focal, k1, k2), rotation, distance)


def _aimed(
    rng: np.random.Generator, lens: tuple[int, int, float, float, float], rotation: Floats, distance: float
) -> Camera:
    """A camera turned so, that far from about the page's middle, with one of ``LENSES``."""
    width, height, focal, k1, k2 = lens
    aim = np.array([rng.normal(0, 12), rng.normal(0, 10), 0])
    return Camera(
        width,
        height,
        focal,
        (width / 2 + rng.normal(0, 8), height / 2 + rng.normal(0, 8)),
        (rng.normal(0, k1), rng.normal(0, k2)),
        rotation,
        np.array([0, 0, distance]) - rotation @ aim,
    )
