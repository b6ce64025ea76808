"""``python -m calibration.detection.pips OUT.onnx``: trains the network that counts pips and writes it with its card.

It is asked of faces that others take for a pip die's: real ones are speckled, clear, worn and far in ways that drawn
ones are not, so photographs weigh most in what it learns from. Needs PyTorch and onnx (dependency group ``train``).

The committed one was trained further to know worn dice, whose pips have lost much of their paint; the one that it
began with knew dice whose corners a ball cuts off, and two pips in a row. Its drawings are of ``python -m
calibration.synthesis --kinds pip-die``: ``wrN`` and ``wmN`` of ``--worn --count 120 --seed`` and, of any floor, 76000
and N more and, on the mat, 76100; ``qrN`` of ``--floor any --round --count 110 --seed`` and 73600; ``prN``, ``psN``
and ``pxN`` of ``--floor any --count`` 120, 60 and 40 of 72600, 72700 and 72900, the last ``--mixed``; ``pmN`` 60 of
72800 on the mat; ``mx`` is 160 pictures of 73001 with all kinds and ``--mixed``. ``byl`` and ``dam`` are photographs
with the outlines of ``calibration.detection.outlines``, and all of them were learned from. Of what is held back,
``wr4`` and ``wm4`` were never seen; ``pr4``, ``qr4`` and ``pm4`` were by the network that it began with, and
``byl-held`` by both: its temperature, which that sets, is bolder for it. By the limits of ``vision``, some of which
were raised for it, more is read on pictures of other seeds than by its predecessor, and no more wrongly.
"""

import argparse
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
from calibration.training.network import Faces, Plan, between, from_onnx
from calibration.training.patchset import PatchSet
from calibration.training.typed import add_share, origin, write_card
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
    parser.add_argument("--begin-with", type=Path, help="a network (.onnx) to train further")
    add_share(parser)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def _begun(file: Path | None) -> Faces | None:
    return from_onnx(file.read_bytes(), CLASSES, PIPS) if file is not None else None


def main() -> int:
    asked = _arguments()
    torch.set_num_threads(asked.threads)
    # First, so that what is missing is said at once.
    held = {folder.name: patch_set([f"{folder}=1"], np.random.default_rng(5)) for folder in asked.held_back}
    train = pip_patches(asked.pictures, asked.seed)
    print(f"{len(train)} patches, {int((train.classes > 0).sum())} with pips", flush=True)
    four = np.zeros(CLASSES, bool)
    begin = _begun(asked.begin_with)
    network = fit(train, four, CLASSES, asked.passes, asked.seed, lambda line: print(line, flush=True), begin, PIPS)
    before = _begun(asked.begin_with) if asked.share < 1 else None  # once more: ``begin`` itself was trained
    if before is not None:
        network = between(before, network, asked.share)
    raw = {name: scores(network, part.patches) for name, part in held.items()}
    first = asked.held_back[0].name
    # What keeps much of its predecessor keeps its confidence, too, which was scaled on photographs.
    temperature = best_temperature(raw[first], counts_of(held[first].classes)) if before is None else 1.0
    card = {
        **origin("calibration.detection.pips", asked),
        "torch": torch.__version__,
        "patches": len(train),
        "temperature": round(temperature, 3),
        "score": {name: measured(raw[name] / temperature, counts_of(held[name].classes)) for name in held},
    }
    asked.out.write_bytes(network.to_onnx(temperature))
    write_card(asked.out, card)
    return 0


if __name__ == "__main__":
    sys.exit(main())
