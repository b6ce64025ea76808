"""Val-Des reckoned a second time, naively, from the list of actions alone: no code of the game is used."""

from collections.abc import Mapping, Sequence
from typing import Any


def reckon(
    players: Sequence[str], options: Mapping[str, Any], actions: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """What the state must hold after these actions, whether or not the game is over."""
    regular_sets = options.get("sets", 7)
    ante = options.get("ante", 0)
    # A transcript: one row a revealed set, made of the colour and the calls before it.
    rows, calls = [], {}
    for action in actions:
        if action["type"] == "call":
            calls[action["player"]] = {"val": "red", "des": "blue"}[action["call"]]
        if action["type"] == "roll":
            rows.append((action["dice"][0]["face"], calls))
            calls = {}
    points, bonus, streak = {}, {}, {}
    for player in players:
        marks = [
            (calls[player] == face, index < regular_sets)
            for index, (face, calls) in enumerate(rows)
            if player in calls
        ]
        regular = "".join("x" if right else "." for right, is_regular in marks if is_regular)
        everything = "".join("x" if right else "." for right, _ in marks)
        bonus[player] = 2 if len(rows) >= regular_sets and "xxx" in regular else 0
        points[player] = everything.count("x") + bonus[player]
        streak[player] = len(everything) - len(everything.rstrip("x"))
    expected: dict[str, Any] = {"points": points, "bonus": bonus, "streak": streak, "winners": None}
    expected["pot"] = ante * len(players)
    expected["balances"] = dict.fromkeys(players, -ante)
    # Whoever did not call in an extra set had fallen behind before it, and cannot have caught up since.
    leaders = [player for player in players if points[player] == max(points.values())]
    if len(rows) >= regular_sets and len(leaders) == 1 and not calls:
        expected["winners"] = leaders
        expected["balances"][leaders[0]] += expected["pot"]
        expected["pot"] = 0
    return expected
