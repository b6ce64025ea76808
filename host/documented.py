"""How the OpenAPI document describes the answers of an address, refusals included."""

from typing import Any

from pydantic import BaseModel

from host.problems import PROBLEMS

Responses = dict[str | int, type[BaseModel] | dict[str, Any] | None]

_PROBLEM_CONTENT = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}

ALWAYS = ("wrong-host", "foreign-page", "house-full", "internal")
WITH_TOKEN = ("no-token", "unknown-token", "not-allowed")
WITH_PHONE = (*WITH_TOKEN, "foreign-page")
WITH_BODY = ("not-json", "too-large", "not-a-json-type", "wrong-form")
STORING = ("storage-failed", "storage-read-only", "storage-full")


def answers(*slugs: str, **good: type[BaseModel] | dict[str, Any]) -> Responses:
    """The answers of one address: ``good`` by status (``ok``, ``created``), and the problems with these slugs."""
    described: Responses = {{"ok": 200, "created": 201}[name]: answer for name, answer in good.items()}
    for slug in dict.fromkeys((*slugs, *ALWAYS)):
        status, title = PROBLEMS[slug]
        before = described.get(status)
        titles = before["description"] + "; " if isinstance(before, dict) else ""
        described[status] = {"description": f"{titles}{slug}: {title}", "content": _PROBLEM_CONTENT}
    return described


def content(mimetype: str, description: str) -> dict[str, Any]:
    """An answer that is not JSON."""
    schema = {"type": "string"} if mimetype.startswith("text/") else {"type": "string", "format": "binary"}
    return {"description": description, "content": {mimetype: {"schema": schema}}}
