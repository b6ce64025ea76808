"""What dice lie on: the croupier mat, felt, wood, cloth, paper, unknown prints, and the table around.

A floor is a picture of linear reflectance (B, G, R) at ``SCALE`` pixels per millimetre around the origin, laid on
another one without end. Pictures are float32.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthesis.paint import near
from vision import mat_layout

Floats = NDArray[Any]
Picture = NDArray[Any]

SCALE = 4
"""Pixels per millimetre of a printed sheet: a marker's cell is 16 px wide."""

FLOORS = ("mat", "felt", "wood", "cloth", "paper", "print", "carpet", "tray")
PAGES_MM = ((297.0, 210.0), (279.4, 215.9))

_TILE = 512
_TILE_MM = 256.0


@dataclass(frozen=True)
class Floor:
    """A sheet (None: none) on a table that repeats every 256 mm; ``sheen`` is how strongly the sheet mirrors."""

    name: str
    sheet: Picture | None
    sheet_mm: tuple[float, float]
    table: Picture
    turn_deg: float
    sheen: float
    roughness: float

    def albedo(self, points: Picture) -> Picture:
        """Reflectance at points of the table (H, W, 2 in mm): (H, W, 3)."""
        a = np.deg2rad(self.turn_deg)
        x = points[..., 0] * np.float32(np.cos(a)) + points[..., 1] * np.float32(np.sin(a))
        y = points[..., 1] * np.float32(np.cos(a)) - points[..., 0] * np.float32(np.sin(a))
        step = np.float32(_TILE / _TILE_MM)
        seen = cv2.remap(self.table, x * step, y * step, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
        if self.sheet is not None:
            half_x, half_y = self.sheet.shape[1] / 2 - 0.5, self.sheet.shape[0] / 2 - 0.5
            cv2.remap(
                self.sheet,
                points[..., 0] * SCALE + np.float32(half_x),
                points[..., 1] * SCALE + np.float32(half_y),
                cv2.INTER_LINEAR,
                dst=seen,
                borderMode=cv2.BORDER_TRANSPARENT,
            )
        return seen


def _cells(area: mat_layout.Rectangle, middle: Floats) -> tuple[slice, slice]:
    x0, x1 = (round((v * SCALE) + middle[0]) for v in (area.left_mm, area.right_mm))
    y0, y1 = (round((v * SCALE) + middle[1]) for v in (area.top_mm, area.bottom_mm))
    return slice(y0, y1), slice(x0, x1)


@lru_cache(maxsize=2)
def mat_sheet(page_mm: tuple[float, float]) -> Picture:
    """The croupier mat as printed without fault, in sRGB 0 to 255 (float32, B, G, R)."""
    wide, high = round(page_mm[0] * SCALE), round(page_mm[1] * SCALE)
    middle = np.array([wide / 2, high / 2])
    page = np.full((high, wide, 3), 255, np.uint8)
    page[_cells(mat_layout.ROLL_AREA, middle)] = mat_layout.ROLL_AREA_SRGB[::-1]
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, mat_layout.MARKER_DICTIONARY))
    for marker in mat_layout.MARKER_CENTERS_MM:
        rows, columns = _cells(mat_layout.marker_area(marker), middle)
        page[rows, columns] = cv2.aruco.generateImageMarker(dictionary, marker, rows.stop - rows.start)[..., None]
    for patch in mat_layout.COLOR_PATCHES:
        rows, columns = _cells(patch.area, middle)
        page[rows, columns] = patch.srgb[::-1]
        if patch.name == "white":
            cv2.rectangle(page, (columns.start, rows.start), (columns.stop - 1, rows.stop - 1), (120, 120, 120), 1)
    right = int(middle[0] + 91 * SCALE)
    foot = int(middle[1] + 85 * SCALE)
    cv2.putText(
        page, "croupier mat v1", (right, foot - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.22, (60, 60, 60), 1, cv2.LINE_AA
    )
    ruler = int(middle[1] + 97 * SCALE)
    cv2.line(page, (int(middle[0] - 25 * SCALE), ruler), (int(middle[0] + 25 * SCALE), ruler), (60, 60, 60), 1)
    printed = page.astype(np.float32)
    printed.setflags(write=False)
    return printed


def _clouds(rng: np.random.Generator, cells: tuple[int, int], size: int = _TILE) -> Picture:
    """Smooth noise from -1 to 1 that repeats at its borders: (size, size)."""
    rough = rng.uniform(-1, 1, cells).astype(np.float32)
    rough = np.pad(rough, 2, mode="wrap")
    step_y, step_x = size / cells[0], size / cells[1]
    y, x = np.meshgrid(np.arange(size) / step_y + 2, np.arange(size) / step_x + 2, indexing="ij")
    return cv2.remap(
        rough, x.astype(np.float32), y.astype(np.float32), cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT
    )


def _wood(rng: np.random.Generator) -> Picture:
    base = near(
        [(150, 100, 60), (190, 150, 100), (100, 60, 40), (160, 80, 50), (205, 180, 140)][int(rng.integers(5))], rng
    )
    grain = _clouds(rng, (int(rng.integers(24, 90)), int(rng.integers(2, 5)))) + 0.6 * _clouds(rng, (200, 6))
    return (base * np.exp(grain[..., None] * rng.uniform(0.12, 0.4) + 0.1 * _clouds(rng, (5, 3))[..., None])).astype(
        np.float32
    )


def _weave(rng: np.random.Generator) -> Picture:
    base = near(rng.uniform(20, 220, 3), rng)
    y, x = np.mgrid[:_TILE, :_TILE]
    period = _TILE / float(rng.choice([64, 100, 128, 170]))
    threads = np.sin(x * 2 * np.pi / period) * np.sin(y * 2 * np.pi / period) * rng.uniform(0.1, 0.4)
    fuzz = rng.uniform(0.02, 0.2) * _clouds(rng, (170, 170))
    return np.asarray(base * np.exp(threads + fuzz)[..., None], np.float32)


def _felt(rng: np.random.Generator) -> Picture:
    base = near(
        [(20, 100, 60), (30, 30, 34), (120, 25, 35), (25, 45, 100), (40, 60, 80), (90, 90, 95), (60, 30, 80)][
            int(rng.integers(7))
        ],
        rng,
    )
    fuzz = rng.uniform(0.05, 0.2) * _clouds(rng, (256, 256)) + 0.06 * _clouds(rng, (9, 9))
    return (base * np.exp(fuzz)[..., None]).astype(np.float32)


def _carpet(rng: np.random.Generator) -> Picture:
    base = near(rng.uniform(50, 200) + rng.normal(0, 14, 3), rng)
    cells = int(rng.integers(60, 150))
    tufts = rng.uniform(0.15, 0.6) * _clouds(rng, (cells, cells)) + 0.15 * _clouds(rng, (256, 256))
    return (base * np.exp(tufts)[..., None]).astype(np.float32)


def _paper(rng: np.random.Generator) -> Picture:
    base = near(
        [(245, 245, 242), (150, 150, 152), (110, 112, 115), (235, 225, 200), (200, 205, 215)][int(rng.integers(5))],
        rng,
        4,
    )
    return (base * np.exp(0.02 * _clouds(rng, (200, 200)) + 0.02 * _clouds(rng, (6, 6)))[..., None]).astype(
        np.float32
    )


def _stone(rng: np.random.Generator) -> Picture:
    base = near(rng.uniform(60, 190) + rng.normal(0, 8, 3), rng)
    veins = 0.35 * _clouds(rng, (7, 7)) + 0.15 * _clouds(rng, (30, 30)) + 0.05 * _clouds(rng, (256, 256))
    return (base * np.exp(veins)[..., None]).astype(np.float32)


_TEXTURES = {"wood": _wood, "cloth": _weave, "felt": _felt, "carpet": _carpet, "paper": _paper, "tray": _stone}


def _unknown_print(rng: np.random.Generator) -> Picture:
    """A sheet that somebody else printed: a frame, markers of another kind, patches, lines, text."""
    wide, high = 297 * SCALE, 210 * SCALE
    page = np.full((high, wide, 3), rng.uniform(225, 255), np.uint8)
    if rng.random() < 0.4:
        page[60:-60, 60:-60] = np.clip(rng.uniform(60, 240) + rng.normal(0, 10, 3), 0, 255)
    for _ in range(int(rng.integers(1, 6))):
        x, y = rng.integers(20, wide - 200), rng.integers(20, high - 200)
        size = rng.integers(30, 300, 2)
        color = rng.uniform(0, 255, 3).tolist()
        cv2.rectangle(
            page, (int(x), int(y)), (int(x + size[0]), int(y + size[1])), color, int(rng.choice([-1, 2, 4]))
        )
    for corner in ((40, 40), (wide - 140, 40), (40, high - 140), (wide - 140, high - 140)):
        cells = (rng.random((6, 6)) < 0.5).astype(np.float32) * 255
        cells[[0, -1]] = cells[:, [0, -1]] = 0
        page[corner[1] : corner[1] + 96, corner[0] : corner[0] + 96] = np.kron(cells, np.ones((16, 16)))[..., None]
    for _ in range(int(rng.integers(0, 8))):
        at = (int(rng.integers(50, wide - 400)), int(rng.integers(50, high - 50)))
        cv2.putText(
            page, "roll here 6 9 12 + -"[: int(rng.integers(3, 20))], at, 0, rng.uniform(0.6, 3), (40, 40, 40), 2
        )
    return page.astype(np.float32)


def any_floor(rng: np.random.Generator, name: str = "mat") -> Floor:
    """A floor of this name as somebody might have it; raises ``ValueError`` for a name not in ``FLOORS``."""
    if name not in FLOORS:
        raise ValueError(f"no floor is called {name!r}: choose one of {', '.join(FLOORS)}")
    under = str(rng.choice(["wood", "cloth", "felt", "tray", "paper"]))
    sheet: Picture | None = None
    size = (0.0, 0.0)
    if name == "mat":
        size = PAGES_MM[int(rng.integers(2))]
        page = linear_plane(mat_sheet(size))
        # a printer's white is 0.8 to 0.95, its black 0.02 to 0.06, and its inks are off by a few percent
        black, white = rng.uniform(0.012, 0.05), rng.uniform(0.78, 0.95)
        gamma = rng.normal(1.0, 0.05)
        sheet = (black + (white - black) * page**gamma * rng.normal(1, 0.015, 3)).astype(np.float32)
    elif name == "print":
        page = _unknown_print(rng)
        size = (page.shape[1] / SCALE, page.shape[0] / SCALE)
        sheet = (0.03 + 0.85 * linear_plane(page)).astype(np.float32)
    else:
        under = name
    sheen = rng.uniform(0.02, 0.05) if rng.random() < 0.2 else 0.0
    return Floor(
        name, sheet, size, _TEXTURES[under](rng), float(rng.uniform(0, 360)), sheen, float(rng.uniform(0.05, 0.2))
    )


def linear_plane(plane: Picture) -> Picture:
    """sRGB values 0 to 255 as linear reflectance."""
    value = np.clip(plane, 0, 255) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)
