"""The committed network of numbers: right about numbers drawn for this test alone, and never surely wrong."""

import itertools
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from calibration.model import number_network, number_network_card, trained_faces
from calibration.synthesis.digits import Hand, any_hand, decorated
from calibration.synthesis.flat_numbers import FlatNumber, flat_numbers
from calibration.synthesis.warped_hands import warped
from vision.any_light import PlainLight
from vision.numbers import NumberNetwork, looks_at_number, see_numbers
from vision.patches import NUMBER_RADIUS_PX, patch_corners

SEED = 4242  # neither trained on nor measured on elsewhere


@pytest.fixture(scope="module")
def network() -> NumberNetwork:
    return NumberNetwork(number_network(), number_network_card()["margin_px"])


@pytest.fixture(scope="module")
def drawn() -> list[FlatNumber]:
    return list(itertools.islice(flat_numbers(SEED, share_decorated=0.0, share_warped=0.0), 300))


def turns(patch: np.ndarray) -> list[np.ndarray]:
    middle = (23.5, 23.5)
    every = (cv2.getRotationMatrix2D(middle, 72 * turn, 1.0) for turn in range(5))
    return [
        cv2.warpAffine(patch, to, (48, 48), borderMode=cv2.BORDER_REPLICATE).astype(np.float32) / 255 for to in every
    ]


def test_most_drawn_numbers_are_read_and_hardly_one_surely_misread(
    network: NumberNetwork, drawn: list[FlatNumber]
) -> None:
    chances = network.chances([turns(one.patch) for one in drawn])
    truth = np.array([one.number for one in drawn])
    guess, sure = chances.argmax(axis=1), chances.max(axis=1)
    assert (guess == truth)[truth > 0].mean() > 0.85
    assert ((sure > 0.97) & (guess > 0) & (guess != truth)).sum() <= 0.01 * len(drawn)


def test_probabilities_add_up_and_the_first_corner_does_not_matter(
    network: NumberNetwork, drawn: list[FlatNumber]
) -> None:
    looks = turns(drawn[0].patch)
    chances = network.chances([looks, looks[2:] + looks[:2]])
    assert chances.sum(axis=1) == pytest.approx([1, 1])
    assert chances[0] == pytest.approx(chances[1], abs=1e-4)


def test_a_closer_look_makes_a_number_surer_and_never_another_one(
    network: NumberNetwork, drawn: list[FlatNumber]
) -> None:
    times = 3
    outline = [(float(x), float(y)) for x, y in patch_corners(5, NUMBER_RADIUS_PX) * times]
    light = PlainLight(1.0)
    surer = 0
    for one in drawn[:100]:
        frame = cv2.resize(one.patch, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC)
        before = network.chances([looks_at_number(frame, outline, light)])[0]
        ((after,),) = see_numbers([network], frame, [outline], light)
        assert after.argmax() == before.argmax()
        assert after.max() >= before.max()
        surer += before.max() < 0.97 <= after.max()
    assert surer > 0


@pytest.mark.parametrize("changed", [decorated, warped])
def test_numbers_of_unusual_hands_are_read_or_left_and_hardly_one_surely_misread(
    changed: Callable[[Hand, np.random.Generator], Hand],
) -> None:
    networks = trained_faces().numbers
    rng = np.random.default_rng(SEED)
    times = 4
    outline = [(float(x), float(y)) for x, y in patch_corners(5, NUMBER_RADIUS_PX) * times]
    side = 48 * times
    wrong, count = 0, 150
    for _ in range(count):
        number = int(rng.integers(1, 13))
        mask = changed(any_hand(rng), rng).masks[number - 1]
        scale = float(rng.uniform(0.6, 1.0)) * NUMBER_RADIUS_PX * times / 77  # a number is 77 px high in its mask
        to = cv2.getRotationMatrix2D((63.5, 63.5), float(rng.uniform(0, 360)), scale)
        to[:, 2] += (side - 128) / 2
        ink = cv2.warpAffine(mask, to, (side, side)).astype(np.float32) / 255
        frame = np.repeat(np.round(60 + 140 * ink).astype(np.uint8)[..., None], 3, axis=2)
        seen = [said[0] for said in see_numbers(networks, frame, [outline], PlainLight(1.0))]
        together = np.exp(np.mean(np.log(seen), axis=0))
        together /= together.sum()
        wrong += together.max() > 0.97 and together.argmax() not in (0, number)
    assert wrong <= 0.01 * count


def test_no_faces_give_no_answers(network: NumberNetwork) -> None:
    assert network.chances([]).shape == (0, 13)
    assert see_numbers([network], np.zeros((9, 9, 3), np.uint8), [], PlainLight(1.0))[0].shape == (0, 13)


@pytest.mark.parametrize("content", [b"", b"not a network"])
def test_a_file_that_is_no_network_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="ONNX"):
        NumberNetwork(content, 4)
