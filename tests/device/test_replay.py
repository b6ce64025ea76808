"""``croupier replay``: recordings scored."""

import json
import shutil
from pathlib import Path

from device.recording import RecordedFrame
from device.scoring import Score, score_dice, score_frames
from tests.device.program import RECORDING, run
from tests.device.scene import die, reading


def label(face: str, x: float, y: float, **more: object) -> dict[str, object]:
    return {"kind": "chance-cube", "body": face, "face": face, "center_px": [3 * x, 3 * y], **more}


def test_the_worked_example_is_read_right_and_ends_as_expected() -> None:
    ended = run("replay", "--json", RECORDING)
    assert ended.status == 0, ended.err
    assert ended.json["dice"] == {"right": 9, "wrong": 0, "left": 0}
    assert ended.json["games"] == {"as_expected": 1, "played": 1}


def test_wrong_labels_and_another_end_are_told(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(RECORDING, tmp_path / "copy"))
    frames = (folder / "frames.jsonl").read_text()
    blue = '"body": "blue", "face": "blue", "center_px": [349.26, 331.97]'
    assert blue in frames
    (folder / "frames.jsonl").write_text(frames.replace(blue, blue.replace("blue", "red")))
    (folder / "expected.json").write_text('{"pot": 1}')
    ended = run("replay", folder)
    assert ended.status == 1
    assert "8 dice right, 1 wrong, 0 left unread; the game did not end as expected" in ended.out
    assert "pot is 0, expected 1" in ended.out


def test_single_pictures_are_scored_each_by_itself(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in (RECORDING / "frames.jsonl").read_text().splitlines()]
    chosen = [line for line in lines if line["image"] in ("frames/000059.jpg", "frames/000071.jpg")]
    shutil.copytree(RECORDING / "frames", tmp_path / "frames")
    (tmp_path / "frames.jsonl").write_text("".join(json.dumps(line) + "\n" for line in chosen))
    ended = run("replay", "--json", tmp_path)
    assert ended.status == 0, ended.err
    assert ended.json["recordings"] == [
        {"recording": str(tmp_path), "dice": {"right": 1, "wrong": 0, "left": 0}, "game": None}
    ]


def test_a_recording_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    ended = run("replay", "--json", tmp_path / "missing", RECORDING)
    assert ended.status == 1
    assert ended.err.count("\n") == 1
    assert "no such recording" in ended.err
    assert ended.json["games"] == {"as_expected": 1, "played": 1}


def test_dice_are_matched_with_the_nearest_label() -> None:
    labels = [label("red", 0, 0), label("blue", 40, 0)]
    assert score_dice(labels, [die("blue", 40, 1), die("red", 1, 0)]) == Score(right=2)
    assert score_dice(labels, [die("red", 40, 1)]) == Score(wrong=1, left=1)
    assert score_dice(labels, [die("red", 0, 0), die("blue", 40, 0), die("red", 80, 0)]) == Score(right=2, wrong=1)
    assert score_dice([label("red", 0, 0, readable=False)], []) == Score()
    assert score_dice([label("red", 0, 0, readable=False)], [die("red", 0, 0)]) == Score(wrong=1)
    glared = label("red", 0, 0, readable=False, state="flat")
    assert score_dice([glared], [die("red", 0, 0)]) == Score(right=1)
    assert score_dice([glared], [die("blue", 0, 0)]) == Score(wrong=1)
    assert score_dice([{"kind": "chance-cube", "face": "red"}], [die("red", 9, 9)]) == Score(right=1)


def test_of_a_pile_the_upper_die_is_not_taken_for_the_lower_one_whose_label_comes_first() -> None:
    pile = [label("red", 0, 0, readable=False) | {"state": "under"}, label("blue", 6, 0) | {"state": "on_top"}]
    assert score_dice(pile, [die("blue", 6, 1)]) == Score(right=1)


def test_a_throw_is_scored_once_by_its_last_reading_or_a_wrong_one() -> None:
    thrown = (label("red", 0, 0),)
    frames = [
        RecordedFrame(1, "1.jpg", 0.0, False, None),
        RecordedFrame(2, "2.jpg", 0.1, False, None),
        RecordedFrame(3, "3.jpg", 0.2, True, thrown),
        RecordedFrame(4, "4.jpg", 0.3, True, thrown),
    ]
    right, nothing, wrong = reading(die("red", 0, 0)), reading(), reading(die("blue", 0, 0))
    assert score_frames(frames, [("1.jpg", nothing), ("2.jpg", right)]) == Score(right=1)
    assert score_frames(frames, [("3.jpg", right), ("4.jpg", right)]) == Score(right=1)
    assert score_frames(frames, [("3.jpg", wrong), ("4.jpg", right)]) == Score(wrong=1)
    assert score_frames(frames, [("4.jpg", nothing)]) == Score(left=1)
