"""``python -m calibration.training.covered OUT.onnx``: trains what finds dice under a hand.

For ``vision.covered_network``. It draws its own pictures on the mat (``calibration.training.covered_scenes``):
in some things cover dice, in others all sorts lie beside dice or alone. What it learns of is each pixel's owner.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy, smooth_l1_loss

from calibration.detection.network import DetectorNetwork, Widths
from calibration.synthesis.scene import Picture
from calibration.training.covered_scenes import with_covered, without_covered
from calibration.training.fit import HALVED
from calibration.training.running_mean import RunningMean
from calibration.training.typed import as_typed, write_card
from vision.covered_network import (
    ANSWERS,
    CELL_PX,
    CHANNELS,
    PART,
    UNIT_PX,
    CoveredNetwork,
    middles_of,
    seen_from_above,
)
from vision.find_mat import as_grey, find_mat
from vision.floor import VIEW_PX_PER_MM, ViewMap, fit_floor, view_px
from vision.stand_out import against_floor, find_what_stands_out

HELD_BACK_SEED = 998
PLAN = Widths(halved=12, quarter=16, eighth=32, sixteenth=48, last=24)
BATCH, WINDOW_CELLS = 8, 48
PEAK_RATE = 3e-3
AVERAGE_DECAY = 0.995
WEIGHTS = (0.5, 1.0, 6.0)  # of the answers: most cells show nothing
OFFSET_WEIGHT = 1.0
_COVERED, _WHOLE = 0.7, 0.9  # shares of an upper face: with less a die is covered, with more nothing covers it
_UNKNOWN = 255
_LEAST_OF_CELL = 3  # of its 16 pixels
_NEAR_MM = 14.0  # from a die's middle within which it is found
LIMITS = (2, 3, 4, 6, 8, 12)
LEVEL = 80.0  # of what is seen: the floor


@dataclass(frozen=True)
class Example:
    """``seen`` uint8 (352, 448, 3); ``answers`` uint8 (88, 112), 255 where it is no matter; ``offsets`` float16
    (2, 88, 112); ``middles`` (n, 2): covered dice of which something is seen, px of the view."""

    seen: NDArray[np.uint8]
    answers: NDArray[np.uint8]
    offsets: NDArray[np.float16]
    middles: NDArray[Any]


def example_of(label: dict[str, Any], pixels: NDArray[np.uint8], owner: NDArray[np.int16]) -> Example | None:
    """What is to be learnt of a picture; None where the reader finds no mat in it."""
    mat = find_mat(as_grey(pixels))
    if mat is None:
        return None
    view_map = ViewMap.of(mat.camera)
    view = view_map.draw(pixels)
    floor = fit_floor(view)
    if floor is None or not floor.is_the_mats:
        return None
    seen = seen_from_above(against_floor(find_what_stands_out(view, floor).quiet, floor))
    shown = _owners(owner, view_map)[PART]
    cells = (shown.shape[0] // CELL_PX, CELL_PX, shown.shape[1] // CELL_PX, CELL_PX)
    answers = np.zeros((cells[0], cells[2]), np.uint8)
    offsets = np.zeros((2, cells[0], cells[2]), np.float16)
    most = np.full(answers.shape, _LEAST_OF_CELL - 1)
    rows, columns = np.mgrid[: cells[0], : cells[2]]
    at = (np.stack([columns, rows]) + 0.5) * CELL_PX - 0.5 + np.array([PART[1].start, PART[0].start])[:, None, None]
    middles = []
    for number, die in enumerate(label["dice"]):
        own = (shown == number).reshape(cells).sum(axis=(1, 3))
        here = own > most
        if not here.any():
            continue
        middle = view_px(mat.camera.ground(np.array([die["top_centre_px"]])))[0]
        most[here] = own[here]
        is_covered = die["state"] == "flat" and die["visible_fraction"] < _COVERED
        is_whole = die["state"] != "flat" or die["visible_fraction"] >= _WHOLE
        answers[here] = ANSWERS.index("covered" if is_covered else "whole") if is_covered or is_whole else _UNKNOWN
        offsets[:, here] = (middle[:, None] - at[:, here]) / UNIT_PX
        if is_covered:
            middles.append(middle)
    return Example(seen, answers, offsets, np.array(middles).reshape(-1, 2))


def _owners(owner: NDArray[np.int16], view_map: ViewMap) -> NDArray[np.int16]:
    nowhere = np.empty(0, np.int16)  # the map is in whole pixels
    return np.asarray(cv2.remap(owner, view_map.fine, nowhere, cv2.INTER_NEAREST, borderValue=-1), np.int16)


def examples_of(pictures: Iterable[Picture]) -> Iterator[Example]:
    """What is to be learnt of pictures."""
    for one in pictures:
        example = example_of(one.label, one.pixels, one.owner)
        if example is not None:
            yield example


def _windows(examples: list[Example], covering: list[Example], rng: np.random.Generator) -> list[torch.Tensor]:
    """Parts of examples as one batch: what is seen (0 to 1), answers and offsets; ``covering`` show covered dice."""
    parts = []
    for number in range(BATCH):
        among = examples if number % 2 else covering
        one = among[rng.integers(len(among))]
        most = np.array(one.answers.shape) - WINDOW_CELLS
        if number % 2:
            low = max(rng.integers(most + 1, size=(2, 2)), key=lambda at: _busy(one, at))
        else:
            covered = np.argwhere(one.answers == ANSWERS.index("covered"))
            middle = covered[rng.integers(len(covered))] + rng.integers(-16, 17, 2)
            low = np.clip(middle - WINDOW_CELLS // 2, 0, most)
        cells = tuple(slice(at, at + WINDOW_CELLS) for at in low)
        pixels = tuple(slice(at * CELL_PX, (at + WINDOW_CELLS) * CELL_PX) for at in low)
        parts.append((one.seen[pixels], one.answers[cells], one.offsets[:, cells[0], cells[1]]))
    seen, answers, offsets = (torch.from_numpy(np.stack(part)) for part in zip(*parts, strict=True))
    return [seen.permute(0, 3, 1, 2).float() / 255, answers.long(), offsets.float()]


def _busy(one: Example, low: NDArray[Any]) -> float:
    """How much is to be seen in a window besides the floor."""
    top, left = low * CELL_PX
    part = one.seen[top : top + WINDOW_CELLS * CELL_PX : 8, left : left + WINDOW_CELLS * CELL_PX : 8]
    return float(np.abs(part.astype(np.float32) - LEVEL).mean())


def _varied(seen: torch.Tensor, random: torch.Generator) -> torch.Tensor:
    """Pictures (n, 3, rows, columns), 0 to 1, in other colours and with more noise."""
    n = len(seen)
    mixed = torch.eye(3).repeat(n, 1, 1) + 0.12 * torch.randn(n, 3, 3, generator=random)
    # The floor keeps its grey, for the reader takes its light out.
    mixed = mixed / mixed.sum(2, keepdim=True)
    out = torch.einsum("nij,njhw->nihw", mixed, seen)
    out = out * torch.exp(0.06 * torch.randn(n, 3, 1, 1, generator=random))
    return out + 0.02 * torch.rand(n, 1, 1, 1, generator=random) * torch.randn(out.shape, generator=random)


def _flipped(batch: list[torch.Tensor], random: torch.Generator) -> list[torch.Tensor]:
    """Pictures, answers and offsets seen from other sides, and turned by quarters."""
    seen, answers, offsets = batch
    for axis, sign in ((-1, 0), (-2, 1)):
        if torch.rand(1, generator=random) < 0.5:
            seen, answers, offsets = seen.flip(axis), answers.flip(axis), offsets.flip(axis).clone()
            offsets[:, sign] *= -1
    if torch.rand(1, generator=random) < 0.5:
        seen, answers, offsets = seen.transpose(-1, -2), answers.transpose(-1, -2), offsets.transpose(-1, -2).flip(1)
    return [seen, answers, offsets]


def fit(examples: list[Example], passes: float, seed: int) -> DetectorNetwork:
    """A network trained on examples."""
    torch.manual_seed(seed)
    random = torch.Generator().manual_seed(seed)
    network = DetectorNetwork(CHANNELS, PLAN).to(memory_format=torch.channels_last)
    network.train()
    optimizer = torch.optim.AdamW(network.parameters(), PEAK_RATE, weight_decay=1e-3)
    mean = RunningMean(network, AVERAGE_DECAY)
    rng = np.random.default_rng(seed)
    weights = torch.tensor(WEIGHTS)
    covering = [one for one in examples if (one.answers == ANSWERS.index("covered")).any()]
    steps, recent = round(passes * len(examples) / BATCH), 0.0
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = (
                PEAK_RATE * min(1.0, step / 100 + 0.02) * max(0.01, 0.5 * (1 + np.cos(np.pi * step / steps)))
            )
        pictures, truth, away = _flipped(_windows(examples, covering, rng), random)
        pictures = _varied(pictures, random)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALVED):
            said = network(pictures.contiguous(memory_format=torch.channels_last))
        said = said.float()
        told = cross_entropy(said[:, : len(ANSWERS)], truth, weights, ignore_index=_UNKNOWN)
        dice = (truth == ANSWERS.index("covered"))[:, None].float()
        off = smooth_l1_loss(said[:, len(ANSWERS) :], away, reduction="none", beta=0.1)
        loss = told + OFFSET_WEIGHT * (off * dice).sum() / dice.sum().clamp(min=1) / 2
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        mean.follow()
        recent = loss.item() if step == 0 else 0.98 * recent + 0.02 * loss.item()
        if step % max(1, steps // 20) == 0:
            print(f"{100 * step / steps:3.0f} %  loss {recent:.3f}", flush=True)
    return mean.network.eval()


def measured(network: CoveredNetwork, examples: list[Example]) -> dict[str, Any]:
    """At several limits of how many cells must point to a die: covered ones found, and how many that are none."""
    told: dict[str, Any] = {}
    for limit in LIMITS:
        found = truth = others = 0
        for one in examples:
            said = [die for die in middles_of(network.maps(one.seen)) if die.cells >= limit]
            places = np.array([die.center_px for die in said]).reshape(-1, 1, 2)
            near = np.linalg.norm(places - one.middles, axis=2) < _NEAR_MM * VIEW_PX_PER_MM
            truth += len(one.middles)
            found += int(near.any(axis=0).sum())
            others += int((~near.any(axis=1)).sum())
        told[str(limit)] = {"covered": truth, "found": found, "found where none is": others}
    return told


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m calibration.training.covered", description="Finds covered dice.")
    parser.add_argument("out", type=Path, help="the .onnx file to write; its card goes beside it as .json")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=int, default=700, help="how many to draw in which things cover dice")
    parser.add_argument("--beside", type=int, default=500, help="how many more to draw in which nothing covers dice")
    parser.add_argument("--held-back", type=int, default=75, help="how many of both to measure on")
    parser.add_argument("--passes", type=float, default=60, help="windows for each picture")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    train, held = (
        [*examples_of(with_covered(seed, count)), *examples_of(without_covered(seed, beside))]
        for seed, count, beside in (
            (asked.seed, asked.pictures, asked.beside),
            (HELD_BACK_SEED, asked.held_back, asked.held_back),
        )
    )
    network = fit(train, asked.passes, asked.seed)
    asked.out.write_bytes(network.to_onnx())
    card = {
        "seed": asked.seed,
        "command": as_typed("calibration.training.covered"),
        "torch": torch.__version__,
        "pictures": len(train),
        "score": measured(CoveredNetwork(asked.out.read_bytes()), held),
    }
    write_card(asked.out, card)
    return 0


if __name__ == "__main__":
    sys.exit(main())
