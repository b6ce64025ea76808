"""Any awaited roll, entered by hand: a tap for each face that the dice show."""

from host.controls.control import Answer, Button, Control, Ordered, Part, Path, Pick, ShownDie
from host.controls.words import english_or, say
from host.dice_words import dice_told
from host.games.protocol import Awaited, DiceGroup, JsonObject
from vision.dice import CHANCE_CUBE, KINDS, NUMBER_DIE, RIG_DIE

COIN_GAMES = ("vigos-favor",)
"""Games whose book allows a coin in place of the cube."""

COIN = {"heads": "red", "tails": "blue"}


def roll_control(view: JsonObject, entry: Awaited) -> Control:
    """The faces of the awaited dice: one to choose for a single die, as many as there are dice otherwise."""
    is_reveal = (view["game"], view["phase"]) == ("val-des", "reveal")
    return Control(
        entry.type,
        entry.player,
        say("roll-reveal" if is_reveal else "roll"),
        note=say("roll-note", dice=dice_told(entry.dice)),
        parts=tuple(_part(view, group, index) for index, group in enumerate(entry.dice)),
        buttons=(Button(say("roll-send")),),
    )


def _part(view: JsonObject, group: DiceGroup, index: int) -> Part:
    path: Path = ("dice",)
    answers = tuple(_face(group, face) for face in faces_of(group))
    if group.count > 1:
        empty = say("roll-empty", count=group.count)
        return Ordered(path, say("roll-dice"), answers, least=group.count, most=group.count, empty=empty)
    if group.kind == CHANCE_CUBE and view["game"] in COIN_GAMES:
        answers = (*(_cube(answer) for answer in answers), *_coin())
    return Pick(path, say("roll-die"), answers, many=True)


def faces_of(group: DiceGroup) -> tuple[str, ...]:
    """Every face that a die of the group can show.

    >>> faces_of(DiceGroup("action-die", body="black"))
    ('red', 'white')
    """
    kind = KINDS[group.kind]
    faces = tuple(face for face in kind.faces if kind.has_face(face, group.body))
    # Sorted, the two signs of a RIG die's colour stand side by side.
    return tuple(sorted(faces)) if group.kind == RIG_DIE else faces


def _face(group: DiceGroup, face: str) -> Answer:
    value = {"kind": group.kind, "face": face, **({"body": group.body} if group.body else {})}
    # A number is drawn as large by its label as it would be by a die.
    die = None if group.kind == NUMBER_DIE else ShownDie(group.kind, group.body, face)
    return Answer(value, english_or(face, face), die=die)


def _cube(answer: Answer) -> Answer:
    return Answer(answer.value, answer.label, answer.die, group=say("chance-cube"))


def _coin() -> tuple[Answer, ...]:
    return tuple(
        Answer({"kind": CHANCE_CUBE, "face": face}, say(side, face=face), group=say("coin"))
        for side, face in COIN.items()
    )
