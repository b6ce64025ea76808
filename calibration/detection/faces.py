"""Patches for the network that reads faces on any floor: cut from labelled pictures, under lamps of every colour.

``python -m calibration.detection.faces OUT.onnx`` trains that network (built as ``calibration.training``'s, on other
patches) and writes it with its card.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from calibration.detector_model import detector_network
from calibration.synthesis.outlines import jittered, turned
from calibration.training.fit import Pace, add_pace, best_temperature, fit, scores
from calibration.training.labels import face_labels
from calibration.training.measure import accuracy_by_kind, confusions, judge, reliability
from calibration.training.network import from_onnx
from calibration.training.patchset import PatchSet, holds_patches
from calibration.training.stills import truth_of
from calibration.training.typed import as_typed
from vision.any_light import light_of
from vision.detector import Detector
from vision.dice import NUMBER_DIE
from vision.patches import rectify

Patch = NDArray[np.uint8]

_BESIDE = 2.0  # circumradii between the middles: a face of the same size there shows nothing of the die


def cut(
    folder: Path, rng: np.random.Generator, looks: int, detector: Detector | None = None
) -> Iterator[tuple[Patch, int]]:
    """Patches (uint8) and classes of every die of a folder's pictures, and of as many places that are none's.

    With ``looks`` 1 each face once as it lies; with more, that often, with small errors of its outline, and so what a
    ``detector`` takes for a cube's face where no die lies.
    """
    number = {label: i for i, label in enumerate(face_labels())}
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        label = json.loads(line)
        picture = cv2.imread(str(folder / label["image"]))
        if picture is None:
            raise FileNotFoundError(folder / label["image"])
        pixels = np.asarray(picture, np.uint8)
        light = light_of(pixels)
        outlines = [np.asarray(d["top_quad_px"], np.float32) for d in label["dice"]]
        for die, outline in zip(label["dice"], outlines, strict=True):
            if die.get("ignore"):
                continue
            upright = die.get("readable", True) and die.get("state", "flat") in ("flat", "on_top")
            known = number.get(truth_of(die), 0) if upright else 0
            for look in range(looks):
                corners = outline if looks == 1 else _found(rng, outline)
                yield _patch(pixels, turned(rng, corners), light), known
                if known and look % 3 == 2:
                    yield _patch(pixels, turned(rng, _astray(rng, outline)), light), 0
        for corners in _mistaken(detector, pixels, outlines) if detector else []:
            for _ in range(looks):
                yield _patch(pixels, turned(rng, _found(rng, corners)), light), 0
        for _ in range(2 if looks > 1 else 0):
            corners = _elsewhere(rng, pixels.shape, outlines)
            if corners is not None:
                yield _patch(pixels, turned(rng, corners), light), 0


def _patch(pixels: Patch, corners: Sequence[tuple[float, float]], light: Any) -> Patch:
    return np.asarray(np.round(rectify(pixels, corners, light) * 255), np.uint8)


def _found(rng: np.random.Generator, corners: Any) -> Any:
    """An outline as the detector finds it: half of them nearly right, half turned, moved and swollen by more."""
    if rng.random() < 0.5:
        return jittered(rng, corners)
    middle = corners.mean(0)
    edge = float(np.linalg.norm(corners[0] - corners[1]))
    turn = np.deg2rad(rng.normal(0, 6))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * np.exp(rng.normal(0, 0.06))
    skew = rng.normal(0, 0.03 * edge, corners.shape)
    return ((corners - middle) @ spin.T + middle + rng.normal(0, 0.05 * edge, 2) + skew).astype(np.float32)


def _astray(rng: np.random.Generator, corners: Any) -> Any:
    """An outline beside its face, or much too large or small for it."""
    middle = corners.mean(0)
    edge = float(np.linalg.norm(corners[0] - corners[1]))
    if rng.random() < 0.6:
        turn = rng.uniform(0, 2 * np.pi)
        return corners + np.array([np.cos(turn), np.sin(turn)], np.float32) * edge * rng.uniform(0.45, 1.0)
    return (corners - middle) * (rng.uniform(1.6, 2.2) if rng.random() < 0.6 else rng.uniform(0.3, 0.5)) + middle


def _mistaken(detector: Detector, pixels: Patch, outlines: Sequence[Any]) -> list[Any]:
    """The outlines (float32) of faces with four corners that are found beside all dice."""
    middles = [outline.mean(0) for outline in outlines]
    return [
        np.asarray(one.outline_px, np.float32)
        for one in detector.find(pixels, number_dice=False)
        if all(one.apart((float(x), float(y))) > _BESIDE for x, y in middles)
    ]


def _elsewhere(rng: np.random.Generator, shape: tuple[int, ...], outlines: Sequence[Any]) -> Any:
    """A square or pentagon where no die lies."""
    reach = float(np.mean([np.ptp(o, axis=0).max() for o in outlines]) / 2 if outlines else rng.uniform(15, 60))
    for _ in range(10):
        middle = rng.uniform(reach, np.maximum(np.array([shape[1], shape[0]]) - reach, reach + 1))
        if all(np.linalg.norm(o.mean(0) - middle) > 3 * reach for o in outlines):
            count = int(rng.choice([4, 4, 5]))
            turn = rng.uniform(0, 2 * np.pi) + np.arange(count) * 2 * np.pi / count
            return (middle + reach * rng.uniform(0.7, 1.3) * np.c_[np.cos(turn), np.sin(turn)]).astype(np.float32)
    return None


def recoloured(patch: Patch, rng: np.random.Generator, permute: bool) -> Patch:
    """The patch under another lamp and exposure; ``permute`` (pip dice, whose colour says nothing) also mixes
    channels."""
    value: NDArray[Any] = patch.astype(np.float32) / 255
    if permute and rng.random() < 0.5:
        value = value[..., rng.permutation(3)]
    gains = np.exp(rng.normal(0, 0.22) + np.array([-1, 0, 1]) * rng.normal(0, 0.09) + rng.normal(0, 0.03, 3))
    value = np.clip(value * gains.astype(np.float32), 0, 1) ** np.float32(np.exp(rng.normal(0, 0.12)))
    blur = rng.random()
    if blur < 0.3:
        value = cv2.GaussianBlur(value, (0, 0), float(rng.uniform(0.4, 1.6)))
    elif blur < 0.4:
        value = value + 0.7 * (value - cv2.GaussianBlur(value, (0, 0), 1.0))
    if rng.random() < 0.3:
        value = value + rng.normal(0, rng.uniform(0.005, 0.04), value.shape).astype(np.float32)
    return np.round(np.clip(value, 0, 1) * 255).astype(np.uint8)


def patch_set(folders: Sequence[str], rng: np.random.Generator, detector: Detector | None = None) -> PatchSet:
    """Patches of ``FOLDER=LOOKS`` and of ``FILE.npz=TIMES`` (drawn before), each recoloured."""
    other = np.array([kind == "pip-die" and body == "other" for kind, _, body in face_labels()])
    patches: list[Patch] = []
    classes: list[int] = []
    for asked in folders:
        name, _, times = asked.partition("=")
        if holds_patches(Path(name)):
            drawn = PatchSet.load([Path(name)])
            part = [(p, int(c)) for p, c in zip(drawn.patches, drawn.classes, strict=True)] * int(times or 1)
        else:
            part = list(cut(Path(name), rng, int(times or 3), detector))
        patches += [recoloured(p, rng, bool(other[c])) for p, c in part]
        classes += [c for _, c in part]
    return PatchSet(np.stack(patches), np.array(classes, np.int16))


def _straight(folder: Path, taught: NDArray[Any]) -> PatchSet:
    """The dice of a folder's pictures as they lie, of the classes that were taught."""
    part = [(p, c) for p, c in cut(folder, np.random.default_rng(5), 1) if c in taught]
    return PatchSet(np.stack([p for p, _ in part]), np.array([c for _, c in part], np.int16))


def _held_back(place: Path, taught: NDArray[Any]) -> PatchSet:
    return PatchSet.load([place]) if holds_patches(place) else _straight(place, taught)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m calibration.detection.faces", description=__doc__.splitlines()[0]
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--pictures", nargs="+", required=True, metavar="FOLDER[=LOOKS]|FILE.npz[=TIMES]")
    parser.add_argument("--held-back", nargs="+", required=True, type=Path, metavar="FOLDER|FILE.npz")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--passes", type=float, default=10)
    parser.add_argument("--begin-with", type=Path, help="a network of the same faces (.onnx) to go on from")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--mistaken", action="store_true", help="learn what the detector takes for faces, too")
    add_pace(parser)
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    detector = Detector(detector_network()) if asked.mistaken else None
    train = patch_set(asked.pictures, np.random.default_rng(asked.seed), detector)
    labels = face_labels()
    print(f"{len(train)} patches", flush=True)
    five = np.array([kind == NUMBER_DIE for kind, _, _ in labels])
    earlier = from_onnx(asked.begin_with.read_bytes(), len(labels)) if asked.begin_with else None
    network = fit(
        train,
        five,
        len(labels),
        asked.passes,
        asked.seed,
        lambda line: print(line, flush=True),
        earlier,
        pace=Pace(asked.batch, asked.seconds),
    )
    taught = np.unique(train.classes)
    held = {held.name: _held_back(held, taught) for held in asked.held_back}
    first = next(iter(held.values()))
    temperature = best_temperature(scores(network, first.patches), first.classes)
    verdicts = {name: judge(scores(network, part.patches) / temperature, part.classes) for name, part in held.items()}
    card = {
        "labels": [list(label) for label in labels],
        "seed": asked.seed,
        "command": as_typed("calibration.detection.faces"),
        "torch": torch.__version__,
        "patches": len(train),
        "temperature": round(temperature, 3),
        "score": {name: accuracy_by_kind(part) for name, part in verdicts.items()},
        "reliability": {name: reliability(part) for name, part in verdicts.items()},
        "commonest mistakes": {name: confusions(part) for name, part in verdicts.items()},
    }
    asked.out.write_bytes(network.to_onnx(temperature))
    asked.out.with_suffix(".json").write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(json.dumps({k: v for k, v in card.items() if k != "labels"}, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
