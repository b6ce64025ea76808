"""How well drawn pictures are read: ``python -m tests.benchmarks accuracy [--scenes N]``.

Pictures of dice on the mat are drawn by ``calibration.synthesis`` from a seed that no training used, and each is read
as ``croupier read --kinds`` reads it. *Exact* is a picture with every die right and nothing else; *needless* are dice
that could be read, and were left. Bounds are Wilson's, 95 %.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from calibration.synthesis.scene import HARD, Picture, picture
from calibration.training.stills import truth_of
from device.scoring import judge_dice
from device.trained import trained_reader
from vision.dice import KINDS
from vision.reader import Reader

SCENES, SHORT = 1_000, 60
HELD_BACK_SEED = 862_417_953
"""Training and its checks draw from small seeds; nothing but this benchmark may draw from this one."""

NORMAL_95 = 1.959964
SURE = (0.0, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
MOST_CONFUSIONS = 15


@dataclass
class Count:
    """Dice and pictures of one kind or condition."""

    pictures: int = 0
    exact: int = 0
    dice: int = 0
    right: int = 0
    wrong: int = 0
    left: int = 0
    must_not: int = 0
    """Dice that lie so that nobody may read them."""

    def row(self, name: str) -> str:
        """Its line of the table."""
        low, high = wilson(self.wrong, self.right + self.wrong)
        right = wilson(self.right, self.dice)
        return (
            f"| {name} | {self.pictures} | {self.exact} | {self.dice} | {self.right} | {self.wrong} | {self.left} "
            f"| {percent(*right)} | {percent(low, high)} | {self.must_not} |"
        )


@dataclass
class Read:
    """Everything that was read."""

    by_condition: defaultdict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    by_kind: defaultdict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    together: Count = field(default_factory=Count)
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)
    said: list[tuple[float, bool]] = field(default_factory=list)
    """The confidence of each die that was read, and whether it was right."""
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def left_unread(self) -> str:
        """How many things were left for which reason, in words."""
        return ", ".join(f"{reason} {times}" for reason, times in sorted(self.reasons.items())) or "none"


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Wilson's interval of a rate.

    >>> low, high = wilson(0, 100)
    >>> round(low, 3), round(high, 3)
    (0.0, 0.037)
    """
    if not of:
        return 0.0, 1.0
    z2, rate = NORMAL_95**2, hits / of
    middle = (rate + z2 / (2 * of)) / (1 + z2 / of)
    half = NORMAL_95 / (1 + z2 / of) * math.sqrt(rate * (1 - rate) / of + z2 / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)


def percent(low: float, high: float) -> str:
    """A range of rates.

    >>> percent(0.0, 0.0374)
    '0.0 to 3.7 %'
    """
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def read_scenes(scenes: int, seed: int = HELD_BACK_SEED) -> Read:
    """Draw and read so many pictures; kinds and conditions take turns."""
    reader, read, kinds = trained_reader(), Read(), tuple(KINDS)
    conditions = ("clean", *HARD)
    for number in range(scenes):
        rng = np.random.default_rng([seed, number])
        kind = kinds[number % len(kinds)]
        # Every second picture is a tidy one, as most throws are.
        condition = "clean" if number % 2 else conditions[number // 2 % len(conditions)]
        drawn = picture(rng, "mat", (kind,), condition)
        count_drawn(read, drawn, reader, (read.by_condition[condition], read.by_kind[kind], read.together))
    return read


def count_drawn(read: Read, drawn: Picture, reader: Reader, counts: tuple[Count, ...]) -> None:
    """Read a drawn picture, the kinds that lie there given, and add it to what was ``read`` and to ``counts``."""
    on_mat = drawn.label["floor"] == "mat"
    labels = [{**as_labelled(die), "readable": _must_be_read(die, on_mat)} for die in drawn.label["dice"]]
    present = {str(label["kind"]) for label in labels}
    reading = reader.read(np.ascontiguousarray(drawn.pixels), present)
    read.reasons.update(thing.reason for thing in reading.unread)
    judged = judge_dice(labels, reading.dice)
    readable = [each for each in judged if each.label is not None and each.label["readable"]]
    wrong = [each for each in judged if each.die is not None and not each.is_right]
    for each in judged:
        if each.die is not None:
            read.said.append((each.die.confidence, each.is_right))
    for each in wrong:
        truth = (
            "nothing" if each.label is None else named(**{key: each.label[key] for key in ("kind", "body", "face")})
        )
        truth += " (not to be read)" if each.label is not None and not each.label["readable"] else ""
        assert each.die is not None
        read.confused[truth, named(each.die.kind, each.die.body, each.die.face)] += 1
    right = sum(each.is_right for each in readable)
    left = sum(each.die is None for each in readable)
    for count in counts:
        count.pictures += 1
        count.exact += all(each.is_right for each in judged)
        count.dice += len(readable)
        count.right += right
        count.wrong += len(wrong)
        count.left += left
        count.must_not += sum(each.label is not None and not each.label["readable"] for each in judged)


def _must_be_read(die: dict[str, Any], on_mat: bool) -> bool:
    """Whether a die can be seen for what it is, and lies on nothing but the floor; on the mat, in the roll area."""
    is_inside = not on_mat or die.get("in_roll_area", "yes") == "yes"
    return bool(die["readable"] and die.get("state") != "on_top" and is_inside)


def as_labelled(die: dict[str, Any]) -> dict[str, Any]:
    """A drawn die's label with the keys of a recording's, and its body as the reader names bodies."""
    return {**die, "body": truth_of(die)[2], "center_px": die["top_centre_px"]}


def named(kind: str, body: str | None, face: str) -> str:
    """A die in words.

    >>> named("pip-die", "white", "5")
    'white pip die 5'
    """
    return " ".join(filter(None, (body, kind.replace("-", " "), face)))


def main(short: bool, scenes: int | None = None) -> str:
    """Measure, and return the section of the report."""
    asked = scenes or (SHORT if short else SCENES)
    read = read_scenes(asked)
    parts = [
        f"{asked} drawn pictures on the mat, held back from training, half of them tidy.\n"
        f"Left unread: {read.left_unread}.",
        "\n".join(table("condition", read.by_condition, read.together)),
        "\n".join(table("kind", read.by_kind, read.together)),
        "\n".join(confusions(read)),
        "\n".join(reliability(read)),
    ]
    return "\n\n".join(parts)


def table(what: str, counts: dict[str, Count], together: Count) -> Iterator[str]:
    """The lines of a table of what was counted by ``what``, and together."""
    yield (
        f"| {what} | pictures | exact | dice | right | wrong | left needlessly | right, 95 % | wrong of those read,"
        " 95 % | dice not to be read |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for name in sorted(counts):
        yield counts[name].row(name)
    yield together.row("together")


def confusions(read: Read) -> Iterator[str]:
    """The lines of a table of what was read as something else, the commonest first."""
    if not read.confused:
        yield "Nothing was taken for anything else."
        return
    yield "| truth | read as | times |"
    yield "|---|---|---|"
    for (truth, said), times in read.confused.most_common(MOST_CONFUSIONS):
        yield f"| {truth} | {said} | {times} |"


def reliability(read: Read) -> Iterator[str]:
    """The lines of a table of how often what was said with some confidence was right."""
    yield "| confidence | dice | said on average | right | right, 95 % |"
    yield "|---|---|---|---|---|"
    for low, high in pairwise(SURE):
        inside = [(said, right) for said, right in read.said if low <= said < high or said == high == 1.0]
        if inside:
            right = sum(is_right for _, is_right in inside)
            said = sum(confidence for confidence, _ in inside) / len(inside)
            bounds = percent(*wilson(right, len(inside)))
            yield f"| {low} to {high} | {len(inside)} | {said:.4f} | {right / len(inside):.4f} | {bounds} |"
