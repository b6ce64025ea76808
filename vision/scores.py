"""A trained network in memory that scores pictures of one size: plain ONNX, run by ``cv2.dnn``."""

import cv2
import numpy as np
import numpy.typing as npt


class Scores:
    """What a network says of a batch, ready to run; not for two threads at once.

    ``onnx`` is the file's content, ``shape`` what it takes of each picture (channels, rows, columns), ``name`` what
    errors call it; ``outputs`` says how many scores it gives. Raises ``ValueError`` if OpenCV cannot read it.
    """

    def __init__(self, onnx: bytes, shape: tuple[int, int, int], name: str) -> None:
        try:
            self._net = cv2.dnn.readNetFromONNX(np.frombuffer(onnx, np.uint8))
            self.outputs = self.of(np.zeros((1, *shape), np.float32)).shape[1]
        except cv2.error as problem:
            raise ValueError(f"{name} is no ONNX file that OpenCV can read") from problem

    def of(self, batch: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The scores (n, outputs) of pictures (n, channels, rows, columns), contiguous in memory."""
        self._net.setInput(batch)
        return np.asarray(self._net.forward(), np.float32).reshape(len(batch), -1)
