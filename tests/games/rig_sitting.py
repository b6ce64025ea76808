"""RIG at a table, for tests that read like the game: dice and tokens by short names."""

from typing import Any

from host.games.protocol import JsonObject
from host.games.rig import Rig
from tests.games.sitting import Sitting

TOKENS = {
    "rotor": ("red", "component"),
    "sabotage": ("red", "action"),
    "gears": ("purple", "component"),
    "flip": ("purple", "action"),
    "gyro": ("black", "component"),
    "extra": ("black", "action"),
    "pipes": ("gold", "component"),
    "steal": ("gold", "action"),
    "boiler": ("blue", "component"),
    "boost": ("blue", "action"),
    "frame": ("green", "component"),
    "magnet": ("green", "action"),
}
NAMES = {token: name for name, token in TOKENS.items()}
COLORS_OF_ACTIVE = {"boost": "blue", "magnet": "green"}

REDS = "red+ red+ red+ red+"
"""Ann's dice where only the order of play matters: none cancels against ``BLACKS``, and Ann goes first."""
BLACKS = "black- black- black- black-"
LATE_REDS = "red- red- red- red-"
"""The same with Ben first, against ``EARLY_BLACKS``."""
EARLY_BLACKS = "black+ black+ black+ black+"


def faces(short: str) -> list[JsonObject]:
    """Dice for a roll: ``red+ black- blue`` is a red plus, a black minus and a blue blank."""
    named = []
    for word in short.split():
        color, symbol = (word[:-1], word[-1]) if word[-1] in "+-" else (word, "blank")
        named.append({"kind": "rig-die", "face": f"{color} {symbol}"})
    return named


def tokens(names: str) -> list[JsonObject]:
    """Tokens by what is up on them."""
    return [{"color": TOKENS[name][0], "side": TOKENS[name][1]} for name in names.split()]


class RigSitting(Sitting):
    """Ann and Ben at a game of RIG."""

    def __init__(self, **options: Any):
        super().__init__(Rig(), ("Ann", "Ben"), **options)

    def both_roll(self, ann: str = REDS, ben: str = BLACKS) -> "RigSitting":
        """Ann rolls, then Ben."""
        return self.do("roll", "Ann", dice=faces(ann)).do("roll", "Ben", dice=faces(ben))

    def do(self, kind: str, player: str, **fields: Any) -> "RigSitting":
        """Carry out a lawful action."""
        self.act(kind, player, **fields)
        return self

    def collect(self, player: str, names: str = "") -> "RigSitting":
        """Collect tokens, or none."""
        return self.do("collect", player, tokens=tokens(names))

    def dealt(self, ann: str = "", ben: str = "") -> "RigSitting":
        """Play round 0 so that Ann goes first and each has these tokens, of up to four colours, in the queue."""
        rolled = {}
        for player, names, symbol in (("Ann", ann, "+"), ("Ben", ben, "-")):
            colors = [TOKENS[name][0] for name in names.split()]
            colors += ["black"] * (4 - len(colors))
            rolled[player] = " ".join(color if color in ("blue", "gold") else color + symbol for color in colors)
        self.both_roll(rolled["Ann"], rolled["Ben"])
        self.collect("Ann", ann)
        # Ben is not awaited where Ann has emptied the stock of all that he rolled.
        return self.collect("Ben", ben) if self.awaited() == [("Ben", "collect")] else self

    def queue(self, player: str) -> str:
        """The names of the player's queue, top first."""
        return _names(self.view()["queues"][player])

    def resolving(self) -> str:
        """The names of the tokens being resolved."""
        return _names(self.view()["resolving"])

    def out(self, player: str) -> list[int]:
        """The indexes of the player's dice that are out."""
        return [i for i, die in enumerate(self.view()["dice"][player]) if die["out"]]

    def caught(self) -> list[tuple[str, str]]:
        """Who caught which colour, and has not placed it yet."""
        return [(token["player"], token["color"]) for token in self.view()["caught"]]


def tokens_in_play(view: JsonObject) -> dict[str, int]:
    """How many tokens of each colour there are anywhere."""
    count = dict(view["salvage"])
    for queue in (*view["queues"].values(), view["resolving"], view["caught"]):
        for token in queue:
            count[token["color"]] += 1
    for rig in view["rigs"].values():
        for color in rig:
            count[color] += 1
    for active in view["active"].values():
        for action in active:
            count[COLORS_OF_ACTIVE[action]] += 1
    return count


def _names(queue: list[JsonObject]) -> str:
    return " ".join(NAMES[token["color"], token["side"]] for token in queue)
