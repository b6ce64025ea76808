"""``python -m calibration.training.leaning OUT.onnx``: trains the network that tells leaning dice from standing ones.

It is asked on any floor and in trays of one's own, and learns from labelled scenes and photographs, of dice as the
detector finds them, with the base where the camera is assumed to show it (``vision.lean_network.usual_base``), some
below a camera that is somewhere else. On the mat, where the camera is known, ``calibration.training.sight`` does the
same and more.

The committed one was trained further on the scenes ``aN`` and ``cN`` of ``calibration.training.bases`` and on the
photographs (``byler`` and ``damian``, all of whose dice stand). Of 614 leaning dice in ``c10`` it lets 133 through at
0.9, the one before 160; of 1,582 standing ones both keep 99.3 %.
"""

import argparse
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy

from calibration.synthesis.outlines import JITTER
from calibration.training.crops import (
    BATCH,
    Die,
    Network,
    begun,
    descend,
    detector_of,
    dice_found,
    lit_otherwise,
    options,
)
from calibration.training.fit import DEVICE
from calibration.training.network import Faces
from calibration.training.typed import origin, write_card
from vision.detector import Detector
from vision.lean_network import CROP_PX, Crop, LeanNetwork, lean_crop, usual_base
from vision.polygons import reach_of

SMOOTHED = 0.02  # of the truth: how far it is doubted
LEAST_LEAN_DEG = 8.0
FOOT_OFF = 0.08  # of the picture's shorter side: how far the point below the camera is from where it is assumed
STEPS_DEG = (8, 12, 16, 20, 26, 34, 89, 91)

Seen = tuple[Crop, bool, float]
"""A crop, whether its die leans, and by how much (degrees)."""

CropsOf = Callable[[Path, np.random.Generator, int, int], Iterable[Seen]]
"""Of a folder, with so many looks at what leans and at what stands."""


def crops_of(
    folder: Path, rng: np.random.Generator, detector: Detector, leaning_looks: int, standing_looks: int
) -> Iterator[Seen]:
    """Crop, whether it leans, and its lean (degrees), of the dice of a folder's pictures, several looks at each."""
    for frame, _, die, outline in dice_found(folder, detector, leans_enough_or_stands):
        reach, leans = reach_of(np.array(die["top_quad_px"], np.float64)), die.get("state") == "cocked"
        for look in range(leaning_looks if leans else standing_looks):
            seen = outline + rng.normal(0, JITTER * reach, outline.shape) * (look > 0)
            away = rng.normal(0, FOOT_OFF * min(frame.shape[:2]), 2) * (look % 2)
            base = usual_base(seen - away, frame.shape) + away
            yield lean_crop(frame, seen, base), leans, die["tilt_deg"] if leans else 0.0


def leans_enough_or_stands(die: Die) -> bool:
    """Whether it is plain how a die lies."""
    return die.get("state") != "cocked" or die["tilt_deg"] >= LEAST_LEAN_DEG


def _varied(batch: torch.Tensor, random: torch.Generator) -> torch.Tensor:
    """Crops mirrored and turned by quarters, and lit otherwise."""
    n = len(batch)
    out = batch
    for dims in ((3,), (2,)):
        chosen = torch.rand(n, 1, 1, 1, generator=random, device=random.device) < 0.5
        out = torch.where(chosen, torch.flip(out, dims), out)
    chosen = torch.rand(n, 1, 1, 1, generator=random, device=random.device) < 0.5
    return lit_otherwise(torch.where(chosen, out.transpose(2, 3), out), random)


def fit(
    crops: NDArray[Any],
    answers: NDArray[Any],
    count: int,
    passes: float,
    seed: int,
    begin_with: Faces | None = None,
) -> Faces:
    """A network trained on crops (N, 48, 48, 5) uint8; rarer ones of the ``count`` answers are shown more often.

    ``begin_with`` is a trained one to go on from, at a quarter of the rate.
    """
    random = torch.Generator(DEVICE).manual_seed(seed)
    data = torch.from_numpy(crops).to(DEVICE)
    truth = torch.from_numpy(answers.astype(np.int64)).to(DEVICE)
    weights = (1 / torch.bincount(truth, minlength=count).clamp(min=1).double().sqrt())[truth]

    def loss_of(network: Network) -> torch.Tensor:
        chosen = torch.multinomial(weights, BATCH, replacement=True, generator=random)
        batch = _varied(data[chosen].permute(0, 3, 1, 2).float() / 255, random)
        return cross_entropy(network(batch), truth[chosen], label_smoothing=SMOOTHED)

    return descend(loss_of, count, round(passes * len(crops) / BATCH), seed, begin_with, DEVICE)


def measured(network: LeanNetwork, made: Sequence[Seen]) -> dict[str, Any]:
    """At several limits: standing dice kept, and leaning ones let through by how far they lean."""
    if not made:
        return {}
    chance = network.chances([crop for crop, _, _ in made])
    leans, lean = np.array([m[1] for m in made]), np.array([m[2] for m in made])
    out: dict[str, Any] = {"standing": int((~leans).sum()), "leaning": int(leans.sum())}
    for limit in (0.3, 0.5, 0.7, 0.9, 0.97):
        let_through = {
            f"{low} to {high} degrees": f"{int((chance[part] < limit).sum())} of {int(part.sum())}"
            for low, high in itertools.pairwise(STEPS_DEG)
            if (part := leans & (lean >= low) & (lean < high)).any()
        }
        kept = float((chance[~leans] < limit).mean()) if (~leans).any() else 1.0
        out[str(limit)] = {"standing kept": round(kept, 4), "let through": let_through}
    return out


def _kept(asked: argparse.Namespace, crops_of_folder: CropsOf) -> tuple[NDArray[Any], NDArray[Any]]:
    if asked.keep and asked.keep.exists():
        held = np.load(asked.keep, allow_pickle=False)
        return held["crops"], held["leans"]
    rng = np.random.default_rng(asked.seed)
    crops, leans = [], []
    for given in asked.pictures:
        name, _, looks = given.partition("=")
        many = int(looks or 4)
        for crop, does_lean, _ in crops_of_folder(Path(name), rng, 6 * many, many):
            crops.append(np.round(crop * 255).astype(np.uint8))
            leans.append(does_lean)
    if asked.keep:
        np.savez(asked.keep, crops=np.stack(crops), leans=np.array(leans))
    return np.stack(crops), np.array(leans)


def train(module: str, asked: argparse.Namespace, crops_of_folder: CropsOf) -> None:
    """Train as was asked for, and write the network and its card."""
    crops, leans = _kept(asked, crops_of_folder)
    print(f"{len(crops)} crops, {int(leans.sum())} of leaning dice", flush=True)
    network = fit(crops, leans, 2, asked.passes, asked.seed, begun(asked, 2))
    asked.out.write_bytes(network.to_onnx(1.0))
    reader = LeanNetwork(asked.out.read_bytes())
    held_back = {
        folder.name: list(crops_of_folder(folder, np.random.default_rng(5), 1, 1)) for folder in asked.held_back
    }
    card = {
        "side_px": CROP_PX,
        **origin(module, asked),
        "torch": torch.__version__,
        "crops": len(crops),
        "leaning": int(leans.sum()),
        "score": {name: measured(reader, made) for name, made in held_back.items()},
    }
    write_card(asked.out, card)


def options_of_leaning(module: str, description: str, passes: float) -> argparse.ArgumentParser:
    """The options of such a training."""
    parser = options(module, description, passes)
    parser.add_argument("--pictures", nargs="+", required=True, metavar="FOLDER[=LOOKS]", help="to learn from")
    return parser


def main() -> int:
    asked = options_of_leaning("calibration.training.leaning", "Tells what leans.", 6).parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    detector = detector_of(asked)
    train(
        "calibration.training.leaning",
        asked,
        lambda folder, rng, leaning, standing: crops_of(folder, rng, detector, leaning, standing),
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
