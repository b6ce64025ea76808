"""The network that tells dice of the games from those of other games: with numbers or signs, or of twenty sides.

Every other network has only seen dice of the games, and takes what it never saw for the most alike of them, however
sure. This one has learned from nothing but that question (``calibration.training.others``).
"""

from collections.abc import Sequence

import numpy as np

from vision.dice import ACTION_DIE, NUMBER_DIE, PIP_DIE
from vision.patches import PATCH_SIDE_PX, Patch, network_input
from vision.reading import Floats, Point, ReadDie, Unread
from vision.scores import Scores

WHOSE = ((4, "games"), (4, "others"), (5, "games"), (5, "others"))
"""Corners of the face that was found and whose die it is, in the order of the network's outputs."""

_LEAST_OTHER, _LEAST_OTHER_NUMBER, _SURELY_OTHER = 0.95, 0.7, 0.98
"""How likely another game's what is read must be to be left, what is read as a number to be left, and to be no die
of these. Two pips or more and action dice are left by the last alone: hardly a sign looks like them, but a lamp that
is mirrored in a plain sticker looks like a sign. Of 2,745 drawn faces of other games' dice with four corners 2,526
have the first, of 2,352 of the games' 4. Of 186 photographed twenty-sided dice that would be read as numbers off the
mat 168 have the second; of 965 drawn twelve-sided ones, half of them clear or speckled, none, of 147 seen aslant
one. Of 239 photographed lone pips seven have the first, of 1,463 other photographed pip dice one has the last."""
_RULED_OUT = -2.0  # log odds, by one look


class OtherNetwork:
    """The network in memory, ready to run; not for two threads at once.

    ``onnx`` is the file's content. Raises ``ValueError`` if OpenCV cannot read it or it is another network.
    """

    def __init__(self, onnx: bytes) -> None:
        name = "the network of other games' dice"
        self._scores = Scores(onnx, (3, PATCH_SIDE_PX, PATCH_SIDE_PX), name)
        if self._scores.outputs != len(WHOSE):
            raise ValueError(f"{name} has {self._scores.outputs} outputs, not {len(WHOSE)}")

    def chances(self, patches: Sequence[Patch], corners: Sequence[int]) -> list[float]:
        """How likely each face (``vision.patches.rectify``) of so many corners is another game's: 0 to 1.

        Where one look does not rule that out, the mean is taken over four turns of it.
        """
        if not len(patches):
            return []
        seen = self._odds(patches, corners)
        doubtful = [i for i, odds in enumerate(seen) if odds >= _RULED_OUT]
        turned = [np.rot90(patches[i], turn) for i in doubtful for turn in range(1, 4)]
        if turned:
            more = self._odds(turned, [corners[i] for i in doubtful for _ in range(1, 4)])
            seen[doubtful] = (seen[doubtful] + more.reshape(-1, 3).sum(axis=1)) / 4
        return [float(chance) for chance in 1 / (1 + np.exp(-np.clip(seen, -60, 60)))]

    def _odds(self, patches: Sequence[Patch], corners: Sequence[int]) -> Floats:
        """The log odds that each is another game's, by one look: (n,)."""
        raw = self._scores.of(network_input(patches)).astype(np.float64)
        own, others = (np.array([WHOSE.index((count, whose)) for count in corners]) for whose in ("games", "others"))
        rows = np.arange(len(raw))
        return np.asarray(raw[rows, others] - raw[rows, own])


def against(network: OtherNetwork | None, patch: Patch, outline: Sequence[Point], kind: str, face: str) -> str | None:
    """Why a face with that ``outline`` is not read as this one: it rather is another game's. None where it is not, or
    without a network."""
    return None if network is None else _reason(kind, face, network.chances([patch], [len(outline)])[0])


def unless_another(answer: ReadDie | Unread, chance: float) -> ReadDie | Unread:
    """The die as it was read, or left where it rather is another game's: its ``chance`` (``OtherNetwork``)."""
    reason = _reason(answer.kind, answer.face, chance) if isinstance(answer, ReadDie) else None
    return answer if reason is None else Unread(reason, answer.center_px)


def _reason(kind: str, face: str, chance: float) -> str | None:
    """Another game's die is in nobody's way; what only may be one is."""
    if chance >= _SURELY_OTHER:
        return "not-a-die"
    is_unlike_signs = kind == ACTION_DIE or (kind == PIP_DIE and face != "1")
    least = _LEAST_OTHER_NUMBER if kind == NUMBER_DIE else _LEAST_OTHER
    return "unsure" if chance >= least and not is_unlike_signs else None
