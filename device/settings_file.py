"""Reading the settings: every fault of the file is named with its line and with what is allowed there."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from device.settings import Settings
from device.settings_page import allowed

LARGEST_FILE_BYTES = 100_000
"""Every setting with its comment takes a tenth of it. To find the line of a fault takes time by its square."""

_UNREADABLE = (ValueError, RecursionError)
"""What Python's parser raises: for what is not TOML, for a number of thousands of digits, for lists in lists."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in the file. ``line`` counts from 1; 0 is the file as a whole."""

    line: int
    text: str


class SettingsError(Exception):
    """The settings cannot be used; the message is one line that names the first fault and where it stands.

    ``usable`` are those that are right, with defaults for the rest: safe mode still finds the tables' folder by them.
    """

    def __init__(self, file: Path, faults: Sequence[Fault], usable: Settings | None = None) -> None:
        first = faults[0]
        place = f"{file} line {first.line}" if first.line else str(file)
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(f"{place}: {first.text}{more}")
        self.file = file
        self.faults = tuple(faults)
        self.usable = usable or Settings()


def load_settings(file: Path) -> Settings:
    """The settings in ``file``. Raises ``SettingsError``."""
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_FILE_BYTES + 1)
        if len(content) > LARGEST_FILE_BYTES:
            raise SettingsError(file, [Fault(0, f"is larger than {LARGEST_FILE_BYTES // 1000} kB")])
        text = content.decode("utf-8").replace("\r\n", "\n")
    except OSError as error:
        raise SettingsError(file, [Fault(0, f"cannot be read ({error.strerror})")]) from error
    except UnicodeDecodeError as error:
        raise SettingsError(file, [Fault(0, "is not text in UTF-8")]) from error
    return parse_settings(text, file)


def parse_settings(text: str, file: Path) -> Settings:
    """The settings that ``text`` holds; ``file`` is what faults are said to be in. Raises ``SettingsError``.

    >>> parse_settings("[camera]\\nfps = 200\\n", Path("settings.toml"))
    Traceback (most recent call last):
    ...
    device.settings_file.SettingsError: settings.toml line 2: camera.fps is 200; allowed is a number from 5 to 60
    """
    try:
        entries = tomllib.loads(text)
    except _UNREADABLE as error:
        raise SettingsError(file, [_not_toml(text, error)], _what_is_right(_readable_beginning(text))) from error
    try:
        return Settings.model_validate(entries)
    except ValidationError as error:
        faults = [_fault(text, entries, details) for details in error.errors()]
        usable = _what_is_right(entries)
        raise SettingsError(file, sorted(faults, key=lambda fault: fault.line), usable) from error


def _readable_beginning(text: str) -> dict[str, Any]:
    lines = text.splitlines(keepends=True)
    for count in range(len(lines), 0, -1):
        try:
            return tomllib.loads("".join(lines[:count]))
        except _UNREADABLE:
            continue
    return {}


def _what_is_right(entries: dict[str, Any]) -> Settings:
    """The settings without the entries that are at fault."""
    entries = {name: dict(part) if isinstance(part, dict) else part for name, part in entries.items()}
    while True:
        try:
            return Settings.model_validate(entries)
        except ValidationError as error:
            for details in error.errors():
                section, *keys = (str(part) for part in details["loc"])
                if keys:
                    entries[section].pop(keys[0], None)
                else:
                    # A fault of the table as a whole, such as two uses of one pin: all of it is in doubt.
                    entries.pop(section, None)


def _fault(text: str, entries: Mapping[str, Any], details: ErrorDetails) -> Fault:
    place = tuple(str(part) for part in details["loc"])
    context = details.get("ctx", {})
    if details["type"] == "fault":
        return Fault(line_of(text, (*place, context["key"])), context["text"])
    line = line_of(text, place)
    name = ".".join(place)
    if details["type"] == "extra_forbidden":
        return Fault(line, _unknown(place))
    if len(place) == 1:
        return Fault(line, f"{name} is a table: write [{name}] on a line of its own, and its settings below")
    value = entries[place[0]][place[1]]
    return Fault(line, f"{name} is {_written(value)}; allowed is {allowed(*place[:2])}")


def _unknown(place: tuple[str, ...]) -> str:
    if len(place) == 1:
        known = list(Settings.model_fields)
        what = f"there is no [{place[0]}]"
    else:
        annotation = Settings.model_fields[place[0]].annotation
        known = list(getattr(annotation, "model_fields", ()))
        what = f"[{place[0]}] has no {place[1]}"
    likely = get_close_matches(place[-1], known, 1)
    meant = f"; did you mean {likely[0]}?" if likely else ""
    return f"{what}{meant} (there is {', '.join(known)})"


def _written(value: object) -> str:
    """A value as it stands in the file, or nearly so.

    >>> _written(True), _written("a"), _written(2.5)
    ('true', '"a"', '2.5')
    """
    if isinstance(value, bool):
        return str(value).lower()
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else f"{text[:36]}…"


def line_of(text: str, place: Sequence[str]) -> int:
    """The line on which the key at ``place`` (table, key) is first written; 0 if it is nowhere.

    The lines above it are TOML by themselves and do not hold the key; with its statement they do.

    >>> line_of("[panel]\\n# which\\nlight_pin = 12\\n", ["panel", "light_pin"])
    3
    """
    lines = text.splitlines(keepends=True)
    first = 1
    for count in range(1, len(lines) + 1):
        try:
            entries: Any = tomllib.loads("".join(lines[:count]))
        except _UNREADABLE:
            continue
        if _holds(entries, place):
            return first
        first = count + 1
    return line_of(text, place[:-1]) if len(place) > 1 else 0


def _holds(entries: Any, place: Sequence[str]) -> bool:
    for key in place:
        if not isinstance(entries, dict) or key not in entries:
            return False
        entries = entries[key]
    return True


def _not_toml(text: str, error: Exception) -> Fault:
    """Where Python's parser says that it got lost; before Python 3.14 only its message says where."""
    message = str(error)
    what, found, where = message.rpartition(" (at line ")
    if found and (number := where.partition(",")[0]).isdigit():
        return Fault(int(number), f"this is not TOML: {what}")
    return Fault(len(text.splitlines()), f"this is not TOML: {what or message}")
