"""The vocabulary of dice that the camera, the referee and the scoreboard share.

Faces and bodies are strings. Nothing here knows pictures, games or clocks, and nothing is imported
beyond the standard library, so that a rules engine can speak of dice without loading OpenCV.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

CHANCE_CUBE = "chance-cube"
RIG_DIE = "rig-die"
PIP_DIE = "pip-die"
ACTION_DIE = "action-die"
NUMBER_DIE = "number-die"

UNREAD_REASONS = ("cocked", "stacked", "occluded", "outside", "unsure", "not-a-die")

RIG_COLORS = ("blue", "gold", "black", "red", "green", "purple")
"""Sticker colours in the order in which RIG settles them."""

_RIG_FACES = (
    "blue blank",
    "gold blank",
    "black -",
    "red -",
    "green +",
    "purple +",
    "black +",
    "red +",
    "green -",
    "purple -",
)
_ACTION_FACES = ("green", "red", "white")


@dataclass(frozen=True, slots=True)
class DieKind:
    """One kind of die: its name, the bodies it is made in, and the faces it can show.

    ``bodies`` is empty where any body colour will do. ``faces_of_body`` narrows the faces for some bodies.
    """

    name: str
    bodies: tuple[str, ...]
    faces: tuple[str, ...]
    faces_of_body: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def has_face(self, face: str, body: str | None = None) -> bool:
        """Whether a die of this kind (and of this body, if one is named) can show ``face``.

        >>> KINDS["action-die"].has_face("green", "black")
        False
        >>> KINDS["number-die"].has_face("12")
        True
        """
        return face in (self.faces_of_body.get(body, self.faces) if body is not None else self.faces)

    def has_body(self, body: str) -> bool:
        """Whether this kind is made in that body colour.

        >>> KINDS["rig-die"].has_body("red"), KINDS["number-die"].has_body("red")
        (False, True)
        """
        return not self.bodies or body in self.bodies


KINDS: Mapping[str, DieKind] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            DieKind(
                CHANCE_CUBE,
                ("red", "blue"),
                ("red", "blue"),
                MappingProxyType({"red": ("red",), "blue": ("blue",)}),
            ),
            DieKind(RIG_DIE, ("black", "white"), _RIG_FACES),
            DieKind(PIP_DIE, (), tuple(str(n) for n in range(1, 7))),
            DieKind(
                ACTION_DIE,
                ("blue", "red", "black"),
                _ACTION_FACES,
                MappingProxyType({"black": ("red", "white")}),
            ),
            DieKind(NUMBER_DIE, (), tuple(str(n) for n in range(1, 13))),
        )
    }
)
"""Every kind of die by its name (a chance cube's body is the colour of the face that shows)."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it lies: its kind, the upper face, and its body colour where that is known."""

    kind: str
    face: str
    body: str | None = None
