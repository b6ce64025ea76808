"""Stage 2: the mat seen from straight above, and what its empty floor would look like under this light."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.mat_layout import COLOR_PATCHES, MARKER_CENTERS_MM, ROLL_AREA, ROLL_AREA_SRGB, Rectangle, marker_area
from vision.order import medians
from vision.reading import Floats, Pixels

VIEW_PX_PER_MM = 2.0
"""Of the view from above: enough for outlines; faces are read from the frame (2.4 px a mm at the farthest)."""

VIEW_MM = (-128.0, -104.0, 128.0, 92.0)
"""What the view holds: the roll area, and around it what dice hide that lean away from the camera; the patches."""

CELL_PX = 12  # 6 mm: smaller than a die, so that some cells between dice stay empty
_SMALL_TYPE = Rectangle(90.0, 75.0, 107.0, 94.0)
_BLUR_MM = 1.0  # by which print spreads in the picture
_ORDER = 4  # of the polynomial in x and y that the light is; vignette and two lamps need four (measured)

Linear = npt.NDArray[np.float32]

SRGB_TO_LINEAR = np.array(
    [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in np.arange(256) / 255.0], np.float32
)


def to_linear(pixels: Pixels) -> Linear:
    """sRGB pixels as linear light, 0 to 1 (IEC 61966-2-1)."""
    return np.asarray(cv2.LUT(pixels, SRGB_TO_LINEAR), np.float32)


def view_px(points_mm: Floats) -> Floats:
    """Where points of the mat (mm) lie in the view from above (px)."""
    return np.asarray((points_mm - np.array(VIEW_MM[:2])) * VIEW_PX_PER_MM - 0.5, np.float64)


def view_mm(points_px: Floats) -> Floats:
    """Where points of the view (px) lie on the mat (mm)."""
    return np.asarray((points_px + 0.5) / VIEW_PX_PER_MM + np.array(VIEW_MM[:2]), np.float64)


@dataclass(frozen=True)
class ViewMap:
    """The lookup tables that draw the view from above for one pose of the camera (cv2.remap's fixed-point form)."""

    fine: npt.NDArray[np.int16]
    rest: npt.NDArray[np.uint16]

    @staticmethod
    def of(camera: Camera) -> "ViewMap":
        """The tables for that camera; a coarse grid is projected and interpolated, which is exact to 0.02 px."""
        width, height = _view_size()
        step = 8
        columns = np.arange(0, width + step, step, dtype=np.float64)
        rows = np.arange(0, height + step, step, dtype=np.float64)
        grid = np.stack(np.meshgrid(columns, rows), axis=-1)
        seen = camera.project(view_mm(grid.reshape(-1, 2))).reshape(*grid.shape).astype(np.float32)
        # Interpolate between the nodes: pixel (c, r) lies at node (c / step, r / step).
        shrink = np.array([[1 / step, 0, 0], [0, 1 / step, 0]], np.float32)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        full = cv2.warpAffine(seen, shrink, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        fine, rest = cv2.convertMaps(full[..., 0].copy(), full[..., 1].copy(), cv2.CV_16SC2)
        return ViewMap(np.asarray(fine, np.int16), np.asarray(rest, np.uint16))

    def draw(self, frame: Pixels) -> Pixels:
        """The view from above of a frame: uint8 BGR; black where the frame does not reach."""
        return np.asarray(cv2.remap(frame, self.fine, self.rest, cv2.INTER_LINEAR), np.uint8)


@dataclass(frozen=True)
class Template:
    """The empty mat in the view: ``grey`` and ``paper`` masks (uint8, 255 where plain), ``roll_area`` mask."""

    grey: npt.NDArray[np.uint8]
    paper: npt.NDArray[np.uint8]
    roll_area: npt.NDArray[np.uint8]


@lru_cache(maxsize=1)
def template() -> Template:
    """The masks of the empty mat, the same for every frame."""
    width, height = _view_size()
    roll = np.zeros((height, width), np.uint8)
    _fill(roll, ROLL_AREA, 255)
    plain = np.full((height, width), 255, np.uint8)
    for printed in [*map(marker_area, MARKER_CENTERS_MM), *(patch.area for patch in COLOR_PATCHES), _SMALL_TYPE]:
        _fill(plain, printed, 0, _BLUR_MM)
    inner = np.asarray(cv2.erode(roll, np.ones((5, 5), np.uint8)), np.uint8)
    outer = np.asarray(cv2.dilate(roll, np.ones((5, 5), np.uint8)), np.uint8)
    return Template(inner, plain & ~outer, roll)


_LEAST_PAPER_GAIN = 1.7
"""As printed the paper is 3.3 times as bright as the grey; 80 rendered mats had 2.7 to 3.6, five other sheets with
the same markers 1.0."""


@dataclass(frozen=True)
class Floor:
    """The empty floor under the light of one frame.

    ``light`` (float32, (rows, columns, 3)) is the linear light that the roll area's grey would send from each cell
    of ``CELL_PX`` view pixels; ``paper_gain`` (3) is how much brighter the paper is; ``noise`` is the spread of
    the empty floor about the model, relative to it.
    """

    light: Linear
    paper_gain: Floats
    noise: float

    @property
    def is_the_mats(self) -> bool:
        """Whether paper and roll area differ as on the mat; another sheet may carry the same markers."""
        return bool(self.paper_gain.min() >= _LEAST_PAPER_GAIN)

    @property
    def lamp_color(self) -> tuple[float, ...]:
        """How much of the light is in each channel (blue, green, red), 1 on average."""
        seen = self.light.mean(axis=(0, 1))
        return tuple((seen / seen.mean()).tolist())

    def window(self, part: tuple[slice, slice]) -> Linear:
        """The light for every pixel of a part (rows, columns) of the view: float32, (h, w, 3)."""
        rows, columns = part
        shift = np.array(
            [
                [1 / CELL_PX, 0, (columns.start + 0.5) / CELL_PX - 0.5],
                [0, 1 / CELL_PX, (rows.start + 0.5) / CELL_PX - 0.5],
            ]
        )
        size = (columns.stop - columns.start, rows.stop - rows.start)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        light = cv2.warpAffine(self.light, shift, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(light, np.float32)

    def at(self, point_mm: Floats) -> Floats:
        """The grey's linear light (blue, green, red) at one point of the mat."""
        column, row = (view_px(np.asarray(point_mm)) / CELL_PX - 0.5).tolist()
        rows, columns = self.light.shape[:2]
        column, row = min(max(column, 0.0), columns - 1.001), min(max(row, 0.0), rows - 1.001)
        c, r = int(column), int(row)
        across, down = column - c, row - r
        top = self.light[r, c] * (1 - across) + self.light[r, c + 1] * across
        bottom = self.light[r + 1, c] * (1 - across) + self.light[r + 1, c + 1] * across
        return np.asarray(top * (1 - down) + bottom * down, np.float64)


def fit_floor(view: Pixels) -> Floor | None:
    """Fit the light to what is plain grey or plain paper in the view, whatever lies on it.

    A polynomial in the logarithm of the light, and one step from grey to paper, fitted by least squares reweighted
    until dice and shadows no longer pull (Geman-McClure weights). None where hardly any floor is to be seen.
    """
    rows, columns = view.shape[0] // CELL_PX, view.shape[1] // CELL_PX
    size = (columns, rows)
    cut = (slice(0, rows * CELL_PX), slice(0, columns * CELL_PX))
    small = np.asarray(cv2.resize(view[cut], size, interpolation=cv2.INTER_AREA), np.uint8)
    mean = to_linear(small).reshape(-1, 3)
    grey, paper = _plain_cells(columns, rows)
    usable = (grey | paper) & (mean.min(axis=1) > 1e-3)
    if usable.sum() < 60:
        return None
    shape = _powers(columns, rows)
    basis = np.column_stack([shape, paper.astype(np.float64)])[usable]
    target = np.log(mean[usable].astype(np.float64))
    solution, weights = _robust(basis, target, grey[usable])
    if solution is None:
        return None
    light = np.exp(shape @ solution[:-1]).reshape(rows, columns, 3).astype(np.float32)
    off = np.abs(target - basis @ solution).mean(axis=1)
    order = np.argsort(off)
    noise = float(np.interp(weights.sum() / 2, np.cumsum(weights[order]), off[order])) * 1.48
    return Floor(light, np.exp(solution[-1]), noise)


@lru_cache(maxsize=2)
def _plain_cells(columns: int, rows: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which cells are nothing but grey, and which nothing but paper, where the mat is empty: shape (cells,)."""
    masks = (mask[: rows * CELL_PX, : columns * CELL_PX] for mask in (template().grey, template().paper))
    grey, paper = (cv2.resize(mask, (columns, rows), interpolation=cv2.INTER_AREA).ravel() == 255 for mask in masks)
    return grey, paper


@lru_cache(maxsize=2)
def _powers(columns: int, rows: int) -> Floats:
    """The polynomial's terms in every cell, the same for every frame: shape (cells, terms)."""
    across, down = np.meshgrid(np.linspace(-1, 1, columns), np.linspace(-1, 1, rows))
    powers = [across.ravel() ** i * down.ravel() ** j for i in range(_ORDER + 1) for j in range(_ORDER + 1 - i)]
    return np.stack(powers, axis=1)


def _robust(basis: Floats, target: Floats, grey: npt.NDArray[np.bool_]) -> tuple[Floats | None, Floats]:
    """Reweighted least squares, the scale of what counts as an outlier shrinking from a factor 1.6 to 1.06."""
    # Start from medians: most of the roll area is empty, or nothing can be said.
    off = target - np.where(grey[:, None], medians(target[grey].T), medians(target[~grey].T))
    weights = np.ones(len(basis))
    solution: Floats | None = None
    ridge = 1e-3 * np.eye(basis.shape[1])
    ridge[0, 0] = 0
    for scale in (0.5, 0.3, 0.2, 0.12, 0.08, 0.06):
        distance = np.abs(off.T).max(axis=0)
        weights = 1 / (1 + (distance / scale) ** 2) ** 2
        weighted = basis.T * weights
        solution = np.linalg.solve(weighted @ basis + ridge, weighted @ target)
        off = target - basis @ solution
    return solution, weights


def _view_size() -> tuple[int, int]:
    left, top, right, bottom = VIEW_MM
    return round((right - left) * VIEW_PX_PER_MM), round((bottom - top) * VIEW_PX_PER_MM)


def _fill(mask: npt.NDArray[np.uint8], area: Rectangle, value: int, margin_mm: float = 0.0) -> None:
    corners = np.array([(area.left_mm - margin_mm, area.top_mm - margin_mm), (area.right_mm, area.bottom_mm)])
    corners[1] += margin_mm
    (left, top), (right, bottom) = np.round(view_px(corners)).astype(int)
    mask[max(top, 0) : max(bottom + 1, 0), max(left, 0) : max(right + 1, 0)] = value


FLOOR_LINEAR = float(SRGB_TO_LINEAR[ROLL_AREA_SRGB[0]])
"""The roll area's reflectance as printed, relative to paper."""
