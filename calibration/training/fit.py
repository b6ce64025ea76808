"""Fits the face network to patches and scales its confidence."""

import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import affine_grid, cross_entropy, grid_sample

from calibration.training.network import FACES, Faces, Plan
from calibration.training.patchset import PatchSet
from calibration.training.running_mean import RunningMean

BATCH = 256
PEAK_RATE = 4e-3
NUMBER_WEIGHT = 1.8  # numbers are looked at more often: they are the last to be learnt
HALVED = "AVX512" in torch.backends.cpu.get_cpu_capability()
"""Whether to compute in bfloat16: on a core that has it in a third of float32's time, elsewhere in 14 times that."""

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")

AVERAGE_DECAY = 0.995  # of the running mean of the weights that is kept in the end


@dataclass(frozen=True)
class Pace:
    """``batch`` patches a step; ``seconds``, where given, end a training instead of its passes."""

    batch: int = BATCH
    seconds: float | None = None


def add_pace(parser: ArgumentParser) -> None:
    """The options of trainings that may run on a graphics card."""
    parser.add_argument("--batch", type=int, default=BATCH, help="patches a step")
    parser.add_argument("--seconds", type=float, help="how long to train, whatever the passes")


def _varied(batch: torch.Tensor, five: torch.Tensor, random: torch.Generator) -> torch.Tensor:
    """Patches turned (cubes by quarters, pentagons by fifths and quarters), moved, recoloured, made noisy."""
    n = len(batch)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=random, device=random.device)

    part = torch.where(five, 18.0, 90.0)  # fifths and quarters together: a reader may turn any patch by quarters
    quarters = torch.randint(0, 20, (n,), generator=random, device=random.device)
    turn = torch.deg2rad(part * quarters + 2.5 * normal(n))
    scale = 1 + 0.025 * normal(n)
    c, s = torch.cos(turn) * scale, torch.sin(turn) * scale
    shift = 0.025 * normal(n, 2)
    theta = torch.stack([torch.stack([c, -s, shift[:, 0]], 1), torch.stack([s, c, shift[:, 1]], 1)], 1)
    grid = affine_grid(theta, list(batch.shape), align_corners=False)
    out = grid_sample(batch, grid, padding_mode="border", align_corners=False)
    level = torch.exp(0.08 * normal(n, 1, 1, 1) + 0.04 * normal(n, 3, 1, 1))
    out = out * level + 0.02 * normal(n, 1, 1, 1)
    loud = 0.03 * torch.rand(n, 1, 1, 1, generator=random, device=random.device) ** 2
    return (out + loud * normal(*out.shape)).clamp(0, 1)


def fit(
    data: PatchSet,
    five_cornered: NDArray[np.bool_],
    classes: int,
    passes: float,
    seed: int,
    tell: Callable[[str], None],
    begin_with: Faces | None = None,
    plan: Plan = FACES,
    pace: Pace = Pace(),
) -> Faces:
    """A network that has seen every patch about ``passes`` times; ``five_cornered`` marks classes of pentagons.

    ``begin_with`` is a trained one to go on from, at a quarter of the rate. It is trained on the graphics card where
    there is one, and comes back from it.
    """
    torch.manual_seed(seed)
    random = torch.Generator(DEVICE).manual_seed(seed)
    network = (begin_with or Faces(classes, plan)).to(DEVICE, memory_format=torch.channels_last)
    peak = PEAK_RATE if begin_with is None else PEAK_RATE / 4
    patches = torch.from_numpy(data.patches).to(DEVICE)
    truth = torch.from_numpy(data.classes.astype(np.int64)).to(DEVICE)
    five = torch.from_numpy(five_cornered).to(DEVICE)
    weights = torch.where(five[truth], NUMBER_WEIGHT, 1.0)
    optimizer = torch.optim.AdamW(network.parameters(), peak, weight_decay=2e-3)
    mean = RunningMean(network, AVERAGE_DECAY)
    steps = max(1, round(passes * len(data) / pace.batch))
    recent = torch.zeros((), device=DEVICE)
    step, done, told, begun = 0, 0.0, 0.0, time.monotonic()
    while done < 1:
        rate = peak * min(1.0, step / 150 + 0.02) * max(0.005, 0.5 * (1 + np.cos(np.pi * done)))
        for group in optimizer.param_groups:
            group["lr"] = float(rate)
        chosen = torch.multinomial(weights, pace.batch, replacement=True, generator=random)
        batch = patches[chosen].permute(0, 3, 1, 2).float() / 255
        varied = _varied(batch, five[truth[chosen]], random).contiguous(memory_format=torch.channels_last)
        with torch.autocast(DEVICE.type, dtype=torch.bfloat16, enabled=HALVED or DEVICE.type == "cuda"):
            loss = cross_entropy(network(varied), truth[chosen])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recent += (loss.detach() - recent) / min(step + 1, 50)
        mean.follow()
        step += 1
        if done >= told:
            tell(f"{100 * done:3.0f} %  step {step}  loss {float(recent):.3f}")
            told += 0.05
        done = (time.monotonic() - begun) / pace.seconds if pace.seconds else step / steps
    return mean.network.cpu().eval()


def scores(network: Faces, patches: NDArray[np.uint8]) -> NDArray[Any]:
    """The network's raw scores: (N, classes)."""
    with torch.no_grad():
        parts = [
            network(torch.from_numpy(patches[i : i + 512]).permute(0, 3, 1, 2).float() / 255)
            for i in range(0, len(patches), 512)
        ]
    return torch.cat(parts).numpy()


def best_temperature(raw: NDArray[Any], truth: NDArray[Any]) -> float:
    """The divisor of the scores under which their softmax fits the truth best (least cross-entropy)."""
    tried = np.exp(np.linspace(np.log(0.5), np.log(4), 60))
    losses = [
        float(cross_entropy(torch.from_numpy(raw / t), torch.from_numpy(truth.astype(np.int64)))) for t in tried
    ]
    return float(tried[int(np.argmin(losses))])
