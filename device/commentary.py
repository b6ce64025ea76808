"""What happens at a table, sentence by sentence as it happens."""

import threading
from collections.abc import Callable
from typing import Any

from device.host_client import HostAway, HostClient, HostRefused

_RETRY_S = 0.3


class Commentary:
    """Follows a table's events in a thread and passes every new sentence of its log to ``say``.

    A host that goes away and comes back is followed on, and no sentence is told twice.
    """

    def __init__(self, client: HostClient, table: str, say: Callable[[str], None]) -> None:
        self._client = client
        self._table = table
        self._say = say
        self._lock = threading.Lock()
        self._told = 0
        self._reading: str | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="commentary", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Say nothing more."""
        with self._lock:
            self._stopping.set()

    def tell(self, view: dict[str, Any]) -> None:
        """Say what is new in ``view``, a table as the API shows it."""
        with self._lock:
            if self._stopping.is_set():
                return
            for line in view["log"]:
                if line["number"] > self._told:
                    self._told = line["number"]
                    self._say(line["text"])
            reading = view["reading"]
            if reading is not None and reading["id"] != self._reading:
                self._reading = reading["id"]
                if reading["status"] != "applied":
                    self._say(f"(A reading was not applied, {reading['status']}: {reading['detail']})")

    def _follow(self) -> None:
        while not self._stopping.is_set():
            try:
                for view in self._client.events(f"/tables/{self._table}/events", "table"):
                    self.tell(view)
                    if self._stopping.is_set():
                        return
            except (HostAway, HostRefused):
                self._stopping.wait(_RETRY_S)
