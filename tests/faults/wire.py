"""A wire between clients and the host that loses, repeats, delays, reorders and cuts requests when it is told to."""

import re
import socket
import socketserver
import threading
import time
from collections import deque
from random import Random
from typing import Literal

WireFault = Literal["request lost", "answer lost", "request repeated", "request late", "order changed", "request cut"]
WIRE_FAULTS: tuple[WireFault, ...] = (
    "request lost",
    "answer lost",
    "request repeated",
    "request late",
    "order changed",
    "request cut",
)

LONGEST_DELAY_S = 0.4
MOST_HELD_BACK = 4
"""Requests that may overtake one whose order is changed."""


class Wire:
    """Listens on a port of its own and passes whole requests on, one connection each, to ``upstream``'s port.

    Faults happen to requests whose first line has one of ``paths`` in it.
    """

    def __init__(self, upstream: int, paths: tuple[str, ...], chance: Random):
        self._upstream = upstream
        self._paths = paths
        self._chance = chance
        self._lock = threading.Lock()
        self._armed = deque[WireFault]()
        self._held: list[tuple[int, bytes]] = []
        self.happened: list[WireFault] = []
        wire = self

        class Connection(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                """Pass one request on."""
                wire.serve(self.request)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Connection)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._server.request_queue_size = 64
        self.port: int = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def arm(self, fault: WireFault) -> None:
        """It happens to the next request."""
        with self._lock:
            self._armed.append(fault)

    @property
    def is_calm(self) -> bool:
        """Whether every fault has happened, and nothing is held back any more."""
        with self._lock:
            return not self._armed and not self._held

    def close(self) -> None:
        """Listen no more. What was held back is delivered: late, but it comes."""
        with self._lock:
            held, self._held = self._held, []
        for _, request in held:
            self._forward(request)
        self._server.shutdown()
        self._server.server_close()

    def serve(self, client: socket.socket) -> None:
        """One request of a client."""
        client.settimeout(30)
        try:
            request = _read_request(client)
            if request is None:
                return
            answer = self._deal_with(request)
            if answer:
                client.sendall(answer)
        except OSError:
            return
        for overtaken in self._due():
            self._forward(overtaken)

    def _deal_with(self, request: bytes) -> bytes | None:
        """What the client gets; None: the connection is closed on it."""
        fault = self._next_fault(request)
        match fault:
            case "request lost":
                return None
            case "answer lost":
                self._forward(request)
                return None
            case "request repeated":
                self._forward(request)
            case "request late":
                time.sleep(self._chance.uniform(0.05, LONGEST_DELAY_S))
            case "order changed":
                with self._lock:
                    self._held.append((self._chance.randint(1, MOST_HELD_BACK), request))
                return None
            case "request cut":
                self._forward(request[: self._chance.randrange(1, len(request))], is_whole=False)
                return None
        return self._forward(request)

    def _next_fault(self, request: bytes) -> WireFault | None:
        first_line = request.partition(b"\r\n")[0].decode("latin-1")
        with self._lock:
            if not self._armed or not any(path in first_line for path in self._paths):
                return None
            self.happened.append(self._armed.popleft())
            return self.happened[-1]

    def _due(self) -> list[bytes]:
        with self._lock:
            counted = [(left - 1, request) for left, request in self._held]
            self._held = [held for held in counted if held[0] > 0]
            return [request for left, request in counted if left <= 0]

    def _forward(self, request: bytes, is_whole: bool = True) -> bytes | None:
        try:
            with socket.create_connection(("127.0.0.1", self._upstream), 30) as host:
                host.sendall(request)
                if not is_whole:
                    return None
                return b"".join(iter(lambda: host.recv(65_536), b"")) or None
        except OSError:
            return None


def _read_request(client: socket.socket) -> bytes | None:
    """A whole request that asks for its connection to be closed; None where there is none."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += (chunk := client.recv(65_536))
        if not chunk:
            return None
    head, _, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    while len(body) < int(length[1] if length else 0):
        body += (chunk := client.recv(65_536))
        if not chunk:
            return None
    head = re.sub(rb"(?i)\r\nconnection:[^\r]*", b"", head)
    return head + b"\r\nConnection: close\r\n\r\n" + body
