"""Fits the detector to crops."""

import time
from collections.abc import Callable, Iterator, Sequence
from queue import Queue
from threading import Thread

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, smooth_l1_loss

from calibration.detection.crops import Crop, Source, crops
from calibration.detection.network import DetectorNetwork
from calibration.training.fit import HALVED
from calibration.training.running_mean import RunningMean
from vision.detector import CLASSES

BATCH = 16
PEAK_RATE = 4e-3
AVERAGE_DECAY = 0.997
OUTLINE_WEIGHT = 8.0


def _loss(said: torch.Tensor, truth: torch.Tensor, taught: torch.Tensor) -> torch.Tensor:
    """Focal loss of the scores (as in CenterNet, with soft targets) and the outline's distance at the middles."""
    n = len(CLASSES)
    score, target = said[:, :n], truth[:, :n]
    chance = torch.sigmoid(score)
    plain = binary_cross_entropy_with_logits(score, target, reduction="none")
    focal = plain * (target - chance).abs() ** 2 * (1 + 3 * (target == 1).float())
    middles = (target == 1).sum().clamp(min=1)
    scores = (focal * taught[:, :1]).sum() / middles
    own = taught[:, 1:2]
    outline = smooth_l1_loss(said[:, n:], truth[:, n:], reduction="none", beta=0.1)
    five = (truth[:, n + 7 :].abs().sum(1, keepdim=True) > 0).float()
    weights = own.expand(-1, 9, -1, -1).clone()
    weights[:, 5:7] *= 1 - five
    weights[:, 7:9] *= five
    return scores + OUTLINE_WEIGHT * (outline * weights).sum() / weights.sum().clamp(min=1)


def _batches(made: Iterator[Crop]) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    while True:
        part = [next(made) for _ in range(BATCH)]
        pictures = np.stack([c.picture for c in part]).transpose(0, 3, 1, 2)
        yield (
            torch.from_numpy(np.ascontiguousarray(pictures)).float() / 255,
            torch.from_numpy(np.stack([c.truth for c in part])),
            torch.from_numpy(np.stack([c.taught for c in part])),
        )


def _ahead(sources: Sequence[Source], seed: int) -> "Queue[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]":
    """Batches made by another thread while the network learns (OpenCV and numpy let go of the interpreter)."""
    queue: Queue[tuple[torch.Tensor, torch.Tensor, torch.Tensor]] = Queue(4)

    def fill() -> None:
        for batch in _batches(crops(sources, np.random.default_rng(seed))):
            queue.put(batch)

    Thread(target=fill, daemon=True).start()
    return queue


def fit(
    sources: Sequence[Source],
    seconds: float,
    seed: int,
    tell: Callable[[str], None],
    begin_with: DetectorNetwork | None = None,
) -> DetectorNetwork:
    """A network trained on crops of ``sources`` for about ``seconds``, from ``begin_with`` on where it is given."""
    torch.manual_seed(seed)
    network = (begin_with or DetectorNetwork()).to(memory_format=torch.channels_last)
    peak = PEAK_RATE if begin_with is None else PEAK_RATE / 4
    optimizer = torch.optim.AdamW(network.parameters(), peak, weight_decay=1e-3)
    mean = RunningMean(network, AVERAGE_DECAY)
    queue = _ahead(sources, seed)
    begin = time.monotonic()
    step, told, recent = 0, 0.0, 0.0
    while (done := (time.monotonic() - begin) / seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = float(peak * min(1.0, step / 100 + 0.02) * max(0.01, 0.5 * (1 + np.cos(np.pi * done))))
        picture, truth, taught = queue.get()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALVED):
            said = network(picture.contiguous(memory_format=torch.channels_last))
        loss = _loss(said.float(), truth, taught)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        step += 1
        recent = loss.item() if step == 1 else 0.98 * recent + 0.02 * loss.item()
        mean.follow()
        if done - told > 0.05:
            told = done
            tell(f"{100 * done:3.0f} %  step {step}  loss {recent:.3f}")
    return mean.network.eval()
