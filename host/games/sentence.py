"""What a game says to people: a slug, an English template and values, so that every phone can translate it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Value = str | int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as data.

    ``slug`` is stable and unique within the program (``vigos-favor/missed``); ``template`` is English with
    ``{name}`` fields and is what a translation file translates; ``values`` fills the fields.

    >>> Sentence("demo/missed", "{player} misses and is out.", {"player": "Dan"}).english()
    'Dan misses and is out.'
    """

    slug: str
    template: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def english(self) -> str:
        """The sentence in English, with its values filled in."""
        return self.template.format_map(self.values)


def as_written(slug: str, text: str) -> tuple[Sentence, ...]:
    """A text without fields as a sentence.

    >>> as_written("demo/braces", "So {it} says.")[0].english()
    'So {it} says.'
    """
    return (Sentence(slug, text.replace("{", "{{").replace("}", "}}")),)


class Refused(ValueError):
    """An action that was not carried out; the state is what it was.

    ``slug`` is stable (``not-awaited``, ``wrong-dice`` …); ``wrong`` says what was wrong and ``awaited``
    what the game waits for instead.
    """

    def __init__(self, wrong: Sentence, awaited: tuple[Sentence, ...]):
        self.wrong = wrong
        self.awaited = awaited
        super().__init__(" ".join(s.english() for s in (wrong, *awaited)))

    @property
    def slug(self) -> str:
        """The stable name of what was wrong."""
        return self.wrong.slug


class BadSetup(ValueError):
    """A game that cannot be opened: wrong number of players, a bad name, an unknown option or a bad value.

    ``wrong`` says so, as a sentence to be told in any language.
    """

    def __init__(self, template: str, **values: Value):
        self.wrong = Sentence("bad-setup", template, values)
        super().__init__(self.wrong.english())
