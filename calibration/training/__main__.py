"""``python -m calibration.training``: draws patches, trains the face network, measures it, writes it with its card.

Needs PyTorch and onnx (the dependency group ``train``); nothing else in Croupier does.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

from calibration.training.fit import Pace, add_pace, best_temperature, fit, scores
from calibration.training.labels import face_labels
from calibration.training.measure import accuracy_by_kind, confusions, judge, reliability
from calibration.training.network import from_onnx, share_of
from calibration.training.patchset import PatchSet, draw_patches
from calibration.training.stills import cut_patches, read_stills
from calibration.training.typed import add_share, origin
from vision.dice import NUMBER_DIE

HELD_BACK_SEED = 77
LOOKS = 6  # at each die of a labelled picture that is trained on


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m calibration.training", description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="the .onnx file to write; its card goes beside it as .json")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--passes", type=float, default=30, help="how often every patch is seen")
    parser.add_argument("--count", type=int, default=60000, help="patches to draw for training, where none are given")
    parser.add_argument("--workers", type=int, default=1, help="processes that draw")
    parser.add_argument("--patches", type=Path, nargs="*", default=[], help="patches drawn before (.npz)")
    parser.add_argument("--held-back", type=Path, nargs="*", default=[], help="patches drawn before, to measure on")
    parser.add_argument(
        "--mat-stills", type=Path, nargs="*", default=[], help="labelled pictures on the croupier mat"
    )
    parser.add_argument("--other-stills", type=Path, nargs="*", default=[], help="labelled pictures of other floors")
    parser.add_argument("--fonts", type=Path, nargs="*", default=[], help="TrueType files for the numbers")
    parser.add_argument(
        "--begin-with", type=Path, help="a network of the same faces (.onnx, its card beside it) to go on from"
    )
    add_share(parser)
    add_pace(parser)
    return parser.parse_args()


def _from_stills(asked: argparse.Namespace, held_back: bool, looks: int) -> PatchSet | None:
    """The dice of the labelled pictures: two thirds to train on, one third held back."""
    rng = np.random.default_rng(5)
    folders = [(folder, True) for folder in asked.mat_stills] + [(folder, False) for folder in asked.other_stills]
    stills = (still for folder, on_mat in folders for still in read_stills(folder, on_mat))
    cut = [s for still in stills if still.held_back == held_back for s in cut_patches(still, rng, looks)]
    return PatchSet.of(iter(cut)) if cut else None


def main() -> int:
    asked = _arguments()
    torch.set_num_threads(1)  # the same sums in the same order; layers this small gain nothing from a second core
    labels = face_labels()
    drawn = (
        PatchSet.load(asked.patches)
        if asked.patches
        else draw_patches(asked.seed, asked.count, asked.fonts, asked.workers)
    )
    held = (
        PatchSet.load(asked.held_back)
        if asked.held_back
        else draw_patches(HELD_BACK_SEED, 4000, asked.fonts, asked.workers)
    )
    train = drawn
    seen = _from_stills(asked, False, LOOKS)
    if seen is not None:
        train = PatchSet(np.concatenate([drawn.patches, seen.patches]), np.concatenate([drawn.classes, seen.classes]))
    five = np.array([kind == NUMBER_DIE for kind, _, _ in labels])
    print(f"{len(train)} patches to train on, {len(held)} drawn ones held back", flush=True)
    before = asked.begin_with.read_bytes() if asked.begin_with else None
    begin = from_onnx(before, len(labels)) if before else None
    network = fit(
        train,
        five,
        len(labels),
        asked.passes,
        asked.seed,
        lambda line: print(line, flush=True),
        begin,
        pace=Pace(asked.batch, asked.seconds),
    )
    half = len(held) // 2
    temperature = best_temperature(scores(network, held.patches[:half]), held.classes[:half])
    onnx = network.to_onnx(temperature)
    if before and asked.share < 1:
        onnx = share_of(before, onnx, asked.share, len(labels))
    network = from_onnx(onnx, len(labels)).eval()
    verdicts = judge(scores(network, held.patches[half:]), held.classes[half:])
    card: dict[str, Any] = {
        "labels": [list(label) for label in labels],
        **origin("calibration.training", asked),
        "torch": torch.__version__,
        "patches": len(train),
        "temperature": round(temperature, 3),
        "score": {"drawn, held back": accuracy_by_kind(verdicts)},
        "reliability": reliability(verdicts),
        "commonest mistakes": confusions(verdicts),
    }
    for name, part in (("pictures trained on", False), ("pictures held back", True)):
        cut = _from_stills(asked, part, 1)
        if cut is not None:
            card["score"][name] = accuracy_by_kind(judge(scores(network, cut.patches), cut.classes))
    asked.out.write_bytes(onnx)
    asked.out.with_suffix(".json").write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(json.dumps({k: v for k, v in card.items() if k != "labels"}, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
