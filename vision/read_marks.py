"""Reading faces by rule, without a network: stickers and symbols, pips, plain faces.

This is the second opinion: it knows how the games' dice are made (``vision.dice``) and nothing of pictures seen
before. Where it and the network disagree, a die is left unread.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.colors import COLORS, name_colors, shares
from vision.dice import ACTION_DIE, KINDS, PIP_DIE, RIG_DIE
from vision.marks import Marks, Spot, find_spots

_LEAST_GROUND = 0.5  # of the face inside its border that has the sticker's colour
_BLANK_BELOW = 0.03
_SYMBOL_SHARE = (0.04, 0.4)
_BAR_SLENDER = 3.0  # a bar's length is at least 1.7 times its width; a plus and a disc measure 1
_PLUS_SLENDER = 1.8

_PIP_AREA = (0.007, 0.075)
_PIP_OFF = 0.11
# Pips in shares of the face, one turn of each; 2, 3 and 6 have another.
_LOW, _MID, _HIGH = 0.26, 0.5, 0.74
_PIPS = {
    "1": ((_MID, _MID),),
    "2": ((_LOW, _LOW), (_HIGH, _HIGH)),
    "3": ((_LOW, _LOW), (_MID, _MID), (_HIGH, _HIGH)),
    "4": ((_LOW, _LOW), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _HIGH)),
    "5": ((_LOW, _LOW), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _HIGH), (_MID, _MID)),
    "6": ((_LOW, _LOW), (_LOW, _MID), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _MID), (_HIGH, _HIGH)),
}


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a face may be by rule; body None where the rule cannot tell."""

    kind: str
    body: str | None
    face: str


def read_marks(found: Marks) -> list[Opinion]:
    """Everything that a face of four corners may be, by its ground, marks and border."""
    ground = COLORS[int(name_colors(found.ground[None])[0])]
    share = shares(found.inner).get(ground, 0.0)
    opinions: list[Opinion] = []
    rig = _rig(found, ground, share)
    if rig is not None:
        opinions.append(rig)
    action = _action(found, ground, share)
    if action is not None:
        opinions.append(action)
    pip = _pips(found, ground)
    if pip is not None:
        opinions.append(pip)
    return opinions


def _rig(found: Marks, ground: str, share: float) -> Opinion | None:
    symbol = _symbol(found)
    if symbol is None or (share < _LEAST_GROUND and symbol == "blank"):
        return None
    face = f"{ground} {symbol}"
    if not KINDS[RIG_DIE].has_face(face):
        return None
    border = _sides_alike(found, ("black", "white"))
    if border is None and ground == "black" and set(found.border) == {None}:
        border = "black"  # black on black
    if border is None and any(side in ("red", "blue") for side in found.border):
        return None
    body = border
    return Opinion(RIG_DIE, body, face)


def _symbol(found: Marks) -> str | None:
    """``+``, ``-`` or ``blank``, or None for marks that are none of them."""
    light = found.bright[6:-6, 6:-6]
    share = float(light.mean()) * light.size / found.marks.size
    dark = float((found.marks & ~found.bright)[7:-7, 7:-7].mean())
    if dark > 0.06:
        return None
    if share < _BLANK_BELOW * light.size / found.marks.size:
        return "blank"
    spots = sorted(find_spots(np.pad(light, 6)), key=lambda spot: -spot.area)
    if not spots or spots[0].area < 0.8 * sum(spot.area for spot in spots):
        return None
    one = spots[0]
    if abs(one.x - 0.5) > 0.14 or abs(one.y - 0.5) > 0.14 or not 0.015 < one.area < _SYMBOL_SHARE[1]:
        return None
    if one.slender >= _BAR_SLENDER:
        return "-"
    # A plus spreads more than a disc of its area does.
    return "+" if one.slender <= _PLUS_SLENDER and one.round < 0.9 else None


def _action(found: Marks, ground: str, share: float) -> Opinion | None:
    if ground not in KINDS[ACTION_DIE].faces or share < 0.85:
        return None
    if float(found.marks[6:-6, 6:-6].mean()) > 0.05 and np.ptp(found.inner) > 0 and share < 0.93:
        return None
    body = _sides_alike(found, KINDS[ACTION_DIE].bodies)
    if body is None and (ground != "red" or found.border.count(None) < 3):
        return None
    # Red without a border is red on red, or a border lost in blur: the rules leave that open.
    if body is not None and not KINDS[ACTION_DIE].has_face(ground, body):
        return None
    return Opinion(ACTION_DIE, body, ground)


def _sides_alike(found: Marks, names: Sequence[str]) -> str | None:
    """The border that at least two sides show and that no other comes near, out of those names."""
    counts = sorted(((found.border.count(name), name) for name in names), reverse=True)
    return counts[0][1] if counts[0][0] >= 2 and counts[0][0] > 2 * counts[1][0] else None


def _pips(found: Marks, ground: str) -> Opinion | None:
    spots = [spot for spot in find_spots(found.marks) if spot.area > 0.4 * _PIP_AREA[0]]
    inside = [spot for spot in spots if 0.12 < spot.x < 0.88 and 0.12 < spot.y < 0.88]
    face = _layout(inside)
    if face is None:
        return None
    body = {"white": "white", "gold": "yellow"}.get(ground)
    return Opinion(PIP_DIE, body, face)


def _layout(spots: list[Spot]) -> str | None:
    """The face whose pips lie where the spots are, in any turn."""
    if not 1 <= len(spots) <= 6:
        return None
    areas = [spot.area for spot in spots]
    if not _PIP_AREA[0] <= min(areas) or max(areas) > _PIP_AREA[1] or max(areas) > 2.6 * min(areas):
        return None
    if min(spot.round for spot in spots) < 0.6:
        return None
    at = np.array([(spot.x, spot.y) for spot in spots])
    face = str(len(spots))
    layout = np.array(_PIPS[face])
    for turned in (layout, np.stack([1 - layout[:, 1], layout[:, 0]], axis=1)):
        # Pips sit nearer to the middle on some dice: the layout may breathe.
        for scale in (0.8, 0.9, 1.0, 1.1):
            places = 0.5 + (turned - 0.5) * scale
            distance = np.linalg.norm(at[:, None] - places[None], axis=-1)
            if distance.min(axis=1).max() < _PIP_OFF and len(set(distance.argmin(axis=1))) == len(spots):
                return face
    return None
