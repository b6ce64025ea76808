"""Host and device are killed at random moments of the demo: no roll is lost, none counts twice."""

import json
import os
import random
import secrets
import signal
import time
from pathlib import Path

import psutil
import pytest

from device.host_client import HostAway, HostClient
from tests.device.program import RECORDING, end, start

pytestmark = [pytest.mark.faults, pytest.mark.timeout(600)]

KILLS = 50
KILLS_IN_A_RUN = 10
"""So that kills meet all parts of a game, and not only a beginning that never gets on."""

SPEED = "3"
ROLLS, DECISIONS = 9, 5


def running_pid(file: Path) -> int | None:
    """The process named in a pid file, if it is alive."""
    try:
        pid = int(file.read_text())
        return pid if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE else None
    except (OSError, ValueError, psutil.NoSuchProcess):
        return None


def play_and_kill(data: Path, chance: random.Random, kills: int) -> int:
    """One demo, with at most so many kills at random moments; how many there were."""
    demo = start("demo", "--once", "--speed", SPEED, "--port", "0", "--data", data)
    done = 0
    while demo.poll() is None and done < kills:
        time.sleep(chance.uniform(0.2, 2.0))
        pid = running_pid(data / f"{chance.choice(('host', 'device'))}.pid")
        if pid is not None and demo.poll() is None:
            os.kill(pid, signal.SIGKILL)
            done += 1
    ended = end(demo, 120)
    assert ended.status == 0, ended.err
    assert ended.json.items() >= json.loads((RECORDING / "expected.json").read_text()).items()
    return done


def readings_in_log(data: Path) -> list[str | None]:
    """For each entry of the table's log the reading that brought it about, as the host tells it afterwards."""
    host = start("host", "--data", data, "--port", "0")
    try:
        for _ in range(200):
            try:
                client = HostClient((data / "address").read_text().strip())
                table = client.get("/tables")["tables"][0]["table"]
                return [line["reading"] for line in client.get(f"/tables/{table}")["log"]]
            except (OSError, HostAway):
                time.sleep(0.1)
        raise AssertionError("the host did not come up")
    finally:
        host.terminate()
        host.communicate()


def test_fifty_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    seed = int(os.environ.get("CROUPIER_SEED") or secrets.randbits(32))
    print(f"CROUPIER_SEED={seed}")
    chance = random.Random(seed)
    left, runs = KILLS, 0
    while left:
        runs += 1
        data = tmp_path / f"run{runs}"
        left -= play_and_kill(data, chance, min(left, KILLS_IN_A_RUN))
        readings = readings_in_log(data)
        by_camera = [reading for reading in readings if reading is not None]
        assert len(by_camera) == len(set(by_camera)) == ROLLS
        assert len(readings) == ROLLS + DECISIONS
    print(f"{KILLS} kills in {runs} runs")
