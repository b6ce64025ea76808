"""King of Roulette: votes, bets, the king's rule and guess, double bonuses, the next king, and condemnations."""

from collections.abc import Iterable

from host.controls.control import Answer, Button, Control, Fact, Part, Pick, Tick
from host.controls.words import plain, say
from host.games.king_of_roulette_round import GUESSES, KING, SPACES
from host.games.protocol import Awaited, JsonObject
from host.games.sentence import Sentence


def control(view: JsonObject, entry: Awaited) -> Control | None:
    """The control for what is awaited of a player; None for what this game does not know."""
    player = entry.player
    match entry.type:
        case "vote":
            pick = Pick(("for",), say("vote-for"), _names(view["candidates"]))
            return Control(
                entry.type, player, say("vote"), (Button(say("vote-send")),), parts=(pick,), is_secret=True
            )
        case "condemn":
            pick = Pick(("candidate",), say("condemn-pick"), _names(view["candidates"]))
            return Control(
                entry.type, player, say("condemn"), (Button(say("condemn-send")),), parts=(pick,), is_secret=True
            )
        case "name-king":
            pick = Pick(("king",), say("name-king-pick"), _names(view["candidates"]))
            return Control(entry.type, player, say("name-king"), (Button(say("name-king-send")),), parts=(pick,))
        case "buy-double":
            price, garnets = view["double_price"][player], view["garnets"][player]
            button = Button(say("buy-double-send", price=price, garnets=garnets), is_main=False)
            return Control(entry.type, player, say("buy-double"), (button,))
        case "bet":
            spaces = (*_spaces(), Answer(KING, say("space-king")))
            return Control(
                entry.type,
                player,
                say("bet"),
                note=say("bet-note"),
                parts=(Pick(("space",), say("bet-space"), spaces), *_double(view, player)),
                buttons=(Button(say("bet-send")),),
                is_secret=True,
            )
        case "rule":
            return Control(
                entry.type,
                player,
                say("rule"),
                note=say("rule-note"),
                parts=(
                    Pick(("one",), say("rule-one"), _spaces(), count=2, many=True, apart="spaces"),
                    Pick(("two",), say("rule-two"), _spaces(), apart="spaces"),
                    Pick(("guess",), say("rule-guess"), tuple(Answer(guess, plain(guess)) for guess in GUESSES)),
                    *_double(view, player),
                ),
                buttons=(Button(say("rule-send")),),
                is_secret=True,
            )
    return None


def secret(view: JsonObject, player: str) -> tuple[Fact, ...]:
    """What the player has committed and nobody else may see yet; () if there is nothing."""
    mine = view["mine"]
    if mine is None:
        return ()
    facts = [Fact(say(label), _told(key, mine[key])) for key, label in _LABELS.items() if key in mine]
    if mine.get("double"):
        facts.append(Fact(say("your-bonus"), say("bonus-used")))
    return tuple(facts)


_LABELS = {
    "for": "vote-for",
    "candidate": "your-choice",
    "space": "your-bet",
    "one": "rule-one",
    "two": "rule-two",
    "guess": "rule-guess",
}


def _told(key: str, value: str | list[str]) -> Sentence:
    if isinstance(value, list):
        return say("both", first=value[0], second=value[1])
    return say("space-king") if (key, value) == ("space", KING) else plain(value)


def _names(players: Iterable[str]) -> tuple[Answer, ...]:
    return tuple(Answer(player, plain(player)) for player in players)


def _spaces() -> tuple[Answer, ...]:
    return tuple(Answer(space, say("space", space=space)) for space in SPACES)


def _double(view: JsonObject, player: str) -> tuple[Part, ...]:
    owned = view["doubles"][player]
    return (Tick(("double",), say("double", owned=owned)),) if owned else ()
