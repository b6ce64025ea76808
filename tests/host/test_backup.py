"""Backups: one file that brings everything back, and files that do not are refused with nothing changed."""

import io
import json
import sqlite3
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from tests.host.phones import Owner
from tests.host.running import ANSWER_S, Answer, RunningHost, cube

CROUPIER = (sys.executable, "-c", "from device.cli import main; main()")


def croupier(*arguments: object) -> tuple[int, str]:
    """Run a command; its status, and what it says in one line."""
    words = [*CROUPIER, *(str(argument) for argument in arguments)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=ANSWER_S)
    (line,) = (ended.stdout + ended.stderr).splitlines()
    return ended.returncode, line


def put(host: RunningHost, content: bytes, who: str | None = "owner") -> Answer:
    """Send a backup to be restored."""
    headers = {"Content-Type": "application/zip"}
    return host.call("PUT", "/api/v1/backup", content, who and host.token(who), headers)


def changed(content: bytes, **members: bytes | None) -> bytes:
    """A backup with other members, by their names without the dot."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            member = members.get(name.partition(".")[0].replace("-", "_"), old.read(name))
            if member is not None:
                new.writestr(name, member)
    return out.getvalue()


def test_a_running_host_goes_back_to_a_backup(own_host: RunningHost) -> None:
    lobby, phones = Owner(own_host).seated("Ana", "Bo")
    phones[0].act(lobby, "stake", "Ana", amount=3)
    own_host.read(cube("red"))
    before = own_host.get(f"/tables/{lobby}").json
    backup = own_host.get("/backup", own_host.token("owner"))
    assert backup.status == 200 and backup.headers["Content-Type"] == "application/zip"
    later = own_host.open("Cy", "Dan")
    assert put(own_host, backup.body).status == 200
    deadline = time.monotonic() + ANSWER_S
    while time.monotonic() < deadline:
        try:
            if own_host.get(f"/tables/{later.id}").status == 404:
                break
        except OSError:
            pass
        time.sleep(0.1)
    assert own_host.get(f"/tables/{lobby}").json == before
    assert own_host.call("GET", before["reading"]["picture"]).status == 200
    assert phones[0].seats == [(lobby, "Ana")]
    assert phones[1].act(lobby, "roll", "Bo", dice=[{"kind": "chance-cube", "face": "red"}]).status == 200
    kept = own_host.data / "croupier.db.before-restore"
    assert sqlite3.connect(kept).execute("SELECT count(*) FROM tables").fetchone() == (2,)


def test_what_is_no_backup_is_refused_and_changes_nothing(own_host: RunningHost) -> None:
    table = own_host.open("Ana", "Bo")
    good = own_host.get("/backup", own_host.token("owner")).body
    manifest = json.loads(zipfile.ZipFile(io.BytesIO(good)).read("manifest.json"))
    newer = json.dumps({**manifest, "version": 2}).encode()
    foreign = json.dumps({**manifest, "format": "other"}).encode()
    for content, said in (
        (b"", "not a backup"),
        (b"PK nonsense", "not a backup"),
        (changed(good, manifest=None), "not a backup"),
        (changed(good, manifest=foreign), "not a backup"),
        (changed(good, manifest=newer), "newer version"),
        (changed(good, croupier=b"SQLite format 3\0"), "damaged"),
        (changed(good, seat_key=None), "damaged"),
        (good[: len(good) // 2], "not a backup"),
    ):
        refused = put(own_host, content)
        assert refused.outcome == (422, "bad-backup") and said in refused.json["detail"], said
    assert table.act("stake", "Ana", amount=1).status == 200
    assert not list(own_host.data.glob("*restored*")) and not list(own_host.data.glob("upload-*"))


def test_backups_are_for_the_owner_alone(shared_host: RunningHost) -> None:
    assert shared_host.get("/backup").outcome == (401, "no-token")
    assert shared_host.get("/backup", shared_host.token("device")).outcome == (403, "not-allowed")
    assert put(shared_host, b"x", None).outcome == (401, "no-token")
    page = shared_host.call("GET", "/history").body.decode()
    assert "backup" not in page.lower()


def test_the_commands_back_up_and_restore(own_host: RunningHost, tmp_path: Path) -> None:
    table = own_host.open("Ana", "Bo")
    file, elsewhere = tmp_path / "evening.zip", tmp_path / "elsewhere"
    assert croupier("backup", file, "--data", own_host.data)[0] == 0
    assert file.stat().st_mode & 0o077 == 0
    own_host.kill()
    assert croupier("backup", tmp_path / "of-a-host-that-was-killed.zip", "--data", own_host.data)[0] == 0
    own_host.start()
    assert croupier("backup", file, "--data", own_host.data) == (
        1,
        f"Error: {file} exists already; choose another name",
    )
    status, line = croupier("restore", file, "--data", own_host.data)
    assert status == 1 and "another croupier host is using" in line
    assert croupier("restore", file, "--data", elsewhere)[0] == 0
    restored = RunningHost(elsewhere)
    try:
        assert restored.get(f"/tables/{table.id}").json == table.seen()
        assert restored.get(f"/tables/{table.id}", table.tokens["Bo"]).status == 200
    finally:
        restored.kill()


@pytest.mark.parametrize("content", [b"", b"no backup at all"])
def test_restoring_something_else_leaves_the_data_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "file.zip"
    file.write_bytes(content)
    assert croupier("restore", file, "--data", tmp_path / "data") == (
        1,
        "Error: This is not a backup that Croupier has made.",
    )
    assert not (tmp_path / "data" / "croupier.db").exists()
    status, line = croupier("backup", tmp_path / "new.zip", "--data", tmp_path / "nothing")
    assert status == 1 and "no games" in line
    assert not list(tmp_path.glob("new.zip*"))
