"""Teaching dice from a phone: the device looks and keeps the sets, the person names faces by a tap."""

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.profile_file import ProfileError
from calibration.profile_store import ProfileStore
from calibration.taught_file import TaughtFileError, read_taught, write_taught
from device.camera import Frame
from device.host_commands import Command, CommandFailed, Done
from device.taught_store import KeptSet, TaughtStore
from device.trained import trained_reader
from device.tray_picture import small_jpeg
from vision.dice import KINDS
from vision.patches import Patch
from vision.reader import Reader
from vision.reading import Pixels
from vision.taught import MOST_PICTURES, TaughtSet
from vision.taught_dice import SeenFace, TaughtDice

_MOST_PICTURE_BYTES = 60_000
_MOST_FILE_BYTES = 1_500_000
"""What the API carries; twelve faces of eight pictures take 900 kB."""

_MOST_ASKED = 6
"""Faces asked for at once: more do not fit on a phone, and the dice lie there for the next look."""

_CROP_PX = 128
_MARKS = {True: (90, 220, 70), False: (40, 140, 255)}
"""Blue, green, red: of faces that are known, and of those that are asked for."""


@dataclass(frozen=True)
class _Look:
    """What was asked for in the newest look: the set's name and the faces, in order."""

    id: str
    name: str
    asked: tuple[SeenFace, ...]


class Teaching:
    """Carries out ``{"type": "teach", "do": …}``.

    ``newest`` gives the frame to look at, ``use`` is called once the sets that the reader uses have changed.
    """

    def __init__(
        self, store: TaughtStore, profiles: ProfileStore, newest: Callable[[], Frame], use: Callable[[], None]
    ) -> None:
        self._store = store
        self._profiles = profiles
        self._newest = newest
        self._use = use
        self._look: _Look | None = None
        self._reader: tuple[str | None, TaughtDice, Reader] | None = None

    def carry_out(self, command: Command) -> Done:
        """``do``: sets, make, look, name, forget, use, delete, export, import. Raises ``CommandFailed``."""
        body = command.body
        does: Mapping[str, Callable[[], Done]] = {
            "sets": self._sets,
            "make": lambda: self._make(body),
            "look": lambda: self._look_at(command.id, _text(body, "set")),
            "name": lambda: self._name(body),
            "forget": lambda: self._forget(body),
            "use": lambda: self._use_set(body),
            "delete": lambda: self._delete(body),
            "export": lambda: self._export(body),
            "import": lambda: self._import(body),
        }
        do = does.get(_text(body, "do"))
        if do is None:
            raise CommandFailed(f"teach does {', '.join(does)}.")
        try:
            return do()
        except (TaughtFileError, ProfileError) as error:
            raise CommandFailed(f"{error}"[:199] + ".") from None

    def _sets(self) -> Done:
        return Done("", {"sets": [_told(name, kept) for name, kept in self._store.sets().items()]})

    def _make(self, body: Mapping[str, Any]) -> Done:
        name, kind, own = _text(body, "set"), _text(body, "kind"), body.get("body")
        if kind not in KINDS or not (own is None or (isinstance(own, str) and KINDS[kind].has_body(own))):
            raise CommandFailed("There is no such kind of dice.")
        self._store.add(name, TaughtSet(kind, own, {}))
        return self._one(name)

    def _look_at(self, look: str, name: str) -> Done:
        kept, frame = self._store.one(name), self._newest()
        taught, reader = self._reader_of(kept.taught)
        taught.seen.clear()
        calibration = reader.read(frame.pixels, {kept.taught.kind}).calibration
        asked: list[SeenFace] = []
        faces: list[dict[str, Any]] = []
        drawn = frame.pixels.copy()
        for seen in taught.seen:
            told = kept.taught.tell(seen.turned)
            is_known = told is not None and told.is_sure and not kept.taught.cannot_tell(told.face)
            if told is not None and is_known:
                _label(drawn, seen, told.face, is_known=True)
            elif len(asked) < _MOST_ASKED:
                asked.append(seen)
                _label(drawn, seen, str(len(asked)), is_known=False)
                perhaps = None if told is None else told.face
                faces.append({"perhaps": perhaps, "picture": _crop(seen.turned[0])})
        self._look = _Look(look, name, tuple(asked))
        known = len(taught.seen) - len(asked)
        figures = {"look": look, "calibration": calibration, "asked": faces, "known": known}
        return Done("", _told(name, kept) | figures, small_jpeg(drawn, _MOST_PICTURE_BYTES))

    def _name(self, body: Mapping[str, Any]) -> Done:
        name, face, place = _text(body, "set"), _text(body, "face"), body.get("place")
        kept, look = self._store.one(name).taught, self._look
        if look is None or (look.id, look.name) != (body.get("look"), name):
            raise CommandFailed("The tray has been looked at again since: name the faces that are shown now.")
        if not isinstance(place, int) or not 0 <= place < len(look.asked):
            raise CommandFailed("There is no such face in that picture.")
        if not KINDS[kept.kind].has_face(face, kept.body):
            raise CommandFailed(f"Such dice have no face {face[:20]}.")
        faces = dict(kept.faces)
        faces[face] = (*faces.get(face, ()), look.asked[place].turned[0])[-MOST_PICTURES:]
        return self._changed(name, TaughtSet.of(kept.kind, kept.body, faces))

    def _forget(self, body: Mapping[str, Any]) -> Done:
        name, face = _text(body, "set"), _text(body, "face")
        kept = self._store.one(name).taught
        faces = {one: own for one, own in kept.faces.items() if one != face}
        return self._changed(name, TaughtSet.of(kept.kind, kept.body, faces))

    def _changed(self, name: str, taught: TaughtSet) -> Done:
        self._store.change(name, taught)
        if self._store.one(name).is_used:
            self._use()
        return self._one(name)

    def _use_set(self, body: Mapping[str, Any]) -> Done:
        name, is_used = _text(body, "set"), body.get("is_used")
        if is_used is True and not self._store.one(name).taught.faces:
            raise CommandFailed("Teach its faces first.")
        self._store.use(name, is_used is True)
        self._use()
        return self._one(name)

    def _delete(self, body: Mapping[str, Any]) -> Done:
        name = _text(body, "set")
        was_used = self._store.one(name).is_used
        self._store.delete(name)
        if was_used:
            self._use()
        return self._sets()

    def _export(self, body: Mapping[str, Any]) -> Done:
        name = _text(body, "set")
        return Done("", {"set": name, "file": write_taught(self._store.one(name).taught)})

    def _import(self, body: Mapping[str, Any]) -> Done:
        name, file = _text(body, "set"), _text(body, "file")
        if len(file) > _MOST_FILE_BYTES:
            raise CommandFailed("The file is larger than any set of dice.")
        self._store.add(name, read_taught(file.encode("utf-8")))
        return self._one(name)

    def _one(self, name: str) -> Done:
        return Done("", _told(name, self._store.one(name)))

    def _reader_of(self, taught: TaughtSet) -> tuple[TaughtDice, Reader]:
        """A reader with that set alone; it is kept from look to look, since loading the networks takes a second."""
        measured = self._profiles.in_use()
        created = None if measured is None else measured.created
        if self._reader is None or self._reader[0] != created:
            dice = TaughtDice([taught])
            profile = None if measured is None else measured.profile
            self._reader = (created, dice, trained_reader(profile, dice))
        _, dice, reader = self._reader
        dice.sets = [taught]
        return dice, reader


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str):
        raise CommandFailed(f"teach needs {name}, a text.")
    return value


def _told(name: str, kept: KeptSet) -> dict[str, Any]:
    taught = kept.taught
    kind = KINDS[taught.kind]
    return {
        "set": name,
        "kind": taught.kind,
        "body": taught.body,
        "is_used": kept.is_used,
        "faces": {face: len(taught.faces.get(face, ())) for face in kind.faces if kind.has_face(face, taught.body)},
        "too_alike": sorted(sorted(pair) for pair in taught.alike),
    }


def _crop(patch: Patch) -> str:
    """A face as a JPEG in base64."""
    large = cv2.resize(patch, (_CROP_PX, _CROP_PX), interpolation=cv2.INTER_CUBIC)
    done, data = cv2.imencode(".jpg", np.clip(np.rint(large * 255), 0, 255).astype(np.uint8))
    return base64.b64encode(data.tobytes()).decode("ascii") if done else ""


def _label(drawn: Pixels, seen: SeenFace, text: str, is_known: bool) -> None:
    unit = drawn.shape[1] / 640
    at = (round(seen.center_px[0] - 9 * unit * len(text)), round(seen.center_px[1] + 11 * unit))
    for color, width in (((0, 0, 0), 6.0), (_MARKS[is_known], 2.5)):
        cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, unit, color, max(1, round(width * unit)), cv2.LINE_AA)
