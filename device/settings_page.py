"""The settings as people read them: a commented file to start from, and the page docs/settings.md.

``python -m device.settings_page`` prints the page.
"""

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from device.settings import Settings

BOX: Mapping[str, Any] = {"host.listen": "0.0.0.0", "camera.which": "picamera2"}  # noqa: S104 - so that phones get in
"""What a box on a Raspberry Pi needs other than a laptop."""

_WIDTH = 100
"""Characters in a line of the commented file."""


def sections() -> dict[str, tuple[str, dict[str, Mapping[str, Any]]]]:
    """Each table of the file: what it is about, and its fields, each as its JSON schema."""
    schema = Settings.model_json_schema()
    found = {}
    for name, part in schema["properties"].items():
        definition = schema["$defs"][part["$ref"].rpartition("/")[2]] if "$ref" in part else part
        about = " ".join(definition["description"].split()).replace("``", "`")
        found[name] = (about, definition["properties"])
    return found


def allowed(section: str, key: str) -> str:
    """What may stand at a key, in words.

    >>> allowed("host", "port"), allowed("panel", "light"), allowed("panel", "enabled")
    ('a whole number from 1 to 65535', '"full", "pwm" or "none"', 'true or false')
    """
    field = sections()[section][1][key]
    if "allowed" in field:
        return str(field["allowed"])
    kind = next((option for option in field.get("anyOf", ()) if option["type"] != "null"), field)
    if "enum" in kind:
        *most, last = (json.dumps(option) for option in kind["enum"])
        return f"{', '.join(most)} or {last}"
    if kind["type"] == "boolean":
        return "true or false"
    even = "an even" if kind.get("multipleOf") == 2 else "a whole" if kind["type"] == "integer" else "a"
    return f"{even} number from {kind['minimum']:g} to {kind['maximum']:g}".replace("e+05", "00000")


def commented_file(changes: Mapping[str, Any] = MappingProxyType({})) -> str:
    """A settings file with every field in it, commented out at its default; ``changes`` are set ("table.key")."""
    lines = ["# Settings of Croupier. What begins with # is not set and has the value shown.", ""]
    for section, (about, fields) in sections().items():
        lines += [*_comment(about), f"[{section}]"]
        for key, field in fields.items():
            lines += ["", *_comment(f"{field['description']} Allowed: {allowed(section, key)}.")]
            change = changes.get(f"{section}.{key}")
            default = field.get("default")
            if change is not None:
                lines.append(f"{key} = {json.dumps(change)}")
            elif default is not None:
                lines.append(f"#{key} = {json.dumps(default)}")
            else:
                lines.append(f"#{key} =")
        lines.append("")
    return "\n".join(lines)


def _comment(text: str) -> Iterator[str]:
    line = "#"
    for word in text.replace("`", "").split():
        if len(line) + 1 + len(word) > _WIDTH:
            yield line
            line = "#"
        line += f" {word}"
    yield line


_HEAD = """\
# Settings

One TOML file. What it leaves out has its default; what is given on the command line wins over it. A key that is
unknown or a value that is not allowed is named with its line, and the appliance then starts in safe mode: the pages
are there, the camera is off, dice are entered by hand, and a banner says what to mend.

```sh
croupier settings --print-default            # a file with every setting in it, explained
croupier settings --print-default --box      # the same with what a Raspberry Pi with its own camera needs
croupier settings settings.toml              # is it right? names each fault with its line
croupier run --settings settings.toml
```

This page is printed by `python -m device.settings_page`.
"""


def page() -> str:
    """The text of docs/settings.md, in Markdown."""
    parts = [_HEAD]
    for section, (about, fields) in sections().items():
        rows = [
            f"| `{key}` | {field['description']} | {allowed(section, key)} | {_default(field)} |"
            for key, field in fields.items()
        ]
        head = "| setting | what it is | allowed | default |\n|---|---|---|---|"
        parts.append("\n".join([f"## [{section}]\n", f"{about}\n", head, *rows, ""]))
    return "\n".join(parts)


def _default(field: Mapping[str, Any]) -> str:
    default = field.get("default")
    return "not set" if default is None else f"`{json.dumps(default)}`"


if __name__ == "__main__":
    print(page(), end="")
