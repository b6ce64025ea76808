"""Stickers of the RIG dice whose colour no light could make of another one."""

from collections.abc import Sequence

import numpy as np

from vision.dice import RIG_DIE
from vision.opinions import Label, Opinion
from vision.patches import Patch, within_face

_STICKER_PX = within_face(6)
_GREENEST_BLACK = 0.12
"""sRGB: green above the mean of blue and red. Of 87 black stickers in drawn trays the greenest has 0.09, of 88 green
ones 95 % have 0.13 or more."""


def without_black(chances: Opinion, looks: Sequence[Sequence[Patch]]) -> dict[Label, float]:
    """What networks say of a face, less black stickers where it is green however it is outlined.

    ``looks`` are the patches of the face in each of its outlines. Networks that have learned on a floor of another
    colour take a green sticker on a green or blue one for a black one now and then.
    """
    kept = {label: chance for label, chance in chances.items() if not _is_black(label)}
    if len(kept) in (0, len(chances)) or not all(_is_green(patches[0]) for patches in looks):
        return dict(chances)
    total = sum(kept.values())
    return {label: chance / total for label, chance in kept.items()}


def _is_black(label: Label) -> bool:
    kind, face, _ = label
    return kind == RIG_DIE and face.startswith("black")


def _is_green(patch: Patch) -> bool:
    blue, green, red = np.median(patch[_STICKER_PX, _STICKER_PX].reshape(-1, 3), axis=0)
    return float(green) - float(blue + red) / 2 > _GREENEST_BLACK
