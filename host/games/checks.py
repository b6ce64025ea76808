"""The checks that every game shares: names, options, the form of an action, and the dice of a roll."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from host.games.sentence import BadSetup, Refused, Sentence
from vision.dice import KINDS

if TYPE_CHECKING:
    from host.games.protocol import Awaited, DiceGroup, Option

MOST_CREDITS = 1_000_000_000
MOST_ROUNDS = 1_000
LONGEST_NAME = 24
LONGEST_QUOTE = 40
"""How many characters of somebody's input a refusal repeats."""

# Control characters, halves of surrogate pairs, line and paragraph separators: they break a line of text, or cannot
# be written at all. Joiners and marks may stand in a name, and so may what this Python's Unicode tables lack.
_UNWRITABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})


def is_writable(text: str) -> bool:
    """Whether the text fits on a line of its own.

    >>> is_writable("Zoë 🎲"), is_writable("a\\nb"), is_writable("\\ud800")
    (True, False, False)
    """
    return text.isprintable() or not any(unicodedata.category(character) in _UNWRITABLE for character in text)


def quoted(text: str) -> str:
    """Somebody's input as a refusal repeats it: the beginning alone, and nothing that breaks a line.

    >>> quoted("stake\\n" + "x" * 1000)
    'stake�xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
    """
    return "".join(c if is_writable(c) else "\N{REPLACEMENT CHARACTER}" for c in text[:LONGEST_QUOTE])


def is_whole(value: object) -> bool:
    """Whether ``value`` is a whole number: 1.0 is not, and true is not a number.

    >>> is_whole(3), is_whole(3.0), is_whole(True)
    (True, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool)


def whole(name: str, least: int, most: int) -> Callable[[Any, tuple[str, ...]], int]:
    """An option's check: a whole number from ``least`` to ``most``."""

    def check(value: Any, _players: tuple[str, ...]) -> int:
        if not is_whole(value) or not least <= value <= most:
            raise BadSetup(
                "option {name} must be a whole number from {least} to {most}", name=name, least=least, most=most
            )
        return int(value)

    return check


def truth(name: str) -> Callable[[Any, tuple[str, ...]], bool]:
    """An option's check: true or false."""

    def check(value: Any, _players: tuple[str, ...]) -> bool:
        if not isinstance(value, bool):
            raise BadSetup("option {name} must be true or false", name=name)
        return value

    return check


def one_of_players(name: str, or_null: bool = False) -> Callable[[Any, tuple[str, ...]], str | None]:
    """An option's check: the name of a player (or null, where ``or_null``)."""

    def check(value: Any, players: tuple[str, ...]) -> str | None:
        if value is None and or_null:
            return None
        if not isinstance(value, str) or value not in players:
            raise BadSetup(
                "option {name} must be one of the players: {players}", name=name, players=", ".join(players)
            )
        return value

    return check


def one_of(name: str, *answers: str) -> Callable[[Any, tuple[str, ...]], str]:
    """An option's check: one of a few words."""

    def check(value: Any, _players: tuple[str, ...]) -> str:
        if not isinstance(value, str) or value not in answers:
            raise BadSetup("option {name} must be one of {answers}", name=name, answers=", ".join(answers))
        return value

    return check


def check_players(players: Sequence[str], fewest: int, most: int, game: str) -> tuple[str, ...]:
    """The players as a tuple. Raises ``BadSetup`` for a wrong number, a bad name or a repeated one."""
    if isinstance(players, str) or not all(isinstance(p, str) for p in players):
        raise BadSetup("players must be a list of names")
    for name in players:
        if not 1 <= len(name) <= LONGEST_NAME or not name.strip() or not is_writable(name):
            raise BadSetup(
                "a name has 1 to {most} characters on one line; {name} does not",
                most=LONGEST_NAME,
                name=repr(name[:40]),
            )
    if len(set(players)) != len(players):
        raise BadSetup("each player needs a name of their own")
    if not fewest <= len(players) <= most:
        if fewest == most:
            raise BadSetup(
                "{game} needs exactly {most} players, not {count}", game=game, most=most, count=len(players)
            )
        raise BadSetup(
            "{game} needs {fewest} to {most} players, not {count}",
            game=game,
            fewest=fewest,
            most=most,
            count=len(players),
        )
    return tuple(players)


def check_options(known: Sequence["Option"], given: Mapping[str, Any], players: tuple[str, ...]) -> dict[str, Any]:
    """All options with defaults filled in. Raises ``BadSetup`` for an unknown one or a bad value."""
    names = [option.name for option in known]
    for name in given:
        if name not in names:
            known_names = ", ".join(names) or "none"
            raise BadSetup("unknown option {name}; this game has {known}", name=repr(name[:40]), known=known_names)
    return {
        option.name: option.check(given[option.name], players) if option.name in given else option.default(players)
        for option in known
    }


def check_action(
    action: object,
    awaiting: Sequence["Awaited"],
    players: Sequence[str],
    prompt: Callable[[], tuple[Sentence, ...]],
) -> dict[str, Any]:
    """The action, if its form is right, its player awaited, its choice offered and its dice those awaited.

    Raises ``Refused`` otherwise. What only a game's own rules can tell is left to the game.
    """

    def refuse(slug: str, template: str, **values: str | int) -> Refused:
        return Refused(Sentence(slug, template, values), prompt())

    if not isinstance(action, dict):
        raise refuse("not-an-object", "An action is a JSON object.")
    kind, player = action.get("type"), action.get("player")
    if not isinstance(kind, str) or not isinstance(player, str):
        raise refuse("no-type-or-player", "An action names its type and its player.")
    if not awaiting:
        raise refuse("game-over", "The game is over.")
    if player not in players:
        raise refuse("unknown-player", "No player is called {name}.", name=quoted(player))
    entry = next((a for a in awaiting if a.player == player and a.type == kind), None)
    if entry is None:
        raise refuse("not-awaited", "{player} is not awaited to {type} now.", player=player, type=quoted(kind))
    required = {"type", "player", *entry.fields, *(("dice",) if entry.dice else ())}
    for key in action:
        if key not in required and key not in entry.optional:
            raise refuse("unknown-key", "{type} has no key {key}.", type=kind, key=quoted(key))
    for key in sorted(required - action.keys()):
        raise refuse("missing-key", "{type} needs the key {key}.", type=kind, key=key)
    if entry.choice_field is not None and entry.choices is not None:
        answer = action[entry.choice_field]
        # True == 1 in Python, so the type is compared too.
        if not any(type(answer) is type(choice) and answer == choice for choice in entry.choices):
            offered = ", ".join(str(c).lower() if isinstance(c, bool) else str(c) for c in entry.choices)
            raise refuse("not-a-choice", "{key} must be one of: {choices}.", key=entry.choice_field, choices=offered)
    if entry.dice:
        wrong = wrong_dice(action["dice"], entry.dice)
        if wrong is not None:
            raise Refused(wrong, prompt())
    return action


def wrong_dice(dice: object, groups: Sequence["DiceGroup"]) -> Sentence | None:
    """What is wrong with the dice of a roll for which ``groups`` is awaited, or None if they are right."""
    count = sum(group.count for group in groups)
    if not isinstance(dice, list):
        return Sentence("dice-not-a-list", "dice must be a list.")
    if len(dice) != count:
        return Sentence(
            "wrong-number-of-dice",
            "{count} dice are awaited, not {given}.",
            {"count": count, "given": len(dice)},
        )
    left = {i: group.count for i, group in enumerate(groups)}
    # Dice that name their body choose their group first; the others take what is left.
    for die in sorted(dice, key=lambda die: not (isinstance(die, dict) and die.get("body"))):
        if not isinstance(die, dict) or not isinstance(die.get("kind"), str) or not isinstance(die.get("face"), str):
            return Sentence("not-a-die", "Each die names its kind and its face.")
        extra = sorted(die.keys() - {"kind", "face", "body"})
        if extra:
            return Sentence("unknown-key", "{type} has no key {key}.", {"type": "A die", "key": quoted(extra[0])})
        body = die.get("body")
        if body is not None and not isinstance(body, str):
            return Sentence("body-not-a-word", "The body of a die is a word.")
        fitting = [i for i, group in enumerate(groups) if group.kind == die["kind"] and left[i]]
        if not fitting:
            return Sentence("wrong-kind", "A {kind} is not awaited.", {"kind": quoted(die["kind"])})
        kind = KINDS[die["kind"]]
        fitting = [i for i in fitting if body is None or groups[i].body in (None, body)]
        if not fitting or (body is not None and not kind.has_body(body)):
            return Sentence(
                "wrong-body",
                "A {body} {kind} is not awaited.",
                {"body": quoted(body or ""), "kind": kind.name},
            )
        fitting = [i for i in fitting if kind.has_face(die["face"], body if body is not None else groups[i].body)]
        if not fitting:
            shown = f"{body} {kind.name}" if body is not None else kind.name
            return Sentence("wrong-face", "A {die} has no face {face}.", {"die": shown, "face": quoted(die["face"])})
        left[fitting[0]] -= 1
    return None
