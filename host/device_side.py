"""The device's side of the web application: its addresses, its states, the commands for it."""

from flask_openapi3.openapi import OpenAPI

from host.api import PREFIX
from host.changes import Changes
from host.device_api import device_api
from host.device_commands import DeviceCommands
from host.device_control_api import device_control_api
from host.device_watch import DETAILS, SENTENCES, DeviceWatch
from host.readings import Readings
from host.safe_mode import reasons
from host.setting_up_pages import setting_up_pages
from host.tables import Tables

MOST_BYTES_OF_A_READING = 65_536
MOST_BYTES_OF_A_COMMAND = 2_000_000
"""A profile with the picture of the empty tray, 400 kB at 1640 x 1232 px, fits several times."""

MOST_BYTES_OF_AN_OUTCOME = 2_000_000
"""A calibration picture, in base64."""


def add_device(app: OpenAPI, tables: Tables, changes: Changes) -> DeviceCommands:
    """Give the application what the device speaks to, and its templates ``device()``, the newest state.

    Returns what takes commands for the device.
    """

    def newest_table() -> str | None:
        seated = tables.seated()
        return seated[0].id if seated else None

    commands = DeviceCommands(changes)
    watch = DeviceWatch(changes, newest_table)
    app.register_api(device_api(tables, Readings(tables), changes, commands))
    app.register_api(device_control_api(tables, watch, commands))
    app.register_blueprint(setting_up_pages(commands))
    app.jinja_env.globals["device"] = lambda: watch.news.to_json()
    app.jinja_env.globals["safe_mode_reasons"] = reasons
    app.jinja_env.globals["device_sentences"] = lambda: {name: str(text) for name, text in SENTENCES.items()}
    app.jinja_env.globals["device_details"] = lambda: {detail: str(text) for detail, text in DETAILS.items()}
    return commands


def most_bytes(path: str, otherwise: int) -> int:
    """How long the body of a request to that address may be.

    >>> most_bytes("/api/v1/device/readings", 4096), most_bytes("/api/v1/tables", 4096)
    (65536, 4096)
    """
    if path == f"{PREFIX}/device/readings":
        return MOST_BYTES_OF_A_READING
    if path == f"{PREFIX}/device/commands":
        return MOST_BYTES_OF_A_COMMAND
    return MOST_BYTES_OF_AN_OUTCOME if path.startswith(f"{PREFIX}/device/commands/") else otherwise
