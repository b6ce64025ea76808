"""``croupier read`` as a process: its lines, its exit status, and what it says to hostile pictures."""

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.scene import BLUE, RED, DrawnCube, camera_above, draw_scene

PROGRAM = [sys.executable, "-m", "device", "read"]
KEYS = {"kind", "body", "face", "confidence", "center_px", "center_mm", "outline_px"}


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pictures") / "two cubes.jpg"
    cubes = [DrawnCube(-40, 0, 10, 16, RED, sides=BLUE), DrawnCube(60, 20, 60, 16, BLUE, sides=RED)]
    assert cv2.imwrite(str(path), draw_scene(camera_above(), cubes))
    return path


def test_one_line_for_each_picture(scene: Path) -> None:
    answer = run("--kinds", "chance-cube", "--expect", "chance-cube=2", "--json", scene, scene)
    assert (answer.returncode, answer.stderr) == (0, "")
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    assert len(lines) == 2
    for line in lines:
        assert list(line) == ["image", "calibration", "dice", "unread", "ms"]
        assert line["image"] == str(scene) and line["calibration"] == "mat" and line["ms"] > 0
        assert sorted(die["face"] for die in line["dice"]) == ["blue", "red"]
        for die in line["dice"]:
            assert set(die) == KEYS and 0.5 < die["confidence"] <= 1 and len(die["outline_px"]) == 4


def test_a_picture_that_cannot_be_read_does_not_stop_the_others(scene: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(scene.read_bytes()[:4000])
    answer = run(tmp_path / "none.jpg", scene, broken)
    assert answer.returncode == 1 and answer.stderr == ""
    first, second, third = (json.loads(line) for line in answer.stdout.splitlines())
    assert set(first) == set(third) == {"image", "error"}
    assert "dice" in second


def test_a_profile_that_cannot_be_read_ends_in_one_line(scene: Path, tmp_path: Path) -> None:
    (tmp_path / "tray.json").write_text("[]")
    for name in ("tray.json", "none.json"):
        answer = run("--profile", tmp_path / name, scene)
        assert answer.returncode == 1 and answer.stdout == ""
        assert answer.stderr.count("\n") == 1 and name in answer.stderr and "Traceback" not in answer.stderr


def _write(path: Path, picture: np.ndarray) -> Path:
    assert cv2.imwrite(str(path), picture)
    return path


def test_hostile_pictures_get_one_clear_line_each(scene: Path, tmp_path: Path) -> None:
    small = cv2.imread(str(scene))
    assert small is not None
    (tmp_path / "text.jpg").write_text("not a picture")
    (tmp_path / "empty.png").write_bytes(b"")
    png = _write(tmp_path / "cut.png", small[:200, :200]).read_bytes()
    (tmp_path / "cut.png").write_bytes(png[: len(png) // 2])
    # A PNG that claims to be 0 x 0 and one that claims 60,000 x 60,000: only the header is there to judge by.
    for name, side in (("zero.png", 0), ("huge.png", 60_000)):
        (tmp_path / name).write_bytes(png[:16] + side.to_bytes(4, "big") * 2 + png[24:])
    bad = [
        tmp_path / "text.jpg",
        tmp_path / "empty.png",
        tmp_path / "cut.png",
        tmp_path / "zero.png",
        tmp_path / "huge.png",
        _write(tmp_path / "pixel.png", np.zeros((1, 1, 3), np.uint8)),
        _write(tmp_path / "wide.png", np.zeros((40, 20_000, 3), np.uint8)),
        tmp_path,
    ]
    answer = run(*bad)
    assert answer.returncode == 1 and answer.stderr == ""
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [set(line) for line in lines] == [{"image", "error"}] * len(bad)
    assert all(line["error"] and "\n" not in line["error"] and "Traceback" not in line["error"] for line in lines)


def test_unusual_pictures_are_read_all_the_same(scene: Path, tmp_path: Path) -> None:
    frame = cv2.imread(str(scene))
    assert frame is not None
    deep = _write(tmp_path / "deep.png", frame.astype(np.uint16) * 257)
    alpha = _write(tmp_path / "alpha.png", cv2.cvtColor(frame, cv2.COLOR_BGR2BGRA))
    grey = _write(tmp_path / "grey.png", cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY))
    answer = run("--kinds", "chance-cube", deep, alpha, grey)
    assert answer.returncode == 0, answer.stderr
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [len(line["dice"]) for line in lines] == [2, 2, 0]
    assert all(line["calibration"] == "mat" for line in lines)


def test_drawings_and_stage_sheets_are_written(scene: Path, tmp_path: Path) -> None:
    out = tmp_path / "drawn"
    assert run("--annotate", out, "--stages", scene, scene).returncode == 0
    names = sorted(path.name for path in out.iterdir())
    assert names == [f"two cubes{part}.jpg" for part in ("-2-stages", "-2", "-stages", "")]
    drawn = cv2.imread(str(out / "two cubes.jpg"))
    assert drawn is not None and drawn.shape == (972, 1296, 3)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "IMAGE"),
        (["--kinds", "chance-cube,coin", "a.jpg"], "coin"),
        (["--expect", "chance-cube", "a.jpg"], "chance-cube"),
        (["--expect", "coin=1", "a.jpg"], "coin"),
        (["--stages", "a.jpg"], "--annotate"),
    ],
)
def test_wrong_use_exits_2(arguments: list[str], word: str) -> None:
    answer = run(*arguments)
    assert answer.returncode == 2 and answer.stdout == ""
    assert word in answer.stderr and "Traceback" not in answer.stderr
