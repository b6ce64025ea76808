"""The clock: a Pi has none that runs while it is switched off."""

import time
from collections.abc import Iterator
from pathlib import Path

from device.doctor.finding import Finding, Level
from device.doctor.machine import Machine

_RELEASED_AT = 1_760_000_000
"""October 2025: no clock of this program is right that shows an earlier time."""

_AHEAD_S = 60.0
"""What was written cannot be newer than now; a minute is left for a clock that was corrected a little."""


def check_clock(machine: Machine, data: Path, now: float) -> Iterator[Finding]:
    """Whether the time ``now`` (seconds since 1970) is right, and was when the data was written."""
    written = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    answer = machine.ask("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if now < _RELEASED_AT:
        to_do = (
            "Connect it to the internet once, or set it: sudo date -s '2026-01-31 20:00'. Games go on all the same."
        )
        yield Finding("clock", Level.WARNING, f"The clock says {written}, which cannot be.", to_do)
    elif answer is not None and answer.text == "yes":
        yield Finding("clock", Level.OK, f"The clock says {written}, and is set by the network.")
    elif machine.exists("dev/rtc0"):
        yield Finding("clock", Level.OK, f"The clock says {written}, kept by the machine itself.")
    else:
        text = f"The clock says {written}, and nothing has set it since it was switched on."
        to_do = "With internet it sets itself. Without, only the times in the history are off; games are not."
        yield Finding("clock", Level.INFO, text, to_do)
    newest = max(_written(data), default=0.0)
    if newest > now + _AHEAD_S:
        ahead = f"{(newest - now) / 3600:.1f} hours"
        to_do = "Nothing is lost or out of order by it; wait until the clock is right before you look at times."
        yield Finding("clock", Level.WARNING, f"The clock was put back: the last game is {ahead} from now.", to_do)


def _written(data: Path) -> Iterator[float]:
    for name in ("croupier.db", "croupier.db-wal", "device.db", "device.db-wal"):
        try:
            yield (data / name).stat().st_mtime
        except OSError:
            continue
