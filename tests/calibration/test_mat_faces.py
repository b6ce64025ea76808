"""Faces that are cut out of drawn pictures to learn from: each is what the label says, or no face at all."""

from collections import Counter

import numpy as np

from calibration.model import trained_faces
from calibration.synthesis.scene import picture
from calibration.training.mat_faces import LOOKS, faces_in
from calibration.training.stills import Still, truth_of
from vision.network import NOTHING
from vision.patches import PATCH_SIDE_PX

PICTURES = 3


def test_what_stands_gives_its_face_as_often_as_it_is_looked_at_and_nothing_else_gives_one() -> None:
    network = trained_faces()
    found, faces = 0, 0
    for number in range(PICTURES):
        drawn = picture(np.random.default_rng([64, number]), "mat", condition="clutter")
        truth = {truth_of(die) for die in drawn.label["dice"]}
        still = Still(drawn.pixels, drawn.label, True, False)
        samples = list(faces_in(still, network, np.random.default_rng(number)))
        assert {one.patch.shape for one in samples} == {(PATCH_SIDE_PX, PATCH_SIDE_PX, 3)}
        shown = Counter((one.kind, one.face, one.body) for one in samples if one.kind != NOTHING)
        assert set(shown) <= truth
        assert all(count % LOOKS == 0 for count in shown.values())
        found += len(shown)
        faces += len(truth)
    assert found >= 0.7 * faces
