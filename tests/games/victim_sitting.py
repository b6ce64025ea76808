"""Victim! in play, a battle or a turn at a time."""

from host.games.victim import Victim
from tests.games.sitting import Sitting

BODY = {"support": "blue", "sabotage": "red", "neutral": "black"}


def sit(**options: object) -> Sitting:
    return Sitting(Victim(), ("A", "B", "C"), **options)


def seated(**options: object) -> Sitting:
    """Turn 1: A attacks C, and B supports. C sits left of B, A sits right of B."""
    table = sit(**options)
    for player, pips in ("A", "6"), ("B", "1"), ("C", "2"):
        table.roll(player, "pip-die", pips, body="yellow")
    return table


def battle(table: Sitting, attack: str, defence: str, die: str = "support", target: str = "right") -> Sitting:
    """A turn up to the second battle roll; ``attack`` and ``defence`` are two digits each."""
    roles = table.view()["roles"]
    table.act("intent", roles["supporter"], target=target, die=die)
    table.roll(roles["attacker"], "pip-die", *attack, body="white")
    return table.roll(roles["victim"], "pip-die", *defence, body="white")


def support(table: Sitting, face: str, number: str | None = None, die: str = "support") -> Sitting:
    """The supporter's die, and the number-die where there is one."""
    supporter = table.view()["roles"]["supporter"]
    table.roll(supporter, "action-die", face, body=BODY[die])
    return table if number is None else table.roll(supporter, "number-die", number)


def attacker_wins(table: Sitting) -> Sitting:
    """A whole turn that costs the victim 1 health."""
    return support(battle(table, "65", "12"), "white")
