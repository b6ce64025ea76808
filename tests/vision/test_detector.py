"""The detector: outlines as numbers, and what it finds in drawn pictures."""

import numpy as np
import pytest

from calibration.detector_model import detector_network
from calibration.synthesis.scene import picture
from vision.detector import Detector
from vision.outline_numbers import describe_outline, draw_outline


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(detector_network())


@pytest.mark.parametrize("count", [4, 5])
@pytest.mark.parametrize("first", [0, 1, 3])
def test_an_outline_is_the_same_whichever_corner_comes_first(count: int, first: int) -> None:
    rng = np.random.default_rng(count)
    turn = 0.4 + np.arange(count) * 2 * np.pi / count
    outline = np.array([200.0, 90.0]) + 30 * np.c_[np.cos(turn), 0.9 * np.sin(turn)] + rng.normal(0, 0.5, (count, 2))
    again = np.roll(outline, first, axis=0)
    assert np.allclose(describe_outline(outline), describe_outline(again))
    assert np.allclose(describe_outline(outline), describe_outline(again[::-1]), atol=1e-9)


@pytest.mark.parametrize("count", [4, 5])
def test_an_outline_comes_back_from_its_numbers(count: int) -> None:
    turn = 1.1 + np.arange(count) * 2 * np.pi / count
    outline = np.array([50.0, 70.0]) + 20 * np.c_[1.1 * np.cos(turn), np.sin(turn)]
    middle = outline.mean(axis=0)
    again = draw_outline((float(middle[0]), float(middle[1])), describe_outline(outline), count)
    away = np.linalg.norm(again[:, None] - outline[None], axis=2).min(axis=1)
    assert away.max() < 1.0  # a squeezed pentagon is no longer a polygon and its squeeze alone


@pytest.mark.parametrize("floor", ["felt", "wood", "paper", "carpet", "print"])
def test_faces_are_found_where_they_lie(detector: Detector, floor: str) -> None:
    cubes = ("chance-cube", "rig-die", "pip-die", "action-die")
    drawn = picture(np.random.default_rng(4), floor, cubes, "clean", 5)
    found = detector.find(drawn.pixels)
    for die in drawn.label["dice"]:
        corners = np.array(die["top_quad_px"])
        side = np.linalg.norm(corners[0] - corners[1])
        nearest = min(found, key=lambda f: np.hypot(*np.subtract(f.center_px, die["top_centre_px"])))
        assert np.hypot(*np.subtract(nearest.center_px, die["top_centre_px"])) < 0.25 * side
        assert nearest.what == "cube"
        assert len(nearest.outline_px) == 4


def test_an_empty_floor_holds_nothing(detector: Detector) -> None:
    assert [f for f in detector.find(np.full((600, 800, 3), 120, np.uint8)) if f.score > 0.5] == []


@pytest.mark.parametrize("shape", [(33, 40), (48, 700), (1201, 77), (2000, 3000)])
def test_pictures_of_any_shape_are_looked_at(detector: Detector, shape: tuple[int, int]) -> None:
    picture = np.random.default_rng(1).integers(0, 256, (*shape, 3), dtype=np.uint8)
    assert all(np.isfinite(f.outline_px).all() for f in detector.find(picture))


@pytest.mark.parametrize("content", [b"", b"no network", b"\x08\x07" * 40])
def test_what_is_no_network_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="no ONNX file"):
        Detector(content)


def test_after_a_rest_the_same_is_found(detector: Detector) -> None:
    drawn = picture(np.random.default_rng(4), "felt", ("chance-cube",), "clean", 5)
    before = detector.find(drawn.pixels)
    detector.rest()
    assert detector.find(drawn.pixels) == before
