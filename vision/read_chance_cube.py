"""Reading a chance cube: red or blue by the colour of its upper face, whatever glyph is on it.

A red sticker looks like a red cube, and a cube may have edges of its other colour as a sticker has a border. Only the
sides tell the two apart: no cube has a green or white one, no die with stickers one that is blue all over.
"""

from dataclasses import dataclass

import numpy as np

from vision.colors import HUES, hue_distance, shares
from vision.reading import Floats
from vision.sample_faces import FaceColors

_CHROMATIC = 15.0  # Lab chroma from which a sample has a hue at all
_HUE_REACH = 22.0  # degrees; the face's own hue must be the patch's
_BLEND_REACH = 45.0  # degrees; beside the other colour, and in its reflection, blue goes to purple
_LEAST_PURE = 0.88
_LEAST_SHARE = 0.45  # of the upper face; the largest glyphs cover 40 %
_LEAST_GLARED = 0.2  # of the upper face where the rest is white with glare
# Of a side: 14 of 41 red stickers on red or blue (drawn) show such a one, none of 94 red cubes.
_LEAST_STICKER = {"green": 0.5, "white": 0.25}
_LEAST_RIM = 0.5  # a sticker's body shows all along the rim; a chance cube is one colour to the edge


@dataclass(frozen=True, slots=True)
class FaceGuess:
    """What one face may be: kind, body, face; how sure (0 to 1); and whether other kinds look just like it."""

    kind: str
    body: str | None
    face: str
    confidence: float
    unmistakable: bool


def read_chance_cube(colors: FaceColors) -> FaceGuess | None:
    """The colour of a chance cube, or None where the face is not one's."""
    for color, other in (("red", "blue"), ("blue", "red")):
        found = _as(colors, color, other)
        if found is not None:
            return found
    return None


def sides_show(colors: FaceColors) -> str | None:
    """What the sides tell of a red face: it is a ``sticker``; ``nothing``; None where none is seen well enough."""
    seen = [shares(side) for side in colors.sides]
    if any(side.get(color, 0.0) >= least for side in seen for color, least in _LEAST_STICKER.items()):
        return "sticker"
    return "nothing" if seen else None


def _as(colors: FaceColors, color: str, other: str) -> FaceGuess | None:
    share, pure, off = _coloured(colors.inner_lab, color)
    if off > _HUE_REACH or pure < _LEAST_PURE:
        return None
    glared = share < _LEAST_SHARE
    if glared and (share < _LEAST_GLARED or share + shares(colors.inner).get("white", 0.0) < 0.95):
        return None
    rim_share, rim_pure, _ = _coloured(colors.rim_lab, color)
    if rim_pure < 0.7 or (rim_share < _LEAST_RIM and not glared):
        return None
    sides = [_coloured(side, other) for side in colors.sides_lab]
    own = [_coloured(side, color) for side in colors.sides_lab]
    for (share_own, pure_own, _), (share_other, pure_other, _) in zip(own, sides, strict=True):
        if max(share_own, share_other) > 0.6 and max(pure_own, pure_other) < 0.4:
            return None  # a side of some third colour
    unmistakable = any(s > 0.6 and p > 0.8 and off < _BLEND_REACH for s, p, off in sides)
    sure = min(share / (share + 0.05), pure) if not glared else 0.75
    return FaceGuess("chance-cube", color, color, sure, unmistakable)


def _coloured(lab: Floats, color: str) -> tuple[float, float, float]:
    """Of samples (…, 3): the share that has a hue, how much of that is this colour's, how far off they are."""
    a, b = lab[..., 1].ravel(), lab[..., 2].ravel()
    chroma = np.hypot(a, b)
    with_hue = chroma > _CHROMATIC
    if not with_hue.any():
        return 0.0, 0.0, 180.0
    hue = np.degrees(np.arctan2(b[with_hue], a[with_hue]))
    pure = float((hue_distance(hue, HUES[color]) < _BLEND_REACH).mean())
    middle = float(np.degrees(np.arctan2(np.median(b[with_hue]), np.median(a[with_hue]))))
    return float(with_hue.mean()), pure, float(hue_distance(np.array(middle), HUES[color]))
