"""The owner's pages for setting the appliance up: the steps of calibration, and dice of one's own.

The device looks and keeps everything; these pages draw what its commands have brought.
"""

import base64
import binascii
from urllib.parse import quote

from flask import Blueprint, Response, make_response, render_template

from host.access import sender
from host.api import PREFIX
from host.calibration_words import failure_told, kind_told, sayings_told, step_told
from host.device_commands import DeviceCommand, DeviceCommands
from host.problems import Problem
from host.records import JsonObject
from vision.dice import KINDS

PLANS = {
    "mat": ("light", "mat", "verify"),
    "tray": ("light", "tray", "verify"),
    "tray-mat": ("light", "mat", "tray", "verify"),
    "tray-size": ("light", "tray", "size", "verify"),
}
"""Which steps each kind of set-up takes."""


def setting_up_pages(commands: DeviceCommands) -> Blueprint:
    """The pages, and the parts of them that change."""
    blueprint = Blueprint("setting_up", "host", template_folder="templates")

    @blueprint.get("/calibrate")
    def calibrate() -> Response:
        """Where the owner walks through the steps of calibration."""
        _check_owner()
        return _not_kept(
            render_template("calibrate.html", plans={name: list(steps) for name, steps in PLANS.items()})
        )

    @blueprint.get("/calibrate/shown/<command_id>")
    def calibration_shown(command_id: str) -> Response:
        """What a command has brought: a step with its picture and verdict, or the profile in use."""
        command, result = _ended(commands, command_id)
        if command.status == "failed":
            return _failed(command)
        if "in_use" in result:
            return _not_kept(
                render_template("calibrate_state.html", state=result, is_new=command.body.get("do") == "accept")
            )
        steps = [str(step) for step in result.get("steps", ())]
        return _not_kept(
            render_template(
                "calibrate_step.html",
                walk=result,
                steps=[(step, *step_told(step, "tray" in steps)) for step in steps],
                at=int(result["at"]),
                picture=_picture(command),
                look=command.id,
                said=sayings_told(result["sayings"]),
                passed=sayings_told(result.get("passed", ())),
                kinds=KINDS,
                kind_told=kind_told,
            )
        )

    @blueprint.get("/teach")
    def teach() -> Response:
        """Where the owner teaches dice of their own."""
        _check_owner()
        return _not_kept(render_template("teach.html"))

    @blueprint.get("/teach/shown/<command_id>")
    def teaching_shown(command_id: str) -> Response:
        """The sets that the device keeps, or one of them with the faces that it asks for."""
        command, result = _ended(commands, command_id)
        if command.status == "failed":
            return _failed(command)
        drawn = {"kinds": KINDS, "kind_told": kind_told, "picture": _picture(command), "command": command.id}
        if "file" in result:
            return _not_kept("")
        name = "teach_sets.html" if "sets" in result else "teach_set.html"
        return _not_kept(render_template(name, found=result, **drawn))

    @blueprint.get("/teach/faces/<command_id>/<int:place>.jpg")
    def face(command_id: str, place: int) -> Response:
        """One of the faces that are asked for."""
        _, result = _ended(commands, command_id)
        try:
            jpeg = base64.b64decode(result["asked"][place]["picture"], validate=True)
        except (KeyError, IndexError, TypeError, binascii.Error):
            raise Problem("unknown-picture", "That command has brought no such picture.") from None
        return Response(jpeg, mimetype="image/jpeg")

    @blueprint.get("/teach/files/<command_id>")
    def file(command_id: str) -> Response:
        """A set of taught dice as a file."""
        _, result = _ended(commands, command_id)
        if "file" not in result:
            raise Problem("not-found", "That command has brought no file.")
        answer = Response(str(result["file"]), mimetype="application/json")
        name = quote(f"{result['set']}.json")
        answer.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}"
        return answer

    return blueprint


def _check_owner() -> None:
    if not sender().is_owner:
        raise Problem("not-allowed", "This page is for the owner's phone.")


def _ended(commands: DeviceCommands, command_id: str) -> tuple[DeviceCommand, JsonObject]:
    _check_owner()
    command = commands.command(command_id)
    if command.status == "waiting":
        raise Problem("unknown-picture", "The device has not answered yet.")
    return command, command.result or {}


def _failed(command: DeviceCommand) -> Response:
    return _not_kept(render_template("setting_up_failed.html", why=failure_told(command.detail)))


def _picture(command: DeviceCommand) -> str | None:
    return None if command.jpeg is None else f"{PREFIX}/device/commands/{command.id}/picture.jpg"


def _not_kept(page: str) -> Response:
    answer = make_response(page)
    answer.headers["Cache-Control"] = "no-store"
    return answer
