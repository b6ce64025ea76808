"""What is known of a kind of dice, and speaks against a face that networks see in a tray of one's own."""

from collections.abc import Sequence

from vision.any_light import may_be_made_white
from vision.any_pips import count_pips
from vision.dice import ACTION_DIE, PIP_DIE, RIG_DIE
from vision.opinions import Label, sticker_shows
from vision.patches import Patch, burnt_share
from vision.reading import Pixels, Point

_LEAST_UNCOUNTED = 0.92  # of pip dice whose pips cannot be counted
_LEAST_LONE_PIP = 0.93  # of two dice that were taken for a 1 with less, and were a 3 and a 5
_SURE_THOUGH_ALONE = 0.95  # of a 3 or a 5 of which the middle pip alone is counted
_SURELY_WHITE, _HARDLY_BURNT = 0.95, 0.1
"""Of 24 faces in 60 drawn trays that were taken for white with 0.6 or more and are not, those of which less than a
tenth is burnt out have 0.82 at most; of 169 white ones 119 are so."""


def is_contradicted(
    frame: Pixels, best: Label, sure: float, outlines: Sequence[tuple[Point, ...]], patches: Sequence[Patch]
) -> bool:
    """Whether it speaks against the ``best`` answer, of which the networks are so ``sure``.

    ``patches`` show the face in the first of the ``outlines`` (px in ``frame``, uint8 BGR).
    """
    kind, face, _ = best
    if kind == PIP_DIE:
        counts = [count for corners in outlines if (count := count_pips(frame, corners)) is not None]
        # Of a 3 or a 5 with faint or glared pips only the middle one may be counted, or seen.
        if face == "1" and sure < _LEAST_LONE_PIP:
            return True
        if set(counts) == {1} and face in ("3", "5") and sure >= _SURE_THOUGH_ALONE:
            return False
        return int(face) not in counts if counts else sure < _LEAST_UNCOUNTED
    if kind == RIG_DIE:
        return not sticker_shows(patches[0], face)
    return (kind, face) == (ACTION_DIE, "white") and _may_be_glare(frame, outlines, sure)


def _may_be_glare(frame: Pixels, outlines: Sequence[tuple[Point, ...]], sure: float) -> bool:
    """Whether a face that seems white may do so for a lamp that is mirrored in it.

    In an outline that is a little off a white sticker looks uneven, too, for the die's rim is seen in it.
    """
    if sure >= _SURELY_WHITE and max(burnt_share(frame, corners) for corners in outlines) < _HARDLY_BURNT:
        return False
    return any(may_be_made_white(frame, corners, sure) for corners in outlines)
