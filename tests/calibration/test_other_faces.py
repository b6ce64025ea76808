"""Faces of the games' dice and of others, cut out of drawn pictures to learn from."""

from collections import Counter

import numpy as np
import pytest

from calibration.detector_model import detector_network
from calibration.model import trained_faces
from calibration.synthesis.scene import picture
from calibration.training.other_faces import LOOKS, faces_of
from calibration.training.stills import Still
from vision.detector import Detector
from vision.other_network import WHOSE
from vision.patches import PATCH_SIDE_PX


@pytest.mark.parametrize("floor", ["mat", "wood"])
def test_every_face_found_is_cut_out_as_whose_it_is(floor: str) -> None:
    network, detector = trained_faces(), Detector(detector_network())
    found = Counter[tuple[int, str]]()
    for number in range(3):
        drawn = picture(np.random.default_rng([65, number]), floor, condition="clean", most_others=5)
        still = Still(drawn.pixels, drawn.label, True, False)
        made = list(faces_of(still, network, detector, np.random.default_rng(number)))
        assert {patch.shape for patch, _ in made} == {(PATCH_SIDE_PX, PATCH_SIDE_PX, 3)}
        for whose, count in Counter(WHOSE[number] for _, number in made).items():
            assert count % LOOKS[whose[1]] == 0
            found[whose] += count
    assert found[4, "games"] and found[4, "others"] and found[5, "games"] + found[5, "others"]


def test_where_no_other_games_dice_lie_none_is_cut_out() -> None:
    drawn = picture(np.random.default_rng([65, 9]), "mat", condition="clean")
    still = Still(drawn.pixels, drawn.label, True, False)
    made = faces_of(still, trained_faces(), Detector(detector_network()), np.random.default_rng(1))
    assert {WHOSE[number][1] for _, number in made} == {"games"}
