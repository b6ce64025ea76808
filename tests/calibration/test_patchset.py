"""Patches that are drawn and kept to learn from."""

from collections import Counter
from pathlib import Path

import numpy as np

from calibration.training.labels import face_labels
from calibration.training.patchset import PatchSet, main
from vision.dice import PIP_DIE
from vision.network import NOTHING


def test_pip_dice_of_one_body_are_drawn_above_all_and_the_same_again(tmp_path: Path) -> None:
    for name in ("first.npz", "again.npz"):
        assert main([str(tmp_path / name), "12", "301", f"{PIP_DIE}:ivory"]) == 0
    drawn, again = (PatchSet.load([tmp_path / name]) for name in ("first.npz", "again.npz"))
    assert len(drawn) == 12 and np.array_equal(drawn.patches, again.patches)
    labels = face_labels()
    shown = Counter((labels[number][0], labels[number][2]) for number in drawn.classes)
    assert {kind for kind, _ in shown} <= {PIP_DIE, NOTHING}
    assert shown[PIP_DIE, "white"] >= 6


def test_what_is_no_kind_of_dice_is_refused(tmp_path: Path) -> None:
    assert main([str(tmp_path / "none.npz"), "twelve", "1", "all"]) == 2
    assert not (tmp_path / "none.npz").exists()
