"""Drawn pictures: the same for the same seed, and true to their labels."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.synthesis.dice import any_clear_die, any_die, any_round_die, any_worn_die
from calibration.synthesis.digits import any_hand, has_figures
from calibration.synthesis.floors import FLOORS, any_floor
from calibration.synthesis.lights import any_lighting
from calibration.synthesis.number_dice import number_die
from calibration.synthesis.optics import overhead_camera
from calibration.synthesis.other_dice import other_die
from calibration.synthesis.render import draw
from calibration.synthesis.samples import samples
from calibration.synthesis.scene import HARD, picture
from calibration.synthesis.things import as_thing, lay
from calibration.synthesis.warped_hands import warped
from vision import mat_layout
from vision.dice import KINDS


def test_a_seed_always_draws_the_same() -> None:
    first, second = (picture(np.random.default_rng([5, 2])) for _ in range(2))
    assert np.array_equal(first.pixels, second.pixels)
    assert first.label == second.label


@pytest.mark.parametrize("kind", ["pip-die", "number-die"])
def test_clear_dice_are_the_same_but_for_their_plastic(kind: str) -> None:
    for seed in range(8):
        plain, clear = (make(np.random.default_rng(seed), kind, 16.0) for make in (any_die, any_clear_die))
        assert clear.faces == plain.faces and clear.size_mm == plain.size_mm
        assert not np.array_equal(plain.art[0].albedo, clear.art[0].albedo)
        inked = np.abs(plain.art[0].albedo - plain.edge).sum(axis=2)
        painted = inked == inked.max()
        assert np.allclose(plain.art[0].albedo[painted], clear.art[0].albedo[painted], atol=1e-5)
    first, second = (make(np.random.default_rng(5), "rig-die", 16.0) for make in (any_die, any_clear_die))
    assert np.array_equal(first.art[0].albedo, second.art[0].albedo)


def test_any_numbers_are_written_in_one_hand() -> None:
    hand = any_hand(np.random.default_rng(3), numbers=(64, 20, 7))
    assert len(hand.masks) == 3
    wide = [int(np.ptp(np.nonzero(mask > 128)[1])) for mask in hand.masks]
    assert wide[2] < min(wide[:2])


def test_the_mat_lies_where_the_label_says() -> None:
    drawn = picture(np.random.default_rng(3), "mat", condition="clean", most_dice=1)
    camera = drawn.label["camera"]
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, mat_layout.MARKER_DICTIONARY))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(drawn.pixels)
    assert ids is not None and len(ids) >= 4
    for found, marker in zip(corners, ids.ravel().tolist(), strict=True):
        flat = np.array([(x, y, 0) for x, y in mat_layout.marker_area(marker).corners_mm])
        want, _ = cv2.projectPoints(
            flat, np.array(camera["rvec"]), np.array(camera["tvec"]), np.array(camera["K"]), np.array(camera["dist"])
        )
        assert np.abs(found.reshape(4, 2) - want.reshape(4, 2)).max() < 1.0


def test_a_camera_that_does_not_hang_above_leans_as_far_as_asked() -> None:
    for number in range(6):
        drawn = picture(np.random.default_rng(number), "felt", aslant_deg=(50.0, 55.0))
        down = cv2.Rodrigues(np.array(drawn.label["camera"]["rvec"]))[0][2, 2]
        assert 50 <= np.degrees(np.arccos(down)) <= 55
        inside = [0 < x < drawn.label["width"] for x, _ in (die["top_centre_px"] for die in drawn.label["dice"])]
        assert sum(inside) >= len(inside) / 2


def test_round_dice_are_cubes_whose_corners_a_ball_cuts_off() -> None:
    for seed in range(8):
        design = any_round_die(np.random.default_rng(seed), "pip-die", 16.0)
        pairs = list(zip(design.faces[::2], design.faces[1::2], strict=True))
        assert all(int(one) + int(other) == 7 for one, other in pairs)
        corners = np.concatenate([design.solid.facets.reshape(-1, 3), *design.solid.outlines])
        assert np.abs(corners).max() <= 8.0 + 1e-6
        assert np.linalg.norm(corners, axis=1).max() < 0.81 * 16  # a sharp cube's reach 0.87
    first, second = (make(np.random.default_rng(5), "rig-die", 16.0) for make in (any_die, any_round_die))
    assert first.faces == second.faces and np.array_equal(first.solid.facets, second.solid.facets)


def test_worn_dice_are_the_same_but_for_their_paint() -> None:
    for seed in range(8):
        new, worn = (make(np.random.default_rng(seed), "pip-die", 16.0) for make in (any_die, any_worn_die))
        assert worn.faces == new.faces and worn.size_mm == new.size_mm
        assert not np.array_equal(new.art[0].albedo, worn.art[0].albedo)
    first, second = (make(np.random.default_rng(5), "rig-die", 16.0) for make in (any_die, any_worn_die))
    assert first.faces == second.faces and np.array_equal(first.art[0].albedo, second.art[0].albedo)


@pytest.mark.parametrize("floor", ["mat", "felt"])
def test_other_games_dice_lie_among_the_same_dice_and_are_labelled_apart(floor: str) -> None:
    alone = picture(np.random.default_rng([8, 3]), floor)
    among = picture(np.random.default_rng([8, 3]), floor, most_others=6)
    assert "other_dice" not in alone.label
    assert among.label["dice"] and among.label["other_dice"]
    of_both = [
        [(die["kind"], die["face"], die["top_quad_px"]) for die in one.label["dice"]] for one in (alone, among)
    ]
    assert of_both[0] == of_both[1]
    for corners in among.label["other_dice"]:
        u, v = np.round(np.mean(corners, axis=0)).astype(int)
        if 0 <= v < among.owner.shape[0] and 0 <= u < among.owner.shape[1]:
            assert among.owner[v, u] not in range(len(among.label["dice"]))


def test_other_games_dice_stand_on_a_face_opposite_to_the_upper_one() -> None:
    corners = Counter[int]()
    for seed in range(40):
        thing = other_die(np.random.default_rng(seed), (0.0, 0.0))
        up, down = thing.normals[:, 2].min(), thing.normals[:, 2].max()
        assert (up, down) == pytest.approx((-1, 1), abs=1e-6)
        assert thing.corners[:, 2].max() == pytest.approx(0, abs=1e-9)
        corners[len(thing.normals)] += 1
    assert set(corners) == {6, 8, 10, 20}


def test_faces_that_the_games_say_are_opposite_are() -> None:
    rng = np.random.default_rng(1)
    flipped = {"blue": "gold", "black": "red", "green": "purple"}
    for _ in range(5):
        for kind in KINDS:
            design = any_die(rng, kind)
            assert np.allclose(design.solid.normals[::2], -design.solid.normals[1::2])
            pairs = list(zip(design.faces[::2], design.faces[1::2], strict=True))
            if kind == "pip-die":
                assert all(int(a) + int(b) == 7 for a, b in pairs)
            if kind == "number-die":
                assert all(int(a) + int(b) == 13 for a, b in pairs)
            if kind == "rig-die":
                assert all(flipped[a.split()[0]] == b.split()[0] and a.split()[1] == b.split()[1] for a, b in pairs)
            if kind == "chance-cube":
                assert design.faces.count("red") == 3
            assert all(KINDS[kind].has_face(face, design.seen_body) for face in design.faces) or kind == "chance-cube"


def test_a_number_is_not_drawn_mirrored() -> None:
    rng = np.random.default_rng(8)
    camera = overhead_camera(rng, tilt_deg=0.0, upside_down=0.0)
    lighting = any_lighting(rng, camera.position, "ceiling")
    floor = any_floor(rng, "paper")
    agreements = []
    for _ in range(6):
        design = number_die(rng, 20.0)
        face = design.faces.index("2")
        thing = as_thing(design, *lay(design, face, (0.0, 0.0), float(rng.uniform(0, 360))))
        light = draw(camera, lighting, floor, [thing]).light
        solid, reach = design.solid, design.reach_mm
        across, normal = solid.across[face], solid.normals[face]
        down = np.cross(across, normal)
        square = solid.sharp[face].mean(0) + reach * np.array(
            [-across - down, across - down, across + down, -across + down]
        )
        seen_at = camera.project(thing.world(square)).astype(np.float32)
        target = np.array([[0, 0], [96, 0], [96, 96], [0, 96]], np.float32) - np.float32(0.5)
        seen = cv2.warpPerspective(light, cv2.getPerspectiveTransform(seen_at, target), (96, 96))
        middle = (slice(24, 72), slice(24, 72))
        want = design.art[face].albedo[middle].mean(-1).ravel()
        same = np.corrcoef(seen[middle].mean(-1).ravel(), want)[0, 1]
        mirrored = np.corrcoef(seen[:, ::-1][middle].mean(-1).ravel(), want)[0, 1]
        agreements.append(same - mirrored)
    assert np.median(agreements) > 0.2


def test_a_bent_hand_writes_the_same_numbers_whole() -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        hand = any_hand(rng)
        bent = warped(hand, np.random.default_rng(int(rng.integers(1000))))
        for before, after in zip(hand.masks, bent.masks, strict=True):
            assert 0.25 < after.sum() / before.sum() < 2.0
            assert max(after[edge].max() for edge in (0, -1)) < 128


@pytest.mark.parametrize("condition", ["clean", *HARD])
def test_every_condition_is_what_it_says(condition: str) -> None:
    drawn = picture(np.random.default_rng(11), "mat", condition=condition, most_dice=4)
    dice = drawn.label["dice"]
    height, width = drawn.pixels.shape[:2]
    assert drawn.pixels.dtype == np.uint8 and (width, height) == (drawn.label["width"], drawn.label["height"])
    assert drawn.label["tags"] == [condition] and dice
    if condition == "stacked":
        assert {"under", "on_top"} <= {d["state"] for d in dice}
        assert not any(d["readable"] for d in dice if d["state"] == "under" and d["visible_fraction"] < 0.7)
    if condition == "cocked":
        assert any(d["state"] == "cocked" and d["tilt_deg"] > 10 and not d["readable"] for d in dice)
    if condition == "occluded":
        assert any(d["visible_fraction"] < 0.9 for d in dice)
    if condition == "outside":
        assert any(d["in_roll_area"] != "yes" for d in dice)
    if condition == "clean":
        assert all(d["readable"] and d["visible_fraction"] > 0.8 for d in dice)


@pytest.mark.parametrize("floor", FLOORS)
def test_every_floor_can_be_drawn(floor: str) -> None:
    drawn = picture(np.random.default_rng(4), floor, condition="clean", most_dice=1)
    assert drawn.label["floor"] == floor
    assert drawn.pixels.std() > 2


def test_a_red_cube_is_red_where_the_label_says_it_lies() -> None:
    for seed in range(4):
        rng = np.random.default_rng([9, seed])
        drawn = picture(rng, "mat", ["chance-cube"], "clean", 2)
        for die in drawn.label["dice"]:
            (u, v), bright = die["top_centre_px"], drawn.pixels.astype(int)
            corner = np.array(die["top_quad_px"]).mean(0) * 0.45 + np.array(die["top_quad_px"][0]) * 0.55
            blue, _, red = bright[round(corner[1]), round(corner[0])]
            assert (red > blue) == (die["face"] == "red"), (u, v)


def test_samples_repeat_and_are_known_to_the_games() -> None:
    first = [s for s, _ in zip(samples(4), range(12), strict=False)]
    again = [s for s, _ in zip(samples(4), range(12), strict=False)]
    for one, two in zip(first, again, strict=True):
        assert np.array_equal(one.patch, two.patch) and one.face == two.face
        assert one.patch.shape == (48, 48, 3) and one.patch.dtype == np.float32
        assert one.patch.min() >= 0 and one.patch.max() <= 1
        assert one.kind == "nothing" or KINDS[one.kind].has_face(one.face)


def test_the_command_writes_pictures_and_labels(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "calibration.synthesis",
        str(tmp_path / "set"),
        "--count",
        "2",
        "--floor",
        "felt",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    labels = [json.loads(line) for line in (tmp_path / "set" / "labels.jsonl").read_text("utf-8").splitlines()]
    assert [label["source"] for label in labels] == ["rendered", "rendered"]
    for label in labels:
        seen = cv2.imread(str(tmp_path / "set" / label["image"]))
        assert seen is not None and seen.shape[:2] == (label["height"], label["width"])


def test_an_unknown_kind_is_refused_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "calibration.synthesis", str(tmp_path / "set"), "--kinds", "d20"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "d20" in done.stderr and "Traceback" not in done.stderr


def _bitmap_font(file: Path, letters: str) -> Path:
    """A font in the Bitmap Distribution Format, 48 px high, whose letters are bars of as many lengths."""
    head = "STARTFONT 2.1\nFONT one\nSIZE 48 72 72\nFONTBOUNDINGBOX 16 48 0 0\nSTARTPROPERTIES 3\n"
    head += "FONT_ASCENT 48\nFONT_DESCENT 0\nPIXEL_SIZE 48\nENDPROPERTIES\n"
    glyphs = "".join(
        f"STARTCHAR c{ord(letter)}\nENCODING {ord(letter)}\nSWIDTH 500 0\nDWIDTH 20 0\n"
        + f"BBX 16 {3 + number} 0 0\nBITMAP\n"
        + "FFFF\n" * (3 + number)
        + "ENDCHAR\n"
        for number, letter in enumerate(letters)
    )
    file.write_text(f"{head}CHARS {len(letters)}\n{glyphs}ENDFONT\n", "ascii")
    return file


def test_fonts_that_cannot_write_numbers_are_refused(tmp_path: Path) -> None:
    assert has_figures(_bitmap_font(tmp_path / "all.bdf", "0123456789"))
    other = _bitmap_font(tmp_path / "other.bdf", "ABC")
    assert not has_figures(other)
    command = [sys.executable, "-m", "calibration.synthesis", str(tmp_path / "out"), "--fonts", str(other)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 2 and "other.bdf has no figures 0 to 9" in told.stderr
    assert not (tmp_path / "out").exists()
