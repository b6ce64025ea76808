"""Finds dice that a hand, a pen or the like covers, by what is left to be seen of them.

Between two fingers a sliver of a die is seen, to which no upper face can be fitted and in which no detector of faces
finds one. A small network looks at the roll area from above, says of each of its cells whether it shows such a die,
and where the middle of that die's upper face is. ``calibration.training.covered`` trains it on drawn hands and pens.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.map_network import MapNetwork
from vision.reading import Floats, Pixels, Point

PART = (slice(6, 358), slice(32, 480))
"""The rows and columns of the view that it looks at: the roll area and 8 mm around it."""

CELL_PX = 4
"""Of the view: 2 mm."""

UNIT_PX = 16.0
"""Of the view: how far a middle lies from a cell is said in these."""

ANSWERS = ("nothing", "whole", "covered")
"""What a cell may show: no die, one that nothing covers, or one that is covered."""

CHANNELS = len(ANSWERS) + 2

_LEAST_CHANCE = 0.87  # of a cell; with 0.8 two more of 186 covered dice are found, and 46 more that are none
_SPREAD_CELLS = 1.2  # by which what cells say of one middle differs
_LEAST_CELLS = 1.0  # that are a die's
_APART_CELLS = 4.5  # between two middles
_NEAR_CELLS, _LEAST_DIE_CHANCE = 6.0, 0.5  # in what is near a place, and what counts there


@dataclass(frozen=True)
class CoveredDie:
    """A die that is covered: the middle of its upper face in the view (px), and how many cells point there, each
    counted by how sure it is."""

    center_px: tuple[float, float]
    cells: float


class CoveredNetwork(MapNetwork):
    """The network in memory, ready to run; not for two threads at once.

    Its cells are ``CELL_PX`` of what ``seen_from_above`` gives. ``onnx`` is the file's content; raises ``ValueError``
    if OpenCV cannot read it or it is another network.
    """

    def __init__(self, onnx: bytes) -> None:
        super().__init__(onnx, CHANNELS, "the network of covered dice")


def seen_from_above(relative: Pixels) -> Pixels:
    """What the network looks at: ``PART`` of a view against its floor (``against_floor``), uint8 BGR."""
    return np.ascontiguousarray(relative[PART])


def middles_of(maps: npt.NDArray[np.float32]) -> list[CoveredDie]:
    """The covered dice that the cells point to, those of which most is seen first."""
    chance = _chances(maps)[ANSWERS.index("covered")]
    rows, columns = np.nonzero(chance >= _LEAST_CHANCE)
    if not len(rows):
        return []
    weights = chance[rows, columns]
    at = np.stack([columns, rows], axis=1) + maps[len(ANSWERS) :, rows, columns].T * (UNIT_PX / CELL_PX)
    votes = np.zeros(chance.shape, np.float32)
    near = np.rint(at).astype(int).clip(0, np.array(chance.shape[::-1]) - 1)
    np.add.at(votes, (near[:, 1], near[:, 0]), weights)
    # The sum about a place, each vote counted fully in the middle of a bell.
    about = cv2.GaussianBlur(votes, (0, 0), _SPREAD_CELLS, borderType=cv2.BORDER_CONSTANT)
    found: list[CoveredDie] = []
    while True:
        row, column = np.unravel_index(int(about.argmax()), about.shape)
        if about[row, column] <= 0:
            break
        mine = np.hypot(at[:, 0] - column, at[:, 1] - row) < _APART_CELLS
        cells = float(weights[mine].sum())
        about[_disc(about.shape, int(row), int(column))] = 0
        if cells < _LEAST_CELLS:
            continue
        middle = (at[mine] * weights[mine, None]).sum(axis=0) / cells
        weights[mine] = 0
        found.append(CoveredDie(_in_view(middle), cells))
    return sorted(found, key=lambda one: -one.cells)


def die_cells_near(maps: npt.NDArray[np.float32], place_px: Point) -> float:
    """How many cells near a place of the view show a die, covered or not, each counted by how sure that is."""
    chance = 1 - _chances(maps)[ANSWERS.index("nothing")]
    column, row = (
        (place + 0.5 - part.start) / CELL_PX - 0.5 for place, part in zip(place_px, PART[::-1], strict=True)
    )
    rows, columns = np.ogrid[: chance.shape[0], : chance.shape[1]]
    near = (rows - row) ** 2 + (columns - column) ** 2 <= _NEAR_CELLS**2
    return float(chance[near & (chance > _LEAST_DIE_CHANCE)].sum())


def _chances(maps: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    scores = maps[: len(ANSWERS)]
    raised = np.exp(scores - scores.max(axis=0))
    return np.asarray(raised / raised.sum(axis=0), np.float32)


def _disc(shape: tuple[int, ...], row: int, column: int) -> npt.NDArray[np.bool_]:
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    return np.asarray((rows - row) ** 2 + (columns - column) ** 2 < _APART_CELLS**2, np.bool_)


def _in_view(cell: Floats) -> tuple[float, float]:
    """Where in the view a cell (column, row) has its middle."""
    column, row = (cell + 0.5) * CELL_PX - 0.5 + np.array([PART[1].start, PART[0].start])
    return float(column), float(row)
