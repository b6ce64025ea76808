"""What the status LED does in each state: a light that can be told apart by eye, without counting fast.

Six steady rhythms belong to a game that goes its way. Everything else is a word of short and long flashes, said again
and again with a dark pause between; trouble with the camera is three flashes or more that begin with a long one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from device.states import State

SHORT_S = 0.15
LONG_S = 0.75
"""Five times as long: nobody takes one for the other, even out of the corner of the eye."""

GAP_S = 0.25
PAUSE_S = 1.5
"""Six gaps, so that the beginning of a word is plain."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Seconds lit and dark in turn, beginning lit, over and over; one number alone is lit without end.

    ``words`` says it to people.
    """

    words: str
    seconds: tuple[float, ...]

    @property
    def period_s(self) -> float:
        """How long it takes until it begins again."""
        return sum(self.seconds)

    def is_lit(self, elapsed_s: float) -> bool:
        """Whether the LED is lit ``elapsed_s`` seconds after the pattern began.

        >>> [Pattern("", (1.0, 2.0)).is_lit(second) for second in (0.5, 1.5, 3.5)]
        [True, False, True]
        """
        return self._at(elapsed_s)[0] % 2 == 0

    def rest_s(self, elapsed_s: float) -> float:
        """How long it stays as it is then; a pattern that never changes says its period.

        >>> [Pattern("", (1.0, 2.0)).rest_s(second) for second in (0.25, 1.5)]
        [0.75, 1.5]
        """
        return self._at(elapsed_s)[1]

    def _at(self, elapsed_s: float) -> tuple[int, float]:
        """Which of ``seconds`` it is in, and how much of it is left."""
        rest = elapsed_s % self.period_s
        for number, seconds in enumerate(self.seconds):
            if rest < seconds:
                return number, seconds - rest
            rest -= seconds
        return 0, self.seconds[0]


def flashes(word: str) -> Pattern:
    """A word of short (``.``) and long (``-``) flashes.

    >>> flashes("-.").words, flashes("-.").seconds
    ('long, short; pause', (0.75, 0.25, 0.15, 1.5))
    """
    names = ", ".join("long" if letter == "-" else "short" for letter in word)
    seconds: list[float] = []
    for letter in word:
        seconds += [LONG_S if letter == "-" else SHORT_S, GAP_S]
    return Pattern(f"{names}; pause", (*seconds[:-1], PAUSE_S))


PATTERNS: Mapping[State, Pattern] = MappingProxyType(
    {
        State.STARTING: Pattern("slowly on and off, two seconds each", (2.0, 2.0)),
        State.IDLE: Pattern("a wink every four seconds", (0.1, 3.9)),
        State.EMPTY: Pattern("lit", (1.0,)),
        State.HAND: Pattern("lit, with a blink of dark every two seconds", (1.8, 0.2)),
        State.MOVING: Pattern("blinking, twice a second", (0.25, 0.25)),
        State.READING: Pattern("flickering", (0.06, 0.06)),
        State.READ: flashes("-"),
        State.ASKING: flashes(".."),
        State.GUARDED: flashes("--"),
        State.PAIRING: flashes("..."),
        State.OWN_WIFI: flashes(".-"),
        State.NO_HOST: flashes("..-"),
        State.SAFE_MODE: flashes(".--"),
        State.CAMERA_MISSING: flashes("-.."),
        State.CAMERA_BUSY: flashes("-.-"),
        State.CAMERA_STALLED: flashes("--."),
        State.CAMERA_MOVED: flashes("-..."),
    }
)
