"""A storm of lawful and unlawful actions through ``croupier referee``: ``python -m tests.games.storm [COUNT]``.

Everything goes through the real program's pipe, as an outside player would send it, and every answer is compared
with the referee in this process: one line for each line, the state to the byte, refusals that change nothing.
"""

import json
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import IO, Any

from host.games.protocol import Game
from host.games.registry import games
from host.games.sentence import Refused
from tests.games.lawful import answer, lawful_action, random_options, random_players
from tests.games.unlawful import SPOILS, spoilt

CROUPIER = (sys.executable, "-c", "from device.cli import main; main()")
UNLAWFUL = 0.4
"""The part of the actions that are spoilt before they are sent."""

MOST_IN_A_GAME = 1_500
"""Where a game is left for the next: with few tokens, RIG at random can go on for ever."""

NO_ACTIONS = (
    b"",
    b"   ",
    b"\xff\xfe{",
    b"\xef\xbb\xbf{}",
    b"[" * 4000,
    b'{"type": NaN}',
    b'{"a":1,"a":2}',
    b"9" * 5000,
)
"""Lines that are no action whatever the game waits for."""


@dataclass
class Tally:
    """What a storm came to."""

    sent: int = 0
    games: int = 0
    seconds: float = 0.0
    refusals: Counter[str] = field(default_factory=Counter)

    @property
    def carried_out(self) -> int:
        """How many actions changed the state."""
        return self.sent - sum(self.refusals.values())


def storm(game: Game[Any], count: int, seed: int) -> Tally:
    """Send ``count`` actions, in as many games as that takes. Raises ``AssertionError`` for a wrong answer."""
    rng = Random(seed)
    tally = Tally()
    while tally.sent < count:
        _one_game(game, count, rng, tally)
    return tally


def _one_game(game: Game[Any], count: int, rng: Random, tally: Tally) -> None:
    players = random_players(game, rng, game.most_players)
    options = random_options(game, players, rng)
    seat = rng.choice((None, *players))
    state = game.open(players, options)
    lines: list[bytes] = []
    expected = [_answer(game, state, seat)]
    # A lap over the end, where everything is refused.
    beyond_the_end = 10
    while len(lines) < min(count - tally.sent, MOST_IN_A_GAME) and beyond_the_end:
        action = lawful_action(game, state, rng) if state.phase != "over" else rng.choice(SPOILS)
        if state.phase == "over":
            beyond_the_end -= 1
        elif rng.random() < UNLAWFUL:
            action = spoilt(answer(game, state, rng.choice(game.awaiting(state)), rng), rng)
        line = rng.choice(NO_ACTIONS) if rng.random() < 0.02 else json.dumps(action).encode()
        lines.append(line)
        before = state
        if line not in NO_ACTIONS and b"NaN" not in line and b"Infinity" not in line and len(line) <= 4096:
            try:
                state = game.apply(before, action)
            except Refused as refused:
                tally.refusals[refused.slug] += 1
        else:
            tally.refusals["no action at all"] += 1
        expected.append(_answer(game, state, seat, state is not before))
    arguments = ["referee", game.id, "--players", ",".join(players)]
    arguments += [f"--option={key}={json.dumps(value)}" for key, value in options.items()]
    arguments += [] if seat is None else ["--as", seat]
    started = time.monotonic()
    _converse([*CROUPIER, *arguments], lines, expected)
    tally.seconds += time.monotonic() - started
    tally.sent += len(lines)
    tally.games += 1


def _answer(game: Game[Any], state: Any, seat: str | None, is_ok: bool = True) -> dict[str, Any]:
    return {"ok": is_ok, "state": game.view(state, seat)}


def _converse(command: list[str], lines: list[bytes], expected: list[dict[str, Any]]) -> None:
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin and process.stdout and process.stderr
        sender = threading.Thread(target=_send, args=(process.stdin, lines))
        sender.start()
        for number, wanted in enumerate(expected):
            got = json.loads(process.stdout.readline())
            error = got.pop("error", None)
            assert got == wanted, f"line {number}: {lines[number - 1]!r}: {error}"
            assert list(got["state"]) == list(wanted["state"])
            assert wanted["ok"] == (error is None)
        assert process.stdout.read() == b""
        sender.join()
        complaints = process.stderr.read()
        assert process.wait() == 0 and complaints == b"", complaints


def _send(pipe: IO[bytes], lines: list[bytes]) -> None:
    with pipe:
        for line in lines:
            pipe.write(line + b"\n")


def main(arguments: list[str]) -> int:
    """Blow over every game and print what it came to."""
    count = int(arguments[0]) if arguments else 100_000
    chosen = arguments[1:]
    for game in games():
        if chosen and game.id not in chosen:
            continue
        tally = storm(game, count, seed=1)
        print(
            f"{game.id:18} {tally.sent} actions in {tally.games} games: {tally.carried_out} carried out, "
            f"{tally.sent - tally.carried_out} refused, {tally.sent / tally.seconds:.0f} a second"
        )
        print(" " * 19 + ", ".join(f"{slug} {times}" for slug, times in tally.refusals.most_common()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
