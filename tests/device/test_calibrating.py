"""The steps of calibration as the host asks for them: one walk at a time, with a way back, accepted or undone."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.profile_store import ProfileStore
from device.calibrating import MOST_PICTURE_BYTES, Calibrating
from device.camera import Frame
from device.host_commands import Command, CommandFailed, Done
from tests.vision.rig import Rig
from tests.vision.scene import camera_above, draw_scene
from vision.reading import Pixels


class Bench:
    """A device under whose camera anything may lie."""

    def __init__(self, folder: Path, pixels: Pixels) -> None:
        self.store = ProfileStore(folder / "profile.json")
        self.pixels = pixels
        self.used = self.count = 0
        self._calibrating = Calibrating(self.store, lambda: Frame(self.pixels, 0.0), self._use)

    def ask(self, do: str, **further: Any) -> Done:
        self.count += 1
        return self._calibrating.carry_out(Command(f"c{self.count}", "calibrate", {"do": do, "walk": "w", **further}))

    def said(self, do: str, **further: Any) -> list[str]:
        """The slugs of what is said, of a step that was passed as well."""
        result = self.ask(do, **further).result
        return [saying["slug"] for saying in (*result["passed"], *result["sayings"])]

    def _use(self) -> None:
        self.used += 1


def mat(turn_deg: float = 0.0, height_mm: float = 300.0, tilt_deg: float = 0.0) -> Pixels:
    return draw_scene(camera_above(height_mm, tilt_deg, turn_deg))


def test_the_mat_is_measured_accepted_and_undone(tmp_path: Path) -> None:
    bench = Bench(tmp_path, np.asarray(mat() // 8, np.uint8))
    assert bench.said("begin", steps=["mat", "light"]) == ["too-dark"]
    assert bench.said("take") == ["too-dark"] and bench.ask("look").result["at"] == 0
    bench.pixels = mat()
    assert bench.said("look") == ["light-good"]
    good = f"c{bench.count}"
    bench.pixels = np.zeros_like(bench.pixels)
    taken = bench.ask("take", look=good)
    assert taken.result["at"] == 1 and [one["slug"] for one in taken.result["passed"]] == ["light-good"]
    assert taken.jpeg is not None and len(taken.jpeg) <= MOST_PICTURE_BYTES
    assert bench.said("look") == ["no-mat"]
    assert bench.ask("back").result["at"] == 0
    bench.pixels = mat()
    bench.ask("take")
    assert bench.said("take", ruler_mm=48.5) == ["mat-good", "page-scaled"]
    assert bench.store.in_use() is None and bench.store.pending() is not None
    assert bench.ask("accept").result["in_use"]["is_own_tray"] is False
    assert bench.used == 1 and bench.store.in_use() is not None
    with pytest.raises(CommandFailed, match="begun anew"):
        bench.ask("look")
    with pytest.raises(CommandFailed, match="no earlier profile"):
        bench.ask("undo")


def test_the_lens_takes_three_pictures_of_a_mat_that_moves(tmp_path: Path) -> None:
    bench = Bench(tmp_path, mat())
    assert bench.said("begin", steps=["lens"]) == ["picture-good"]
    bench.ask("take")
    assert bench.said("take") == ["mat-unmoved"]
    bench.pixels = mat(20.0, 330.0, 8.0)
    assert bench.ask("take").result["taken"] == 2
    assert bench.ask("back").result["taken"] == 1
    bench.ask("take")
    bench.pixels = mat(-25.0, 320.0, -9.0)
    assert bench.said("take") == ["lens-measured"]


def test_a_tray_is_sized_by_dice_in_it(tmp_path: Path) -> None:
    rig = Rig("felt", 11)
    throw, dice = rig.throw(1, "pip-die", 4)
    bench = Bench(tmp_path, rig.empty())
    bench.ask("begin", steps=["tray", "size"])
    assert bench.said("take") == ["tray-assumed"]
    assert bench.said("look", die_mm=16.0) == ["no-cube"]
    bench.pixels = throw
    assert bench.said("take", die_mm=dice[0]["size_mm"]) == ["tray-by-dice"]
    assert bench.ask("look").result["has_profile"]


def test_on_the_mat_known_dice_are_compared(tmp_path: Path) -> None:
    rig = Rig("mat", 11)
    throw, dice = rig.throw(3, "pip-die", 2)
    truth = [{"kind": "pip-die", "face": die["face"]} for die in dice]
    wrong = [{"kind": "pip-die", "face": "1"} for _ in dice]
    bench = Bench(tmp_path, rig.empty())
    bench.ask("begin", steps=["mat", "verify"])
    assert bench.said("take") == ["mat-good"] and bench.said("look") == ["no-truth"]
    bench.pixels = throw
    seen = bench.ask("look", truth=wrong).result
    assert (seen["sayings"][0]["slug"], seen["is_good"]) == ("dice-wrong", False) and seen["place_px"]
    assert bench.said("take", truth=truth) == ["dice-right"]
    assert bench.ask("look").result["is_verified"]
    assert bench.ask("accept").result["in_use"]["is_verified"]


def test_a_place_is_ringed(tmp_path: Path) -> None:
    pixels = mat()
    lamp = np.asarray(cv2.circle(pixels.copy(), (640, 480), 30, (255, 255, 255), -1), np.uint8)
    bench = Bench(tmp_path, lamp)
    seen = bench.ask("begin", steps=["light"])
    assert seen.result["sayings"][0]["slug"] == "glare" and seen.jpeg is not None
    assert np.allclose(seen.result["place_px"], (640, 480), atol=5)


@pytest.mark.parametrize(
    ("do", "body", "word"),
    [
        ("dance", {}, "accept or undo"),
        ("begin", {"steps": []}, "a list"),
        ("begin", {"steps": ["light", "polish"]}, "The steps are"),
        ("look", {"walk": "another"}, "begun anew"),
        ("look", {"ruler_mm": "wide"}, "millimetres"),
        ("look", {"die_mm": 0}, "millimetres"),
        ("look", {"truth": "3"}, "at most"),
        ("look", {"truth": [{"kind": "coin", "face": "1"}]}, "a kind and a face"),
        ("look", {"truth": [{"kind": "pip-die", "face": "7"}]}, "that face"),
        ("accept", {}, "nothing is pending"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(tmp_path: Path, do: str, body: dict[str, Any], word: str) -> None:
    bench = Bench(tmp_path, np.zeros((120, 160, 3), np.uint8))
    bench.ask("begin", steps=["light"])
    with pytest.raises(CommandFailed, match=word) as refused:
        bench.ask(do, **body)
    assert "\n" not in str(refused.value) and len(str(refused.value)) <= 200
