"""What the device says that it is doing, as the phones show it; and that it is silent, once it is.

Kept in memory alone: it changes several times with every throw, and after a restart the device says it again.
"""

from collections.abc import Callable
from dataclasses import dataclass

import gevent
from flask_babel import lazy_gettext as _

from host.changes import Changes
from host.records import JsonObject

SILENT_S = 30.0
"""The device repeats its state every 10 s: three in a row were lost, or it is switched off."""

NO_DEVICE = "no-device"

SENTENCES = {
    NO_DEVICE: _("No camera is connected. Dice are entered by hand."),
    "starting": _("The camera is starting."),
    "idle": _("No roll is awaited; the camera is not reading."),
    "empty": _("The tray is empty: throw the dice."),
    "hand": _("A hand is over the tray."),
    "moving": _("The dice are moving."),
    "reading": _("The dice lie still and are being read."),
    "read": _("The dice have been read."),
    "asking": _("Some dice could not be read or do not fit: throw again, or enter them."),
    "guarded": _("A die is secret; the camera takes no picture."),
    "no-host": _("The camera box cannot reach this host."),
    "camera-missing": _("The camera is not there: plug it in, or enter the dice by hand."),
    "camera-busy": _("Another program is using the camera: close it."),
    "camera-stalled": _("The camera gives no pictures; it is being started again."),
    "camera-moved": _("The camera or the mat has moved: calibrate again."),
    "safe-mode": _("Safe mode: the camera is off. Dice are entered by hand."),
    "pairing": _("The box shows its setup code for two minutes."),
    "own-wifi": _("The box has opened a Wi-Fi of its own."),
}
"""What people are told, by the state's name."""

DETAILS = {
    "Dice were moved, added or taken away after they had been read.": _(
        "Dice were moved, added or taken away after they had been read."
    ),
    "The mat or the camera was moved; where it is now was taken anew.": _(
        "The mat or the camera was moved; where it is now was taken anew."
    ),
    "The picture is blurred: wipe the lens.": _("The picture is blurred: wipe the lens."),
    "The light has changed since calibration: calibrate again if dice stay unread.": _(
        "The light has changed since calibration: calibrate again if dice stay unread."
    ),
}
"""Details of the device that people are told instead of its state's sentence."""

FAULTS = frozenset(
    {NO_DEVICE, "no-host", "camera-missing", "camera-busy", "camera-stalled", "camera-moved", "safe-mode"}
)
"""States in which nothing is read although somebody may be waiting for it."""


@dataclass(frozen=True, slots=True)
class DeviceNews:
    """The device's state, for those who look at a table. ``detail`` is its own line, for whoever mends it.

    ``was_there``: it has been heard since the host started. A table without any camera is no fault.
    """

    table_id: str
    state: str
    detail: str
    was_there: bool

    def to_json(self) -> JsonObject:
        """As it is sent."""
        return {
            "state": self.state,
            "detail": self.detail,
            "sentence": str(DETAILS.get(self.detail) or SENTENCES[self.state]),
            "is_fault": self.state in FAULTS and self.was_there,
        }


class DeviceWatch:
    """The device's last word. ``table_id`` says at which table it is to be shown now, None at none."""

    def __init__(self, changes: Changes, table_id: Callable[[], str | None], silent_s: float = SILENT_S) -> None:
        self._changes = changes
        self._table_id = table_id
        self._silent_s = silent_s
        self._state, self._detail = NO_DEVICE, ""
        self._silence: gevent.Greenlet | None = None

    @property
    def news(self) -> DeviceNews:
        """What it is doing."""
        return DeviceNews(self._table_id() or "", self._state, self._detail, self._silence is not None)

    def report(self, state: str, detail: str) -> None:
        """The device says what it is doing."""
        if self._silence is not None:
            self._silence.kill(block=False)
        self._silence = gevent.spawn_later(self._silent_s, self._show, NO_DEVICE, "")
        self._show(state, detail)

    def _show(self, state: str, detail: str) -> None:
        if (state, detail) != (self._state, self._detail):
            self._state, self._detail = state, detail
            self._changes.publish(self.news)
