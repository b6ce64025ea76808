"""What trainings share whose networks look at dice's crops (``vision.lean_network``): pictures, steps, options."""

import argparse
import json
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from calibration.detector_model import detector_network
from calibration.training.fit import HALVED
from calibration.training.found_faces import upper_faces
from calibration.training.network import Faces, Plan, from_onnx
from calibration.training.running_mean import RunningMean
from vision.detector import Detector, Found
from vision.lean_network import CHANNELS
from vision.polygons import reach_of
from vision.reading import Pixels

PLAN = Plan(0, (16, 24, 40, 56, 64), (True, True, True, True, False), 48, CHANNELS)
CPU = torch.device("cpu")
BATCH = 128
PEAK_RATE = 3e-3

AVERAGE_DECAY = 0.998
LEAST_SEEN = 0.85
NEAR = 0.6  # circumradii between a die and the face that the detector found of it

Die = dict[str, Any]
Network = Callable[[torch.Tensor], torch.Tensor]
"""Of crops (n, 5, 48, 48), 0 to 1, its scores (n, answers)."""


def pictures_in(
    folder: Path, detector: Detector, is_wanted: Callable[[Die], bool] = lambda _: True
) -> Iterator[tuple[Pixels, dict[str, Any], list[Die], list[Found]]]:
    """Frame, its label, the dice that stand or lean in it, and the upper faces that the detector finds.

    Raises ``FileNotFoundError`` where a picture is missing.
    """
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        label = json.loads(line)
        own = [d for d in label["dice"] if d.get("state", "flat") in ("flat", "cocked") and not d.get("ignore")]
        own = [d for d in own if d.get("visible_fraction", 1.0) > LEAST_SEEN and is_wanted(d)]
        if not own:
            continue
        picture = cv2.imread(str(folder / label["image"]))
        if picture is None:
            raise FileNotFoundError(folder / label["image"])
        frame = np.asarray(picture, np.uint8)
        yield frame, label, own, upper_faces(detector, frame)


def outline_found(corners: NDArray[Any], faces: Sequence[Found]) -> NDArray[Any] | None:
    """The detector's outline (k, 2) of the face that has those ``corners`` (k, 2); None where it found none."""
    middle, reach = corners.mean(axis=0), reach_of(corners)
    near = [face for face in faces if math.dist(face.center_px, middle) < NEAR * reach]
    near = [face for face in near if len(face.outline_px) == len(corners)]
    return np.array(near[0].outline_px) if near else None


def dice_found(
    folder: Path, detector: Detector, is_wanted: Callable[[Die], bool] = lambda _: True
) -> Iterator[tuple[Pixels, dict[str, Any], Die, NDArray[Any]]]:
    """Frame, the picture's label, the die's, and the detector's outline (k, 2) of each die that stands or leans.

    Raises ``FileNotFoundError`` where a picture is missing.
    """
    for frame, label, dice, faces in pictures_in(folder, detector, is_wanted):
        for die in dice:
            outline = outline_found(np.array(die["top_quad_px"], np.float64), faces)
            if outline is not None:
                yield frame, label, die, outline


def lit_otherwise(crops: torch.Tensor, random: torch.Generator) -> torch.Tensor:
    """Crops (n, 5, 48, 48) lighter or darker, more or less colourful, noisier; the silhouettes stay."""
    n = len(crops)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=random, device=random.device)

    light = crops[:, :2] * torch.exp(0.15 * normal(n, 2, 1, 1))
    colour = (crops[:, 2:4] - 0.5) * torch.exp(0.2 * normal(n, 1, 1, 1)) + 0.5
    seen = torch.cat([light, colour + 0.02 * normal(n, 2, 1, 1)], 1)
    loud = 0.03 * torch.rand(n, 1, 1, 1, generator=random, device=random.device)
    seen = seen + loud * normal(*seen.shape)
    return torch.cat([seen.clamp(0, 1), crops[:, 4:]], 1)


def descend(
    loss_of: Callable[[Network], torch.Tensor],
    answers: int,
    steps: int,
    seed: int,
    begin_with: Faces | None = None,
    device: torch.device = CPU,
) -> Faces:
    """The running mean of a network over so many steps; ``loss_of`` gives the loss of a batch of its choice.

    ``begin_with`` is a trained one to go on from, at a quarter of the rate. The crops are on the ``device``, too.
    """
    torch.manual_seed(seed)
    network = (begin_with or Faces(answers, PLAN)).to(device, memory_format=torch.channels_last)
    peak = PEAK_RATE if begin_with is None else PEAK_RATE / 4

    def scores(crops: torch.Tensor) -> torch.Tensor:
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=HALVED or device.type == "cuda"):
            said: torch.Tensor = network(crops.contiguous(memory_format=torch.channels_last))
        return said.float()

    optimizer = torch.optim.AdamW(network.parameters(), peak, weight_decay=1e-2)
    mean = RunningMean(network, AVERAGE_DECAY)
    recent: float | None = None
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = peak * _part_of_rate(step, steps)
        loss = loss_of(scores)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recent = loss.item() if recent is None else 0.98 * recent + 0.02 * loss.item()
        mean.follow()
        if step % max(1, steps // 10) == 0:
            print(f"{100 * step / steps:3.0f} %  loss {recent:.3f}", flush=True)
    return mean.network.cpu().eval()


def _part_of_rate(step: int, steps: int) -> float:
    """How much of the highest learning rate: a short rise, then half a cosine down."""
    return min(1.0, step / 200 + 0.02) * max(0.01, 0.5 * (1 + math.cos(math.pi * step / steps)))


def options(module: str, description: str, passes: float) -> argparse.ArgumentParser:
    """The options that these trainings have in common."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("out", type=Path)
    parser.add_argument("--held-back", nargs="+", type=Path, required=True)
    parser.add_argument("--keep", type=Path, help="where crops are kept, or were kept before (.npz)")
    parser.add_argument(
        "--found-by", type=Path, help="the detector (.onnx) whose outlines it learns from; else the usual"
    )
    parser.add_argument("--passes", type=float, default=passes)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--begin-with", type=Path, help="a network (.onnx) to train further, its card beside it")
    return parser


def detector_of(asked: argparse.Namespace) -> Detector:
    """The detector that finds the faces from which it learns."""
    return Detector(asked.found_by.read_bytes() if asked.found_by else detector_network())


def begun(asked: argparse.Namespace, answers: int) -> Faces | None:
    """The network that is asked to be trained further."""
    return from_onnx(asked.begin_with.read_bytes(), answers, PLAN) if asked.begin_with else None
