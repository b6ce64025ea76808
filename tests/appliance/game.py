"""The recorded game, played inside the machine, and what its table's log must hold after every power cut."""

import json
import random
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from device.host_client import HostAway, HostClient, HostRefused
from tests.appliance.machine import Machine
from tests.appliance.making import ROOT

RECORDING = "vigos-favor-worked-example"
ROLLS, DECISIONS = 9, 5
"""What the recorded game's log holds at its end."""

WELL_S = 400
"""From power on to a table that answers, at most."""

PLAYED_S = 900
"""A whole game, at most."""

LATEST_CUT_S = 90.0
"""How long after the tables answer the power fails at the latest: in emulation the device needs some 25 s more to
start, and a game 60 s."""

_PLAY = """[Service]
# Emulated in software the first reading alone may take as long as a box's watchdog waits.
WatchdogSec=300
TimeoutStartSec=600
LoadCredential=owner-token:/var/lib/croupier/owner-token
ExecStart=
ExecStart=/opt/croupier/current/bin/croupier device --data /var/lib/croupier-device \
--token-file ${CREDENTIALS_DIRECTORY}/device-token --camera recording:%s \
--play-table %s --owner-token-file ${CREDENTIALS_DIRECTORY}/owner-token
"""

Log = list[dict[str, Any]]


class Wrong(AssertionError):
    """What a box that is switched off at the wall must never do."""


@dataclass
class Cuts:
    """What was seen of the power cuts."""

    seed: int
    power_cuts: int = 0
    games: int = 0
    boots_s: list[float] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)


def is_answering(machine: Machine) -> bool:
    """Whether the tables answer from outside."""
    try:
        return bool(HostClient(f"http://127.0.0.1:{machine.port}").get("/health")["status"] == "ok")
    except (HostAway, HostRefused):
        return False


def wait_until_answering(machine: Machine) -> float:
    """The seconds that it took."""
    began = time.monotonic()
    while not is_answering(machine):
        if time.monotonic() - began > WELL_S:
            raise Wrong(f"no table answers {WELL_S} s after power on; {machine.last_words()}")
        time.sleep(0.5)
    return time.monotonic() - began


def owner_of(machine: Machine) -> HostClient:
    """A client that may do what the owner may."""
    token = machine.run("cat /var/lib/croupier/owner-token").strip()
    return HostClient(f"http://127.0.0.1:{machine.port}", token)


def new_game(machine: Machine, owner: HostClient) -> str:
    """A new table, and the device told to play the recording at it; the table's id."""
    body = {"id": str(uuid.uuid4()), "game": "vigos-favor", "players": ["Vee", "Ann", "Bob", "Cat", "Dan"]}
    table = str(owner.post("/tables", body | {"options": {"rounds": 1}})["table"])
    folder = machine.run(f"echo /opt/croupier/current/lib/python3*/site-packages/device/recordings/{RECORDING}")
    drop_ins = "/etc/systemd/system/croupier-device.service.d"
    text = _PLAY % (folder.strip(), table)
    machine.run(
        f"mkdir -p {drop_ins} && cat > {drop_ins}/play.conf <<'END'\n{text}END\nsystemctl daemon-reload; sync"
    )
    machine.run("systemctl restart --no-block croupier-device.service")
    return table


def log_of(owner: HostClient, table: str) -> Log:
    """The table's log as the host tells it."""
    return list(owner.get(f"/tables/{table}")["log"])


def play_to_the_end(
    machine: Machine, owner: HostClient, table: str, look: Callable[[], None] = lambda: None
) -> float:
    """Wait for the end of the game and compare it with what the recording expects; the seconds that it took.

    ``look`` is called now and then meanwhile.
    """
    began = time.monotonic()
    while not _is_over(owner, table):
        if time.monotonic() - began > PLAYED_S:
            said = machine.run("journalctl -n 30 --no-pager -u croupier-device -u croupier-host", check=False)
            raise Wrong(f"the game does not end: {said}")
        look()
        time.sleep(1)
    check_end(owner, table)
    return time.monotonic() - began


def _is_over(owner: HostClient, table: str) -> bool:
    with suppress(HostAway):
        return bool(owner.get(f"/tables/{table}")["state"]["phase"] == "over")
    return False


def check_end(owner: HostClient, table: str) -> None:
    """Every roll and decision once, and the state that the recording expects."""
    expected = json.loads((ROOT / "tests/recordings" / RECORDING / "expected.json").read_text(encoding="utf-8"))
    told = owner.get(f"/tables/{table}")
    if not told["state"].items() >= expected.items():
        raise Wrong(f"the game ended otherwise: {told['state']}")
    readings = [line["reading"] for line in told["log"] if line["reading"] is not None]
    if len(told["log"]) != ROLLS + DECISIONS or len(readings) != ROLLS or len(set(readings)) != ROLLS:
        raise Wrong(f"{len(told['log'])} entries and {len(set(readings))} readings: {told['log']}")


def check_nothing_lost(before: Log, after: Log) -> None:
    """What was told before the power failed is there word for word, and nothing twice."""
    if after[: len(before)] != before:
        raise Wrong(f"told before the cut: {before[-3:]}; after it: {after[: len(before)][-3:]}")
    readings = [line["reading"] for line in after if line["reading"] is not None]
    if len(readings) != len(set(readings)):
        raise Wrong(f"a reading counts twice: {after}")


def cut_power(machine: Machine, count: int, seed: int, tell: Callable[[Cuts], None]) -> Cuts:
    """Cut the power so often, at random moments of boot and play; the game goes on after each. Raises ``Wrong``.

    ``tell`` is called after each cut that nothing was lost by.
    """
    chance = random.Random(seed)
    cuts = Cuts(seed)
    owner = owner_of(machine)
    table = new_game(machine, owner)
    cuts.games = 1
    told: Log = []
    while cuts.power_cuts < count:
        told = _watch(owner, table, chance.uniform(0, LATEST_CUT_S), told)
        machine.power_off_at_the_wall()
        cuts.power_cuts += 1
        machine.power_on()
        if chance.random() < 0.2 and cuts.power_cuts < count:
            # Power that comes back often fails again at once.
            time.sleep(chance.uniform(1, cuts.boots_s[-1] if cuts.boots_s else 60))
            machine.power_off_at_the_wall()
            cuts.power_cuts += 1
            machine.power_on()
        cuts.boots_s.append(wait_until_answering(machine))
        now = log_of(owner, table)
        check_nothing_lost(told, now)
        cuts.lengths.append(len(now))
        tell(cuts)
        told = now
        if cuts.power_cuts < count and len(now) == ROLLS + DECISIONS:
            check_end(owner, table)
            table, told = new_game(machine, owner), []
            cuts.games += 1
    play_to_the_end(machine, owner, table)
    return cuts


def _watch(owner: HostClient, table: str, for_s: float, told: Log) -> Log:
    """Follow the table for so long; the longest log that it told."""
    until = time.monotonic() + for_s
    while time.monotonic() < until:
        with suppress(HostAway):
            told = log_of(owner, table)
        time.sleep(0.2)
    return told
