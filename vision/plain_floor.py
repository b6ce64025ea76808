"""Where on any floor something stands that may be a die, told so cheaply that nothing dear need look at plain floor.

What is long and straight (walls, a page's edge, the grain of a table) changes the picture across itself alone; a die
changes it along every direction, within its own width.
"""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Floats, Pixels

_PX_PER_MM = 0.75  # at most, and more than half as many
_ACROSS_MM = 14.0  # of a small die
_LEAST_CHANGE = 50.0  # (levels / px)² in the weakest direction; of 22 dice beside the mat 21 have 180 or more, one 98
_PRINT_MM = 5.0  # by which print spreads


def is_not_plain(
    picture: Pixels, px_per_mm: float, print_px: Sequence[Floats], lines_px: Sequence[Floats]
) -> tuple[npt.NDArray[np.bool_], int]:
    """Where in a picture (uint8 BGR) something may stand: a smaller mask, and how many times smaller it is.

    ``print_px`` are polygons (k, 2) within which lies nothing but print, ``lines_px`` those whose sides are printed.
    """
    times = 1
    while px_per_mm / times > _PX_PER_MM:  # halving is many times quicker than any other scale
        picture = np.asarray(cv2.resize(picture, (picture.shape[1] // 2, picture.shape[0] // 2)), np.uint8)
        times *= 2
    known = np.zeros(picture.shape[:2], np.uint8)
    thick = max(round(_PRINT_MM * px_per_mm / times), 1)
    inner, lines = (
        [np.rint((one + 0.5) / times - 0.5).astype(np.int32) for one in all_] for all_ in (print_px, lines_px)
    )
    for polygon in inner:
        cv2.fillConvexPoly(known, polygon, 1)
    cv2.polylines(known, [*inner, *lines], True, 1, thick)
    across = round(_ACROSS_MM * px_per_mm / times)
    return _least_change(picture, known, across) > _LEAST_CHANGE, times


def _least_change(picture: Pixels, known: npt.NDArray[np.uint8], across_px: int) -> npt.NDArray[np.float32]:
    """How much a picture changes around each pixel in the direction in which it does so least, but for what is known.

    That is the smaller eigenvalue of the structure tensor (Shi and Tomasi, 1994), summed over the colours.
    """
    across, down = (cv2.Sobel(picture, cv2.CV_32F, *axis, scale=0.125) for axis in ((1, 0), (0, 1)))
    unknown = cv2.merge([1.0 - known.astype(np.float32)] * 3)
    across, down = cv2.multiply(across, unknown), cv2.multiply(down, unknown)
    summed = np.ones((1, 3), np.float32)
    pairs = ((across, across), (across, down), (down, down))
    xx, xy, yy = (
        np.asarray(cv2.blur(cv2.transform(cv2.multiply(a, b), summed), (across_px, across_px)), np.float32)
        for a, b in pairs
    )
    return np.asarray((xx + yy) / 2 - cv2.magnitude((xx - yy) / 2, xy), np.float32)
