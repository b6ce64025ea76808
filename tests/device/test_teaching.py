"""Teaching as the host asks for it: sets are made, named, used, exported and taken in; hostile files are refused."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.profile_store import ProfileStore
from calibration.taught_file import write_taught
from device.camera import Frame
from device.host_commands import Command, CommandFailed, Done
from device.taught_store import MOST_SETS, TaughtStore
from device.teaching import Teaching
from vision.patches import Patch
from vision.taught import TaughtSet


class Bench:
    """A device with sets in a folder, and nothing under its camera."""

    def __init__(self, folder: Path) -> None:
        self.store = TaughtStore(folder / "dice")
        self.used = 0
        frame = Frame(np.full((240, 320, 3), 90, np.uint8), 0.0)
        profiles = ProfileStore(folder / "profile.json")
        self._teaching = Teaching(self.store, profiles, lambda: frame, self._use)

    def ask(self, do: str, **further: Any) -> Done:
        return self._teaching.carry_out(Command("c1", "teach", {"do": do, **further}))

    def _use(self) -> None:
        self.used += 1


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def patch(seed: int) -> Patch:
    rough = np.random.default_rng(seed).random((8, 8, 3), np.float32)
    return np.asarray(np.clip(cv2.resize(rough, (48, 48), interpolation=cv2.INTER_CUBIC), 0, 1), np.float32)


def taught() -> TaughtSet:
    return TaughtSet.of("chance-cube", None, {"red": [patch(1)], "blue": [patch(2)]})


def test_a_set_is_made_looked_for_and_deleted(bench: Bench) -> None:
    made = bench.ask("make", set="Würfel 1", kind="rig-die", body="black").result
    assert made["body"] == "black" and set(made["faces"].values()) == {0} and not made["is_used"]
    seen = bench.ask("look", set="Würfel 1")
    assert seen.result["asked"] == [] and seen.result["calibration"] == "none" and seen.jpeg
    with pytest.raises(CommandFailed, match="Teach its faces first"):
        bench.ask("use", set="Würfel 1", is_used=True)
    assert bench.ask("delete", set="Würfel 1").result == {"sets": []} and bench.used == 0


def test_a_set_is_shared_as_a_file_and_used(bench: Bench) -> None:
    taken = bench.ask("import", set="mine", file=write_taught(taught())).result
    assert taken["faces"] == {"red": 1, "blue": 1} and bench.store.used() == []
    assert bench.ask("export", set="mine").result["file"] == write_taught(taught())
    assert bench.ask("use", set="mine", is_used=True).result["is_used"]
    assert [one.kind for one in bench.store.used()] == ["chance-cube"] and bench.used == 1
    assert bench.ask("forget", set="mine", face="red").result["faces"] == {"red": 0, "blue": 1} and bench.used == 2
    bench.ask("use", set="mine", is_used=False)
    assert bench.store.used() == [] and list(bench.store.sets()) == ["mine"]


def test_faces_too_alike_are_told(bench: Bench) -> None:
    alike = TaughtSet.of("chance-cube", None, {"red": [patch(1)], "blue": [np.rot90(patch(1)).copy()]})
    told = bench.ask("import", set="twins", file=write_taught(alike)).result
    assert told["too_alike"] == [["blue", "red"]]


@pytest.mark.parametrize(
    ("do", "body", "word"),
    [
        ("dance", {}, "teach does"),
        ("make", {"set": "../a", "kind": "pip-die"}, "a name is"),
        ("make", {"set": "mine", "kind": "pip-die"}, "already"),
        ("make", {"set": "a", "kind": "coin"}, "no such kind"),
        ("make", {"set": "a", "kind": "rig-die", "body": "pink"}, "no such kind"),
        ("look", {"set": "none"}, "no such set"),
        ("look", {"set": "../../profile"}, "no such set"),
        ("look", {"set": 7}, "a text"),
        ("name", {"set": "mine", "look": "c0", "place": 0, "face": "red"}, "looked at again"),
        ("import", {"set": "b", "file": "{}"}, "no taught dice"),
        ("import", {"set": "b", "file": "[" * 20_000}, "JSON"),
        ("import", {"set": "b", "file": "x" * 2_000_000}, "larger"),
        ("export", {"set": "none"}, "no such set"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(bench: Bench, do: str, body: dict[str, Any], word: str) -> None:
    bench.store.add("mine", taught())
    with pytest.raises(CommandFailed, match=word) as refused:
        bench.ask(do, **body)
    assert "\n" not in str(refused.value) and len(str(refused.value)) <= 200


def test_what_is_kept_is_bounded_and_what_is_broken_passed_over(bench: Bench, tmp_path: Path) -> None:
    empty = TaughtSet("pip-die", None, {})
    for number in range(MOST_SETS):
        bench.store.add(f"set {number}", empty)
    with pytest.raises(CommandFailed, match="delete one first"):
        bench.ask("make", set="one more", kind="pip-die")
    (tmp_path / "dice" / "broken.json").write_text("{", encoding="utf-8")
    assert len(bench.ask("sets").result["sets"]) == MOST_SETS
