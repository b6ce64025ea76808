"""Languages: every text of the program in every file, with the same fields; each phone is spoken to in its own."""

import re
from random import Random

import pytest
from flask import Flask

from host.boards.words import word
from host.controls.build import controls_for
from host.games.registry import GAMES
from host.games.sentence import Sentence
from host.languages import LANGUAGES, add_languages, listed, number, told, words
from tests.catalogs import catalog_of, texts
from tests.games.lawful import play
from tests.host.running import RunningHost

OTHERS = [language for language in LANGUAGES if language != "en"]
each_language = pytest.mark.parametrize("language", OTHERS)

FIELD = re.compile(r"%\(\w+\)[sd]|%%|\{\w+(?::,)?\}")


@pytest.fixture
def app() -> Flask:
    """An application that does nothing but speak."""
    app = Flask("host")
    add_languages(app)
    return app


def fields(text: str) -> set[str]:
    return set(FIELD.findall(text))


@each_language
def test_every_text_is_translated_with_the_same_fields(language: str) -> None:
    catalog = catalog_of(language)
    for one, plural in texts().items():
        message = catalog.get(one)
        assert message is not None, f"{language} lacks {one!r}: python -m tests.catalogs"
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        assert len(strings) == (2 if plural else 1), one
        for string in strings:
            assert string, f"{language} does not translate {one!r}"
            assert fields(string) == fields(one) | fields(plural or ""), one
    assert {
        message.id[0] if isinstance(message.id, tuple) else message.id for message in catalog if message.id
    } == set(texts())


@each_language
def test_everything_that_games_say_and_ask_is_told(app: Flask, language: str) -> None:
    with app.test_request_context(headers={"Accept-Language": language}):
        for game in GAMES.games():
            for state in play(game, Random(7), most_actions=120).states:
                sentences = [*state.events, *game.prompt(state)]
                for control in (c for player in state.players for c in controls_for(game, state, player)):
                    sentences += [control.title, *(button.label for button in control.buttons)]
                for sentence in sentences:
                    assert sentence.template in texts() or sentence.slug == "controls/plain", sentence
                    assert "{" not in told(sentence)


def test_values_are_told_where_they_are_words_and_kept_where_they_are_names(app: Flask) -> None:
    missed = Sentence("vigos-favor/missed", "{player} misses: {face} against {favor}, and is out.")
    named_red = Sentence(missed.slug, missed.template, {"player": "red", "face": "red", "favor": "blue"})
    with app.test_request_context(headers={"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}):
        assert told(named_red) == "red wirft daneben: rot gegen blau, und ist raus."
        assert words("black +, blue blank, gold steal") == "schwarz +, blau leer, gold Stehlen"
        assert (number(6_000), word("pot")) == ("6.000", "Topf")
        assert listed(["Ana", "Bo", "Chen"]) == "Ana, Bo und Chen"
    with app.test_request_context(headers={"Accept-Language": "fr"}):
        assert told(named_red) == "red misses: red against blue, and is out."


def test_each_phone_is_spoken_to_in_its_language(shared_host: RunningHost) -> None:
    table = shared_host.open("Ana", "Bo", "Chen")
    page = f"/tables/{table.id}"
    german = shared_host.call("GET", page, headers={"Accept-Language": "de"})
    assert german.headers["Content-Language"] == "de" and 'lang="de"' in german.body.decode()
    assert "Ana nennt den Einsatz." in german.body.decode()
    spanish = shared_host.call("GET", f"{page}/board", headers={"Accept-Language": "es"})
    assert "Ana fija la apuesta." in spanish.body.decode()
    english = shared_host.call("GET", page)
    assert "Ana names the stake." in english.body.decode()
    assert table.seen()["prompt"] == ["Ana names the stake."]


def test_the_language_chosen_on_the_page_is_remembered(shared_host: RunningHost) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    chosen = shared_host.call("POST", "/language", b"language=es&back=/claim", headers=form)
    assert (chosen.status, chosen.headers["Location"]) == (303, "/claim")
    cookie = chosen.headers["Set-Cookie"].partition(";")[0]
    page = shared_host.call("GET", "/claim", headers={"Cookie": cookie, "Accept-Language": "de"})
    assert page.headers["Content-Language"] == "es"
    for back in (b"//evil.example/", b"/%5Cevil.example", b"https://evil.example/"):
        away = shared_host.call("POST", "/language", b"language=de&back=" + back, headers=form)
        assert away.headers["Location"] == "/"
    assert shared_host.call("POST", "/language", b"language=xx", headers=form).status == 422


def test_a_refusal_is_told_in_the_language_of_who_asks(shared_host: RunningHost) -> None:
    table = shared_host.open("Ana", "Bo", "Chen")
    body = {"id": "refused-in-german", "number": None, "action": {"type": "stake", "player": "Bo", "amount": 5}}
    answer = shared_host.call(
        "POST",
        f"/api/v1/tables/{table.id}/actions",
        body,
        table.tokens["Bo"],
        {"Accept-Language": "de"},
    )
    assert answer.outcome == (422, "not-awaited")
    assert answer.json["detail"].endswith("Ana nennt den Einsatz.")


def test_what_goes_wrong_beside_the_games_is_told_in_that_language_too(shared_host: RunningHost) -> None:
    german = {"Accept-Language": "de"}
    page = shared_host.call("GET", "/nowhere", headers=german)
    assert page.status == 404 and "Unter /nowhere ist nichts." in page.body.decode()
    broken = shared_host.call("PUT", "/api/v1/backup", b"no archive", shared_host.token("owner"), german)
    assert broken.outcome == (422, "bad-backup")
    assert broken.json["detail"] == "Das ist keine Sicherung, die Croupier gemacht hat."
    for body, said in (
        ({"game": "rig", "players": ["Ana", "Bo"]}, "id fehlt."),
        ({"id": "x", "game": "rig", "players": ["Ana"] * 65}, "players darf höchstens 64 enthalten."),
        ({"id": "x", "game": 5, "players": ["Ana", "Bo"]}, "game soll ein Text sein."),
    ):
        wrong = shared_host.call("POST", "/api/v1/tables", body, shared_host.token("owner"), german)
        assert wrong.outcome == (422, "wrong-form") and said in wrong.json["detail"]
