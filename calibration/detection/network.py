"""The detector as PyTorch trains it: down to a sixteenth and up again to a quarter of the picture, 300 kB."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from calibration.training.onnx_file import weights_in
from vision.detector import CHANNELS, CLASSES

OPSET = 11


@dataclass(frozen=True)
class Widths:
    """How many channels the network has at each size of the picture, and last of all before what it says."""

    halved: int
    quarter: int
    eighth: int
    sixteenth: int
    last: int

    @property
    def layers(self) -> tuple[tuple[str, int, int, int], ...]:
        """Name, what it takes, what it gives, stride: 3x3 convolutions with ReLU, in order."""
        half, four, eight, most = self.halved, self.quarter, self.eighth, self.sixteenth
        down = (("halved", 3, half, 2), ("quarter", half, four, 2), ("quarter2", four, four, 1))
        more = (("eighth", four, eight, 2), ("eighth2", eight, eight, 1), ("sixteenth", eight, most, 2))
        most_down = (("sixteenth2", most, most, 1), ("sixteenth3", most, most, 1))
        return (*down, *more, *most_down, ("back8", eight, eight, 1), ("back4", four, self.last, 1))


DETECTOR = Widths(16, 24, 48, 72, 40)


class DetectorNetwork(nn.Module):  # type: ignore[misc, unused-ignore]
    """Takes (n, 3, height, width), both multiples of 16; gives (n, channels, height / 4, width / 4)."""

    def __init__(self, channels: int = CHANNELS, widths: Widths = DETECTOR) -> None:
        super().__init__()
        self._channels = channels
        self.layers = nn.ModuleDict(
            {name: nn.Conv2d(i, o, 3, stride, 1, bias=False) for name, i, o, stride in widths.layers}
        )
        self.norms = nn.ModuleDict({name: nn.BatchNorm2d(o) for name, _, o, _ in widths.layers})
        self.up8 = nn.ConvTranspose2d(widths.sixteenth, widths.eighth, 2, 2)
        self.up4 = nn.ConvTranspose2d(widths.eighth, widths.quarter, 2, 2)
        self.head = nn.Conv2d(widths.last, channels, 1)
        if channels == CHANNELS:
            nn.init.constant_(self.head.bias[: len(CLASSES)], -4.0)

    def _run(self, name: str, flow: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.norms[name](self.layers[name](flow)))

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        flow = picture
        for name in ("halved", "quarter", "quarter2"):
            flow = self._run(name, flow)
        quarter = flow
        for name in ("eighth", "eighth2"):
            flow = self._run(name, flow)
        eighth = flow
        for name in ("sixteenth", "sixteenth2", "sixteenth3"):
            flow = self._run(name, flow)
        flow = self._run("back8", torch.relu(self.up8(flow) + eighth))
        flow = self._run("back4", torch.relu(self.up4(flow) + quarter))
        head: torch.Tensor = self.head(flow)
        return head

    def to_onnx(self) -> bytes:
        """The ONNX file: Conv, Transpose, Reshape, Add and Relu alone, which every OpenCV from 4.10 on reads."""
        self.eval()
        nodes: list[Any] = []
        tensors: list[Any] = []

        def held(name: str, values: torch.Tensor) -> str:
            array: NDArray[np.float32] = values.detach().cpu().numpy().astype(np.float32)
            tensors.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
            return name

        def sized(name: str, last: int) -> str:
            tensors.append(numpy_helper.from_array(np.array([0, 0, -1, last], np.int64), name))
            return name

        def convolve(name: str, flow: str) -> str:
            fused = fuse_conv_bn_eval(self.layers[name], self.norms[name])
            inputs = [flow, held(name + "_w", fused.weight), held(name + "_b", fused.bias)]
            stride = self.layers[name].stride[0]
            nodes.append(
                helper.make_node(
                    "Conv", inputs, [name + "_c"], kernel_shape=[3, 3], pads=[1] * 4, strides=[stride] * 2
                )
            )
            nodes.append(helper.make_node("Relu", [name + "_c"], [name]))
            return name

        def grow(name: str, layer: nn.ConvTranspose2d, flow: str, beside: str) -> str:
            width = layer.out_channels
            # Of each of four places of a cell one 1x1 convolution; a ConvTranspose takes OpenCV eight times as long.
            inputs = [flow, held(name + "_w", _spread(layer.weight)), held(name + "_b", layer.bias.repeat(4))]
            nodes.append(helper.make_node("Conv", inputs, [name + "_4"], kernel_shape=[1, 1]))
            nodes.append(helper.make_node("Transpose", [name + "_4"], [name + "_yx4"], perm=[0, 2, 3, 1]))
            shape = sized(name + "_across", 2 * width)
            nodes.append(helper.make_node("Reshape", [name + "_yx4", shape], [name + "_yx2"]))
            nodes.append(helper.make_node("Transpose", [name + "_yx2"], [name + "_xy2"], perm=[0, 2, 1, 3]))
            shape = sized(name + "_down", width)
            nodes.append(helper.make_node("Reshape", [name + "_xy2", shape], [name + "_xy"]))
            nodes.append(helper.make_node("Transpose", [name + "_xy"], [name + "_t"], perm=[0, 3, 2, 1]))
            nodes.append(helper.make_node("Add", [name + "_t", beside], [name + "_a"]))
            nodes.append(helper.make_node("Relu", [name + "_a"], [name]))
            return name

        flow = "picture"
        for name in ("halved", "quarter", "quarter2", "eighth", "eighth2", "sixteenth", "sixteenth2", "sixteenth3"):
            flow = convolve(name, flow)
        flow = convolve("back8", grow("up8", self.up8, flow, "eighth2"))
        flow = convolve("back4", grow("up4", self.up4, flow, "quarter2"))
        inputs = [flow, held("head_w", self.head.weight), held("head_b", self.head.bias)]
        nodes.append(helper.make_node("Conv", inputs, ["maps"], kernel_shape=[1, 1]))
        # A size must be named for OpenCV 4.10 to add maps; pictures of any other are taken all the same.
        graph = helper.make_graph(
            nodes,
            "detector",
            [helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, 256, 256])],
            [helper.make_tensor_value_info("maps", TensorProto.FLOAT, [1, self._channels, 64, 64])],
            tensors,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="croupier")
        model.ir_version = 7
        onnx.checker.check_model(model)
        return bytes(model.SerializeToString())


def from_onnx(onnx_file: bytes) -> DetectorNetwork:
    """The detector in a file that ``to_onnx`` wrote, to be trained further; its norms only scale and shift now."""
    held = {name: torch.from_numpy(weights) for name, weights in weights_in(onnx_file).items()}
    network = DetectorNetwork()
    with torch.no_grad():
        for name, convolution in network.layers.items():
            convolution.weight.copy_(held[name + "_w"])
            norm = network.norms[name]
            norm.bias.copy_(held[name + "_b"])
            norm.running_var.fill_(1 - norm.eps)
            norm.eval()
        for name, up in (("up8", network.up8), ("up4", network.up4)):
            up.weight.copy_(_gathered(held[name + "_w"]))
            up.bias.copy_(held[name + "_b"][: up.out_channels])
        network.head.weight.copy_(held["head_w"])
        network.head.bias.copy_(held["head_b"])
    return network


def _spread(weight: torch.Tensor) -> torch.Tensor:
    """The weights (in, out, 2, 2) of a transposed convolution as those (4 out, in, 1, 1) of one for all four places.

    >>> weight = torch.rand(3, 5, 2, 2)
    >>> bool((_gathered(_spread(weight)) == weight).all())
    True
    """
    taken, given = weight.shape[:2]
    return weight.permute(3, 2, 1, 0).reshape(4 * given, taken, 1, 1)


def _gathered(weight: torch.Tensor) -> torch.Tensor:
    """What ``_spread`` was given."""
    places, taken = weight.shape[:2]
    return weight.reshape(2, 2, places // 4, taken).permute(3, 2, 1, 0)
