"""Rolls that are amended and voided in any game: the table is what a second, simpler reckoning says that it is."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.games.protocol import Game
from host.games.registry import GAMES
from host.games.sentence import Refused
from host.line import moves_of
from host.records import Entry, EntryKind, JsonObject, SeatedTable
from host.table import Table
from tests.games.lawful import hooks, lawful_action, random_dice, random_options, random_players

NOW = "2026-05-04T20:15:00.000Z"

Standing = list[tuple[int, JsonObject | None]]


@dataclass
class Reckoning:
    """A table and, beside it, nothing but lists: the actions that stand, after each entry that stands."""

    game: Game[Any]
    seated: SeatedTable
    table: Table
    entries: list[Entry] = field(default_factory=list)
    stack: list[Standing] = field(default_factory=lambda: [[]])
    views: list[str] = field(default_factory=list)

    def append(self, kind: EntryKind, action: JsonObject | None, standing: Standing | None) -> None:
        """An entry, and what stands after it; None: an undo."""
        self.entries.append(Entry(self.seated.id, self.table.number + 1, kind, action, "owner", NOW))
        self.table.append(self.entries[-1])
        if standing is None:
            self.stack.pop()
        else:
            self.stack.append(standing)
        self.views.append(everybodys(self.game, self.state()))

    def state(self) -> Any:
        """The state that the actions lead to which stand."""
        return self.played(self.stack[-1])

    def played(self, standing: Standing) -> Any:
        """The state after these actions, from the opening."""
        state = self.game.open(self.seated.players, self.seated.options)
        for _, action in standing:
            state = state if action is None else self.game.apply(state, action)
        return state

    def longest_fit(self, standing: Standing, least: int) -> int:
        """How many of these actions the game takes; the first ``least`` of them it does."""
        state = self.played(standing[:least])
        for count, (_, action) in enumerate(standing[least:], least):
            try:
                state = state if action is None else self.game.apply(state, action)
            except Refused:
                return count
            if action is None and state.winners is not None:
                return count
        return len(standing)

    def secret(self) -> int | None:
        """The number of the action whose content is still secret; in games with rolls there is one at most."""
        known = hooks(self.game.id)
        types: frozenset[str] = getattr(known, "SECRET_TYPES", frozenset())
        made = [(number, action["player"]) for number, action in self.stack[-1] if action and action["type"] in types]
        if not made or known is None or not known.secret_holds(self.game.view(self.state()), made[-1][1]):
            return None
        return made[-1][0]


def everybodys(game: Game[Any], state: Any) -> str:
    """Every view of a state."""
    return repr([game.view(state, player) for player in (None, *state.players)])


def correct(reckoning: Reckoning, rng: Random, is_void: bool) -> None:
    """Amend or void some roll, and drop what does not fit."""
    table, standing = reckoning.table, reckoning.stack[-1]
    rolls = [index for index, (_, action) in enumerate(standing) if action and action["type"] == "roll"]
    if not rolls:
        return
    index = rng.choice(rolls)
    number, action = standing[index]
    assert action is not None
    if is_void:
        changed = [*standing[:index], *standing[index + 1 :]]
        fits = reckoning.longest_fit(changed, index)
        replay = table.corrected({number: None})
    else:
        before = reckoning.game.awaiting(reckoning.played(standing[:index]))
        entry = next(e for e in before if e.player == action["player"] and e.type == action["type"])
        amended = {**action, "dice": random_dice(entry.dice, rng)}
        changed = [*standing[:index], (number, amended), *standing[index + 1 :]]
        fits = reckoning.longest_fit(changed, index + 1)
        replay = table.corrected({number: amended})
    secret = reckoning.secret()
    if secret is not None and secret > number:
        fits = min(fits, next(i for i, (n, _) in enumerate(changed) if n == secret))
    misfit = changed[fits][0] if fits < len(changed) else None
    assert replay.misfit == misfit
    assert everybodys(reckoning.game, reckoning.played(changed[:fits])) == everybodys(
        reckoning.game, replay.line.state if replay.line else table.state_at(0)
    )
    told: JsonObject = {"of": [number], "drop": misfit}
    if not is_void:
        told = {"of": number, "dice": amended["dice"], "drop": misfit}
    reckoning.append("void" if is_void else "amend", told, changed[:fits])


def one_more(reckoning: Reckoning, rng: Random) -> None:
    """Something that may happen at a table."""
    table, what = reckoning.table, rng.random()
    if what < 0.08 and len(reckoning.stack) > 1:
        reckoning.append("undo", None, None)
    elif what < 0.18:
        correct(reckoning, rng, is_void=False)
    elif what < 0.24:
        correct(reckoning, rng, is_void=True)
    elif what < 0.26:
        reckoning.append("objection", {"of": [1], "player": table.seated.players[0]}, list(reckoning.stack[-1]))
        reckoning.stack.pop()
    elif table.is_ended or table.state.winners is not None:
        correct(reckoning, rng, is_void=False)
    elif what < 0.27:
        reckoning.append("end", None, [*reckoning.stack[-1], (table.number + 1, None)])
    else:
        action = lawful_action(reckoning.game, table.state, rng)
        reckoning.append("action", action, [*reckoning.stack[-1], (table.number + 1, action)])


@pytest.mark.parametrize("game", GAMES.games(), ids=lambda game: game.id)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=12, deadline=None)
def test_a_corrected_game_is_what_a_simpler_reckoning_says(game: Game[Any], seed: int) -> None:
    rng = Random(seed)
    players = random_players(game, rng, 4)
    state = game.open(players, random_options(game, players, rng))
    seated = SeatedTable("k3f9", game.id, players, dict(state.options), NOW)
    reckoning = Reckoning(game, seated, Table(seated, game))
    for _ in range(60):
        one_more(reckoning, rng)
        assert everybodys(game, reckoning.table.state) == everybodys(game, reckoning.state())
    table = reckoning.table
    assert table.number == len(reckoning.entries), "nothing is ever deleted, and every entry counts"
    assert [move.number for move in moves_of(table.line)][::-1] == [number for number, _ in reckoning.stack[-1]]
    again = Table(seated, game, reckoning.entries)
    assert again.snapshot().to_json(None) == table.snapshot().to_json(None)
    for number, view in enumerate(reckoning.views, 1):
        assert everybodys(game, again.state_at(number)) == everybodys(game, table.state_at(number)) == view
    struck = {line.number for line in table.lines() if line.undone}
    actions = {entry.number for entry in reckoning.entries if entry.kind in ("action", "end")}
    assert actions - struck == {number for number, _ in reckoning.stack[-1]}
