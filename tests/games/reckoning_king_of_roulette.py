"""King of Roulette reckoned a second time, naively, from the list of actions alone: no code of the game is used."""

from collections.abc import Mapping, Sequence
from typing import Any


def reckon(
    players: Sequence[str], options: Mapping[str, Any], actions: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """What the state must hold after these actions: points, garnets, doubles, kings and how it ended."""
    points = dict.fromkeys(players, 0)
    garnets = dict.fromkeys(players, options.get("garnets", 3))
    doubles = dict.fromkeys(players, 0)
    price = dict.fromkeys(players, 2)
    kings, placed = [], {}
    for action in actions:
        player, kind = action["player"], action["type"]
        if kind == "buy-double":
            garnets[player] -= price[player]
            price[player] += 1
            doubles[player] += 1
        if kind in ("bet", "rule"):
            placed[player] = action
        if kind == "rule" and len(kings) < 7:
            kings.append(player)
        if len(placed) == 7:
            for better, gained in _earned(placed).items():
                if placed[better].get("double"):
                    doubles[better] -= 1
                    gained *= 2
                for _ in range(gained):
                    points[better] += 1
                    garnets[better] += points[better] % 5 == 0
            placed = {}
    expected: dict[str, Any] = {
        "points": points,
        "garnets": garnets,
        "doubles": doubles,
        "double_price": price,
        "winners": None,
        "tokens": None,
        "elimination_candidate": None,
    }
    bets_made = sum(action["type"] in ("bet", "rule") for action in actions)
    candidate = _candidate(players, points, kings, [a for a in actions if a["type"] == "condemn"])
    if bets_made == 49 and candidate is not None:
        ranking = sorted(points.values(), reverse=True)
        leaders = [player for player in players if points[player] == ranking[0]]
        each = [None, 2, 1, 1, 0, 0, 0, 0][len(leaders)]
        expected["winners"] = leaders if len(leaders) < 7 else []
        expected["tokens"] = {player: each if player in leaders else 0 for player in players}
        expected["elimination_candidate"] = candidate
    return expected


def _earned(placed: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    rule = next(action for action in placed.values() if action["type"] == "rule")
    earned = {}
    for player, action in placed.items():
        if action["type"] == "bet":
            earned[player] = (action["space"] in rule["one"]) + 2 * (action["space"] == rule["two"])
    count = len([gained for gained in earned.values() if gained > 0])
    right = {0: "0-1", 1: "0-1", 2: "2-3", 3: "2-3", 4: "4-5", 5: "4-5", 6: "6"}[count]
    reward = {"0-1": 4, "2-3": 3, "4-5": 2, "6": 1}[right]
    earned[rule["player"]] = reward if rule["guess"] == right else 0
    return earned


def _candidate(
    players: Sequence[str],
    points: Mapping[str, int],
    kings: Sequence[str],
    condemnations: Sequence[Mapping[str, Any]],
) -> str | None:
    """Who is up for elimination; None while the leaders (or the king) have yet to choose."""
    if len(set(points.values())) == 1:
        return kings[-1] if kings else None
    last = [player for player in players if points[player] == min(points.values())]
    if len(last) == 1:
        return last[0]
    leaders = [player for player in players if points[player] == max(points.values())]
    votes = [action["candidate"] for action in condemnations]
    for start in (0, len(leaders)):
        ballot = votes[start : start + len(leaders)]
        if len(ballot) < len(leaders):
            return None
        most = {name for name in ballot if ballot.count(name) == max(ballot.count(n) for n in ballot)}
        if len(most) == 1:
            return most.pop()
    return votes[2 * len(leaders)] if len(votes) > 2 * len(leaders) else None
