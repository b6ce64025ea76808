"""The HTTP API for backups: one file with everything, for the owner alone. Only translates HTTP."""

import tempfile
from pathlib import Path

from flask import Response, jsonify, request, send_file
from flask_openapi3.blueprint import APIBlueprint
from werkzeug.exceptions import RequestEntityTooLarge

from host.access import OWNER, allows
from host.api import PHONE_OR_TOKEN, PREFIX
from host.backup import MOST_BYTES
from host.documented import STORING, WITH_PHONE, answers, content
from host.history_forms import Restored
from host.keeping import Keeping

CHUNK_BYTES = 65_536

MOST_BACKUP_BYTES = MOST_BYTES


def is_backup(path: str) -> bool:
    """Whether a request to this path may bring a whole backup."""
    return path == f"{PREFIX}/backup"


def backup_api(keeping: Keeping) -> APIBlueprint:
    """Making a backup, and beginning anew with one."""
    api = APIBlueprint("backup_api", __name__, url_prefix=PREFIX)

    @api.get(
        "/backup",
        security=PHONE_OR_TOKEN,
        responses=answers(
            "other-database", *WITH_PHONE[:3], *STORING, ok=content("application/zip", "A backup of this moment")
        ),
    )
    @allows(OWNER)
    def back_up() -> Response:
        """Everything in one file. Whoever has it can read the secrets of running games and act for every seat."""
        return send_file(
            keeping.back_up(), "application/zip", as_attachment=True, download_name=keeping.name_of_backup()
        )

    @api.put(
        "/backup",
        security=PHONE_OR_TOKEN,
        responses=answers("bad-backup", "other-database", "too-large", *WITH_PHONE, *STORING, ok=Restored),
    )
    @allows(OWNER)
    def restore() -> Response:
        """Begin anew with a backup, the body of the request. What was there before is kept beside it."""
        with tempfile.NamedTemporaryFile(dir=keeping.place_for_upload(), prefix="upload-") as upload:
            size = 0
            while chunk := request.stream.read(CHUNK_BYTES):
                size += len(chunk)
                if size > MOST_BYTES:
                    raise RequestEntityTooLarge
                upload.write(chunk)
            upload.flush()
            keeping.restore(Path(upload.name))
        return jsonify(restored=True)

    return api
