"""Who may call what: each address of the API names who is let in, and an address that names nobody lets nobody in."""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Flask, g, request

from host.problems import Problem
from host.records import Holder
from host.tokens import Tokens

ANYONE = frozenset({"anyone"})
OWNER = frozenset({"owner"})
DEVICE = frozenset({"device"})
PLAYERS = frozenset({"owner", "seat"})

View = TypeVar("View", bound=Callable[..., Any])


def allows(who: frozenset[str]) -> Callable[[View], View]:
    """Let these kinds of token in (``ANYONE``: also no token at all)."""

    def mark(view: View) -> View:
        view.__dict__["allows"] = who
        return view

    return mark


def check_access(app: Flask, tokens: Tokens) -> None:
    """Recognise the sender of this request, for ``sender()``. Raises ``Problem`` where they may not come in."""
    view = app.view_functions[request.endpoint or ""]
    who: frozenset[str] = getattr(view, "allows", frozenset())
    holder = _holder(tokens)
    if who != ANYONE:
        if holder is None:
            raise Problem("no-token", "Send the header 'Authorization: Bearer TOKEN'.")
        if holder.kind not in who:
            raise Problem("not-allowed", f"This needs a token of the {' or the '.join(sorted(who)) or 'host'}.")
    g.sender = holder


def _holder(tokens: Tokens) -> Holder | None:
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    holder = tokens.holder(token.strip()) if scheme.lower() == "bearer" else None
    if holder is None:
        raise Problem("unknown-token", "The token in the header 'Authorization: Bearer TOKEN' is not known here.")
    return holder


def sender() -> Holder:
    """Whose request this is, at an address that needs a token."""
    holder: Holder = g.sender
    return holder


def viewer(table_id: str) -> str | None:
    """The player of this table whose request this is; None for everybody else, the owner included."""
    holder: Holder | None = g.sender
    return holder.player if holder is not None and holder.table == table_id else None
