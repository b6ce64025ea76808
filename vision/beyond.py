"""Dice on the mat's margin and beside the mat: named, for a throw may be short of them, but never read.

Only the detector looks there, for beyond the printed page nothing is known of the floor.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from vision.any_floor import AnyFloor
from vision.camera import Camera
from vision.detect_on_mat import Pixel, look_over_part, scale_for
from vision.detector import Found
from vision.find_mat import uncovered_markers
from vision.lean_network import lean_crop
from vision.mat_layout import COLOR_PATCHES, PAGES, ROLL_AREA, Rectangle, marker_area
from vision.plain_floor import is_not_plain
from vision.reading import Pixels, Point, Unread
from vision.seeds import seeds_under

_AROUND_MM = 40.0  # trays' walls are up to 35 mm away
_WITHIN_MM = 15.0  # so that dice that lie across the border are seen whole
_PX_PER_MM = 1.0  # of 20 dice that lie wholly beyond it 12 are found so, and no more with 1.25
_INSIDE_MM = 5.0  # as far inside the roll area a die's foot must be to count
_KNOWN_MM = 28.0  # about the middle of an upper face: no other die has its own there
_LEAST_GLANCE, _LEAST_SCORE = 0.3, 0.6  # of 32 things that the detector took for dice there all but two had less
_SIZES_MM = (9.5, 24.0)  # edges, as if it stood on the mat; those two were 6 mm
_APART = 1.5  # circumradii from what has been named or read
_LEAST_LEANING = 0.8  # the two that leaned on a wall had 0.89 and 0.92, five that stood there 0.73 at most


def name_beyond(
    any_floor: AnyFloor, frame: Pixels, camera: Camera, number_dice: bool, known_px: Sequence[Point]
) -> list[Unread]:
    """What looks like dice outside the roll area in a frame (uint8 BGR), away from what is known.

    Each is ``outside`` or, where it leans, ``cocked``.
    """
    detector = any_floor.detector
    scale = scale_for(camera, _PX_PER_MM)
    glances: list[Found] = []
    for low, high in _parts_with_things(frame, camera, known_px):
        found = look_over_part(detector, frame, low, high, number_dice, scale)
        glances += [
            face for face in found if _is_die(face, camera, _LEAST_GLANCE) and _is_alone(face, known_px, glances)
        ]
    named = [
        face for face in detector.look_closer(frame, glances, number_dice) if _is_die(face, camera, _LEAST_SCORE)
    ]
    return [
        Unread("cocked" if _leans(any_floor, frame, camera, face) else "outside", face.center_px, is_beyond=True)
        for face in named
    ]


def _parts_with_things(frame: Pixels, camera: Camera, known_px: Sequence[Point]) -> Iterator[tuple[Pixel, Pixel]]:
    """The first pixel, and the one after the last, of parts of the picture that show what may lie around the roll
    area and is not known: those of four strips around it that are not plain."""
    strips = list(_strips(camera, frame.shape))
    if not strips:
        return
    low, high = np.min([first for first, _ in strips], axis=0), np.max([last for _, last in strips], axis=0)
    known = [ROLL_AREA.grown(-_WITHIN_MM), *map(marker_area, uncovered_markers(frame, camera))]
    if known_px:
        known += [Rectangle.square((x, y), _KNOWN_MM) for x, y in camera.ground(np.array(known_px)).tolist()]
    printed = [ROLL_AREA, *PAGES, *(patch.area for patch in COLOR_PATCHES)]
    corners = np.concatenate([area.corners_mm for area in (*known, *printed)])
    polygons = list((camera.project(corners) - low).reshape(-1, 4, 2))
    px_per_mm = 1 / scale_for(camera, 1.0)
    busy, times = is_not_plain(
        frame[low[1] : high[1], low[0] : high[0]], px_per_mm, polygons[: len(known)], polygons[len(known) :]
    )
    for first, last in strips:
        (left, top), (right, bottom) = (first - low) // times, -(-(last - low) // times)
        if busy[top:bottom, left:right].any():
            yield first, last


def _strips(camera: Camera, shape: tuple[int, ...]) -> Iterator[tuple[Pixel, Pixel]]:
    """The first pixel, and the one after the last, of parts of the picture that show what is around the roll area."""
    area, all_ = ROLL_AREA, ROLL_AREA.grown(_AROUND_MM)
    for strip in (
        Rectangle(all_.left_mm, all_.top_mm, all_.right_mm, area.top_mm + _WITHIN_MM),
        Rectangle(all_.left_mm, area.bottom_mm - _WITHIN_MM, all_.right_mm, all_.bottom_mm),
        Rectangle(all_.left_mm, area.top_mm, area.left_mm + _WITHIN_MM, area.bottom_mm),
        Rectangle(area.right_mm - _WITHIN_MM, area.top_mm, all_.right_mm, area.bottom_mm),
    ):
        seen = camera.project(np.array(strip.corners_mm))
        low = np.maximum(np.floor(seen.min(axis=0)), 0).astype(np.intp)
        high = np.minimum(np.ceil(seen.max(axis=0)), shape[1::-1]).astype(np.intp)
        if (high > low).all():
            yield low, high


def _is_die(face: Found, camera: Camera, least: float) -> bool:
    """Whether it is an upper face of a die's size, of a die whose foot is outside the roll area."""
    if not face.stands or face.score < least:
        return False
    x, y, _, edge = seeds_under(camera, [face])[0]
    return _SIZES_MM[0] <= edge <= _SIZES_MM[1] and not ROLL_AREA.contains((float(x), float(y)), _INSIDE_MM)


def _is_alone(face: Found, known_px: Sequence[Point], others: Sequence[Found]) -> bool:
    return all(face.apart(place) > _APART for place in (*known_px, *(other.center_px for other in others)))


def _leans(any_floor: AnyFloor, frame: Pixels, camera: Camera, face: Found) -> bool:
    if any_floor.leaning is None:
        return False
    foot = camera.project(seeds_under(camera, [face])[:, :2])[0]
    crop = lean_crop(frame, np.array(face.outline_px), foot)
    return bool(any_floor.leaning.alone.chances([crop])[0] >= _LEAST_LEANING)
