"""``python -m calibration.detection.pips OUT.onnx``: trains the network that counts pips and writes it with its card.

It is asked of faces that others take for a pip die's: real ones are speckled, clear, worn and far in ways that drawn
ones are not, so photographs weigh most in what it learns from. Needs PyTorch and onnx (dependency group ``train``).
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from calibration.detection.faces import patch_set
from calibration.training.fit import best_temperature, fit, scores
from calibration.training.labels import face_labels
from calibration.training.network import Plan
from calibration.training.patchset import PatchSet
from calibration.training.typed import as_typed
from vision.dice import PIP_DIE

PIPS = Plan(0, (16, 32, 48, 64, 64), (True, True, False, True, True), 48)
"""A little wider than the plan of all faces: 430 kB."""

CLASSES = 7
"""Nothing that can be counted, and one to six pips."""

_SURE = 0.9
_FADED = 0.5  # of pip dice whose ink comes near their body's colour


def counts_of(classes: NDArray[np.int16]) -> NDArray[np.int16]:
    """How many pips each of the classes of ``face_labels`` shows; 0 for all that is no pip die's face.

    >>> counts_of(np.array([0, 23, 28, 60], np.int16)).tolist()
    [0, 1, 6, 0]
    """
    pips = [int(face) if kind == PIP_DIE else 0 for kind, face, _ in face_labels()]
    return np.array(pips, np.int16)[classes]


def faded(patch: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The patch with less contrast, as a dim lamp, a dark body or a veil of glare makes it."""
    level = patch.reshape(-1, 3).mean(0) if rng.random() < 0.7 else rng.uniform(0, 255, 3)
    kept = rng.uniform(0.3, 0.9)
    value = level + kept * (patch.astype(np.float32) - level)
    if rng.random() < 0.3:  # a lamp mirrored in it
        at, reach = rng.uniform(8, 40, 2), float(rng.uniform(1.5, 6))
        glint = np.zeros(patch.shape[:2], np.float32)
        turn, long = float(rng.uniform(0, 180)), float(rng.uniform(1, 3))
        axes = (max(round(reach * long), 1), max(round(reach), 1))
        cv2.ellipse(glint, (int(at[0]), int(at[1])), axes, turn, 0, 360, 1.0, -1, cv2.LINE_AA)
        soft = cv2.GaussianBlur(glint, (0, 0), float(rng.uniform(0.4, 2.5)))[..., None]
        value = value + soft * np.float32(rng.uniform(0.4, 1.0)) * (255 - value)
    return np.asarray(np.clip(np.round(value), 0, 255), np.uint8)


def pip_patches(folders: Sequence[str], seed: int) -> PatchSet:
    """Patches and counts of ``FOLDER=LOOKS`` and ``FILE.npz=TIMES``, half of those with pips faded."""
    rng = np.random.default_rng(seed)
    every = patch_set(folders, rng)
    counts = counts_of(every.classes)
    patches = every.patches
    for i in np.flatnonzero((counts > 0) & (rng.random(len(counts)) < _FADED)):
        patches[i] = faded(patches[i], rng)
    return PatchSet(patches, counts)


def measured(raw: NDArray[Any], truth: NDArray[np.int16]) -> Mapping[str, Any]:
    """Of the patches with pips: how many are counted rightly, how many surely, and how many surely and wrongly."""
    chance = np.exp(raw - raw.max(1, keepdims=True))
    chance /= chance.sum(1, keepdims=True)
    guess, sure = chance.argmax(1), chance.max(1) >= _SURE
    pips = truth > 0
    return {
        "faces": int(pips.sum()),
        "right": round(float((guess == truth)[pips].mean()), 4),
        "sure": round(float((sure & (guess > 0))[pips].mean()), 4),
        "sure_and_wrong": int((sure & (guess > 0) & (guess != truth)).sum()),
    }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m calibration.detection.pips", description="Counts pips.")
    parser.add_argument("out", type=Path, help="the .onnx file to write; its card goes beside it as .json")
    parser.add_argument("--pictures", nargs="+", required=True, metavar="FOLDER[=LOOKS]|FILE.npz[=TIMES]")
    parser.add_argument("--held-back", nargs="+", required=True, type=Path, metavar="FOLDER")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--passes", type=float, default=10)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def main() -> int:
    asked = _arguments()
    torch.set_num_threads(asked.threads)
    train = pip_patches(asked.pictures, asked.seed)
    print(f"{len(train)} patches, {int((train.classes > 0).sum())} with pips", flush=True)
    four = np.zeros(CLASSES, bool)
    network = fit(train, four, CLASSES, asked.passes, asked.seed, lambda line: print(line, flush=True), None, PIPS)
    held = {folder.name: patch_set([f"{folder}=1"], np.random.default_rng(5)) for folder in asked.held_back}
    raw = {name: scores(network, part.patches) for name, part in held.items()}
    first = asked.held_back[0].name
    temperature = best_temperature(raw[first], counts_of(held[first].classes))
    card = {
        "seed": asked.seed,
        "command": as_typed("calibration.detection.pips"),
        "torch": torch.__version__,
        "patches": len(train),
        "temperature": round(temperature, 3),
        "score": {name: measured(raw[name] / temperature, counts_of(held[name].classes)) for name in held},
    }
    asked.out.write_bytes(network.to_onnx(temperature))
    asked.out.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")
    print(json.dumps(card, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
