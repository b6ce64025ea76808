"""``croupier recording``: recordings cut, merged, thinned, blurred, checked, and added to the tests."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from device.cli import main
from device.decode import decode_picture
from device.recording_folder import load_recording
from device.recording_parts import toml_text
from tests.device.program import RECORDING, run

TESTS = RECORDING.parent
PIPS = TESTS / "pip-dice-tidy"


def recording(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["recording", *map(str, arguments)])


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game in ten frames: frame 4 and 5 show a die, a decision follows frame 7."""
    folder = tmp_path / "game"
    (folder / "frames").mkdir(parents=True)
    thrown = [{"kind": "pip-die", "body": "white", "face": "5", "center_px": [30, 20]}]
    frames = []
    for n in range(1, 11):
        cv2.imwrite(str(folder / f"frames/{n:06d}.jpg"), np.full((48, 64, 3), 20 * n, np.uint8))
        dice = thrown if n in (4, 5) else []
        frames.append({"image": f"frames/{n:06d}.jpg", "t": n / 10, "rest": True, "dice": dice})
    (folder / "frames.jsonl").write_text("".join(json.dumps(frame) + "\n" for frame in frames))
    (folder / "actions.jsonl").write_text('{"after": "000007", "action": {"type": "pass", "player": "Ana"}}\n')
    (folder / "expected.json").write_text('{"phase": "over"}')
    about = {
        "name": "Evening",
        "source": "rendered",
        "game": "victim",
        "players": ["Ana", "Bo"],
        "kinds": ["pip-die"],
    }
    (folder / "recording.toml").write_text(toml_text(about))
    return folder


def test_cut_keeps_the_game_while_nothing_of_it_is_lost(game: Path, tmp_path: Path) -> None:
    assert recording("cut", game, tmp_path / "a", "--from", "3", "--to", "8").output.endswith("a game, 6 frames\n")
    kept = load_recording(tmp_path / "a")
    assert (kept.game, len(kept.decisions), kept.expected) == ("victim", 1, {"phase": "over"})
    assert [(frame.number, frame.t) for frame in kept.frames][:2] == [(3, 0.0), (4, 0.1)]
    for name, first, last in (("throw", 5, 10), ("decision", 1, 6)):
        done = recording("cut", game, tmp_path / name, "--from", str(first), "--to", str(last))
        assert "a set of pictures, 6 frames" in done.output
        piece = load_recording(tmp_path / name)
        assert (piece.game, piece.decisions, piece.expected, piece.kinds) == (None, (), None, ("pip-die",))


def test_thin_keeps_the_first_of_what_says_the_same(game: Path, tmp_path: Path) -> None:
    assert recording("thin", game, tmp_path / "a", "--every", "3").exit_code == 0
    assert [frame.number for frame in load_recording(tmp_path / "a").frames] == [1, 4, 6, 9]
    assert load_recording(tmp_path / "a").is_game


def test_merge_numbers_the_pictures_of_all_anew(game: Path, tmp_path: Path) -> None:
    done = recording("merge", game, PIPS, tmp_path / "both")
    assert "not mixed" in done.output and not (tmp_path / "both").exists()
    (game / "recording.toml").write_text((game / "recording.toml").read_text() + 'licence = "MIT"\n')
    assert recording("merge", game, PIPS, tmp_path / "both").exit_code == 0
    both = load_recording(tmp_path / "both")
    assert [frame.image for frame in both.frames] == [f"frames/{n:06d}.jpg" for n in range(1, 13)]
    assert both.source == "rendered" and not both.is_game
    assert (tmp_path / "both/frames/000011.jpg").read_bytes() == (PIPS / "frames/d0004.jpg").read_bytes()


def test_blur_leaves_the_mat_as_it_was_and_nothing_else(tmp_path: Path) -> None:
    assert recording("blur", PIPS, tmp_path / "a").exit_code == 0
    before, after = (decode_picture(folder / "frames/d0004.jpg").astype(int) for folder in (PIPS, tmp_path / "a"))
    height, width = before.shape[:2]
    middle = np.s_[height // 3 : 2 * height // 3, width // 3 : 2 * width // 3]
    assert np.abs(before - after)[middle].mean() < 2
    # A corner of the picture lies outside the mat: one block, but for what JPEG does to it.
    assert after[: height // 40, : width // 40].std(axis=(0, 1)).max() < 3
    ended = run("replay", "--json", tmp_path / "a")
    assert ended.json["dice"] == {"right": 7, "wrong": 0, "left": 0}, ended.err


def test_where_no_mat_is_seen_nothing_is_written(game: Path, tmp_path: Path) -> None:
    done = recording("blur", game, tmp_path / "a")
    assert done.exit_code == 1 and "no mat is seen" in done.output and done.output.count("\n") == 1
    assert list(tmp_path.iterdir()) == [game]


def test_all_recordings_of_the_tests_pass_their_own_check() -> None:
    folders = [path for path in TESTS.iterdir() if (path / "frames.jsonl").exists()]
    done = recording("check", *folders)
    assert (done.exit_code, done.output) == (0, "")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda game: None, "origin"),
        (lambda game: (game / "expected.json").unlink(), "expected.json: missing"),
        (lambda game: relabel(game, {"kind": "pip-die", "face": "7"}), "a pip-die has no face 7"),
        (lambda game: relabel(game, {"kind": "coin", "face": "7"}), "coin is no kind of dice"),
        (lambda game: relabel(game, {"kind": "pip-die", "face": "6", "center_px": [64, 1]}), "outside the picture"),
        (lambda game: (game / "frames/noise.bin").write_bytes(bytes(2_100_000)), "2 MB are the most"),
    ],
)
def test_what_is_no_test_is_not_added(
    game: Path, tmp_path: Path, spoil: Callable[[Path], object], message: str
) -> None:
    spoil(game)
    found = recording("check", game)
    assert found.exit_code == 1 and message in found.output
    (tmp_path / "tests").mkdir()
    done = recording("add", game, "--tests", tmp_path / "tests")
    assert done.exit_code == 1
    assert list((tmp_path / "tests").iterdir()) == []


def relabel(game: Path, die: dict[str, Any]) -> None:
    frames = lines(game / "frames.jsonl")
    frames[4]["dice"] = [die]
    (game / "frames.jsonl").write_text("".join(json.dumps(frame) + "\n" for frame in frames))


def test_a_sound_recording_is_added_with_its_origin_once(game: Path, tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    told = ("--origin", "made by this test", "--licence", "MIT", "--tests", tmp_path / "tests")
    done = recording("add", game, *told)
    assert (done.exit_code, done.output) == (0, f"{tmp_path / 'tests' / 'evening'}\n")
    added = tmp_path / "tests/evening"
    assert recording("check", added).exit_code == 0
    assert (added / "expected.json").exists() and load_recording(added).is_game
    assert "exists" in recording("add", game, *told).output
    assert "says source" in recording("add", game, *told, "--name", "b", "--source", "photographed").output


def test_the_one_given_and_what_is_there_stay_as_they_are(game: Path, tmp_path: Path) -> None:
    before = sorted((path.name, path.stat().st_mtime_ns) for path in game.rglob("*"))
    shutil.copytree(game, tmp_path / "other")
    done = recording("thin", game, tmp_path / "other")
    assert done.exit_code == 1 and "exists" in done.output
    assert sorted((path.name, path.stat().st_mtime_ns) for path in game.rglob("*")) == before
