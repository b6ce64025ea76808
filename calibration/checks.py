"""What a single picture says about lamp, focus and markers, in words that tell what to do."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.words import Saying
from vision.camera import Camera
from vision.find_mat import as_grey
from vision.mat_layout import MARKER_CENTERS_MM
from vision.reading import Floats, Pixels, Point
from vision.sharpness import MOST_EDGE_PX, edge_width_px

_DARK = 60.0  # grey level (sRGB) of the brightest twentieth where there is paper: lit as it should be it has 120
_DARK_FLOOR = 24.0  # the same of a floor of any colour; black felt lit well has 35
_BRIGHT_SHARE = 0.25  # of the picture that is burnt out; white paper about the mat is 0.15 of it
_BURNT = 250
_GLARE_SHARE = (0.0005, 0.05)  # of the picture; smaller is a gleam on a die, larger is paper or a window


@dataclass(frozen=True)
class Fault:
    """What is wrong, and where in the picture (None: everywhere)."""

    saying: Saying
    place_px: Point | None = None

    @property
    def words(self) -> str:
        """What is wrong, in English, for the person at the tray."""
        return str(self.saying)


def check_light(frame: Pixels, has_paper: bool = True, area_px: Floats | None = None) -> Fault | None:
    """Whether the picture is too dark or too bright, or a lamp is mirrored in the tray.

    ``has_paper`` says that something white lies in it; ``area_px`` (n, 2) is the outline within which no lamp may be
    mirrored, all of the picture if it is None.

    >>> check_light(np.full((60, 80, 3), 20, np.uint8)).words
    'too dark: bring the lamp nearer'
    >>> check_light(np.full((60, 80, 3), 130, np.uint8)) is None
    True
    """
    grey = as_grey(frame)
    if float(np.percentile(grey, 95)) < (_DARK if has_paper else _DARK_FLOOR):
        return Fault(Saying("too-dark"))
    burnt = (frame.min(axis=2) >= _BURNT).astype(np.uint8)
    if burnt.mean() > _BRIGHT_SHARE:
        return Fault(Saying("too-bright"))
    if area_px is not None:
        inside = np.zeros_like(burnt)
        cv2.fillConvexPoly(inside, np.rint(area_px).astype(np.int32), 1)
        burnt &= inside
    return _glare(burnt)


def _glare(burnt: Pixels) -> Fault | None:
    opened = cv2.morphologyEx(np.ascontiguousarray(burnt), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    count, _, stats, middles = cv2.connectedComponentsWithStats(opened, connectivity=8)
    shares = stats[:, cv2.CC_STAT_AREA] / burnt.size
    for part in sorted(range(1, count), key=lambda one: -shares[one]):
        if _GLARE_SHARE[0] <= shares[part] <= _GLARE_SHARE[1]:
            u, v = middles[part]
            return Fault(Saying("glare"), (float(u), float(v)))
    return None


def check_focus(frame: Pixels, markers: dict[int, Floats]) -> Fault | None:
    """Whether the edges of the markers (corners (4, 2) by id, px) are sharp; None also where there are none."""
    widths = {marker: edge_width_px(as_grey(frame), corners) for marker, corners in markers.items()}
    if not widths or float(np.median(list(widths.values()))) <= MOST_EDGE_PX:
        return None
    worst = max(widths, key=lambda marker: widths[marker])
    u, v = markers[worst].mean(axis=0)
    return Fault(Saying("out-of-focus"), (float(u), float(v)))


def check_markers(seen: set[int], camera: Camera | None = None) -> Fault | None:
    """Whether all six markers of the mat are seen; through ``camera`` the first hidden one gets its place.

    >>> check_markers({0, 1, 2, 4, 5}).words
    'marker 3 is hidden: uncover it, or move the mat into the picture'
    """
    hidden = sorted(set(MARKER_CENTERS_MM) - seen)
    if not hidden:
        return None
    place = None
    if camera is not None:
        u, v = camera.project(np.array([MARKER_CENTERS_MM[hidden[0]]], np.float64))[0]
        place = (float(u), float(v))
    if len(hidden) == 1:
        return Fault(Saying("marker-hidden", {"marker": hidden[0]}), place)
    return Fault(Saying("markers-hidden", {"markers": ", ".join(map(str, hidden))}), place)
