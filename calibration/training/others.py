"""``python -m calibration.training.others OUT.onnx --patches …``: trains the network of other games' dice.

The patches are those of ``calibration.training.other_faces``. It begins with what the face network sees
(``--features``), and learns to tell from that whose die a face is. Its confidence is scaled for the mean of four
turns that a reader takes where one look leaves a doubt.

The committed one was trained in three steps (its card has the commands of the last two). First ``p`` and ``q``, cut
from what ``python -m calibration.synthesis`` drew with ``--seed`` 58101 to 58106, and 58201 to 58206, before there
was ``--clear``: ``--mixed --others 6`` (500 pictures), ``--others 5`` (500), and both with ``--floor any`` (450
each), then ``--mixed --condition clean`` and ``--floor any`` (250 each); numbers of those with ``--mixed`` in 30
typefaces. ``r`` are pip dice, ``--round`` with 58401 and ``--worn`` with 58402 (200 each), ``s`` such round ones on
any floor (58403, 150) and ``--mixed --floor any`` (58404, 250). ``byler`` are photographs of pip dice (nell-byler's
dice_detection).

Then, numbers in 14 typefaces: ``a`` is ``--mixed --others 6`` (58101, 350 pictures), ``--others 5`` (58102, 250) and
``--kinds number-die,pip-die --mixed --clear --others 6 --floor any`` (58501 and 58502, 350 each); ``b`` the first
two with ``--floor any`` (58103, 350, and 58104, 250), ``--kinds number-die --clear --others 6 --condition clean
--floor any`` (58503, 300), that of ``a`` on the mat (58504, 300), ``--mixed --condition clean`` and with ``--floor
any`` (58105 and 58106, 150 each), and ``--round --kinds pip-die --floor any`` (58401, 150); ``c`` and ``d`` are
``--mixed`` (58201, 350), with ``--floor any`` (58202, 350), ``--kinds chance-cube,rig-die --others 4`` (58203, 150),
and with action dice on any floor (58204, 200). ``photo`` is ``byler`` and matteop65's Dice_Detection_Recognition
(the 310 for training). Held back are ``--mixed --others 6`` with 59001 (100), with ``--floor any`` 59003 (150), and
``a``'s clear ones with 59005 (120).

Last, to those ``e`` and ``f``, of cameras that lean (``--others 5 --aslant 8 42``), in the same typefaces: ``--kinds
number-die --floor any --condition clean`` (58601, 200) and ``--mixed`` (58604, 60), ``--mixed --floor any`` (58602,
110) and ``--kinds number-die,pip-die --mixed --clear --floor any`` (58603, 110).
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from calibration.training.fit import Pace, add_pace, best_temperature, fit
from calibration.training.labels import face_labels
from calibration.training.network import Faces, from_onnx
from calibration.training.patchset import PatchSet
from calibration.training.reds import mean_of_turns
from calibration.training.typed import origin, write_card
from vision.other_network import WHOSE

LIMITS = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99)
FIVE_CORNERED = np.array([corners == 5 for corners, _ in WHOSE])


def with_features_of(onnx: bytes) -> Faces:
    """A network that sees what a face network does, and has yet to learn what to make of it."""
    network = from_onnx(onnx, len(face_labels()))
    network.last = torch.nn.Linear(network.last.in_features, len(WHOSE))
    return network


def chances_of_others(raw: NDArray[Any], truth: NDArray[np.int16]) -> NDArray[np.float64]:
    """How likely each face is another game's, by the scores (n, 4) of a face of that many corners: (n,)."""
    first = 2 * FIVE_CORNERED[truth].astype(int)
    rows = np.arange(len(raw))
    return np.asarray(1 / (1 + np.exp(raw[rows, first].astype(np.float64) - raw[rows, first + 1])))


def measured(raw: NDArray[Any], truth: NDArray[np.int16]) -> dict[str, Any]:
    """At several limits: how many faces of either are taken for another game's."""
    other = chances_of_others(raw, truth)
    return {
        str(limit): {
            _named(one): {
                "faces": int((truth == i).sum()),
                "taken for others'": int((other[truth == i] >= limit).sum()),
            }
            for i, one in enumerate(WHOSE)
        }
        for limit in LIMITS
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m calibration.training.others", description="Tells whose dice.")
    parser.add_argument("out", type=Path, help="the .onnx file to write; its card goes beside it as .json")
    parser.add_argument("--patches", type=Path, nargs="+", required=True, help="files of them to learn from")
    parser.add_argument("--held-back", type=Path, nargs="+", required=True, help="files to measure on")
    before = parser.add_mutually_exclusive_group(required=True)
    before.add_argument("--features", type=Path, help="the face network (.onnx) to begin with")
    before.add_argument("--begin-with", type=Path, help="a network of others' dice (.onnx) to train further")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--passes", type=float, default=8)
    add_pace(parser)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    train, held = PatchSet.load(asked.patches), PatchSet.load(asked.held_back)
    torch.manual_seed(asked.seed)
    if asked.begin_with:
        begin = from_onnx(asked.begin_with.read_bytes(), len(WHOSE))
    else:
        begin = with_features_of(asked.features.read_bytes())
    pace = Pace(asked.batch, asked.seconds)
    network = fit(train, FIVE_CORNERED, len(WHOSE), asked.passes, asked.seed, _tell, begin, pace=pace)
    raw = mean_of_turns(network, held.patches)
    temperature = best_temperature(raw.astype(np.float32), held.classes)
    asked.out.write_bytes(network.to_onnx(temperature))
    counts = np.bincount(train.classes, minlength=len(WHOSE)).tolist()
    card = {
        **origin("calibration.training.others", asked),
        "torch": torch.__version__,
        "faces": {
            f"{corners} corners, {whose}": count for (corners, whose), count in zip(WHOSE, counts, strict=True)
        },
        "temperature": round(temperature, 3),
        "score": measured(raw / temperature, held.classes),
    }
    write_card(asked.out, card)
    return 0


def _named(one: tuple[int, str]) -> str:
    return f"{one[0]} corners, {one[1]}"


def _tell(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
