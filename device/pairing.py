"""A long press: the host shows its setup code to whoever asks, for two minutes, and the LED says so."""

import logging
import threading
import uuid
from collections.abc import Callable

from device.host_client import HostAway, HostClient, HostRefused

log = logging.getLogger("croupier.device")


class Pairing:
    """Asks the host in a thread of its own; ``show_for`` shows for so many seconds that it is open."""

    def __init__(self, client: HostClient, show_for: Callable[[float], None]) -> None:
        self._client = client
        self._show_for = show_for

    def begin(self) -> None:
        """Ask for it; never waits."""
        threading.Thread(target=self._ask, name="pairing", daemon=True).start()

    def _ask(self) -> None:
        try:
            answer = self._client.post("/device/button", {"id": str(uuid.uuid4()), "press": "long"})
            self._show_for(float(answer["open_s"]))
        except (HostAway, HostRefused) as error:
            log.warning("the setup code is not shown: %s", error)
        except (KeyError, TypeError, ValueError):
            log.warning("the setup code is not shown: the host did not say for how long")
