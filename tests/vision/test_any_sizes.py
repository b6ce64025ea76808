"""How large the dice of a picture are: the surest faces tell, and those that can be read."""

import numpy as np

from vision.any_sizes import is_of_size, is_speck, usual_width, width_of_read, with_large
from vision.detector import Found
from vision.dice import PIP_DIE
from vision.reading import ReadDie


def face(x: float, y: float, radius: float, score: float) -> Found:
    corners = ((x - radius, y), (x, y - radius), (x + radius, y), (x, y + radius))
    return Found("cube", score, (x, y), radius, corners)


def as_die(one: Found) -> ReadDie:
    return ReadDie(PIP_DIE, None, "4", 0.99, one.center_px, None, one.outline_px)


def test_the_surest_faces_say_how_large_dice_are() -> None:
    dice = [face(50 + 60 * i, 50, 20, 0.9) for i in range(3)]
    grains = [face(50 + 10 * i, 200, 5, 0.6) for i in range(20)]
    usual = usual_width([*dice, *grains])
    assert usual == dice[0].width_px
    assert is_of_size(dice[0], usual)
    assert not is_of_size(grains[0], usual)
    assert is_speck(grains[0], usual)
    assert not any(is_speck(face(0, 0, 20 / times, 0.9), usual) for times in (0.3, 1, 2, 2.9))
    assert usual_width([]) == 0.0


def test_among_many_small_squares_the_dice_that_can_be_read_say_it() -> None:
    dice = [face(50 + 90 * i, 50, 30, 0.8) for i in range(2)]
    keys = [face(50 + 25 * i, 200, 8, 0.75) for i in range(12)]
    assert usual_width([*dice, *keys]) == keys[0].width_px
    width = width_of_read([*dice, *keys], lambda one: as_die(one) if one in dice else "unsure")
    assert width == dice[0].width_px


def test_one_readable_thing_of_another_size_is_no_reason_to_think_otherwise() -> None:
    dice = [face(50 + 90 * i, 50, 30, 0.8) for i in range(4)]
    token = face(50, 200, 8, 0.8)
    assert width_of_read([*dice, token], lambda one: as_die(one) if one is token else "unsure") == dice[0].width_px


def pictured(shown: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A face 80 px wide with so many of a 4's pips."""
    pixels = np.full((200, 200, 3), 90, np.uint8)
    pixels[60:141, 60:141] = 235
    yy, xx = np.mgrid[:200, :200]
    for x, y in [(82, 82), (118, 82), (82, 118), (118, 118)][:shown]:
        pixels[(xx - x) ** 2 + (yy - y) ** 2 < 64] = 20
    return pixels


def test_a_large_face_takes_the_place_of_its_pips_only_if_it_is_surely_read() -> None:
    corners = ((60.0, 60.0), (140.0, 60.0), (140.0, 140.0), (60.0, 140.0))
    large = Found("cube", 0.5, (100.0, 100.0), 56.6, corners)
    pips = [face(82, 82, 9, 0.8), face(118, 118, 9, 0.7)]
    elsewhere = face(20, 180, 9, 0.6)
    found = [*pips, elsewhere]
    frame = pictured(4)
    surely = with_large(found, [large], frame, lambda one: as_die(one) if one is large else "not-a-die")
    assert surely == [elsewhere, large]
    # Four dice together are no die with four pips; nor is what has other pips than it is read with.
    assert with_large(found, [large], frame, as_die) == found
    assert with_large(found, [large], pictured(3), lambda one: as_die(one) if one is large else "unsure") == found
    assert with_large(found, [large], frame, lambda one: "unsure") == found


def test_one_of_the_pips_of_a_large_face_may_look_like_a_die() -> None:
    corners = ((60.0, 60.0), (140.0, 60.0), (140.0, 140.0), (60.0, 140.0))
    large = Found("cube", 0.5, (100.0, 100.0), 56.6, corners)
    pips = [face(82, 82, 9, 0.8), face(118, 118, 9, 0.7)]
    frame = pictured(4)
    assert with_large(pips, [large], frame, lambda one: as_die(one) if one in (large, pips[0]) else "unsure") == [
        large
    ]
    # Nor may anything be read that is too large for a pip: a die lies on a token, or two lie together.
    beside = [face(82, 82, 20, 0.8), pips[1]]
    kept = with_large(beside, [large], frame, lambda one: as_die(one) if one in (large, beside[0]) else "unsure")
    assert kept == beside


def test_a_die_that_cannot_be_read_as_it_is_outlined_may_be_read_as_it_is_seen_from_afar() -> None:
    corners = ((60.0, 60.0), (140.0, 60.0), (140.0, 140.0), (60.0, 140.0))
    large = Found("cube", 0.5, (100.0, 100.0), 56.6, corners)
    askew = face(104, 97, 68, 0.7)
    frame = pictured(4)
    assert with_large([askew], [large], frame, lambda one: as_die(one) if one is large else "unsure") == [large]
    assert with_large([askew], [large], frame, as_die) == [askew]


def test_a_large_die_that_cannot_be_read_is_left_and_not_passed_over() -> None:
    corners = ((60.0, 60.0), (140.0, 60.0), (140.0, 140.0), (60.0, 140.0))
    large = Found("cube", 0.5, (100.0, 100.0), 56.6, corners)
    for pips, expected in ((4, [large]), (1, []), (0, [])):
        assert with_large([], [large], pictured(pips), lambda one: "unsure") == expected
    inner = face(100, 100, 9, 0.8)
    assert with_large([inner], [large], pictured(4), lambda one: "unsure") == [inner]


def test_where_nothing_is_sure_what_is_read_beyond_doubt_says_how_large_dice_are() -> None:
    die, speck = face(100, 100, 60, 0.5), face(20, 20, 5, 0.45)
    for confidence, expected in ((0.999, die.width_px), (0.99, 0.0)):
        read = ReadDie(PIP_DIE, None, "4", confidence, die.center_px, None, die.outline_px)
        assert width_of_read([die, speck], lambda one, read=read: read if one is die else "unsure") == expected


def test_a_large_die_whose_pips_cannot_be_counted_must_be_surer() -> None:
    corners = ((60.0, 60.0), (140.0, 60.0), (140.0, 140.0), (60.0, 140.0))
    large = Found("cube", 0.5, (100.0, 100.0), 56.6, corners)
    plain = np.full((200, 200, 3), 90, np.uint8)
    for confidence, expected in ((0.998, [large]), (0.98, [])):
        die = ReadDie(PIP_DIE, None, "4", confidence, large.center_px, None, large.outline_px)
        assert with_large([], [large], plain, lambda _, die=die: die) == expected
