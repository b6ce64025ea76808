"""The device's side of the wire to the host: follows what is awaited, and sends readings until acknowledged."""

import logging
import threading
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from device.expectation import NOTHING_KNOWN, Expectation
from device.host_client import HostAway, HostClient, HostRefused
from device.outbox import Outbox
from device.tray import Message

log = logging.getLogger("croupier.device")

_POLL_S = 20
"""How long the host may hold a question open; below the 25 s that it allows, and below what routers cut."""

_FIRST_DELAY_S = 0.1
_LONGEST_DELAY_S = 5.0
"""Between tries while the host is away: a restarted host is found at once, an absent one is not hammered."""

SETTLED = ("applied", "late")
"""What the host may say of a reading that uses its dice up; "unmatched" and "refused" leave them to be read again."""


class Uplink:
    """Follows the host and empties the outbox, in two threads of its own, from ``start`` to ``close``."""

    def __init__(
        self,
        client: HostClient,
        outbox: Outbox,
        on_status: Callable[[Message, str, str], None] | None = None,
        on_commands: Callable[[Sequence[Mapping[str, Any]]], None] | None = None,
    ) -> None:
        """``on_status`` hears what became of each reading, ``on_commands`` what else the host asks for."""
        self._client = client
        self._outbox = outbox
        self._on_status = on_status or (lambda message, status, detail: None)
        self._on_commands = on_commands or (lambda commands: None)
        self._known = NOTHING_KNOWN
        self._news = threading.Condition()
        self._stopping = threading.Event()
        self._troubles: dict[str, str] = {}
        self._threads = [
            threading.Thread(target=self._follow, name="expectation", daemon=True),
            threading.Thread(target=self._send, name="outbox", daemon=True),
        ]

    def start(self) -> None:
        """Begin to follow and to send."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop; what is still in the outbox stays there. Does not wait for a question that the host holds open."""
        self._stopping.set()
        with self._outbox.changed:
            self._outbox.changed.notify_all()
        self._threads[1].join(timeout=2.0)

    @property
    def expectation(self) -> Expectation:
        """What the host awaits, as far as the device knows."""
        with self._news:
            return self._known

    @property
    def trouble(self) -> str:
        """What keeps the device from the host, in one line; empty when all is well."""
        return next(iter(self._troubles.values()), "")

    def wait_until_heard(self, timeout_s: float | None = None) -> bool:
        """Wait until the host has said for the first time what it awaits; False if it has not in time."""
        with self._news:
            return self._news.wait_for(lambda: self._known is not NOTHING_KNOWN or self._stopping.is_set(), timeout_s)

    def wait_until_known(self, expect: str) -> None:
        """Wait until the device knows of the expectation ``expect``, or of one that came after it."""
        while not self._stopping.is_set():
            with self._news:
                if self._news.wait_for(lambda: self._known.id == expect, timeout=0.1):
                    return
            try:
                current = str(self._client.get("/device/expect")["expect"])
            except (HostAway, HostRefused, KeyError):
                self._stopping.wait(_FIRST_DELAY_S)
                continue
            with self._news:
                if self._known.id == current:
                    return

    def wait_until_sent(self, timeout_s: float | None = None) -> bool:
        """Wait until every reading has been acknowledged; False if some have not in time."""
        with self._outbox.changed:
            return self._outbox.changed.wait_for(lambda: self._outbox.is_empty or self._stopping.is_set(), timeout_s)

    # The two threads ------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        delay = _FIRST_DELAY_S
        while not self._stopping.is_set():
            # The first question is answered at once, the next ones when something else is awaited.
            query = urlencode({"after": self._known.id, "wait": _POLL_S} if self._known.id else {"wait": 0})
            try:
                answer = self._client.get(f"/device/expect?{query}", wait_s=_POLL_S)
                known = Expectation.from_json(answer)
                commands = list(answer.get("commands", ()))
            except (HostAway, HostRefused, KeyError, TypeError, ValueError) as error:
                self._tell_trouble("expectation", error)
                self._stopping.wait(delay)
                delay = min(2 * delay, _LONGEST_DELAY_S)
                continue
            self._tell_back("expectation")
            delay = _FIRST_DELAY_S
            with self._news:
                self._known = known
                self._news.notify_all()
            self._on_commands(commands)

    def _send(self) -> None:
        delay = _FIRST_DELAY_S
        while not self._stopping.is_set():
            with self._outbox.changed:
                self._outbox.changed.wait_for(lambda: not self._outbox.is_empty or self._stopping.is_set())
                message = self._outbox.first
            if message is None or self._stopping.is_set():
                continue
            try:
                status, detail, expect = self._deliver(message)
                if expect is not None:
                    # Whoever waits for the acknowledgement is to find the new expectation already there.
                    self.wait_until_known(expect)
                self._outbox.acknowledge(message, is_settled=status in SETTLED)
            except HostAway as error:
                self._tell_trouble("outbox", error)
                self._stopping.wait(delay)
                delay = min(2 * delay, _LONGEST_DELAY_S)
                continue
            self._tell_back("outbox")
            delay = _FIRST_DELAY_S
            self._on_status(message, status, detail)

    def _deliver(self, message: Message) -> tuple[str, str, str | None]:
        """Send one reading; what the host says of it, and what it awaits afterwards."""
        # A picture that was taken before a die became secret is not needed so much that it had to leave now.
        is_left_out = message.jpeg is None or self.expectation.mode == "guarded"
        jpeg = None if is_left_out else b64encode(message.jpeg or b"").decode("ascii")
        try:
            answer = self._client.post(
                "/device/readings", {"id": message.id, "expect": message.expect, **message.body, "jpeg": jpeg}
            )
        except HostRefused as refusal:
            if refusal.status in (401, 403, 404):
                raise HostAway(f"the host does not take this device's token or address: {refusal}") from refusal
            # It will never be taken: sending it again and again would keep all later ones back.
            return "refused", str(refusal), None
        return str(answer["status"]), str(answer.get("detail") or ""), str(answer["expect"])

    # What is told of trouble, once each time ------------------------------------------------------------------

    def _tell_trouble(self, who: str, error: Exception) -> None:
        text = f"the host is away ({error}); trying on, nothing is lost meanwhile"
        if not self._troubles:
            log.warning("%s", text)
        self._troubles[who] = text

    def _tell_back(self, who: str) -> None:
        self._troubles.pop(who, None)
