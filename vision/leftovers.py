"""Stage 7: what stands out and belongs to no die: named, so that nothing on the mat is passed over in silence."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.detector import Found
from vision.fit_solids import Fit
from vision.floor import VIEW_PX_PER_MM, view_mm, view_px
from vision.mat_layout import ROLL_AREA
from vision.reading import Point, ReadDie, Unread
from vision.stand_out import Evidence
from vision.upright import silhouettes

_BELONGS_MM = 3.0  # what lies this near a fitted die belongs to it: blur, tinted light on the floor
_LEAST_MM2 = 40.0
_DIE_MM2 = (90.0, 700.0)  # of the smallest cube and of the largest, sides and all
_HAND_MM2 = 1000.0  # two of the largest dice, sides and all; a pen covers as much, a hand 6,000
_LEAST_HIDDEN = 0.28  # detector's score
_HIDDEN_APART = 1.5  # circumradii between two dice that are named
_MOST_SLENDER = 2.2  # a die seen from anywhere is less than twice as long as wide
_SOFT = 0.12  # square-root light per mm: shadows and glare fade more slowly, dice begin at once


def name_leftovers(camera: Camera, evidence: Evidence, fits: Sequence[Fit], mere: Sequence[Fit] = ()) -> list[Unread]:
    """What of the blobs no fitted die explains. What has no edges is light or shadow, and no thing at all.

    ``mere`` are further fits that turned out to be no dice: what hangs together with them alone is of the same thing.
    """
    dice_there, things_there = _covered_by(camera, evidence, fits), _covered_by(camera, evidence, mere)
    explained = dice_there | things_there
    things = []
    for blob in evidence.blobs:
        if blob.area_mm2 < _LEAST_MM2:
            continue
        left = blob.pixels[explained[blob.pixels[:, 1], blob.pixels[:, 0]] == 0]
        area = len(left) / VIEW_PX_PER_MM**2
        if area < _LEAST_MM2 or _sharpness(evidence, left) < _SOFT:
            continue
        middle = view_mm(left.mean(axis=0)[None].astype(np.float64))
        (_, _), (width, height), _ = cv2.minAreaRect(left.astype(np.float32))
        slender = max(width, height) / max(min(width, height), 1.0) > _MOST_SLENDER
        is_beyond = not ROLL_AREA.contains((float(middle[0, 0]), float(middle[0, 1])))
        reason = "unsure" if _DIE_MM2[0] <= area <= _DIE_MM2[1] and not slender else "not-a-die"
        rows, columns = blob.pixels[:, 1], blob.pixels[:, 0]
        if things_there[rows, columns].any() and not dice_there[rows, columns].any():
            reason = "not-a-die"
        u, v = camera.project(middle)[0]
        things.append(Unread("outside" if is_beyond else reason, (float(u), float(v)), is_beyond=is_beyond))
    return things


def is_mere(answer: ReadDie | Unread) -> bool:
    """Whether a fitted solid turned out to be part of some thing, or lies outside."""
    return isinstance(answer, Unread) and (answer.is_beyond or answer.reason == "not-a-die")


def _covered_by(camera: Camera, evidence: Evidence, fits: Sequence[Fit]) -> npt.NDArray[np.uint8]:
    """Where fitted dice are seen: a mask like the evidence's."""
    mask = np.zeros(evidence.mask.shape, np.uint8)
    for outline in silhouettes(camera, fits, (_BELONGS_MM,))[0]:
        cv2.fillConvexPoly(mask, outline, 255)
    return mask


def covered(camera: Camera, evidence: Evidence, read: Sequence[Fit], things: Sequence[Unread]) -> list[Unread]:
    """The same things; what is doubtful and hangs together with something far larger than a die lies under it.

    ``read`` are the dice that were read, which make nothing else large.
    """
    large = large_things(camera, evidence, read)
    if not large.any():
        return list(things)
    return [
        replace(thing, reason="occluded", likely=())
        if thing.reason in ("unsure", "cocked", "stacked") and is_on(large, camera, thing.center_px)
        else thing
        for thing in things
    ]


def half_hidden(
    camera: Camera, evidence: Evidence, read: Sequence[Fit], things: Sequence[Unread], faces: Sequence[Found]
) -> list[Unread]:
    """The same things, and the dice that the detector sees in part beneath something far larger than a die."""
    hidden = [face for face in faces if face.what == "covered" and face.score >= _LEAST_HIDDEN]
    large = large_things(camera, evidence, read) if hidden else None
    if large is None or not large.any():
        return list(things)
    named = list(things)
    for face in hidden:
        is_named = any(thing.may_count and face.apart(thing.center_px) < _HIDDEN_APART for thing in named)
        if not is_named and is_on(large, camera, face.center_px):
            named.append(Unread("occluded", face.center_px))
    return named


def large_things(camera: Camera, evidence: Evidence, read: Sequence[Fit]) -> npt.NDArray[np.uint8]:
    """Where something far larger than a die lies, and close about it: a mask like the evidence's."""
    large = np.zeros(evidence.mask.shape, np.uint8)
    blobs = [blob for blob in evidence.blobs if blob.area_mm2 > _HAND_MM2]
    if not blobs:
        return large
    known = _covered_by(camera, evidence, read)
    for blob in blobs:
        left = blob.pixels[known[blob.pixels[:, 1], blob.pixels[:, 0]] == 0]
        if len(left) / VIEW_PX_PER_MM**2 > _HAND_MM2:
            large[left[:, 1], left[:, 0]] = 255
    return np.asarray(cv2.dilate(large, np.ones((5, 5), np.uint8)), np.uint8) if large.any() else large


def is_on(mask: npt.NDArray[np.uint8], camera: Camera, at_px: Point) -> bool:
    """Whether the mask, in the view, is set where this place of the picture lies."""
    height, width = mask.shape
    column, row = np.rint(view_px(camera.ground(np.array([at_px])))[0]).astype(int)
    return bool(0 <= row < height and 0 <= column < width and mask[row, column])


def _sharpness(evidence: Evidence, pixels: npt.NDArray[np.int32]) -> float:
    """How steeply the picture changes along the outline of these pixels: the median, square-root light per mm."""
    inside = np.zeros(evidence.mask.shape, np.uint8)
    inside[pixels[:, 1], pixels[:, 0]] = 1
    outline = cv2.morphologyEx(inside, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    strength = evidence.field[outline][:, [0, 2]].sum(axis=1)
    return float(np.sqrt(np.median(strength))) if len(strength) else 0.0
