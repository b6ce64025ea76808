"""The rectified picture of one upper face, as the network sees it and as it is trained.

A patch is ``PATCH_SIDE_PX`` square, float32, shape (48, 48, 3), channel order blue, green, red. Its values are
sRGB-encoded reflectance: 0.0 is black, 1.0 is white paper under the light at that place, and brighter is clipped. The
white balance is in it (``Light.reflectance``); nothing else is normalised.

* A face of four corners (every cube) is mapped by a homography onto the middle ``FACE_SIDE_PX`` (32) square, so
  that 8 px of margin on each side, a quarter of the face, show the sides, the rounded edges and the floor. Corner 0
  is mapped to the top left, and the others follow clockwise as seen in the picture. Which corner comes first is
  arbitrary: a face is seen in any of its four turns.
* A face of five corners (the twelve-sided die) is mapped onto a regular pentagon about the middle whose corners lie
  ``PENTAGON_RADIUS_PX`` = 20 px away, corner 0 straight up; any of five turns.

Outlines are ``ReadDie.outline_px``: pixels of the picture as given, where (0, 0) is the middle of the first pixel.
The network takes ``network_input(patches)``: float32, (n, 3, 48, 48), the same values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Pixels, Point, Reflectance

PATCH_SIDE_PX = 48
FACE_SIDE_PX = 32
PENTAGON_RADIUS_PX = 20.0
NUMBER_RADIUS_PX = 27.0
"""The corners' distance from the middle in a patch of a pentagon cut closer, for the network that reads numbers: as
large as faces are in pictures of 1296 x 972 from 35 cm, so that hardly a pixel is lost."""
WIDE_PATCH_PX, WIDE_FACE_PX = 64, 40
"""Of a patch that shows the sides of a cube, too, and of the face in it."""

_BURNT = 250  # of 255, in one channel
_BRIGHTER_THAN_PAPER = 0.999  # of a patch's values: these are clipped
_LEAST_BRIGHT, _LESS_LIGHT = 0.3, 0.5
"""Of a cube's face, from which it is looked at in less light, too, and in how much. Of 437 faces that bright (drawn)
the networks of all faces and of cubes see 417 and 413 rightly, and 420 and 418 in both lights, and are surer of them;
below it they see as many either way. Of 194 with pips 190 are counted rightly, and all of them in less light."""
_OVERSAMPLING = 2  # a die near the camera is 2.4 times as large in the picture as in the patch: averaged, not skipped


_EVERY_VALUE: Pixels = np.repeat(np.arange(256, dtype=np.uint8), 3).reshape(1, 256, 3)

Patch = npt.NDArray[np.float32]
"""A patch as described above."""


def within_face(edge_px: int) -> slice:
    """Rows or columns of a patch that show the face of four corners less ``edge_px`` on either side."""
    first = (PATCH_SIDE_PX - FACE_SIDE_PX) // 2
    return slice(first + edge_px, first + FACE_SIDE_PX - edge_px)


class Light(Protocol):
    """What turns pixels into reflectance; ``vision.light`` has the real ones."""

    def reflectance(self, pixels: Pixels, at_px: Point) -> Reflectance:
        """Linear reflectance of pixels seen around ``at_px`` in the picture: same shape, float32, white paper 1.0."""
        ...


@dataclass(frozen=True)
class Dimmed:
    """A ``share`` (0 to 1) of a ``light``'s reflectance: what is brighter than paper is not clipped."""

    light: Light
    share: float

    def reflectance(self, pixels: Pixels, at_px: Point) -> Reflectance:
        """As ``Light.reflectance``."""
        return np.asarray(self.light.reflectance(pixels, at_px) * np.float32(self.share), np.float32)


def patch_corners(count: int, pentagon_radius_px: float = PENTAGON_RADIUS_PX) -> npt.NDArray[np.float32]:
    """Where the corners of an upper face lie in its patch: shape (count, 2), clockwise, patch pixels.

    >>> patch_corners(4).tolist()
    [[8.0, 8.0], [40.0, 8.0], [40.0, 40.0], [8.0, 40.0]]

    Raises ``ValueError`` for faces of other than four or five corners.
    """
    middle = PATCH_SIDE_PX / 2
    if count == 4:
        half = FACE_SIDE_PX / 2
        signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)
        return (middle + half * signs).astype(np.float32)
    if count == 5:
        turn = 2 * np.pi * np.arange(5) / 5
        around = np.stack([np.sin(turn), -np.cos(turn)], axis=1)
        return (middle + pentagon_radius_px * around).astype(np.float32)
    raise ValueError(f"an upper face has four or five corners, not {count}")


def all_turns(outline: tuple[Point, ...]) -> list[tuple[Point, ...]]:
    """The outline counted from each of its corners: what a face shows does not depend on it."""
    return [outline[i:] + outline[:i] for i in range(len(outline))]


def rectify(
    pixels: Pixels, outline_px: Sequence[Point], light: Light, pentagon_radius_px: float = PENTAGON_RADIUS_PX
) -> npt.NDArray[np.float32]:
    """The patch of the upper face with that outline: float32, (48, 48, 3), BGR, sRGB-encoded, 0 to 1.

    ``pixels`` is the whole picture as given, ``outline_px`` four or five corners, clockwise as seen in it; five lie
    ``pentagon_radius_px`` from the middle of the patch.
    """
    return _cut(pixels, outline_px, light, patch_corners(len(outline_px), pentagon_radius_px), PATCH_SIDE_PX)


def rectify_in_less_light(pixels: Pixels, outline_px: Sequence[Point], light: Light, patch: Patch) -> Patch | None:
    """The same face in half of the light, where it is a cube's and much of its ``patch`` is brighter than paper.

    A lamp that is mirrored in a face makes it so bright, and hides what is drawn there: clipped, it is all white.
    None of other faces.
    """
    less = _less(light, outline_px, patch)
    return None if less is None else rectify(pixels, outline_px, less)


def looks_at_face(pixels: Pixels, outline_px: tuple[Point, ...], light: Light) -> tuple[list[Patch], list[Patch]]:
    """The patches of a face begun at each of its corners, and the same in less light where that shows more."""
    turns = all_turns(outline_px)
    patches = [rectify(pixels, turned, light) for turned in turns]
    less = _less(light, outline_px, patches[0])
    return patches, [] if less is None else [rectify(pixels, turned, less) for turned in turns]


def _less(light: Light, outline_px: Sequence[Point], patch: Patch) -> Dimmed | None:
    """Half of the light, where a face has four corners and much of its patch is clipped."""
    if len(outline_px) != 4:
        return None
    face = patch[within_face(0), within_face(0)].max(axis=2)
    return Dimmed(light, _LESS_LIGHT) if float((face >= _BRIGHTER_THAN_PAPER).mean()) >= _LEAST_BRIGHT else None


def rectify_as_seen(pixels: Pixels, outline_px: Sequence[Point]) -> Pixels:
    """The same face as the camera gives it, not balanced: uint8, (48, 48, 3), BGR."""
    return _warped(pixels, outline_px, patch_corners(len(outline_px)), PATCH_SIDE_PX)


def rectify_with_sides(pixels: Pixels, outline_px: Sequence[Point], light: Light) -> Patch:
    """The patch of a face of four corners, closer and with what is seen of its sides: float32, (64, 64, 3), else as
    ``rectify`` cuts it.

    The face is mapped onto the middle 40 px square: of a die of 16 mm on the mat, below a camera at 350 mm, the sides
    are seen within the margin of 12 px all over the roll area but for its corners.
    """
    half = WIDE_FACE_PX / 2
    target = WIDE_PATCH_PX / 2 + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)
    return _cut(pixels, outline_px, light, target, WIDE_PATCH_PX)


def _cut(
    pixels: Pixels, outline_px: Sequence[Point], light: Light, target: npt.NDArray[np.float32], side: int
) -> Patch:
    """The patch of so many px, the corners of the outline mapped to the ``target`` (k, 2) in it."""
    small = _warped(pixels, outline_px, target, side)
    middle = np.asarray(outline_px, np.float32).mean(axis=0)
    # All pixels are seen in the same light: what each value means there is computed once.
    values = encode(light.reflectance(_EVERY_VALUE, (float(middle[0]), float(middle[1]))))
    return np.asarray(cv2.LUT(small, values), np.float32)


def _warped(pixels: Pixels, outline_px: Sequence[Point], target: npt.NDArray[np.float32], side: int) -> Pixels:
    """The same as the camera gives it: uint8, (side, side, 3), BGR."""
    corners_px = np.asarray(outline_px, np.float32)
    # Corners are counted in pixel edges in the patch and in pixel middles in the picture, hence the halves.
    to_patch, _ = cv2.findHomography(corners_px, target * _OVERSAMPLING - 0.5, 0)
    large = cv2.warpPerspective(
        pixels,
        to_patch,
        (side * _OVERSAMPLING, side * _OVERSAMPLING),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(cv2.resize(large, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def encode(reflectance: Reflectance) -> npt.NDArray[np.float32]:
    """Linear reflectance as sRGB values from 0 to 1 (IEC 61966-2-1); what is brighter than paper is clipped."""
    linear = np.clip(reflectance, 0.0, 1.0)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.power(linear, 1 / 2.4) - 0.055).astype(np.float32)


def nearly_linear(encoded: Patch) -> Patch:
    """The reflectance of a patch's values, about what ``encode`` was given: the power of 2.2 is off by 0.01 at most.

    >>> value = np.linspace(0, 1, 101, dtype=np.float32)
    >>> bool(np.abs(nearly_linear(encode(value)) - value).max() < 0.01)
    True
    """
    return np.asarray(np.power(encoded, 2.2), np.float32)


def network_input(patches: Sequence[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
    """Patches as one batch for a network: float32, (n, 3, side, side)."""
    return np.ascontiguousarray(np.stack(patches).transpose(0, 3, 1, 2))


def burnt_share(frame: Pixels, outline_px: Sequence[Point]) -> float:
    """How much of a convex outline (px) in a picture (uint8 BGR) is too bright for the camera, 0 to 1."""
    corners = np.rint(np.array(outline_px)).astype(np.int32)
    left, top, width, height = cv2.boundingRect(corners)
    low = np.maximum([left, top], 0)
    part = frame[low[1] : top + height, low[0] : left + width]
    inside = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, corners - low.astype(np.int32), 1)
    return float((part[inside > 0].max(axis=1, initial=0) >= _BURNT).mean()) if inside.any() else 0.0
