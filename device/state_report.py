"""Reports the device's situation to the host, which shows it on the phones: when it changes, and now and then."""

import threading
import uuid

from device.host_client import HostAway, HostClient, HostRefused
from device.situation import Situation

AGAIN_AFTER_S = 10.0
"""The host takes a device that is silent for three times as long for switched off."""

_SPACING_S = 0.2
"""People do not read faster; what changes in between is left out."""

_LONGEST_DETAIL = 200


class StateReport:
    """Reports in a thread of its own, from ``start`` to ``close``; ``show`` never waits."""

    def __init__(self, client: HostClient) -> None:
        self._client = client
        self._news = threading.Condition()
        self._situation: Situation | None = None
        self._is_new = False
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="state report", daemon=True)

    def start(self) -> None:
        """Begin to report."""
        self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._stopping.set()
        with self._news:
            self._news.notify_all()
        self._thread.join(timeout=2.0)

    def show(self, situation: Situation) -> None:
        """This is how it is now."""
        with self._news:
            self._situation, self._is_new = situation, True
            self._news.notify_all()

    def _run(self) -> None:
        while not self._stopping.is_set():
            with self._news:
                self._news.wait_for(lambda: self._is_new or self._stopping.is_set(), AGAIN_AFTER_S)
                situation, self._is_new = self._situation, False
            if situation is None or self._stopping.is_set():
                continue
            try:
                self._client.post(
                    "/device/state",
                    {
                        "id": str(uuid.uuid4()),
                        "state": situation.state.value,
                        "detail": situation.detail[:_LONGEST_DETAIL],
                    },
                )
            except (HostAway, HostRefused):
                # The uplink tells of a host that is away. A state grows old: it is not kept for later.
                self._stopping.wait(_SPACING_S)
            self._stopping.wait(_SPACING_S)
