"""A printed page as pixels, and what a ruler laid on it would read."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Color = tuple[int, int, int]
Pixels = npt.NDArray[np.uint8]

_REACH_MM = 1.5  # how far to both sides of where it should be an edge is looked for


@dataclass(frozen=True)
class Printed:
    """A page: uint8, (height, width, 3), BGR; its origin in pixels; pixels per millimetre."""

    pixels: Pixels
    origin_px: tuple[float, float]
    per_mm: float

    def to_px(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Pixel edges are counted: (0, 0) is the outer corner of the first pixel."""
        return self.origin_px[0] + x_mm * self.per_mm, self.origin_px[1] + y_mm * self.per_mm

    def part(self, left_mm: float, top_mm: float, right_mm: float, bottom_mm: float) -> Pixels:
        """The pixels that lie wholly within."""
        left, top = np.ceil(np.subtract(self.to_px(left_mm, top_mm), 1e-6)).astype(int)
        right, bottom = np.floor(np.add(self.to_px(right_mm, bottom_mm), 1e-6)).astype(int)
        return self.pixels[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]

    def color_at(self, x_mm: float, y_mm: float) -> Color:
        """sRGB, red first."""
        u, v = self.to_px(x_mm, y_mm)
        blue, green, red = (int(value) for value in self.pixels[int(v), int(u)])
        return red, green, blue

    def edge_across_mm(self, x_mm: float, y_mm: float) -> float:
        """The x of the upright edge near that place, found by how much each pixel has of the one side's colour."""
        u, v = self.to_px(x_mm, y_mm)
        return _edge(self.pixels[int(v)], u, self.per_mm, self.origin_px[0])

    def edge_down_mm(self, x_mm: float, y_mm: float) -> float:
        """The y of the level edge near that place."""
        u, v = self.to_px(x_mm, y_mm)
        return _edge(self.pixels[:, int(u)], v, self.per_mm, self.origin_px[1])

    def dark_stripes_mm(self, left_mm: float, right_mm: float, y_mm: float) -> list[tuple[float, float]]:
        """The dark stripes that a line at that height crosses on white: middle and width of each."""
        (first, v), (last, _) = self.to_px(left_mm, y_mm), self.to_px(right_mm, y_mm)
        start = int(first)
        ink = 1 - self.pixels[int(v), start : int(last)].mean(axis=-1) / 255
        stripes = []
        for run in _runs(ink > 0.02):
            share = ink[run]
            middle = float((share * (np.arange(run.start, run.stop) + 0.5)).sum() / share.sum())
            stripes.append(((start + middle - self.origin_px[0]) / self.per_mm, float(share.sum()) / self.per_mm))
        return stripes

    def markers_mm(self) -> dict[int, npt.NDArray[np.float64]]:
        """The corners of each ArUco marker by its id: (4, 2), clockwise from its own top left."""
        detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
        grey = np.asarray(cv2.cvtColor(self.pixels, cv2.COLOR_BGR2GRAY), np.uint8)
        corners_px, ids, _ = detector.detectMarkers(grey)
        return {
            int(number): np.array([self._refined(grey, u, v) for u, v in corners.reshape(4, 2)])
            for number, corners in zip(ids.ravel(), corners_px, strict=True)
        }

    def _refined(self, grey: Pixels, u: float, v: float) -> tuple[float, float]:
        reach = max(3, round(self.per_mm))
        found = np.array([[[u, v]]], np.float32)
        done = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 50, 0.001)
        cv2.cornerSubPix(grey, found, (reach, reach), (-1, -1), done)
        x, y = (found[0, 0].astype(np.float64) + 0.5 - self.origin_px) / self.per_mm  # OpenCV counts pixel middles
        return float(x), float(y)


def _edge(line: Pixels, near_px: float, per_mm: float, origin_px: float) -> float:
    first, last = int(near_px - _REACH_MM * per_mm), int(near_px + _REACH_MM * per_mm)
    part = line[first:last].astype(np.float64)
    before, after = part[0], part[-1]
    channel = int(np.abs(after - before).argmax())
    share = (after - part)[:, channel] / (after - before)[channel]
    return float((first + share.sum() - origin_px) / per_mm)


def _runs(dark: npt.NDArray[np.bool_]) -> list[slice]:
    turns = np.flatnonzero(np.diff(np.concatenate([[False], dark, [False]]).astype(int)))
    return [slice(int(a), int(b)) for a, b in turns.reshape(-1, 2)]
