"""Writes a trained network as plain ONNX, node by node, so that any OpenCV from 4.10 on reads it; and its weights
again, for one that is trained further.

Opset 11 and four operators (Conv, Relu, MaxPool, Gemm with a Flatten before it) leave no exporter's whims in the
file.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Weights = tuple[NDArray[Any], NDArray[Any]]
"""A layer's weights and bias."""

OPSET = 11


def onnx_bytes(
    convolutions: Sequence[Weights], pool_after: Sequence[bool], dense: Sequence[Weights], side_px: int
) -> bytes:
    """The file's content: 3x3 convolutions with ReLU (and 2x2 max pooling where asked), then dense layers.

    ``convolutions`` hold (out, in, 3, 3) and (out); ``dense`` (out, in) and (out), ReLU between them. Input "patches"
    (n, in, side, side), output "scores" (n, classes).
    """
    nodes, tensors = [], []
    flow = "patches"

    def held(name: str, values: NDArray[Any]) -> str:
        tensors.append(numpy_helper.from_array(np.ascontiguousarray(values, np.float32), name))
        return name

    for i, ((weight, bias), pooled) in enumerate(zip(convolutions, pool_after, strict=True)):
        inputs = [flow, held(f"w{i}", weight), held(f"b{i}", bias)]
        nodes.append(
            helper.make_node("Conv", inputs, [f"c{i}"], kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[1, 1])
        )
        nodes.append(helper.make_node("Relu", [f"c{i}"], [f"r{i}"]))
        flow = f"r{i}"
        if pooled:
            nodes.append(helper.make_node("MaxPool", [flow], [f"p{i}"], kernel_shape=[2, 2], strides=[2, 2]))
            flow = f"p{i}"
    nodes.append(helper.make_node("Flatten", [flow], ["flat"], axis=1))
    flow = "flat"
    for i, (weight, bias) in enumerate(dense):
        last = i == len(dense) - 1
        out = "scores" if last else f"d{i}"
        inputs = [flow, held(f"dw{i}", weight), held(f"db{i}", bias)]
        nodes.append(helper.make_node("Gemm", inputs, [out], transB=1))
        flow = out
        if not last:
            nodes.append(helper.make_node("Relu", [out], [f"dr{i}"]))
            flow = f"dr{i}"
    classes = len(dense[-1][1])
    shape = ["n", convolutions[0][0].shape[1], side_px, side_px]
    graph = helper.make_graph(
        nodes,
        "faces",
        [helper.make_tensor_value_info("patches", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", classes])],
        tensors,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="croupier")
    model.ir_version = 7
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def weights_in(onnx_file: bytes) -> dict[str, NDArray[Any]]:
    """The weights and biases in a file, float32, by the names that it was written with."""
    return {
        tensor.name: numpy_helper.to_array(tensor).copy()
        for tensor in onnx.load_from_string(onnx_file).graph.initializer
    }
