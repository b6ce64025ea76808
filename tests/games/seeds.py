"""How much random play the everyday tests do: a seed is an example, the same ones in every run."""

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def seeds(examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test for that many seeds, passed as ``seed``.

    Games are driven from one seed and not drawn choice by choice: hundreds of choices a game would exceed what
    hypothesis keeps of an example, and a failing seed replays with ``lawful.play`` alone.
    """

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        repeated: Any = given(seed=st.integers(0, 2**32))(test)
        return settings(
            max_examples=examples,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=[HealthCheck.too_slow],
        )(repeated)

    return decorate
