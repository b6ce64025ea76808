"""``croupier calibrate``: from pictures to a profile that croupier read takes, and back again."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from device.cli import main
from tests.vision.rig import Rig
from tests.vision.scene import camera_above, draw_scene


def run(*arguments: str | Path, typed: str | None = None) -> Result:
    words = [str(argument) for argument in arguments]
    return CliRunner().invoke(main, words, prog_name="croupier", input=typed)


def lines(answer: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer.stdout.splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tray")
    rig = Rig("felt", 11)
    frame, dice = rig.throw(1, "pip-die", 3)
    cv2.imwrite(str(folder / "empty.jpg"), rig.empty(), [cv2.IMWRITE_JPEG_QUALITY, 95])
    cv2.imwrite(str(folder / "throw.png"), frame)
    cv2.imwrite(str(folder / "dark.png"), np.asarray(rig.empty() // 8, np.uint8))
    cv2.imwrite(str(folder / "mat.png"), draw_scene(camera_above()))
    label = {"image": "throw.png", "rest": True, "dice": dice}
    (folder / "frames.jsonl").write_text(json.dumps(label) + "\n")
    (folder / "truth.txt").write_text(",".join(f"pip-die:{die['face']}" for die in dice))
    return folder


def test_an_empty_tray_becomes_a_profile_that_dice_are_read_by(folder: Path, tmp_path: Path) -> None:
    profile, truth = tmp_path / "profile.json", (folder / "truth.txt").read_text()
    answer = run("calibrate", "--profile", profile, "--tray", folder / "empty.jpg", "--json")
    assert answer.exit_code == 0, answer.stderr + answer.stdout
    assert [line["step"] for line in lines(answer)] == ["tray", "pending"] and not profile.exists()
    answer = run("calibrate", "--profile", profile, "--verify", folder / "throw.png", "--truth", truth, "--accept")
    assert answer.exit_code == 0, answer.stderr + answer.stdout
    assert "all 3 known dice were read rightly" in answer.stdout and profile.exists()
    read = run("read", "--profile", profile, "--kinds", "pip-die", folder / "throw.png", folder / "empty.jpg")
    first, second = lines(read)
    assert (first["calibration"], len(first["dice"]), second["dice"]) == ("profile", 3, [])
    assert sorted(f"pip-die:{die['face']}" for die in first["dice"]) == sorted(truth.split(","))


def test_a_recording_with_an_empty_tray_is_replayed_by_it(folder: Path) -> None:
    answer = run("replay", "--json", folder)
    assert answer.exit_code == 0, answer.stderr + answer.stdout
    assert json.loads(answer.stdout)["dice"]["right"] == 3


def test_a_step_that_fails_says_why_and_changes_nothing(folder: Path, tmp_path: Path) -> None:
    profile = tmp_path / "profile.json"
    answer = run("calibrate", "--profile", profile, "--light", folder / "dark.png", "--tray", folder / "empty.jpg")
    assert (answer.exit_code, answer.stdout) == (1, "light: too dark: bring the lamp nearer\n")
    assert list(tmp_path.iterdir()) == []


def test_the_mat_gives_scale_and_undo_goes_back(folder: Path, tmp_path: Path) -> None:
    profile = tmp_path / "profile.json"
    for ruler in ("50", "48.5"):
        answer = run("calibrate", "--profile", profile, "--mat", folder / "mat.png", "--ruler-mm", ruler, "--accept")
        assert answer.exit_code == 0, answer.stderr
    assert "the printer scaled the page to 97 %" in answer.stdout
    after = json.loads(profile.read_text())["pose"]["translation"]
    assert run("calibrate", "--profile", profile, "--undo").exit_code == 0
    before = json.loads(profile.read_text())["pose"]["translation"]
    assert after[2] == pytest.approx(0.97 * before[2], rel=1e-4)
    assert run("calibrate", "--profile", profile, "--undo").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "nothing to look at"),
        (["--dice", "a.png"], "--tray"),
        (["--verify", "a.png"], "--truth"),
        (["--verify", "a.png", "--truth", "pip-die:7"], "pip-die:7"),
        (["--lens", "a.png"], "three pictures"),
        (["--camera", "polaroid"], "polaroid"),
        (["--tray", "a.png", "--die-mm", "-1"], "above 0"),
    ],
)
def test_wrong_use_exits_2(arguments: list[str], word: str, tmp_path: Path) -> None:
    answer = run("calibrate", "--profile", tmp_path / "profile.json", *arguments)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert word in answer.stderr and "Traceback" not in answer.stderr


def test_a_camera_is_walked_through_step_by_step_and_back(folder: Path, tmp_path: Path) -> None:
    """The recording stands in for a camera above the empty tray; after the tray the light is looked at once more."""
    profile = tmp_path / "profile.json"
    arguments = ("calibrate", "--profile", profile, "--camera", f"recording:{folder}", "--steps", "light,tray")
    answer = run(*arguments, "--json", "--accept", typed="\nb\n\n\n")
    assert answer.exit_code == 0, answer.stderr
    assert [line["step"] for line in lines(answer)] == ["light", "light", "tray", "accept"]
    assert json.loads(profile.read_text())["measured_on"] == {
        "light": ["calibrate-light-1.png"],
        "tray": ["calibrate-tray-1.png"],
    }
    assert "b and Enter to go back" in answer.stderr


def test_a_bad_picture_is_taken_again_until_the_input_ends(folder: Path, tmp_path: Path) -> None:
    dark = tmp_path / "dark"
    dark.mkdir()
    (dark / "1.png").write_bytes((folder / "dark.png").read_bytes())
    (dark / "frames.jsonl").write_text(json.dumps({"image": "1.png", "rest": True, "dice": None}) + "\n")
    profile = tmp_path / "profile.json"
    answer = run("calibrate", "--profile", profile, "--camera", f"recording:{dark}", "--json", typed="\n\n")
    assert answer.exit_code == 1 and not profile.exists()
    assert [(line["step"], line["good"]) for line in lines(answer)] == [("light", False)] * 2


def test_a_picture_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    answer = run("calibrate", "--profile", tmp_path / "profile.json", "--tray", tmp_path / "none.png")
    assert answer.exit_code == 1 and "none.png" in answer.stderr and answer.stderr.count("\n") == 1
