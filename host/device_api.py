"""The HTTP API for the device: what is awaited, and what it read. Only translates HTTP."""

import time
from base64 import b64decode
from binascii import Error as NotBase64

from flask import Response, jsonify
from flask_openapi3.blueprint import APIBlueprint

from host import forms
from host.access import DEVICE, allows
from host.api import PREFIX, TOKEN
from host.changes import Changes, Dropped
from host.device_commands import DeviceCommands
from host.documented import STORING, WITH_BODY, WITH_TOKEN, answers
from host.expect import Expectation
from host.problems import Problem
from host.readings import Readings, Report
from host.tables import Tables

MOST_JPEG_BYTES = 20_000


def device_api(tables: Tables, readings: Readings, changes: Changes, commands: DeviceCommands) -> APIBlueprint:
    """The device's addresses."""
    api = APIBlueprint("device_api", __name__, url_prefix=f"{PREFIX}/device")

    @api.get(
        "/expect",
        security=TOKEN,
        responses=answers("wrong-form", *WITH_TOKEN, *STORING[:1], ok=forms.Expected),
    )
    @allows(DEVICE)
    def expect(query: forms.ExpectQuery) -> Response:
        """What is awaited, at once if it is not ``after``, and otherwise when it changes or the wait is over.

        A command for the device ends the wait, too.
        """
        awaited = wait_for_change(tables, changes, commands, query.after, query.wait)
        return jsonify({**awaited.to_json(), "commands": commands.hand_out()})

    @api.post(
        "/readings",
        security=TOKEN,
        responses=answers(
            "picture-too-large", "bad-picture", *WITH_TOKEN, *WITH_BODY, *STORING, ok=forms.ReadingTaken
        ),
    )
    @allows(DEVICE)
    def take_reading(body: forms.DeviceReading) -> Response:
        """What the device read. Once answered with 200 it is stored; the same one again is answered the same."""
        reading = readings.take(
            Report(
                id=body.id,
                expect=body.expect,
                dice=tuple(die.model_dump() for die in body.dice),
                unread=tuple(thing.model_dump(exclude_none=True) for thing in body.unread),
                jpeg=None if body.jpeg is None else decoded_jpeg(body.jpeg),
            )
        )
        return jsonify(id=reading.id, status=reading.status, detail=reading.detail, expect=tables.expectation().id)

    return api


def wait_for_change(
    tables: Tables, changes: Changes, commands: DeviceCommands, after: str | None, seconds: float
) -> Expectation:
    """What is awaited once it is not ``after``, once the device is asked for something, or after ``seconds``."""
    until = time.monotonic() + seconds
    with changes.listening() as listener:
        while (awaited := tables.expectation()).id == after and time.monotonic() < until:
            if commands.has_news:
                break
            try:
                listener.wait(until - time.monotonic())
            except Dropped:
                break
    return awaited


def decoded_jpeg(text: str, most_bytes: int = MOST_JPEG_BYTES) -> bytes:
    """The bytes of a JPEG in base64. Raises ``Problem`` if it is none, or larger than ``most_bytes``.

    Only the first and last bytes are looked at: the host never opens a picture, browsers do.
    """
    try:
        jpeg = b64decode(text, validate=True)
    except (NotBase64, ValueError) as wrong:
        raise Problem("bad-picture", "jpeg must be base64.") from wrong
    if len(jpeg) > most_bytes:
        raise Problem("picture-too-large", f"The picture has {len(jpeg)} bytes; {most_bytes} are the most.")
    if not (jpeg.startswith(b"\xff\xd8\xff") and jpeg.endswith(b"\xff\xd9")):
        raise Problem("bad-picture", "The picture is not a whole JPEG.")
    return jpeg
