"""Reading a chance cube: red or blue by the colour of its upper face, whatever glyph is on it."""

from dataclasses import dataclass

from vision.colors import shares
from vision.sample_faces import FaceColors

_LEAST_SHARE = 0.45  # of the upper face; the largest glyphs cover 40 %
_MOST_OTHER = 0.12  # another bright colour on the face: no chance cube
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
    face = shares(colors.inner)
    color = "red" if face.get("red", 0.0) >= face.get("blue", 0.0) else "blue"
    share = face.get(color, 0.0)
    strange = sum(face.get(name, 0.0) for name in ("red", "blue", "gold", "green", "purple", "odd") if name != color)
    rim = shares(colors.rim).get(color, 0.0)
    if share < _LEAST_SHARE or strange > _MOST_OTHER or rim < _LEAST_RIM:
        return None
    other = "blue" if color == "red" else "red"
    sides = [shares(side) for side in colors.sides]
    if any(max(side.get(name, 0.0) for name in ("green", "gold", "purple", "white")) > 0.6 for side in sides):
        return None
    unmistakable = any(side.get(other, 0.0) > 0.6 for side in sides)
    confidence = min(1.0, 0.7 + 0.3 * min(share, 1 - strange, rim) / 0.9)
    return FaceGuess("chance-cube", color, color, confidence, unmistakable)
