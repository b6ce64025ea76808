"""``python -m calibration.training.numbers OUT.onnx``: trains the network that reads numbers on dice.

It looks at the middle of a patch alone and knows ``NOTHING`` and the numbers 1 to 12. A reader looks at a number in
five turns and takes the mean of what it sees, so that its confidence is scaled for such a mean.
"""

import argparse
import json
import shlex
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from calibration.training.fit import best_temperature, fit, scores
from calibration.training.labels import NOTHING, face_labels
from calibration.training.measure import CONFIDENCES
from calibration.training.network import NUMBERS, Faces, from_onnx
from calibration.training.patchset import PatchSet
from calibration.training.stills import cut_patches, read_stills
from vision.dice import KINDS, NUMBER_DIE
from vision.patches import PATCH_SIDE_PX

TURNS = 5
LABELS = ((NOTHING, "", None), *((NUMBER_DIE, face, None) for face in KINDS[NUMBER_DIE].faces))
NOTHING_KEPT = 3  # every third of the patches of nothing: they show cubes and floors more than numbers
LOOKS = 6


def numbers_of(patches: PatchSet) -> PatchSet:
    """The patches of numbers and some of nothing, their classes counted as ``LABELS`` are."""
    own = {i: LABELS.index(label) for i, label in enumerate(face_labels()) if label in LABELS}
    rows = np.flatnonzero(np.isin(patches.classes, list(own)))
    nothing = patches.classes[rows] == 0
    rows = rows[~nothing | (np.cumsum(nothing) % NOTHING_KEPT == 0)]
    return PatchSet(patches.patches[rows], np.array([own[int(c)] for c in patches.classes[rows]], np.int16))


def mean_of_turns(network: Faces, patches: NDArray[np.uint8]) -> NDArray[Any]:
    """Scores of each patch, the mean over its five turns: (N, 13)."""
    middle = (PATCH_SIDE_PX / 2 - 0.5,) * 2
    total = np.zeros((len(patches), len(LABELS)))
    for turn in range(TURNS):
        to = cv2.getRotationMatrix2D(middle, 360 / TURNS * turn, 1.0)
        size = (PATCH_SIDE_PX, PATCH_SIDE_PX)
        turned = [cv2.warpAffine(patch, to, size, borderMode=cv2.BORDER_REPLICATE) for patch in patches]
        raw = torch.log_softmax(torch.from_numpy(scores(network, np.asarray(turned, np.uint8))), 1).numpy()
        total += raw / TURNS
    return total


def measured(raw: NDArray[Any], truth: NDArray[Any]) -> dict[str, Any]:
    """What part is right, and the reliability curve."""
    chance = np.exp(raw - raw.max(1, keepdims=True))
    chance /= chance.sum(1, keepdims=True)
    guess, sure = chance.argmax(1), chance.max(1)
    curve = []
    for low, high in pairwise(CONFIDENCES):
        inside = (sure >= low) & ((sure < high) | (high == 1.0))
        if inside.any():
            right = float((guess == truth)[inside].mean())
            curve.append({"from": low, "to": high, "patches": int(inside.sum()), "right": round(right, 4)})
    dice = truth > 0
    return {
        "numbers": int(dice.sum()),
        "right": round(float((guess == truth)[dice].mean()), 4),
        "at 0.97 or surer": round(float(((sure >= 0.97) & (guess > 0))[dice].mean()), 4),
        "of those wrong": int(((sure >= 0.97) & (guess > 0) & (guess != truth)).sum()),
        "reliability": curve,
    }


def _from_stills(folders: list[Path], on_mat: bool, held_back: bool, looks: int) -> PatchSet | None:
    rng = np.random.default_rng(6)
    stills = (still for folder in folders for still in read_stills(folder, on_mat) if still.held_back == held_back)
    cut = [s for still in stills for s in cut_patches(still, rng, looks) if s.kind == NUMBER_DIE]
    return numbers_of(PatchSet.of(iter(cut))) if cut else None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m calibration.training.numbers", description="Reads numbers.")
    parser.add_argument("out", type=Path, help="the .onnx file to write; its card goes beside it as .json")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--passes", type=float, default=18, help="how often every patch is seen")
    parser.add_argument("--patches", type=Path, nargs="+", required=True, help="patches drawn before (.npz)")
    parser.add_argument("--held-back", type=Path, nargs="+", required=True, help="patches to measure on")
    parser.add_argument(
        "--mat-stills", type=Path, nargs="*", default=[], help="labelled pictures on the croupier mat"
    )
    parser.add_argument("--other-stills", type=Path, nargs="*", default=[], help="labelled pictures of other floors")
    parser.add_argument(
        "--begin-with", type=Path, help="a network of numbers (.onnx, its card beside it) to go on from"
    )
    asked = parser.parse_args()
    torch.set_num_threads(1)
    parts = [numbers_of(PatchSet.load([file])) for file in asked.patches]
    for folders, on_mat in ((asked.mat_stills, True), (asked.other_stills, False)):
        cut = _from_stills(folders, on_mat, False, LOOKS)
        parts += [cut] if cut is not None else []
    train = PatchSet(np.concatenate([p.patches for p in parts]), np.concatenate([p.classes for p in parts]))
    held = numbers_of(PatchSet.load(asked.held_back))
    print(f"{len(train)} patches to train on, {len(held)} drawn ones held back", flush=True)
    five = np.array([kind == NUMBER_DIE for kind, _, _ in LABELS])
    before = from_onnx(asked.begin_with.read_bytes(), len(LABELS), NUMBERS) if asked.begin_with else None
    network = fit(
        train, five, len(LABELS), asked.passes, asked.seed, lambda line: print(line, flush=True), before, NUMBERS
    )
    raw = mean_of_turns(network, held.patches)
    half = len(held) // 2
    temperature = best_temperature(raw[:half].astype(np.float32), held.classes[:half])
    card: dict[str, Any] = {
        "labels": [list(label) for label in LABELS],
        "margin_px": NUMBERS.margin_px,
        "seed": asked.seed,
        "command": "python -m calibration.training.numbers "
        + shlex.join(Path(a).name if "/" in a else a for a in sys.argv[1:]),
        "began with": json.loads(asked.begin_with.with_suffix(".json").read_text("utf-8"))["command"]
        if before
        else None,
        "torch": torch.__version__,
        "patches": len(train),
        "temperature": round(temperature, 3),
        "score": {"drawn, held back": measured(raw[half:] / temperature, held.classes[half:])},
    }
    for name, folders, on_mat in (("mat", asked.mat_stills, True), ("other floors", asked.other_stills, False)):
        for part in (False, True):
            cut = _from_stills(folders, on_mat, part, 1)
            if cut is not None:
                key = f"pictures on {name}, {'held back' if part else 'trained on'}"
                card["score"][key] = measured(mean_of_turns(network, cut.patches) / temperature, cut.classes)
    asked.out.write_bytes(network.to_onnx(temperature))
    asked.out.with_suffix(".json").write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(json.dumps({k: v for k, v in card.items() if k != "labels"}, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
