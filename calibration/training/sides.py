"""``python -m calibration.training.sides OUT.onnx``: trains the network that tells sides of dice from upper faces.

It learns from pictures off the mat that it draws itself and from photographs that were taken from above
(``calibration.training.side_faces``). Every third photograph is held back, and so are pictures of another seed.

The committed one learned from ``byler`` and ``damian``.
"""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from calibration.training.leaning import fit
from calibration.training.side_faces import LOOKS, Seen, drawn_crops, photographed_crops
from calibration.training.typed import as_typed, write_card
from vision.lean_network import CROP_PX
from vision.side_network import SideNetwork

LIMITS = (-2, -1, 0, 1, 2)
TOLD_EACH = 600


def measured(network: SideNetwork, made: Sequence[Seen]) -> dict[str, Any]:
    """At several limits of the odds' logarithms: how many upper faces, and how many sides, pass for upper faces."""
    odds = np.concatenate([network.odds([np.asarray(crop / 255, np.float32)]) for crop, *_ in made])
    sides, numbers = (np.array(answers) for answers in zip(*(answers for _, *answers in made), strict=True))
    score: dict[str, Any] = {}
    for name, of_these in (("twelve-sided dice", numbers), ("cubes", ~numbers)):
        upper, side = odds[of_these & ~sides], odds[of_these & sides]
        score[name] = {
            "upper faces": len(upper),
            "sides": len(side),
            "upper faces kept": {str(limit): int((upper <= limit).sum()) for limit in LIMITS},
            "sides let through": {str(limit): int((side <= limit).sum()) for limit in LIMITS},
        }
    return score


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m calibration.training.sides", description="Tells sides of dice.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--photographs", nargs="*", type=Path, default=[], metavar="FOLDER", help="labelled ones")
    parser.add_argument("--count", type=int, default=7200, help="pictures to draw")
    parser.add_argument("--held-back-count", type=int, default=900)
    parser.add_argument("--passes", type=float, default=14)
    parser.add_argument("--seed", type=int, default=990_001, help="the one after it is held back")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    with Pool(asked.workers) as workers:
        held = workers.map(partial(drawn_crops, seed=asked.seed + 1, looks=1), range(asked.held_back_count), 8)
        learnt, held_photographs = photographed_crops(asked.photographs, asked.seed)
        each = workers.imap(partial(drawn_crops, seed=asked.seed, looks=LOOKS), range(asked.count), 8)
        for number, made in enumerate(each, 1):
            learnt.extend(made)
            if number % TOLD_EACH == 0:
                print(f"{number} of {asked.count} pictures", flush=True)
    crops, sides = np.stack([crop for crop, *_ in learnt]), np.array([is_side for _, is_side, _ in learnt])
    print(f"{len(crops)} crops, {int(sides.sum())} of sides", flush=True)
    network = fit(crops, sides, 2, asked.passes, asked.seed)
    asked.out.write_bytes(network.to_onnx(1.0))
    reader = SideNetwork(asked.out.read_bytes())
    card = {
        "side_px": CROP_PX,
        "seed": asked.seed,
        "command": as_typed("calibration.training.sides"),
        "torch": torch.__version__,
        "crops": len(crops),
        "sides": int(sides.sum()),
        "score": {
            "drawn": measured(reader, [one for made in held for one in made]),
            "photographed": measured(reader, held_photographs)["cubes"] if held_photographs else {},
        },
    }
    write_card(asked.out, card)
    return 0


if __name__ == "__main__":
    sys.exit(main())
