"""The host as a process: killed at any moment, stopped, started twice, and on data that it cannot use."""

import http.client
import json
import re
import resource
import signal
import socket
import sqlite3
import stat
import struct
import subprocess
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.host.running import ANSWER_S, COMMAND, RunningHost, cube, following, new_id


def host_that_fails(*arguments: str, data: Path) -> str:
    """Run ``croupier host`` where it cannot start; the one line that it says."""
    ended = subprocess.run(
        [*COMMAND, "--data", str(data), *arguments], capture_output=True, text=True, timeout=ANSWER_S
    )
    assert ended.returncode == 1 and ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    return line


def test_every_acknowledged_message_is_there_once_after_kills(own_host: RunningHost) -> None:
    table = own_host.open("Vera", "Ana", "Bo", rounds=100)
    acknowledged = 0
    for _ in range(3):
        stake, reading = new_id(), own_host.reading(cube("red"), expect="later")
        before = table.act("stake", "Vera", amount=1, message=stake)
        own_host.kill()
        own_host.start()
        expected = own_host.expect()
        assert expected["expect"] == before.json["expect"]
        again = table.act("stake", "Vera", amount=1, message=stake)
        assert (again.status, again.json) == (200, before.json)
        reading["expect"] = expected["expect"]
        device = own_host.token("device")
        first = own_host.post("/device/readings", reading, device)
        own_host.kill()
        own_host.start()
        assert own_host.post("/device/readings", reading, device).json == first.json
        assert first.json["status"] == "applied"
        acknowledged += 2
        assert table.seen()["number"] == acknowledged
        assert table.undo().status == table.undo().status == 200
        acknowledged += 2
    assert [line["number"] for line in table.seen()["log"]] == list(range(1, acknowledged + 1))


@pytest.mark.faults
def test_a_kill_in_the_middle_of_an_action_never_loses_or_doubles_it(own_host: RunningHost) -> None:
    table = own_host.open("Vera", "Ana", "Bo")
    for round_number in range(6):
        message = new_id()

        def stake(sent: str = message) -> None:
            try:
                table.act("stake", "Vera", amount=1, message=sent)
            except (OSError, http.client.HTTPException):
                return  # killed before it answered, as it should be now and then

        sending = threading.Thread(target=stake)
        sending.start()
        sending.join(timeout=0.0008 * round_number)
        own_host.kill()
        sending.join()
        own_host.start()
        assert table.act("stake", "Vera", amount=1, message=message).status == 200
        seen = table.seen()
        assert (seen["number"], seen["state"]["stake"]) == (2 * round_number + 1, 1)
        assert table.undo().status == 200


def test_the_same_tokens_open_the_same_seats_after_a_restart(own_host: RunningHost) -> None:
    body = {"id": new_id(), "game": "vigos-favor", "players": ["Ana", "Bo"]}
    first = own_host.post("/tables", body, own_host.token("owner"))
    assert own_host.stop() == 0
    own_host.start()
    again = own_host.post("/tables", body, own_host.token("owner"))
    assert again.status == 200 and again.json == first.json


def test_secrets_lie_in_files_of_their_owner_alone_and_nowhere_else(own_host: RunningHost) -> None:
    table = own_host.open("Ana", "Bo")
    tokens = [own_host.token("owner"), own_host.token("device"), *table.tokens.values()]
    for name in ("owner-token", "device-token", "seat-key", "croupier.db"):
        assert stat.S_IMODE((own_host.data / name).stat().st_mode) == 0o600
    assert own_host.stop() == 0
    stored = (own_host.data / "croupier.db").read_bytes()
    assert not any(token.encode() in stored for token in tokens)


def test_a_new_owner_token_replaces_the_old_one(own_host: RunningHost) -> None:
    old = own_host.token("owner")
    own_host.stop()
    (own_host.data / "owner-token").unlink()
    own_host.start()
    assert own_host.token("owner") != old
    assert own_host.post("/tables", {}, old).outcome == (401, "unknown-token")


def test_sigterm_ends_streams_and_polls_and_leaves_no_address(own_host: RunningHost) -> None:
    table = own_host.open("Ana", "Bo")
    expect, device = own_host.expect()["expect"], own_host.token("device")
    with following(own_host, table.id) as stream, own_host.connection() as polling:
        stream.next()
        path = f"/api/v1/device/expect?after={expect}&wait=25"
        polling.request("GET", path, headers={"Authorization": f"Bearer {device}"})
        own_host.get("/health")  # answered after the poll has been taken in
        assert own_host.stop() == 0
        assert stream.ends()
        assert json.loads(polling.getresponse().read())["expect"] == expect
    assert not (own_host.data / "address").exists()
    with pytest.raises(ConnectionRefusedError):
        own_host.get("/health")


def test_a_second_host_on_the_same_data_is_refused(own_host: RunningHost) -> None:
    line = host_that_fails("--port", "0", data=own_host.data)
    assert "another croupier host" in line
    assert own_host.get("/health").status == 200
    assert (own_host.data / "address").exists()


def test_a_port_in_use(own_host: RunningHost, tmp_path: Path) -> None:
    port = own_host.address.rpartition(":")[2]
    line = host_that_fails("--port", port, data=tmp_path / "other")
    assert port in line and "in use" in line and "--port" in line


def test_a_data_directory_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "data directory" in host_that_fails(data=tmp_path / "file" / "below")


def test_a_database_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "croupier.db").write_bytes(b"no database at all, " * 100)
    assert "not a database" in host_that_fails(data=tmp_path)


@pytest.mark.parametrize("url", ["nonsense", "nosuchdatabase://user:secret@here/there"])
def test_a_database_url_of_no_use(tmp_path: Path, url: str) -> None:
    line = host_that_fails("--database", url, data=tmp_path)
    assert "database URL" in line and "secret" not in line


def test_a_newer_database_is_left_untouched(own_host: RunningHost) -> None:
    own_host.open("Ana", "Bo")
    own_host.stop()
    path = own_host.data / "croupier.db"
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO migrations VALUES ('from_the_future', '2030-01-01')")
    connection.close()
    before = path.read_bytes(), path.stat().st_mtime_ns
    line = host_that_fails("--port", "0", data=own_host.data)
    assert "newer version" in line and "from_the_future" in line
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_a_disk_that_takes_no_more(own_host: RunningHost) -> None:
    table = own_host.open("Vera", "Ana", "Bo")
    table.act("stake", "Vera", amount=1)
    before = table.seen()
    # The kernel lets no file of this process grow any further: every write fails as on a bad disk.
    resource.prlimit(own_host.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    reading, message = own_host.reading(cube("red")), new_id()
    device = own_host.token("device")
    for _ in range(2):
        assert own_host.post("/device/readings", reading, device).outcome == (503, "storage-failed")
        assert table.undo(message=message).outcome == (503, "storage-failed")
    assert table.seen() == before and own_host.expect()["expect"] == f"{table.id}.1"
    resource.prlimit(own_host.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    assert own_host.post("/device/readings", reading, device).json["status"] == "applied"
    assert table.seen()["number"] == 2
    own_host.kill()
    own_host.start()
    assert table.seen()["number"] == 2


def test_nothing_secret_is_logged(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "--data", str(tmp_path), "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    address = re.search(r"http://127\.0\.0\.1:(\d+)", first)
    assert address
    with socket.create_connection(("127.0.0.1", int(address[1]))) as connection:
        connection.sendall(b"GET /api/v1/tables HTTP/1.1\r\nAuthorization: Bearer open-sesame\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 401")
    with socket.create_connection(("127.0.0.1", int(address[1]))) as connection:
        connection.sendall(b"nonsense open-sesame\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 400")
    for _ in range(20):  # clients that hang up before they are answered
        with socket.create_connection(("127.0.0.1", int(address[1]))) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(b"nonsense open-sesame\r\n\r\n")
    process.send_signal(signal.SIGTERM)
    rest = process.stdout.read()
    process.stdout.close()
    assert process.wait(timeout=ANSWER_S) == 0
    assert "open-sesame" not in rest


def test_many_streams_share_one_process(own_host: RunningHost) -> None:
    table = own_host.open("Vera", "Ana", "Bo")
    with ExitStack() as stack:
        streams = [stack.enter_context(following(own_host, table.id)) for _ in range(200)]
        assert {stream.next()["id"] for stream in streams} == {"0"}
        assert len(list(Path(f"/proc/{own_host.process.pid}/task").iterdir())) < 20
        table.act("stake", "Vera", amount=1)
        assert {stream.next()["id"] for stream in streams} == {"1"}
