"""The face network's outside: ranked guesses that add up, narrowed by the kinds in play."""

import numpy as np
import pytest

from calibration.model import face_labels, face_network
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
