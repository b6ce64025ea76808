"""What the doctor finds: how bad it is, what it is, and what to do about it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Level(StrEnum):
    """How bad it is. Only an ``ISSUE`` must be seen to; a ``WARNING`` may become one."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    ISSUE = "issue"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found by the check ``about``. ``to_do`` is what a friend would say to do; empty if nothing is."""

    about: str
    level: Level
    text: str
    to_do: str = ""

    def to_json(self) -> dict[str, Any]:
        """For ``croupier doctor --json``."""
        return {"about": self.about, "level": self.level.value, "text": self.text, "to_do": self.to_do}
