"""How far light and camera may change: ``python -m tests.benchmarks tolerance``.

The same tidy dice are drawn once as the rig was calibrated, and then with more or less light, under lamps of another
colour, and with the camera knocked aside or tipped; each picture is read by what was calibrated at first. On the mat
every frame takes its own pose and white; a tray of one's own is compared with its one picture, and where the camera
moved nothing may be read at all.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from device.scoring import judge_dice
from device.trained import trained_reader
from tests.benchmarks.accuracy import as_labelled
from tests.vision.rig import Rig
from vision.profile import Profile
from vision.reader import Reader

SEEDS = (31, 32, 33)
KINDS = ("chance-cube", "rig-die", "pip-die", "action-die")
DICE = 5
KELVIN = 4500.0  # as calibrated

STOPS = (-4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0)
LAMPS_KELVIN = (2500.0, 3000.0, 3500.0, 4500.0, 5500.0, 6500.0, 8000.0)
ASIDE_MM = (0.0, 0.5, 1.0, 2.0, 5.0, 20.0)
TIPPED_DEG = (0.0, 0.1, 0.3, 1.0, 3.0)


@dataclass
class Count:
    """Dice of all pictures of one step, and how many of the pictures came with a finding, named."""

    dice: int = 0
    right: int = 0
    wrong: int = 0
    pictures: int = 0
    named: int = 0

    def row(self, what: str) -> str:
        """Its line of the table."""
        unread = max(self.dice - self.right - self.wrong, 0)
        return f"| {what} | {self.dice} | {self.right} | {unread} | {self.wrong} | {self.named} of {self.pictures} |"


def calibrated(rig: Rig, floor: str) -> Reader:
    """The reader of a rig as it was set up: by its empty tray, or by nothing but the mat."""
    if floor == "mat":
        return trained_reader()
    return trained_reader(Profile(rig.size_px, rig.camera, True, rig.empty(), None))


def count_step(floor: str, seeds: tuple[int, ...], kinds: tuple[str, ...], **change: float) -> Count:
    """Read the rigs with this change, each kind of dice once."""
    count = Count()
    for seed in seeds:
        rig = Rig(floor, seed, KELVIN)
        reader = calibrated(rig, floor)
        if floor == "mat":  # it lies where it lay when the reader saw it first
            reader.read(rig.empty())
        changed = rig.changed(**change)
        for number, kind in enumerate(kinds):
            frame, dice = changed.throw(100 * seed + number, kind, DICE)
            judged = judge_dice(
                [as_labelled(die) for die in dice], reader.read(np.ascontiguousarray(frame), {kind}).dice
            )
            readable = [each for each in judged if each.label is not None and each.label["readable"]]
            count.dice += len(readable)
            count.right += sum(each.is_right for each in readable)
            count.wrong += sum(each.die is not None and not each.is_right for each in judged)
            count.pictures += 1
            count.named += bool(reader.last_findings)
    return count


def tables(seeds: tuple[int, ...], kinds: tuple[str, ...], coarse: int) -> Iterator[str]:
    """One table for the mat and one for a tray of felt; of the steps only every ``coarse``th and the outermost."""
    changes = (
        ("stops", STOPS, "{:+.0f} EV"),
        ("kelvin", LAMPS_KELVIN, "{:.0f} K"),
        ("moved_mm", ASIDE_MM, "camera {:g} mm aside"),
        ("tipped_deg", TIPPED_DEG, "camera tipped by {:g}°"),
    )
    for floor, name in (("mat", "The mat"), ("felt", "A tray of felt with its empty picture")):
        rows = [f"{name}, calibrated at {KELVIN:.0f} K:", ""]
        rows += [
            "| change | dice | right | unread | wrong | pictures with the change named |",
            "|---|---|---|---|---|---|",
        ]
        for key, steps, words in changes:
            for step in sorted({*steps[::coarse], steps[0], steps[-1]}):
                rows.append(count_step(floor, seeds, kinds, **{key: step}).row(words.format(step)))
        yield "\n".join(rows)


def main(short: bool) -> str:
    """Measure, and return the section of the report."""
    parts = tables(SEEDS[:1], KINDS[:2], 3) if short else tables(SEEDS, KINDS, 1)
    return "\n\n".join(parts)
