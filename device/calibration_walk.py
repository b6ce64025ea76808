"""Calibration at the keyboard: a picture for every press of Enter, a verdict at once, and a way back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
import cv2
import numpy as np

from calibration.steps import STEPS, Known, Step, Verdict
from vision.reading import Pixels

BACK = "b"


@dataclass
class Walk:
    """The steps that were asked for, walked through in their order.

    ``photograph`` takes a picture, ``tell`` shows a verdict, ``folder`` is where the pictures are kept.
    """

    names: Sequence[str]
    photograph: Callable[[], Pixels]
    tell: Callable[[str, Verdict], None]
    folder: Path
    measured_on: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def through(self, known: Known) -> Known:
        """What is known after the last step; ``click.Abort`` where the input ends before."""
        before: list[Known] = []
        while len(before) < len(self.names):
            name = self.names[len(before)]
            found = self._step(name, STEPS[name], known, can_go_back=bool(before))
            if found is None:
                known = before.pop()
                self.measured_on.pop(self.names[len(before)], None)
            else:
                before.append(known)
                known = found
        return known

    def _step(self, name: str, step: Step, known: Known, can_go_back: bool) -> Known | None:
        """What is known after this step, None to go back to the one before it."""
        click.echo(f"{name}: {step.needs}", err=True)
        frames: list[Pixels] = []
        paths: list[Path] = []
        while True:
            if self._is_back(len(frames) + 1, can_go_back or bool(frames)):
                if not frames and can_go_back:
                    return None
                del frames[-1:], paths[-1:]
                continue
            picture = self.photograph()
            verdict = step.look([*frames, picture], known)
            self.tell(name, verdict)
            if not verdict.is_good:
                continue
            frames.append(picture)
            paths.append(self._keep(f"calibrate-{name}-{len(frames)}.png", picture))
            if len(frames) >= step.pictures:
                self.measured_on[name] = tuple(path.name for path in paths)
                return verdict.known

    def _is_back(self, number: int, can_go_back: bool) -> bool:
        back = f", or {BACK} and Enter to go back" if can_go_back else ""
        said = click.prompt(f"  picture {number}: press Enter{back}", default="", show_default=False, err=True)
        return str(said).strip().lower() == BACK

    def _keep(self, name: str, picture: Pixels) -> Path:
        coded, data = cv2.imencode(".png", np.ascontiguousarray(picture))
        path = self.folder / name
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.tobytes() if coded else b"")
        except OSError as error:
            raise click.ClickException(f"cannot write {path}: {error.strerror}") from None
        return path
