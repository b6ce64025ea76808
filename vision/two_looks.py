"""Two looks at the same frame: what they say together, and what one of them makes doubtful in the other."""

import math
from dataclasses import replace

from vision.judge import LYING
from vision.looked import SAME_DIE, SURELY_FITTED, Looked, edge_px, is_among, settled, without
from vision.reading import ReadDie, Unread

_WORSE = 0.02  # of 42 dice that stand and did not seem to at first 41 were fitted no worse, and one 0.01


def agreed(first: Looked, again: Looked) -> Looked:
    """What was read in two looks, the second one's if it saw as many dice, less what the other one contradicts.

    A die is unsure where the other look read it as something else, or the second one sees that it does not stand or
    is none (a cube may have been read as the twelve-sided die that was awaited); and where it was not settled at
    first, if the second one is not sure of it, either.
    """
    if len(again.dice) >= len(first.dice):
        return _less_contradicted(again, first)
    return _less_contradicted(_less_doubted(_as_known_since(first, again), again), again)


def more_of(first: Looked, again: Looked) -> Looked:
    """What was read in two looks of which the first one left nothing in doubt: more dice, or what it read itself.

    What a fit to a die's side says of its neighbours counts for nothing, but for what it reads otherwise by a solid
    that fits better: to the edges of marbled dice others were fitted.
    """
    both = agreed(first, again)
    if len(both.dice) > len(first.dice):
        return both
    before, now = first.fit_scores, again.fit_scores
    otherwise = [
        die
        for die in first.dice
        if any(
            _contradicts(die, other) and now[other.center_px] > before[die.center_px] + _WORSE for other in again.dice
        )
    ]
    return without(first, otherwise)


def unless_worse(again: Looked, first: Looked) -> Looked:
    """What was seen again, less dice that seem to stand by a worse fit than that by which at first they did not."""
    before, now = first.fit_scores, again.fit_scores
    lying = [thing for thing in first.lying if thing.center_px in before]
    kept, unread = list(again.dice), list(again.unread)
    for die in again.dice:
        was = next((thing for thing in lying if is_among(die, [thing.center_px])), None)
        if was is not None and now[die.center_px] < before[was.center_px] - _WORSE:
            kept.remove(die)
            unread.append(Unread(was.reason, die.center_px))
    return replace(again, dice=tuple(kept), unread=tuple(unread))


def _less_contradicted(kept: Looked, other: Looked) -> Looked:
    """What was seen in one look, less dice that the other one reads as something else."""
    return without(kept, [die for die in kept.dice if any(_contradicts(die, one) for one in other.dice)])


def _less_doubted(first: Looked, again: Looked) -> Looked:
    """The first look, less dice that the second one does not see standing, or doubts if they were not settled."""
    otherwise = [thing.center_px for thing in again.unread if thing.reason in (*LYING, "not-a-die")]
    unsure = [thing.center_px for thing in again.unread if thing.reason == "unsure"]
    sure = settled(first)
    return without(
        first,
        [die for die in first.dice if is_among(die, otherwise) or (die not in sure and is_among(die, unsure))],
    )


def _as_known_since(first: Looked, again: Looked) -> Looked:
    """The first look, less doubts where the second one fits a die well that it knows for one of other kinds.

    To the edges of a twelve-sided die beside awaited cubes a cube was fitted, which seemed to lean.
    """
    places = [thing.center_px for thing in again.unread if thing.reason == "not-a-die"]
    others = [one for one in again.seen.chosen if one.fit.score >= SURELY_FITTED and one.center_px in places]
    unread = [
        replace(thing, reason="not-a-die")
        if thing.reason in (*LYING, "unsure") and any(is_among(one, [thing.center_px]) for one in others)
        else thing
        for thing in first.unread
    ]
    return replace(first, unread=tuple(unread))


def _contradicts(die: ReadDie, other: ReadDie) -> bool:
    """Whether it is the same die, read otherwise."""
    apart = math.dist(die.center_px, other.center_px)
    bodies_differ = None not in (die.body, other.body) and die.body != other.body
    return apart < SAME_DIE * edge_px(die) and ((die.kind, die.face) != (other.kind, other.face) or bodies_differ)
