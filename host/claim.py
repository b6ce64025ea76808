"""The appliance is claimed once by its owner: with the code that the console shows, from a phone."""

import hmac
import secrets
import time
from collections.abc import Callable

from host.guesses import Guesses
from host.phones import Arrival, Phones
from host.problems import Problem
from host.records import Phone

WHAT = "setup code"

SHOWN_S = 120.0
"""For how long the page shows the setup code after the box's button was pressed: whoever can press it stands at the
box, and has the phone at hand."""


def new_setup_code() -> str:
    """Eight digits, in two halves for the eye."""
    digits = f"{secrets.randbelow(10**8):08}"
    return f"{digits[:4]}-{digits[4:]}"


def digits_of(code: str) -> str:
    """The digits of a code as somebody typed it.

    >>> digits_of(" 1234 - 5678")
    '12345678'
    """
    return "".join(character for character in code if character in "0123456789")


class Claim:
    """Who owns the appliance. ``code`` is its setup code (None: it has been claimed); ``forget`` drops it.

    ``clock`` counts seconds and never jumps.
    """

    def __init__(
        self,
        phones: Phones,
        guesses: Guesses,
        code: str | None,
        forget: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ):
        self._phones = phones
        self._guesses = guesses
        self.code = code
        self._forget = forget
        self._clock = clock
        self._shown_until = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the appliance waits for its owner."""
        return self.code is not None

    def show(self) -> float:
        """From now on show the code to whoever asks; for how many seconds. Raises ``Problem``."""
        if self.code is None:
            raise Problem("already-claimed", "This appliance has its owner, and is claimed once.")
        self._shown_until = self._clock() + SHOWN_S
        return SHOWN_S

    @property
    def shown_code(self) -> str | None:
        """The code, while it is to be shown."""
        return self.code if self._clock() < self._shown_until else None

    def take(self, code: str, known: Phone | None, message: str) -> Arrival:
        """The owner's phone, if the code is right. Raises ``Problem``.

        ``known`` is the phone that the sender's cookie named; ``message`` is answered alike when it is repeated.
        """
        if self.code is None:
            again = self._phones.that_sent(message)
            if again is not None and again.phone.is_owner:
                return again
            raise Problem("already-claimed", "This appliance has its owner, and is claimed once.")
        self._guesses.check(WHAT)
        if not hmac.compare_digest(digits_of(code).encode(), digits_of(self.code).encode()):
            self._guesses.wrong(WHAT)
            raise Problem("wrong-code", "That is not the setup code; the console of the appliance shows it.")
        arrival = self._phones.make_owner(self._phones.arrive(known, message).phone, message)
        self._guesses.right(WHAT)
        self.code = None
        self._forget()
        return arrival
