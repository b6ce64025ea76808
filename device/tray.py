"""What the device remembers: readings on their way, the dice that lie, and how far a recording was played."""

import json
from dataclasses import dataclass, replace
from typing import Any

from device.counting import LyingDie
from vision.reading import Unread


@dataclass(frozen=True, slots=True)
class Message:
    """A reading as it is sent. ``body`` is the JSON of the API without the picture, ``jpeg`` the picture."""

    id: str
    expect: str
    body: dict[str, Any]
    jpeg: bytes | None


@dataclass(frozen=True, slots=True)
class Tray:
    """What is known of the dice in the tray.

    ``lying`` have counted and lie where they lay. ``told`` and ``unread_told`` were reported under the expectation
    ``expect`` and lie beside them; they count from the moment at which that expectation has been settled.
    """

    lying: tuple[LyingDie, ...] = ()
    told: tuple[LyingDie, ...] = ()
    unread_told: tuple[Unread, ...] = ()
    expect: str | None = None

    def settled(self) -> "Tray":
        """The tray once what was told is used up."""
        return Tray(lying=(*self.lying, *self.told))

    def less(self, other: "Tray") -> "Tray":
        """The dice that lie here and not in ``other``."""
        lying = tuple(die for die in self.lying if die not in other.lying)
        return Tray(lying, tuple(die for die in self.told if die not in other.told), (), self.expect)

    def and_again(self, gone: "Tray") -> "Tray":
        """The tray with dice that had only seemed to be gone; those told of something settled since then count."""
        if gone.expect != self.expect:
            gone = gone.settled()
        return replace(self, lying=(*self.lying, *gone.lying), told=(*self.told, *gone.told))

    def to_text(self) -> str:
        """As it is stored."""
        return json.dumps(
            {
                "lying": [die.to_json() for die in self.lying],
                "told": [die.to_json() for die in self.told],
                "unread": [[thing.reason, *thing.center_px] for thing in self.unread_told],
                "expect": self.expect,
            }
        )

    @classmethod
    def from_text(cls, text: str) -> "Tray":
        """A tray from what ``to_text`` gave."""
        entry = json.loads(text)
        return cls(
            tuple(map(LyingDie.from_json, entry["lying"])),
            tuple(map(LyingDie.from_json, entry["told"])),
            tuple(Unread(reason, (u, v)) for reason, u, v in entry["unread"]),
            entry["expect"],
        )


@dataclass(frozen=True, slots=True)
class Played:
    """How far a recording was played: the index of the last frame dealt with (-1: none), the decisions sent."""

    frame: int = -1
    decisions: int = 0
