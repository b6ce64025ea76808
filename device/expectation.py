"""What the host awaits of the device, as the device knows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

Mode = Literal["idle", "open", "guarded"]


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is awaited: ``kinds`` may be on the table, ``dice`` are awaited (kind: how many).

    ``idle``: nothing is read. ``open``: a throw is read. ``guarded``: only that a cube lies uncovered is told.
    """

    id: str
    table: str | None
    mode: Mode
    kinds: tuple[str, ...]
    dice: Mapping[str, int]

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> "Expectation":
        """From the host's answer; raises ``KeyError``, ``TypeError`` or ``ValueError`` if it is none.

        >>> Expectation.from_json({"expect": "a.1", "table": "a", "mode": "open", "kinds": ["chance-cube"],
        ...     "dice": [{"kind": "chance-cube", "body": None, "count": 1}]}).dice
        {'chance-cube': 1}
        """
        if entry["mode"] not in ("idle", "open", "guarded"):
            raise ValueError(f"unknown mode {entry['mode']!r}")
        dice: dict[str, int] = {}
        for group in entry["dice"]:
            dice[group["kind"]] = dice.get(group["kind"], 0) + int(group["count"])
        return cls(str(entry["expect"]), entry["table"], cast(Mode, entry["mode"]), tuple(entry["kinds"]), dice)


NOTHING_KNOWN = Expectation("", None, "idle", (), {})
"""Before the host has been heard: nothing is read."""
