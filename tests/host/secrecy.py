"""Whether a secret reaches anybody before its time: games are played on two hosts that differ in their secrets alone.

At every moment of a game at which secrets are held, every byte that the others get is read on both hosts: pages,
JSON, events, refusals, histories, exports, and what the hosts write to their own logs; also when the last action is
taken back and done once more, when an earlier roll is amended, when a phone comes back, and when somebody who is not
the owner asks for a backup. Where a byte depended on a secret, the two would differ.
"""

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from host.games.king_of_roulette_round import SPACES
from host.games.protocol import JsonObject, State
from host.games.registry import GAMES
from tests.browser.script import Script, script
from tests.host.phones import Owner, Phone, link
from tests.host.running import COMMAND, TINY_JPEG, RunningHost, cube, following, new_id
from vision.dice import KINDS

SECRET_TYPES = frozenset({"vote", "bet", "rule", "condemn", "intent"})

CUP = "val-des"
"""The game whose secret is a die: it lies under a cup, and nobody but the camera could have seen it."""

SECRETIVE = ("king-of-roulette", CUP, "victim")

PASSER_BY = "a passer-by"

LISTS = (
    "/api/v1/tables",
    "/api/v1/history",
    "/api/v1/export.json",
    "/api/v1/export.csv",
    "/history",
    "/api/v1/backup",
)
"""Addresses that tell everybody the same of all tables."""

OTHER_DIE = {"support": "neutral", "sabotage": "support", "neutral": "sabotage"}
OTHER_SIDE = {"left": "right", "right": "left"}


@dataclass(frozen=True)
class Moment:
    """A stretch of a game in which secrets are held: its first action, and the one that opens them."""

    starts: int
    opens: int


@dataclass
class Twin:
    """One of the two hosts, its log, and the tables that were opened there."""

    host: RunningHost
    log: Path
    tables: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Told:
    """What was measured over a game, and where the two hosts said something different."""

    moments: int
    planted: int
    examined: int
    """Bytes."""
    leaks: tuple[str, ...]


@contextmanager
def twins(folder: Path) -> Iterator[tuple[Twin, Twin]]:
    """Two hosts whose logs are kept."""
    made = []
    for name in ("one", "other"):
        log = folder / f"{name}.log"
        # A host that hears nothing else writes its log into a file.
        command = ("sh", "-c", 'log=$1; shift; exec "$@" 2>"$log"', "sh", str(log), *COMMAND)
        made.append(Twin(RunningHost(folder / name, command=command), log))
    yield made[0], made[1]
    for twin in made:
        assert twin.host.stop() == 0


def listened(both: tuple[Twin, Twin], name: str, most_moments: int | None = None) -> Told:
    """Play a game on both hosts, moment by moment, and compare every byte that others get.

    ``most_moments``: no more than these, from its beginning to its end.
    """
    written = script(name)
    planted = examined = 0
    leaks: list[str] = []
    held_moments = cup_moments(written) if name == CUP else moments(written)
    if most_moments is not None:
        held_moments = held_moments[:: -(-len(held_moments) // most_moments)]
    for moment in held_moments:
        held = written.actions[moment.starts : moment.opens]
        choosers = [action["player"] for action in held if action["type"] in SECRET_TYPES]
        # Who chose first looks on, too: what they chose themselves is the same on both hosts.
        keeps = choosers[0] if name == "king-of-roulette" else None
        others = changed(written, moment, keeps)
        watchers = set(written.players) - {player for player in choosers if player != keeps}
        assert watchers
        planted += sum(one != other for one, other in zip(held, others, strict=True)) + (name == CUP)
        one, other = (
            told_to_others(twin, written, moment, actions, sorted(watchers), under_cup if name == CUP else None)
            for twin, actions, under_cup in zip(both, (held, others), ("red", "blue"), strict=True)
        )
        assert [where for where, _ in one] == [where for where, _ in other]
        pairs = zip(one, other, strict=True)
        leaks += [f"action {moment.starts}: {where}" for (where, a), (_, b) in pairs if a != b]
        examined += sum(len(text.encode()) for _, text in (*one, *other))
    return Told(len(held_moments), planted, examined, tuple(leaks))


def cup_moments(written: Script) -> list[Moment]:
    """Every stretch from a cup that is set down to the last call; the next action tells what lies under it."""
    calls = [n for n, action in enumerate(written.actions) if action["type"] == "call"]
    starts = [n for n in calls if written.actions[n - 1]["type"] != "call"]
    ends = [n for n in calls if written.actions[n + 1]["type"] != "call"]
    return [Moment(start, end) for start, end in zip(starts, ends, strict=True) if start < end]


def moments(written: Script) -> list[Moment]:
    """Every stretch of a game from the first secret to the action that opens what was chosen."""
    game = GAMES.game(written.game)
    states = [game.open(written.players, written.options)]
    for action in written.actions:
        states.append(game.apply(states[-1], action))
    held: list[Moment] = []
    for number, action in enumerate(written.actions):
        if action["type"] in SECRET_TYPES and (not held or number > held[-1].opens):
            holds = (n for n in range(number, len(written.actions)) if is_opened(states[number], states[n + 1]))
            held.append(Moment(number, next(holds)))
    # What opens at once, as the last king's condemnation does, is held from nobody.
    held = [moment for moment in held if moment.starts < moment.opens]
    assert all(one.opens < next_one.starts for one, next_one in pairwise(held))
    return held


def is_opened(before: State, after: State) -> bool:
    """Whether what was chosen since ``before`` is known to everybody ``after``."""
    if before.phase == "planning":
        return after.phase not in ("planning", "battle")
    return bool(after.phase != before.phase or not vars_of(after)["committed"])


def vars_of(state: State) -> JsonObject:
    """The state as everybody may see it, by the rules of its own game."""
    game_id = "victim" if "last_victim" in state.options else "king-of-roulette"
    return GAMES.game(game_id).view(state, None)


def changed(written: Script, moment: Moment, keeps: str | None) -> list[JsonObject]:
    """The actions of the moment with another secret in each, save those of ``keeps``."""
    game = GAMES.game(written.game)
    state = game.open(written.players, written.options)
    for action in written.actions[: moment.starts]:
        state = game.apply(state, action)
    actions = []
    for action in written.actions[moment.starts : moment.opens]:
        if action["type"] in SECRET_TYPES and action["player"] != keeps:
            entry = next(
                entry
                for entry in game.awaiting(state)
                if (entry.player, entry.type) == (action["player"], action["type"])
            )
            action = {**action, **another(action, entry.choices)}
        actions.append(action)
        state = game.apply(state, action)
    return actions


def another(action: JsonObject, choices: tuple[Any, ...] | None) -> JsonObject:
    """The fields of another secret of the same kind."""
    match action["type"]:
        case "intent":
            return {"die": OTHER_DIE[action["die"]], "target": OTHER_SIDE[action["target"]]}
        case "bet":
            return {"space": "1" if action["space"] != "1" else "king"}
        case "rule":
            used = {*action["one"], action["two"]}
            one, two, three = (space for space in SPACES if space not in used)
            return {"one": [one, two], "two": three, "guess": "0-1" if action["guess"] != "0-1" else "6"}
        case kind:
            name = {"vote": "for", "condemn": "candidate"}[kind]
            return {name: next(choice for choice in choices or () if choice != action[name])}


def told_to_others(
    twin: Twin,
    written: Script,
    moment: Moment,
    actions: Sequence[JsonObject],
    watchers: list[str],
    under_cup: str | None,
) -> list[tuple[str, str]]:
    """Every byte that the watchers, a passer-by, the owner and the device get while the secrets are held, and where
    from."""
    host, owner = twin.host, Owner(twin.host)
    table = owner.lobby(written.game, **written.options)
    twin.tables.append(table)
    phones = {player: Phone(host) for player in written.players}
    for player, phone in phones.items():
        assert phone.join(link(host, table), player).status == 200
    assert owner.start(table).status == 201
    for action in written.actions[: moment.starts]:
        assert owner.post(f"/tables/{table}/actions", {"id": new_id(), "action": action}).status == 200
    told: list[tuple[str, str]] = []
    eyes = {**{player: phones[player] for player in watchers}, PASSER_BY: Phone(host)}
    number = moment.opens + 2
    with ExitStack() as streams:
        events = {
            name: streams.enter_context(following(host, table, cookie=phone.cookie)) for name, phone in eyes.items()
        }

        def act(action: JsonObject) -> None:
            body = {"id": new_id(), "number": None, "action": action}
            answer = phones[action["player"]].post(f"/tables/{table}/actions", body)
            assert answer.status == 200, answer.json

        for place, action in enumerate(actions):
            if under_cup:
                told.append(("the device's answer", uncovered(host, f"{table}-{place}", under_cup)))
            act(action)
        undone = owner.post(f"/tables/{table}/undo", {"id": new_id(), "number": None})
        told.append(("the owner's undo", undone.body.decode()))
        if under_cup:
            told.append(("the device's answer", uncovered(host, f"{table}-again", under_cup)))
        act(actions[-1])
        for name, stream in events.items():
            last = 0
            while last < number:
                event = stream.next()
                last = int(event["data"].get("number", 0))
                told.append((f"{name}: event", repr(event)))
    told += everything(host, table, eyes, written, number)
    for name, phone in eyes.items():
        stale = {"id": new_id(), "number": 0, "action": written.actions[moment.opens]}
        told.append((f"{name}: a stale action", phone.post(f"/tables/{table}/actions", stale).body.decode()))
    told.append(("the device", repr(host.expect())))
    roll = next((n for n in range(moment.starts, 0, -1) if "dice" in written.actions[n - 1]), None)
    if roll is not None:
        for drop in (False, True):
            body = {"id": new_id(), "dice": turned(written.actions[roll - 1]["dice"]), "drop": drop}
            amended = owner.post(f"/tables/{table}/entries/{roll}/amend", body)
            assert amended.status != 404
            told.append(("the owner's amendment", f"{amended.status} {amended.body.decode()}"))
        told += everything(host, table, {PASSER_BY: eyes[PASSER_BY]}, written, number)
    told.append(("the log", twin.log.read_text(encoding="utf-8")))
    return [(without_chance(where, twin.tables), without_chance(text, twin.tables)) for where, text in told]


def everything(
    host: RunningHost, table: str, eyes: dict[str, Phone], written: Script, number: int
) -> list[tuple[str, str]]:
    """Whatever there is to be fetched, by each of them, and the first event of a phone that comes back."""
    told = []
    for name, phone in eyes.items():
        lists = LISTS if name == PASSER_BY else LISTS[-1:]
        for path in (*lists, *paths(table, written.players, number)):
            answer = phone.page(path)
            told.append((f"{name}: {path}", f"{answer.status} {answer.body.decode()}"))
        with following(host, table, cookie=phone.cookie) as stream:
            told.append((f"{name} comes back: event", repr(stream.next())))
    return told


def uncovered(host: RunningHost, reading: str, face: str) -> str:
    """The device sees what lies under the cup, and says all of it; what the host answers."""
    jpeg = TINY_JPEG[:-2] + face.encode() + TINY_JPEG[-2:]
    return host.read(cube(face), id=reading, jpeg=b64encode(jpeg).decode()).body.decode()


def turned(dice: Sequence[JsonObject]) -> list[JsonObject]:
    """The same dice with another face up each, as far as that is possible."""
    turned = []
    for die in dice:
        kind = KINDS[die["kind"]]
        faces = kind.faces_of_body.get(die.get("body") or "", kind.faces)
        face = next(
            (face for face in kind.faces if face != die["face"] and (not die.get("body") or face in faces)),
            die["face"],
        )
        body = {"body": face} if die["kind"] == "chance-cube" else {"body": die["body"]} if die.get("body") else {}
        turned.append({"kind": die["kind"], "face": face, **body})
    return turned


def paths(table: str, players: tuple[str, ...], number: int) -> list[str]:
    """Every address that may tell something of a table, those of other people's seats among them."""
    page, api = f"/tables/{table}", f"/api/v1/tables/{table}"
    return [
        *(f"/history/{table}", f"/history/{table}/{number}", f"/api/v1/history/{table}"),
        *(page, f"{page}/board", f"{page}/seats", f"{page}/correct", f"{page}/log/{number}"),
        *(api, f"{api}/seats", f"{api}/rematch", f"{page}/rematch"),
        *(f"{page}/controls?as={player}" for player in players),
        *(f"{page}/secret?as={player}" for player in players),
        *(f"{api}?as={player}" for player in players),
        *(f"{api}/readings/{table}-{place}.jpg" for place in (0, 1, "again")),
    ]


def without_chance(text: str, tables: list[str]) -> str:
    """What a host says, without what is drawn by chance or told by a clock."""
    for number, table in enumerate(tables):
        text = text.replace(table, f"TABLE{number}")
    text = re.sub(r"<svg class=\"qr.*?</svg>|/join/\w+", "", text, flags=re.DOTALL)
    text = re.sub(r"\d{4}-\d\d-\d\d([T ][\d:.]+Z?)?|\d\d:\d\d(:\d\d)?|127\.0\.0\.1:\d+|\d{4}-\d{4}", "", text)
    return re.sub(r"\b[0-9a-f]{16,}\b", "", text)
