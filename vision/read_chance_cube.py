"""Reading a chance cube: red or blue by the colour of its upper face, whatever glyph is on it.

A red sticker looks like a red cube: ``vision.reds`` tells the two apart.
"""

from dataclasses import dataclass

import numpy as np

from vision.colors import HUES, hue_distance, shares
from vision.order import medians
from vision.reading import Floats
from vision.sample_faces import FaceColors

_CHROMATIC = 15.0  # Lab chroma from which a sample has a hue at all
_HUE_REACH = 22.0  # degrees; the face's own hue must be the patch's
_BLEND_REACH = 45.0  # degrees; beside the other colour, and in its reflection, blue goes to purple
_LEAST_PURE = 0.88
_LEAST_SHARE = 0.45  # of the upper face; the largest glyphs cover 40 %
_LEAST_GLARED = 0.2  # of the upper face where the rest is white with glare
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
    inner, rim = _Hues.of(colors.inner_lab), _Hues.of(colors.rim_lab)
    for color, other in (("red", "blue"), ("blue", "red")):
        found = _as(colors, inner, rim, color, other)
        if found is not None:
            return found
    return None


@dataclass(frozen=True)
class _Hues:
    """Of samples: the share that has a hue, those hues, and their middle (degrees); None where there are none."""

    share: float
    each: Floats
    middle: float | None

    @staticmethod
    def of(lab: Floats) -> "_Hues":
        """Those of samples (..., 3) in CIE Lab."""
        a, b = lab[..., 1].ravel(), lab[..., 2].ravel()
        with_hue = a * a + b * b > _CHROMATIC**2
        a, b = a[with_hue], b[with_hue]
        if not len(a):
            return _Hues(0.0, a, None)
        middle = float(np.degrees(np.arctan2(medians(b), medians(a))))
        return _Hues(len(a) / len(with_hue), np.asarray(np.degrees(np.arctan2(b, a)), np.float64), middle)

    def pure(self, color: str) -> float:
        """How much of what has a hue is of this colour."""
        if not len(self.each):
            return 0.0
        return int(np.count_nonzero(hue_distance(self.each, HUES[color]) < _BLEND_REACH)) / len(self.each)

    def off(self, color: str) -> float:
        """How far the middle is from this colour, in degrees."""
        return 180.0 if self.middle is None else abs((self.middle - HUES[color] + 180) % 360 - 180)


def _as(colors: FaceColors, inner: _Hues, rim: _Hues, color: str, other: str) -> FaceGuess | None:
    share, pure, off = inner.share, inner.pure(color), inner.off(color)
    if off > _HUE_REACH or pure < _LEAST_PURE:
        return None
    glared = share < _LEAST_SHARE
    if glared and (share < _LEAST_GLARED or share + shares(colors.inner).get("white", 0.0) < 0.95):
        return None
    if rim.pure(color) < 0.7 or (rim.share < _LEAST_RIM and not glared):
        return None
    sides = [_Hues.of(side) for side in colors.sides_lab]
    if any(side.share > 0.6 and max(side.pure(color), side.pure(other)) < 0.4 for side in sides):
        return None  # a side of some third colour
    unmistakable = any(
        side.share > 0.6 and side.pure(other) > 0.8 and side.off(other) < _BLEND_REACH for side in sides
    )
    sure = min(share / (share + 0.05), pure) if not glared else 0.75
    return FaceGuess("chance-cube", color, color, sure, unmistakable)
