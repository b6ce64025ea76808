"""A trained network in memory that says something of every cell of a picture: plain ONNX, run by ``cv2.dnn``."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Pixels

MULTIPLE_PX = 16  # of the pictures' sides: the network halves them four times
_REACH_PX = 96  # how far a cell looks: with that much beside its half it says the same, with 64 something else
_MOST_AT_ONCE_PX = 600_000
"""Larger pictures are looked at in halves. One of 1024x768 px takes 39 MB instead of 48, and a fifth more time."""


class MapNetwork:
    """The network, ready to run; not for two threads at once.

    ``onnx`` is the file's content, ``channels`` what it says of each cell, ``name`` what errors call it. Raises
    ``ValueError`` if OpenCV cannot read it or it is another network.
    """

    def __init__(self, onnx: bytes, channels: int, name: str) -> None:
        self._onnx = np.frombuffer(onnx, np.uint8)
        self._net: cv2.dnn.Net | None = None
        try:
            given = self.maps(np.zeros((64, 64, 3), np.uint8)).shape[0]
        except cv2.error as problem:
            raise ValueError(f"{name} is no ONNX file that OpenCV can read") from problem
        if given != channels:
            raise ValueError(f"{name} has {given} channels; {channels} are needed")

    def maps(self, picture: Pixels) -> npt.NDArray[np.float32]:
        """The maps of a picture (uint8 BGR): (channels, rows, columns)."""
        height, width = picture.shape[:2]
        more = (0, -height % MULTIPLE_PX, 0, -width % MULTIPLE_PX)
        padded = np.asarray(cv2.copyMakeBorder(picture, *more, cv2.BORDER_REPLICATE), np.uint8)
        rows, columns = padded.shape[:2]
        if rows * columns <= _MOST_AT_ONCE_PX:
            return self._at_once(padded)
        longer = 0 if rows > columns else 1
        half = padded.shape[longer] // 2 // MULTIPLE_PX * MULTIPLE_PX
        before, between, after = np.split(padded, [half - _REACH_PX, half + _REACH_PX], axis=longer)
        first = self._at_once(np.concatenate([before, between], axis=longer))
        second = self._at_once(np.concatenate([between, after], axis=longer))
        cell = (half + _REACH_PX) // first.shape[1 + longer]
        ours, _ = np.split(first, [half // cell], axis=1 + longer)
        _, theirs = np.split(second, [_REACH_PX // cell], axis=1 + longer)
        return np.concatenate([ours, theirs], axis=1 + longer)

    def _at_once(self, picture: Pixels) -> npt.NDArray[np.float32]:
        if self._net is None:
            self._net = cv2.dnn.readNetFromONNX(self._onnx)
        self._net.setInput(cv2.dnn.blobFromImage(picture, 1 / 255))
        return np.asarray(self._net.forward()[0], np.float32)

    def rest(self) -> None:
        """Give back the memory that pictures took (75 MB after one of 1296x972); loading it anew takes 3 ms."""
        self._net = None
