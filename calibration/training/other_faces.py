"""``python -m calibration.training.other_faces OUT.npz FOLDER…``: faces of the games' dice and of others.

For ``calibration.training.others``. The folders hold drawn pictures (``calibration.synthesis --others``). Every face
that the reader finds gives patches, on the mat where there is one, else as the detector has it: of dice of the games
that stand and can be read, and of others. Classes are indices into ``vision.other_network.WHOSE``.
"""

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.detector_model import detector_network
from calibration.model import trained_faces
from calibration.synthesis.outlines import jittered, turned
from calibration.synthesis.samples import LEAST_SEEN
from calibration.training.fitted import is_its_upper_face, labelled_faces, seen_on_mat
from calibration.training.found_faces import upper_faces
from calibration.training.patchset import PatchSet
from calibration.training.stills import Still, read_stills
from vision.any_light import light_of
from vision.detector import Detector
from vision.dice import KINDS
from vision.light import MatLight
from vision.network import FaceNetwork
from vision.other_network import WHOSE
from vision.patches import Light, rectify
from vision.polygons import reach_of

LOOKS = {"games": 2, "others": 3}
"""At each face: the first as the reader has it, others a little off."""

_NEAR = 0.6  # of the reach of another game's upper face: a middle that near is its own

Outline = NDArray[Any]


def class_of(outline: Outline, label: dict[str, Any], dice: Sequence[dict[str, Any]]) -> str | None:
    """Whose die a found upper face (n, 2) px is, by the label; None where that is no matter."""
    middle = outline.mean(axis=0)
    for corners in label.get("other_dice", ()):
        other = np.asarray(corners)
        reach = reach_of(other)
        if math.dist(other.mean(axis=0), middle) <= _NEAR * reach:
            return "others"
    for die in label["dice"]:
        if "box" in die:  # of a photograph
            left, top, width, height = die["box"]
            if abs(middle[0] - left - width / 2) < width / 4 and abs(middle[1] - top - height / 2) < height / 4:
                return "games"
    for die in dice:
        flat = die["readable"] and die["state"] == "flat" and die["visible_fraction"] >= LEAST_SEEN
        if flat and is_its_upper_face(die, outline):
            return "games"
    return None


def found_in(still: Still, network: FaceNetwork, detector: Detector) -> tuple[list[Outline], Light]:
    """The upper faces that the reader finds in a picture, and the light there."""
    seen = seen_on_mat(still, network, KINDS) if still.on_mat else None
    if seen is not None:
        camera, evidence = seen
        return [one.outline_px for one in evidence.looked_at], MatLight(camera, evidence.evidence.floor)
    faces = upper_faces(detector, still.picture)
    return [np.array(face.outline_px) for face in faces], light_of(still.picture)


def faces_of(
    still: Still, network: FaceNetwork, detector: Detector, rng: np.random.Generator
) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Patches (uint8) and classes of one picture."""
    outlines, light = found_in(still, network, detector)
    dice = labelled_faces(still)
    for outline in outlines:
        whose = class_of(outline, still.label, dice)
        if whose is None:
            continue
        for look in range(LOOKS[whose]):
            corners = jittered(rng, outline.astype(np.float32)) if look else outline
            patch = rectify(still.picture, turned(rng, corners), light)
            yield np.asarray(np.round(patch * 255), np.uint8), WHOSE.index((len(outline), whose))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m calibration.training.other_faces", description="Cuts out faces.")
    parser.add_argument("out", type=Path, help="the .npz file to write")
    parser.add_argument("folders", type=Path, nargs="+", help="folders of drawn scenes")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    network, detector, rng = trained_faces(), Detector(detector_network()), np.random.default_rng(asked.seed)
    made: list[tuple[NDArray[np.uint8], int]] = []
    for folder in asked.folders:
        for still in read_stills(folder, True):
            made += faces_of(still, network, detector, rng)
        print(f"{folder.name}: {len(made)} faces so far", flush=True)
    PatchSet(np.stack([patch for patch, _ in made]), np.array([c for _, c in made], np.int16)).save(asked.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
