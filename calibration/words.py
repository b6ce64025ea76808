"""What calibration says to people: a slug, an English template and values, so that every phone can translate it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

Value = str | int

TEMPLATES: Mapping[str, str] = MappingProxyType(
    {
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
    }
)
"""Every saying by its slug. The pages of the host have the same texts, to be translated."""


@dataclass(frozen=True)
class Saying:
    """One saying.

    >>> str(Saying("marker-hidden", {"marker": 3}))
    'marker 3 is hidden: uncover it, or move the mat into the picture'
    """

    slug: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        return TEMPLATES[self.slug].format_map(self.values)
