"""The pages for setting the appliance up: the owner's alone, drawn from what the device answers, in any language."""

from typing import Any

import pytest

from calibration.words import TEMPLATES
from host import calibration_words
from tests.host.phones import Phone, setup_code
from tests.host.running import Answer, RunningHost, new_id

LOOKED = {
    "walk": "w",
    "steps": ["light", "mat", "verify"],
    "at": 1,
    "taken": 0,
    "wanted": 1,
    "is_good": False,
    "passed": [{"slug": "light-good", "values": {}}],
    "sayings": [{"slug": "marker-hidden", "values": {"marker": 3}}, {"slug": "of-another-version", "values": {}}],
    "is_verified": False,
    "has_profile": False,
}
SET = {
    "set": "<b>Stars</b>",
    "kind": "chance-cube",
    "body": None,
    "is_used": True,
    "faces": {"red": 2, "blue": 0},
    "too_alike": [["blue", "red"]],
}


@pytest.fixture
def owner(own_host: RunningHost) -> Phone:
    phone = Phone(own_host)
    assert phone.claim(setup_code(own_host.data)).status == 200
    return phone


def shown(host: RunningHost, owner: Phone, type: str, result: dict[str, Any], language: str = "en") -> Answer:
    """The page of a command to which the device has answered that."""
    command = new_id()
    assert owner.post("/device/commands", {"id": command, "type": type, "do": "look"}).status == 200
    ended = {"status": "done", "detail": "", "result": result}
    assert host.post(f"/device/commands/{command}", ended, host.token("device")).status == 200
    page = "calibrate" if type == "calibrate" else "teach"
    headers = {"Cookie": f"croupier-phone={owner.cookie}", "Accept-Language": language}
    return host.call("GET", f"/{page}/shown/{command}", headers=headers)


def test_both_halves_say_the_same() -> None:
    assert {slug: calibration_words._TEMPLATES.get(slug) for slug in TEMPLATES} == dict(TEMPLATES)


@pytest.mark.parametrize("path", ["/calibrate", "/teach", "/calibrate/shown/c1", "/teach/faces/c1/0.jpg"])
def test_they_are_the_owners(own_host: RunningHost, path: str) -> None:
    assert own_host.call("GET", path).status == 403


def test_a_step_is_told_in_the_language_of_the_phone(own_host: RunningHost, owner: Phone) -> None:
    english = shown(own_host, owner, "calibrate", LOOKED).body.decode()
    assert "marker 3 is hidden: uncover it" in english and "another-version" not in english
    assert 'data-step="mat"' in english and "light and focus are good" in english
    german = shown(own_host, owner, "calibrate", LOOKED, "de").body.decode()
    assert "Marker 3 ist verdeckt" in german and "hidden:" not in german
    assert "El marcador 3" in shown(own_host, owner, "calibrate", LOOKED, "es").body.decode()


def test_a_set_is_drawn_and_its_name_is_no_markup(own_host: RunningHost, owner: Phone) -> None:
    asked = {"look": "c1", "calibration": "mat", "known": 0, "asked": [{"perhaps": None, "picture": "!"}]}
    page = shown(own_host, owner, "teach", SET | asked).body.decode()
    assert "&lt;b&gt;Stars" in page and "<b>" not in page and "look too alike" in page
    assert "&lt;b&gt;Stars" in shown(own_host, owner, "teach", {"sets": [SET]}).body.decode()


def test_a_file_is_given_as_a_file(own_host: RunningHost, owner: Phone) -> None:
    command = new_id()
    owner.post("/device/commands", {"id": command, "type": "teach", "do": "export", "set": "Würfel"})
    result = {"set": "Würfel", "file": '{"format": "croupier dice"}'}
    ended = {"status": "done", "detail": "", "result": result}
    own_host.post(f"/device/commands/{command}", ended, own_host.token("device"))
    answer = owner.page(f"/teach/files/{command}")
    assert answer.json == {"format": "croupier dice"}
    assert answer.headers["Content-Disposition"] == "attachment; filename*=UTF-8''W%C3%BCrfel.json"
    assert owner.page(f"/teach/faces/{command}/0.jpg").status == 404
