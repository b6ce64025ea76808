"""``croupier teach``: a set that was never seen is taught from some pictures, and others of it are read by it."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.profile_file import load_profile
from calibration.taught_file import TaughtFileError, read_taught, write_taught
from device.cli import main
from device.decode import decode_picture
from device.trained import trained_reader
from tests.vision.home_made import home_made
from tests.vision.rig import Rig
from vision.taught import TaughtSet
from vision.taught_dice import TaughtDice


def run(*arguments: str | Path, typed: str = "") -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="croupier", input=typed)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dice")
    rig = Rig("felt", 11)
    design = home_made(np.random.default_rng(4))
    cv2.imwrite(str(folder / "empty.jpg"), rig.empty(), [cv2.IMWRITE_JPEG_QUALITY, 95])
    for name, seed in (("one", 1), ("two", 2), ("other", 3), ("another", 4)):
        frame, labels = rig.lay(seed, design, range(6))
        cv2.imwrite(str(folder / f"{name}.png"), frame)
        (folder / f"{name}.json").write_text(json.dumps(labels))
    frame, labels = rig.throw(0, "pip-die", 5)
    cv2.imwrite(str(folder / "ordinary.png"), frame)
    (folder / "ordinary.json").write_text(json.dumps(labels))
    assert run("calibrate", "--profile", folder / "p.json", "--tray", folder / "empty.jpg", "--accept").exit_code == 0
    return folder


def nearest(labels: list[dict[str, Any]], center_px: tuple[float, float]) -> dict[str, Any]:
    return min(labels, key=lambda true: float(np.hypot(*np.subtract(true["top_centre_px"], center_px))))


def test_taught_dice_are_read_in_any_turn_and_none_wrongly(folder: Path) -> None:
    faces: dict[str, list[Any]] = defaultdict(list)
    for name in ("one", "two"):
        labels = json.loads((folder / f"{name}.json").read_text())
        taught = TaughtDice([TaughtSet("pip-die", None, {})])
        trained_reader(load_profile(folder / "p.json").profile, taught).read(decode_picture(folder / f"{name}.png"))
        for seen in taught.seen:
            faces[nearest(labels, seen.center_px)["face"]].append(seen.turned[0])
    (folder / "set.json").write_text(write_taught(TaughtSet.of("pip-die", None, faces)))
    count: Counter[str] = Counter()
    arguments = ("--profile", folder / "p.json", "--kinds", "pip-die", "--dice", folder / "set.json")
    lines = run("read", *arguments, folder / "other.png", folder / "another.png").stdout.splitlines()
    for name, line in zip(("other", "another"), lines, strict=True):
        labels = json.loads((folder / f"{name}.json").read_text())
        for die in json.loads(line)["dice"]:
            count["right" if nearest(labels, die["center_px"])["face"] == die["face"] else "wrong"] += 1
    assert count["wrong"] == 0 and count["right"] >= 5
    # Ordinary dice of that kind stay readable beside them, though not while faces of the set are still unknown.
    labels, read = json.loads((folder / "ordinary.json").read_text()), {}
    (folder / "part.json").write_text(write_taught(TaughtSet.of("pip-die", None, {"6": faces["6"]})))
    for dice in ("set.json", "part.json"):
        read[dice] = json.loads(run("read", *arguments[:4], "--dice", folder / dice, folder / "ordinary.png").stdout)[
            "dice"
        ]
    assert all(nearest(labels, die["center_px"])["face"] == die["face"] for die in read["set.json"])
    assert len(read["set.json"]) >= 3 and read["part.json"] == []


def test_taught_dice_are_read_where_nothing_is_known_of_the_floor(tmp_path: Path) -> None:
    rig, design = Rig("wood", 11), home_made(np.random.default_rng(4))
    truth, faces = {}, defaultdict(list)
    for name, seed in (("one", 1), ("two", 2), ("other", 3), ("another", 4)):
        frame, truth[name] = rig.lay(seed, design, range(6))
        cv2.imwrite(str(tmp_path / f"{name}.png"), frame)
        if name in ("one", "two"):
            taught = TaughtDice([TaughtSet("pip-die", None, {})])
            trained_reader(None, taught).read(np.ascontiguousarray(frame), {"pip-die"})
            for seen in taught.seen:
                faces[nearest(truth[name], seen.center_px)["face"]].append(seen.turned[0])
    (tmp_path / "set.json").write_text(write_taught(TaughtSet.of("pip-die", None, faces)))
    pictures = [tmp_path / "other.png", tmp_path / "another.png"]
    found = {}
    for dice in ((), ("--dice", tmp_path / "set.json")):
        lines = run("read", "--kinds", "pip-die", *dice, *pictures).stdout.splitlines()
        read = [(Path(line["image"]).stem, die) for line in map(json.loads, lines) for die in line["dice"]]
        found[bool(dice)] = [
            nearest(truth[name], tuple(die["center_px"]))["face"] == die["face"] for name, die in read
        ]
    assert found[True] and all(found[True]) and len(found[True]) > len(found[False]) + 4


def test_faces_are_asked_for_and_what_is_not_said_is_passed_over(folder: Path) -> None:
    arguments = ("teach", folder / "asked.json", folder / "one.png", "--kind", "pip-die", "--profile")
    answer = run(*arguments, folder / "p.json", "--json", typed="9\n4\n")
    assert answer.exit_code == 0, answer.stderr
    assert "face 1 at (" in answer.stderr and "no face '9'" in answer.stderr
    known = json.loads(answer.stdout)
    assert known["faces"] == {"4": 1} and known["missing"] == ["1", "2", "3", "5", "6"]
    every = run(*arguments, folder / "p.json", "--face", "5")
    assert every.exit_code == 0 and "not yet: 1, 2, 3, 6" in every.stdout


def patch(seed: int) -> np.ndarray:
    rough = np.random.default_rng(seed).random((8, 8, 3), np.float32)
    return np.clip(cv2.resize(rough, (48, 48), interpolation=cv2.INTER_CUBIC), 0, 1)


def test_a_set_is_a_file_and_faces_that_look_alike_are_named() -> None:
    taught = TaughtSet.of("pip-die", None, {"1": [patch(1)], "2": [patch(2)], "3": [np.rot90(patch(2)).copy()]})
    assert taught.alike == {frozenset(("2", "3"))} and taught.cannot_tell("2") == ("3",)
    again = read_taught(write_taught(taught).encode())
    assert again.kind == "pip-die" and again.alike == taught.alike and again.missing == ("4", "5", "6")
    assert np.allclose(again.faces["1"][0], patch(1), atol=0.003)
    found = again.tell([np.rot90(patch(1), turn).copy() for turn in range(4)])
    assert found is not None and found.face == "1" and found.is_sure


@pytest.mark.parametrize(
    "hostile",
    [
        b"",
        b"[]",
        b'{"format": "croupier dice", "version": 2}',
        b'{"format": "croupier dice", "version": 1, "kind": "coin", "faces": {}}',
        b'{"format": "croupier dice", "version": 1, "kind": [], "faces": {}}',
        b'{"format": "croupier dice", "version": 1, "kind": "pip-die", "body": null, "faces": {"1": 3}}',
        b'{"format": "croupier dice", "version": 1, "kind": "pip-die", "body": null, "faces": {"1": ["!"]}}',
        b'{"format": "croupier dice", "version": 1, "kind": "pip-die", "body": null, "faces": {"1": [7]}}',
    ],
)
def test_what_is_no_set_is_refused_in_one_line(hostile: bytes) -> None:
    with pytest.raises(TaughtFileError) as refused:
        read_taught(hostile)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--kind", "pip-die", "--face", "7"], "no face '7'"),
        (["--kind", "rig-die", "--body", "pink"], "no body 'pink'"),
        (["--kind", "coin"], "coin"),
    ],
)
def test_wrong_use_exits_2(arguments: list[str], word: str, tmp_path: Path) -> None:
    answer = run("teach", tmp_path / "set.json", tmp_path / "a.png", *arguments)
    assert answer.exit_code == 2 and word in answer.stderr
