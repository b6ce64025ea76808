"""What all games share: the shape of a game, the opening of one, and the checks that every action passes.

A game is a pure function of its players, its options and the actions so far. ``Game`` does what is the same
for all of them (names, options, the form of an action, who is awaited, which dice a roll may hold); a game's own
module says what happens then.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from host.games.checks import check_action, check_options, check_players
from host.games.sentence import BadSetup, Refused, Sentence

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game.

    ``default(players)`` gives the value where none is set; ``check(value, players)`` returns the value, or raises
    ``BadSetup`` with one clear line. ``title`` says in a few words what it does.
    """

    name: str
    title: str
    default: Callable[[tuple[str, ...]], Any]
    check: Callable[[Any, tuple[str, ...]], Any]


@dataclass(frozen=True, slots=True)
class DiceGroup:
    """``count`` dice of one kind that a roll must hold; ``body`` is None where any body will do."""

    kind: str
    count: int = 1
    body: str | None = None

    def to_json(self) -> JsonObject:
        """As `awaiting` lists it."""
        return {"kind": self.kind, "body": self.body, "count": self.count}


@dataclass(frozen=True, slots=True)
class Awaited:
    """One entry of ``awaiting``: who may do what.

    ``dice`` is given for rolls alone. ``fields`` names the keys that the action must hold besides type and player,
    ``optional`` those that it may hold. ``choices`` closes the set of answers of the field ``choice_field``.
    """

    type: str
    player: str
    dice: tuple[DiceGroup, ...] = ()
    fields: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    choice_field: str | None = None
    choices: tuple[Any, ...] | None = None

    def to_json(self) -> JsonObject:
        """As the state shows it: type, player, and dice or choices where there are any."""
        entry: JsonObject = {"type": self.type, "player": self.player}
        if self.dice:
            entry["dice"] = [group.to_json() for group in self.dice]
        if self.choices is not None:
            entry["choices"] = list(self.choices)
        return entry


@dataclass(frozen=True, kw_only=True)
class State:
    """What every game's state holds; a game's own frozen dataclass adds the rest.

    ``events`` are the facts that the last action brought about, fit for everybody's eyes.
    """

    players: tuple[str, ...]
    options: Mapping[str, Any]
    phase: str
    winners: tuple[str, ...] | None = None
    events: tuple[Sentence, ...] = ()


S = TypeVar("S", bound=State)


class Game(ABC, Generic[S]):
    """A game that the referee can play. Instances hold no state of their own.

    ``guarded_phases`` are those in which a die that lies on the table is a secret, so that no camera may read it.
    """

    id: str
    name: str
    credit: str
    summary: Sentence
    kinds: tuple[str, ...]
    fewest_players: int
    most_players: int
    options: tuple[Option, ...]
    guarded_phases: tuple[str, ...] = ()

    # What a game's module writes -----------------------------------------------------------------------------

    @abstractmethod
    def opening(self, players: tuple[str, ...], options: Mapping[str, Any]) -> S:
        """The state before the first action, players and options being checked already."""

    @abstractmethod
    def awaited(self, state: S) -> tuple[Awaited, ...]:
        """Who may do what now, in any order; () once the game is over."""

    @abstractmethod
    def advance(self, state: S, action: JsonObject) -> S:
        """The state after an action whose form, player, choices and dice are checked already.

        Raises ``Refused`` (through ``self.refuse``) for what only the game's own rules can tell.
        """

    @abstractmethod
    def details(self, state: S, player: str | None) -> JsonObject:
        """The game's own keys of the state, as ``player`` may see them (None: as everybody may)."""

    @abstractmethod
    def prompt(self, state: S) -> tuple[Sentence, ...]:
        """What is waited for, in one sentence or a few, without a secret; () once the game is over."""

    def rematch_options(self, state: S) -> JsonObject:
        """The options of a rematch after this state: the same, unless the game carries something on."""
        return dict(state.options)

    # What the table and the referee call ---------------------------------------------------------------------

    def open(self, players: Sequence[str], options: Mapping[str, Any] | None = None) -> S:
        """Open a game. Raises ``BadSetup`` with one line that says what to change."""
        seated = check_players(players, self.fewest_players, self.most_players, self.name)
        return self.opening(seated, check_options(self.options, options or {}, seated))

    def awaiting(self, state: S) -> tuple[Awaited, ...]:
        """Who may do what now, in seat order, then alphabetically by type."""
        seat = {name: i for i, name in enumerate(state.players)}
        return tuple(sorted(self.awaited(state), key=lambda a: (seat[a.player], a.type)))

    def apply(self, state: S, action: object) -> S:
        """The state after ``action``. Raises ``Refused``, and then nothing has changed."""
        entry_checked = check_action(action, self.awaiting(state), state.players, lambda: self.prompt(state))
        return self.advance(state, entry_checked)

    def refuse(self, state: S, slug: str, template: str, **values: str | int) -> Refused:
        """A refusal to raise: what was wrong, and what is awaited instead."""
        return Refused(Sentence(slug, template, values), self.prompt(state))

    def view(self, state: S, player: str | None = None) -> JsonObject:
        """The state as ``player`` may see it; None shows what everybody may see. Fresh JSON values each time."""
        if player is not None and player not in state.players:
            raise BadSetup(
                "no player is called {player}; the players are {players}",
                player=repr(player),
                players=", ".join(state.players),
            )
        return {
            "game": self.id,
            "players": list(state.players),
            "options": {
                name: dict(value) if isinstance(value, Mapping) else value for name, value in state.options.items()
            },
            "phase": state.phase,
            "awaiting": [entry.to_json() for entry in self.awaiting(state)],
            "winners": None if state.winners is None else list(state.winners),
            **self.details(state, player),
        }
