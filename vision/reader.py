"""The reader: one frame in, one reading out."""

from collections.abc import Collection, Mapping

import numpy as np

from vision.find_mat import Mat, as_grey, find_mat, is_where_it_was
from vision.fit_cubes import fit_cubes
from vision.floor import ViewMap, fit_floor
from vision.judge import judge
from vision.reading import BadFrame, Pixels, Reading
from vision.sample_faces import sample_faces
from vision.stages import draw_cubes, draw_evidence, draw_mat, draw_relative
from vision.stand_out import find_blobs, find_what_stands_out
from vision.trace import Stage, Trace

SMALLEST_SIDE_PX = 32
LARGEST_SIDE_PX = 10_000


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
        self._mat: Mat | None = None
        self._view_map: ViewMap | None = None
        self._shape: tuple[int, ...] = ()

    def read(
        self, frame: Pixels, kinds: Collection[str] | None = None, expect: Mapping[str, int] | None = None
    ) -> Reading:
        """What lies in the tray; raises ``BadFrame`` for an array that is no uint8 (height, width, 3) picture."""
        return self._read(frame, kinds, None)

    def read_with_trace(
        self, frame: Pixels, kinds: Collection[str] | None = None, expect: Mapping[str, int] | None = None
    ) -> tuple[Reading, Trace]:
        """As ``read``, with the pictures of every stage."""
        stages: list[Stage] = []
        reading = self._read(frame, kinds, stages)
        return reading, Trace(tuple(stages))

    def _read(self, frame: Pixels, kinds: Collection[str] | None, stages: list[Stage] | None) -> Reading:
        _check(frame)
        if stages is not None:
            stages.append(Stage("picture", f"as given, {frame.shape[1]} x {frame.shape[0]} px", frame))
        mat, view_map = self._find_mat(frame)
        if stages is not None:
            stages.append(draw_mat(frame, mat))
        if mat is None or view_map is None:
            return Reading("none", (), ())
        view = view_map.draw(frame)
        floor = fit_floor(view)
        if floor is None:
            return Reading("mat", (), ())
        evidence = find_what_stands_out(view, floor)
        blobs = find_blobs(evidence.mask)
        fits = fit_cubes(mat.camera, evidence, blobs)
        colors = [sample_faces(mat.camera, evidence, fit) for fit in fits]
        verdict = judge(mat.camera, blobs, fits, colors, kinds, evidence.mask.shape)
        if stages is not None:
            stages += [
                draw_relative(evidence),
                draw_evidence(evidence, blobs),
                draw_cubes(mat.camera, evidence, fits),
            ]
        return Reading("mat", verdict.dice, verdict.unread)

    def _find_mat(self, frame: Pixels) -> tuple[Mat | None, ViewMap | None]:
        grey = as_grey(frame)
        if self._mat is not None and frame.shape == self._shape and is_where_it_was(self._mat, grey):
            return self._mat, self._view_map
        self._mat = find_mat(grey)
        self._shape = frame.shape
        self._view_map = ViewMap.of(self._mat.camera) if self._mat is not None else None
        return self._mat, self._view_map


def _check(frame: Pixels) -> None:
    if not isinstance(frame, np.ndarray) or frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3:
        raise BadFrame("a frame is a uint8 array of shape (height, width, 3)")
    height, width = frame.shape[:2]
    if min(height, width) < SMALLEST_SIDE_PX:
        raise BadFrame(f"the picture is {width} x {height} px; a side of {SMALLEST_SIDE_PX} px is the least")
    if max(height, width) > LARGEST_SIDE_PX:
        raise BadFrame(f"the picture is {width} x {height} px; a side of {LARGEST_SIDE_PX} px is the most")
