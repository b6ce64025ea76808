"""What can go wrong between a client and the host: one stable slug each, with the HTTP status that it has."""

from collections.abc import Sequence
from typing import Any

from host.games.sentence import Sentence, as_written

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
    "not-your-roll": (403, "Another player's roll is awaited"),
    "seat-locked": (403, "The seat is locked"),
    "not-found": (404, "There is no such page"),
    "unknown-table": (404, "There is no such table"),
    "unknown-lobby": (404, "There is no such lobby"),
    "unknown-seat": (404, "There is no such seat"),
    "unknown-phone": (404, "There is no such phone"),
    "unknown-number": (404, "There is no such state number"),
    "unknown-picture": (404, "There is no such picture"),
    "unknown-command": (404, "There is no such command"),
    "unknown-entry": (404, "There is no such line of the log"),
    "unknown-reading": (404, "There is no such reading"),
    "wrong-method": (405, "This address takes another method"),
    "stale-number": (409, "The table has moved on"),
    "message-id-taken": (409, "Another message has that id"),
    "seat-taken": (409, "The seat is taken"),
    "table-full": (409, "The table is full"),
    "game-ended": (409, "The game has ended"),
    "already-started": (409, "The game has begun"),
    "game-not-over": (409, "The game is not over"),
    "other-database": (409, "The games are in another database"),
    "no-question": (409, "Nothing is asked about that reading"),
    "objection-late": (409, "It is too late to object"),
    "already-objected": (409, "Somebody has objected already"),
    "no-objection": (409, "Nobody objects any more"),
    "not-standing": (409, "That line does not stand"),
    "still-secret": (409, "That is still a secret"),
    "amend-drops": (409, "Later lines no longer fit"),
    "already-claimed": (409, "The appliance has its owner"),
    "too-large": (413, "The body is too large"),
    "picture-too-large": (413, "The picture is too large"),
    "not-a-json-type": (415, "The body must be application/json"),
    "wrong-host": (421, "That is not this host's address"),
    "wrong-form": (422, "The body has the wrong form"),
    "bad-setup": (422, "The game cannot be opened like that"),
    "bad-name": (422, "That cannot be a name"),
    "wrong-players": (422, "Those are not the players"),
    "bad-backup": (422, "That backup cannot be restored"),
    "bad-picture": (422, "The picture is not a JPEG"),
    "refused": (422, "The referee refuses the action"),
    "not-a-roll": (422, "That line is no roll"),
    "dice-unmatched": (422, "Those dice are not the awaited ones"),
    "nothing-to-undo": (422, "There is nothing to undo"),
    "too-many-guesses": (429, "Too many wrong codes"),
    "internal": (500, "The host made a mistake"),
    "house-full": (503, "The house is full"),
    "storage-failed": (503, "The database does not work"),
    "storage-read-only": (503, "The database can only be read"),
    "storage-full": (507, "The disk is full"),
}
"""Slug: HTTP status, title. A refusal by the rules has the referee's own slug, with the status of "refused"."""


class Problem(Exception):
    """An answer that is not the one hoped for; nothing was changed. ``extras`` are further keys of the answer.

    ``said`` are the sentences of the detail, to be told in any language.
    """

    def __init__(self, slug: str, detail: "str | Sentence | Sequence[Sentence]", **extras: Any):
        self.slug = slug
        self.said = _sentences(slug, detail)
        self.detail = " ".join(sentence.english() for sentence in self.said)
        self.extras = extras
        super().__init__(self.detail)

    @property
    def status(self) -> int:
        """The HTTP status.

        >>> Problem("not-awaited", "Bo is not awaited to roll now.").status
        422
        """
        return PROBLEMS.get(self.slug, PROBLEMS["refused"])[0]

    @property
    def title(self) -> str:
        """What kind of problem it is, in English."""
        return PROBLEMS.get(self.slug, PROBLEMS["refused"])[1]

    def to_json(self) -> dict[str, Any]:
        """As application/problem+json (RFC 9457)."""
        return {
            "type": f"urn:croupier:problem:{self.slug}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "slug": self.slug,
            **self.extras,
        }


def _sentences(slug: str, detail: str | Sentence | Sequence[Sentence]) -> tuple[Sentence, ...]:
    if isinstance(detail, Sentence):
        return (detail,)
    if isinstance(detail, str):
        return as_written(slug, detail)
    return tuple(detail)
