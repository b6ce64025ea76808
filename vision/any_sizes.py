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
_SPECKS = 3.0  # times smaller than the dice; pips, threads and grains are
_SURE_LARGE = 0.97  # of 25 large faces that were photographed and read so none was read wrongly
_FEWEST_OTHERS = 2  # dice of another size than the usual one that can be read


def is_of_size(face: Found, usual_px: float) -> bool:
    """Whether a die may be as large as this where others are ``usual_px`` wide."""
    return usual_px / _SIZES_APART <= face.width_px <= usual_px * _SIZES_APART


def is_speck(face: Found, usual_px: float) -> bool:
    """Whether it is far too small for a die where others are ``usual_px`` wide."""
    return face.width_px * _SPECKS < usual_px


def usual_width(found: Sequence[Found]) -> float:
    """How wide the dice are (px): the median of the sure ones, each weighed by its score; 0 where there are none."""
    return _median_width(_sure(found))


def width_of_read(found: Sequence[Found], read: ReadFace) -> float:
    """As ``usual_width``, unless among dice and things of other sizes those that can be read tell otherwise."""
    sure = _sure(found)
    usual = _median_width(sure)
    others = [face for face in sure if not is_of_size(face, usual) and isinstance(read(face), ReadDie)]
    if len(others) < _FEWEST_OTHERS:
        return usual
    return usual_width([face for face in sure if isinstance(read(face), ReadDie)])


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
    """What was found in a frame (uint8 BGR), with ``large`` faces that surely are dice instead of their pips."""
    kept = list(found)
    for face in large:
        die = read(face)
        if not isinstance(die, ReadDie) or die.kind != PIP_DIE or die.confidence < _SURE_LARGE:
            continue
        inner = [other for other in kept if face.apart(other.center_px) < 1]
        if count_pips(frame, face.outline_px) == int(die.face) and all(_is_pip(other, face, read) for other in inner):
            kept = [other for other in kept if other not in inner] + [face]
    return kept


def _is_pip(face: Found, die: Found, read: ReadFace) -> bool:
    """Whether what was found on a die's face is too small for a die beside it, or none."""
    return 2 * face.width_px < die.width_px and not isinstance(read(face), ReadDie)
