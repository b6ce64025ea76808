"""How a played recording compares with what it says of itself: its dice, and its final state."""

from collections.abc import Mapping
from typing import Any


def differences(expected: Mapping[str, Any], state: Mapping[str, Any]) -> list[str]:
    """Where ``state`` is not as expected, a line for each key; keys that only ``state`` has are welcome.

    >>> differences({"phase": "over", "pot": 0}, {"phase": "over", "pot": 8, "more": 1})
    ['pot is 8, expected 0']
    """
    return [
        f"{key} is {state.get(key)!r}, expected {value!r}"
        for key, value in expected.items()
        if key not in state or state[key] != value
    ]
