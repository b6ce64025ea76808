"""``python -m calibration.training.reds OUT.onnx``: trains the network that tells red cubes from red stickers.

It learns from drawn faces alone (``calibration.synthesis.red_faces``), half of them cubes, and is measured on others,
drawn from a seed of their own. Its confidence is scaled for the mean of four turns that a reader takes.
"""

import argparse
import itertools
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from calibration.synthesis.red_faces import red_faces
from calibration.training.fit import best_temperature, fit, scores
from calibration.training.network import REDS, Faces, from_onnx
from calibration.training.patchset import PatchSet, drawn_side_by_side
from calibration.training.typed import origin, write_card
from vision.red_network import RED_BODIES

HELD_BACK_SEED = 999
LIMITS = (0.8, 0.9, 0.95, 0.97, 0.99)


def draw_reds(seed: int, count: int) -> PatchSet:
    """``count`` faces, the same for the same arguments; classes are indices into ``RED_BODIES``."""
    cv2.setNumThreads(1)
    drawn = list(itertools.islice(red_faces(seed), count))
    patches = np.stack([np.round(one.patch * 255).astype(np.uint8) for one in drawn])
    return PatchSet(patches, np.array([RED_BODIES.index(one.body) for one in drawn], np.int16))


def mean_of_turns(network: Faces, patches: NDArray[np.uint8]) -> NDArray[Any]:
    """Scores of each patch, the mean over its four turns: (N, 4)."""
    return np.asarray(np.mean([scores(network, np.rot90(patches, turn, (1, 2)).copy()) for turn in range(4)], axis=0))


def measured(raw: NDArray[Any], truth: NDArray[np.int16]) -> dict[str, Any]:
    """At several limits: how many cubes and stickers are told, and how many are told wrongly."""
    chance = np.exp(raw - raw.max(1, keepdims=True))
    cube = chance[:, 0] / chance.sum(1)
    told: dict[str, Any] = {}
    for limit in LIMITS:
        told[str(limit)] = {
            "cube" if body is None else f"sticker on {body}": {
                "faces": int((truth == i).sum()),
                "told": int(((cube if body is None else 1 - cube)[truth == i] >= limit).sum()),
                "wrong": int(((1 - cube if body is None else cube)[truth == i] >= limit).sum()),
            }
            for i, body in enumerate(RED_BODIES)
        }
    return told


def _kept(asked: argparse.Namespace) -> PatchSet:
    if asked.kept:
        return PatchSet.load(asked.kept)
    drawn = drawn_side_by_side(draw_reds, asked.seed, asked.faces, asked.workers)
    if asked.keep:
        drawn.save(asked.keep)
    return drawn


def _tell(line: str) -> None:
    print(line, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m calibration.training.reds", description="Tells reds apart.")
    parser.add_argument("out", type=Path, help="the .onnx file to write; its card goes beside it as .json")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faces", type=int, default=40_000, help="how many to draw")
    parser.add_argument("--held-back", type=int, default=4_000, help="how many more to measure on")
    parser.add_argument(
        "--passes", type=float, default=5, help="how often every face is seen, and its mirrored picture"
    )
    parser.add_argument("--keep", type=Path, help="where the faces drawn are kept (.npz)")
    parser.add_argument("--kept", type=Path, nargs="+", help="faces that were kept before, to learn from instead")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--begin-with", type=Path, help="a network (.onnx) to train further, its card beside it")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    train = _kept(asked)
    held = drawn_side_by_side(draw_reds, HELD_BACK_SEED, asked.held_back, asked.workers)
    # A mirrored cube is one that might be made.
    patches = np.concatenate([train.patches, train.patches[:, :, ::-1]])
    train = PatchSet(patches, np.concatenate([train.classes, train.classes]))
    print(f"{len(train)} faces to train on, half of them mirrored", flush=True)
    cubes = np.zeros(len(RED_BODIES), bool)  # none has five corners
    begin = from_onnx(asked.begin_with.read_bytes(), len(RED_BODIES), REDS) if asked.begin_with else None
    network = fit(train, cubes, len(RED_BODIES), asked.passes, asked.seed, _tell, begin, REDS)
    raw = mean_of_turns(network, held.patches)
    temperature = best_temperature(raw, held.classes)
    asked.out.write_bytes(network.to_onnx(temperature))
    card = {
        **origin("calibration.training.reds", asked),
        "torch": torch.__version__,
        "faces": len(train),
        "temperature": round(temperature, 3),
        "score": {"drawn, held back": measured(raw / temperature, held.classes)},
    }
    write_card(asked.out, card)
    return 0


if __name__ == "__main__":
    sys.exit(main())
