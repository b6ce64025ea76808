"""The HTTP API for what the device is doing and what it is asked to do. Only translates HTTP."""

from flask import Response, jsonify
from flask_openapi3.blueprint import APIBlueprint

from host import device_forms as forms
from host.access import ANYONE, DEVICE, OWNER, allows
from host.api import PHONE_OR_TOKEN, PREFIX, TOKEN
from host.device_api import decoded_jpeg
from host.device_commands import DeviceCommand, DeviceCommands
from host.device_watch import DeviceWatch
from host.documented import WITH_BODY, WITH_PHONE, WITH_TOKEN, answers, content
from host.problems import Problem
from host.tables import Tables

MOST_PICTURE_BYTES = 1_400_000
"""A JPEG of a whole picture of the Camera Module 3, 4608 x 2592, at 80 %; at 1280 x 960 it has 300 kB."""

NO_PICTURE = "A die is secret now: no picture is taken."


def device_control_api(tables: Tables, watch: DeviceWatch, commands: DeviceCommands) -> APIBlueprint:
    """The addresses of states and commands."""
    api = APIBlueprint("device_control_api", __name__, url_prefix=f"{PREFIX}/device")

    @api.get("/state", responses=answers(ok=forms.DeviceState))
    @allows(ANYONE)
    def device_state() -> Response:
        """What the device is doing; "no-device" once it has been silent for half a minute."""
        return jsonify(watch.news.to_json())

    @api.post("/state", security=TOKEN, responses=answers(*WITH_TOKEN, *WITH_BODY, ok=forms.DeviceState))
    @allows(DEVICE)
    def report_state(body: forms.DeviceStateReport) -> Response:
        """The device says what it is doing: when that changes, and every ten seconds."""
        watch.report(body.state, body.detail)
        return jsonify(watch.news.to_json())

    @api.post(
        "/commands",
        security=PHONE_OR_TOKEN,
        responses=answers("message-id-taken", *WITH_PHONE, *WITH_BODY, ok=forms.CommandView),
    )
    @allows(OWNER)
    def ask_device(body: forms.AskDevice) -> Response:
        """Ask the device to do something, once; the same id again asks for nothing new."""
        further = body.model_dump(exclude={"id", "type"})
        return jsonify(_view(commands.ask(body.id, body.type, further)))

    @api.get(
        "/commands/<string:command>",
        security=PHONE_OR_TOKEN,
        responses=answers("unknown-command", "wrong-form", *WITH_TOKEN, ok=forms.CommandView),
    )
    @allows(OWNER)
    def command_state(path: forms.CommandPath) -> Response:
        """What came of a command, or that it is still waited for."""
        return jsonify(_view(commands.command(path.command)))

    @api.post(
        "/commands/<string:command>",
        security=TOKEN,
        responses=answers(
            "unknown-command", "picture-too-large", "bad-picture", *WITH_TOKEN, *WITH_BODY, ok=forms.CommandView
        ),
    )
    @allows(DEVICE)
    def end_command(path: forms.CommandPath, body: forms.CommandOutcome) -> Response:
        """The device says what came of a command. Its picture is kept in memory until twenty others were asked."""
        if body.jpeg is not None and tables.expectation().mode == "guarded":
            return jsonify(_view(commands.end(path.command, "failed", NO_PICTURE, {}, None)))
        jpeg = None if body.jpeg is None else decoded_jpeg(body.jpeg, MOST_PICTURE_BYTES)
        return jsonify(_view(commands.end(path.command, body.status, body.detail, body.result, jpeg)))

    @api.get(
        "/commands/<string:command>/picture.jpg",
        security=PHONE_OR_TOKEN,
        responses=answers(
            "unknown-command",
            "unknown-picture",
            "wrong-form",
            *WITH_TOKEN,
            ok=content("image/jpeg", "The tray, as it was taken"),
        ),
    )
    @allows(OWNER)
    def command_picture(path: forms.CommandPath) -> Response:
        """The picture that a command has brought."""
        jpeg = commands.command(path.command).jpeg
        if jpeg is None:
            raise Problem("unknown-picture", "That command has brought no picture.")
        return Response(jpeg, mimetype="image/jpeg")

    return api


def _view(command: DeviceCommand) -> dict[str, object]:
    picture = None if command.jpeg is None else f"{PREFIX}/device/commands/{command.id}/picture.jpg"
    return {
        "id": command.id,
        "type": command.type,
        "status": command.status,
        "detail": command.detail,
        "result": command.result,
        "picture": picture,
    }
