"""Vigo's Favor: stakes and raises, claim or challenge, split or roll on, and mercy."""

from host.controls.control import Amount, Button, Control
from host.controls.words import say
from host.games.checks import MOST_CREDITS
from host.games.protocol import Awaited, JsonObject

FIRST_STAKES = (1, 2, 5, 10, 20)


def control(view: JsonObject, entry: Awaited) -> Control | None:
    """The control for what is awaited of a player; None for what this game does not know."""
    match entry.type:
        case "stake":
            return Control(
                entry.type,
                entry.player,
                say("stake"),
                note=say("stake-note"),
                parts=(Amount(("amount",), say("stake-amount"), 1, MOST_CREDITS, FIRST_STAKES[0], FIRST_STAKES),),
                buttons=(Button(say("stake-send")),),
            )
        case "raise":
            stake = view["stake"]
            presets = tuple(sorted({min(n, MOST_CREDITS) for n in (1, stake, 2 * stake, 5 * stake)}))
            return Control(
                entry.type,
                entry.player,
                say("raise"),
                note=say("raise-note", challenger=view["in_favor"][0], pot=view["pot"]),
                parts=(Amount(("amount",), say("stake-amount"), 1, MOST_CREDITS, stake, presets),),
                buttons=(Button(say("raise-send")),),
            )
        case "decide" if len(view["in_favor"]) == 1:
            claim = Button(say("claim", pot=view["pot"]), {"choice": "claim"})
            challenge = Button(say("challenge", vigo=view["vigo"]), {"choice": "challenge"}, is_main=False)
            return Control(entry.type, entry.player, say("claim-or-challenge"), buttons=(claim, challenge))
        case "decide":
            share, odd = divmod(view["pot"], len(view["in_favor"]))
            return Control(
                entry.type,
                entry.player,
                say("split-or-roll", pot=view["pot"]),
                note=say("split-note-odd", share=share, vigo=view["vigo"]) if odd else say("split-note", share=share),
                buttons=(
                    Button(say("split"), {"choice": "split"}),
                    Button(say("roll-on"), {"choice": "roll"}, is_main=False),
                ),
            )
        case "mercy":
            return Control(
                entry.type,
                entry.player,
                say("mercy"),
                note=say("mercy-note", stake=view["stake"], vigo=view["vigo"]),
                buttons=(
                    Button(say("mercy-yes", stake=view["stake"]), {"buy": True}),
                    Button(say("mercy-no"), {"buy": False}, is_main=False),
                ),
            )
    return None
