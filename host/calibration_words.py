"""What the device says while it is calibrated and taught, in the language of a phone: it sends slugs and values."""

from collections.abc import Iterable, Mapping
from typing import Any

from flask_babel import gettext as _

from host.games.sentence import Sentence
from host.languages import told
from vision.dice import ACTION_DIE, CHANCE_CUBE, NUMBER_DIE, PIP_DIE, RIG_DIE

_TEMPLATES = {
    "light-good": "light and focus are good",
    "too-dark": "too dark: bring the lamp nearer",
    "too-bright": "too bright: move the lamp away, or turn it down",
    "glare": "glare here: move the lamp aside until it is not mirrored",
    "out-of-focus": "out of focus: turn the lens until the markers are sharp, and wipe it",
    "marker-hidden": "marker {marker} is hidden: uncover it, or move the mat into the picture",
    "markers-hidden": "markers {markers} are hidden: uncover them, or move the mat into the picture",
    "picture-good": "good: after this one {left} more, with the mat moved or turned",
    "mat-unmoved": "the mat lies as it did in a picture before: move it, or turn it",
    "lens-too-few": "the mat is seen in fewer than {fewest} of the pictures: move it about and take more",
    "lens-kept": "the lens known before fits as well ({before} px) and is kept",
    "lens-measured": "lens measured, off by {error} px",
    "lens-better": "lens measured, off by {error} px ({before} px before)",
    "no-mat": "no mat is seen: lay it under the camera, flat and uncovered",
    "mat-unlit": "the mat's grey is not seen: clear it, and light it evenly",
    "mat-good": "mat seen from {height} mm, off by {error} px",
    "page-scaled": "the printer scaled the page to {percent} %, which is allowed for from now on",
    "markers-bent": "the markers do not lie flat: press them onto the tray's floor",
    "mat-in-tray": "the mat lies in the tray: take it out",
    "dice-in-tray": "there are dice in the tray: take them out",
    "tray-by-mat": "empty tray taken; camera {height} mm above it, by the mat that lay in it",
    "tray-by-marker": "empty tray taken; camera {height} mm above it, by a marker",
    "tray-by-markers": "empty tray taken; camera {height} mm above it, by {count} markers",
    "tray-by-dice": "empty tray taken; camera {height} mm above it, by the dice in it",
    "tray-assumed": "empty tray taken; camera {height} mm above it, guessed until dice are seen; "
    "lay the mat or a marker in for millimetres",
    "tray-unlit": "no empty tray was taken yet: go back to that step",
    "no-cube": "no die is seen for sure: lay cubes of that size into the tray, flat",
    "no-truth": "say first which dice lie there, and what they show",
    "dice-wrong": "picture {picture}: read {kind} {face}, which does not lie there",
    "dice-unread": "{right} of {total} known dice were read and none wrongly: light them better, or roll again",
    "dice-right": "all {total} known dice were read rightly",
    "begun-anew": "The device has begun anew since: start from the first step.",
    "looked-again": "The tray has been looked at again since: name the faces that are shown now.",
    "teach-first": "Teach its faces first.",
    "secret": "A die is secret now: no picture leaves the device.",
    "no-pictures": "The camera gives no pictures now.",
    "no-answer": "The device has not answered.",
    "cannot": "This device cannot do that.",
}
"""The sayings of calibration by their slug, as the device has them, and what it answers where it fails."""


def sayings_told(sayings: Iterable[Mapping[str, Any]]) -> str:
    """What the device says of a step; one that this host does not know is left out."""
    return "; ".join(
        told(Sentence(slug, _TEMPLATES[slug], _values(saying.get("values") or {})))
        for saying in sayings
        if (slug := str(saying.get("slug"))) in _TEMPLATES
    )


def failure_told(detail: str) -> str:
    """Why the device could not do it."""
    return str(_(detail)) if detail in _TEMPLATES.values() else detail


def _values(values: Mapping[str, Any]) -> dict[str, str | int]:
    plain = {name: value if isinstance(value, int) else str(value) for name, value in values.items()}
    return plain | ({"kind": kind_told(str(values["kind"]))} if "kind" in values else {})


def kind_told(kind: str) -> str:
    """A kind of dice by its name."""
    names = {
        CHANCE_CUBE: _("Chance cube (red or blue)"),
        RIG_DIE: _("RIG die"),
        PIP_DIE: _("Die with six faces, 1 to 6"),
        ACTION_DIE: _("Action die"),
        NUMBER_DIE: _("Die with twelve faces, 1 to 12"),
    }
    return str(names.get(kind, kind))


def step_told(name: str, has_tray: bool) -> tuple[str, str, str]:
    """A step's title, what it needs, and what its button says; ``has_tray``: in a tray of one's own."""
    mat = (
        _("Lay the mat into the tray, flat. It is taken out again for the next step.")
        if has_tray
        else _("Lay the empty mat flat under the camera, all six markers in the picture.")
    )
    light = _("Light it as you will when you play, with the mat or a marker in the picture if you have one.")
    next_one, take = _("Next"), _("Take this picture")
    steps = {
        "light": (_("Light and focus"), light, next_one),
        "lens": (_("The lens"), _("Take three pictures of the mat; move or turn it between them."), take),
        "mat": (_("The mat"), mat, next_one),
        "tray": (_("The empty tray"), _("Take everything out. Only cut-out markers may stay in."), take),
        "size": (_("The size"), _("Lay some dice of one size into the tray, flat."), take),
        "verify": (_("A try"), _("Roll dice that you know, and tap what they show."), _("Compare and go on")),
    }
    return tuple(map(str, steps[name]))  # type: ignore[return-value]
