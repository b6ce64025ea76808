"""The pictures that ``calibration.training.covered`` draws: things that cover dice, and things beside dice."""

from collections.abc import Iterator

import numpy as np

from calibration.synthesis import clutter
from calibration.synthesis.scene import Picture, far, lay_others, lifted, picture
from calibration.synthesis.things import Die, Thing

_BESIDE = ("clutter", "shadow", "clutter", "glare", "clutter", "dim", "touching", "clutter", "cocked", "stacked")
_SPOTS = 8  # at which a hand is tried until it lies over no die
_EMPTY = 4  # every so many pictures without covered dice show no dice at all
_OVER_COINS = 3  # every so many of those have a hand, pen or box over coins and counters


def lay_over(rng: np.random.Generator, dice: list[Die], condition: str) -> tuple[list[Thing], list[str]]:
    """Hands, pens and boxes: half of them over the first die, others anywhere."""
    if condition != "occluded" or rng.random() < 0.5:
        return lay_others(rng, dice, condition)
    things: list[Thing] = []
    names: list[str] = []
    for _ in range(int(rng.choice([1, 1, 2]))):
        name = str(rng.choice(["hand", "hand", "pen", "rubber"]))
        if name == "hand":
            at = (float(rng.uniform(-110, 110)), float(rng.uniform(-100, 75)))
        else:
            at = (float(rng.uniform(-95, 95)), float(rng.uniform(-85, 60)))
        new = clutter.THINGS[name](rng, at)
        if name != "hand" and dice:
            height = max(die.design.size_mm for die in dice) + 0.5
            if rng.random() < 0.7 or name == "rubber":
                new = lifted(new, height)
            elif not all(far(thing, die) for thing in new for die in dice):
                continue
        things += new
        names.append(name)
    return things, names


def lay_beside(rng: np.random.Generator, dice: list[Die], condition: str) -> tuple[list[Thing], list[str]]:
    """One to five things of any sort, hands among them, that cover no die, but now and then each other."""
    things: list[Thing] = []
    names: list[str] = []
    for number in range(int(rng.integers(1, 6))):
        name = str(rng.choice(["coin", "coin", "tokens", "pen", "rubber", "phone", "hand", "hand"]))
        if name == "hand" and "hand" in names:
            continue
        for _ in range(_SPOTS):
            at = (float(rng.uniform(-110, 110)), float(rng.uniform(-95, 75)))
            if things and number % _OVER_COINS == _OVER_COINS - 1 and name in ("hand", "pen", "rubber"):
                under = things[int(rng.integers(len(things)))].place[:2] + rng.normal(0, 12, 2)
                at = (float(under[0]), float(under[1]))
            new = clutter.THINGS[name](rng, at)
            if all(far(thing, die) for thing in new for die in dice):
                is_over = name == "pen" and number % _OVER_COINS == _OVER_COINS - 1
                things += lifted(new, float(rng.uniform(2, 12))) if is_over else new
                names.append(name)
                break
    return things, names


def with_covered(seed: int, count: int) -> Iterator[Picture]:
    """So many pictures, the same for the same seed: in seven of eight something covers dice."""
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        others = ("clutter", "stacked", "cocked", "touching")[number // 8 % 4]
        yield picture(rng, "mat", condition="occluded" if number % 8 else others, things=lay_over)


def without_covered(seed: int, count: int) -> Iterator[Picture]:
    """So many pictures in which all sorts of things lie and cover no die, in four kinds of light."""
    for number in range(count):
        rng = np.random.default_rng([seed, number, 1])
        condition, most = _BESIDE[number % len(_BESIDE)], 8 if number % _EMPTY else 0
        if not most and condition in ("touching", "stacked", "cocked"):
            condition = "clutter"
        yield picture(rng, "mat", condition=condition, most_dice=most, things=lay_beside)
