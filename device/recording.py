"""A recording: pictures of the tray, what lay in it, and what the players decided."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.decode import Undecodable, decode_picture
from vision.reading import Pixels

JsonObject = dict[str, Any]


class RecordingError(ValueError):
    """A recording that cannot be played; the message is one line that names the file and what is wrong."""


@dataclass(frozen=True, slots=True)
class RecordedFrame:
    """One picture and its label.

    ``number`` is the picture's own (``frames/000123.jpg`` is 123), or its place in the list where the names are no
    growing numbers. ``t`` is in seconds; ``rest`` says that nothing moves; ``dice`` is None where it has
    no label.
    """

    number: int
    image: str
    t: float
    rest: bool
    dice: tuple[JsonObject, ...] | None


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player decided: sent once frame number ``after`` (or the last one before it) has been dealt with.

    ``corrects``: it was said instead of what the camera read then, and is sent as far as that is still needed.
    """

    after: int
    action: JsonObject
    corrects: bool = False


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording that was opened and found sound. ``game`` is None for a set of single pictures."""

    folder: Path
    name: str
    source: str | None
    game: str | None
    players: tuple[str, ...]
    options: JsonObject
    kinds: tuple[str, ...] | None
    size: tuple[int, int] | None
    fps: float
    frames: tuple[RecordedFrame, ...]
    decisions: tuple[Decision, ...]
    expected: JsonObject | None

    @property
    def is_game(self) -> bool:
        """Whether a game was recorded, and not single pictures."""
        return self.game is not None

    def pixels(self, frame: RecordedFrame) -> Pixels:
        """The frame's picture, uint8 (height, width, 3), BGR. Raises ``RecordingError`` if it cannot be read."""
        path = self.folder / frame.image
        try:
            picture = decode_picture(path)
        except Undecodable as error:
            raise RecordingError(f"{path}: {error}") from error
        height, width = picture.shape[:2]
        check_size(path, (width, height), self.size)
        return picture


def check_size(path: Path, found: tuple[int, int], wanted: tuple[int, int] | None) -> None:
    """Raise ``RecordingError`` if the picture in ``path`` has not the size (width, height) of the recording."""
    if wanted is not None and found != wanted:
        raise RecordingError(
            f"{path}: this frame is {found[0]} x {found[1]} pixels, the recording's are {wanted[0]} x {wanted[1]}"
        )
