"""Vigo's Favor reckoned a second time, as a scorekeeper with a sheet of paper would: the log is read once from top
to bottom, nothing is checked, and no code is shared with the referee."""

from collections.abc import Sequence
from typing import Any


def reckon(players: Sequence[str], options: dict[str, Any], actions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the final state of a finished game must show."""
    log = list(actions)
    purse = dict.fromkeys(players, 0)
    seats = list(players)
    rounds = options.get("rounds", len(seats))
    vigo_seat = seats.index(options.get("vigo", seats[0]))
    rise = options.get("rising_stakes", 0)
    last_round: dict[str, Any] = {}

    for round_number in range(1, rounds + 1):
        vigo = seats[vigo_seat]
        others = [seats[(vigo_seat + step) % len(seats)] for step in range(1, len(seats))]
        stake = log.pop(0)["amount"]
        favor = log.pop(0)["dice"][0]["face"]
        pot = 0
        for name in others:
            purse[name] -= stake
            pot += stake
        outcome = ""
        paid: dict[str, int] = {}
        standing = others
        while not outcome:
            matched = []
            for name in standing:
                stays = log.pop(0)["dice"][0]["face"] == favor
                if not stays and options.get("mercy", False) and log.pop(0)["buy"]:
                    purse[name] -= stake
                    purse[vigo] += stake
                    stays = True
                if stays:
                    matched.append(name)
            standing = matched
            if len(standing) == 0:
                outcome, paid = "vigo", {vigo: pot}
            elif len(standing) == 1:
                if log.pop(0)["choice"] == "claim":
                    outcome, paid = "claim", {standing[0]: pot}
                else:
                    extra = log.pop(0)["amount"]
                    purse[vigo] -= extra
                    purse[standing[0]] -= extra
                    pot += extra + extra
                    if log.pop(0)["dice"][0]["face"] == log.pop(0)["dice"][0]["face"]:
                        outcome, paid = "challenge-won", {standing[0]: pot}
                    else:
                        outcome, paid = "challenge-lost", {vigo: pot}
            else:
                for _ in standing:
                    purse[vigo] -= stake
                    pot += stake
                said = [log.pop(0)["choice"]]
                while said[-1] == "split" and len(said) < len(standing):
                    said.append(log.pop(0)["choice"])
                if "roll" in said:
                    stake += rise
                else:
                    outcome, paid = "split", dict.fromkeys(standing, 0)
                    for credit in range(pot % len(standing)):
                        paid[standing[credit]] = 1
                    for name in standing:
                        paid[name] += pot // len(standing)
        for name, credits in paid.items():
            purse[name] += credits
        last_round = {"round": round_number, "vigo": vigo, "outcome": outcome, "paid": paid}
        if not options.get("house_vigo", False):
            vigo_seat = (vigo_seat + 1) % len(seats)

    assert not log, "the game went on after its last round"
    richest = max(purse.values())
    return {
        "balances": purse,
        "pot": 0,
        "round": rounds,
        "last_round": last_round,
        "winners": [name for name in seats if purse[name] == richest],
    }
