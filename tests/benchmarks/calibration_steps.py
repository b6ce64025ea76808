"""What each step of calibration is good for: ``python -m tests.benchmarks calibration_steps``.

The same pictures of dice in drawn trays of felt, wood and cloth are read without any calibration, with the picture of
the empty tray, with known dice beside it, and with the mat laid in once. Trays, lamps, cameras and dice come of
seeds that nothing was tuned on.
"""

from collections.abc import Callable

import numpy as np

from calibration.detector_model import any_floor
from calibration.steps import Known, look_at_tray
from device.scoring import judge_dice
from device.trained import trained_reader
from tests.benchmarks.accuracy import as_labelled, percent, wilson
from tests.vision.rig import Rig, profile_of_empty
from vision.dice import KINDS
from vision.profile import Profile

FLOORS = ("felt", "wood", "cloth")
FIRST_SEED = 67_000
RIGS, SHORT_RIGS = 10, 1  # of each floor: none has the camera, the lamp or the dice of another one
DICE = 4
_KNOWN_DICE_SEED = 99


def _by_known_dice(rig: Rig) -> Profile | None:
    frame, dice = rig.throw(_KNOWN_DICE_SEED, "pip-die", DICE)
    known = Known(any_floor=any_floor(), die_mm=float(dice[0]["size_mm"]))
    return look_at_tray([rig.empty(), frame], known, is_lit_well=True).known.profile


def _by_mat(rig: Rig) -> Profile | None:
    return Profile(rig.size_px, rig.camera, True, rig.empty(), None)


STEPS: dict[str, Callable[[Rig], Profile | None]] = {
    "nothing": lambda rig: None,
    "the empty tray": profile_of_empty,
    "the empty tray, known dice": _by_known_dice,
    "the empty tray, the mat laid in once": _by_mat,
}


def measure(rigs: int) -> dict[str, dict[str, list[int]]]:
    """Dice, of them right, and wrong, by step and floor."""
    counts = {step: {floor: [0, 0, 0] for floor in FLOORS} for step in STEPS}
    for place, floor in enumerate(FLOORS):
        for number in range(rigs):
            seed = FIRST_SEED + 100 * place + number
            rig = Rig(floor, seed, kelvin=3000.0 + 350.0 * number)
            throws = [(kind, rig.throw(10 * seed + i, kind, DICE)) for i, kind in enumerate(KINDS)]
            for step, calibrate in STEPS.items():
                reader, count = trained_reader(calibrate(rig)), counts[step][floor]
                for kind, (frame, dice) in throws:
                    reading = reader.read(np.ascontiguousarray(frame), {kind})
                    judged = judge_dice([as_labelled(die) for die in dice], reading.dice)
                    readable = [each for each in judged if each.label is not None and each.label["readable"]]
                    count[0] += len(readable)
                    count[1] += sum(each.is_right for each in readable)
                    count[2] += sum(each.die is not None and not each.is_right for each in judged)
    return counts


def main(short: bool) -> str:
    """Measure, and return the section of the report."""
    rows = ["| calibrated by | floor | dice | right | unread | wrong | right, 95 % | wrong of those read, 95 % |"]
    rows.append("|---|---|---|---|---|---|---|---|")
    for step, floors in measure(SHORT_RIGS if short else RIGS).items():
        together = [sum(parts) for parts in zip(*floors.values(), strict=True)]
        for floor, (dice, right, wrong) in [*floors.items(), ("together", together)]:
            unread = max(dice - right - wrong, 0)
            bounds = f"{percent(*wilson(right, dice))} | {percent(*wilson(wrong, right + wrong))}"
            rows.append(f"| {step} | {floor} | {dice} | {right} | {unread} | {wrong} | {bounds} |")
    return "\n".join(rows)
