"""A machine under qemu: switched on, given orders, switched off at the wall.

In software emulation, also where there is KVM: what works and is measured here does not depend on the machine.
"""

import json
import socket
import subprocess
import time
import uuid
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from tests.appliance.image import Image

BOOT_S = 300
"""What a boot may take: software emulation on two busy cores."""


PROCESSOR = "Nehalem"
"""All that numpy's and OpenCV's builds ask for, and no AVX: qemu 7.2 emulates its gathering instructions wrongly, so
that numpy's argsort crashes."""


class MachineError(RuntimeError):
    """The machine does not do what the test needs; the text ends with what its console said last."""


class Machine:
    """One machine with a disk of its own, an overlay over ``image``; ``source`` is its second, read-only disk.

    Its port 8420 is reached as ``port`` of 127.0.0.1.
    """

    def __init__(self, image: Image, folder: Path, source: Path, memory_mb: int = 1024) -> None:
        self._image = image
        self._folder = folder
        self._source = source
        self._memory_mb = memory_mb
        self._disk = folder / "disk.qcow2"
        self._console: IO[bytes] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._talk: socket.socket | None = None
        self._heard = b""
        self.port = _free_port()
        if not self._disk.exists():
            base = ["-F", "raw", "-b", str(image.disk)]
            subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", *base, str(self._disk)], check=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.power_off_at_the_wall()

    def power_on(self) -> None:
        """Start the machine; it boots on its own."""
        agent = self._folder / "agent.sock"
        agent.unlink(missing_ok=True)
        self._console = (self._folder / "console.log").open("ab")
        network = f"user,id=net0,hostfwd=tcp:127.0.0.1:{self.port}-:8420"
        self._process = subprocess.Popen(
            [
                # It ends with the test, however that ends.
                *("setpriv", "--pdeathsig", "KILL", "--"),
                *("qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"),
                *("-machine", "q35", "-accel", "tcg,thread=multi"),
                *("-cpu", PROCESSOR, "-smp", "2", "-m", str(self._memory_mb)),
                *("-kernel", str(self._image.kernel), "-initrd", str(self._image.initrd)),
                *("-append", "root=/dev/vda ro console=ttyS0 quiet loglevel=4 mitigations=off"),
                *("-serial", "stdio", "-monitor", "none"),
                *("-drive", f"file={self._disk},if=virtio,format=qcow2"),
                *("-drive", f"file={self._source},if=virtio,format=raw,readonly=on"),
                *("-netdev", network, "-device", "virtio-net-pci,netdev=net0,romfile="),
                *("-device", "virtio-serial", "-chardev", f"socket,path={agent},server=on,wait=off,id=agent"),
                *("-device", "virtserialport,chardev=agent,name=agent"),
                *("-object", "rng-random,id=rng,filename=/dev/urandom", "-device", "virtio-rng-pci,rng=rng"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=self._console,
            stderr=self._console,
        )
        self._talk = None
        # Somebody is to listen from the beginning: the agent is started again and again until then.
        self._connected(BOOT_S)

    def power_off_at_the_wall(self) -> None:
        """Kill qemu: no sync, no goodbye."""
        if self._talk is not None:
            self._talk.close()
            self._talk = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if self._console is not None:
            self._console.close()
            self._console = None

    def run(self, command: str, timeout_s: float = 120, check: bool = True) -> str:
        """Run a shell command as root and give what it said on both streams. Raises ``MachineError``."""
        status, said = self.try_to_run(command, timeout_s)
        if check and status:
            raise MachineError(f"{command!r} ended with {status}: {said.strip()[-2000:]}")
        return said

    def try_to_run(self, command: str, timeout_s: float = 120) -> tuple[int, str]:
        """Its exit status, and what it said on both streams."""
        order = {"id": str(uuid.uuid4()), "run": command, "timeout_s": timeout_s}
        talk = self._connected(BOOT_S)
        talk.sendall(json.dumps(order).encode() + b"\n")
        until = time.monotonic() + timeout_s + 60
        while time.monotonic() < until:
            answer = json.loads(self._line(until))
            if answer["id"] == order["id"]:
                return answer["status"], answer["said"]
        raise MachineError(f"no answer to {command!r}; {self.last_words()}")

    def wait_until(self, command: str, timeout_s: float) -> float:
        """Run the command until its status is 0; the seconds that it took. Raises ``MachineError``."""
        began = time.monotonic()
        while True:
            status, said = self.try_to_run(command, timeout_s)
            took = time.monotonic() - began
            if status == 0:
                return took
            if took > timeout_s:
                raise MachineError(f"{command!r} did not succeed within {timeout_s:g} s: {said.strip()[-1000:]}")
            time.sleep(0.3)

    def last_words(self) -> str:
        """The end of what the console said."""
        said = (self._folder / "console.log").read_bytes().decode("utf-8", "replace")
        return f"the console said last: {said[-1500:]}"

    def _line(self, until: float) -> bytes:
        talk = self._connected(BOOT_S)
        while b"\n" not in self._heard:
            talk.settimeout(max(0.1, until - time.monotonic()))
            try:
                part = talk.recv(65536)
            except TimeoutError:
                part = b""
            if not part:
                raise MachineError(f"the machine fell silent; {self.last_words()}")
            self._heard += part
        line, self._heard = self._heard.split(b"\n", 1)
        return line

    def _connected(self, timeout_s: float) -> socket.socket:
        if self._talk is not None:
            return self._talk
        until = time.monotonic() + timeout_s
        while time.monotonic() < until:
            if self._process is None or self._process.poll() is not None:
                raise MachineError(f"qemu has ended; {self.last_words()}")
            talk = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            with suppress(OSError):
                talk.connect(str(self._folder / "agent.sock"))
                self._talk, self._heard = talk, b""
                return talk
            talk.close()
            time.sleep(0.1)
        raise MachineError(f"qemu does not come up; {self.last_words()}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
