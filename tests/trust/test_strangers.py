"""What a website that somebody on the network has open may try, and what a stranger's name may say."""

import csv
import io
from typing import NoReturn

import pytest
from flask import Flask
from markupsafe import escape

from tests.host.phones import Owner, Phone, link
from tests.host.running import RunningHost, new_id

REBOUND = ("evil.example", "evil.example:8420", "10.0.0.1.evil.example")

HOSTILE_NAMES = (
    "<script>alert(1)",
    '"><img src=x onerror=a>',
    "{{7*7}}${7*7}",
    "=cmd|'/C calc'!A0",
    "+1+1",
    "@SUM(A1)",
)
UNWRITABLE = ("a\nb", "a\rb", "\x1b[31mred", "a\x00b", "a\u2028b", "\x9b2J", "a\tb")


@pytest.mark.parametrize("name", REBOUND)
@pytest.mark.parametrize("token", [None, "wrong", ""], ids=str)
def test_a_rebound_name_reads_nothing_not_even_with_a_made_up_token(
    shared_host: RunningHost, name: str, token: str | None
) -> None:
    table = shared_host.open("Anastasia", "Bo").id
    headers = {"Host": name} | ({} if token is None else {"Authorization": f"Bearer {token}"})
    for path in (
        "/",
        "/claim",
        f"/tables/{table}",
        f"/api/v1/tables/{table}",
        f"/api/v1/tables/{table}/events",
        f"/api/v1/tables/{table}/joining",
        "/api/v1/device/expect",
        "/api/v1/export.csv",
        "/static/scoreboard.js",
    ):
        answer = shared_host.call("GET", path, headers=headers)
        assert answer.status in (401, 421), path
        assert b"Anastasia" not in answer.body
    claim = shared_host.call("POST", "/api/v1/claim", {"id": new_id(), "code": "1"}, headers=headers)
    assert claim.outcome in ((421, "wrong-host"), (401, "unknown-token"))


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site"},
    ],
    ids=str,
)
def test_another_website_neither_looks_nor_acts(shared_host: RunningHost, headers: dict[str, str]) -> None:
    table, (ana, _) = Owner(shared_host).seated("Ana", "Bo")
    cookie = {"Cookie": f"croupier-phone={ana.cookie}"}
    for path in (f"/tables/{table}", f"/tables/{table}/events", "/device/state", "/phone", "/games"):
        for sent in (headers, headers | cookie):
            answer = shared_host.call("GET", f"/api/v1{path}", headers=sent)
            assert answer.outcome == (403, "foreign-page"), path
            assert "Access-Control-Allow-Origin" not in answer.headers
    for path in ("/claim", "/joins", "/device/readings", "/device/button", "/backup"):
        assert shared_host.call("POST", f"/api/v1{path}", {"id": new_id()}, headers=headers | cookie).status in (
            403,
            405,
        )
    preflight = shared_host.call("OPTIONS", f"/api/v1/tables/{table}", headers=headers)
    assert "Access-Control-Allow-Origin" not in preflight.headers


def test_what_is_shown_to_a_seat_is_kept_by_no_browser(shared_host: RunningHost) -> None:
    table, (ana, _) = Owner(shared_host).seated("Ana", "Bo")
    for path in (f"/tables/{table}", f"/tables/{table}/seats", "/"):
        assert ana.page(path).headers["Cache-Control"] == "no-store", path
    assert shared_host.call("GET", f"/tables/{table}").headers["Cache-Control"] == "no-cache"


def test_headers_of_pages_problems_files_and_the_api(shared_host: RunningHost) -> None:
    for path in ("/", "/nothing", "/static/scoreboard.js", "/api/v1/health", "/api/v1/nothing"):
        headers = shared_host.call("GET", path).headers
        policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
        assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        assert "unsafe" not in str(policy) and "data:" not in str(policy)
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert all(f"{power}=()" in headers["Permissions-Policy"] for power in ("camera", "microphone", "usb"))


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_name_is_text_on_every_page_and_in_every_file(shared_host: RunningHost, name: str) -> None:
    table, (mallory, _) = Owner(shared_host).seated(name, "Bo")
    assert mallory.act(table, "stake", name, amount=1).status == 200
    for path in (f"/tables/{table}", f"/tables/{table}/seats", f"/history/{table}", "/history"):
        page = mallory.page(path).body.decode()
        assert "<" not in name or name not in page, path
        assert escape(name) in page, path
    rows = list(csv.reader(io.StringIO(shared_host.get(f"/tables/{table}/export.csv").body.decode("utf-8-sig"))))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)


@pytest.mark.parametrize("name", UNWRITABLE, ids=ascii)
def test_a_name_that_would_break_a_line_or_a_terminal_is_refused(shared_host: RunningHost, name: str) -> None:
    owner = Owner(shared_host)
    lobby = owner.lobby()
    assert Phone(shared_host).join(link(shared_host, lobby), name).outcome == (422, "bad-name")
    opened = owner.post("/tables", {"id": new_id(), "game": "vigos-favor", "players": [name, "Bo"]})
    assert opened.outcome == (422, "bad-setup")


def test_no_path_breaks_a_line_of_the_log(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    def fail(rest: str) -> NoReturn:
        raise RuntimeError

    app.add_url_rule("/fails/<rest>", view_func=fail)
    answer = app.test_client().get("/fails/a%0d%0aFORGED%1b[2J", headers={"Host": "localhost"})
    assert answer.status_code == 500
    (line,) = [record.getMessage() for record in caplog.records]
    assert line == r"GET '/fails/a\r\nFORGED\x1b[2J'"
