"""docs/hardware.md and its drawings: what they say is what the program does."""

import re
from pathlib import Path

import pytest

from device import lenses
from device.settings import CameraSettings, PanelSettings
from docs.pictures import make_stand, make_wiring

PAGE = (Path(__file__).parents[2] / "docs" / "hardware.md").read_text(encoding="utf-8")


def test_the_tables_are_those_that_the_command_prints() -> None:
    for lines in (lenses.table(CameraSettings().width_px), lenses.light_table()):
        assert "\n".join(lines) in PAGE


def test_the_drawings_are_those_that_their_programs_make() -> None:
    assert make_wiring.FILE.read_text(encoding="utf-8") == make_wiring.drawing(PanelSettings())
    assert make_stand.FILE.read_text(encoding="utf-8") == make_stand.drawing()


def test_the_page_names_the_default_pins() -> None:
    panel = PanelSettings()
    caption = re.search(r"!\[(.*?)\]\(pictures/wiring.svg\)", PAGE)
    assert caption
    assert re.findall(r"GPIO (\d+)", caption[1]) == [
        str(pin) for pin in (panel.light_pin, panel.status_pin, panel.button_pin)
    ]


def test_the_stand_holds_the_lamps_far_enough_from_the_camera() -> None:
    needed = lenses.light_distance_mm(make_stand.CAMERA_HEIGHT, make_stand.LAMP_HEIGHT)
    assert needed <= make_stand.INSIDE / 2


@pytest.mark.parametrize("camera", lenses.CAMERAS[:2], ids=lambda camera: camera.name)
def test_from_the_stand_the_whole_mat_is_seen(camera: lenses.CameraModule) -> None:
    assert lenses.sees(camera.view_mm(make_stand.CAMERA_HEIGHT)) == "6 markers, all of the roll area"


def test_module_2_has_the_field_of_view_that_its_maker_says() -> None:
    # 62.2 degrees across, from the same documentation as the figures that it is computed from.
    width, _ = lenses.CAMERAS[0].view_mm(1000)
    assert width == pytest.approx(2 * 1000 * 0.6032, rel=0.01)
