"""``python -m calibration.training.situations OUT.json``: trains what tells how a die lies (``vision.situation``).

It looks at drawn scenes (``calibration.synthesis``) as the reader does and learns from their labels which fitted
solids stand, lean, are stacked or covered, and which are no dice. Twelve-sided dice beside cubes, where one kind of
those is sought, are none: they must hold up no throw.
"""

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, cycle
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from calibration.model import trained_faces
from calibration.training.fit import best_temperature
from calibration.training.fitted import number_dice_beside, situations_on_mat
from calibration.training.stills import Still, read_stills
from calibration.training.typed import as_typed
from vision.dice import ACTION_DIE, CHANCE_CUBE, PIP_DIE, RIG_DIE
from vision.judge import SITUATIONS
from vision.lean_network import CropNetwork
from vision.situation import SEEN, SIGNS, sight_signs

HIDDEN = 48
STEPS = 10_000
_DECAY = 3e-3
_CUBES = (CHANCE_CUBE, RIG_DIE, PIP_DIE, ACTION_DIE)


def gather(
    folders: Sequence[Path], sight: CropNetwork, beside: Sequence[Path] = ()
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Signs (n, k) and situations (n) of all that is fitted to the pictures in these folders.

    Those in ``beside`` are looked at for one kind of cubes each, and for its twelve-sided dice alone.
    """
    cv2.setNumThreads(1)
    network = trained_faces()
    rows, situations = [], []
    everything = ((still, one) for still in _stills(folders) for one in situations_on_mat(network, still))
    number_dice = (
        (still, one)
        for still, kind in zip(_stills(beside), cycle(_CUBES))
        for one in number_dice_beside(network, still, kind)
    )
    for still, one in chain(everything, number_dice):
        seen = sight_signs(sight, still.picture, one.camera, [one.candidate])
        rows.append(np.concatenate([one.signs, seen[0]]))
        situations.append(one.situation)
    return np.array(rows), np.array(situations)


def _stills(folders: Sequence[Path]) -> Iterator[Still]:
    for folder in folders:
        yield from read_stills(folder, True)


def measured(chance: NDArray[Any], truth: NDArray[Any]) -> dict[str, Any]:
    """The confusion table, and what is let through at several limits of "standing"."""
    guess = chance.argmax(axis=1)
    table = {name: dict(Counter(SITUATIONS[g] for g in guess[truth == i])) for i, name in enumerate(SITUATIONS)}
    limits = {
        str(limit): {
            "standing kept": round(float((chance[truth == 0, 0] >= limit).mean()), 4),
            "others let through": round(float((chance[truth != 0, 0] >= limit).mean()), 4),
        }
        for limit in (0.5, 0.7, 0.8, 0.9, 0.95)
    }
    return {
        "examples": {SITUATIONS[k]: int(v) for k, v in Counter(truth.tolist()).items()},
        "told as": table,
        "limits": limits,
    }


def train(
    signs: NDArray[Any], truth: NDArray[Any], seed: int
) -> tuple[NDArray[Any], NDArray[Any], torch.nn.Sequential]:
    """Mean and spread of the signs, and the fitted layers."""
    torch.manual_seed(seed)
    mean, spread = signs.mean(axis=0), signs.std(axis=0) + 1e-3
    layers = torch.nn.Sequential(
        torch.nn.Linear(signs.shape[1], HIDDEN), torch.nn.ReLU(), torch.nn.Linear(HIDDEN, len(SITUATIONS))
    )
    x = torch.from_numpy(np.clip((signs - mean) / spread, -4, 4)).float()
    y = torch.from_numpy(truth.astype(np.int64))
    optimizer = torch.optim.AdamW(layers.parameters(), 4e-3, weight_decay=_DECAY)
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = 4e-3 * (1 + math.cos(math.pi * step / STEPS)) / 2
        chosen = torch.randint(0, len(x), (min(1024, len(x)),))
        noisy = x[chosen] + 0.08 * torch.randn(len(chosen), x.shape[1])
        loss = torch.nn.functional.cross_entropy(layers(noisy), y[chosen], label_smoothing=0.01)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return mean, spread, layers


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m calibration.training.situations", description="How dice lie.")
    parser.add_argument("out", type=Path, help="the .json file to write")
    parser.add_argument("--sight", type=Path, required=True, help="the network of calibration.training.sight")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True, help="folders of drawn scenes on the mat")
    parser.add_argument("--beside", type=Path, nargs="+", default=(), help="more, for their twelve-sided dice alone")
    parser.add_argument("--held-back", type=Path, nargs="+", required=True, help="folders to measure on")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    sight = CropNetwork(asked.sight.read_bytes(), len(SITUATIONS))
    signs, truth = gather(asked.scenes, sight, asked.beside)
    mean, spread, layers = train(signs, truth, asked.seed)
    held, held_truth = gather(asked.held_back, sight)

    def raw(rows: NDArray[Any]) -> NDArray[Any]:
        with torch.no_grad():
            return layers(torch.from_numpy(np.clip((rows - mean) / spread, -4, 4)).float()).numpy()

    half = np.arange(len(held)) % 2 == 0
    temperature = best_temperature(raw(held[half]), held_truth[half])
    scaled = raw(held[~half]).astype(np.float64) / temperature
    chance = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    chance /= chance.sum(axis=1, keepdims=True)
    first, last = layers[0], layers[2]
    card = {
        "signs": [*SIGNS, *SEEN],
        "situations": list(SITUATIONS),
        "seed": asked.seed,
        "command": as_typed("calibration.training.situations"),
        "temperature": round(temperature, 3),
        "score": measured(chance, held_truth[~half]),
        "mean": mean.round(5).tolist(),
        "spread": spread.round(5).tolist(),
        "hidden": _stacked(first.weight, first.bias, 1.0),
        "last": _stacked(last.weight, last.bias, temperature),
    }
    asked.out.write_text(json.dumps(card, indent=None, separators=(",", ":")) + "\n", "utf-8")
    print(json.dumps(card["score"], indent=1))
    return 0


def _stacked(weight: torch.Tensor, bias: torch.Tensor, divisor: float) -> list[list[float]]:
    rows = torch.cat([weight.T, bias[None]]) / divisor
    return [[round(float(v), 5) for v in row] for row in rows]


if __name__ == "__main__":
    sys.exit(main())
