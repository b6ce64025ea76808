"""The face network as PyTorch trains it: five 3x3 convolutions, two dense layers, 95,000 weights."""

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from calibration.training.onnx_file import onnx_bytes
from vision.patches import PATCH_SIDE_PX

CHANNELS = (16, 24, 40, 56, 64)
POOL_AFTER = (True, True, False, True, True)
HIDDEN = 48
"""Chosen for 400 kB and 8 million multiplications a patch: eight patches take a few milliseconds on one core."""


class Faces(nn.Module):
    """Takes (n, 3, 48, 48), gives scores (n, classes)."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        before = (3, *CHANNELS[:-1])
        self.convolutions = nn.ModuleList(
            nn.Conv2d(i, o, 3, padding=1) for i, o in zip(before, CHANNELS, strict=True)
        )
        self.norms = nn.ModuleList(nn.BatchNorm2d(c) for c in CHANNELS)
        flat = CHANNELS[-1] * (PATCH_SIDE_PX // 2 ** sum(POOL_AFTER)) ** 2
        self.hidden = nn.Linear(flat, HIDDEN)
        self.drop = nn.Dropout(0.1)
        self.last = nn.Linear(HIDDEN, classes)

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        flow = patches
        for convolution, norm, pooled in zip(self.convolutions, self.norms, POOL_AFTER, strict=True):
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
        return onnx_bytes(folded, POOL_AFTER, [hidden, last], PATCH_SIDE_PX)


def from_onnx(onnx_file: bytes, classes: int) -> Faces:
    """The network in a file that ``to_onnx`` wrote, to be trained further; its norms only scale and shift now."""
    held = {
        tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).copy())
        for tensor in onnx.load_from_string(onnx_file).graph.initializer
    }
    network = Faces(classes)
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


def _array(values: torch.Tensor) -> np.ndarray:
    return values.detach().cpu().numpy().astype(np.float32)
