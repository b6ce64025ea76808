"""RIG: dice to put aside, flips, extra tokens, steals, the sides of what a magnet caught, and what is collected."""

from collections.abc import Iterable, Iterator

from host.controls.control import Answer, Button, Control, Ordered, Part, Pick, ShownDie, ShownToken
from host.controls.words import english_or, say
from host.games.protocol import Awaited, JsonObject
from host.games.rig_dice import RigDie
from host.games.rig_tokens import ACTIONS, SIDES, Token
from host.games.sentence import Sentence
from host.languages import told
from vision.dice import RIG_DIE


def control(view: JsonObject, entry: Awaited) -> Control | None:
    """The control for what is awaited of a player; None for what this game does not know."""
    match entry.type:
        case "set-aside":
            return _set_aside(view, entry.player)
        case "place":
            return _place(view, entry.player)
        case "collect":
            return _collect(view, entry.player)
        case "act":
            action = ACTIONS[view["resolving"][0]["color"]]
            return _act(view, entry.player, action)
    return None


def _set_aside(view: JsonObject, player: str) -> Control:
    color, count = view["to_set_aside"]["color"], view["to_set_aside"]["count"]
    dice = tuple(
        Answer(index, _die_name(die), die=_shown(view, player, die))
        for index, die in _dice_in(view, player)
        if die.color == color
    )
    return Control(
        "set-aside",
        player,
        say("set-aside", color=color),
        parts=(Pick(("dice",), say("set-aside-pick", count=count), dice, count=count, many=True),),
        buttons=(Button(say("set-aside-send"), {"color": color}),),
    )


def _act(view: JsonObject, player: str, action: str) -> Control:
    other = _other(view, player)
    parts = {"flip": _flip_parts, "extra": _extra_parts, "steal": _steal_parts}[action](view, player)
    return Control(
        "act",
        player,
        say(action, other=other),
        parts=parts,
        buttons=(
            Button(say(f"{action}-send")),
            Button(say(f"{action}-none"), {action: None}, alone=True, is_main=False),
        ),
    )


def _flip_parts(view: JsonObject, player: str) -> tuple[Part, ...]:
    answers: list[Answer] = []
    owners = (player, _other(view, player))
    for owner in owners:
        for index, die in _dice_in(view, owner):
            after = die.flipped()
            answers.append(
                Answer(
                    {"die": {"player": owner, "index": index}},
                    say("becomes", before=_unbroken(die), after=_unbroken(after)),
                    die=_shown(view, owner, die),
                    group=say("dice-of", player=owner),
                )
            )
    for owner in owners:
        for index, json in enumerate(view["queues"][owner]):
            token = Token(json["color"], json["side"])
            answers.append(
                Answer(
                    {"token": {"player": owner, "index": index}},
                    say("becomes", before=token.name(), after=token.flipped().name()),
                    token=ShownToken(token.color, token.side),
                    group=say("queue-of", player=owner),
                )
            )
    return (Pick(("flip",), say("flip-pick"), tuple(answers)),)


def _unbroken(die: RigDie) -> str:
    """What a die shows, in the language of this request, as words that stay on one line."""
    return told(english_or(die.face(), die.face())).replace(" ", "\N{NO-BREAK SPACE}")


def _extra_parts(view: JsonObject, _player: str) -> tuple[Part, ...]:
    colors = (color for color, count in view["salvage"].items() if count)
    return (
        Pick(("extra", "color"), say("extra-color"), _colors(colors)),
        Pick(("extra", "side"), say("side"), _sides()),
    )


def _steal_parts(view: JsonObject, player: str) -> tuple[Part, ...]:
    dice = tuple(
        Answer(index, _die_name(die), die=_shown(view, player, die)) for index, die in _dice_in(view, player)
    )
    colors = dict.fromkeys(view["rigs"][_other(view, player)])
    return (
        Pick(("steal", "color"), say("steal-color"), _colors(colors)),
        Pick(("steal", "side"), say("side"), _sides()),
        Pick(("steal", "die"), say("steal-die"), dice),
    )


def _place(view: JsonObject, player: str) -> Control:
    caught = [token["color"] for token in view["caught"] if token["player"] == player]
    return Control(
        "place",
        player,
        say("place"),
        parts=tuple(
            Pick(("sides",), say("place-side", color=color, number=number), _sides(color), many=True)
            for number, color in enumerate(caught, 1)
        ),
        buttons=(Button(say("place-send")),),
    )


def _collect(view: JsonObject, player: str) -> Control:
    limits = view["can_take"]
    tokens = (Token(color, side) for color in limits for side in SIDES)
    answers = tuple(
        Answer(
            token.to_json(),
            say("token", color=token.color, name=token.name()),
            token=ShownToken(token.color, token.side),
            limit=token.color,
        )
        for token in tokens
    )
    return Control(
        "collect",
        player,
        say("collect"),
        note=say("collect-note"),
        parts=(
            Ordered(
                ("tokens",),
                say("collect-pick"),
                answers,
                least=1,
                most=sum(limits.values()),
                empty=say("collect-empty"),
                limits=limits,
            ),
        ),
        buttons=(
            Button(say("collect-send")),
            Button(say("collect-none"), {"tokens": []}, alone=True, is_main=False),
        ),
    )


def _colors(colors: Iterable[str]) -> tuple[Answer, ...]:
    return tuple(Answer(color, _both_names(color), token=ShownToken(color, SIDES[0])) for color in colors)


def _sides(color: str | None = None) -> tuple[Answer, ...]:
    """Both sides; by their names where the colour is known."""
    if color is None:
        return tuple(Answer(side, say(side)) for side in SIDES)
    return tuple(
        Answer(side, say(f"{side}-side", name=Token(color, side).name()), token=ShownToken(color, side))
        for side in SIDES
    )


def _both_names(color: str) -> Sentence:
    component, action = (Token(color, side).name() for side in SIDES)
    return say("both-sides", color=color, component=component, action=action)


def _dice_in(view: JsonObject, owner: str) -> Iterator[tuple[int, RigDie]]:
    """The dice of a player that are not out, with their indexes."""
    for index, die in enumerate(view["dice"][owner] or ()):
        if not die["out"]:
            yield index, RigDie(die["color"], die["symbol"])


def _shown(view: JsonObject, owner: str, die: RigDie) -> ShownDie:
    return ShownDie(RIG_DIE, view["options"]["dice"][owner], die.face())


def _die_name(die: RigDie) -> Sentence:
    return say(die.face())


def _other(view: JsonObject, player: str) -> str:
    return next(str(name) for name in view["players"] if name != player)
