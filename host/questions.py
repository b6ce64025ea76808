"""What people are asked where a reading does not answer what is awaited: which face does each die show?"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from host.games.protocol import Awaited, DiceGroup, Game, State
from host.records import JsonObject, StoredReading
from host.rolls import BLOCKING, named_rolls
from vision.dice import CHANCE_CUBE, KINDS

MOST_LIKELY = 4
"""Faces that are offered first; the device names no more."""


@dataclass(frozen=True, slots=True)
class AskedDie:
    """One die to answer for.

    ``read`` is the die as it was read, None for what was not; ``reason`` says why it was not (``missing``: awaited
    and not seen). ``likely`` and ``others`` are the dice that it may be, each with kind, face and body.
    """

    read: JsonObject | None
    reason: str | None
    center_px: list[float] | None
    likely: tuple[JsonObject, ...]
    others: tuple[JsonObject, ...]

    @property
    def is_counted(self) -> bool:
        """Whether it was read as one of the dice that are awaited."""
        return self.read is not None and bool(self.likely)

    def to_json(self) -> JsonObject:
        """As the API shows it."""
        return {
            "read": self.read,
            "reason": self.reason,
            "center_px": self.center_px,
            "likely": list(self.likely),
            "others": list(self.others),
        }


@dataclass(frozen=True, slots=True)
class Question:
    """The dice of a reading to answer for, and the players whose rolls are awaited: they may answer."""

    reading: str
    players: tuple[str, ...]
    dice: tuple[AskedDie, ...]

    def to_json(self) -> JsonObject:
        """As the API shows it."""
        return {"players": list(self.players), "dice": [die.to_json() for die in self.dice]}


def question(game: Game[Any], state: State, reading: StoredReading) -> Question | None:
    """What to ask about a reading; None while no roll is awaited, or what lies there is a secret."""
    rolls = named_rolls(game.awaiting(state))
    if not rolls or state.phase in game.guarded_phases:
        return None
    possible = _possible(game, rolls)
    dice = [_read_die(die, possible) for die in reading.dice]
    unread = [thing for thing in reading.unread if thing["reason"] in BLOCKING]
    dice += [_unread_die(thing, possible) for thing in unread]
    missing = _awaited(rolls) - Counter(die["kind"] for die in reading.dice)
    for group in _groups_left(rolls, missing, sum(1 for _ in unread)):
        faces = _faces((group,))
        dice.append(AskedDie(None, "missing", None, *_split(faces, faces if len(faces) <= MOST_LIKELY else [])))
    return Question(reading.id, tuple(dict.fromkeys(roll.player for roll in rolls)), tuple(dice))


def _possible(game: Game[Any], rolls: Iterable[Awaited]) -> list[JsonObject]:
    """Every die that the throw may hold: those that are awaited first, then the game's other kinds."""
    groups = [group for roll in rolls for group in roll.dice]
    later = [DiceGroup(kind) for kind in game.kinds if kind not in {group.kind for group in groups}]
    return _faces((*groups, *later))


def _faces(groups: Iterable[DiceGroup]) -> list[JsonObject]:
    dice: list[JsonObject] = []
    for group in groups:
        kind = KINDS[group.kind]
        for face in kind.faces:
            body = face if group.kind == CHANCE_CUBE else group.body
            die = {"kind": group.kind, "face": face, "body": body}
            if kind.has_face(face, body) and die not in dice:
                dice.append(die)
    return dice


def _awaited(rolls: Iterable[Awaited]) -> Counter[str]:
    counts = Counter[str]()
    for roll in rolls:
        for group in roll.dice:
            counts[group.kind] += group.count
    return counts


def _groups_left(rolls: Iterable[Awaited], missing: Counter[str], unread: int) -> Iterator[DiceGroup]:
    """The dice that nothing in the tray can be: ``unread`` things may still be as many of those that are missing."""
    count = missing.total() - unread
    for roll in rolls:
        for group in roll.dice:
            for _ in range(min(group.count, missing[group.kind])):
                if count <= 0:
                    return
                count -= 1
                missing[group.kind] -= 1
                yield group


def _read_die(die: JsonObject, possible: list[JsonObject]) -> AskedDie:
    bare = {"kind": die["kind"], "face": die["face"], "body": die.get("body")}
    same_kind = [other for other in possible if other["kind"] == die["kind"]]
    bodies = [other for other in same_kind if other["body"] in (None, bare["body"])] or same_kind
    return AskedDie(bare, None, die.get("center_px"), *_split(_with_body(bodies, bare), [bare] if same_kind else []))


def _with_body(dice: list[JsonObject], read: JsonObject) -> list[JsonObject]:
    """A colour that was seen is kept where the game does not ask for one."""
    return [die if die["body"] else {**die, "body": read["body"]} for die in dice]


def _unread_die(thing: JsonObject, possible: list[JsonObject]) -> AskedDie:
    named = [{"kind": d["kind"], "face": d["face"], "body": d.get("body")} for d in thing.get("likely") or ()]
    kinds = {die["kind"] for die in possible}
    likely = [die for die in named if die["kind"] in kinds and die["face"] in KINDS[die["kind"]].faces]
    first_kind = [die for die in possible if die["kind"] == possible[0]["kind"]]
    if not likely and len(first_kind) <= MOST_LIKELY:
        likely = first_kind
    return AskedDie(None, thing["reason"], thing.get("center_px"), *_split(possible, likely))


def _split(dice: list[JsonObject], likely: list[JsonObject]) -> tuple[tuple[JsonObject, ...], tuple[JsonObject, ...]]:
    shown = likely[:MOST_LIKELY]
    faces = {(die["kind"], die["face"]) for die in shown}
    return tuple(shown), tuple(die for die in dice if (die["kind"], die["face"]) not in faces)


def faces_of_roll(game: Game[Any], before: State, action: JsonObject) -> dict[str, list[JsonObject]]:
    """The dice that a roll may hold, by their kind; ``before`` is the state in which it was awaited."""
    rolls = [entry for entry in game.awaiting(before) if entry.dice and entry.player == action["player"]]
    faces: dict[str, list[JsonObject]] = {die["kind"]: [] for die in action["dice"]}
    for die in _faces(group for roll in rolls for group in roll.dice):
        faces.setdefault(die["kind"], []).append(die)
    return faces
