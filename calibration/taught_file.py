"""A set of taught dice as a file that can be shared: JSON, each picture of a face a small PNG in base64."""

import base64
import binascii
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.picture_header import size_in_header
from vision.dice import KINDS
from vision.patches import PATCH_SIDE_PX, Patch
from vision.taught import MOST_PICTURES, TaughtSet

VERSION = 1
MOST_BYTES = 4_000_000
"""Twelve faces of eight pictures take half a megabyte."""

_FORMAT = "croupier dice"


class TaughtFileError(ValueError):
    """A file that holds no taught dice; the message is one line."""


def write_taught(taught: TaughtSet) -> str:
    """The file's text."""
    faces = {face: [_packed(patch) for patch in patches] for face, patches in taught.faces.items()}
    pairs = sorted(sorted(pair) for pair in taught.alike)
    content = {"format": _FORMAT, "version": VERSION, "kind": taught.kind, "body": taught.body}
    return json.dumps({**content, "too_alike": pairs, "faces": faces}, indent=1) + "\n"


def load_taught(path: Path) -> TaughtSet:
    """The set in a file; raises ``TaughtFileError`` naming the file."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise TaughtFileError(f"{path}: cannot be read ({error.strerror})") from None
    if len(content) > MOST_BYTES:
        raise TaughtFileError(f"{path}: larger than {MOST_BYTES // 1_000_000} MB, which no set of dice is")
    try:
        return read_taught(content)
    except TaughtFileError as error:
        raise TaughtFileError(f"{path}: {error}") from None


def read_taught(content: bytes) -> TaughtSet:
    """The set in a file's bytes. Which faces are too alike is worked out anew. Raises ``TaughtFileError``."""
    try:
        whole = json.loads(content.decode("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise TaughtFileError("not readable as JSON") from None
    if not isinstance(whole, dict) or whole.get("format") != _FORMAT:
        raise TaughtFileError(f'no taught dice: it does not say "format": "{_FORMAT}"')
    version = whole.get("version")
    if isinstance(version, int) and version > VERSION:
        raise TaughtFileError(f"made by a newer Croupier (version {version}; this one reads {VERSION}): update it")
    kind, body, faces = whole.get("kind"), whole.get("body"), whole.get("faces")
    if (
        version != VERSION
        or not isinstance(kind, str)
        or kind not in KINDS
        or not (body is None or isinstance(body, str))
    ):
        raise TaughtFileError("its version, kind or body is none that there is")
    if not isinstance(faces, dict) or not all(isinstance(own, list) for own in faces.values()):
        raise TaughtFileError("its faces are no lists of pictures")
    try:
        patches = {face: [_unpacked(one) for one in own[:MOST_PICTURES]] for face, own in faces.items() if own}
        return TaughtSet.of(kind, body, patches)
    except ValueError as error:
        raise TaughtFileError(str(error)) from None


def _packed(patch: Patch) -> str:
    coded, data = cv2.imencode(".png", np.rint(patch * 255).astype(np.uint8))
    if not coded:
        raise TaughtFileError("a picture of a face cannot be stored")
    return base64.b64encode(data.tobytes()).decode("ascii")


def _unpacked(text: Any) -> Patch:
    try:
        data = np.frombuffer(base64.b64decode(text, validate=True), np.uint8)
        # A face's PNG takes 7 kB; what is longer, or says that it is larger than a face, is not decoded at all.
        is_face = len(data) < 40_000 and size_in_header(data.tobytes()) == (PATCH_SIDE_PX, PATCH_SIDE_PX)
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if is_face else None
    except (TypeError, binascii.Error, cv2.error):
        picture = None
    if picture is None or picture.shape != (PATCH_SIDE_PX, PATCH_SIDE_PX, 3):
        raise TaughtFileError("a picture of a face cannot be read")
    return picture.astype(np.float32) / np.float32(255)
