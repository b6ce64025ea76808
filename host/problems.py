"""What can go wrong between a client and the host: one stable slug each, with the HTTP status that it has."""

from typing import Any

PROBLEMS: dict[str, tuple[int, str]] = {
    "not-json": (400, "The body is not JSON"),
    "no-token": (401, "A token is needed"),
    "unknown-token": (401, "The token is not known"),
    "not-allowed": (403, "This token does not allow that"),
    "not-your-seat": (403, "That is another player's seat"),
    "foreign-page": (403, "Another website may not do that"),
    "wrong-code": (403, "The code is not right"),
    "phone-revoked": (403, "The phone was sent away"),
    "joining-closed": (403, "Nobody joins now"),
    "seat-locked": (403, "The seat is locked"),
    "not-found": (404, "There is no such page"),
    "unknown-table": (404, "There is no such table"),
    "unknown-lobby": (404, "There is no such lobby"),
    "unknown-seat": (404, "There is no such seat"),
    "unknown-phone": (404, "There is no such phone"),
    "unknown-picture": (404, "There is no such picture"),
    "wrong-method": (405, "This address takes another method"),
    "stale-number": (409, "The table has moved on"),
    "message-id-taken": (409, "Another message has that id"),
    "seat-taken": (409, "The seat is taken"),
    "table-full": (409, "The table is full"),
    "game-ended": (409, "The game has ended"),
    "already-started": (409, "The game has begun"),
    "already-claimed": (409, "The appliance has its owner"),
    "too-large": (413, "The body is too large"),
    "picture-too-large": (413, "The picture is too large"),
    "not-a-json-type": (415, "The body must be application/json"),
    "wrong-host": (421, "That is not this host's address"),
    "wrong-form": (422, "The body has the wrong form"),
    "bad-setup": (422, "The game cannot be opened like that"),
    "bad-name": (422, "That cannot be a name"),
    "wrong-players": (422, "Those are not the players"),
    "bad-picture": (422, "The picture is not a JPEG"),
    "refused": (422, "The referee refuses the action"),
    "nothing-to-undo": (422, "There is nothing to undo"),
    "too-many-guesses": (429, "Too many wrong codes"),
    "internal": (500, "The host made a mistake"),
    "storage-failed": (503, "The database does not work"),
    "storage-read-only": (503, "The database can only be read"),
    "storage-full": (507, "The disk is full"),
}
"""Slug: HTTP status, title. A refusal by the rules has the referee's own slug, with the status of "refused"."""


class Problem(Exception):
    """An answer that is not the one hoped for; nothing was changed. ``extras`` are further keys of the answer."""

    def __init__(self, slug: str, detail: str, **extras: Any):
        self.slug = slug
        self.detail = detail
        self.extras = extras
        super().__init__(detail)

    @property
    def status(self) -> int:
        """The HTTP status.

        >>> Problem("not-awaited", "Bo is not awaited to roll now.").status
        422
        """
        return PROBLEMS.get(self.slug, PROBLEMS["refused"])[0]

    def to_json(self) -> dict[str, Any]:
        """As application/problem+json (RFC 9457)."""
        status, title = PROBLEMS.get(self.slug, PROBLEMS["refused"])
        return {
            "type": f"urn:croupier:problem:{self.slug}",
            "title": title,
            "status": status,
            "detail": self.detail,
            "slug": self.slug,
            **self.extras,
        }
