"""Drawn dice that were once read wrongly, each picture drawn anew from its seeds: now read rightly, or left."""

from typing import NamedTuple

import cv2
import numpy as np
import pytest

from calibration.synthesis.__main__ import QUALITY
from calibration.synthesis.dice import any_die, any_round_die
from calibration.synthesis.scene import picture
from device.scoring import judge_dice
from device.trained import trained_reader
from tests.benchmarks.accuracy import as_labelled
from vision.dice import ACTION_DIE, CHANCE_CUBE, KINDS, PIP_DIE, RIG_DIE


class Drawn(NamedTuple):
    """What a picture is drawn from."""

    seeds: tuple[int, int]
    floor: str = "mat"
    condition: str | None = "clean"
    kinds: tuple[str, ...] = tuple(KINDS)
    of_one_kind: bool = False
    """As ``python -m calibration.synthesis`` draws them without ``--mixed``: it chooses the kind first."""
    is_jpeg: bool = False
    """As it writes them."""
    are_round: bool = False
    """With its ``--round``."""


ONCE_MISREAD = {
    "a green sticker, turned on its face, as a black one": Drawn((95501, 5)),
    "a green sticker under a wide lamp as a white one": Drawn((95501, 16)),
    "a red sticker under a wide lamp as a white one": Drawn((95502, 134)),
    "a sticker under a mirrored lamp as a white one": Drawn((4711, 3), kinds=(ACTION_DIE,)),
    "another sticker under a mirrored lamp as a white one": Drawn((4711, 33), kinds=(ACTION_DIE,)),
    "a green sticker under a lamp brighter than paper as a white one": Drawn(
        (96400, 27), kinds=(ACTION_DIE,), condition=None, of_one_kind=True
    ),
    "a red sticker under a lamp brighter than paper as a white one": Drawn(
        (96400, 106), kinds=(ACTION_DIE,), condition=None, of_one_kind=True
    ),
    "green stickers under a wide lamp, as bright as paper, as white ones": Drawn(
        (39003, 131), condition=None, kinds=(CHANCE_CUBE, ACTION_DIE), is_jpeg=True
    ),
    "a burnt green sticker as a white one": Drawn(
        (41003, 592), condition=None, kinds=(ACTION_DIE,), of_one_kind=True, is_jpeg=True
    ),
    "a red sticker on a worn black die as one on red": Drawn(
        (41003, 783), condition=None, kinds=(ACTION_DIE,), of_one_kind=True, is_jpeg=True
    ),
    "a 6 as a 10 where no solid fits": Drawn((41002, 470), of_one_kind=True, is_jpeg=True),
    "a marbled 5 as a 2 that the second look sees as a 5": Drawn((42001, 25), of_one_kind=True, is_jpeg=True),
    "a RIG die that was read, once more beside itself": Drawn(
        (42002, 185), condition=None, of_one_kind=True, is_jpeg=True
    ),
    "an action die that was read, once more beside itself": Drawn(
        (39003, 151), condition=None, kinds=(CHANCE_CUBE, ACTION_DIE), is_jpeg=True
    ),
    "a red cube as a red sticker on red": Drawn(
        (39003, 111), condition=None, kinds=(CHANCE_CUBE, ACTION_DIE), is_jpeg=True
    ),
    "a burnt red cube as a white sticker": Drawn((95502, 1027)),
    "a burnt blue cube as a white sticker": Drawn((163002, 87), condition=None, is_jpeg=True),
    "a burnt pip die as a white sticker": Drawn((163002, 413), condition=None, is_jpeg=True),
    "a blue sticker as large as its face as a blue cube": Drawn((95504, 14)),
    "a dot on a red cube as a die with one pip": Drawn((95001, 118), condition="touching"),
    "a dot on a blue cube as a die with one pip": Drawn((39001, 243), condition=None, is_jpeg=True),
    "one green pip on blue as a blue cube": Drawn((95502, 38)),
    "one green pip on blue as a blue cube, in dim light": Drawn((95502, 311), condition="dim"),
    "an ivory die as a yellow one": Drawn((95502, 100)),
    "an ivory die with rings for pips as a yellow one": Drawn((95502, 562)),
    "a grey die as a yellow one": Drawn((95503, 386), "print"),
    "a purple sticker as a black one where no solid was fitted": Drawn(
        (167001, 218), condition="warm", kinds=(RIG_DIE,)
    ),
    "a plus of which one bar is faint as a minus": Drawn((95502, 1019), condition="clutter"),
    "a 12 as a 1, by a solid fitted beside it": Drawn((88123, 320), condition="glare"),
    "a faint 2 as a 7": Drawn((95503, 155), "felt", "clutter"),
    "a red minus as a twelve-sided die's 1": Drawn((163500, 24), is_jpeg=True),
    "a red minus as a twelve-sided die's 1, beside others": Drawn((163002, 122), condition=None, is_jpeg=True),
    "an ivory die as a yellow one, in a clean picture": Drawn((163500, 294), is_jpeg=True),
    "a pale die as a white one": Drawn((163500, 164), is_jpeg=True),
    "a 4 with worn paint as a 12": Drawn((164002, 349), condition=None),
    "a ring on a blue die as a sign on a blue cube": Drawn((164002, 135), condition=None, is_jpeg=True),
    "two pips in a row, one of them worn, as one": Drawn(
        (73800, 42), kinds=(PIP_DIE,), of_one_kind=True, is_jpeg=True, are_round=True
    ),
    "two pips in a row on a yellow die as four": Drawn(
        (74900, 53), condition=None, kinds=(PIP_DIE,), of_one_kind=True, is_jpeg=True, are_round=True
    ),
    "a 5 whose middle pip is worn as a 4": Drawn((38003, 131), kinds=(PIP_DIE,), of_one_kind=True, is_jpeg=True),
    "a 3 whose middle pip is worn as a 2": Drawn(
        (38004, 390), condition=None, kinds=(PIP_DIE,), of_one_kind=True, is_jpeg=True
    ),
    "a 5 that is counted as a 5 as a 4": Drawn((37003, 194), condition="cocked", of_one_kind=True, is_jpeg=True),
    "a glared 3 as a 2": Drawn((530001, 345), of_one_kind=True, is_jpeg=True),
    "a glared 6 as a 4": Drawn((530003, 2317), condition=None, is_jpeg=True),
    "a minus washed out by a lamp as a plain red sticker": Drawn((530003, 246), condition=None, is_jpeg=True),
    "a plus washed out by a lamp as a plain red sticker": Drawn((530003, 530), condition=None, is_jpeg=True),
    "a plus washed out by a lamp as a plain green sticker": Drawn((530003, 555), condition=None, is_jpeg=True),
    "a minus washed out by a lamp as a plus": Drawn((530003, 24), condition=None, is_jpeg=True),
    "a plus washed out by a lamp as one pip": Drawn((88130, 317), is_jpeg=True),
    "a painted minus as a plus": Drawn((530002, 2673), condition=None, of_one_kind=True, is_jpeg=True),
    "a burnt red sticker on red as a white one": Drawn((530001, 69), of_one_kind=True, is_jpeg=True),
    "a worn 2 on a marbled die, seen as one where a solid fits, as a 4": Drawn((62001, 60)),
    "a 2 on a marbled die, seen as one where a solid fits, as a 3": Drawn((63002, 59), condition=None),
    "a 3 of which a lamp hides two pips as a 2": Drawn((62002, 200)),
    "a 3 of which only the middle pip is plain as a 1": Drawn((66002, 316), condition=None, kinds=(PIP_DIE,)),
    "a grey die in dim light as a white one": Drawn((62001, 244)),
    "another grey die as a white one": Drawn((62002, 169)),
    "a pale red pip on a pink die as a red cube": Drawn((62002, 20)),
    "another pale red pip on a pink die as a red cube": Drawn((63001, 159), condition=None),
    "a blue sticker on black as a blue cube": Drawn((70001, 597), condition=None),
    "a blue sticker on black as a blue cube, in cool light": Drawn((68001, 533), condition=None),
    "a blue cube as a blue sticker": Drawn((68002, 183), condition=None),
    "a green minus as a plus": Drawn((63001, 295), condition=None),
    "a purple plus as a minus": Drawn((64002, 566), condition=None),
    "a blue cube of which much is burnt as a white sticker": Drawn((64001, 530), condition=None),
    "a red sticker of which much is burnt as a white one": Drawn((64002, 258), condition=None),
    "a glared 6 as a 4 on paper": Drawn((67002, 395), "paper", condition=None),
    "a blue eraser as a blue cube": Drawn((95503, 667), "print", "clutter"),
}


@pytest.mark.parametrize("drawn", ONCE_MISREAD.values(), ids=ONCE_MISREAD)
def test_what_was_read_wrongly_is_so_no_more(drawn: Drawn) -> None:
    rng = np.random.default_rng(drawn.seeds)
    kinds = (str(rng.choice(drawn.kinds)),) if drawn.of_one_kind else drawn.kinds
    make = any_round_die if drawn.are_round else any_die
    scene = picture(rng, drawn.floor, kinds, drawn.condition, make=make)
    labels = [as_labelled(die) for die in scene.label["dice"]]
    pixels = np.ascontiguousarray(scene.pixels)
    if drawn.is_jpeg:
        written = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
        pixels = np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR), np.uint8)
    read = trained_reader().read(pixels, {str(label["kind"]) for label in labels})
    judged = [each for each in judge_dice(labels, read.dice) if each.die is not None]
    assert judged and all(each.is_right for each in judged)
