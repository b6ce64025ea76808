"""``python -m calibration.training.sight OUT.onnx``: trains the network that sees how a die lies on the mat.

It learns from what the reader fits to drawn scenes (``calibration.synthesis``), each solid cut out beside the
silhouette that a standing die would have there; what it says is one of the signs that ``vision.situation`` weighs.

The committed one was trained further, thrice, on ``python -m calibration.synthesis --mixed --count 500``:
``s_stackedN`` with ``--condition stacked --seed`` 160000 and N more, ``s_occludedN`` with 161000, ``s_cockedN`` with
162000, ``s_anyN`` with ``any`` and 163000, ``n_anyN`` with 164000, ``t_N`` with ``touching`` and 166009 (``t_2``
without ``--mixed``); ``tmN`` are those of ``calibration.training.numbers``. Of ``s_stacked3``, ``s_occluded2`` and
``s_cocked2`` the second halves (``d_``) are held back, the first (``h_``) and whatever its card does not name are for
``calibration.training.situations``.

At last it saw round pip dice, a ball having cut off their corners: ``--kinds pip-die --round`` with ``--seed`` 74101
to 74106 but 74105 (``rmN``: any, cocked, stacked, clean, -, occluded; 100 or 120 each), 72800 and N more (``pmN``,
60 each), ``--mixed --round`` with 74105 and, ``touching``, 74107 (``rm5``, ``rm7``); and usual ones: ``--mixed`` with
280000 and 10 N and 1, 2 or 3 more (``si_stackedN``, ``si_cockedN``, ``si_occludedN``, 120 each), 73001 (``mx``, 160)
and 74200 and N more (``mmN``: any, clean, any, glare; 130 each); ``tm991NN`` are those of
``calibration.training.numbers``. Of 415 dice that stand in 100 such pictures held back (any, 74900) it took 48 for
others before, 22 after.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from calibration.model import trained_faces
from calibration.training.crops import begun, options
from calibration.training.fitted import situations_on_mat
from calibration.training.leaning import fit
from calibration.training.stills import read_stills
from calibration.training.typed import origin, write_card
from vision.judge import SITUATIONS
from vision.lean_network import CROP_PX, CropNetwork, lean_crop
from vision.polygons import reach_of

LOOKS, STANDING_LOOKS = 3, 1
Kept = tuple[NDArray[Any], NDArray[Any]]

JITTER = 0.02  # circumradii by which an outline lies elsewhere in looks after the first


def crops_of(folder: Path, rng: np.random.Generator, looks: int, standing_looks: int) -> Iterator[tuple[Any, int]]:
    """Crop and number of the situation of every solid fitted to a folder's pictures."""
    network = trained_faces()
    for still in read_stills(folder, True):
        for one in situations_on_mat(network, still):
            base = one.camera.project(np.array([[one.candidate.fit.x, one.candidate.fit.y]]))[0]
            outline = one.candidate.outline_px
            reach = reach_of(outline)
            for look in range(standing_looks if one.situation == 0 else looks):
                off = rng.normal(0, JITTER * reach, 2) * (look > 0)
                yield lean_crop(still.picture, outline + off, base + off), one.situation


def measured(network: CropNetwork, folder: Path) -> dict[str, Any]:
    """The confusion table of a folder."""
    if (folder / "labels.jsonl").exists():
        made = list(crops_of(folder, np.random.default_rng(5), 1, 1))
    else:
        kept = [np.load(file, allow_pickle=False) for file in sorted(folder.glob("*.npz"))]
        made = [(c / np.float32(255), int(t)) for k in kept for c, t in zip(k["crops"], k["situations"], strict=True)]
    truth, guess = np.array([t for _, t in made]), network.scores([crop for crop, _ in made]).argmax(axis=1)
    return {name: dict(Counter(SITUATIONS[g] for g in guess[truth == i])) for i, name in enumerate(SITUATIONS)}


def kept_crops(folders: Sequence[Path], rng: np.random.Generator, keep: Path | None = None) -> Kept:
    """The crops (N, 48, 48, 5) uint8 of folders of pictures and their situations (N), kept in a file (``.npz``)."""
    made = [each for folder in folders for each in crops_of(folder, rng, LOOKS, STANDING_LOOKS)]
    crops = np.stack([np.round(crop * 255).astype(np.uint8) for crop, _ in made])
    situations = np.array([situation for _, situation in made])
    if keep:
        np.savez_compressed(keep, crops=crops, situations=situations)
    return crops, situations


def _learnt(asked: argparse.Namespace) -> Kept:
    if asked.crops:
        files = sorted(asked.crops.glob("*.npz"))
    elif asked.keep and asked.keep.exists():
        files = [asked.keep]
    else:
        return kept_crops(asked.scenes, np.random.default_rng(asked.seed), asked.keep)
    parts = [np.load(file, allow_pickle=False) for file in files]
    return np.concatenate([p["crops"] for p in parts]), np.concatenate([p["situations"] for p in parts])


def main() -> int:
    parser = options("calibration.training.sight", "Sees how dice lie.", 8)
    parser.add_argument("--scenes", nargs="+", type=Path, default=[], help="folders of drawn scenes on the mat")
    parser.add_argument("--crops", type=Path, help="instead, a folder of crops cut before (.npz)")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    crops, situations = _learnt(asked)
    counts = Counter(SITUATIONS[k] for k in situations.tolist())
    print(f"{len(crops)} crops: {dict(counts)}", flush=True)
    network = fit(crops, situations, len(SITUATIONS), asked.passes, asked.seed, begun(asked, len(SITUATIONS)))
    asked.out.write_bytes(network.to_onnx(1.0))
    reader = CropNetwork(asked.out.read_bytes(), len(SITUATIONS))
    card = {
        "side_px": CROP_PX,
        **origin("calibration.training.sight", asked),
        "torch": torch.__version__,
        "crops": dict(counts),
        "told as": {folder.name: measured(reader, folder) for folder in asked.held_back},
    }
    write_card(asked.out, card)
    return 0


if __name__ == "__main__":
    sys.exit(main())
