"""Finding dice on any floor: a small fully convolutional network, run at several sizes of the picture by ``cv2.dnn``.

For every cell of ``CELL_PX`` pixels the network says how likely the middle of an upper face lies there (``CLASSES``:
of a cube, of a twelve-sided die, of a die that leans, of one that is covered), and how such a face is outlined. It
knows no mat, no pose and no scale; ``calibration.detection`` trains it, and shares with it how outlines are kept as
numbers (``vision.outline_numbers``).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.map_network import MapNetwork
from vision.outline_numbers import RADIUS_PX, draw_outline, mean_outline
from vision.polygons import reach_of
from vision.reading import Floats, Pixels, Point

CLASSES = ("cube", "number-die", "cocked", "covered")
"""What a peak may be the middle of."""

CELL_PX = 4
CHANNELS = len(CLASSES) + 9
"""Scores (logits) of the classes; offset x, y (cells); log size; squeeze (2); turn of four (2); turn of five (2)."""

LONGEST_SIDE_PX = 1024
"""To which a picture is reduced first: faces are 14 to 45 px wide there, or at one of its smaller sizes."""

_SIZES = (1.0, 0.5, 0.25, 0.125)
_COARSER_SIZES = (0.0884, 0.0625)
"""For dice seen so close that each is a quarter of the picture wide: in 30 photographs by one person 101 are read
instead of 97, and in 612 by others the same ones as before."""
_LESS_SURE_IF_COARSER = 0.15  # of the score: where a finer look sees the same die, it outlines it better
_SAME_FACE = 0.6  # circumradii between an upper face as it was fitted and as it is seen
_LEAST_SCORE = 0.3
_LEAST_RADIUS, _MOST_RADIUS = 8.0, 44.0  # px of the resized picture; trained on 10 to 32
_LARGEST = 0.28  # circumradius in shorter sides of the picture; photographed dice had up to 0.22, a tray 0.45
_NARROWEST_PX = 48
_WIDTHS = {"cube": 2**0.5, "number-die": (3 + 5**0.5) / 2}  # circumradii of a face from side to side of its solid
_SAME_REACH = 0.75  # of a circumradius: two middles nearer than that are one die
_MOST = 64
_FEWEST_SURER = 2
_BESIDE_SMALLER, _WITHIN_SMALLER = 2.0, 3.0  # times; within a large die its marks are up to a third as large
_MUCH_SURER = 0.15  # five dice together once looked like a large one with five pips
_SMALLER, _LESS_SURE = 1.35, 0.25
"""Of the radius, times, and of the score: what else a closer look begins from where something larger is surer. Of
3,830 drawn dice on floors of all sorts 16 more are read, six of them in one heap, and one less; none wrongly."""
_WHOLE = 0.5  # score of a face from which what is seen within it are its marks
_LEAST_LARGE, _MOST_LARGE = 0.4, 8  # score of faces that smaller ones speak against; how many are looked at closely
_LEAST_ROUND = 0.4  # score of a die near by that looks more like a twelve-sided one, where none is awaited
_WINDOW_PX = 128  # of the second look, in which a face has the circumradius
_WINDOW_RADIUS_PX = 22.0
_NEAR_CELLS = 4  # from a window's middle within which its face's middle is looked for


@dataclass(frozen=True, slots=True)
class Found:
    """An upper face: one of ``CLASSES``, its score (0 to 1), middle, circumradius and corners (px of the picture)."""

    what: str
    score: float
    center_px: Point
    radius_px: float
    outline_px: tuple[Point, ...]

    @property
    def width_px(self) -> float:
        """How wide the whole die is: a pentagon is the smaller part of its die than a square of a cube."""
        return self.radius_px * _WIDTHS.get(self.what, _WIDTHS["cube"])

    @property
    def stands(self) -> bool:
        """Whether it is the upper face of a die that seems neither to lean nor to be covered."""
        return self.what in ("cube", "number-die")

    def apart(self, at_px: Point) -> float:
        """How far a place is from its middle, in its circumradii."""
        return math.dist(self.center_px, at_px) / self.radius_px

    def moved(self, by_px: Point) -> "Found":
        """The same where the picture is a part of another that begins there."""
        x, y = by_px
        middle, outline = (self.center_px[0] + x, self.center_px[1] + y), [(u + x, v + y) for u, v in self.outline_px]
        return replace(self, center_px=middle, outline_px=tuple(outline))

    def is_at(self, place_px: Point) -> bool:
        """Whether it is seen where a fit has a die's upper face in its middle."""
        return self.apart(place_px) < _SAME_FACE


class Detector:
    """The network in memory; not for two threads at once.

    ``onnx`` is the file's content; raises ``ValueError`` if OpenCV cannot read it or it is some other network.
    """

    def __init__(self, onnx: bytes) -> None:
        self._network = MapNetwork(onnx, CHANNELS, "the detector")

    def rest(self) -> None:
        """Give back the memory that pictures took, until the next."""
        self._network.rest()

    def find(self, frame: Pixels, number_dice: bool = True) -> tuple[Found, ...]:
        """All upper faces in a picture (uint8 BGR), surest first; where several claim a place, the surest.

        No marks that look like dice are expected, as pips do (``find_with_large`` tells those): what is twice as
        wide as two surer faces within it is a place with dice. Without ``number_dice`` none are looked for (pips of
        large dice can look like small ones).
        Each is looked at twice more, near by and at the same size: the score and the outline are those looks' mean.
        """
        of_a_size, _ = _parted(self._all_at_once(frame, number_dice), _BESIDE_SMALLER)
        return self._seen_near_by(frame, of_a_size, number_dice)

    def find_with_large(self, frame: Pixels, number_dice: bool = True) -> tuple[tuple[Found, ...], tuple[Found, ...]]:
        """As ``find``; and faces that dwarf surer ones, which may be pips, where they are no places with dice."""
        of_a_size, dwarfing = _parted(self._all_at_once(frame, number_dice))
        likely = [face for face in dwarfing if face.what == "cube" and face.score >= _LEAST_LARGE]
        large = self.look_closer(frame, _one_each(likely)[:_MOST_LARGE], number_dice)
        large = [face for face in large if face.score >= _LEAST_LARGE]
        return self._seen_near_by(frame, of_a_size, number_dice), tuple(_one_each(large))

    def _seen_near_by(self, frame: Pixels, faces: Sequence[Found], number_dice: bool) -> tuple[Found, ...]:
        """Those of the faces of a first look that are no marks, as looks near by see them, surest first."""
        return tuple(surest(self.look_closer(frame, _two_each(_without_marks(faces)), number_dice)))

    def look_over(self, frame: Pixels, number_dice: bool, scale: float) -> list[Found]:
        """What a first look finds where it is known how large faces are, surest first.

        It is at ``scale`` (at most 1) times the picture's size, at which they should have about ``RADIUS_PX``. Scores
        and outlines are not yet those of ``find``.
        """
        return surest(self._all_at_once(frame, number_dice, scale))

    def _all_at_once(self, frame: Pixels, number_dice: bool, scale: float | None = None) -> list[Found]:
        """What is found at that scale, or at several sizes of the picture."""
        height, width = frame.shape[:2]
        found: list[Found] = []
        picture = _resized(frame, min(1.0, LONGEST_SIDE_PX / max(height, width)) if scale is None else scale)
        for size in (*_SIZES, *_COARSER_SIZES) if scale is None else (1.0,):
            seen = picture if size == 1.0 else _resized(picture, size)
            if max(seen.shape[:2]) < _NARROWEST_PX:
                break
            less_sure = _LESS_SURE_IF_COARSER if size in _COARSER_SIZES else 0.0
            found += self._find_at(seen, (width / seen.shape[1], height / seen.shape[0]), less_sure)
        largest = _LARGEST * min(height, width)
        found = [face for face in found if face.radius_px <= largest]
        return [face for face in found if number_dice or face.what != "number-die"]

    def look_closer(self, frame: Pixels, faces: Sequence[Found], number_dice: bool = True) -> list[Found]:
        """Those of the faces of a first look that are still seen near by, each as all looks see it."""
        near = [self.look_at(frame, face, number_dice) for face in faces]
        return [face for face in near if face is not None]

    def look_at(
        self, frame: Pixels, face: Found, number_dice: bool = True, turned_by_quarters: Sequence[int] = (0, 1)
    ) -> Found | None:
        """One face as looks at a window about it see it, turned so; two looks outline it better than one."""
        half = max(face.radius_px * _WINDOW_PX / 2 / _WINDOW_RADIUS_PX, 8.0)
        left, top = (math.floor(v - half) for v in face.center_px)
        side = math.ceil(2 * half) + 1
        window = _resized_to(_cut(frame, left, top, side), _WINDOW_PX)
        grow = side / _WINDOW_PX
        views = []
        for turned in turned_by_quarters:
            maps = self._network.maps(np.ascontiguousarray(np.rot90(window)) if turned else window)
            seen = _best_near_middle(maps)
            if seen is None:
                return None
            views.append(seen if not turned else _turned_back(seen))
        scores = np.mean([view.scores for view in views], axis=0)
        best = int(scores.argmax())
        if not number_dice and CLASSES[best] == "number-die":
            scores[best] = 0  # a die with round corners
            best = int(scores.argmax())
            if scores[best] < _LEAST_ROUND:
                return None
        corners = 5 if CLASSES[best] == "number-die" else 4
        seen_as = [view.outline(best, corners) for view in views]
        mean = seen_as[0] if len(views) == 1 else mean_outline(*seen_as)
        outline = (mean + 0.5) * grow - 0.5 + np.array([left, top])
        middle = (np.mean([view.middles[best] for view in views], axis=0) + 0.5) * grow - 0.5 + np.array([left, top])
        return Found(
            CLASSES[best],
            float(scores[best] * 2 + face.score * (CLASSES[best] == face.what)) / 3,
            (float(middle[0]), float(middle[1])),
            reach_of(outline),
            tuple((float(x), float(y)) for x, y in outline),
        )

    def _find_at(self, picture: Pixels, grow: tuple[float, float], less_sure: float) -> list[Found]:
        maps = self._network.maps(picture)
        scores = 1 / (1 + np.exp(-maps[: len(CLASSES)]))
        found = []
        for number, what in enumerate(CLASSES):
            heat = np.ascontiguousarray(scores[number])
            peaks = (heat >= _LEAST_SCORE) & (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8)))
            rows, columns = np.nonzero(peaks)
            for row, column in zip(rows[:_MOST], columns[:_MOST], strict=True):
                numbers = maps[len(CLASSES) :, row, column].astype(np.float64)
                if not _LEAST_RADIUS <= RADIUS_PX * np.exp(numbers[2]) <= _MOST_RADIUS:
                    continue
                found.append(_as_found(what, float(heat[row, column]) - less_sure, row, column, numbers, grow))
        return found


@dataclass(frozen=True, slots=True)
class _View:
    """What one look at a window says of the thing in its middle: for each class a score, a middle (px of the window)
    and the numbers of the outline there."""

    scores: Floats
    middles: Floats
    numbers: Floats
    quarters: int = 0

    def outline(self, what: int, corners: int) -> Floats:
        """The outline as that class, in px of the window, turned back by quarters."""
        shape = _shape_numbers(self.numbers[what], corners)
        drawn = draw_outline((0.0, 0.0), shape, corners)
        if self.quarters:  # rot90 turns the picture anticlockwise; a point (x, y) from the middle goes to (y, -x)
            drawn = np.stack([-drawn[:, 1], drawn[:, 0]], axis=1)
        return np.asarray(drawn + self.middles[what], np.float64)


def _best_near_middle(maps: npt.NDArray[np.float32]) -> _View | None:
    """The peak of each class within the middle of a window's maps; None where nothing is seen at all."""
    cells = maps.shape[1]
    low, high = cells // 2 - _NEAR_CELLS, cells // 2 + _NEAR_CELLS
    scores, middles, numbers = [], [], []
    for number in range(len(CLASSES)):
        part = maps[number, low:high, low:high]
        row, column = (int(v) + low for v in np.unravel_index(int(part.argmax()), part.shape))
        scores.append(1 / (1 + float(np.exp(-maps[number, row, column]))))
        own = maps[len(CLASSES) :, row, column].astype(np.float64)
        numbers.append(own)
        middles.append([(column + 0.5 + own[0]) * CELL_PX - 0.5, (row + 0.5 + own[1]) * CELL_PX - 0.5])
    if max(scores) < _LEAST_SCORE / 2:
        return None
    return _View(np.array(scores), np.array(middles), np.array(numbers))


def _turned_back(view: _View) -> _View:
    """The view of a window that was turned by ``np.rot90``, in the window's own px."""
    x, y = view.middles[:, 0], view.middles[:, 1]
    back = np.stack([_WINDOW_PX - 1 - y, x], axis=1)
    return _View(view.scores, back, view.numbers, 1)


def _cut(frame: Pixels, left: int, top: int, side: int) -> Pixels:
    """A square of the picture; beyond its border the border goes on."""
    rows, above, below = _within(top, side, frame.shape[0])
    columns, before, after = _within(left, side, frame.shape[1])
    part = cv2.copyMakeBorder(frame[rows, columns], above, below, before, after, cv2.BORDER_REPLICATE)
    return np.asarray(part, np.uint8)


def _within(first: int, side: int, length: int) -> tuple[slice, int, int]:
    """What of a stretch lies between 0 and a length, at least one place of it; how far it goes on on either side."""
    low, high = (min(max(place, 0), length - 1) for place in (first, first + side - 1))
    before = min(max(-first, 0), side - 1)
    return slice(low, high + 1), before, side - (high + 1 - low) - before


def _resized_to(square: Pixels, side: int) -> Pixels:
    how = cv2.INTER_AREA if len(square) > side else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(square, (side, side), interpolation=how), np.uint8)


def _shape_numbers(numbers: Floats, corners: int) -> Floats:
    return np.concatenate([numbers[2:5], numbers[7:9] if corners == 5 else numbers[5:7]])


def _as_found(what: str, score: float, row: int, column: int, numbers: Floats, grow: tuple[float, float]) -> Found:
    middle = ((column + 0.5 + numbers[0]) * CELL_PX - 0.5, (row + 0.5 + numbers[1]) * CELL_PX - 0.5)
    count = 5 if what == "number-die" else 4
    corners = draw_outline(middle, _shape_numbers(numbers, count), count)
    scale = np.array(grow)
    corners = (corners + 0.5) * scale - 0.5
    center = (np.array(middle) + 0.5) * scale - 0.5
    radius = RADIUS_PX * float(np.exp(numbers[2])) * float(scale.mean())
    outline = tuple((float(x), float(y)) for x, y in corners)
    return Found(what, score, (float(center[0]), float(center[1])), radius, outline)


def _resized(picture: Pixels, scale: float) -> Pixels:
    if scale >= 1.0:
        return picture
    size = (max(round(picture.shape[1] * scale), 1), max(round(picture.shape[0] * scale), 1))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def face_at(faces: Iterable[Found], place_px: Point) -> Found | None:
    """The first of the faces that is seen where a fit has a die's upper face in its middle; None if none is."""
    return next((face for face in faces if face.is_at(place_px)), None)


def surest(found: Sequence[Found]) -> list[Found]:
    """The surest of those that claim a place, but no marks on faces, nor what dwarfs surer ones; surest first."""
    of_a_size, _ = _parted(found)
    return _one_each(_without_marks(of_a_size))


def _parted(found: Sequence[Found], within: float = _WITHIN_SMALLER) -> tuple[list[Found], list[Found]]:
    """The faces that may be dice of one size, and those that dwarf surer ones."""
    parts: tuple[list[Found], list[Found]] = ([], [])
    for face in found:
        parts[_is_too_large(face, found, within)].append(face)
    return parts


def _without_marks(faces: Sequence[Found]) -> list[Found]:
    return [face for face in faces if not any(_is_part(face, other) for other in faces)]


def _one_each(faces: Sequence[Found]) -> list[Found]:
    """The surest for each place, surest first."""
    return list(_places(faces))


def _two_each(faces: Sequence[Found]) -> list[Found]:
    """The surest for each place, surest first, and the next one there that is much smaller.

    All of a twelve-sided die may look like a cube's face from afar.
    """
    places = _places(faces)
    return [*places, *(smaller for smaller in places.values() if smaller is not None)]


def _places(faces: Sequence[Found]) -> dict[Found, Found | None]:
    """The surest face for each place, surest first, each with the surest there that is much smaller."""
    places: dict[Found, Found | None] = {}
    for face in sorted(faces, key=lambda f: -f.score):
        if len(places) == _MOST:
            break
        near = [other for other in places if not _apart(face, other)]
        if not near:
            places[face] = None
        elif places[near[0]] is None and all(_is_much_smaller(face, other) for other in near):
            places[near[0]] = face
    return places


def _is_much_smaller(face: Found, surer: Found) -> bool:
    return face.radius_px * _SMALLER < surer.radius_px and face.score >= surer.score - _LESS_SURE


def _is_part(face: Found, other: Found) -> bool:
    """Whether a face is a mark on another one: within it, less than half as large, and not much surer."""
    away = np.hypot(face.center_px[0] - other.center_px[0], face.center_px[1] - other.center_px[1])
    is_within = bool(away < other.radius_px and 2 * face.width_px < other.width_px)
    return is_within and other.score >= max(_WHOLE, face.score - _MUCH_SURER)


def _is_too_large(face: Found, found: Sequence[Found], within: float) -> bool:
    """Whether several faces that are surer are so much smaller that what it outlines is a place with dice."""
    smaller = 0
    for other in found:
        is_beside = math.dist(other.center_px, face.center_px) > face.radius_px
        times = _BESIDE_SMALLER if is_beside else within
        smaller += other.score > face.score and times * other.width_px < face.width_px
    return smaller >= _FEWEST_SURER


def _apart(one: Found, other: Found) -> bool:
    away = np.hypot(one.center_px[0] - other.center_px[0], one.center_px[1] - other.center_px[1])
    return bool(away >= _SAME_REACH * max(one.radius_px, other.radius_px))
