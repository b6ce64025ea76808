"""Readable transcripts of games, with what every player sees: ``python -m tests.games.playthrough``.

    --write              play the actions of every transcript again, and write down what happens now
    --new GAME [SEED]    add a transcript of a random game

A transcript is self-contained. It begins with the game, its players and its options; a line that starts with ``>``
is an action, and everything else follows from those. So a change of the rules shows up as a difference to read.
Of each view only the keys that have changed are listed, and of a player's own view only those that differ from what
everybody sees.
"""

import contextlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

from host.games.protocol import Game, JsonObject
from host.games.registry import GAMES, Registry
from host.games.sentence import Refused
from tests.games.lawful import answer, lawful_action, random_options, random_players
from tests.games.unlawful import spoilt

FOLDER = Path(__file__).parent / "playthroughs"
MOST_ACTIONS = 120


def transcript(text: str, registry: Registry = GAMES) -> str:
    """The transcript that follows from the comments, the heading and the actions of another one."""
    lines = text.splitlines()
    heading = dict(line.split(maxsplit=1) for line in lines if line.startswith(("game ", "players ", "options ")))
    game = registry.game(heading["game"])
    out = [line for line in lines if line.startswith("#")]
    out += [f"{key:<8} {heading[key]}" for key in ("game", "players", "options")]
    state = game.open(json.loads(heading["players"]), json.loads(heading["options"]))
    out += ["", *_shown(game, state, {})]
    for line in lines:
        if line.startswith("> "):
            before = _views(game, state)
            out += ["", line]
            try:
                state = game.apply(state, json.loads(line[2:]))
            except Refused as refused:
                out.append(f"  refused ({refused.slug}): {refused}")
            else:
                out += [f"  {event.english()}" for event in state.events]
                out += _shown(game, state, before)
    return "\n".join(out) + "\n"


def _views(game: Game[Any], state: Any) -> dict[str, JsonObject]:
    return {"everybody": game.view(state), **{player: game.view(state, player) for player in state.players}}


def _shown(game: Game[Any], state: Any, before: dict[str, JsonObject]) -> Iterable[str]:
    views = _views(game, state)
    for who, view in views.items():
        for key, value in view.items():
            is_news = key not in before.get(who, {}) or before[who][key] != value
            is_own = who == "everybody" or key not in views["everybody"] or views["everybody"][key] != value
            if is_news and is_own:
                shown = _awaiting(value) if key == "awaiting" else json.dumps(value, ensure_ascii=False)
                yield f"    {who}: {key} = {shown}"
    for sentence in game.prompt(state):
        yield f"  -> {sentence.english()}"


def _awaiting(entries: list[JsonObject]) -> str:
    """What is awaited, those of whom the same is awaited together."""
    players: dict[str, list[str]] = {}
    for entry in entries:
        rest = {key: value for key, value in entry.items() if key not in ("type", "player")}
        players.setdefault(f"{entry['type']}{' ' + json.dumps(rest) if rest else ''}", []).append(entry["player"])
    return "; ".join(f"{', '.join(names)}: {what}" for what, names in players.items()) or "nothing"


def random_transcript(game: Game[Any], seed: int) -> str:
    """A random game, with an action now and then that is refused."""
    rng = Random(seed)
    players = random_players(game, rng, 4)
    options = random_options(game, players, rng)
    lines = [
        f"# {game.name}: a random game, some of its actions spoilt",
        f"game     {game.id}",
        f"players  {json.dumps(players)}",
        f"options  {json.dumps(options)}",
    ]
    state = game.open(players, options)
    while state.phase != "over" and len(lines) < MOST_ACTIONS:
        if rng.random() < 0.1:
            action = spoilt(answer(game, state, rng.choice(game.awaiting(state)), rng), rng)
            text = json.dumps(action)
            if len(text) < 200 and "NaN" not in text and "Infinity" not in text:
                lines.append(f"> {text}")
                with contextlib.suppress(Refused):
                    state = game.apply(state, action)
        else:
            action = lawful_action(game, state, rng)
            lines.append(f"> {json.dumps(action)}")
            state = game.apply(state, action)
    return transcript("\n".join(lines))


def main(arguments: list[str]) -> int:
    """The small command line; returns the exit status."""
    if arguments == ["--write"]:
        for path in sorted(FOLDER.glob("*.txt")):
            path.write_text(transcript(path.read_text(encoding="utf-8")), encoding="utf-8")
        return 0
    if arguments[:1] == ["--new"] and len(arguments) in (2, 3):
        game = GAMES.game(arguments[1])
        number = 1 + len(list(FOLDER.glob(f"{game.id}-*.txt")))
        path = FOLDER / f"{game.id}-{number}.txt"
        path.write_text(random_transcript(game, int((arguments[2:] or ["1"])[0])), encoding="utf-8")
        print(path)
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
