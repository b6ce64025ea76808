"""What a recorded game's log says about its frames: which decisions came after which, and what the dice were.

Frames are lines of ``frames.jsonl`` with three keys more than one needs to be played: ``number`` is the table's state
number when the frame was taken, ``read`` the dice that were read in it, ``reading`` the id of the reading sent of it.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from device.recording import JsonObject

_SAME_PLACE_PX = 12.0
"""A die that nobody has touched is read again within 3 px; dice are 40 px wide and more."""

_LABEL_KEYS = ("kind", "body", "face", "center_px")


def decisions_of(log: Sequence[JsonObject], frames: Sequence[JsonObject]) -> list[JsonObject]:
    """The lines of ``actions.jsonl`` of a table's log (as its export lists it), in order.

    What a camera's reading brought about is in the frames and is left out. A roll that people said instead of it, or
    instead of one that was not read, has ``"corrects": true``; so has an undo of what was read. What was taken back
    besides is left out: the recording holds the game as it stands.
    """
    numbers = [frame["number"] for frame in frames]
    # State numbers only grow, so the place before the first that is not smaller is that of the last frame before it.
    return [
        {"after": f"{bisect_left(numbers, line['number']):06d}", **decision}
        for line in log
        if (decision := _decision(line, log)) is not None
    ]


def _decision(line: JsonObject, log: Sequence[JsonObject]) -> JsonObject | None:
    kind, is_read = line["kind"], line["by"] == "device"
    if kind == "end" and not line["undone"]:
        return {"action": {"type": "end"}}
    if kind != "action":
        return None
    if line["undone"] and is_read:
        is_first = line is next(other for other in log if other["reading"] == line["reading"])
        return {"action": {"type": "undo"}, "corrects": True} if is_first else None
    if line["undone"] or line["action"] is None or (is_read and line["changed_by"] is None):
        return None
    return {"action": line["action"], **({"corrects": True} if line["reading"] else {})}


def labelled(
    frames: Sequence[JsonObject], log: Sequence[JsonObject], corrections: Mapping[str, JsonObject]
) -> list[JsonObject]:
    """The frames with their dice, as far as they are known; at rest a label holds from one movement to the next.

    Known are the dice of readings that counted and stand, and those of ``corrections`` (by reading, as the API lists
    them), which go before what was read.
    """
    counted = {line["reading"] for line in log if line["kind"] == "action" and not line["undone"]}
    done: list[JsonObject] = []
    told: list[JsonObject] = []
    lying: list[JsonObject] = []
    for is_resting, run in groupby(frames, key=lambda frame: bool(frame["rest"])):
        label: list[JsonObject] | None = None
        resting = list(run)
        for place, frame in enumerate(resting):
            reading = frame.get("reading") if is_resting else None
            correction = corrections.get(reading) if reading else None
            if correction is not None and correction["confirmed"]:
                label = _corrected(frame["read"], correction)
                told = label
            elif reading and reading in counted:
                label = [_carried(_label(die), told) for die in frame["read"]]
            elif is_resting and "read" in frame:
                label = _still_lying(frame["read"], lying)
            lying = lying if label is None else label
            if "read" in frame and label is not None and place and not any("read" in f for f in resting[:place]):
                # The throw lay just so from the moment at which it came to rest.
                done[-place:] = [{**earlier, "dice": label} for earlier in done[-place:]]
            done.append({**frame, "dice": label})
    return done


def _label(die: JsonObject) -> JsonObject:
    return {key: die.get(key) for key in _LABEL_KEYS}


def _still_lying(read: Sequence[JsonObject], lying: Sequence[JsonObject]) -> list[JsonObject] | None:
    """The dice of a throw that lie there yet, after a hand has passed, say; None where anything else is read."""
    label = [next((die for die in lying if _is_at(die, other)), None) for other in read]
    return [die for die in label if die is not None] if label and None not in label else None


def _carried(die: JsonObject, told: Sequence[JsonObject]) -> JsonObject:
    """A die that lies where people have said before what it is; else as it was read."""
    return next((known for known in told if known["kind"] == die["kind"] and _is_at(known, die)), die)


def _corrected(read: Sequence[JsonObject], correction: JsonObject) -> list[JsonObject]:
    """The dice of a frame: those that were not sent as they were read, those that were as people said."""
    sent, unread = list(correction["read"]), list(correction["unread"])
    lying = [_label(die) for die in read if not any(_is_at(die, other) for other in sent)]
    placed: list[JsonObject] = []
    for die in sorted(correction["confirmed"], key=lambda die: die.get("center_px") is None):
        center = die.get("center_px") or _place(die, sent, unread)
        sent = [other for other in sent if not _is_at(other, {"center_px": center})]
        unread = [other for other in unread if not _is_at(other, {"center_px": center})]
        placed.append({**_label(die), "center_px": center})
    return [*lying, *placed]


def _place(die: JsonObject, sent: Sequence[JsonObject], unread: Sequence[JsonObject]) -> list[float] | None:
    """Where a die lies that people named without its place: None where it may be one of several."""
    for choice in _choices(die, sent):
        if choice:
            return list(choice[0]["center_px"])
    return list(unread[0]["center_px"]) if len(unread) == 1 else None


def _choices(die: JsonObject, sent: Sequence[JsonObject]) -> Iterator[list[JsonObject]]:
    """Dice that it may be, the likeliest first: one that shows its face, else the only one of its kind."""
    same = [other for other in sent if other["kind"] == die["kind"]]
    yield [other for other in same if other["face"] == die["face"]]
    yield same if len(same) == 1 else []


def _is_at(one: JsonObject, other: JsonObject) -> bool:
    here, there = one.get("center_px"), other.get("center_px")
    return here is not None and there is not None and math.dist(here, there) <= _SAME_PLACE_PX
