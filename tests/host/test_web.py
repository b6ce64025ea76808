"""What holds for every request: bodies, headers, problems, and the OpenAPI document."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask_openapi3.models import APISpec

from host.addresses import Addresses
from host.changes import Changes
from host.clock import utc_now
from host.crowd import Crowd
from host.games.registry import GAMES
from host.keeping import Keeping
from host.problems import PROBLEMS
from host.seating import open_seating
from host.store import Store, open_store
from host.tables import Tables
from host.tokens import Tokens
from host.web import create_app
from tests.host.running import Answer, RunningHost, new_id


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[[[[", b"\xff", b"[" * 4000, b'{"id": NaN}', b'{"id": Infinity}', b"1" * 4000 + b"e", b'"\\ud800"'],
)
def test_what_is_not_json(shared_host: RunningHost, body: bytes) -> None:
    assert shared_host.post("/tables", body, shared_host.token("owner")).outcome == (400, "not-json")


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"null",
        b'"text"',
        b"{}",
        json.dumps(json.dumps({"id": "a", "game": "vigos-favor", "players": ["A", "B"]})).encode(),
        b'{"id": "a", "game": "vigos-favor", "players": "Ana"}',
        b'{"id": "a", "game": "vigos-favor", "players": ["A", "B"], "extra": 1}',
    ],
)
def test_json_of_the_wrong_form(shared_host: RunningHost, body: bytes) -> None:
    answer = shared_host.post("/tables", body, shared_host.token("owner"))
    assert answer.outcome == (422, "wrong-form")


def test_a_number_that_is_no_whole_number(shared_host: RunningHost) -> None:
    table = shared_host.open("Ana", "Bo")
    for number in (1.0, True, "0", -1):
        assert table.act("stake", "Ana", amount=1, number=number).outcome == (422, "wrong-form")


def test_a_body_that_is_too_large_or_no_json(shared_host: RunningHost) -> None:
    table = shared_host.open("Ana", "Bo")
    assert table.act("stake", "Ana", amount=1, note="x" * 4096).outcome == (413, "too-large")
    path, token = f"/api/v1/tables/{table.id}/actions", table.tokens["Ana"]
    text = shared_host.call("POST", path, b"{}", token, {"Content-Type": "text/plain"})
    assert text.outcome == (415, "not-a-json-type")
    with shared_host.connection() as connection:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection.request("POST", path, iter([b"x" * 1000] * 10), headers, encode_chunked=True)
        answer = connection.getresponse()
        assert Answer(answer.status, answer.headers, answer.read()).outcome == (413, "too-large")
    assert table.seen()["number"] == 0


def test_addresses_and_methods_that_are_not_there(shared_host: RunningHost) -> None:
    assert shared_host.get("/nothing").outcome == (404, "not-found")
    answer = shared_host.call("DELETE", "/api/v1/tables")
    assert answer.outcome == (405, "wrong-method") and "POST" in answer.headers["Allow"]
    page = shared_host.call("GET", "/nothing")
    assert page.status == 404 and page.headers.get_content_type() == "text/html"
    for path in ("/static/../web.py", "/static/%2e%2e/web.py", "/static/fonts/"):
        assert shared_host.call("GET", path).status == 404


def test_every_answer_has_safe_headers(shared_host: RunningHost) -> None:
    table = shared_host.open("Ana", "Bo")
    for path in ("/api/v1/health", "/api/v1/nothing", "/nothing", f"/tables/{table.id}", "/static/scoreboard.js"):
        headers = shared_host.call("GET", path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy and "*" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
    assert shared_host.get("/health").headers["Cache-Control"] == "no-store"


def test_a_problem_says_what_it_is(shared_host: RunningHost) -> None:
    problem = shared_host.get("/tables/nowhere")
    assert problem.headers.get_content_type() == "application/problem+json"
    assert problem.json == {
        "type": "urn:croupier:problem:unknown-table",
        "title": "There is no such table",
        "status": 404,
        "detail": "There is no table 'nowhere'.",
        "slug": "unknown-table",
    }
    assert shared_host.post("/tables", {"id": new_id()}).headers["WWW-Authenticate"] == "Bearer"


# The OpenAPI document -------------------------------------------------------------------------------------------


@pytest.fixture
def document(shared_host: RunningHost) -> dict[str, Any]:
    """The document that the program serves."""
    served: dict[str, Any] = shared_host.get("/openapi.json").json
    return served


@pytest.fixture
def store(tmp_path: Any) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path}/croupier.db", "2026-01-01T00:00:00.000Z")
    yield opened
    opened.close()


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, method and description of each operation."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def references(value: Any) -> Iterator[str]:
    """Every $ref in the document."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from references(inner)


@pytest.fixture
def app(store: Store, tmp_path: Path) -> Flask:
    """The application, to be asked for its routes."""
    changes, tokens = Changes(), Tokens({})
    tables = Tables(store, GAMES, utc_now, changes, tokens, "key")
    seating = open_seating(store, tables, GAMES, utc_now, changes, "key", lambda: "1234-5678", lambda: None)
    keeping = Keeping(tmp_path, tmp_path, GAMES, utc_now, lambda: None)
    return create_app(store, tables, GAMES, changes, tokens, seating, Addresses(), Crowd(), keeping)


def test_the_document_lists_every_route(document: dict[str, Any], app: Flask) -> None:
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routes == {(path, method) for path, method, _ in operations(document)}


def test_every_route_says_who_is_let_in(document: dict[str, Any], app: Flask) -> None:
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/api/"):
            view = app.view_functions[rule.endpoint]
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                needs_token = view.__dict__["allows"] != {"anyone"}
                assert bool(document["paths"][path][method.lower()].get("security")) == needs_token, path


def test_the_document_is_whole(document: dict[str, Any]) -> None:
    APISpec.model_validate(document)
    assert document["openapi"].startswith("3.")
    for reference in references(document):
        found: Any = document
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]
    identities = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(set(identities)) == len(identities)
    for path, _, operation in operations(document):
        named = {p["name"] for p in operation.get("parameters", []) if p["in"] == "path"}
        assert named == set(re.findall(r"{(\w+)}", path))
        assert operation["summary"] and "200" in operation["responses"]


def test_every_problem_is_documented_somewhere(document: dict[str, Any]) -> None:
    described = json.dumps(document["paths"])
    unreachable = {"not-found", "wrong-method"}  # answers of no address in particular
    for slug, (status, _) in PROBLEMS.items():
        assert (f"{slug}: " in described) == (slug not in unreachable), slug
        if slug not in unreachable:
            assert str(status) in {s for _, _, operation in operations(document) for s in operation["responses"]}
