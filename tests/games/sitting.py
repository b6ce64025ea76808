"""A game in play, for tests that read like the game: act, be refused, and look as anybody."""

import json
from collections.abc import Sequence
from typing import Any

from host.games.protocol import Game, JsonObject
from host.games.sentence import Refused


class Sitting:
    """A table that keeps its latest state, and the actions that led to it."""

    def __init__(self, game: Game[Any], players: Sequence[str], **options: Any):
        self.game = game
        self.state = game.open(players, options)
        self.actions: list[JsonObject] = []

    def act(self, kind: str, player: str, **fields: Any) -> "Sitting":
        """Carry out a lawful action."""
        action = {"type": kind, "player": player, **fields}
        self.state = self.game.apply(self.state, action)
        self.actions.append(action)
        return self

    def roll(self, player: str, kind: str, *faces: str, body: str | None = None) -> "Sitting":
        """Roll dice of one kind; the body is left out where None."""
        named = {} if body is None else {"body": body}
        return self.act("roll", player, dice=[{"kind": kind, "face": face, **named} for face in faces])

    def refused(self, kind: str, player: str, **fields: Any) -> Refused:
        """Try an action that is refused, and see that nothing has changed for anybody."""
        before = self.everybodys_views()
        try:
            self.game.apply(self.state, {"type": kind, "player": player, **fields})
        except Refused as refusal:
            assert self.everybodys_views() == before
            assert refusal.wrong.english()
            assert refusal.awaited == self.game.prompt(self.state)
            return refusal
        raise AssertionError(f"{kind} by {player} was not refused")

    def view(self, player: str | None = None) -> JsonObject:
        """The state as ``player`` sees it, or everybody."""
        return self.game.view(self.state, player)

    def everybodys_views(self) -> str:
        """Every view there is, to the byte."""
        return json.dumps([self.view(player) for player in (None, *self.state.players)])

    def awaited(self) -> list[tuple[str, str]]:
        """Who is awaited to do what, in the order in which the state lists it."""
        return [(entry["player"], entry["type"]) for entry in self.view()["awaiting"]]

    def events(self) -> list[str]:
        """What the last action brought about, in English."""
        return [event.english() for event in self.state.events]

    def prompts(self) -> list[str]:
        """What is waited for, in English."""
        return [sentence.english() for sentence in self.game.prompt(self.state)]
