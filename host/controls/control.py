"""What a control is made of: a form for a thumb that becomes one action.

A control is data, made from a player's own view and what is awaited of them; a template draws it, and a script on
the page fills in an action from it. Every answer that it offers is one that the game takes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from host.games.sentence import Sentence
from host.languages import told

Path = tuple[str, ...]
"""The keys that lead to a field of the action: ``("steal", "die")``."""


@dataclass(frozen=True, slots=True)
class ShownDie:
    """A die to draw beside a label."""

    kind: str
    body: str | None
    face: str


@dataclass(frozen=True, slots=True)
class ShownToken:
    """A token of RIG to draw beside a label."""

    color: str
    side: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One of several to choose from.

    ``value`` is what goes into the action; ``group`` the heading under which it stands; ``limit`` the name of the
    limit that it counts against in an ``Ordered``.
    """

    value: Any
    label: Sentence
    die: ShownDie | None = None
    token: ShownToken | None = None
    group: Sentence | None = None
    limit: str | None = None


LONG_LABEL = 12
"""Letters that fit on a tile half as wide as the narrowest phone."""

TINY_LABEL = 3
"""Letters that fit on a tile a third as wide."""


class Choosing:
    """What parts with answers have in common: how they are laid out."""

    __slots__ = ()

    answers: tuple[Answer, ...]

    @property
    def is_drawn(self) -> bool:
        """Whether there is a die or a token to draw beside some answer."""
        return any(answer.die or answer.token for answer in self.answers)

    @property
    def is_tiny(self) -> bool:
        """Whether three fit in a row, as numbers do; the last answer may stand in a row of its own."""
        return all(len(told(answer.label)) <= TINY_LABEL for answer in self.answers[:-1])

    @property
    def is_long(self) -> bool:
        """Whether some answer wants a line of its own."""
        return any(len(told(answer.label)) > LONG_LABEL for answer in self.answers)


@dataclass(frozen=True, slots=True)
class Pick(Choosing):
    """Choose ``count`` of the answers; the field holds the value, or a list of them where ``many``.

    Picks with the same ``apart`` take no value twice among them.
    """

    path: Path
    label: Sentence
    answers: tuple[Answer, ...]
    count: int = 1
    many: bool = False
    apart: str | None = None


@dataclass(frozen=True, slots=True)
class Ordered(Choosing):
    """Choose answers one after another, any of them more than once; the field is a list in that order.

    ``limits`` says how often answers of a limit's name may be chosen together.
    """

    path: Path
    label: Sentence
    answers: tuple[Answer, ...]
    least: int
    most: int
    empty: Sentence
    limits: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Amount:
    """A whole number, by steps, by presets or typed in."""

    path: Path
    label: Sentence
    least: int
    most: int
    start: int
    presets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """Yes or no; the field is true where it is ticked, and otherwise left out."""

    path: Path
    label: Sentence


Part = Pick | Ordered | Amount | Tick


@dataclass(frozen=True, slots=True)
class Button:
    """Sends the action, with ``fields`` of its own. ``alone``: without what the parts hold."""

    label: Sentence
    fields: Mapping[str, Any] = field(default_factory=dict)
    alone: bool = False
    is_main: bool = True
    die: ShownDie | None = None


@dataclass(frozen=True, slots=True)
class Control:
    """One form: what it asks, its parts in order, and the buttons that send it.

    ``is_secret``: what it sends is not for the eyes of others. ``note`` says what the answer means.
    """

    type: str
    player: str
    title: Sentence
    buttons: tuple[Button, ...]
    parts: tuple[Part, ...] = ()
    note: Sentence | None = None
    is_secret: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of what a player chose in secret."""

    label: Sentence
    value: Sentence
