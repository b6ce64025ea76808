"""``python -m calibration.detection.outlines``: upper faces for photographs whose labels name only boxes or faces.

A detector trained on drawn pictures finds the faces; a die of the label whose box holds one of them in its middle
gets that outline, all others are marked to be ignored. Where a photograph's label has no places at all, its faces
are given to the found ones only if a reader, too, sees just those faces. Photographs stay where they are; the label
file that is written names them by their path.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.any_light import light_of
from vision.detector import Detector, Found
from vision.dice import PIP_DIE
from vision.network import FaceNetwork
from vision.patches import rectify

_LEAST_SCORE = 0.3
_SURE = 0.6
BLOCK = 10


def held_back(number: int) -> bool:
    """Whether a folder's ``number``-th photograph is for measuring alone: every third run of ten in order of time."""
    return number // BLOCK % 3 == 2


def _by_box(found: Sequence[Found], dice: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    out = []
    for die in dice:
        x, y, wide, high = die["box"]
        side = max(wide, high)
        middle = np.array([x + wide / 2, y + high / 2])
        near = [f for f in found if np.abs(np.subtract(f.center_px, middle)).max() < 0.3 * side]
        near = [f for f in near if f.what == "cube" and 0.35 < f.radius_px / side < 0.85]
        if near:
            out.append({**die, "top_quad_px": near[0].outline_px, "readable": True, "state": "flat"})
        else:
            box = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
            out.append({**die, "top_quad_px": box, "ignore": True})
    return out


def _by_faces(
    found: Sequence[Found], dice: Sequence[dict[str, Any]], picture: Any, reader: FaceNetwork | None
) -> list[dict[str, Any]] | None:
    upright = [f for f in found if f.what == "cube" and f.score >= _SURE]
    if len(upright) != len(dice):
        return None
    light = light_of(picture)
    faces: list[str | None] = [None] * len(upright)
    if reader is not None:
        patches = [rectify(picture, f.outline_px, light) for f in upright]
        ranked = reader.classify(patches, (PIP_DIE,), 4) if patches else []
        read = [next(g.face for g in guesses if g.face) for guesses in ranked]
        if Counter(read) != Counter(d["face"] for d in dice):
            return None
        faces = list(read)
    kept = []
    for face, shown in zip(upright, faces, strict=True):
        known = {"face": shown, "body": dice[0]["body"]} if shown else {"face": "?"}
        kept.append({"kind": PIP_DIE, **known, "top_quad_px": face.outline_px, "readable": True, "state": "flat"})
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("detector", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path, help="folder for labels.jsonl; OUT-held gets those held back")
    parser.add_argument("--guessed", action="store_true", help="teach the middles alone, not the outlines")
    parser.add_argument("--reader", type=Path, help="a face network with its card")
    asked = parser.parse_args()
    detector = Detector(asked.detector.read_bytes())
    reader = None
    if asked.reader:
        card = json.loads(asked.reader.with_suffix(".json").read_text("utf-8"))
        reader = FaceNetwork(asked.reader.read_bytes(), [tuple(label) for label in card["labels"]])
    lines: dict[bool, list[str]] = {False: [], True: []}
    labels = [json.loads(line) for line in (asked.folder / "labels.jsonl").read_text("utf-8").splitlines()]
    count: Counter[str] = Counter()
    for number, label in enumerate(sorted(labels, key=lambda label: label["image"])):
        file = (asked.folder / label["image"]).resolve()
        picture = np.asarray(cv2.imread(str(file)), np.uint8)
        found = [f for f in detector.find(picture) if f.score >= _LEAST_SCORE]
        boxed = all(die.get("box") for die in label["dice"])
        dice = _by_box(found, label["dice"]) if boxed else _by_faces(found, label["dice"], picture, reader)
        count["dice"] += len(label["dice"])
        count["outlined"] += sum(not d.get("ignore") for d in dice or [])
        if dice is not None:
            dice = [{**die, "guessed": asked.guessed} for die in dice]
            lines[held_back(number)].append(json.dumps({**label, "image": str(file), "dice": dice}))
    for part, suffix in ((False, ""), (True, "-held")):
        folder = asked.out.with_name(asked.out.name + suffix)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "labels.jsonl").write_text("".join(line + "\n" for line in lines[part]), "utf-8")
    print(dict(count))


if __name__ == "__main__":
    main()
