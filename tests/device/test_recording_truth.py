"""What a log says of the frames that were taken meanwhile."""

from typing import Any

from device.recording_truth import decisions_of, labelled

Line = dict[str, Any]


def die(face: str, u: float, kind: str = "pip-die") -> Line:
    return {"kind": kind, "body": "white", "face": face, "center_px": [u, 50.0]}


def frame(number: int, is_resting: bool = True, **more: object) -> Line:
    return {"image": "", "t": 0.0, "rest": is_resting, "dice": None, "number": number, **more}


def roll(number: int, reading: str | None, **more: object) -> Line:
    action = {"type": "roll", "player": "Ana", "dice": []}
    kept = {"number": number, "kind": "action", "by": "device", "reading": reading, "undone": False}
    return {**kept, "changed_by": None, "action": action, **more}


def correction(reading: str, read: list[Line], unread: list[Line], *confirmed: Line) -> dict[str, Line]:
    return {reading: {"reading": reading, "read": read, "unread": unread, "confirmed": list(confirmed)}}


def labels(*frames: Line, log: tuple[Line, ...] = (), corrections: dict[str, Line] | None = None) -> list[Any]:
    done = labelled(frames, log, corrections or {})
    return [f["dice"] and sorted((d["face"], d["center_px"]) for d in f["dice"]) for f in done]


def test_a_label_holds_from_rest_to_movement() -> None:
    frames = (
        frame(1, False),
        frame(1),
        frame(1, read=[die("3", 10)], reading="a"),
        frame(2),
        frame(2, False),
        frame(2),
    )
    three = [("3", [10, 50])]
    assert labels(*frames, log=(roll(2, "a"),)) == [None, three, three, three, None, None]
    assert labels(*frames) == [None] * 6
    assert labels(*frames, log=(roll(2, "a", undone=True),)) == [None] * 6


def test_what_people_said_lies_where_it_was_read_or_not_read() -> None:
    read, unread = [die("3", 10), die("5", 90)], [{"reason": "unsure", "center_px": [200.0, 50.0]}]
    seen = frame(1, read=[*read, die("1", 300)], unread=unread, reading="a")
    told = correction("a", read, unread, *({"kind": "pip-die", "face": face} for face in ("5", "3", "6")))
    there = [("1", [300, 50]), ("3", [10, 50]), ("5", [90, 50]), ("6", [200, 50])]
    assert labels(seen, corrections=told) == [there]
    moved = correction("a", read, unread, {**die("2", 10)}, {**die("5", 90)})
    assert labels(seen, corrections=moved) == [[("1", [300, 50]), ("2", [10, 50]), ("5", [90, 50])]]


def test_a_die_that_stays_is_what_people_said_that_it_is() -> None:
    first = frame(1, read=[die("3", 10)], reading="a")
    second = frame(2, read=[die("3", 11), die("4", 90)], reading="b")
    told = correction("a", [die("3", 10)], [], die("2", 10))
    done = labels(first, frame(2, False), second, log=(roll(2, "a"), roll(3, "b")), corrections=told)
    assert done == [[("2", [10, 50])], None, [("2", [10, 50]), ("4", [90, 50])]]


def test_decisions_come_after_the_last_frame_before_them() -> None:
    frames = [frame(0), frame(0), frame(1), frame(2)]
    stake = {"number": 1, "kind": "action", "by": "seat:Ana", "reading": None, "undone": False, "changed_by": None}
    log = [
        {**stake, "action": {"type": "stake"}},
        roll(2, "a"),
        roll(3, "b", changed_by=5),
        roll(4, "c", by="owner"),
        {**stake, "number": 5, "kind": "amend", "action": None},
        {**stake, "number": 6, "action": {"type": "pass"}, "undone": True},
        roll(7, "d", undone=True),
        {**stake, "number": 8, "kind": "end", "action": None},
    ]
    assert [(line["after"], line["action"]["type"], "corrects" in line) for line in decisions_of(log, frames)] == [
        ("000002", "stake", False),
        ("000004", "roll", True),
        ("000004", "roll", True),
        ("000004", "undo", True),
        ("000004", "end", False),
    ]
