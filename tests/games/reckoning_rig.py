"""A second, deliberately naive reckoning of RIG: one long story told with dicts and lists, no code shared.

It tells the game from its beginning to its end in the order in which things happen at the table, taking the next
action from the log wherever a player has to speak; where the log ends, it stops and says how things stand.
"""

ORDER = ["blue", "gold", "black", "red", "green", "purple"]
FLIPPED_COLOR = {"blue": "gold", "gold": "blue", "black": "red", "red": "black", "green": "purple", "purple": "green"}
FLIPPED_SIDE = {"component": "action", "action": "component"}


class LogEnds(Exception):
    """Somebody would have to speak now, and the log says nothing more."""


class Won(Exception):
    """Somebody has won."""


def reckon(players, options, actions):
    """How every key of RIG's state must stand after ``actions``."""
    one, two = players
    black_white = {one: "black", two: "white"}
    chosen = {"tokens_per_color": 5, "dice": black_white, "queue": "fifo", "per_die": False, **options}
    table = {
        "game": "rig",
        "players": [one, two],
        "options": chosen,
        "phase": "roll",
        "winners": None,
        "round": 0,
        "first": None,
        "dice": {one: None, two: None},
        "tally": {one: None, two: None},
        "salvage": dict.fromkeys(ORDER, chosen["tokens_per_color"]),
        "queues": {one: [], two: []},
        "rigs": {one: [], two: []},
        "active": {one: [], two: []},
        "resolving": [],
        "caught": [],
    }
    waiting = []
    log = list(actions)

    def ask(phase, *entries):
        table["phase"] = phase
        waiting[:] = entries
        if not log:
            raise LogEnds
        return log.pop(0)

    def other(player):
        return two if player == one else one

    def enter(player, color, side):
        token = {"color": color, "side": side}
        if chosen["queue"] == "lifo":
            table["queues"][player].insert(0, token)
        else:
            table["queues"][player].append(token)

    def discard(player, color):
        if "magnet" in table["active"][other(player)]:
            table["caught"].append({"player": other(player), "color": color})
        else:
            table["salvage"][color] += 1

    def end_step():
        while table["caught"]:
            catcher = table["caught"][0]["player"]
            sides = ask("place", {"type": "place", "player": catcher})["sides"]
            colors = [token["color"] for token in table["caught"] if token["player"] == catcher]
            table["caught"] = [token for token in table["caught"] if token["player"] != catcher]
            for color, side in zip(colors, sides, strict=True):
                enter(catcher, color, side)

    def both_roll():
        table["first"] = None
        table["dice"] = {one: None, two: None}
        table["tally"] = {one: None, two: None}
        while table["dice"][one] is None or table["dice"][two] is None:
            entries = []
            for player in players:
                if table["dice"][player] is None:
                    dice = [{"kind": "rig-die", "body": chosen["dice"][player], "count": 4}]
                    entries.append({"type": "roll", "player": player, "dice": dice})
            rolled = ask("roll", *entries)
            table["dice"][rolled["player"]] = [
                {"color": die["face"].split()[0], "symbol": die["face"].split()[1], "out": False}
                for die in rolled["dice"]
            ]

    def sum_of(player):
        total = 0
        for die in table["dice"][player]:
            if not die["out"] and die["symbol"] == "+":
                total += 1
            if not die["out"] and die["symbol"] == "-":
                total -= 1
        return total

    def of_color(player, color):
        return [i for i, die in enumerate(table["dice"][player]) if die["color"] == color and not die["out"]]

    def cancel(color):
        number = min(len(of_color(one, color)), len(of_color(two, color)))
        if number == 0:
            return
        going = {player: of_color(player, color)[:number] for player in players}
        for player in players:
            symbols = [table["dice"][player][i]["symbol"] for i in of_color(player, color)]
            if len(symbols) > number and symbols != [symbols[0]] * len(symbols):
                going[player] = ask("set-aside", {"type": "set-aside", "player": player})["dice"]
        for player in players:
            for i in going[player]:
                table["dice"][player][i]["out"] = True

    def act(player, action):
        foe = other(player)
        own_in = [i for i, die in enumerate(table["dice"][player]) if not die["out"]]
        foes_in = [i for i, die in enumerate(table["dice"][foe]) if not die["out"]]
        if action == "flip" and not (own_in or foes_in or table["queues"][player] or table["queues"][foe]):
            return
        if action == "extra" and sum(table["salvage"].values()) == 0:
            return
        if action == "steal" and not (own_in and table["rigs"][foe]):
            return
        target = ask("act", {"type": "act", "player": player})[action]
        if target is None:
            return
        if action == "flip" and "die" in target:
            die = table["dice"][target["die"]["player"]][target["die"]["index"]]
            die["color"] = FLIPPED_COLOR[die["color"]]
        elif action == "flip":
            token = table["queues"][target["token"]["player"]][target["token"]["index"]]
            token["side"] = FLIPPED_SIDE[token["side"]]
        elif action == "extra":
            table["salvage"][target["color"]] -= 1
            enter(player, target["color"], target["side"])
        else:
            table["dice"][player][target["die"]]["out"] = True
            table["rigs"][foe].remove(target["color"])
            enter(player, target["color"], target["side"])

    def resolve(player, color, side):
        if side == "component":
            table["resolving"].pop(0)
            table["rigs"][player].append(color)
            if all(each in table["rigs"][player] for each in ORDER):
                table["winners"] = [player]
                raise Won
            return
        if color in ("blue", "green"):
            table["resolving"].pop(0)
            table["active"][player].append("boost" if color == "blue" else "magnet")
            return
        if color == "red":
            for _ in range(2):
                if table["queues"][other(player)]:
                    discard(other(player), table["queues"][other(player)].pop(0)["color"])
        if color in ("purple", "black", "gold"):
            act(player, {"purple": "flip", "black": "extra", "gold": "steal"}[color])
        table["resolving"].pop(0)
        discard(player, color)
        end_step()

    def collect(player):
        colors = [die["color"] for die in table["dice"][player] if not die["out"]]
        if not any(table["salvage"][color] for color in colors):
            return
        for token in ask("collect", {"type": "collect", "player": player})["tokens"]:
            table["salvage"][token["color"]] -= 1
            enter(player, token["color"], token["side"])

    def play_turn(player):
        table["resolving"] = table["queues"][player][:2]
        del table["queues"][player][:2]
        while table["resolving"]:
            resolve(player, table["resolving"][0]["color"], table["resolving"][0]["side"])
        collect(player)
        for _ in range(table["active"][other(player)].count("magnet")):
            table["active"][other(player)].remove("magnet")
            discard(other(player), "green")
            end_step()

    def play_round_0():
        both_roll()
        while sum_of(one) == sum_of(two):
            both_roll()
        table["tally"] = {one: sum_of(one), two: sum_of(two)}
        table["first"] = one if sum_of(one) > sum_of(two) else two
        collect(table["first"])
        collect(other(table["first"]))

    def play_later_round():
        went_second = other(table["first"])
        table["round"] += 1
        both_roll()
        for color in ORDER:
            cancel(color)
        for player in players:
            table["tally"][player] = sum_of(player) + 2 * table["active"][player].count("boost")
        table["first"] = max(players, key=lambda player: (table["tally"][player], player == went_second))
        for player in players:
            while "boost" in table["active"][player]:
                table["active"][player].remove("boost")
                discard(player, "blue")
        end_step()
        play_turn(table["first"])
        play_turn(other(table["first"]))

    try:
        play_round_0()
        while True:
            play_later_round()
    except Won:
        table["phase"] = "over"
        waiting.clear()
    except LogEnds:
        pass
    assert not log, "the game was over before the log was"
    return {**table, "awaiting": list(waiting)}
