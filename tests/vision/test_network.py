"""The face network's outside: ranked guesses that add up, narrowed by the kinds in play."""

import numpy as np
import pytest

from calibration.model import face_labels, face_network, number_network, number_network_card, trained_faces
from calibration.synthesis.samples import samples
from vision.network import NOTHING, FaceNetwork


@pytest.fixture(scope="module")
def network() -> FaceNetwork:
    return FaceNetwork(face_network(), face_labels())


def patches(count: int) -> list[np.ndarray]:
    return list(np.random.default_rng(1).random((count, 48, 48, 3), np.float32))


def test_guesses_are_ranked_and_add_up_to_one(network: FaceNetwork) -> None:
    ranked = network.classify(patches(3))
    assert len(ranked) == 3
    for guesses in ranked:
        probabilities = [guess.probability for guess in guesses]
        assert probabilities == sorted(probabilities, reverse=True)
        assert sum(probabilities) == pytest.approx(1, abs=1e-4)
        assert len(guesses) == len(face_labels())


def test_only_the_kinds_in_play_are_guessed(network: FaceNetwork) -> None:
    guesses = network.classify(patches(1), kinds=["chance-cube"])[0]
    assert {guess.kind for guess in guesses} == {"chance-cube", NOTHING}
    assert sum(guess.probability for guess in guesses) == pytest.approx(1, abs=1e-4)


def test_a_batch_reads_as_its_patches_do(network: FaceNetwork) -> None:
    several = patches(5)
    together = network.scores(several)
    alone = np.concatenate([network.scores([patch]) for patch in several])
    assert np.allclose(together, alone, atol=1e-3)


def test_no_patches_give_no_guesses(network: FaceNetwork) -> None:
    assert network.classify([]) == []


def test_four_turns_read_a_turned_patch_the_same(network: FaceNetwork) -> None:
    patch = patches(1)[0]
    turned = np.ascontiguousarray(np.rot90(patch))
    assert np.allclose(network.scores([patch], turns=4), network.scores([turned], turns=4), atol=1e-3)


def test_a_file_that_is_no_network_is_refused() -> None:
    with pytest.raises(ValueError, match="ONNX"):
        FaceNetwork(b"not a network", face_labels())


def test_labels_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="labels"):
        FaceNetwork(face_network(), face_labels()[:-1])


def test_another_network_says_which_number_it_is() -> None:
    card = number_network_card()
    numbers = FaceNetwork(number_network(), [tuple(label) for label in card["labels"]], card["margin_px"])
    alone = FaceNetwork(face_network(), face_labels())
    asked = trained_faces()
    drawn = [s.patch for s, _ in zip(samples(3, shares={"number-die": 1.0}), range(12), strict=False)]
    for patch in drawn:
        first = {(g.kind, g.face): g.probability for g in asked.classify([patch], kinds=["number-die"])[0]}
        before = {(g.kind, g.face): g.probability for g in alone.classify([patch], kinds=["number-die"])[0]}
        other = {(g.kind, g.face): g.probability for g in numbers.classify([patch])[0]}
        assert sum(first.values()) == pytest.approx(1, abs=1e-3)
        among = [key for key in other if key[0] == "number-die"]
        assert max(among, key=lambda key: first[key]) == max(among, key=lambda key: other[key])
        low, high = sorted([before[NOTHING, ""], other[NOTHING, ""]])
        assert low - 1e-3 <= first[NOTHING, ""] <= high + 1e-3


def test_cubes_are_read_as_without_it() -> None:
    alone, asked = FaceNetwork(face_network(), face_labels()), trained_faces()
    drawn = [s.patch for s, _ in zip(samples(3, shares={"rig-die": 1.0}), range(12), strict=False)]
    for one, two in zip(alone.classify(drawn, ["rig-die"]), asked.classify(drawn, ["rig-die"]), strict=True):
        assert [g.face for g in one] == [g.face for g in two]
