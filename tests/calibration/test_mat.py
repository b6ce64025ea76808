"""Reads every form of the mat back as a printer would show it, against the measures written out here once more."""

import math
import struct
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pypdfium2
import pytest
from playwright.sync_api import Browser
from pypdfium2.raw import FPDF_PAGEOBJ_PATH, FPDF_PAGEOBJ_TEXT

from calibration.mat import PAPERS, Paper
from calibration.mat_pdf import mat_pdf
from calibration.mat_png import mat_png
from calibration.mat_svg import mat_svg
from tests.calibration.printed import Color, Pixels, Printed

CENTERS_MM = {0: (-120, -85), 1: (120, -85), 2: (120, 85), 3: (-120, 85), 4: (-120, 0), 5: (120, 0)}
PATCHES: dict[int, Color] = {
    -81: (255, 255, 255),
    -63: (200, 200, 200),
    -45: (150, 150, 150),
    -27: (70, 70, 70),
    -9: (0, 0, 0),
    9: (200, 30, 40),
    27: (30, 70, 180),
    45: (30, 140, 60),
    63: (235, 190, 40),
    81: (110, 50, 140),
}
EXACT_MM = 0.1
RULER_Y_MM = 94.2  # through the shortest ticks
WHITE: Color = (255, 255, 255)


def _print_pdf(paper: Paper) -> Printed:
    document = pypdfium2.PdfDocument(mat_pdf(paper))
    pixels = document[0].render(scale=600 / 72).to_numpy()[:, :, :3]
    document.close()
    return _printed(np.ascontiguousarray(pixels), 600 / 25.4, paper)


def _print_svg(paper: Paper, browser: Browser, file: Path) -> Printed:
    file.write_bytes(mat_svg(paper))
    # Chromium stretches a page of 1122.5 px to whole ones; test_svg_page_and_text holds the size that it is given.
    width_px, height_px = (math.ceil(mm / 25.4 * 96 - 0.001) for mm in (paper.width_mm, paper.height_mm))
    page = browser.new_page(viewport={"width": width_px, "height": height_px}, device_scale_factor=3)
    page.goto(file.as_uri())
    screenshot = page.screenshot()
    page.close()
    return _printed(_decoded(screenshot), 3 * width_px / paper.width_mm, paper)


def _decoded(png: bytes) -> Pixels:
    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(pixels, np.uint8)


def _printed(pixels: Pixels, per_mm: float, paper: Paper) -> Printed:
    return Printed(pixels, (paper.width_mm / 2 * per_mm, paper.height_mm / 2 * per_mm), per_mm)


def _print_png(paper: Paper, dpi: int) -> Printed:
    pixels = _decoded(mat_png(paper, dpi))
    # The middle of the picture is the origin: a sheet is no whole number of pixels, and both sides share the rest.
    return Printed(pixels, (pixels.shape[1] / 2, pixels.shape[0] / 2), dpi / 25.4)


@pytest.fixture(scope="module", params=list(PAPERS))
def paper(request: pytest.FixtureRequest) -> Paper:
    return PAPERS[request.param]


@pytest.fixture(scope="module", params=["pdf", "png 300", "png 150", pytest.param("svg", marks=pytest.mark.browser)])
def printed(request: pytest.FixtureRequest, paper: Paper, tmp_path_factory: pytest.TempPathFactory) -> Printed:
    if request.param == "svg":
        return _print_svg(paper, request.getfixturevalue("browser"), tmp_path_factory.mktemp("mat") / "mat.svg")
    if request.param == "pdf":
        return _print_pdf(paper)
    return _print_png(paper, int(request.param.removeprefix("png ")))


def test_six_markers_stand_upright_where_they_belong(printed: Printed) -> None:
    found = printed.markers_mm()
    assert sorted(found) == sorted(CENTERS_MM)
    for number, (x, y) in CENTERS_MM.items():
        corners = [(x - 12, y - 12), (x + 12, y - 12), (x + 12, y + 12), (x - 12, y + 12)]
        np.testing.assert_allclose(found[number], corners, atol=EXACT_MM)


def test_edges_of_markers_and_roll_area(printed: Printed) -> None:
    boxes = [(-104, -93, 104, 68), *((x - 12, y - 12, x + 12, y + 12) for x, y in CENTERS_MM.values())]
    for left, top, right, bottom in boxes:
        # Through a marker's border, where all is black: lines through the middle run along the edges of cells.
        x, y = (left + right) / 2 - 10.5, (top + bottom) / 2 - 10.5
        assert printed.edge_across_mm(left, y) == pytest.approx(left, abs=EXACT_MM)
        assert printed.edge_across_mm(right, y) == pytest.approx(right, abs=EXACT_MM)
        assert printed.edge_down_mm(x, top) == pytest.approx(top, abs=EXACT_MM)
        assert printed.edge_down_mm(x, bottom) == pytest.approx(bottom, abs=EXACT_MM)


def test_roll_area_is_plain_grey(printed: Printed) -> None:
    assert (printed.part(-103.8, -92.8, 103.8, 67.8) == 150).all()


@pytest.mark.parametrize("x", PATCHES)
def test_patch_has_its_place_size_and_color(printed: Printed, x: int) -> None:
    color = PATCHES[x]
    inner = printed.part(x - 6.5, 77.5, x + 6.5, 90.5)
    assert (inner == color[::-1]).all()
    if color == WHITE:
        return
    for side in (-7, 7):
        assert printed.edge_across_mm(x + side, 84) == pytest.approx(x + side, abs=EXACT_MM)
        assert printed.edge_down_mm(x, 84 + side) == pytest.approx(84 + side, abs=EXACT_MM)


def test_white_patch_is_outlined(printed: Printed) -> None:
    left, right = printed.dark_stripes_mm(-92, -72, 84)
    darkness = 1 - 120 / 255
    for (middle, width), expected in zip((left, right), (-87.85, -74.15), strict=True):
        assert middle == pytest.approx(expected, abs=EXACT_MM)
        assert width / darkness == pytest.approx(0.3, abs=0.05)


def test_ruler_measures_fifty_millimetres(printed: Printed) -> None:
    ticks = [middle for middle, _ in printed.dark_stripes_mm(-40, 40, RULER_Y_MM)]
    np.testing.assert_allclose(ticks, np.arange(51) - 25, atol=EXACT_MM)


def test_nothing_else_is_printed(printed: Printed) -> None:
    blank = printed.pixels.copy()
    seen = Printed(blank, printed.origin_px, printed.per_mm)
    for left, top, right, bottom in [
        (-104, -93, 104, 68),
        *((x - 12, y - 12, x + 12, y + 12) for x, y in CENTERS_MM.values()),
        *((x - 7, 77, x + 7, 91) for x in PATCHES),
        (-27, 93.2, 31, 99),  # the ruler with its numbers
        (89, 82.5, 103, 86),  # the name, clear of the patch and of the marker's quiet zone
    ]:
        rim = 2 / printed.per_mm  # pixels that an edge crosses, or that a renderer rounds to
        part = seen.part(left - rim, top - rim, right + rim, bottom + rim)
        assert part.min() < 255
        part[:] = 255
    assert (blank == 255).all()


def test_pdf_page_and_text(paper: Paper) -> None:
    document = pypdfium2.PdfDocument(mat_pdf(paper))
    assert len(document) == 1
    assert [size / 72 * 25.4 for size in document[0].get_size()] == pytest.approx(
        [paper.width_mm, paper.height_mm], abs=0.001
    )
    words = document[0].get_textpage().get_text_bounded().split()
    assert words == ["croupier", "mat", "v1", "0", "10", "20", "30", "40", "50", "mm"]
    document.close()


def test_pdf_holds_no_picture_and_is_the_same_every_time(paper: Paper) -> None:
    document = pypdfium2.PdfDocument(mat_pdf(paper))
    kinds = {thing.type for thing in document[0].get_objects()}
    assert kinds == {FPDF_PAGEOBJ_PATH, FPDF_PAGEOBJ_TEXT}
    document.close()
    assert mat_pdf(paper) == mat_pdf(paper)


def test_svg_page_and_text(paper: Paper) -> None:
    root = ElementTree.fromstring(mat_svg(paper))  # noqa: S314 - our own
    assert (root.get("width"), root.get("height")) == (f"{paper.width_mm:g}mm", f"{paper.height_mm:g}mm")
    left, top, width, height = (float(number) for number in root.get("viewBox", "").split())
    assert (left, top, width, height) == (-paper.width_mm / 2, -paper.height_mm / 2, paper.width_mm, paper.height_mm)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["croupier mat v1", "0", "10", "20", "30", "40", "50", "mm"]


@pytest.mark.parametrize("dpi", [72, 300])
def test_png_knows_its_resolution(paper: Paper, dpi: int) -> None:
    file = mat_png(paper, dpi)
    width_px, height_px = struct.unpack(">II", file[16:24])
    place = file.index(b"pHYs") + 4
    across, down, unit = struct.unpack(">IIB", file[place : place + 9])
    assert (across, down, unit) == (round(dpi / 0.0254), round(dpi / 0.0254), 1)
    pixel_mm = 25.4 / dpi
    assert (width_px * pixel_mm, height_px * pixel_mm) == pytest.approx(
        (paper.width_mm, paper.height_mm), abs=pixel_mm
    )


def test_sheets_are_a4_and_letter() -> None:
    assert {name: (paper.width_mm, paper.height_mm) for name, paper in PAPERS.items()} == {
        "a4": (297, 210),
        "letter": (279.4, 215.9),
    }
