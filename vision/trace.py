"""The pipeline's intermediate pictures, kept for whoever wants to see where a misread began."""

from dataclasses import dataclass

from vision.reading import Pixels


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the pipeline: its name, what it found in a few words, and a picture of it (uint8 BGR)."""

    name: str
    note: str
    picture: Pixels


@dataclass(frozen=True, slots=True)
class Trace:
    """The stages of one reading, in the order in which they ran."""

    stages: tuple[Stage, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The stages' names, in order."""
        return tuple(stage.name for stage in self.stages)
