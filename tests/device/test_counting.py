"""Which dice count."""

from dataclasses import replace

from device.counting import FRAMES_THAT_AGREE, MOST_FRAMES, Agreement, LyingDie, count_dice, is_told
from tests.device.scene import die, reading
from vision.reading import Unread


def lying(*dice: LyingDie) -> tuple[LyingDie, ...]:
    return dice


def test_all_dice_of_an_empty_tray_count() -> None:
    red, blue = die("red", 0, 0), die("blue", 30, 0)
    count = count_dice(reading(red, blue), ())
    assert count.dice == (red, blue)
    assert [other.face for other in count.lying] == ["red", "blue"]


def test_a_die_left_lying_does_not_count_again() -> None:
    favor = LyingDie.of(die("red", 0, 0))
    thrown = die("red", 40, 20)
    count = count_dice(reading(die("red", 0.5, -0.4), thrown), lying(favor))
    assert count.dice == (thrown,)
    assert count.staying == (favor,)


def test_a_die_that_was_moved_counts() -> None:
    favor = LyingDie.of(die("red", 0, 0))
    pushed = die("red", 5, 0)
    assert count_dice(reading(pushed), lying(favor)).dice == (pushed,)


def test_another_face_in_the_same_place_counts() -> None:
    favor = LyingDie.of(die("red", 0, 0))
    turned = die("blue", 0, 0)
    assert count_dice(reading(turned), lying(favor)).dice == (turned,)


def test_one_lying_die_shields_one_die() -> None:
    favor = LyingDie.of(die("red", 0, 0))
    beside = die("red", 2, 2)
    count = count_dice(reading(die("red", 0, 0), beside), lying(favor))
    assert count.dice == (beside,)


def test_without_a_mat_places_are_pixels() -> None:
    favor = LyingDie.of(die("red", 0, 0, on_mat=False))
    assert not count_dice(reading(die("red", 2, 0, on_mat=False)), lying(favor)).dice
    assert count_dice(reading(die("red", 6, 0, on_mat=False)), lying(favor)).dice


def test_a_lying_die_seen_badly_is_no_news() -> None:
    favor = LyingDie.of(die("red", 0, 0))
    count = count_dice(reading(unread=(Unread("occluded", (10.0, 5.0)),)), lying(favor))
    assert not count.is_news
    assert count.staying == (favor,)


def test_things_that_are_no_dice_are_named_and_no_news_by_themselves() -> None:
    coaster = Unread("not-a-die", (300.0, 0.0))
    assert not count_dice(reading(unread=(coaster,)), ()).is_news
    count = count_dice(reading(die("red", 0, 0), unread=(coaster,)), ())
    assert count.is_news
    assert count.unread == (coaster,)
    assert count_dice(reading(unread=(Unread("cocked", (0.0, 0.0)),)), ()).is_news


def test_what_was_told_is_recognised() -> None:
    cocked = Unread("cocked", (200.0, 0.0))
    count = count_dice(reading(die("red", 0, 0), unread=(cocked,)), ())
    told = [LyingDie.of(die("red", 1, 0))]
    assert is_told(count, told, [cocked])
    assert not is_told(count, told, [])
    assert not is_told(count, [LyingDie.of(die("red", 10, 0))], [cocked])


def test_a_lying_die_survives_being_stored() -> None:
    for on_mat in (True, False):
        stored = replace(LyingDie.of(die("red", 1, 2, on_mat=on_mat)), look=b"\x00\xff")
        assert LyingDie.from_json(stored.to_json()) == stored


def test_frames_must_agree() -> None:
    agreement = Agreement()
    answers = [agreement.add(reading(die("red", 0.1 * n, 0))) for n in range(FRAMES_THAT_AGREE)]
    assert answers[:-1] == [None] * (FRAMES_THAT_AGREE - 1)
    assert answers[-1] == reading(die("red", 0.1 * (FRAMES_THAT_AGREE - 1), 0))


def test_a_frame_that_disagrees_makes_it_wait() -> None:
    agreement = Agreement()
    faces = ["red", "red", "blue", "blue", "blue"]
    assert [agreement.add(reading(die(face, 0, 0))) is not None for face in faces] == [False] * 4 + [True]


def test_what_never_agrees_is_unsure() -> None:
    agreement = Agreement()
    steady = die("red", 40, 0)
    answers = [agreement.add(reading(steady, die("red" if n % 2 else "blue", 0, 0))) for n in range(MOST_FRAMES)]
    assert answers[:-1] == [None] * (MOST_FRAMES - 1)
    assert answers[-1] == reading(steady, unread=(Unread("unsure", (0.0, 0.0)),))


def test_a_die_that_leans_beyond_the_roll_area_is_no_news_by_itself() -> None:
    assert count_dice(reading(unread=(Unread("cocked", (300.0, 0.0)),)), ()).is_news
    assert not count_dice(reading(unread=(Unread("cocked", (300.0, 0.0), is_beyond=True),)), ()).is_news
