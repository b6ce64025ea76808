"""Runs inside the machine as root: does what comes through the virtio port, a JSON line in, a JSON line out.

Only the standard library; copied into the image by ``tests.appliance.image``.
"""

import json
import subprocess
import sys
from typing import Any

PORT = "/dev/virtio-ports/agent"


def main() -> None:
    with open(PORT, "r+b", buffering=0) as port:  # noqa: PTH123 - one device, opened once
        unfinished = b""
        while True:
            part = port.read(65536)
            if not part:
                sys.exit(0)  # nobody listens yet: systemd starts us again
            *lines, unfinished = (unfinished + part).split(b"\n")
            for line in lines:
                answer = json.dumps(do(json.loads(line))).encode() + b"\n"
                while answer:
                    answer = answer[port.write(answer) :]


def do(order: dict[str, Any]) -> dict[str, Any]:
    """Run ``order["run"]`` in a shell."""
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", order["run"]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=order["timeout_s"],
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        return {"id": order["id"], "status": 124, "said": (late.output or b"").decode("utf-8", "replace")}
    return {"id": order["id"], "status": done.returncode, "said": done.stdout.decode("utf-8", "replace")}


if __name__ == "__main__":
    main()
