"""Where the camera hangs above the mat, and how its lens draws: from millimetres to pixels and back."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.reading import Floats

# What lenses and stands are like before a picture is seen. Camera Module 2, 3 and 3 wide draw with 0.83, 0.77 and
# 0.40 picture widths of focal length; the stand holds them 25 to 45 cm up; the residual distortion of an unprocessed
# lens of that kind is a few percent at the corner.
# Each guess: focal length in picture widths, its spread (natural log), what it costs to prefer it. Of 1,790 drawn
# pictures the height is found wrong by more than 12 % in 16, in 32 where the last costs 4 and the second nothing; of
# 80 rendered ones in none and in one. All wide lenses of the drawn ones hang at 24 cm or lower, as in 9 of the 16.
_LENSES = ((0.80, 0.06, 0.0), (0.405, 0.06, 2.0), (0.60, 0.45, 10.0))
_HEIGHTS_MM = (250.0, 450.0)
_HEIGHT_SPREAD_LOG = 0.03  # how quickly a height outside that range becomes incredible
_CENTER_SPREAD_WIDTHS = 0.012
_K1_SPREAD = 0.08
_K2_SPREAD = 0.03
_CORNER_NOISE_PX = 0.2  # measured: refined corners of rendered markers scatter by 0.12 to 0.2 px
_BLEED_SPREAD_MM = 0.4  # blur draws refined corners into the black square, all by the same 0.3 to 0.7 px (measured)

_STEPS = 12


@dataclass(frozen=True)
class Camera:
    """A pinhole with two terms of radial distortion, looking at the mat.

    ``matrix`` is 3 x 3 (px), ``distortion`` OpenCV's five numbers, ``rotation`` a Rodrigues vector and
    ``translation`` (mm) bring the mat's coordinates (x right, y down, z *into* the table, so up is negative)
    into the camera's. ``error_px`` is the root mean square distance of the corners it was fitted to.
    """

    matrix: Floats
    distortion: Floats
    rotation: Floats
    translation: Floats
    error_px: float

    @cached_property
    def foot_mm(self) -> Floats:
        """The point of the mat straight below the camera: shape (2,). What stands up leans away from it."""
        return self._position_mm[:2]

    @cached_property
    def height_mm(self) -> float:
        """How far the camera is above the mat's plane."""
        return float(-self._position_mm[2])

    @cached_property
    def _position_mm(self) -> Floats:
        turned = cv2.Rodrigues(self.rotation)[0]
        return np.asarray(-turned.T @ self.translation, np.float64)

    def project(self, points_mm: Floats, up_mm: float = 0.0) -> Floats:
        """Pixels at which points of the mat (shape (n, 2), mm), ``up_mm`` above it, are seen: shape (n, 2)."""
        flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
        space = np.column_stack([flat, np.full(len(flat), -up_mm)])
        seen, _ = cv2.projectPoints(space, self.rotation, self.translation, self.matrix, self.distortion)
        return np.asarray(seen.reshape(-1, 2), np.float64)

    def ground(self, points_px: Floats) -> Floats:
        """The points of the mat's plane seen at those pixels: shape (n, 2), mm."""
        points = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(points, self.matrix, self.distortion).reshape(-1, 2)
        turned = cv2.Rodrigues(self.rotation)[0]
        along = np.column_stack([rays, np.ones(len(rays))]) @ turned  # the rays in the mat's axes
        start = -turned.T @ self.translation
        return np.asarray(start[:2] - along[:, :2] * (start[2] / along[:, 2:]), np.float64)

    def lift(self, points_mm: Floats, up_mm: float) -> Floats:
        """Where points ``up_mm`` above the mat seem to lie on it: the mat's points hidden behind them.

        Seen from a height h, a point at height z is displaced from the camera's foot by h / (h - z).
        """
        return np.asarray(self.foot_mm + (points_mm - self.foot_mm) * self.growth(up_mm), np.float64)

    def beneath(self, seen_mm: Floats, up_mm: float) -> Floats:
        """The points of the mat (shape (n, 2) or (2,), mm) below what is ``up_mm`` above it and seems to lie
        there: undoes ``lift``."""
        return np.asarray(self.foot_mm + (seen_mm - self.foot_mm) / self.growth(up_mm), np.float64)

    def growth(self, up_mm: float) -> float:
        """How much larger than on the mat something ``up_mm`` above it appears."""
        return self.height_mm / (self.height_mm - up_mm)


def fit_camera(corners_mm: Floats, outward: Floats, corners_px: Floats, size_px: tuple[int, int]) -> Camera | None:
    """The camera that sees marker corners (shape (n, 2), mm) at those pixels in a picture of (width, height).

    ``outward`` (shape (n, 2)) points from each marker's middle to the corner, one millimetre along each side: blur
    draws all corners inwards by one unknown length, which is fitted with the rest.

    Least squares over focal length, principal point, two distortion terms and pose (Gauss-Newton with
    Levenberg's damping). A flat sheet seen from above says little of focal length and height, so what is known of
    lenses and stands enters as a weak prior. None where the corners are no picture of a flat sheet.
    """
    fits = [_fit(corners_mm, outward, corners_px, size_px, lens) for lens in _LENSES]
    found = [fit for fit in fits if fit is not None]
    return min(found, key=lambda fit: fit[0])[1] if found else None


def _fit(
    corners_mm: Floats,
    outward: Floats,
    corners_px: Floats,
    size_px: tuple[int, int],
    lens: tuple[float, float, float],
) -> tuple[float, Camera] | None:
    """The best camera near one guess of the lens, and its cost."""
    width, height = size_px
    focal = lens[0] * width
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]], np.float64)
    space = np.column_stack([corners_mm, np.zeros(len(corners_mm))])
    found, rotation, translation = cv2.solvePnP(space, corners_px, matrix, None, flags=cv2.SOLVEPNP_IPPE)
    if not found or translation[2] <= 0:
        return None
    # fx = fy, cx, cy, k1, k2, rotation, translation, how far the corners are drawn out (mm)
    state = np.concatenate([[focal, matrix[0, 2], matrix[1, 2], 0, 0], rotation.ravel(), translation.ravel(), [0]])
    damping = 1e-3
    cost, normal, gradient = _normal_equations(state, space, outward, corners_px, size_px, lens)
    for _ in range(_STEPS):
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -gradient)
        tried = _normal_equations(state + step, space, outward, corners_px, size_px, lens)
        if tried[0] < cost:
            settled = cost - tried[0] < 1e-4 * cost
            state, (cost, normal, gradient) = state + step, tried
            damping *= 0.2
            if settled:
                break
        else:
            damping *= 10
    camera = _camera(state, corners_mm + state[11] * outward, corners_px)
    return (cost + lens[2], camera) if camera.height_mm > 0 else None


def _camera(state: Floats, corners_mm: Floats, corners_px: Floats) -> Camera:
    matrix, distortion = _lens(state)
    bare = Camera(matrix, distortion, state[5:8].copy(), state[8:11].copy(), 0.0)
    off = bare.project(corners_mm) - corners_px
    error = float(np.sqrt((off**2).sum(axis=1).mean()))
    return Camera(matrix, distortion, bare.rotation, bare.translation, error)


def _lens(state: Floats) -> tuple[Floats, Floats]:
    matrix = np.array([[state[0], 0, state[1]], [0, state[0], state[2]], [0, 0, 1]], np.float64)
    return matrix, np.array([state[3], state[4], 0, 0, 0], np.float64)


def _normal_equations(
    state: Floats,
    space: Floats,
    outward: Floats,
    corners_px: Floats,
    size_px: tuple[int, int],
    lens: tuple[float, float, float],
) -> tuple[float, Floats, Floats]:
    """Cost, Gauss-Newton matrix (12 x 12) and gradient (12) of corners and priors together."""
    matrix, distortion = _lens(state)
    drawn = space + state[11] * np.column_stack([outward, np.zeros(len(outward))])
    seen, by = cv2.projectPoints(drawn, state[5:8], state[8:11], matrix, distortion)
    off = (seen.reshape(-1, 2) - corners_px).ravel() / _CORNER_NOISE_PX
    # OpenCV orders the derivatives rotation 0:3, translation 3:6, fx fy 6:8, cx cy 8:10, k1 k2 10:12.
    turned, turned_by = cv2.Rodrigues(state[5:8])
    # A shift of the corner on the mat is the same as one of the translation, turned into the camera's axes.
    by_bleed = (by[:, 3:6].reshape(-1, 2, 3) @ (outward @ turned[:, :2].T)[:, :, None]).reshape(-1, 1)
    jacobian = np.column_stack([by[:, 6] + by[:, 7], by[:, 8:10], by[:, 10:12], by[:, 0:6], by_bleed])
    jacobian /= _CORNER_NOISE_PX
    width, height = size_px
    up = float(turned[:, 2] @ state[8:11])  # the camera's height above the mat
    up_by = np.concatenate([(turned_by.reshape(3, 3, 3)[:, :, 2]) @ state[8:11], turned[:, 2]])
    beyond = float(np.log(max(up, 1.0) / np.clip(up, *_HEIGHTS_MM)))
    prior = np.array(
        [
            np.log(max(state[0], 1.0) / (lens[0] * width)) / lens[1],
            (state[1] - (width - 1) / 2) / (_CENTER_SPREAD_WIDTHS * width),
            (state[2] - (height - 1) / 2) / (_CENTER_SPREAD_WIDTHS * width),
            state[3] / _K1_SPREAD,
            state[4] / _K2_SPREAD,
            beyond / _HEIGHT_SPREAD_LOG,
            state[11] / _BLEED_SPREAD_MM,
        ]
    )
    prior_by = np.zeros((7, 12))
    prior_by[0, 0] = 1 / (max(state[0], 1.0) * lens[1])
    prior_by[1, 1] = prior_by[2, 2] = 1 / (_CENTER_SPREAD_WIDTHS * width)
    prior_by[3, 3], prior_by[4, 4] = 1 / _K1_SPREAD, 1 / _K2_SPREAD
    if beyond:
        prior_by[5, 5:11] = up_by / (max(up, 1.0) * _HEIGHT_SPREAD_LOG)
    prior_by[6, 11] = 1 / _BLEED_SPREAD_MM
    residuals = np.concatenate([off, prior])
    slopes = np.vstack([jacobian, prior_by])
    return float(residuals @ residuals), slopes.T @ slopes, slopes.T @ residuals
