"""``python -m calibration.training.bases OUT.onnx``: trains the network that sees where the bases of dice are.

It learns from labelled scenes of standing and leaning dice, as the detector finds them. Where a die's base truly is,
its label's upper face and camera say (``calibration.training.standing``).

The committed one has seen 3,334 pictures of ``python -m calibration.synthesis --mixed``: of ``--floor any`` 1,500
with ``--condition cocked --seed 92001``, 884 of any condition (93001), 400 ``shadow`` (94001) and 250 ``tilt``
(95001); and 300 on the mat. Then it was trained further on 10,000 of any floor, 500 each: ``cN`` of ``cocked`` dice
(seeds 120000 and N more) and ``aN`` of any condition (130000). Of 2,123 dice in ``c10``, where 99.5 % of those that
stand are taken for standing, 88 % of those that lean are seen, with the one before 85 %.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from calibration.synthesis.outlines import JITTER
from calibration.training.crops import (
    BATCH,
    Network,
    begun,
    descend,
    detector_of,
    dice_found,
    lit_otherwise,
    options,
)
from calibration.training.network import Faces
from calibration.training.standing import base_of
from calibration.training.typed import origin, write_card
from vision.base_network import ANSWERS, LOG_SPREADS, BaseNetwork
from vision.detector import Detector
from vision.lean_network import CROP_PX, Crop, lean_crop
from vision.polygons import reach_of

LOOKS = 2
"""At each standing die; at each leaning one twice as many."""

FARTHEST = 2.2  # circumradii; the crop reaches two
TAIL = 4  # degrees of freedom of the errors that are expected: some outlines are beside the die


def crops_of(folder: Path, rng: np.random.Generator, detector: Detector, looks: int) -> Iterator[tuple[Crop, Any]]:
    """Crop and base, in circumradii from the upper face's middle, of the dice of a folder's pictures."""
    for frame, label, die, outline in dice_found(folder, detector):
        top = np.array(die["top_quad_px"], np.float64)
        many = looks * (2 if die["state"] == "cocked" else 1)
        off = [rng.normal(0, JITTER * reach_of(top), top.shape) * (look > 0) for look in range(many)]
        base = base_of(top, label["camera"])
        for seen in [outline + each for each in off]:
            middle = seen.mean(axis=0)
            yield lean_crop(frame, seen, middle), (base - middle) / reach_of(seen)


def _varied(crops: torch.Tensor, bases: torch.Tensor, random: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Crops mirrored and turned by quarters, their bases with them, and lit otherwise."""
    n, seen, bases = len(crops), crops, bases.clone()
    for dim, axis in ((3, 0), (2, 1)):
        chosen = torch.rand(n, generator=random) < 0.5
        seen = torch.where(chosen[:, None, None, None], torch.flip(seen, (dim,)), seen)
        bases[chosen, axis] *= -1
    chosen = torch.rand(n, generator=random) < 0.5
    seen = torch.where(chosen[:, None, None, None], seen.transpose(2, 3), seen)
    bases = torch.where(chosen[:, None], bases.flip(1), bases)
    return lit_otherwise(seen, random), bases


def fit(crops: NDArray[Any], bases: NDArray[Any], passes: float, seed: int, begin_with: Faces | None = None) -> Faces:
    """A network trained on crops (N, 48, 48, 5) uint8 and bases (N, 2), both from Student's distribution.

    ``begin_with`` is a trained one to go on from, at a lower rate.
    """
    random = torch.Generator().manual_seed(seed)
    data, truth = torch.from_numpy(crops), torch.from_numpy(bases.astype(np.float32).clip(-FARTHEST, FARTHEST))

    def loss_of(network: Network) -> torch.Tensor:
        chosen = torch.randint(len(data), (BATCH,), generator=random)
        batch, wanted = _varied(data[chosen].permute(0, 3, 1, 2).float() / 255, truth[chosen], random)
        said = network(batch)
        off, spread = ((said[:, :2] - wanted) ** 2).sum(1), said[:, 2].clamp(*LOG_SPREADS)
        return (2 * spread + (TAIL + 2) / 2 * torch.log1p(off * torch.exp(-2 * spread) / TAIL)).mean()

    return descend(loss_of, ANSWERS, round(passes * len(crops) / BATCH), seed, begin_with)


def measured(network: BaseNetwork, folder: Path, detector: Detector) -> dict[str, float]:
    """How far off the bases are that it sees in a folder's pictures, in circumradii: quantiles."""
    made = list(crops_of(folder, np.random.default_rng(5), detector, 1))
    offsets, _ = network.bases_of([crop for crop, _ in made])
    off = np.linalg.norm(offsets - np.array([base for _, base in made]), axis=1)
    return {"dice": len(made)} | {
        f"{share:.0%}": round(float(np.quantile(off, share)), 3) for share in (0.5, 0.9, 0.97)
    }


def _kept(asked: argparse.Namespace) -> tuple[NDArray[Any], NDArray[Any]]:
    if asked.keep and asked.keep.exists():
        held = np.load(asked.keep, allow_pickle=False)
        return held["crops"], held["bases"]
    rng, detector = np.random.default_rng(asked.seed), detector_of(asked)
    crops, bases = [], []
    for folder in asked.pictures:
        for crop, base in crops_of(folder, rng, detector, LOOKS):
            crops.append(np.round(crop * 255).astype(np.uint8))
            bases.append(base)
    if asked.keep:
        np.savez(asked.keep, crops=np.stack(crops), bases=np.stack(bases))
    return np.stack(crops), np.stack(bases)


def main() -> int:
    parser = options("calibration.training.bases", "Sees where bases are.", 12)
    parser.add_argument("--pictures", nargs="+", required=True, type=Path, metavar="FOLDER", help="to learn from")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    crops, bases = _kept(asked)
    print(f"{len(crops)} crops", flush=True)
    network = fit(crops, bases, asked.passes, asked.seed, begun(asked, ANSWERS))
    asked.out.write_bytes(network.to_onnx(1.0))
    reader, detector = BaseNetwork(asked.out.read_bytes()), detector_of(asked)
    card = {
        "side_px": CROP_PX,
        **origin("calibration.training.bases", asked),
        "torch": torch.__version__,
        "crops": len(crops),
        "off by, in circumradii": {folder.name: measured(reader, folder, detector) for folder in asked.held_back},
    }
    write_card(asked.out, card)
    return 0


if __name__ == "__main__":
    sys.exit(main())
