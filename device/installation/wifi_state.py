"""What the box's networks are doing, as ``own_wifi`` writes it and everybody may read it."""

from pathlib import Path

STATE = Path("/run/croupier-wifi/state")


def is_own_wifi_open(state: Path = STATE) -> bool:
    """Whether the box has opened a network of its own; on a machine that is no such box it never has."""
    try:
        return state.read_text(encoding="ascii").strip() == "own"
    except OSError:
        return False
