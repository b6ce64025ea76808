"""The reader: one frame in, one reading out."""

from collections.abc import Collection, Mapping

import numpy as np

from vision.reading import BadFrame, Pixels, Reading
from vision.trace import Stage, Trace


class Reader:
    """Reads the frames of one camera.

    >>> reader = Reader()
    >>> reader.read(np.zeros((48, 64, 3), np.uint8)).calibration
    'none'

    The pose of the camera above the mat is kept from frame to frame and only checked. ``network`` is the trained
    face network (ONNX bytes), ``profile`` what stands in for the mat; both may be missing.
    """

    def __init__(self, profile: object | None = None, network: bytes | None = None) -> None:
        self._profile = profile
        self._network = network

    def read(
        self, frame: Pixels, kinds: Collection[str] | None = None, expect: Mapping[str, int] | None = None
    ) -> Reading:
        """What lies in the tray; raises ``BadFrame`` for an array that is no uint8 (height, width, 3) picture."""
        return self.read_with_trace(frame, kinds, expect)[0]

    def read_with_trace(
        self, frame: Pixels, kinds: Collection[str] | None = None, expect: Mapping[str, int] | None = None
    ) -> tuple[Reading, Trace]:
        """As ``read``, with the pictures of every stage."""
        _check(frame)
        return Reading("none", (), ()), Trace((Stage("picture", "as given", frame),))


def _check(frame: Pixels) -> None:
    if not isinstance(frame, np.ndarray) or frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3:
        raise BadFrame("a frame is a uint8 array of shape (height, width, 3)")
