"""Corrections as the page shows them: what is asked about a reading, who objects, and each line of the log."""

from flask import Blueprint, Response, make_response, render_template

from host.access import sender
from host.corrections import OBJECTION_S, seconds_between
from host.dice_words import die_told
from host.languages import told, words
from host.line import Move
from host.log import opened_line
from host.questions import faces_of_roll
from host.records import JsonObject
from host.scoreboard import picture_in_words
from host.snapshot import Snapshot
from host.tables import Tables
from vision.dice import NUMBER_DIE, PIP_DIE


def add_correct_pages(blueprint: Blueprint, tables: Tables) -> None:
    """The addresses of corrections and of the log's lines."""

    @blueprint.get("/tables/<table_id>/correct")
    def correct(table_id: str) -> Response:
        """What this phone may correct at a table now, or watch others correct."""
        answer = make_response(drawn_corrections(tables.table(table_id).snapshot(), tables.now()))
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @blueprint.get("/tables/<table_id>/log/<int:number>")
    def log_line(table_id: str, number: int) -> str:
        """A line of the log with its picture, its rule and its sums; the owner corrects it here."""
        table = tables.table(table_id)
        opened = opened_line(table, tables.readings, number)
        move = table.move(number)
        return render_template(
            "log_line.html",
            table=table.snapshot(),
            opened=opened,
            game=table.game,
            picture_in_words=opened.reading
            and picture_in_words(_as_shown(opened.reading.dice, opened.reading.unread)),
            asked=_asked_of(table.snapshot(), move) if move and opened.is_roll and sender().is_owner else (),
            die_told=die_told,
            face_told=face_told,
            told=told,
        )


def drawn_corrections(snapshot: Snapshot, now: str) -> str:
    """What the sender may correct at ``now`` (UTC, ISO 8601), and what they only see."""
    seats = sender().seats_at(snapshot.seated.id)
    asked = snapshot.question
    answerer: str | None = None
    if asked is not None:
        answerer = next((player for player in asked.players if player in seats), "" if sender().is_owner else None)
    return render_template(
        "correct.html",
        table=snapshot,
        reading=snapshot.reading,
        asked=asked,
        answerer=answerer,
        objection=snapshot.objection,
        objector=seats[0] if seats else None,
        left_s=_left_to_object_s(snapshot, now) if seats else 0,
        is_owner=sender().is_owner,
        picture_in_words=picture_in_words(snapshot.reading) if snapshot.reading else None,
        die_told=die_told,
        face_told=face_told,
        told=told,
    )


def _left_to_object_s(snapshot: Snapshot, now: str) -> float:
    """For how many seconds the last reading may still be objected to; 0 where it may not."""
    reading = snapshot.last_reading
    is_corrected = any(roll.changed_by for roll in snapshot.rolls)
    if reading is None or not snapshot.rolls or is_corrected or snapshot.objection or reading.status != "applied":
        return 0
    return max(0.0, OBJECTION_S - seconds_between(reading.at, now))


def _asked_of(snapshot: Snapshot, move: Move) -> tuple[JsonObject, ...]:
    """Each die of a roll with every face that it may show."""
    state = snapshot.game.open(snapshot.seated.players, snapshot.seated.options) if move.before is None else None
    before = state or (move.before.state if move.before else snapshot.state)
    faces = faces_of_roll(snapshot.game, before, move.action or {})
    return tuple({"now": die, "faces": faces[die["kind"]]} for die in move.dice or ())


def face_told(kind: str, face: str) -> str:
    """What a tile says beside its drawing; a number die is not drawn.

    >>> face_told("chance-cube", "red"), face_told("number-die", "7")
    ('red', 'number die: 7')
    """
    return die_told(kind, face) if kind == NUMBER_DIE else face if kind == PIP_DIE else words(face)


def _as_shown(dice: tuple[JsonObject, ...], unread: tuple[JsonObject, ...]) -> JsonObject:
    return {"dice": list(dice), "unread": list(unread)}
