"""Opens the box's own network where no known one is found: what ``croupier-wifi.service`` runs, as root.

``/run/croupier-wifi/state`` says ``known`` (a network was joined), ``own`` (its own is open), ``none`` or
``looking``; the status LED and the pages may tell people.
"""

import sys
import time
from collections.abc import Callable

from device.installation.commands import InstallationFailed, run, write_if_new
from device.installation.wifi import CONNECTION
from device.installation.wifi_state import STATE

PATIENCE_S = 45.0
"""After power came back a router takes about so long to be there again; NetworkManager joins it by itself."""

LOST_S = 180.0
"""A network that was known and is gone for so long does not come back by itself."""

_LOOK_EVERY_S = 5.0


class OwnWifi:
    """Decides when to open the network. ``nmcli`` runs one command of NetworkManager and gives what it says."""

    def __init__(self, nmcli: Callable[..., str], say: Callable[[str], None]) -> None:
        self._nmcli = nmcli
        self._say = say
        self._since: float | None = None
        self._patience_s = PATIENCE_S
        self.state = ""

    def look(self, now: float) -> None:
        """Look at the networks once; ``now`` is in seconds on a clock that never goes back."""
        if self._since is None:
            self._since = now
        wifi, joined, is_own = self._devices()
        if joined:
            self._since, self._patience_s = now, LOST_S
            self._tell("known")
        elif is_own:
            self._tell("own")
        elif not wifi:
            self._tell("none")
        elif now - self._since < self._patience_s:
            self._tell("looking")
        else:
            self._open(now)

    def _devices(self) -> tuple[bool, bool, bool]:
        """Whether there is Wi-Fi, whether a network was joined, and whether the box's own is open."""
        wifi = joined = is_own = False
        for line in self._nmcli("-t", "-f", "TYPE,STATE,CONNECTION", "device").splitlines():
            kind, state, connection = [*line.split(":", 2), "", ""][:3]
            if kind not in ("wifi", "ethernet"):
                continue
            wifi |= kind == "wifi" and state not in ("unmanaged",)
            is_connected = state == "connected"
            is_own |= is_connected and connection == CONNECTION
            joined |= is_connected and connection != CONNECTION
        return wifi, joined, is_own

    def _open(self, now: float) -> None:
        try:
            self._nmcli("radio", "wifi", "on")
            self._nmcli("connection", "up", CONNECTION)
        except InstallationFailed as failed:
            print(f"croupier-wifi: {failed}; trying again", file=sys.stderr, flush=True)
            self._since = now
            self._tell("none")
        else:
            self._tell("own")

    def _tell(self, state: str) -> None:
        if state != self.state:
            self.state = state
            self._say(state)


def _write_state(state: str) -> None:
    write_if_new(STATE, f"{state}\n")


def main() -> None:
    """Look for ever."""
    wifi = OwnWifi(lambda *words: run("nmcli", *words), _write_state)
    while True:
        try:
            wifi.look(time.monotonic())
        except InstallationFailed as failed:
            print(f"croupier-wifi: {failed}", file=sys.stderr, flush=True)
        time.sleep(_LOOK_EVERY_S)


if __name__ == "__main__":
    main()
