"""``python -m calibration.training.mat_faces OUT.npz FOLDER…``: upper faces as the reader cuts them out on the mat.

For ``calibration.training --patches``. Every solid that the reader fits to a folder's pictures gives a patch: of a
die that stands and can be read its face, several times with small errors of the outline; of what is no upper face, or
a largely covered one, nothing.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.model import trained_faces
from calibration.synthesis.outlines import jittered, turned
from calibration.synthesis.samples import LEAST_SEEN, MOST_COVERED, Sample
from calibration.training.fitted import is_its_upper_face, labelled_faces, seen_on_mat, sides_away
from calibration.training.patchset import PatchSet
from calibration.training.stills import Still, read_stills, truth_of
from vision.candidate import Candidate
from vision.light import MatLight
from vision.network import NOTHING, FaceNetwork
from vision.patches import rectify

LOOKS = 3
_FAR = 0.45  # of a face's side: a middle that far from those of all upper faces shows none of them
_NOTHING = (NOTHING, "", None)


def truth_at(candidate: Candidate, dice: Sequence[dict[str, Any]]) -> tuple[str, str, str | None] | None:
    """What the labels say of a candidate's outline: kind, face and body; None where it is no matter."""
    if all(sides_away(die, candidate.center_px) > _FAR for die in dice):
        return _NOTHING
    near = min(dice, key=lambda die: sides_away(die, candidate.center_px))
    if near["state"] != "flat":
        return None
    if len(candidate.outline_px) != len(near["top_quad_px"]) or near["visible_fraction"] < MOST_COVERED:
        return _NOTHING
    plain = near["readable"] and near["visible_fraction"] >= LEAST_SEEN
    return truth_of(near) if plain and is_its_upper_face(near, candidate.outline_px) else None


def faces_in(still: Still, network: FaceNetwork, rng: np.random.Generator, looks: int = LOOKS) -> Iterator[Sample]:
    """The samples of one picture: the first look at a candidate as the reader has it, the others a little off."""
    found = seen_on_mat(still, network)
    if found is None:
        return
    camera, seen = found
    light = MatLight(camera, seen.evidence.floor)
    dice = labelled_faces(still)
    for candidate in seen.looked_at:
        truth = truth_at(candidate, dice)
        if truth is None:
            continue
        yield Sample(candidate.patch, *truth)
        for _ in range(looks - 1 if truth != _NOTHING else 0):
            outline = turned(rng, jittered(rng, candidate.outline_px))
            yield Sample(rectify(still.picture, outline, light), *truth)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m calibration.training.mat_faces", description="Cuts out faces.")
    parser.add_argument("out", type=Path, help="the .npz file to write")
    parser.add_argument("folders", type=Path, nargs="+", help="folders of drawn scenes on the mat")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    network, rng = trained_faces(), np.random.default_rng(asked.seed)
    made: list[Sample] = []
    for folder in asked.folders:
        made += [sample for still in read_stills(folder, True) for sample in faces_in(still, network, rng)]
        print(f"{folder.name}: {len(made)} faces so far", flush=True)
    PatchSet.of(iter(made)).save(asked.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
