"""Cubes are fitted by the geometry of the pose: the upper face, not the silhouette."""

from collections.abc import Sequence

import numpy as np
import pytest

from tests.vision.scene import BLUE, GREEN, RED, DrawnCube, camera_above, draw_scene
from vision.camera import Camera
from vision.find_mat import as_grey, find_mat
from vision.fit_solids import Fit, fit_solids
from vision.floor import ViewMap, fit_floor
from vision.solids import CUBE, DODECAHEDRON
from vision.stand_out import Evidence, find_what_stands_out


def look(cubes: Sequence[DrawnCube]) -> tuple[Camera, Evidence]:
    frame = draw_scene(camera_above(), cubes)
    mat = find_mat(as_grey(frame))
    assert mat is not None
    view = ViewMap.of(mat.camera).draw(frame)
    floor = fit_floor(view)
    assert floor is not None
    return mat.camera, find_what_stands_out(view, floor)


def fitted(cubes: Sequence[DrawnCube]) -> list[Fit]:
    camera, evidence = look(cubes)
    return [fit for fit in fit_solids(camera, evidence, evidence.blobs, CUBE) if fit.score > 0.7]


@pytest.mark.parametrize("size", [12.0, 16.0, 19.0])
@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (-85.0, -70.0), (80.0, 40.0)])
def test_a_cube_is_found_where_it_stands(size: float, x: float, y: float) -> None:
    [fit] = fitted([DrawnCube(x, y, 25.0, size)])
    assert abs(fit.x - x) < 1.2 and abs(fit.y - y) < 1.2
    assert abs(fit.size - size) < 1.4
    off = (np.degrees(fit.turn) - 25.0 + 45.0) % 90.0 - 45.0
    assert abs(off) < 5


def test_touching_cubes_are_two() -> None:
    fits = fitted([DrawnCube(0, 0, 0.0, 16.0, RED), DrawnCube(16.2, 3, 0.0, 16.0, RED)])
    assert sorted(round(fit.x / 16) for fit in fits) == [0, 1]


def test_an_empty_mat_has_nothing_to_fit() -> None:
    camera, evidence = look([])
    assert not evidence.blobs
    assert fit_solids(camera, evidence, evidence.blobs, CUBE) == []
    assert fit_solids(camera, evidence, evidence.blobs, DODECAHEDRON) == []


def test_a_cube_makes_a_better_cube_than_a_twelve_sided_die() -> None:
    camera, evidence = look([DrawnCube(20, -20, 40.0, 17.0, GREEN), DrawnCube(-50, 30, 10.0, 14.0, BLUE)])
    cubes = fit_solids(camera, evidence, evidence.blobs, CUBE)
    others = fit_solids(camera, evidence, evidence.blobs, DODECAHEDRON)
    assert min(fit.score for fit in cubes[:2]) > max(fit.score for fit in others) + 0.05
