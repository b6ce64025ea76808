"""The web application: the API and the pages put together, with what holds for every request and answer."""

import json
import logging
from collections.abc import Sequence
from typing import Any

from flask import Flask, Response, g, jsonify, render_template, request
from flask.json.provider import DefaultJSONProvider
from flask_babel import gettext
from flask_openapi3.models.info import Info
from flask_openapi3.openapi import OpenAPI
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from host.access import Door, check_access, recognise_visitor, sender
from host.addresses import Addresses
from host.afterwards import add_afterwards
from host.api import PREFIX, players_api
from host.backup_api import MOST_BACKUP_BYTES, is_backup
from host.button_api import button_api
from host.changes import Changes
from host.compressed import add_compression
from host.corrections_api import corrections_api
from host.crowd import Crowd
from host.device_side import add_device, most_bytes
from host.forms import ProblemDocument
from host.games.registry import Registry
from host.games.sentence import Sentence, as_written
from host.keeping import Keeping
from host.languages import add_languages, told
from host.pages import pages
from host.phones import COOKIE
from host.phones_api import phones_api
from host.problems import Problem
from host.rematch import Rematches
from host.seating import Seating
from host.seats_api import seats_api
from host.store import StorageFailed, Store
from host.tables import Tables
from host.tokens import Tokens
from host.wrong_form import wrong_form

log = logging.getLogger("croupier.host")

MOST_BYTES = 4_096

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; font-src 'self'; media-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class StrictJson(DefaultJSONProvider):
    """JSON as the standard has it: no NaN, no Infinity, no half characters, and no nesting too deep to read."""

    sort_keys = False  # players stay in seat order

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """Raises ``ValueError`` for what is not JSON."""
        try:
            value = json.loads(s, parse_constant=_no_such_number, **kwargs)
            # A lone surrogate cannot be written as UTF-8 again, neither in a page nor in a database.
            json.dumps(value, ensure_ascii=False).encode()
        except RecursionError as error:
            raise ValueError("nested too deeply") from error
        return value


def _no_such_number(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def create_app(
    store: Store,
    tables: Tables,
    games: Registry,
    changes: Changes,
    tokens: Tokens,
    seating: Seating,
    addresses: Addresses,
    crowd: Crowd,
    keeping: Keeping,
) -> Flask:
    """The application that a server runs."""
    OpenAPI.json_provider_class = StrictJson
    rematches = Rematches(store, tables, seating.seats, changes)
    app = OpenAPI(
        "host",
        info=Info(title="Croupier", version="1", description="Tables, what is awaited, and readings."),
        security_schemes={
            "token": {"type": "http", "scheme": "bearer"},
            "phone": {"type": "apiKey", "in": "cookie", "name": COOKIE},
        },
        doc_ui=False,
        validation_error_status=422,
        validation_error_model=ProblemDocument,
        validation_error_callback=_wrong_form,
    )
    add_languages(app)
    add_compression(app)
    app.jinja_env.globals["has_https"] = lambda: addresses.https_port is not None
    app.register_api(players_api(tables, seating.seats, games, changes, store, crowd, rematches))
    add_afterwards(app, store, tables, rematches, keeping)
    app.register_api(phones_api(seating))
    app.register_api(seats_api(tables, seating, addresses))
    commands = add_device(app, tables, changes)
    app.register_api(button_api(seating.claim))
    app.register_api(corrections_api(tables, commands))
    app.register_blueprint(pages(tables, games, seating, addresses))
    _add_checks(app, Door(tokens, seating.phones, seating.seats, addresses), crowd)
    _add_error_answers(app)
    return app


def _add_checks(app: Flask, door: Door, crowd: Crowd) -> None:
    @app.before_request
    def check() -> None:
        door.check_host()
        request.max_content_length = (
            MOST_BACKUP_BYTES if is_backup(request.path) else most_bytes(request.path, MOST_BYTES)
        )
        if request.url_rule is None or not request.path.startswith(PREFIX):
            recognise_visitor(door)
            crowd.check_connection(is_known=bool(sender().kinds))
            return
        check_access(app, door)
        crowd.check_connection(is_known=bool(sender().kinds))
        if request.method == "POST":
            if not request.is_json:
                raise Problem("not-a-json-type", "Send the body as application/json.")
            # A body of unknown length is cut at the limit, not refused: being that long gives it away.
            if request.content_length is None and len(request.get_data()) >= request.max_content_length:
                raise RequestEntityTooLarge
            if not isinstance(request.get_json(), dict):
                raise Problem("wrong-form", "The body must be a JSON object.")

    @app.after_request
    def add_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        # What a page shows to a seat or the owner is nobody else's, not even after they have left it.
        is_private = request.path.startswith(PREFIX) or ("sender" in g and sender().kinds)
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store" if is_private else "no-cache"
        return response


def _add_error_answers(app: Flask) -> None:
    @app.errorhandler(Problem)
    def answer_problem(problem: Problem) -> Response:
        return _answer(problem)

    @app.errorhandler(StorageFailed)
    def answer_storage(failure: StorageFailed) -> Response:
        log.error("storage: %s", failure)
        return _answer(Problem(failure.slug, failure.wrong))

    @app.errorhandler(HTTPException)
    def answer_http(error: HTTPException) -> Any:
        slugs = {400: "not-json", 404: "not-found", 405: "wrong-method", 413: "too-large", 415: "not-a-json-type"}
        slug = slugs.get(error.code or 500)
        if slug is None:
            return error
        answer = _answer(Problem(slug, _details(slug, error)))
        if slug == "wrong-method" and error.get_response().headers.get("Allow"):
            answer.headers["Allow"] = error.get_response().headers["Allow"]
        return answer

    @app.errorhandler(Exception)
    def answer_mistake(error: Exception) -> Response:
        # A path may hold line breaks and what a terminal obeys.
        log.error("%s %s", request.method, ascii(request.path[:200]), exc_info=error)
        return _answer(Problem("internal", "The host made a mistake; its log says more. Nothing was changed."))


def _details(slug: str, error: HTTPException) -> Sequence[Sentence]:
    path = request.path[:80]
    match slug:
        case "too-large":
            return (Sentence(slug, "The body may have {most} bytes.", {"most": request.max_content_length or 0}),)
        case "not-json":
            return (Sentence(slug, "The body must be one JSON value."),)
        case "not-found":
            return (Sentence(slug, "There is nothing at {path}.", {"path": path}),)
        case "wrong-method":
            return (Sentence(slug, "{method} is not for {path}.", {"method": request.method, "path": path}),)
        case _:
            return as_written(slug, error.description or "")


def _answer(problem: Problem) -> Response:
    shown = {**problem.to_json(), "title": gettext(problem.title), "detail": told(*problem.said)}
    if request.path.startswith(PREFIX):
        answer = jsonify(shown)
        answer.mimetype = "application/problem+json"
    else:
        answer = Response(render_template("problem.html", problem=shown))
    answer.status_code = problem.status
    if "retry_after_s" in problem.extras:
        answer.headers["Retry-After"] = str(problem.extras["retry_after_s"])
    if problem.slug == "house-full":
        answer.headers["Connection"] = "close"
    if problem.status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def _wrong_form(error: ValidationError) -> Response:
    return _answer(wrong_form(error))
