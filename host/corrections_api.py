"""The HTTP API for corrections: questions about readings, objections, amended rolls. Only translates HTTP."""

from flask import Response, jsonify
from flask_openapi3.blueprint import APIBlueprint

from host import correction_forms, forms
from host.access import ANYONE, DEVICE, OWNER, PLAYERS, allows, sender
from host.api import PHONE_OR_TOKEN, PREFIX, TOKEN
from host.corrections import Corrections, Message
from host.device_commands import DeviceCommands
from host.documented import STORING, WITH_BODY, WITH_PHONE, WITH_TOKEN, answers
from host.log import opened_line
from host.problems import Problem
from host.records import Holder
from host.snapshot import picture_address
from host.tables import Outcome, Tables

MOST_CORRECTIONS = 50
"""In one answer; about 100 kB."""

CHANGING = ("unknown-table", "stale-number", "message-id-taken", *WITH_PHONE, *WITH_BODY, *STORING)
OWNER_TOKEN = Holder("owner")


def corrections_api(tables: Tables, commands: DeviceCommands) -> APIBlueprint:
    """The addresses of corrections."""
    api = APIBlueprint("corrections_api", __name__, url_prefix=PREFIX)
    corrections = Corrections(tables)

    def taken(outcome: Outcome) -> Response:
        return jsonify(number=outcome.number, state=outcome.state, expect=tables.expectation().id)

    def acting(table: str, player: str | None) -> Holder:
        return sender().acting_for(table, player)

    @api.post(
        "/tables/<string:table>/readings/<string:reading>/confirm",
        security=PHONE_OR_TOKEN,
        responses=answers(
            "no-question", "not-your-seat", "not-your-roll", "dice-unmatched", *CHANGING, ok=forms.ActionTaken
        ),
    )
    @allows(PLAYERS)
    def confirm(path: correction_forms.ReadingPath, body: correction_forms.ConfirmReading) -> Response:
        """Say what the dice show of a reading that did not match: the game goes on with them."""
        message = Message(body.id, body.number, acting(path.table, body.player))
        dice = [die.model_dump(exclude_none=True) for die in body.dice]
        return taken(corrections.confirm(path.table, message, path.reading, dice))

    @api.post(
        "/tables/<string:table>/readings/<string:reading>/void",
        security=PHONE_OR_TOKEN,
        responses=answers(
            "no-question",
            "not-your-seat",
            "not-your-roll",
            "not-standing",
            "still-secret",
            "amend-drops",
            *CHANGING,
            ok=forms.ActionTaken,
        ),
    )
    @allows(PLAYERS)
    def void_reading(path: correction_forms.ReadingPath, body: correction_forms.VoidReading) -> Response:
        """Let a reading not count. One that was applied is the owner's to void, with the rolls that came of it.

        Where it is rolled again, the camera looks anew; where nothing was rolled, the tray stays as it is.
        """
        message = Message(body.id, body.number, acting(path.table, body.player))
        rolls = [roll.number for roll in tables.table(path.table).rolls_of(path.reading)]
        if not rolls:
            outcome = corrections.set_aside(path.table, message, path.reading, body.why)
            if body.why == "roll-again" and tables.expectation().table == path.table:
                commands.ask(body.id, "read-again", {})
            return taken(outcome)
        if not sender().is_owner:
            raise Problem("not-allowed", "This is for the owner alone.")
        return taken(corrections.void(path.table, message, rolls, body.drop))

    @api.post(
        "/tables/<string:table>/readings/<string:reading>/objection",
        security=PHONE_OR_TOKEN,
        responses=answers(
            "unknown-reading",
            "unknown-seat",
            "not-your-seat",
            "objection-late",
            "already-objected",
            "not-standing",
            *CHANGING,
            ok=forms.ActionTaken,
        ),
    )
    @allows(PLAYERS)
    def object_to(path: correction_forms.ReadingPath, body: correction_forms.ObjectToReading) -> Response:
        """Object to the last reading that was applied: for 30 seconds, or until the next one is."""
        message = Message(body.id, body.number, acting(path.table, body.player))
        return taken(corrections.object_to(path.table, message, body.player, path.reading))

    @api.post(
        "/tables/<string:table>/objections/<int:number>/dismiss",
        security=PHONE_OR_TOKEN,
        responses=answers("no-objection", *CHANGING, ok=forms.ActionTaken),
    )
    @allows(OWNER)
    def dismiss(path: correction_forms.EntryPath, body: correction_forms.DismissObjection) -> Response:
        """Let a reading stand that somebody objects to."""
        return taken(corrections.dismiss(path.table, Message(body.id, body.number, OWNER_TOKEN), path.number))

    @api.post(
        "/tables/<string:table>/entries/<int:number>/amend",
        security=PHONE_OR_TOKEN,
        responses=answers(
            "unknown-entry",
            "not-standing",
            "not-a-roll",
            "still-secret",
            "amend-drops",
            "dice-unmatched",
            "refused",
            *CHANGING,
            ok=forms.ActionTaken,
        ),
    )
    @allows(OWNER)
    def amend(path: correction_forms.EntryPath, body: correction_forms.AmendRoll) -> Response:
        """Correct the dice of a roll, at any time: the rest of the game is played anew on them.

        Where later lines no longer fit, the answer is amend-drops, with ``from`` and how many (``drops``).
        """
        dice = [die.model_dump(exclude_none=True) for die in body.dice]
        message = Message(body.id, body.number, OWNER_TOKEN)
        return taken(corrections.amend(path.table, message, path.number, dice, body.drop))

    @api.post(
        "/tables/<string:table>/entries/<int:number>/void",
        security=PHONE_OR_TOKEN,
        responses=answers(
            "unknown-entry",
            "not-standing",
            "not-a-roll",
            "still-secret",
            "amend-drops",
            *CHANGING,
            ok=forms.ActionTaken,
        ),
    )
    @allows(OWNER)
    def void_roll(path: correction_forms.EntryPath, body: correction_forms.VoidRoll) -> Response:
        """Let a roll not count, at any time: the rest of the game is played anew without it."""
        message = Message(body.id, body.number, OWNER_TOKEN)
        return taken(corrections.void(path.table, message, [path.number], body.drop))

    @api.get(
        "/tables/<string:table>/entries/<int:number>",
        responses=answers("unknown-table", "unknown-entry", *STORING[:1], ok=correction_forms.OpenedLine),
    )
    @allows(ANYONE)
    def open_line(path: correction_forms.EntryPath) -> Response:
        """A line of the log with its picture, its rule and its sum."""
        return jsonify(opened_line(tables.table(path.table), tables.readings, path.number).to_json())

    @api.get(
        "/device/corrections",
        security=TOKEN,
        responses=answers("wrong-form", *WITH_TOKEN, *STORING[:1], ok=correction_forms.CorrectedReadings),
    )
    @allows(DEVICE)
    def list_corrections(query: correction_forms.CorrectionsQuery) -> Response:
        """What was read and what people said instead, from every table: labelled pictures for a recording."""
        return jsonify(
            corrections=[
                {
                    "place": labelled.place,
                    "table": labelled.correction.table,
                    "number": labelled.correction.number,
                    "by": labelled.by,
                    "at": labelled.at,
                    "reading": labelled.reading.id,
                    "read": list(labelled.reading.dice),
                    "unread": list(labelled.reading.unread),
                    "confirmed": list(labelled.correction.confirmed),
                    "picture": picture_address(labelled.reading),
                }
                for labelled in tables.readings.corrections(query.after, MOST_CORRECTIONS)
            ]
        )

    return api
