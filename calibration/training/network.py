"""The face networks as PyTorch trains them: five 3x3 convolutions and two dense layers."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from calibration.training.onnx_file import onnx_bytes, weights_in
from vision.patches import PATCH_SIDE_PX, WIDE_PATCH_PX


@dataclass(frozen=True)
class Plan:
    """A network's shape: ``margin_px`` cut from each side of a patch, then 3x3 convolutions, then a dense layer.

    ``inputs`` are the channels of what it looks at, ``patch_px`` is how wide that is.
    """

    margin_px: int
    channels: tuple[int, ...]
    pool_after: tuple[bool, ...]
    hidden: int
    inputs: int = 3
    patch_px: int = PATCH_SIDE_PX

    @property
    def side_px(self) -> int:
        return self.patch_px - 2 * self.margin_px


FACES = Plan(0, (16, 24, 40, 56, 64), (True, True, False, True, True), 48)
"""For all faces: 380 kB and 8 million multiplications a patch; eight take a few milliseconds on one core."""

NUMBERS = Plan(4, (24, 32, 56, 72, 80), (True, False, True, False, True), 64)
"""For numbers alone, seen closer: 19 million multiplications a patch."""

REDS = Plan(0, (16, 24, 40, 56, 64), (True, True, False, True, True), 48, patch_px=WIDE_PATCH_PX)
"""For red faces with their sides: 15 million multiplications a patch."""


class Faces(nn.Module):
    """Takes (n, inputs, side, side), gives scores (n, classes). Its ONNX file takes the middle, as its plan looks."""

    def __init__(self, classes: int, plan: Plan = FACES) -> None:
        super().__init__()
        self.plan = plan
        before = (plan.inputs, *plan.channels[:-1])
        self.convolutions = nn.ModuleList(
            nn.Conv2d(i, o, 3, padding=1) for i, o in zip(before, plan.channels, strict=True)
        )
        self.norms = nn.ModuleList(nn.BatchNorm2d(c) for c in plan.channels)
        flat = plan.channels[-1] * (plan.side_px // 2 ** sum(plan.pool_after)) ** 2
        self.hidden = nn.Linear(flat, plan.hidden)
        self.drop = nn.Dropout(0.1)
        self.last = nn.Linear(plan.hidden, classes)

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        middle = slice(self.plan.margin_px, self.plan.patch_px - self.plan.margin_px)
        flow = patches[:, :, middle, middle]
        for convolution, norm, pooled in zip(self.convolutions, self.norms, self.plan.pool_after, strict=True):
            flow = torch.relu(norm(convolution(flow)))
            if pooled:
                flow = torch.max_pool2d(flow, 2)
        return self.last(self.drop(torch.relu(self.hidden(flow.flatten(1)))))

    def to_onnx(self, temperature: float) -> bytes:
        """The ONNX file: norms folded into the convolutions, scores divided by ``temperature``."""
        self.eval()
        folded = []
        for convolution, norm in zip(self.convolutions, self.norms, strict=True):
            fused = fuse_conv_bn_eval(convolution, norm)
            folded.append((_array(fused.weight), _array(fused.bias)))
        last = (_array(self.last.weight) / temperature, _array(self.last.bias) / temperature)
        hidden = (_array(self.hidden.weight), _array(self.hidden.bias))
        return onnx_bytes(folded, self.plan.pool_after, [hidden, last], self.plan.side_px)


def from_onnx(onnx_file: bytes, classes: int, plan: Plan = FACES) -> Faces:
    """The network in a file that ``to_onnx`` wrote, to be trained further; its norms only scale and shift now."""
    held = {name: torch.from_numpy(weights) for name, weights in weights_in(onnx_file).items()}
    network = Faces(classes, plan)
    with torch.no_grad():
        for i, (convolution, norm) in enumerate(zip(network.convolutions, network.norms, strict=True)):
            convolution.weight.copy_(held[f"w{i}"])
            convolution.bias.zero_()
            norm.bias.copy_(held[f"b{i}"])
            norm.running_var.fill_(1 - norm.eps)
            norm.eval()
        for i, dense in enumerate((network.hidden, network.last)):
            dense.weight.copy_(held[f"dw{i}"])
            dense.bias.copy_(held[f"db{i}"])
    return network


def between(before: Faces, after: Faces, share: float) -> Faces:
    """A network whose weights lie between two: ``share`` of ``after``, which was trained further from ``before``.

    It keeps of the first what the second has forgotten (Wortsman et al., Robust fine-tuning of zero-shot models,
    2022). Both are of one plan.
    """
    first, second = before.state_dict(), after.state_dict()
    mean = {
        name: torch.lerp(first[name], weights, share) if weights.is_floating_point() else weights
        for name, weights in second.items()
    }
    network = Faces(len(mean["last.bias"]), after.plan)
    network.load_state_dict(mean)
    return network.eval()


def share_of(before: bytes, after: bytes, share: float, classes: int, plan: Plan = FACES) -> bytes:
    """``between`` of two ONNX files, as one; the confidence of each is scaled already."""
    first, second = (from_onnx(one, classes, plan) for one in (before, after))
    return between(first, second, share).to_onnx(1.0)


def _array(values: torch.Tensor) -> np.ndarray:
    return values.detach().cpu().numpy().astype(np.float32)
