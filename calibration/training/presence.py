"""``python -m calibration.training.presence OUT.onnx``: trains the network that tells dice from all other things.

It learns from crops of ``calibration.training.found_faces``: of labelled pictures of dice (``--dice``, drawn and
photographed), and of pictures without any (``--things``).

The committed one learned from ``u0``, ``uc0``, ``w0``, ``w1`` and ``wc0`` (drawn, as
``calibration.training.leaning_aslant`` says), ``byler`` and ``damian`` (photographs of pip dice), ``dice3`` (872
more, of "Dice, v3 better_augmentation" from roboflow.ai, CC BY 4.0, as Epanemu's GameDiceRecognition has them), and
from ``cal0`` to ``cal3``: the photographs of Caltech-101 (Li, Andreetto, Ranzato and Perona, CC BY 4.0), without
every tenth category, which is ``calh``.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from calibration.training.crops import begun, detector_of, options
from calibration.training.found_faces import Seen, with_dice, without_dice
from calibration.training.leaning import fit
from calibration.training.typed import origin, write_card
from vision.lean_network import CROP_PX
from vision.presence import PresenceNetwork

LIMITS = (0.02, 0.05, 0.1, 0.3, 0.5, 0.7)


def measured(network: PresenceNetwork, made: Sequence[Seen]) -> dict[str, Any]:
    """At several limits: how many dice, and how many other things, pass for a die."""
    chance = network.chances([crop for crop, _ in made])
    dice = np.array([is_die for _, is_die in made], bool)
    return {"dice": int(dice.sum()), "things": int((~dice).sum())} | {
        str(limit): {
            "dice kept": int((chance[dice] >= limit).sum()),
            "things let through": int((chance[~dice] >= limit).sum()),
        }
        for limit in LIMITS
    }


def _seen_in(given: tuple[str, bool], asked: argparse.Namespace) -> list[tuple[NDArray[np.uint8], bool]]:
    name, has_dice = given
    folder, _, looks = name.partition("=")
    cv2.setNumThreads(1)
    detector, rng = detector_of(asked), np.random.default_rng(asked.seed)
    seen = (with_dice if has_dice else without_dice)(Path(folder), detector, rng, int(looks or 1))
    made = [(np.asarray(np.round(crop * 255), np.uint8), is_die) for crop, is_die in seen]
    print(f"{Path(folder).name}: {sum(is_die for _, is_die in made)} of {len(made)} crops are of dice", flush=True)
    return made


def _gathered(
    dice: Iterable[str], things: Iterable[str], asked: argparse.Namespace
) -> list[tuple[NDArray[np.uint8], bool]]:
    given = [(str(name), True) for name in dice] + [(str(name), False) for name in things]
    with Pool(asked.workers) as workers:
        return [one for made in workers.imap(partial(_seen_in, asked=asked), given) for one in made]


def main() -> int:
    parser = options("calibration.training.presence", "Tells dice from other things.", 8)
    parser.add_argument(
        "--dice", nargs="+", required=True, metavar="FOLDER[=LOOKS]", help="labelled pictures of dice"
    )
    parser.add_argument("--things", nargs="+", required=True, metavar="FOLDER[=LOOKS]", help="pictures without any")
    parser.add_argument("--held-back-things", nargs="+", type=Path, default=[], help="such to measure on")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    if asked.keep and asked.keep.exists():
        held = np.load(asked.keep, allow_pickle=False)
        crops, dice = held["crops"], held["dice"]
    else:
        made = _gathered(asked.dice, asked.things, asked)
        crops, dice = np.stack([crop for crop, _ in made]), np.array([is_die for _, is_die in made], bool)
        if asked.keep:
            np.savez(asked.keep, crops=crops, dice=dice)
    network = fit(crops, dice, 2, asked.passes, asked.seed, begun(asked, 2))
    asked.out.write_bytes(network.to_onnx(1.0))
    reader = PresenceNetwork(asked.out.read_bytes())
    measured_on = _gathered(asked.held_back, asked.held_back_things, asked)
    card = {
        "side_px": CROP_PX,
        **origin("calibration.training.presence", asked),
        "torch": torch.__version__,
        "crops": len(crops),
        "of dice": int(dice.sum()),
        "score": measured(reader, [(np.asarray(crop / 255, np.float32), is_die) for crop, is_die in measured_on]),
    }
    write_card(asked.out, card)
    return 0


if __name__ == "__main__":
    sys.exit(main())
