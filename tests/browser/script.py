"""A game that is written down: who plays, with which options, and every action up to the end."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host.games.protocol import JsonObject
from host.games.registry import GAMES

SCRIPTS = Path(__file__).parent / "scripts"


@dataclass(frozen=True)
class Script:
    """A game from its first action to its last. ``ends`` is the state that the referee comes to."""

    game: str
    players: tuple[str, ...]
    options: JsonObject
    actions: tuple[JsonObject, ...]
    ends: JsonObject

    @property
    def decisions(self) -> frozenset[str]:
        """The kinds of decisions that are taken in it."""
        return frozenset(decision_of(action) for action in self.actions)


def decision_of(action: JsonObject) -> str:
    """What kind of decision an action is, with the answer where there are few.

    >>> decision_of({"type": "decide", "player": "Ana", "choice": "split"})
    'decide split'
    >>> decision_of({"type": "act", "player": "Ana", "flip": {"die": {"player": "Bo", "index": 2}}})
    'act flip die'
    """
    words = [action["type"]]
    for key in ("choice", "buy", "call", "target", "die"):
        if key in action:
            words.append(str(action[key]))
    for key in ("flip", "extra", "steal"):
        if key in action:
            words.append(key)
            words.extend(["nothing"] if action[key] is None else list(action[key])[:1] if key == "flip" else [])
    if action.get("double"):
        words.append("doubled")
    if action.get("space") == "king":
        words.append("on king")
    if action.get("tokens") == []:
        words.append("nothing")
    return " ".join(words)


def script(name: str) -> Script:
    """The game of that name: its first line says who plays what, and each line after it is an action."""
    opening, *actions = map(json.loads, (SCRIPTS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
    game = GAMES.game(opening["game"])
    state = game.open(tuple(opening["players"]), opening["options"])
    for action in actions:
        state = game.apply(state, action)
    ends: dict[str, Any] = game.view(state, None)
    assert ends["winners"] is not None, f"{name} is not over"
    return Script(game.id, tuple(opening["players"]), opening["options"], tuple(actions), ends)
