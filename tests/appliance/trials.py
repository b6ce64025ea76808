"""What a box is put through, one function each; what they return is printed."""

import re
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

from tests.appliance import game
from tests.appliance.game import Wrong, owner_of
from tests.appliance.machine import Machine
from tests.appliance.making import working_tree
from tests.appliance.wheels import wheel_of, wheelhouse

UNITS = ("croupier-host.service", "croupier-device.service")

NOTES = {UNITS[1]: " (how far its recording was played among them)"}
"""To be said with what is measured of a half."""

BREAKS: Mapping[str, tuple[str, str]] = {
    # Its host migrates the database, answers, and yet never says that it is well.
    "host/migrations.py": (
        "MIGRATIONS: tuple[Migration, ...] = (",
        "def of_a_version_that_fails(connection: Connection) -> None:\n"
        '    connection.execute(text("CREATE TABLE gone_wrong (what TEXT)"))\n\n\n'
        "MIGRATIONS: tuple[Migration, ...] = (of_a_version_that_fails, ",
    ),
    "host/watchdog.py": (".status == http.client.OK", ".status == 0"),
}


def make_source(into: Path, with_updates: bool) -> None:
    """What the machine finds on its second disk: the working tree, wheels, and two versions to update to."""
    working_tree(into / "croupier")
    shutil.copytree(wheelhouse(), into / "wheelhouse")
    if not with_updates:
        return
    wheel_of(into / "croupier", into / "good", "0.1.1")
    wheel_of(into / "croupier", into / "bad", "0.1.2", BREAKS)


def install(machine: Machine) -> dict[str, float]:
    """Install, and install again: the second time there is nothing to do."""
    began = time.monotonic()
    machine.run("cd /mnt/croupier && ./install --wheelhouse /mnt/wheelhouse", timeout_s=1500)
    took = time.monotonic() - began
    again = machine.run("cd /mnt/croupier && ./install --wheelhouse /mnt/wheelhouse", timeout_s=300)
    busy = [line for line in again.splitlines() if line.endswith(": done")]
    if busy:
        raise Wrong(f"installed again it did something: {busy}")
    return {"install_s": round(took, 1), "install_again_s": round(time.monotonic() - began - took, 1)}


def verify_units(machine: Machine) -> dict[str, str]:
    """The units as the machine's own systemd judges them."""
    said = machine.run("systemd-analyze verify --man=no /etc/systemd/system/croupier-*.service")
    if said:
        raise Wrong(f"systemd remarks: {said}")
    exposure = {}
    for unit in UNITS:
        last = machine.run(f"systemd-analyze security --no-pager {unit}").splitlines()[-1]
        found = re.search(r": (\d+\.\d)", last)
        if not found or float(found[1]) > 2.0:
            raise Wrong(last)
        exposure[f"exposure of {unit.removesuffix('.service')}"] = found[1]
    return exposure


def boot(machine: Machine) -> dict[str, float]:
    """Switch off in order, and on again."""
    machine.run("sync")
    machine.power_off_at_the_wall()
    began = time.monotonic()
    machine.power_on()
    game.wait_until_answering(machine)
    answering = time.monotonic() - began
    for unit in UNITS:
        machine.wait_until(f"systemctl is-active {unit}", 300)
    return {"boot_to_answering_s": round(answering, 1), "boot_to_healthy_s": round(time.monotonic() - began, 1)}


def whole_game(machine: Machine) -> dict[str, float]:
    """One game without a disturbance: what is written to the card, and what memory it takes."""
    owner = owner_of(machine)
    table = game.new_game(machine, owner)
    plays = f"grep -q {table} /proc/$(systemctl show --value -p MainPID {UNITS[1]})/cmdline"
    machine.wait_until(f"{plays} && systemctl is-active {UNITS[1]}", 300)
    disk = _sectors(machine)
    before = {unit: _seen(machine, unit).get("written", 0) for unit in UNITS}
    seen: dict[str, dict[str, int]] = {unit: {} for unit in UNITS}

    def look() -> None:
        for unit in UNITS:
            # The device ends with its recording; it is gone then.
            seen[unit] |= _seen(machine, unit)

    took = game.play_to_the_end(machine, owner, table, look)
    figures = {"game_s": round(took, 1)}
    figures["bytes_to_the_disk_per_throw (the file system's journal and all other programs' among them)"] = round(
        (_sectors(machine) - disk) * 512 / game.ROLLS
    )
    for unit in UNITS:
        name = unit.removesuffix(".service")
        written = seen[unit]["written"] - before[unit]
        figures[f"bytes_written_per_throw by {name}{NOTES.get(unit, '')}"] = round(written / game.ROLLS)
        figures[f"memory_mb of {name} (PSS)"] = round(seen[unit]["pss_kb"] / 1024, 1)
        peak = machine.run(f"systemctl show --value -p MemoryPeak {unit}")
        figures[f"memory_mb of {name} (peak of its cgroup)"] = round(int(peak) / 2**20, 1)
    return figures


def watchdog(machine: Machine) -> dict[str, float]:
    """Each half is made to hang; systemd starts it again."""
    figures = {}
    _stop_playing(machine)
    for unit in UNITS:
        machine.wait_until(f"systemctl is-active {unit}", 300)
        before = int(machine.run(f"systemctl show --value -p NRestarts {unit}"))
        machine.run(f"kill -STOP {_pid(machine, unit)}")
        again = f'[ "$(systemctl show --value -p NRestarts {unit})" -gt {before} ] && systemctl is-active {unit}'
        figures[f"hung {unit.removesuffix('.service')} active again after_s"] = round(
            machine.wait_until(again, 300), 1
        )
        # The device's token is the host's; a host that was started again must not need a new device.
        game.wait_until_answering(machine)
    return figures


def camera_stall(machine: Machine) -> dict[str, float]:
    """The kernel's test camera stops giving pictures: reopened in vain, a new process by systemd, and well again."""
    machine.run("modprobe vivid n_devs=1 node_types=0x1")
    _stop_playing(machine)
    machine.wait_until(_device_says("idle|empty|at-rest|asking|read|no-host"), 300)
    device = UNITS[1]
    before = int(machine.run(f"systemctl show --value -p NRestarts {device}"))
    drop = "python3 /mnt/croupier/tests/appliance/vivid.py /dev/video0"
    machine.run(f"{drop} 100")
    noticed = machine.wait_until(_device_says("camera-stalled"), 120)
    restarted = machine.wait_until(f'[ "$(systemctl show --value -p NRestarts {device})" -gt {before} ]', 300)
    machine.run(f"{drop} 0")
    back = machine.wait_until(_device_says("idle|empty|at-rest|asking|read"), 300)
    return {
        "stall_noticed_after_s": round(noticed, 1),
        "new_process_after_s": round(noticed + restarted, 1),
        "well_again_after_s": round(back, 1),
    }


def _stop_playing(machine: Machine) -> None:
    """Give the device its own camera back."""
    machine.run("rm -f /etc/systemd/system/croupier-device.service.d/play.conf; systemctl daemon-reload")
    machine.run("systemctl restart croupier-device.service", timeout_s=300)


def _device_says(states: str) -> str:
    return f"systemctl show --value -p StatusText {UNITS[1]} | grep -Eq '^({states})'"


def updates(machine: Machine) -> dict[str, float]:
    """One to a good version, then one to a version that fails, which goes back by itself, data and all."""
    _stop_playing(machine)
    game.wait_until_answering(machine)
    owner = owner_of(machine)
    tables = owner.get("/tables")
    began = time.monotonic()
    machine.run("croupier update /mnt/good/*.whl --wheelhouse /mnt/wheelhouse", timeout_s=1500)
    good = time.monotonic() - began
    running = machine.run("readlink /opt/croupier/current").strip()
    if "/0.1.1-" not in running or owner.get("/tables") != tables:
        raise Wrong(f"after the update {running} runs")
    began = time.monotonic()
    status, said = machine.try_to_run("croupier update /mnt/bad/*.whl --wheelhouse /mnt/wheelhouse", 1800)
    bad = time.monotonic() - began
    if status != 1 or machine.run("readlink /opt/croupier/current").strip() != running:
        raise Wrong(f"a version that fails was kept: {said}")
    game.wait_until_answering(machine)
    if owner.get("/tables") != tables:
        raise Wrong("the tables are not what they were before the update that failed")
    left = machine.run(
        # The host alone can open its own.
        "cp /var/lib/croupier/croupier.db /var/lib/croupier/croupier.db-wal /tmp/"
        " && python3 -c \"import sqlite3; print(sqlite3.connect('/tmp/croupier.db')"
        ".execute('select name from migrations').fetchall())\""
    )
    if "gone_wrong" in left or "of_a_version_that_fails" in left:
        raise Wrong(f"the migration of the version that failed stayed: {left}")
    return {"update_s": round(good, 1), "failed_update_to_back_s": round(bad, 1)}


def own_wifi(machine: Machine) -> dict[str, float]:
    """With Wi-Fi but no network that it knows the box opens its own and plays on it."""
    machine.run("modprobe mac80211_hwsim radios=1 && systemctl restart croupier-wifi.service")
    took = machine.wait_until("grep -qx own /run/croupier-wifi/state", 240)
    machine.wait_until("ip -4 -o address | grep -q 10.42.0.1/24", 30)
    machine.run(
        "python3 -c \"import urllib.request as r; r.urlopen('http://10.42.0.1:8420/api/v1/health', timeout=60)\""
    )
    return {"own_wifi_open_after_s": round(took, 1)}


def uninstall(machine: Machine) -> dict[str, float]:
    """Only the data stays."""
    machine.run("cd /mnt/croupier && ./install --uninstall", timeout_s=300)
    left = machine.run(
        "find / -xdev -iname '*croupier*' -not -path '/proc/*' -not -path '/var/lib/croupier*'"
        " -not -path '/var/log/*' -not -path '/run/*' -not -path '/tmp/*' -not -path '/root/*' 2>/dev/null",
        check=False,
    ).split()
    if left:
        raise Wrong(f"left after --uninstall: {left}")
    if "croupier.db" not in machine.run("ls /var/lib/croupier"):
        raise Wrong("the data is gone")
    return {}


def _pid(machine: Machine, unit: str) -> str:
    return machine.run(f"systemctl show --value -p MainPID {unit}").strip()


def _seen(machine: Machine, unit: str) -> dict[str, int]:
    """Of a half's process: bytes that it has had written since it started, and its memory; empty where it is gone."""
    process = f"/proc/{_pid(machine, unit)}"
    status, said = machine.try_to_run(
        f"awk '/^write_bytes/{{print $2}}' {process}/io && awk '/^Pss:/{{print $2}}' {process}/smaps_rollup"
    )
    numbers = said.split()
    return {} if status or len(numbers) != 2 else {"written": int(numbers[0]), "pss_kb": int(numbers[1])}


def _sectors(machine: Machine) -> int:
    """Sectors of 512 bytes that were written to the disk since boot."""
    machine.run("sync")
    return int(machine.run("awk '{print $7}' /sys/block/vda/stat"))
