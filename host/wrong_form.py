"""What is wrong with a body or a query that has not the form which the API's document gives it, in sentences."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from host.games.sentence import Sentence, as_written
from host.problems import Problem

MOST_SAID = 3
"""One line on a phone; ``errors`` lists more of them."""

MOST_LISTED = 10

_SLUG = "wrong-form"


def wrong_form(error: ValidationError) -> Problem:
    """The problem that says what pydantic found.

    >>> from pydantic import BaseModel, Field
    >>> class Name(BaseModel):
    ...     name: str = Field(max_length=3)
    >>> try:
    ...     Name(name="Annabel")
    ... except ValidationError as error:
    ...     wrong_form(error).detail
    'name may hold 3 at the most.'
    """
    faults = error.errors(include_input=False, include_url=False)
    said = [_sentence(_where(fault), fault) for fault in faults]
    listed = [{"where": _where(fault), "what": fault["msg"]} for fault in faults[:MOST_LISTED]]
    return Problem(_SLUG, said[:MOST_SAID], errors=listed)


def _where(fault: Mapping[str, Any]) -> str:
    return ".".join(str(part) for part in fault["loc"])


def _sentence(where: str, fault: Mapping[str, Any]) -> Sentence:
    """A fault as a sentence; one that only a program can make is told in pydantic's English."""
    limits = fault.get("ctx", {})
    match fault["type"]:
        case "missing":
            return Sentence(_SLUG, "{where} is missing.", {"where": where})
        case "string_too_long" | "too_long":
            limit = _limited(where, "most", limits["max_length"])
            return Sentence(_SLUG, "{where} may hold {most} at the most.", limit)
        case "string_too_short" | "too_short":
            return Sentence(
                _SLUG, "{where} is to hold {least} at least.", _limited(where, "least", limits["min_length"])
            )
        case "greater_than_equal":
            limit = _limited(where, "least", limits["ge"])
            return Sentence(_SLUG, "{where} is too small: {least} is the least.", limit)
        case "less_than_equal":
            limit = _limited(where, "most", limits["le"])
            return Sentence(_SLUG, "{where} is too large: {most} is the most.", limit)
        case "int_type" | "int_parsing" | "int_from_float":
            return Sentence(_SLUG, "{where} is to be a whole number.", {"where": where})
        case "string_type":
            return Sentence(_SLUG, "{where} is to be a text.", {"where": where})
        case "extra_forbidden":
            return Sentence(_SLUG, "Nothing is known of {where}.", {"where": where})
    return as_written(_SLUG, f"{where}: {fault['msg']}")[0]


def _limited(where: str, name: str, limit: Any) -> dict[str, str | int]:
    return {"where": where, name: limit if isinstance(limit, int) else str(limit)}
