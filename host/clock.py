"""The time as the host writes it down. Whoever needs the time is given a ``Clock``."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The time of this machine, in UTC."""
    return datetime.now(UTC)


def written(moment: datetime) -> str:
    """A moment as stored and sent: UTC, ISO 8601, milliseconds.

    >>> written(datetime(2026, 5, 4, 20, 15, tzinfo=UTC))
    '2026-05-04T20:15:00.000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment(text: str) -> datetime:
    """A moment as it was written.

    >>> moment("2026-05-04T20:15:00.000Z").minute
    15
    """
    return datetime.fromisoformat(text)
