"""``python -m calibration.training.draw_all OUT``: draws what the networks of the mat are trained on, side by side.

Each part is drawn, cut and kept as a ``.npz`` of its own, in the folder of the network that learns from it: ``faces``
and ``cubes`` (``calibration.training``, ``calibration.detection.faces``), ``numbers`` and ``numbers_beside``
(``calibration.training.numbers``), ``sight`` (``calibration.training.sight``). No two of the first four share a
picture. What begins with ``held`` is for measuring, its numbers in typefaces of their own.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from calibration.detection.faces import cut
from calibration.detector_model import detector_network
from calibration.model import trained_faces
from calibration.synthesis.__main__ import main as synthesis
from calibration.training.mat_faces import faces_in
from calibration.training.numbers import LOOKS, cut_numbers, draw_flat
from calibration.training.patchset import PatchSet, draw_flat_cubes, draw_patches, draw_pip_dice
from calibration.training.sight import kept_crops
from calibration.training.stills import read_stills
from vision.detector import Detector

PAIRS = (("faces", "cubes"), ("numbers", "numbers_beside"))
TYPEFACES = 8  # in one part's pictures
MANY_TYPEFACES = 60  # in a part drawn without pictures


@dataclass(frozen=True)
class Place:
    """Where parts go, and the typefaces to draw with."""

    out: Path
    fonts: tuple[Path, ...]
    size: float

    def count(self, usual: int) -> int:
        return max(2, round(usual * self.size))

    def some(self, number: int, most: int) -> list[Path]:
        chosen = np.random.default_rng(number).permutation(len(self.fonts))[:most]
        return [self.fonts[i] for i in chosen]

    def keep(self, patches: PatchSet, folder: str, name: str) -> None:
        (self.out / folder).mkdir(parents=True, exist_ok=True)
        patches.save(self.out / folder / f"{name}.npz")


def _pictures(place: Place, into: str, number: int, count: int, arguments: Sequence[str]) -> Path:
    fonts = [part for font in place.some(number, TYPEFACES) for part in ("--fonts", str(font))]
    asked = [into, "--count", str(place.count(count)), "--seed", str(number), *arguments, *fonts]
    synthesis(asked, standalone_mode=False)
    return Path(into)


def _numbers(place: Place, folder: Path, number: int, name: str, held: bool) -> None:
    if '"number-die"' in (folder / "labels.jsonl").read_text("utf-8").replace('"d12"', '"number-die"'):
        into = "held_numbers" if held else PAIRS[1][number % 2]
        place.keep(cut_numbers(folder, 1 if held else LOOKS, number), into, name)


def mat(place: Place, number: int, held: bool, *arguments: str) -> None:
    """Pictures on the mat: upper faces, numbers, and how dice lie."""
    name = f"mat{number}"
    rng = np.random.default_rng(number)
    with tempfile.TemporaryDirectory() as into:
        folder = _pictures(place, into, number, 100, arguments)
        made = [one for still in read_stills(folder, True) for one in faces_in(still, trained_faces(), rng)]
        place.keep(PatchSet.of(iter(made)), "held_faces" if held else PAIRS[0][number % 2], name)
        _numbers(place, folder, number, name, held)
        sight = place.out / ("held_sight" if held else "sight")
        sight.mkdir(parents=True, exist_ok=True)
        kept_crops([folder], rng, sight / f"{name}.npz")


def elsewhere(place: Place, number: int, held: bool) -> None:
    """Pictures of any floor, for the network that judges colours by the whole picture: one in three for the other."""
    name = f"any{number}"
    detector, rng = Detector(detector_network()), np.random.default_rng(number)
    with tempfile.TemporaryDirectory() as into:
        folder = _pictures(place, into, number, 100, ("--mixed", "--floor", "any"))
        made = list(cut(folder, rng, 1 if held else 3, detector))
        patches = PatchSet(np.stack([p for p, _ in made]), np.array([c for _, c in made], np.int16))
        place.keep(patches, "held_cubes" if held else PAIRS[0][int(number % 3 > 0)], name)
        _numbers(place, folder, number, name, held)


def number_dice(place: Place, number: int, held: bool) -> None:
    """Pictures of twelve-sided dice alone, half of them on the mat."""
    floor = "mat" if number % 4 < 2 else "any"
    with tempfile.TemporaryDirectory() as into:
        asked = ("--kinds", "number-die", "--most", "12", "--floor", floor)
        _numbers(place, _pictures(place, into, number, 60, asked), number, f"dozen{number}", held)


def close_ups(place: Place, number: int, kind: str) -> None:
    """Faces drawn close, cubes drawn flat, ivory dice, or numbers drawn flat."""
    if kind == "flat-numbers":
        numbers = draw_flat(number, place.count(8000), place.some(number, MANY_TYPEFACES))
        place.keep(numbers, PAIRS[1][number % 2], f"flat{number}")
        return
    if kind == "flat-cubes":
        patches = draw_flat_cubes(number, place.count(3000))
    elif kind == "ivory":
        patches = draw_pip_dice(number, place.count(1500), kind)
    else:
        patches = draw_patches(number, place.count(2500), place.some(number, MANY_TYPEFACES))
    place.keep(patches, PAIRS[0][number % 2], f"{kind}{number}")


def numbers(place: Place, times: int) -> Iterator[Callable[[], None]]:
    """What only the networks of numbers learn from."""
    every: list[Callable[[], None]] = [
        *(partial(number_dice, place, 560_000 + n, False) for n in range(24 * times)),
        *(partial(close_ups, place, 571_000 + n, "flat-numbers") for n in range(20 * times)),
    ]
    yield from _shuffled(every)


def _shuffled(every: Sequence[Callable[[], None]]) -> Iterator[Callable[[], None]]:
    return (every[i] for i in np.random.default_rng(1).permutation(len(every)))


def parts(place: Place, held: Place, times: int) -> Iterator[Callable[[], None]]:
    """What is drawn: first what is held back, then the rest in an order that may be broken off anywhere."""
    for number in (9000, 9001):
        yield partial(mat, held, 500_000 + number, True, "--mixed")
        yield partial(elsewhere, held, 510_000 + number, True)
        yield partial(number_dice, held, 520_000 + 2 * (number - 9000), True)
    yield partial(mat, held, 509_002, True, "--mixed", "--condition", "stacked")
    yield partial(mat, held, 509_003, True, "--mixed", "--condition", "cocked")
    rest: list[Callable[[], None]] = list(numbers(place, times))
    rest += [partial(mat, place, 530_000 + n, False, "--mixed") for n in range(64 * times)]
    for base, condition, count in ((540_000, "stacked", 12), (541_000, "cocked", 12), (542_000, "occluded", 8)):
        asked = ("--mixed", "--condition", condition)
        rest += [partial(mat, place, base + n, False, *asked) for n in range(count * times)]
    for base, look in ((543_000, "--round"), (544_000, "--worn")):
        rest += [partial(mat, place, base + n, False, "--kinds", "pip-die", look) for n in range(4 * times)]
    rest += [partial(elsewhere, place, 550_000 + n, False) for n in range(24 * times)]
    for base, kind, count in (
        (570_000, "all", 56),
        (572_000, "flat-cubes", 4),
        (573_000, "ivory", 4),
    ):
        rest += [partial(close_ups, place, base + n, kind) for n in range(count * times)]
    yield from _shuffled(rest)


def _drawn(part: Callable[[], None], end: float) -> bool:
    if time.monotonic() > end:
        return False
    cv2.setNumThreads(1)
    try:
        part()
    except ValueError as error:  # too few pictures to show anything that is sought
        print(f"{part}: {error}", flush=True)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m calibration.training.draw_all", description="Draws all patches.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--fonts", type=Path, required=True, help="a folder of typefaces to learn")
    parser.add_argument("--held-fonts", type=Path, required=True, help="a folder of typefaces to measure with")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=3600, help="after which no further part is begun")
    parser.add_argument("--times", type=int, default=1, help="how much of all")
    parser.add_argument("--numbers", action="store_true", help="draw only what the networks of numbers learn from")
    parser.add_argument("--size", type=float, default=1.0, help="of a part; less to try it out")
    asked = parser.parse_args()
    learnt = Place(asked.out, tuple(sorted(asked.fonts.iterdir())), asked.size)
    held = Place(asked.out, tuple(sorted(asked.held_fonts.iterdir())), asked.size)
    end = time.monotonic() + asked.seconds
    wanted = list(numbers(learnt, asked.times) if asked.numbers else parts(learnt, held, asked.times))
    with ProcessPoolExecutor(asked.cores) as pool:
        for number, is_drawn in enumerate(pool.map(partial(_drawn, end=end), wanted), 1):
            if number % 20 == 0 or number == len(wanted):
                print(f"{number} of {len(wanted)} parts" + ("" if is_drawn else ", time is up"), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
