"""Names for colours, judged in CIE Lab after the mat has said what white is.

Hues are those of the mat's patches, which dice of the five games share (measured on 150 rendered faces under lamps
of 2,500 to 7,500 K: within 10 degrees of their patch, while neighbouring names are 25 degrees or more apart).
"""

from types import MappingProxyType

import cv2
import numpy as np
import numpy.typing as npt

from vision.patches import encode
from vision.reading import Floats, Reflectance

Names = npt.NDArray[np.int8]

COLORS = ("black", "grey", "white", "red", "gold", "green", "blue", "purple", "odd")
"""What a sample may be called; ``odd`` is a hue between the names (orange, skin, wood)."""

HUES = MappingProxyType({"red": 25.0, "gold": 82.0, "green": 150.0, "blue": -71.0, "purple": -44.0})
"""Lab hue angles (degrees) of the colours that dice are painted with."""

_HUE_REACH = 22.0
_LEAST_CHROMA = 17.0
_BLACK_BELOW = 45.0
_WHITE_ABOVE = 76.0


def to_lab(reflectance: Reflectance) -> Floats:
    """CIE Lab (D65, L 0 to 100) of linear reflectance (…, 3), BGR: shape (…, 3)."""
    encoded = encode(reflectance).reshape(1, -1, 3)
    lab = cv2.cvtColor(encoded, cv2.COLOR_BGR2LAB)
    return np.asarray(lab.reshape(reflectance.shape), np.float64)


def hue_distance(hue: Floats, place: float) -> Floats:
    """How far hues lie from a place on the circle, in degrees from 0 to 180.

    >>> float(hue_distance(np.array(170.0), -170.0))
    20.0
    """
    return np.asarray(np.abs((hue - place + 180) % 360 - 180), np.float64)


def name_colors(lab: Floats) -> Names:
    """The index in ``COLORS`` of each sample (…, 3).

    >>> [COLORS[i] for i in name_colors(np.array([[50.0, 55, 26], [95, 1, 1], [36, 17, -50], [60, 30, 35]]))]
    ['red', 'white', 'blue', 'odd']
    """
    lightness, a, b = lab[..., 0], lab[..., 1], lab[..., 2]
    chroma = np.hypot(a, b)
    hue = np.degrees(np.arctan2(b, a))
    names = np.full(lightness.shape, COLORS.index("odd"), np.int8)
    nearest = np.full(lightness.shape, _HUE_REACH)
    for name, place in HUES.items():
        distance = hue_distance(hue, place)
        names[distance < nearest] = COLORS.index(name)
        nearest = np.minimum(nearest, distance)
    # Dark things keep less chroma: the same paint in the shade is still that paint.
    neutral = chroma < np.minimum(_LEAST_CHROMA, 6 + 0.3 * lightness)
    names[neutral] = COLORS.index("grey")
    names[neutral & (lightness < _BLACK_BELOW)] = COLORS.index("black")
    names[neutral & (lightness > _WHITE_ABOVE)] = COLORS.index("white")
    return names


def shares(names: Names) -> dict[str, float]:
    """How much of the samples each colour has, those that occur."""
    counts = np.bincount(names.ravel(), minlength=len(COLORS)) / max(names.size, 1)
    return {color: float(counts[i]) for i, color in enumerate(COLORS) if counts[i]}
