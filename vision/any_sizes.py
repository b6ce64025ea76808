"""How large the dice in a picture are of which no camera is known: by those faces that are surest, or can be read.

Seen close, a pip may look more like a die than the die that it is on, and a keyboard is full of small squares. What
can be read is a die, and tells how large the others are; five dice that lie together cannot be read as one.
"""

from collections.abc import Callable, Sequence

from vision.any_pips import count_pips
from vision.detector import Found
from vision.dice import PIP_DIE
from vision.reading import Pixels, ReadDie

ReadFace = Callable[[Found], ReadDie | str]
"""Reads one face, or says why not."""

SURE_FACE = 0.55  # detector's score from which something is an upper face
_LESS_SURE = 0.15
_SIZES_APART = 2.0  # dice are 11 to 20 mm wide, and the camera is far above them
_ABOUT = 1.6  # times; what differs more may be no die
_SPECKS = 3.0  # times smaller than the dice; pips, threads and grains are
_SURE_LARGE, _SURE_UNCOUNTED = 0.9, 0.995
"""Of a large pip die whose pips are counted, too, and of one whose are not. With 0.97 and always a count, and where
outlines of the die itself gave way to no other, 15 of 938 dice in 250 photographs by 22 people are read less, and of
the same ones 70 px wide 6; with neither is one read wrongly."""
_PIP, _SAME_DIE = 3.5, 1.6  # times that pips are smaller than their die; within which two outlines may be one die's
_FEWEST_PIPS = 2  # of a large die that cannot be read; a lone spot may be anything
_FEWEST_READABLE = 2  # faces that tell how large dice are: one alone may be an eye, or a window


def is_of_size(face: Found, usual_px: float) -> bool:
    """Whether a die may be as large as this where others are ``usual_px`` wide."""
    return usual_px / _SIZES_APART <= face.width_px <= usual_px * _SIZES_APART


def is_about_as_wide(face: Found, width_px: float) -> bool:
    """Whether a die is about as wide as that, as dice of one game are."""
    return width_px / _ABOUT <= face.width_px <= width_px * _ABOUT


def is_surely_a_die(face: Found, usual_px: float) -> bool:
    """Whether the detector is sure of a face, and it is about as large as the others."""
    return face.score >= SURE_FACE and is_about_as_wide(face, usual_px)


def is_speck(face: Found, usual_px: float) -> bool:
    """Whether it is far too small for a die where others are ``usual_px`` wide."""
    return face.width_px * _SPECKS < usual_px


def usual_width(found: Sequence[Found]) -> float:
    """How wide the dice are (px): the median of the sure ones, each weighed by its score; 0 where there are none."""
    return _median_width(_sure(found))


def width_of_read(found: Sequence[Found], read: ReadFace) -> float:
    """As ``usual_width``, by those faces alone that can be read where there are several.

    Where the detector is sure of nothing, pip dice that are read beyond doubt tell it.
    """
    sure = _sure(found) or [face for face in found if _is_beyond_doubt(read(face))]
    readable = [face for face in sure if isinstance(read(face), ReadDie)]
    return _median_width(readable if len(readable) >= _FEWEST_READABLE else sure)


def _is_beyond_doubt(die: ReadDie | str) -> bool:
    return isinstance(die, ReadDie) and die.kind == PIP_DIE and die.confidence >= _SURE_UNCOUNTED


def _sure(found: Sequence[Found]) -> list[Found]:
    # Threads and grains are often taken for tiny dice, but never as surely as dice are.
    least = max([SURE_FACE, *(face.score - _LESS_SURE for face in found)])
    return [face for face in found if face.score >= least]


def _median_width(faces: Sequence[Found]) -> float:
    half = sum(face.score for face in faces) / 2
    for width, score in sorted((face.width_px, face.score) for face in faces):
        half -= score
        if half <= 0:
            return width
    return 0.0


def with_large(found: Sequence[Found], large: Sequence[Found], frame: Pixels, read: ReadFace) -> list[Found]:
    """What was found in a frame (uint8 BGR), with ``large`` faces that surely are dice instead of their pips.

    Those within which nothing else was found, and several pips can be counted, are dice that may be left.
    """
    kept = list(found)
    for face in large:
        die = read(face)
        inner = [other for other in kept if face.apart(other.center_px) < 1]
        if inner and not isinstance(die, ReadDie):
            continue
        counted = count_pips(frame, face.outline_px)
        if not isinstance(die, ReadDie) or not _are_surely_pips(die, counted):
            if not inner and counted is not None and counted >= _FEWEST_PIPS:
                kept.append(face)
            continue
        readable = [other for other in inner if isinstance(read(other), ReadDie)]
        if all(_is_pip_or_same(other, face) for other in inner) and not _may_be_dice(readable, die, face):
            kept = [other for other in kept if other not in inner] + [face]
    return kept


def _are_surely_pips(die: ReadDie, counted: int | None) -> bool:
    if die.kind != PIP_DIE or die.confidence < _SURE_LARGE:
        return False
    return counted == int(die.face) or (counted is None and die.confidence >= _SURE_UNCOUNTED)


def _is_pip_or_same(face: Found, die: Found) -> bool:
    """Whether what was found on a die's face is too small for a die beside it, or that die, outlined otherwise."""
    return 2 * face.width_px < die.width_px or 1 / _SAME_DIE < face.width_px / die.width_px < _SAME_DIE


def _may_be_dice(readable: Sequence[Found], die: ReadDie, face: Found) -> bool:
    """Whether what can be read on a die's face may be other dice; one of several pips may look like one, too."""
    if not readable:
        return False
    return len(readable) > 1 or die.face == "1" or _PIP * readable[0].width_px >= face.width_px
