"""Victim! reckoned a second time, naively, from the list of actions alone: no code of the game is used."""

from collections.abc import Mapping, Sequence
from typing import Any


def reckon(
    players: Sequence[str], options: Mapping[str, Any], actions: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """What the state must hold after these actions: health, turns, roles and how it ended."""
    health = {player: 6 if player == options.get("last_victim") else 5 for player in players}
    todo = list(actions)
    attacker = _first_attacker(list(players), todo)
    if attacker is None:
        return {"turn": 0, "health": health, "roles": None, "winners": None, "losers": None}
    # Who sits where, as a table of seat numbers: the seats of attacker, supporter and victim.
    seats = [(players.index(attacker) + step) % 3 for step in range(3)]
    turn = 1
    while True:
        roles = {"attacker": players[seats[0]], "supporter": players[seats[1]], "victim": players[seats[2]]}
        damage = _turn(players, seats, roles, health, todo)
        if damage is None:
            return {"turn": turn, "health": health, "roles": roles, "winners": None, "losers": None}
        for player, points in damage.items():
            health[player] -= points
        if health[roles["victim"]] <= 0:
            health[roles["victim"]] = 0
            losers = [player for player in players if player != roles["attacker"]]
            return {"turn": turn, "health": health, "roles": roles, "winners": [roles["attacker"]], "losers": losers}
        seats = [(seats[0] + 1) % 3, (seats[2] + 1) % 3, (seats[1] + 1) % 3]
        turn += 1


def _first_attacker(rollers: list[str], todo: list[Mapping[str, Any]]) -> str | None:
    while True:
        if len(todo) < len(rollers):
            return None
        rolls = {}
        for _ in range(len(rollers)):
            action = todo.pop(0)
            rolls[action["player"]] = action["dice"][0]["face"]
        rollers = [player for player in rollers if rolls[player] == max(rolls.values())]
        if len(rollers) == 1:
            return rollers[0]


def _turn(
    players: Sequence[str],
    seats: list[int],
    roles: Mapping[str, str],
    health: Mapping[str, int],
    todo: list[Mapping[str, Any]],
) -> dict[str, int] | None:
    """The damage of the next turn, which is taken from ``todo``; None if it is not over yet."""
    if len(todo) < 3:
        return None
    intent = todo.pop(0)
    pips = {}
    for _ in range(2):
        action = todo.pop(0)
        pips[action["player"]] = [int(die["face"]) for die in action["dice"]]
    attack, defence = pips[roles["attacker"]], pips[roles["victim"]]
    outright = [attack == [6, 6], defence == [1, 1]].count(True)
    total = {player: sum(two) for player, two in pips.items()}
    damage = {}
    if intent["die"] == "neutral":
        faces = []
        while len(faces) < 2 and "white" not in faces:
            if not todo:
                return None
            faces.append(todo.pop(0)["dice"][0]["face"])
        if faces == ["red", "red"] and health[roles["supporter"]] > 1:
            damage[roles["supporter"]] = 1
    elif not outright:
        if not todo:
            return None
        face = todo.pop(0)["dice"][0]["face"]
        if face != "white":
            if not todo:
                return None
            number = int(todo.pop(0)["dice"][0]["face"])
            other = players[(seats[1] + {"left": 1, "right": -1}[intent["target"]]) % 3]
            total[other] += {"green": number // 2, "red": -(number - number // 2)}[face]
    if outright or total[roles["attacker"]] > total[roles["victim"]]:
        damage[roles["victim"]] = 2 if outright == 2 else 1
    return damage
