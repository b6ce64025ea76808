"""Patches kept in a file: drawn ones, and those cut from labelled pictures.

A file is an ``.npz`` of ``patches`` uint8 (N, 48, 48, 3) BGR and ``classes`` int16 (N), an index into
``face_labels``.
"""

import itertools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthesis.design import Design
from calibration.synthesis.dice import Maker, any_die, pip_die
from calibration.synthesis.flat_cubes import flat_cubes
from calibration.synthesis.samples import KIND_SHARES, Sample, samples
from calibration.training.labels import face_labels
from vision.dice import PIP_DIE
from vision.patches import PATCH_SIDE_PX


@dataclass(frozen=True)
class PatchSet:
    """``patches`` uint8 (N, 48, 48, 3), channels B, G, R; ``classes`` int16 (N)."""

    patches: NDArray[np.uint8]
    classes: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.classes)

    def save(self, file: Path) -> None:
        np.savez_compressed(file, patches=self.patches, classes=self.classes)

    @classmethod
    def load(cls, files: Sequence[Path]) -> "PatchSet":
        """The patches of these files, of a folder those of all files in it."""
        every = [file for one in files for file in (sorted(one.glob("*.npz")) if one.is_dir() else [one])]
        parts = [np.load(file, allow_pickle=False) for file in every]
        return cls(np.concatenate([p["patches"] for p in parts]), np.concatenate([p["classes"] for p in parts]))

    @classmethod
    def none(cls) -> "PatchSet":
        return cls(np.empty((0, PATCH_SIDE_PX, PATCH_SIDE_PX, 3), np.uint8), np.empty(0, np.int16))

    @classmethod
    def of(cls, drawn: Iterator[Sample]) -> "PatchSet":
        """The samples as arrays; a class that the games do not know is an error."""
        number = {label: i for i, label in enumerate(face_labels())}
        kept = [(np.round(s.patch * 255).astype(np.uint8), number[s.kind, s.face, s.body]) for s in drawn]
        return cls(np.stack([p for p, _ in kept]), np.array([c for _, c in kept], np.int16))


def holds_patches(place: Path) -> bool:
    """Whether this is a file of patches, or a folder of such files and not of labelled pictures."""
    return place.suffix == ".npz" or (place.is_dir() and not (place / "labels.jsonl").exists())


def _drawn_part(
    seed: int, count: int, fonts: Sequence[Path], shares: Mapping[str, float], make: Maker = any_die
) -> PatchSet:
    cv2.setNumThreads(1)
    return PatchSet.of(itertools.islice(samples(seed, fonts, shares, make), count))


def draw_patches(
    seed: int,
    count: int,
    fonts: Sequence[Path] = (),
    workers: int = 1,
    shares: Mapping[str, float] = KIND_SHARES,
) -> PatchSet:
    """``count`` drawn samples; the same for the same arguments (each of the ``workers`` draws its own part)."""
    return drawn_side_by_side(partial(_drawn_part, fonts=list(fonts), shares=dict(shares)), seed, count, workers)


def drawn_side_by_side(draw: Callable[[int, int], PatchSet], seed: int, count: int, workers: int) -> PatchSet:
    """``count`` samples, of which each of the ``workers`` draws a part, from a seed of its own."""
    counts = [count // workers + (i < count % workers) for i in range(workers)]
    seeds = [seed * 1000 + i for i in range(workers)]
    if workers == 1:
        return draw(seeds[0], count)
    with ProcessPoolExecutor(workers) as pool:
        parts = list(pool.map(draw, seeds, counts))
    return PatchSet(np.concatenate([p.patches for p in parts]), np.concatenate([p.classes for p in parts]))


def draw_flat_cubes(seed: int, count: int) -> PatchSet:
    """``count`` faces of cubes drawn flat; the same for the same arguments."""
    cv2.setNumThreads(1)
    number = {label: i for i, label in enumerate(face_labels())}
    drawn = list(itertools.islice(flat_cubes(seed), count))
    classes = [number[one.kind, one.face, one.body] for one in drawn]
    return PatchSet(np.stack([one.patch for one in drawn]), np.array(classes, np.int16))


def draw_pip_dice(seed: int, count: int, body: str) -> PatchSet:
    """``count`` samples, most of pip dice of one body, some of others beside; the same for the same arguments."""

    def make(rng: np.random.Generator, kind: str, size_mm: float, fonts: Sequence[Path]) -> Design:
        return pip_die(rng, size_mm, body) if kind == PIP_DIE else any_die(rng, kind, size_mm, fonts)

    return _drawn_part(seed, count, (), {PIP_DIE: 1.0}, make)


def main(arguments: Sequence[str]) -> int:
    """``python -m calibration.training.patchset OUT.npz COUNT SEED KINDS [FONT.ttf …]``: draws patches, one worker.

    KINDS is ``all``, or kinds of dice with commas, which are then drawn equally often; ``flat-cubes`` are drawn flat
    (``calibration.synthesis.flat_cubes``) instead of rendered; ``pip-die:ivory`` are pip dice of that body, some
    with others beside them.
    """
    if len(arguments) < 4 or not all(a.isdigit() for a in arguments[1:3]):
        print("usage: python -m calibration.training.patchset OUT.npz COUNT SEED KINDS [FONT.ttf …]", file=sys.stderr)
        return 2
    if arguments[3] == "flat-cubes":
        draw_flat_cubes(int(arguments[2]), int(arguments[1])).save(Path(arguments[0]))
        return 0
    if arguments[3].startswith(f"{PIP_DIE}:"):
        draw_pip_dice(int(arguments[2]), int(arguments[1]), arguments[3].partition(":")[2]).save(Path(arguments[0]))
        return 0
    kinds = KIND_SHARES if arguments[3] == "all" else dict.fromkeys(arguments[3].split(","), 1.0)
    shares = {kind: share / sum(kinds.values()) for kind, share in kinds.items()}
    fonts = [Path(a) for a in arguments[4:]]
    draw_patches(int(arguments[2]), int(arguments[1]), fonts, 1, shares).save(Path(arguments[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
