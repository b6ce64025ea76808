"""Stage 3: what stands out from the floor, whatever the light, its shadows and its glare do.

The whole view is compared in bytes; what needs finer figures is computed around the things that stand out alone, so
that an empty tray costs next to nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.floor import CELL_PX, SRGB_TO_LINEAR, VIEW_PX_PER_MM, Floor, Linear, template, to_linear
from vision.patches import encode
from vision.reading import Floats, Pixels

Mask = npt.NDArray[np.uint8]

# All relative to the empty floor at the same place, in linear light. Shadows are neutral and keep 0.22 of the light
# or more (one hard lamp, measured); black dice send back 0.05 to 0.15 of what the grey does.
_BLACK = 0.20
_BRIGHT = 1.5
_CHROMA = 0.33  # (max - min) / (max + 0.25); tinted shadows reach 0.28, faded dice of any colour begin at 0.4
_SMALLEST_MM2 = 20.0
_BLUR_PX = 0.7
_NOISE_BLUR = 0.35  # px of blur for each level of pixel noise above the usual one
_MOST_BLUR_PX = 2.5
_STANDS_OUT = 0.5  # of a face
_AROUND_PX = 18  # of a blob: as far as a die that it is part of may reach

# Ratios of sRGB values to those of the floor, times 80, become linear ratios times 50: bytes up to 5 times the floor.
_RATIO_SCALE, _LEVELS = 80.0, 50.0
_TO_LEVELS = np.clip(_LEVELS * (np.arange(256) / _RATIO_SCALE) ** 2.2, 0, 255).round().astype(np.uint8)


@dataclass(frozen=True)
class Blob:
    """One connected thing that stands out: ``pixels`` (n, 2) of the view (column, row), and its area."""

    pixels: npt.NDArray[np.int32]
    area_mm2: float

    @cached_property
    def box(self) -> npt.NDArray[np.int32]:
        """Its first and last column and row: shape (2, 2), the first (column, row) and the last."""
        columns, rows = self.pixels[:, 0], self.pixels[:, 1]
        return np.array([(columns.min(), rows.min()), (columns.max(), rows.max())], np.int32)

    @cached_property
    def hull(self) -> Linear:
        """Its convex hull: shape (n, 2), float32, px of the view."""
        return np.asarray(cv2.convexHull(self.pixels).reshape(-1, 2), np.float32)


@dataclass(frozen=True)
class Evidence:
    """The view prepared for looking for dice.

    ``quiet``: the view without its noise. ``mask`` (uint8, 255 where something stands out for certain). ``blobs``:
    its connected parts, largest first. ``field`` (float32, (h, w, 4), zero far from any blob): how strongly the
    picture changes there, in x, between x and y, and in y, summed over the channels (structure tensor of the square
    roots of relative light, per mm); and the mask once more, 0 to 1. ``told``: upper faces (k, 2) of which too little
    stands out (``with_faces``).
    """

    quiet: Pixels
    floor: Floor
    mask: Mask
    blobs: tuple[Blob, ...]
    field: Linear
    told: tuple[Floats, ...] = ()

    def relative(self, at_px: Floats) -> Linear:
        """Light at points of the view (…, 2), relative to what the empty grey would send: (…, 3), BGR, linear."""
        height, width = self.mask.shape
        column = np.clip((at_px[..., 0] + 0.5).astype(np.intp), 0, width - 1)
        row = np.clip((at_px[..., 1] + 0.5).astype(np.intp), 0, height - 1)
        rows, columns = self.floor.light.shape[:2]
        light = self.floor.light[np.minimum(row // CELL_PX, rows - 1), np.minimum(column // CELL_PX, columns - 1)]
        return np.asarray(SRGB_TO_LINEAR[self.quiet[row, column]] / light, np.float32)

    def with_faces(self, outlines_px: Sequence[Floats]) -> "Evidence":
        """The same with upper faces that somebody else sees there (k, 2), px of the view.

        Of dice nearly of the mat's grey too little stands out for certain. Faces that do stand out are left alone.
        """
        mask = self.mask.copy()
        more: list[Blob] = []
        told: list[Floats] = []
        for outline in outlines_px:
            face = cv2.fillConvexPoly(np.zeros_like(mask), np.rint(outline).astype(np.int32), 255)
            area = cv2.countNonZero(face)
            if cv2.countNonZero(cv2.bitwise_and(self.mask, face)) < _STANDS_OUT * area:
                mask |= np.asarray(face, np.uint8)
                pixels = np.asarray(cv2.findNonZero(face), np.int32).reshape(-1, 2)
                more.append(Blob(pixels, area / VIEW_PX_PER_MM**2))
                told.append(outline)
        if not told:
            return self
        blobs = tuple(sorted((*self.blobs, *more), key=lambda blob: -blob.area_mm2))
        field = tensor_field(self.quiet, self.floor, mask, blobs)
        return replace(self, mask=mask, blobs=blobs, field=field, told=(*self.told, *told))


def find_what_stands_out(view: Pixels, floor: Floor) -> Evidence:
    """Compare the view with the floor that it would show if it were empty."""
    quiet = _quiet(view)
    blue, green, red = cv2.split(cv2.LUT(against_floor(quiet, floor), _TO_LEVELS))
    brightest = cv2.max(cv2.max(blue, green), red)
    darkest = cv2.min(cv2.min(blue, green), red)
    # Chroma (max - min) / (max + 0.25) above the limit, without the division.
    colourful = cv2.addWeighted(brightest, 1 - _CHROMA, darkest, -1.0, 0.0) > round(0.25 * _CHROMA * _LEVELS)
    masks = template()
    # Where paper begins, its step of brightness is no die; between the two either may be seen.
    gain = float(floor.paper_gain.mean())
    either = (masks.roll_area | masks.paper) > 0
    out = colourful & either
    out |= (brightest < round(_BLACK * _LEVELS)) & (masks.roll_area > 0)
    out |= (brightest < round(_BLACK * gain * _LEVELS)) & (masks.paper > 0)
    out |= (darkest > round(_BRIGHT * _LEVELS)) & (masks.grey > 0)
    out |= (darkest > min(round(_BRIGHT * gain * _LEVELS), 250)) & either
    opened = cv2.morphologyEx(out.view(np.uint8) * np.uint8(255), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    mask = np.asarray(opened, np.uint8)
    blobs = find_blobs(mask)
    return Evidence(quiet, floor, mask, blobs, tensor_field(quiet, floor, mask, blobs))


def against_floor(quiet: Pixels, floor: Floor) -> Pixels:
    """A view's sRGB values by those of the empty floor there, times 80: uint8, BGR, in whatever light the same."""
    size = (quiet.shape[1], quiet.shape[0])
    empty = np.rint(encode(floor.light) * 255).astype(np.uint8)
    even = cv2.resize(empty, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.divide(quiet, even, scale=_RATIO_SCALE), np.uint8)


def _quiet(view: Pixels) -> Pixels:
    """The view with as much blur as its noise asks for."""
    inner = view[100:-100:8, 100:-100:2].astype(np.int16)
    noise = float(np.median(np.abs(inner[:, 1:] - inner[:, :-1])))
    blur = _BLUR_PX + _NOISE_BLUR * max(0.0, noise - 4.0)
    return np.asarray(cv2.GaussianBlur(view, (0, 0), min(blur, _MOST_BLUR_PX)), np.uint8)


def find_blobs(mask: Mask) -> tuple[Blob, ...]:
    """The connected things of a mask that are large enough to be part of a die, largest first."""
    # Only where there is something, and by the algorithm that is the fastest for so few pixels.
    first, top, width, height = cv2.boundingRect(mask)
    if not width:
        return ()
    part = mask[top : top + height, first : first + width]
    count, labels, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(part, 8, cv2.CV_32S, cv2.CCL_BBDT)
    corner = np.array([first, top], np.int32)
    blobs = []
    for i in range(1, count):
        area = float(stats[i, cv2.CC_STAT_AREA]) / VIEW_PX_PER_MM**2
        if area < _SMALLEST_MM2:
            continue
        left, top, width, height = (int(v) for v in stats[i, :4])
        own = labels[top : top + height, left : left + width] == i
        pixels = cv2.findNonZero(own.view(np.uint8)).reshape(-1, 2) + np.array([left, top], np.int32) + corner
        blobs.append(Blob(pixels, area))
    return tuple(sorted(blobs, key=lambda blob: -blob.area_mm2))


def tensor_field(quiet: Pixels, floor: Floor, mask: Mask, blobs: Sequence[Blob]) -> Linear:
    field = np.zeros((*mask.shape, 4), np.float32)
    for blob in blobs:
        low = np.maximum(blob.box[0] - _AROUND_PX, 0)
        high = np.minimum(blob.box[1] + _AROUND_PX + 1, mask.shape[::-1])
        part = (slice(low[1], high[1]), slice(low[0], high[0]))
        field[part] = _tensor(quiet[part], floor.window(part), mask[part])
    return field


def _tensor(pixels: Pixels, light: Linear, mask: Mask) -> Linear:
    encoded = cv2.sqrt(cv2.divide(to_linear(pixels), light))
    scale = VIEW_PX_PER_MM / 32  # of Scharr's kernel, to square-root light per mm
    across = cv2.Scharr(encoded, cv2.CV_32F, 1, 0, scale=scale)
    down = cv2.Scharr(encoded, cv2.CV_32F, 0, 1, scale=scale)
    summed = np.ones((1, 3), np.float32)
    pairs = ((across, across), (across, down), (down, down))
    parts = [cv2.transform(cv2.multiply(a, b), summed) for a, b in pairs]
    return np.asarray(cv2.merge([*parts, mask.astype(np.float32) * np.float32(1 / 255)]), np.float32)
