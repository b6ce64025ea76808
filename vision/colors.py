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
_BLACK, _GREY, _WHITE, _ODD = (np.int8(COLORS.index(name)) for name in ("black", "grey", "white", "odd"))


def _hue_circle() -> tuple[Floats, Names]:
    """Hues (degrees) at which names change, from -180 on, and the names between them: the nearest within reach."""
    bounds: list[float] = []
    names = [_ODD]
    places = sorted((place, name) for name, place in HUES.items())
    for i, (place, name) in enumerate(places):
        before = places[i - 1][0] + _HUE_REACH if i else -180.0
        if before > place - _HUE_REACH:  # as far as the neighbour's: they meet half way
            bounds[-1] = (places[i - 1][0] + place) / 2
            names.pop()
        else:
            bounds.append(place - _HUE_REACH)
        bounds.append(place + _HUE_REACH)
        names += [np.int8(COLORS.index(name)), _ODD]
    return np.array(bounds), np.array(names, np.int8)


_BOUNDS, _NAMES = _hue_circle()


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
    chroma = np.sqrt(a * a + b * b)
    names = _NAMES[np.searchsorted(_BOUNDS, np.degrees(np.arctan2(b, a)))]
    # Dark things keep less chroma: the same paint in the shade is still that paint.
    neutral = chroma < np.minimum(_LEAST_CHROMA, 6 + 0.3 * lightness)
    greys = np.where(lightness < _BLACK_BELOW, _BLACK, np.where(lightness > _WHITE_ABOVE, _WHITE, _GREY))
    return np.asarray(np.where(neutral, greys, names), np.int8)


def shares(names: Names) -> dict[str, float]:
    """How much of the samples each colour has, those that occur."""
    counts = np.bincount(names.ravel(), minlength=len(COLORS)) / max(names.size, 1)
    return {color: float(counts[i]) for i, color in enumerate(COLORS) if counts[i]}
