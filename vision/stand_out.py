"""Stage 3: what stands out from the floor, whatever the light, its shadows and its glare do."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.floor import VIEW_PX_PER_MM, Floor, Linear, template, to_linear
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


@dataclass(frozen=True)
class Evidence:
    """The view prepared for looking for dice.

    ``relative`` (float32, (h, w, 3), BGR): linear light relative to what the grey floor would send from there.
    ``mask`` (uint8, 255 where something stands out for certain). ``field`` (float32, (h, w, 4)): how strongly the
    picture changes there, in x, between x and y, and in y, summed over the channels (structure tensor of the square
    roots of relative light, per mm); and the mask once more, 0 to 1.
    """

    relative: Linear
    mask: Mask
    field: Linear


def find_what_stands_out(view: Pixels, floor: Floor) -> Evidence:
    """Compare the view with the floor that it would show if it were empty."""
    height, width = view.shape[:2]
    relative = np.asarray(cv2.divide(to_linear(_quiet(view)), floor.full((width, height))), np.float32)
    blue, green, red = cv2.split(relative)
    brightest = cv2.max(cv2.max(blue, green), red)
    darkest = cv2.min(cv2.min(blue, green), red)
    # Chroma: (max - min) / (max + 0.25) above the limit, without the division.
    colourful = cv2.addWeighted(brightest, 1 - _CHROMA, darkest, -1.0, 0.0) > 0.25 * _CHROMA
    masks = template()
    # Where paper begins, its step of brightness is no die; between the two either may be seen.
    gain = float(floor.paper_gain.mean())
    either = masks.roll_area | masks.paper
    out = colourful & (either > 0)
    out |= (brightest < _BLACK) & (masks.roll_area > 0)
    out |= (brightest < _BLACK * gain) & (masks.paper > 0)
    out |= (darkest > _BRIGHT) & (masks.grey > 0)
    out |= (darkest > _BRIGHT * gain) & (either > 0)
    mask = cv2.morphologyEx(out.view(np.uint8) * np.uint8(255), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return Evidence(relative, np.asarray(mask, np.uint8), _field(relative, np.asarray(mask, np.uint8)))


def _quiet(view: Pixels) -> Pixels:
    """The view with as much blur as its noise asks for."""
    inner = view[100:-100:4, 100:-100:2].astype(np.int16)
    noise = float(np.median(np.abs(inner[:, 1:] - inner[:, :-1])))
    blur = _BLUR_PX + _NOISE_BLUR * max(0.0, noise - 4.0)
    return np.asarray(cv2.GaussianBlur(view, (0, 0), min(blur, _MOST_BLUR_PX)), np.uint8)


def _field(relative: Linear, mask: Mask) -> Linear:
    encoded = cv2.sqrt(relative)
    scale = VIEW_PX_PER_MM / 32  # of Scharr's kernel, to square-root light per mm
    across = cv2.Scharr(encoded, cv2.CV_32F, 1, 0, scale=scale)
    down = cv2.Scharr(encoded, cv2.CV_32F, 0, 1, scale=scale)
    summed = np.ones((1, 3), np.float32)
    pairs = ((across, across), (across, down), (down, down))
    parts = [cv2.transform(cv2.multiply(a, b), summed) for a, b in pairs]
    return np.asarray(cv2.merge([*parts, mask.astype(np.float32) * np.float32(1 / 255)]), np.float32)


@dataclass(frozen=True)
class Blob:
    """One connected thing that stands out: ``pixels`` (n, 2) of the view (column, row), its area and its middle."""

    pixels: npt.NDArray[np.int32]
    area_mm2: float
    center_px: Floats


def find_blobs(mask: Mask) -> list[Blob]:
    """The connected things of a mask that are large enough to be part of a die, largest first."""
    count, labels, stats, centers = cv2.connectedComponentsWithStats(mask, connectivity=8)
    blobs = []
    for i in range(1, count):
        area = float(stats[i, cv2.CC_STAT_AREA]) / VIEW_PX_PER_MM**2
        if area < _SMALLEST_MM2:
            continue
        left, top, width, height = stats[i, :4]
        rows, columns = np.nonzero(labels[top : top + height, left : left + width] == i)
        pixels = np.stack([columns + left, rows + top], axis=1).astype(np.int32)
        blobs.append(Blob(pixels, area, np.asarray(centers[i], np.float64)))
    return sorted(blobs, key=lambda blob: -blob.area_mm2)
