"""``python -m calibration.training.numbers OUT.onnx``: trains the network that reads numbers (``vision.numbers``).

It learns from numbers drawn flat (``calibration.synthesis.flat_numbers``) and from labelled rendered pictures, and is
measured on pictures that it has not seen. Its confidence is scaled for the mean of five turns that a reader takes.

The committed ones have each seen about half of 5,724 pictures of ``python -m calibration.synthesis --kinds number-die
--most 12``, 60 in each folder of their cards, fewer in nine: ``nmN`` and ``naN`` with ``--seed`` 96100 and 96200 and
N more, ``tmN`` and ``taN`` with 98000 and 98500 and N more, those with ``a`` on ``--floor any``. Of the last two
kinds two folders in three were drawn with 30 typefaces, less the dice of such as have no figures. ``numheld``
are the seeds 96100, 96101, 96200, 96201, and, in Lato and Comfortaa, 97000, 97001, 97500, 97501, the second two on
any floor. Then they were trained further with numbers of 7,500 pictures of all kinds of dice each: ``aN`` and ``cN``
of ``calibration.training.bases``, the others of ``calibration.training.sight``; at last with numbers in rings, boxes
and discs, and with the scenes ``tmN`` and ``taN`` of seeds 99100 and 99500 and N more, drawn with 59 typefaces: seven
tenths of the way (``--share``). Of 3,740 numbers in ten more such folders the one before and the one beside it tell
21 wrongly with 0.97 and more, these 11, and as many rightly.
"""

import argparse
import itertools
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from calibration.synthesis.digits import has_figures
from calibration.synthesis.flat_numbers import flat_numbers
from calibration.synthesis.outlines import jittered, turned
from calibration.training.fit import Pace, add_pace, best_temperature, fit, scores
from calibration.training.measure import CONFIDENCES
from calibration.training.network import NUMBERS, Faces, from_onnx, share_of
from calibration.training.patchset import PatchSet, drawn_side_by_side, holds_patches
from calibration.training.stills import light_about, numbers_in, read_stills
from calibration.training.typed import add_share, origin, write_card
from vision.patches import NUMBER_RADIUS_PX, PATCH_SIDE_PX, Dimmed, rectify

TURNS = 5
CLASSES = 13  # none, 1 to 12
LOOKS = 6
"""At each labelled die in training, its outline found a little differently each time."""

LIGHT_ERRS = 0.2  # of the logarithm of its brightness: off the mat it is guessed


def draw_flat(seed: int, count: int, fonts: Sequence[Path]) -> PatchSet:
    """``count`` flat patches, the same for the same arguments."""
    cv2.setNumThreads(1)
    drawn = list(itertools.islice(flat_numbers(seed, fonts), count))
    return PatchSet(np.stack([one.patch for one in drawn]), np.array([one.number for one in drawn], np.int16))


def cut_numbers(folder: Path, looks: int, seed: int = 6) -> PatchSet:
    """The readable numbers of a folder of labelled pictures, ``looks`` times each (once: as labelled).

    More looks than one err a little in the outline and in the light. A picture whose label names no floor is of the
    mat.
    """
    rng = np.random.default_rng(seed)
    patches, classes = [], []
    for still in read_stills(folder, True):
        still = replace(still, on_mat=still.label.get("floor", "mat") == "mat")
        for corners, number in numbers_in(still):
            light = light_about(still, corners)
            for _ in range(looks):
                outline = turned(rng, corners if looks == 1 else jittered(rng, corners))
                seen_in = light if looks == 1 else Dimmed(light, float(np.exp(rng.normal(0, LIGHT_ERRS))))
                patch = rectify(still.picture, outline, seen_in, NUMBER_RADIUS_PX)
                patches.append(np.round(patch * 255).astype(np.uint8))
                classes.append(number)
    return PatchSet(np.stack(patches), np.array(classes, np.int16))


def mean_of_turns(network: Faces, patches: NDArray[np.uint8]) -> NDArray[Any]:
    """Scores of each patch, the mean over its five turns: (N, 13)."""
    middle = (PATCH_SIDE_PX / 2 - 0.5,) * 2
    total = np.zeros((len(patches), CLASSES))
    for turn in range(TURNS):
        to = cv2.getRotationMatrix2D(middle, 360 / TURNS * turn, 1.0)
        size = (PATCH_SIDE_PX, PATCH_SIDE_PX)
        seen = [cv2.warpAffine(patch, to, size, borderMode=cv2.BORDER_REPLICATE) for patch in patches]
        raw = torch.log_softmax(torch.from_numpy(scores(network, np.asarray(seen, np.uint8))), 1).numpy()
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m calibration.training.numbers", description="Reads numbers.")
    parser.add_argument("out", type=Path, help="the .onnx file to write; its card goes beside it as .json")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--passes", type=float, default=8, help="how often every patch is seen")
    parser.add_argument("--flat", type=int, default=180_000, help="how many flat patches to draw")
    parser.add_argument("--fonts", type=Path, help="a file with a TrueType file on each line; not all need figures")
    parser.add_argument("--keep", type=Path, help="where flat patches are kept, or were kept before (.npz)")
    parser.add_argument(
        "--stills",
        type=Path,
        nargs="*",
        default=[],
        help="labelled pictures to learn from, or numbers cut before",
    )
    parser.add_argument("--held-back", type=Path, nargs="+", required=True, help="labelled pictures to measure on")
    parser.add_argument("--begin-with", type=Path, help="a network (.onnx) to train further")
    add_share(parser)
    add_pace(parser)
    parser.add_argument("--workers", type=int, default=1)
    return parser


def _flat_patches(asked: argparse.Namespace) -> PatchSet:
    if not asked.flat:
        return PatchSet.none()
    if asked.keep and asked.keep.exists():
        return PatchSet.load([asked.keep])
    fonts = [Path(line) for line in asked.fonts.read_text("utf-8").split("\n") if line] if asked.fonts else []
    fonts = [font for font in fonts if has_figures(font)]
    drawn = drawn_side_by_side(partial(draw_flat, fonts=fonts), asked.seed, asked.flat, asked.workers)
    if asked.keep:
        drawn.save(asked.keep)
    return drawn


def _numbers_of(place: Path, looks: int) -> PatchSet:
    return PatchSet.load([place]) if holds_patches(place) else cut_numbers(place, looks)


def main() -> int:
    asked = _parser().parse_args()
    torch.set_num_threads(1)
    held = {
        folder.name: _numbers_of(folder, 1) for folder in asked.held_back
    }  # first: what is missing is said at once
    parts = [_flat_patches(asked), *(_numbers_of(folder, LOOKS) for folder in asked.stills)]
    train = PatchSet(np.concatenate([p.patches for p in parts]), np.concatenate([p.classes for p in parts]))
    print(f"{len(train)} patches to train on", flush=True)
    five = np.ones(CLASSES, bool)
    earlier = asked.begin_with.read_bytes() if asked.begin_with else None
    begin = from_onnx(earlier, CLASSES, NUMBERS) if earlier else None
    pace = Pace(asked.batch, asked.seconds)
    network = fit(
        train, five, CLASSES, asked.passes, asked.seed, lambda line: print(line, flush=True), begin, NUMBERS, pace
    )
    first = held[asked.held_back[0].name]
    temperature = best_temperature(mean_of_turns(network, first.patches).astype(np.float32), first.classes)
    onnx = network.to_onnx(temperature)
    if earlier and asked.share < 1:
        onnx = share_of(earlier, onnx, asked.share, CLASSES, NUMBERS)
    network = from_onnx(onnx, CLASSES, NUMBERS).eval()
    raw = {name: mean_of_turns(network, part.patches) for name, part in held.items()}
    card: dict[str, Any] = {
        "margin_px": NUMBERS.margin_px,
        **origin("calibration.training.numbers", asked),
        "torch": torch.__version__,
        "patches": len(train),
        "temperature": round(temperature, 3),
        "score": {name: measured(raw[name], part.classes) for name, part in held.items()},
    }
    asked.out.write_bytes(onnx)
    write_card(asked.out, card)
    return 0


if __name__ == "__main__":
    sys.exit(main())
