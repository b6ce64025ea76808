"""Whether a die stands, seen by a small network: its picture beside where its sides must be if it does.

A die that leans by 15 degrees shows almost the upper face of one that stands; what differs is which sides are seen,
and how much of them. The network therefore gets the die's surroundings together with the silhouette of a standing die
in that place (from the mat's pose, or from what cameras above trays usually are), and tells whether both agree.
``calibration.training.leaning`` trains it.
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.order import medians, percentiles
from vision.polygons import reach_of
from vision.reading import Floats, Pixels, Point
from vision.scores import Scores

CROP_PX = 48
CHANNELS = 5
"""Of a crop: lightness, edges, two of colour, and the silhouette."""

HEIGHTS = {4: np.sqrt(2), 5: 2.618}
"""Of a cube and of a twelve-sided die, by the corners of the upper face, in its circumradii."""

USUAL_FOCAL = 0.85
"""Of cameras, in widths of the picture: Camera Module 2 has 0.83, 3 has 0.87."""

_RADIUS_PX = 12.0  # of an upper face's corners in the crop: a die of any height fits in
_OVERSAMPLING = 2  # what is larger in the picture than in the crop is averaged, not skipped
_BELT = 1.618  # circumradii of an upper pentagon to the belt's corners
_CHROMA_UNIT = 100.0  # CIE Lab
_SLOPE_UNIT = 25.0  # CIE lightness per px of the crop
_RIM = 3
_AVERAGED_BELOW = 0.7  # times, by which a picture is made smaller

Crop = npt.NDArray[np.float32]

WAYS = ((1, 1), (-1, -1), (1, -1), (-1, 1))
"""In which a crop is seen: mirrored (-1) or not, downwards and across."""


def usual_base(outline: Floats, shape: tuple[int, ...]) -> Floats:
    """Where the base's middle appears (px) of a die with that upper face (k, 2) below a usual camera.

    ``shape`` is the picture's, the camera looks straight down in its middle.
    """
    middle = outline.mean(axis=0)
    foot = np.array([shape[1] - 1, shape[0] - 1]) / 2
    reach = reach_of(outline)
    height = reach * HEIGHTS[len(outline)]  # as long as it would seem, lying at the upper face's level
    focal = USUAL_FOCAL * shape[1]
    return np.asarray(foot + (middle - foot) / (1 + height / focal))


def lean_crop(frame: Pixels, outline: Floats, base: Floats) -> Crop:
    """What the network sees of one die: float32 (48, 48, 5), 0 to 1.

    ``outline`` (k, 2) is the upper face in ``frame`` (uint8 BGR), ``base`` (2,) where the middle of its base must
    appear. Channel 0 is lightness, 1 edges, 2 and 3 how far the colour is from that around (a* and b* of CIE Lab,
    about one half), 4 the silhouette of a standing die.
    """
    return lean_crops(frame, [outline], [base])[0]


def lean_crops(
    frame: Pixels, outlines: Sequence[Floats], bases: Sequence[Floats], radius_px: float = _RADIUS_PX
) -> list[Crop]:
    """The same of several dice, which takes less time for all together; with less ``radius_px`` more is around."""
    if not len(outlines):
        return []
    seen, masks = [], []
    for outline, base in zip(outlines, bases, strict=True):
        middle = outline.mean(axis=0)
        off = outline - middle
        radius = float(np.sqrt((off * off).sum(axis=1)).mean())
        # The crop lies about the middle of the silhouette, not about that of the upper face.
        center = (middle + base) / 2
        scale = radius_px / max(radius, 1e-3)
        seen.append(_cut(frame, center, _OVERSAMPLING * scale))
        mask = np.zeros((CROP_PX, CROP_PX), np.uint8)
        whole, top = _silhouette(outline, base, _onto_square(center, scale, CROP_PX))
        cv2.fillConvexPoly(mask, whole, 128, cv2.LINE_AA, 4)
        cv2.fillConvexPoly(mask, top, 255, cv2.LINE_AA, 4)
        masks.append(mask)
    together = np.concatenate(seen).astype(np.float32) / 255
    lab = np.asarray(cv2.cvtColor(together, cv2.COLOR_BGR2Lab), np.float32).reshape(-1, CROP_PX, CROP_PX, 3)
    strips = (lab[:, :_RIM], lab[:, -_RIM:], lab[:, :, :_RIM], lab[:, :, -_RIM:])
    rims = np.concatenate([strip[..., 1:].reshape(len(lab), -1, 2) for strip in strips], axis=1)
    channels = np.empty((*lab.shape[:3], CHANNELS), np.float32)
    lightest = percentiles(lab[..., 0].reshape(len(lab), -1), 95)
    channels[..., 0] = lab[..., 0] * (0.8 / np.maximum(lightest, 20.0)).astype(np.float32)[:, None, None]
    for i, light in enumerate(lab[..., 0]):
        across, down = (cv2.Sobel(light, cv2.CV_32F, *axis, scale=0.125) for axis in ((1, 0), (0, 1)))
        channels[i, ..., 1] = cv2.magnitude(across, down)
    # A side in shade may be as dark as the floor, but for a faint line: hence the root.
    channels[..., 1] = np.sqrt(channels[..., 1] / np.float32(_SLOPE_UNIT))
    around = medians(rims.swapaxes(1, 2)).astype(np.float32)
    channels[..., 2:4] = (lab[..., 1:] - around[:, None, None]) / np.float32(_CHROMA_UNIT) + np.float32(0.5)
    channels[..., 4] = np.stack(masks).astype(np.float32) / 255
    return list(np.clip(channels, 0, 1, out=channels))


def _cut(frame: Pixels, center: Floats, scale: float) -> Pixels:
    """The crop's part of a frame, ``scale`` its size before what lies between pixels is averaged."""
    side = _OVERSAMPLING * CROP_PX
    if scale < _AVERAGED_BELOW:
        about = _square_about(frame, center, side / scale)
        about = np.asarray(cv2.GaussianBlur(about, (0, 0), 0.4 / scale), np.uint8)
        seen = cv2.resize(about, (side, side), interpolation=cv2.INTER_AREA)
    else:
        onto = _onto_square(center, scale, side)
        seen = cv2.warpAffine(frame, onto, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(seen, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA), np.uint8)


def _onto_square(center: Floats, scale: float, side: int) -> Floats:
    """The affine map (2, 3) that brings ``center`` to the middle of a square of so many pixels."""
    return np.column_stack([scale * np.eye(2), side / 2 - 0.5 - scale * center])


def _square_about(frame: Pixels, center: Floats, side: float) -> Pixels:
    """A square of the frame, its border going on beyond it."""
    size = max(round(side), 2)
    return np.asarray(cv2.getRectSubPix(frame, (size, size), (float(center[0]), float(center[1]))), np.uint8)


def standing_hull(outline: Floats, base: Floats) -> Floats:
    """What a standing die covers (px, (n, 2)) with that upper face (k, 2) and the middle of its base there (2,)."""
    middle = outline.mean(axis=0)
    if len(outline) == 4:
        lower = outline - middle + base
    else:
        lower = (np.concatenate([outline, 2 * middle - outline]) - middle) * _BELT + (middle + base) / 2
    hull = cv2.convexHull(np.concatenate([outline, lower]).astype(np.float32)).reshape(-1, 2)
    return np.asarray(hull, np.float64)


def _silhouette(
    outline: Floats, base: Floats, to_crop: Floats
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The hull of a standing die and its upper face, in sixteenths of the crop's px."""
    hull = standing_hull(outline, base)
    return tuple(  # type: ignore[return-value]
        np.round((np.asarray(points) @ to_crop[:, :2].T + to_crop[:, 2]) * 16).astype(np.int32)
        for points in (hull, outline)
    )


class CropNetwork:
    """A network that looks at such crops, in memory; not for two threads at once.

    ``onnx`` is the file's content, ``answers`` how many outputs it has, ``name`` what errors call it. Raises
    ``ValueError`` if OpenCV cannot read it or it is another network.
    """

    def __init__(self, onnx: bytes, answers: int, name: str = "the network of leaning dice") -> None:
        self._scores = Scores(onnx, (CHANNELS, CROP_PX, CROP_PX), name)
        if self._scores.outputs != answers:
            raise ValueError(f"{name} has {self._scores.outputs} outputs, not {answers}")
        self._answers = answers

    def scores(self, crops: Sequence[Crop], ways: Sequence[tuple[int, int]] = WAYS) -> npt.NDArray[np.float64]:
        """What it says of each crop, the mean of the ``ways`` in which it is seen: logits, (n, answers)."""
        return np.asarray(self.each_way(crops, ways).mean(axis=0), np.float64)

    def each_way(self, crops: Sequence[Crop], ways: Sequence[tuple[int, int]] = WAYS) -> npt.NDArray[np.float64]:
        """The same of each way in which crops are seen: (ways, n, answers)."""
        if not len(crops):
            return np.zeros((len(ways), 0, self._answers))
        batch = np.stack(crops).transpose(0, 3, 1, 2)
        # One way after another: all at once would take four times the memory, and keep it.
        return np.stack(
            [self._scores.of(np.ascontiguousarray(batch[..., ::down, ::across])) for down, across in ways]
        ).astype(np.float64)


class BinaryNetwork(CropNetwork):
    """One that answers a question by yes (its second output) or no."""

    def chances(self, crops: Sequence[Crop]) -> npt.NDArray[np.float64]:
        """How likely it is of each die, as ``lean_crop`` shows it: (n,), 0 to 1."""
        return np.asarray(1 / (1 + np.exp(-self.odds(crops))))

    def odds(self, crops: Sequence[Crop]) -> npt.NDArray[np.float64]:
        """The logarithms of the odds of that: (n,)."""
        scores = self.scores(crops)
        return np.asarray(scores[:, 1] - scores[:, 0])

    def chance_anywhere(self, frame: Pixels, outline_px: Sequence[Point]) -> float:
        """How likely it is of a die with that upper face (px), in a picture (uint8 BGR) of a usual camera."""
        return 1 / (1 + math.exp(-self.odds_anywhere(frame, outline_px)))

    def odds_anywhere(self, frame: Pixels, outline_px: Sequence[Point]) -> float:
        """The logarithm of the odds of that."""
        outline = np.array(outline_px, np.float64)
        return float(self.odds([lean_crop(frame, outline, usual_base(outline, frame.shape))])[0])


class LeanNetwork(BinaryNetwork):
    """The one that tells whether a die leans."""

    def __init__(self, onnx: bytes) -> None:
        super().__init__(onnx, 2)
