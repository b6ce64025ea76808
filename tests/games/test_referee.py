"""``croupier referee`` as an outsider meets it: a real process, its pipes and its exit status."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from host.games.registry import games
from tests.games.storm import CROUPIER, storm

STAKE = b'{"type": "stake", "player": "Ann", "amount": 2}'


def run(*arguments: str, lines: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*CROUPIER, "referee", *arguments], input=lines, capture_output=True, timeout=60)


def answers(lines: bytes, *more: str) -> list[dict[str, Any]]:
    done = run("vigos-favor", "--players", "Ann,Ben", *more, lines=lines)
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert done.stdout.endswith(b"\n")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_opening_state_comes_first() -> None:
    (opening,) = answers(b"", "--option", "rounds=1", "--option", 'vigo="Ben"')
    assert opening.keys() == {"ok", "state"}
    assert opening["ok"] is True
    assert opening["state"]["options"]["vigo"] == "Ben"
    assert opening["state"]["awaiting"] == [{"type": "stake", "player": "Ben"}]


def test_one_answer_for_each_line() -> None:
    opening, staked, refused = answers(STAKE + b"\n" + STAKE + b"\n")
    assert (opening["ok"], staked["ok"], refused["ok"]) == (True, True, False)
    assert staked.keys() == {"ok", "state"}
    assert refused.keys() == {"ok", "error", "state"}
    assert refused["state"] == staked["state"] != opening["state"]
    assert refused["error"] == "Ann is not awaited to stake now. Ann rolls for the favor."


def test_an_answer_comes_before_the_next_line_is_sent() -> None:
    command = [*CROUPIER, "referee", "vigos-favor", "--players", "Ann,Ben"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        assert json.loads(process.stdout.readline())["state"]["phase"] == "stake"
        process.stdin.write(STAKE + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["state"]["phase"] == "favor"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b" \t",
        b"\r",
        b"stake",
        b"[]",
        b"null",
        b"1",
        b'"x"',
        b"{}",
        b"{",
        STAKE + STAKE,
        STAKE + b",",
        b"\xef\xbb\xbf" + STAKE,
        STAKE.decode().encode("utf-16"),
        b'{"type": "stake", "player": "Ann\xff", "amount": 2}',
        b'{"type": "stake", "player": "Ann\\ud800", "amount": 2}',
        b'{"type": "stake", "player": "Ann\\u0000", "amount": 2}',
        b'{"type": "stake", "player": "Ann", "amount": NaN}',
        b'{"type": "stake", "player": "Ann", "amount": Infinity}',
        b'{"type": "stake", "player": "Ann", "amount": -Infinity}',
        b'{"type": "stake", "player": "Ann", "amount": 1.0}',
        b'{"type": "stake", "player": "Ann", "amount": 1e0}',
        b'{"type": "stake", "player": "Ann", "amount": 1e400}',
        b'{"type": "stake", "player": "Ann", "amount": true}',
        b'{"type": "stake", "player": "Ann", "amount": ' + b"9" * 4000 + b"}",
        b'{"type": "stake", "player": "Ann", "amount": 1, "amount": 2}',
        b'{"type": "stake", "player": "Ann", "amount": ' + b"[" * 2000 + b"]" * 2000 + b"}",
        b"[" * 4096,
        b'{"a":' * 800,
        STAKE + b" " * (4097 - len(STAKE)),
        STAKE + b" " * 1_000_000,
        b"\x00" * 100,
    ],
)
def test_what_is_no_action_is_refused(line: bytes) -> None:
    opening, refused, staked = answers(line + b"\n" + STAKE + b"\n")
    assert refused["ok"] is False
    assert refused["error"].isprintable()
    assert refused["error"].endswith("Ann names the stake.")
    assert refused["state"] == opening["state"]
    assert staked["ok"] is True


@pytest.mark.parametrize(
    "line",
    [
        STAKE + b"\r",
        b"  " + STAKE,
        STAKE + b" " * (4096 - len(STAKE)),
        b'{"\\u0074ype": "stake", "player": "Ann", "amount": 2}',
    ],
)
def test_what_is_json_all_the_same_is_taken(line: bytes) -> None:
    assert [answer["ok"] for answer in answers(line + b"\n")] == [True, True]


def test_a_last_line_needs_no_line_feed() -> None:
    assert [answer["ok"] for answer in answers(STAKE)] == [True, True]
    assert [answer["ok"] for answer in answers(b"x" * 10_000)] == [True, False]


def test_names_in_any_script() -> None:
    done = run("vigos-favor", "--players", "Zoë,李,👩\u200d🚀", "--as", "李")
    assert json.loads(done.stdout)["state"]["players"] == ["Zoë", "李", "👩\u200d🚀"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "Missing argument 'GAME'"),
        (["vigos-favor"], "Missing option '--players'"),
        (["poker", "--players", "A,B"], "no game is called 'poker'; there is vigos-favor"),
        (["vigos-favor", "--players", "A"], "2 to 12 players, not 1"),
        (["vigos-favor", "--players", ",".join("ABCDEFGHIJKLM")], "2 to 12 players, not 13"),
        (["victim", "--players", "A,B"], "exactly 3 players, not 2"),
        (["vigos-favor", "--players", "A,A"], "a name of their own"),
        (["vigos-favor", "--players", "A,"], "1 to 24 characters"),
        (["vigos-favor", "--players", ""], "1 to 24 characters"),
        (["vigos-favor", "--players", "A," + "x" * 25], "1 to 24 characters"),
        (["vigos-favor", "--players", "A,B\nC"], "1 to 24 characters"),
        (["vigos-favor", "--players", "A,B\udcff"], "1 to 24 characters"),
        (["vigos-favor", "--players", "A,B", "--as", "C"], "no player is called 'C'"),
        (["vigos-favor", "--players", "A,B", "--option", "colour=1"], "unknown option 'colour'"),
        (["vigos-favor", "--players", "A,B", "--option", "rounds"], "--option takes key=json"),
        (["vigos-favor", "--players", "A,B", "--option", "rounds=0"], "rounds must be a whole number"),
        (["vigos-favor", "--players", "A,B", "--option", "rounds=1.0"], "rounds must be a whole number"),
        (["vigos-favor", "--players", "A,B", "--option", "rounds=NaN"], "not JSON"),
        (["vigos-favor", "--players", "A,B", "--option", "rounds=" + "9" * 5000], "not JSON"),
        (["vigos-favor", "--players", "A,B", "--option", "rounds=" + "[" * 5000], "not JSON"),
        (["vigos-favor", "--players", "A,B", "--option", "vigo=A"], "not JSON"),
        (["vigos-favor", "--players", "A,B", "--option", "mercy=true", "--option", "mercy=true"], "given twice"),
        (["vigos-favor", "--players", "A,B", "--colour"], "No such option"),
        (["vigos-favor", "rig", "--players", "A,B"], "unexpected extra argument"),
    ],
)
def test_bad_arguments_exit_2_with_one_line(arguments: list[str], says: str) -> None:
    done = run(*arguments, lines=STAKE)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.endswith(b"\n") and done.stderr.count(b"\n") == 1
    assert says in done.stderr.decode()


def test_no_standard_input_is_the_end_of_input() -> None:
    command = " ".join(f"'{part}'" for part in (*CROUPIER, "referee", "vigos-favor", "--players", "Ann,Ben"))
    done = subprocess.run(["sh", "-c", f"{command} <&-"], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout.count(b"\n"), done.stderr) == (0, 1, b"")


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    command = [*CROUPIER, "referee", "vigos-favor", "--players", "Ann,Ben"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(STAKE + b"\n")
        assert process.wait(timeout=60) == 1
        assert process.stderr.read() == b""


@pytest.fixture
def heeded_interrupts() -> Iterator[None]:
    """Control-C ends what a test starts also where whoever started the tests had it ignored, as in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeded_interrupts")
def test_control_c_ends_it_quietly() -> None:
    command = [*CROUPIER, "referee", "vigos-favor", "--players", "Ann,Ben"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        # A signal that comes between Python's look at them and its wait for input is seen with the next one only.
        for _ in range(6):
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=10)
                break
        assert process.returncode == 130
        assert process.stderr.read() == b""


def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*CROUPIER, "referee", "vigos-favor", "--players", "Ann,Ben"],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
        )
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1


def test_help_names_every_game() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert all(game.id in done.stdout.decode() for game in games())


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_a_small_storm(game: Any) -> None:
    """The everyday part of ``python -m tests.games.storm``."""
    tally = storm(game, 1_500, seed=2)
    assert tally.carried_out > 300
    assert sum(tally.refusals.values()) > 300
