"""The language of each phone: chosen on the page, else what its browser asks for, else English.

Texts are English in the code, and are their own keys in ``host/translations/LANGUAGE/messages.po``. Those files are
read as they are: there is nothing to compile and nothing that could be out of date.
"""

import io
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.support import NullTranslations, Translations
from flask import Blueprint, Flask, Response, has_app_context, make_response, redirect, request
from flask_babel import Babel, Domain, get_locale, gettext

from host.games.sentence import Sentence, Value
from host.problems import Problem

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "de": "Deutsch", "es": "Español"})
"""The languages that there are, each by its own name."""

COOKIE = "croupier-language"
COOKIE_S = 400 * 24 * 3600
"""The longest that browsers keep a cookie (RFC 6265bis)."""

WORD_VALUES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "": frozenset({"color", "colors", "component", "face", "faces", "favor", "body", "before", "after", "role"}),
        "rig": frozenset({"name", "names"}),
        "controls": frozenset({"name", "action"}),
        "log": frozenset({"action"}),
        "reading": frozenset({"reasons"}),
        "table": frozenset({"type"}),
    }
)
"""Which fields of sentences hold words of the program, in all sentences and in those whose slug begins so.

There may be several words with commas. All other texts are names, or numbers.
"""


class Catalogs(Domain):  # type: ignore[misc]
    """Flask-Babel's texts, out of the files that translators edit."""

    def get_translations(self) -> NullTranslations:
        """The texts in the language of this request; outside of one, English."""
        return catalog(language())


@cache
def catalog(name: str) -> NullTranslations:
    """The texts of one language."""
    if name not in LANGUAGES or name == "en":
        return NullTranslations()
    with catalog_file(name).open("rb") as lines:
        texts = read_po(lines, locale=name, abort_invalid=True)
    compiled = io.BytesIO()
    write_mo(compiled, texts)
    compiled.seek(0)
    return Translations(compiled)


def catalog_file(name: str) -> Path:
    """The file that holds a language's texts."""
    return Path(__file__).parent / "translations" / name / "messages.po"


def language() -> str:
    """The language of this request, ``en`` outside of one."""
    locale = get_locale() if has_app_context() else None
    return str(locale.language) if locale else "en"


def chosen_language() -> str | None:
    """What was chosen on the page, or None."""
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in LANGUAGES else None


def _wanted_language() -> str:
    return chosen_language() or request.accept_languages.best_match(list(LANGUAGES), "en") or "en"


class Number(int):
    """A whole number that is written as the language of this request writes it: 6,000 or 6.000."""

    def __format__(self, form: str) -> str:
        return format_decimal(int(self), locale=language()) if form == "," else int(self).__format__(form)


def told(*sentences: Sentence) -> str:
    """The sentences in the language of this request."""
    return " ".join(filled(gettext(one.template), _values(one)) for one in sentences)


def filled(template: str, values: Mapping[str, Value]) -> str:
    """A translated template with its values; whole numbers are written as the language writes them."""
    return template.format_map({n: Number(v) if isinstance(v, int) else v for n, v in values.items()})


def _values(sentence: Sentence) -> dict[str, Value]:
    fields = WORD_VALUES[""] | WORD_VALUES.get(sentence.slug.partition("/")[0], frozenset())
    return {
        name: words(value) if name in fields and isinstance(value, str) else value
        for name, value in sentence.values.items()
    }


def words(text: str) -> str:
    """Words of the program, separated by commas or blanks, in the language of this request.

    What is known as a whole is told as a whole (``blue blank``), else word by word (``gold steal``).
    """
    return ", ".join(_phrase(phrase) for phrase in text.split(", "))


def _phrase(phrase: str) -> str:
    whole = str(gettext(phrase)) if phrase else ""
    if whole != phrase or " " not in phrase:
        return whole
    return " ".join(str(gettext(word)) for word in phrase.split(" "))


def number(amount: int) -> str:
    """A whole number as the language of this request writes it."""
    return f"{Number(amount):,}"


def listed(names: Sequence[str]) -> str:
    """Names one after another, the last with an "and"."""
    if len(names) < 2:
        return "".join(names)
    return str(gettext("%(names)s and %(last)s", names=", ".join(names[:-1]), last=names[-1]))


def add_languages(app: Flask) -> None:
    """Give each request its language, and the pages the means to choose another."""
    babel = Babel(app, default_locale="en", locale_selector=_wanted_language)
    babel.domain_instance = Catalogs()
    app.jinja_env.filters.update(told=told, words=words, number=number)
    app.jinja_env.globals.update(language=language, languages=LANGUAGES, told=told, listed=listed)
    app.register_blueprint(_choosing())

    @app.after_request
    def say_language(response: Response) -> Response:
        if response.mimetype in ("text/html", "application/problem+json"):
            response.headers["Content-Language"] = language()
            response.vary.update(["Accept-Language", "Cookie"])
        return response


def _choosing() -> Blueprint:
    blueprint = Blueprint("languages", __name__)

    @blueprint.post("/language")
    def choose() -> Response:
        """Remember the language that this phone has chosen, and go back to the page where it did."""
        chosen, back = request.form.get("language", ""), request.form.get("back", "/")
        if chosen not in LANGUAGES:
            raise Problem("wrong-form", gettext("There is no such language."))
        is_page_here = back.startswith("/") and not back.startswith(("//", "/\\"))
        answer = make_response(redirect(back if is_page_here else "/", 303))
        answer.set_cookie(COOKIE, chosen, max_age=COOKIE_S, samesite="Lax", httponly=True)
        return answer

    return blueprint
