"""Runs the two halves as processes of their own: starts them, watches them, starts them again, ends them."""

import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import IO, Self

_FIRST_DELAY_S = 0.1
_LONGEST_DELAY_S = 2.0
_HEALTHY_S = 3.0
"""A child that lived so long is started again at once; one that keeps dying sooner waits twice as long each time."""

_STOP_S = 5.0
"""What a child gets to end by itself before it is killed."""

_LOOK_EVERY_S = 0.05


class ChildFailed(RuntimeError):
    """A child has given up and said why on its own standard error; starting it again would not help."""


class Stopped(BaseException):
    """The supervisor was asked to stop (Ctrl-C, SIGTERM)."""


@dataclass(frozen=True, slots=True)
class Child:
    """A program to keep running: ``arguments`` follow ``croupier``.

    ``is_patient``: an exit status of 1 or 2 means that it cannot do its work now, and it is tried again; otherwise
    such an end is for good. A status of 0 always is: the work is done. Its standard error is ours, save for lines
    that begin with one of ``unsaid``.
    """

    name: str
    arguments: tuple[str, ...]
    is_patient: bool = False
    unsaid: tuple[str, ...] = ()


class _Running:
    """A child with its process."""

    def __init__(self, child: Child, pid_file: Path) -> None:
        self.child = child
        self.pid_file = pid_file
        self.process: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0
        self.delay = _FIRST_DELAY_S
        self.start_at: float | None = None
        self.passing_on: threading.Thread | None = None
        self.is_done = False

    def start(self) -> None:
        command = [sys.executable, "-m", "device", *self.child.arguments]
        if setpriv := shutil.which("setpriv"):
            # The child ends with its supervisor, even if that is killed.
            command = [setpriv, "--pdeathsig", "TERM", "--", *command]
        self.process = subprocess.Popen(  # noqa: S603 - our own program
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE if self.child.unsaid else None,
            # Ctrl-C in a terminal reaches the supervisor alone, which ends its children in order.
            start_new_session=True,
        )
        if self.process.stderr is not None:
            self.passing_on = threading.Thread(
                target=_pass_on, args=(self.process.stderr, self.child.unsaid), name=f"errors of {self.child.name}"
            )
            self.passing_on.start()
        self.started_at = time.monotonic()
        self.start_at = None
        # For people and tests to look at: a disk that is full does not keep the child from running.
        with suppress(OSError):
            new = self.pid_file.with_suffix(".new")
            new.write_text(f"{self.process.pid}\n", encoding="ascii")
            new.replace(self.pid_file)

    def look(self) -> None:
        """Start the child again if it has ended and its time has come. Raises ``ChildFailed``."""
        now = time.monotonic()
        if self.start_at is not None and now >= self.start_at:
            self.start()
        elif self.process is not None and self.start_at is None and not self.is_done:
            status = self.process.poll()
            if status is None:
                return
            self.hear_out()
            if status == 0:
                self.is_done = True
            elif status in (1, 2) and not self.child.is_patient:
                self.is_done = True
                raise ChildFailed(f"croupier {self.child.name} has given up")
            else:
                lived = now - self.started_at
                self.delay = _FIRST_DELAY_S if lived >= _HEALTHY_S else min(2 * self.delay, _LONGEST_DELAY_S)
                self.start_at = now + self.delay

    def hear_out(self) -> None:
        """Pass on the last that an ended child had to say."""
        if self.passing_on is not None:
            self.passing_on.join(_STOP_S)

    def stop(self) -> None:
        self.start_at = None
        self.is_done = True
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.hear_out()
        with suppress(OSError):
            self.pid_file.unlink(missing_ok=True)


def _pass_on(errors: IO[bytes], unsaid: tuple[str, ...]) -> None:
    with errors:
        for line in errors:
            text = line.decode("utf-8", "replace")
            if not text.startswith(unsaid):
                sys.stderr.write(text)
                sys.stderr.flush()


class Supervisor:
    """Keeps children running; ``DIR/NAME.pid`` holds the process id of each.

    Entered, it turns SIGINT and SIGTERM into ``Stopped``, raised from its waits; left, it ends its own children,
    the last one first, and no other process.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._running: dict[str, _Running] = {}
        self._handlers: dict[int, signal.Handlers | Callable[[int, FrameType | None], object] | int | None] = {}
        self._is_stopping = False

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._handlers[number] = signal.signal(number, self._stop)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_stopping = True
        for running in reversed(self._running.values()):
            running.stop()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def start(self, child: Child) -> None:
        """Start a child and keep it running from now on."""
        running = _Running(child, self._directory / f"{child.name}.pid")
        self._running[child.name] = running
        running.start()

    def replace(self, child: Child) -> None:
        """From its next start on, run the child of that name like this."""
        self._running[child.name].child = child

    def is_done(self, name: str) -> bool:
        """Whether that child has ended for good."""
        return self._running[name].is_done

    def wait(self, until: Callable[[], bool]) -> None:
        """Watch over the children until ``until()`` is true. Raises ``ChildFailed`` and ``Stopped``."""
        while not until():
            for running in self._running.values():
                running.look()
            time.sleep(_LOOK_EVERY_S)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        # Once only: a second Ctrl-C is not to interrupt the ending of the children.
        if not self._is_stopping:
            self._is_stopping = True
            raise Stopped


def child_arguments(*parts: str | Path) -> tuple[str, ...]:
    """Arguments for a child, paths written out.

    >>> child_arguments("host", "--data", Path("/tmp/x"))
    ('host', '--data', '/tmp/x')
    """
    return tuple(map(str, parts))


def is_free(port: int, listen: str) -> bool:
    """Whether nobody listens on that port yet."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((listen, port))
        except OSError:
            return False
        return True
