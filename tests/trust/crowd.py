"""10,000 connections that say nothing, on a host with its usual limits; ``python -m tests.trust.crowd [COUNT]``.

Prints how long a player's page takes before and meanwhile, and what the host holds.
"""

import resource
import statistics
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from tests.host.phones import Owner, Phone
from tests.host.running import RunningHost
from tests.trust.connections import many

CONNECTIONS = 10_000
AT_A_TIME = 500
FILES_BESIDE = 100


def main(count: int) -> None:
    """Open them, look, and say what was seen."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + FILES_BESIDE), hard))
    with TemporaryDirectory() as folder:
        host = RunningHost(Path(folder) / "data")
        try:
            table, (ana, _) = Owner(host).seated("Ana", "Bo")
            process = psutil.Process(host.process.pid)
            print(f"alone: {page_ms(ana, table):.0f} ms a page, {process.num_fds()} files open", flush=True)
            with ExitStack() as stack:
                waits = []
                for _ in range(count // AT_A_TIME):
                    many(host, AT_A_TIME, stack)
                    waits.append(page_ms(ana, table, 1))
                print(f"{count} connections: {statistics.median(waits):.0f} ms a page, at most {max(waits):.0f} ms")
                assert ana.act(table, "stake", "Ana", amount=1).status == 200
                memory = process.memory_info().rss >> 20
                print(f"the host has {process.num_fds()} files open and takes {memory} MB; the player played on")
        finally:
            host.kill()


def page_ms(phone: Phone, table: str, times: int = 9) -> float:
    """How long the player's page takes, the median of so many times."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        assert phone.page(f"/tables/{table}").status == 200
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else CONNECTIONS)
