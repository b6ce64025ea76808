"""Tokens: how they are made, kept in files that only their owner may read, and recognised.

The database holds their SHA-256 alone. A token has 256 bits of chance, so a plain hash cannot be turned back.
"""

import hashlib
import hmac
import json
import os
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path

from host.records import Holder


def sha256(token: str) -> str:
    """The hash by which a token is known, in hexadecimal.

    >>> sha256("abc")[:12]
    'ba7816bf8f01'
    """
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    """A token of 256 bits."""
    return secrets.token_urlsafe(32)


def token_in(path: Path, new: Callable[[], str] = new_token) -> str:
    """The token that a file holds; the file is made, readable by its owner alone, where there is none yet."""
    try:
        token = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        token = ""
    if not token:
        token = new()
        half_written = path.with_name(path.name + ".new")
        half_written.unlink(missing_ok=True)
        descriptor = os.open(half_written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(token + "\n")
            file.flush()
            os.fsync(file.fileno())
        half_written.replace(path)
    return token


def seat_token(key: str, table_id: str, player: str) -> str:
    """A seat's token. It follows from the key, so that opening a table can be answered twice alike.

    >>> seat_token("key", "k3f9", "Ana") == seat_token("key", "k3f9", "Ana")
    True
    >>> seat_token("key", "k3f9", "Ana") == seat_token("key", "k3f9", "Bo")
    False
    """
    digest = hmac.digest(key.encode(), json.dumps(["seat", table_id, player]).encode(), "sha256")
    return urlsafe_b64encode(digest).decode().rstrip("=")


class Tokens:
    """Every token that is known, by its hash."""

    def __init__(self, holders: dict[str, Holder]):
        self._holders = dict(holders)

    def add(self, holders: dict[str, Holder]) -> None:
        """More tokens, by their hashes."""
        self._holders.update(holders)

    def holder(self, token: str) -> Holder | None:
        """Whose token this is, or None. Takes as long for a near miss as for any other token."""
        given = sha256(token)
        found: Holder | None = None
        for known, holder in self._holders.items():
            if hmac.compare_digest(known, given):
                found = holder
        return found
