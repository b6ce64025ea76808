"""Who is not let in: forged, stolen and revoked cookies, other websites, other seats."""

import pytest

from tests.host.phones import Owner, Phone, setup_code
from tests.host.running import RunningHost, new_id


@pytest.fixture
def owner(shared_host: RunningHost) -> Owner:
    return Owner(shared_host)


@pytest.mark.parametrize("cookie", ["forged", "x" * 43, "A" * 4000, "%00", '"";drop', "ä"])
def test_a_forged_cookie_is_nobodys(shared_host: RunningHost, owner: Owner, cookie: str) -> None:
    table, _ = owner.seated("Ana", "Bo")
    forged = Phone(shared_host, cookie.encode().decode("latin-1"))
    assert forged.who() == {"phone": None, "owner": False, "seats": []}
    assert forged.act(table, "stake", "Ana", amount=1).outcome == (401, "no-token")
    assert forged.get(f"/tables/{table}?as=Ana").outcome == (403, "not-your-seat")
    assert forged.page(f"/tables/{table}").status == 200, "looking on needs nothing"


def test_a_revoked_phone_is_nobodys(shared_host: RunningHost, owner: Owner) -> None:
    table, (ana, bo) = owner.seated("Ana", "Bo")
    stolen = Phone(shared_host, ana.cookie)
    assert stolen.seats == [(table, "Ana")], "a stolen cookie works until it is revoked"
    assert owner.post(f"/phones/{ana.who()['phone']}/revoke", {}).status == 200
    for phone in (ana, stolen):
        assert phone.who()["phone"] is None
        assert phone.act(table, "stake", "Ana", amount=1).outcome == (401, "no-token")
    assert bo.seats == [(table, "Bo")]
    assert owner.post("/phones/nobody/revoke", {}).outcome == (404, "unknown-phone")


def test_a_revoked_phone_does_not_come_back_by_its_old_message(shared_host: RunningHost, owner: Owner) -> None:
    lobby, message = owner.lobby(), "the-first-message-of-all-" + new_id()
    code = shared_host.get(f"/tables/{lobby}/joining").json["code"]
    phone = Phone(shared_host)
    phone.join(code, "Ana", message)
    owner.post(f"/phones/{phone.who()['phone']}/revoke", {})
    assert Phone(shared_host).join(code, "Ana", message).outcome == (403, "phone-revoked")


def test_another_seats_action_is_refused(shared_host: RunningHost, owner: Owner) -> None:
    table, (ana, bo) = owner.seated("Ana", "Bo")
    assert bo.act(table, "stake", "Ana", amount=1).outcome == (403, "not-your-seat")
    other, (cy, _) = owner.seated("Ana", "Bo")
    assert cy.act(table, "stake", "Ana", amount=1).outcome == (403, "not-your-seat"), "the same name elsewhere"
    assert ana.act(table, "stake", "Ana", amount=1).status == 200
    assert shared_host.get(f"/tables/{other}").json["number"] == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"X-Nothing": "at all"},
    ],
    ids=str,
)
def test_another_website_cannot_act_by_the_phones_cookie(
    shared_host: RunningHost, owner: Owner, headers: dict[str, str]
) -> None:
    table, (ana, _) = owner.seated("Ana", "Bo")
    body = {"id": new_id(), "number": None, "action": {"type": "stake", "player": "Ana", "amount": 1}}
    assert ana.post(f"/tables/{table}/actions", body, **headers).outcome == (403, "foreign-page")
    assert ana.post(f"/tables/{table}/seats/free", {"player": "Ana"}, **headers).outcome == (403, "foreign-page")
    assert shared_host.get(f"/tables/{table}").json["number"] == 0 and ana.seats == [(table, "Ana")]


def test_a_form_of_another_website_is_no_json(shared_host: RunningHost, owner: Owner) -> None:
    table, (ana, _) = owner.seated("Ana", "Bo")
    headers = {"Cookie": f"croupier-phone={ana.cookie}", "Origin": shared_host.address}
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = shared_host.call(
            "POST",
            f"/api/v1/tables/{table}/seats/free",
            b'{"player":"Ana"}',
            headers={**headers, "Content-Type": kind},
        )
        assert answer.outcome == (415, "not-a-json-type")
    assert ana.seats == [(table, "Ana")]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8420", "127.0.0.1.evil.example", ":80"])
def test_a_name_that_was_made_to_point_here_is_not_answered(shared_host: RunningHost, host: str) -> None:
    for path in ("/", "/api/v1/tables", "/api/v1/health"):
        assert shared_host.call("GET", path, headers={"Host": host}).status == 421
    for known in ("localhost", "192.168.1.5:8420", "[fe80::1]:8420"):
        assert shared_host.call("GET", "/api/v1/health", headers={"Host": known}).status == 200


def test_a_token_in_the_header_counts_before_the_cookie(shared_host: RunningHost, owner: Owner) -> None:
    table, (ana, _) = owner.seated("Ana", "Bo")
    headers = {"Cookie": f"croupier-phone={ana.cookie}", "Authorization": "Bearer wrong"}
    assert shared_host.call("GET", f"/api/v1/tables/{table}", headers=headers).outcome == (401, "unknown-token")


def test_a_device_may_use_any_name_of_this_host(shared_host: RunningHost) -> None:
    headers = {"Host": "mypi.lan:8420"}
    assert shared_host.call("GET", "/api/v1/device/expect", None, shared_host.token("device"), headers).status == 200


def test_phones_and_codes_lie_in_the_database_as_hashes_alone(own_host: RunningHost) -> None:
    owner = Owner(own_host)
    table, phones = owner.seated("Ana", "Bo")
    code, link_code = owner.code(table, "Ana"), own_host.get(f"/tables/{table}/joining").json["code"]
    setup = setup_code(own_host.data)
    assert own_host.stop() == 0
    stored = (own_host.data / "croupier.db").read_bytes()
    for secret in (*(phone.cookie or "" for phone in phones), code, code.replace(" ", ""), link_code[8:], setup):
        assert secret and secret.encode() not in stored
