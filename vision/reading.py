"""What a reader says about one picture: the dice that it read, and the things that it left unread."""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from vision.dice import UNREAD_REASONS

Pixels = npt.NDArray[np.uint8]
"""A picture: uint8, shape (height, width, 3), channels blue, green, red, sRGB-encoded."""

Floats = npt.NDArray[np.float64]
"""Coordinates and measures: float64 of any shape."""

Reflectance = npt.NDArray[np.float32]
"""Linear light relative to white paper under the same light: float32, (…, 3), BGR; 1.0 is paper white."""

Point = tuple[float, float]
Calibration = Literal["mat", "profile", "none"]

MOST_DICE = 24
"""The most dice that one reading may hold."""


class BadFrame(ValueError):
    """The array is no picture that can be read; the message is one line for the person who sent it."""


@dataclass(frozen=True, slots=True)
class ReadDie:
    """One die that was read.

    ``center_px`` is the middle of the upper face and ``outline_px`` its corners, in pixels of the picture as given
    (u right, v down); ``center_mm`` is where the die stands on the mat (millimetres, origin in the mat's middle,
    x right, y down), or None where the scale is unknown. ``confidence`` is a probability, 0 to 1.
    """

    kind: str
    body: str | None
    face: str
    confidence: float
    center_px: Point
    center_mm: Point | None
    outline_px: tuple[Point, ...]

    def to_json(self) -> dict[str, Any]:
        """The die as ``croupier read`` prints it."""
        return {
            "kind": self.kind,
            "body": self.body,
            "face": self.face,
            "confidence": round(self.confidence, 4),
            "center_px": _rounded(self.center_px),
            "center_mm": None if self.center_mm is None else _rounded(self.center_mm),
            "outline_px": [_rounded(corner) for corner in self.outline_px],
        }


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that stands out and was not read: why, and where (pixels of the picture as given).

    ``likely`` is what it may be, the likeliest first: (kind, body or None, face) each. ``croupier read`` does not
    print it; the phones offer it to whoever is asked. ``is_beyond``: it lies outside the roll area, where it stands
    in no throw's way, whatever the reason says of how it lies.

    >>> Unread("cocked", (12.345, 6.0)).to_json()
    {'reason': 'cocked', 'center_px': [12.35, 6.0]}
    >>> Unread("bored", (0.0, 0.0))
    Traceback (most recent call last):
    ...
    ValueError: 'bored' is no reason for leaving a die unread
    """

    reason: str
    center_px: Point
    likely: tuple[tuple[str, str | None, str], ...] = field(default=(), compare=False)
    is_beyond: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        if self.reason not in UNREAD_REASONS:
            raise ValueError(f"{self.reason!r} is no reason for leaving a die unread")

    @property
    def may_count(self) -> bool:
        """Whether it may be a die of a throw: no mere thing, and not outside the roll area."""
        return not self.is_beyond and self.reason not in ("outside", "not-a-die")

    def to_json(self) -> dict[str, Any]:
        """The thing as ``croupier read`` prints it."""
        return {"reason": self.reason, "center_px": _rounded(self.center_px)}


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything read in one picture, and by what it was calibrated."""

    calibration: Calibration
    dice: tuple[ReadDie, ...]
    unread: tuple[Unread, ...]

    def to_json(self) -> dict[str, Any]:
        """The reading with the keys of ``croupier read`` (which adds ``image`` and ``ms``).

        >>> Reading("mat", (), ()).to_json()
        {'calibration': 'mat', 'dice': [], 'unread': []}
        """
        return {
            "calibration": self.calibration,
            "dice": [die.to_json() for die in self.dice],
            "unread": [thing.to_json() for thing in self.unread],
        }


def _rounded(point: Point) -> list[float]:
    return [round(float(point[0]), 2), round(float(point[1]), 2)]
