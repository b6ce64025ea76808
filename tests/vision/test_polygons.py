"""What polygons share does not depend on how near they come to being the same."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.polygons import area_of, shared, shared_area

Place = tuple[float, float, float, float]

places = st.tuples(
    st.floats(-30, 30), st.floats(-30, 30), st.floats(0, 2 * math.pi), st.floats(1, 20)
)  # middle, turn, radius


def _square(x: float, y: float, turn: float, radius: float) -> np.ndarray:
    angles = turn + np.arange(4) * math.pi / 2
    return np.column_stack([x + radius * np.cos(angles), y + radius * np.sin(angles)])


def test_outlines_that_nearly_coincide_share_nearly_all() -> None:
    # A face as the detector saw it and the silhouette of the same die, of which OpenCV says that they share nothing.
    face = np.array(
        [
            (157.17193603515625, 229.845458984375),
            (127.35176849365234, 237.3046112060547),
            (119.87223052978516, 207.3621063232422),
            (149.67950439453125, 199.86114501953125),
        ]
    )
    silhouette = np.array([(157, 230), (127, 238), (119, 208), (150, 200), (153, 201), (161, 229)])
    assert shared(face, silhouette) > 0.98


@given(places, places)
def test_what_is_shared_is_within_both_and_the_same_from_either_side(one: Place, other: Place) -> None:
    first, second = _square(*one), _square(*other)
    area = shared_area(first, second)
    assert area == pytest.approx(shared_area(second, first), abs=1e-6)
    assert area == pytest.approx(shared_area(first[::-1], second), abs=1e-6)
    assert 0 <= area <= min(area_of(first), area_of(second)) + 1e-6


@given(places, st.floats(0.1, 1.0))
def test_what_lies_within_is_shared_as_a_whole(one: Place, smaller: float) -> None:
    x, y, turn, radius = one
    assert shared(_square(x, y, turn, radius), _square(x, y, turn, smaller * radius)) == pytest.approx(1, abs=1e-6)


@given(places, places)
def test_what_lies_apart_shares_nothing(one: Place, other: Place) -> None:
    first, second = _square(*one), _square(*other)
    reach = first[:, 0].min() - second[:, 0].max()
    away = first - np.array([reach - 1, 0.0])
    assert shared_area(away, second) == 0
