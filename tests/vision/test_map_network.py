"""A large picture is looked at in halves, and what is said of it is the same."""

import numpy as np
import pytest

from calibration.detector_model import detector_network
from vision.detector import CELL_PX, CHANNELS
from vision.map_network import MapNetwork
from vision.reading import Pixels

BORDER_CELLS = 24  # as far as a cell looks


def noise(rows: int, columns: int) -> Pixels:
    return np.random.default_rng(5).integers(0, 256, (rows, columns, 3), np.uint8)


@pytest.mark.parametrize(("rows", "columns"), [(768, 1024), (1024, 768)])
def test_of_a_large_picture_the_same_is_said_about_where_its_halves_meet(rows: int, columns: int) -> None:
    network = MapNetwork(detector_network(), CHANNELS, "the detector")
    large = noise(rows, columns)
    seen = network.maps(large)
    assert seen.shape == (CHANNELS, rows // CELL_PX, columns // CELL_PX)
    top, left = rows // 2 - 256, columns // 2 - 256
    beside = network.maps(np.ascontiguousarray(large[top : top + 512, left : left + 512]))
    within = slice(BORDER_CELLS, 128 - BORDER_CELLS)
    part = seen[:, top // CELL_PX :, left // CELL_PX :][:, within, within]
    assert np.abs(part - beside[:, within, within]).max() < 1e-3
