"""``croupier demo``: the whole appliance on the recorded worked example."""

import json
import shutil
import signal
import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from device.host_client import HostAway, HostClient
from tests.device.program import RECORDING, end, run, running, wait_for

EXPECTED = json.loads((RECORDING / "expected.json").read_text())


def one_line(err: str) -> str:
    """The one line that an error is to be."""
    lines = [line for line in err.splitlines() if line.strip()]
    assert len(lines) == 1, err
    return lines[0]


def copied(folder: Path) -> Path:
    return Path(shutil.copytree(RECORDING, folder / "copy"))


def test_the_game_ends_as_expected_and_says_what_happens(tmp_path: Path) -> None:
    ended = run("demo", "--once", "--speed", "50", "--data", tmp_path)
    assert ended.status == 0, ended.err
    assert ended.json == EXPECTED
    assert "http://127.0.0.1:" in ended.err
    assert "Vee rolls red" in ended.err
    assert "Ann misses: blue against red, and Vee takes the pot of 8." in ended.err
    assert not list(tmp_path.glob("*.pid"))


def test_a_game_that_is_over_is_followed_by_a_new_one(tmp_path: Path) -> None:
    for _ in range(2):
        assert run("demo", "--once", "--speed", "1000", "--data", tmp_path).json == EXPECTED
    with sqlite3.connect(tmp_path / "croupier.db") as connection:
        assert connection.execute("SELECT count(*) FROM entries").fetchone() == (28,)
    connection.close()


def test_another_end_than_expected_fails(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "expected.json").write_text(json.dumps({**EXPECTED, "pot": 3}))
    ended = run("demo", "--once", "--speed", "1000", "--recording", folder)
    assert ended.status == 1
    assert ended.json == EXPECTED
    assert ended.err.splitlines()[-1] == "Error: the game did not end as recorded: pot is 0, expected 3"


def test_the_scoreboard_stays_up_until_ctrl_c_and_all_processes_end(tmp_path: Path) -> None:
    with running("demo", "--speed", "1000", "--data", tmp_path) as demo:
        address = tmp_path / "address"
        wait_for(lambda: address.exists() and bool(address.read_text()))
        client = HostClient(address.read_text().strip())
        wait_for(lambda: bool(client.get("/tables")["tables"]))
        table = client.get("/tables")["tables"][0]["table"]
        wait_for(lambda: client.get(f"/tables/{table}")["state"]["phase"] == "over")
        wait_for(lambda: not psutil.pid_exists(int((tmp_path / "device.pid").read_text())))
        view = client.get(f"/tables/{table}")
        assert view["state"] == EXPECTED
        assert view["reading"]["picture"]
        host = int((tmp_path / "host.pid").read_text())
        demo.send_signal(signal.SIGINT)
        ended = end(demo)
        assert ended.status == 0
        assert ended.err.endswith("Stopped.\n")
        assert "Traceback" not in ended.err
        assert not psutil.pid_exists(host)
        with pytest.raises(HostAway):
            client.get("/health")


def test_stopped_in_the_middle_it_goes_on_with_the_same_game(tmp_path: Path) -> None:
    with running("demo", "--once", "--speed", "4", "--data", tmp_path) as demo:
        wait_for(lambda: "Bob" in (demo.stderr.readline() if demo.stderr else ""))
        demo.send_signal(signal.SIGTERM)
        assert end(demo).status == 130
    assert run("demo", "--once", "--speed", "50", "--data", tmp_path).json == EXPECTED
    with sqlite3.connect(tmp_path / "croupier.db") as connection:
        assert connection.execute("SELECT count(*) FROM entries").fetchone() == (14,)
    connection.close()


def test_a_port_in_use() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = run("demo", "--once", "--port", str(taken.getsockname()[1]))
    assert ended.status == 1
    assert "in use" in one_line(ended.err)


def cut(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:5000])


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (shutil.rmtree, "no such recording"),
        (lambda folder: (folder / "frames/000047.jpg").unlink(), "000047.jpg: missing"),
        (cut("frames/000047.jpg"), "000047.jpg: the picture is cut off"),
        (cut("frames.jsonl"), "frames.jsonl, line"),
        (lambda folder: (folder / "recording.toml").unlink(), "holds single pictures and no game"),
        (lambda folder: (folder / "expected.json").unlink(), "expected.json: missing"),
    ],
)
def test_a_recording_that_cannot_be_played(tmp_path: Path, spoil: Callable[[Path], object], message: str) -> None:
    folder = copied(tmp_path)
    spoil(folder)
    ended = run("demo", "--once", "--recording", folder)
    assert (ended.status, ended.out) == (1, "")
    assert message in one_line(ended.err)


def test_an_unknown_game_is_said(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    text = (folder / "recording.toml").read_text()
    (folder / "recording.toml").write_text(text.replace("vigos-favor", "poker"))
    ended = run("demo", "--once", "--recording", folder)
    assert ended.status == 1
    assert "the table cannot be opened" in one_line(ended.err)


def test_data_that_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = run("demo", "--once", "--data", tmp_path / "file" / "data")
    assert ended.status == 1
    assert "cannot keep data there" in one_line(ended.err)


@pytest.mark.parametrize("wrong", [("--speed", "0"), ("--speed", "fast"), ("--port", "70000"), ("--nonsense",)])
def test_wrong_use_ends_with_status_2(wrong: tuple[str, ...]) -> None:
    assert run("demo", *wrong).status == 2
