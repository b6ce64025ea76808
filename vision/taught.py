"""Dice that somebody taught: faces are told by how alike they are to pictures of each, in any turn.

A face is compared as a small picture whose brightness is evened out, shifted by a few pixels to either side. It is
read only where it is alike enough to a face that was taught, and clearly more so than to any other face of the set.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice import KINDS, NUMBER_DIE
from vision.opinions import all_turns
from vision.patches import FACE_SIDE_PX, PATCH_SIDE_PX, Light, rectify
from vision.reading import Pixels, Point

MOST_PICTURES = 8
"""Of one face; more tell nothing new."""

Patch = npt.NDArray[np.float32]

_FIRST = (PATCH_SIDE_PX - FACE_SIDE_PX) // 2
_SHIFT_PX = 2
_EDGE_PX = {4: 5, 5: 8}  # of the middle 32 px, by corners: rounded edges and what lies behind them are left out
_BLUR_PX = 0.8
_GROUND = 0.1  # how far the colour of the whole face counts beside what is drawn on it
_EVEN = 0.15  # sRGB; faces darker than that are not brightened any further
_NOISE = 0.02  # sRGB, of one pixel of a face that was evened out
_LEAST_ALIKE = 0.6
_LEAST_AHEAD = 0.4
_TOO_ALIKE = 0.88  # two faces whose own pictures are as alike as that cannot be told apart


@dataclass(frozen=True)
class TaughtFace:
    """What a face was found to be: its name, how alike (0 to 1), and by which share it is less off than
    the next best face."""

    face: str
    alike: float
    ahead: float

    @property
    def is_sure(self) -> bool:
        """Whether it may be read."""
        return self.alike >= _LEAST_ALIKE and self.ahead >= _LEAST_AHEAD


@dataclass(frozen=True)
class TaughtSet:
    """A set of dice that stands for a kind: ``faces`` maps each face to pictures of it (patches, 0 to 1).

    ``body`` is the body that all its dice have, None where that does not matter.
    """

    kind: str
    body: str | None
    faces: Mapping[str, tuple[Patch, ...]]
    alike: frozenset[frozenset[str]] = field(default_factory=frozenset)

    @staticmethod
    def of(kind: str, body: str | None, faces: Mapping[str, Sequence[Patch]]) -> "TaughtSet":
        """The set of these pictures; which faces are too alike follows from them. ``ValueError`` for a wrong face."""
        for face in faces:
            if not KINDS[kind].has_face(face, body):
                raise ValueError(f"a {kind} has no face {face!r}; it has {', '.join(KINDS[kind].faces)}")
        kept = {face: tuple(patches[-MOST_PICTURES:]) for face, patches in faces.items()}
        return TaughtSet(kind, body, kept, frozenset(_too_alike(kept, _turns(kind))))

    @property
    def corners(self) -> int:
        """How many corners an upper face of this kind has."""
        return _turns(self.kind)

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces of which there is no picture yet."""
        return tuple(face for face in KINDS[self.kind].faces if face not in self.faces)

    def cut(self, frame: Pixels, outline_px: tuple[Point, ...], light: Light) -> tuple[Patch, ...]:
        """An upper face in each of its turns."""
        return tuple(rectify(frame, turn, light) for turn in all_turns(outline_px))

    def tell(self, turned: Sequence[Patch]) -> TaughtFace | None:
        """Which face the patches of one face in all its turns show; None where nothing was taught."""
        scores = {
            face: max(_alike(patch, one, self.corners) for patch in turned for one in own)
            for face, own in self.faces.items()
        }
        if not scores:
            return None
        best = max(scores, key=lambda face: scores[face])
        others = [score for face, score in scores.items() if face != best]
        return TaughtFace(best, scores[best], 1 - (1 - scores[best]) / max(1 - max(others, default=0.0), 1e-3))

    def cannot_tell(self, face: str) -> tuple[str, ...]:
        """The faces that look too much like this one."""
        return tuple(sorted(other for pair in self.alike if face in pair for other in pair - {face}))


def turns_of(patch: Patch, corners: int) -> tuple[Patch, ...]:
    """A patch turned about its middle, once for every corner of its face."""
    if corners == 4:
        return tuple(np.ascontiguousarray(np.rot90(patch, quarter)) for quarter in range(4))
    middle = (PATCH_SIDE_PX / 2 - 0.5, PATCH_SIDE_PX / 2 - 0.5)
    size = (PATCH_SIDE_PX, PATCH_SIDE_PX)
    turns = [cv2.getRotationMatrix2D(middle, 360 / corners * turn, 1.0) for turn in range(corners)]
    return tuple(
        np.asarray(cv2.warpAffine(patch, turn, size, borderMode=cv2.BORDER_REPLICATE), np.float32) for turn in turns
    )


def _turns(kind: str) -> int:
    return 5 if kind == NUMBER_DIE else 4


def _too_alike(faces: Mapping[str, tuple[Patch, ...]], corners: int) -> list[frozenset[str]]:
    pairs = []
    for one, other in combinations(faces, 2):
        turned = [turn for patch in faces[one] for turn in turns_of(patch, corners)]
        if max(_alike(turn, patch, corners) for turn in turned for patch in faces[other]) >= _TOO_ALIKE:
            pairs.append(frozenset((one, other)))
    return pairs


def _alike(patch: Patch, taught: Patch, corners: int) -> float:
    """How alike two faces are at the best shift: 1 for the same, about 0 for unrelated ones."""
    large = _evened(patch, _EDGE_PX[corners] - _SHIFT_PX)
    small = _evened(taught, _EDGE_PX[corners])
    apart = cv2.matchTemplate(large, small, cv2.TM_SQDIFF)
    off = float(apart.min()) / small.size
    spread = float(small.var(axis=(0, 1)).mean() + large.var(axis=(0, 1)).mean())
    return 1.0 - off / (spread + _NOISE**2)


def _evened(patch: Patch, edge_px: int) -> Patch:
    """The face less its edge, its brightness evened out, its own colour toned down."""
    inner = slice(_FIRST + edge_px, _FIRST + FACE_SIDE_PX - edge_px)
    face = cv2.GaussianBlur(patch, (0, 0), _BLUR_PX)[inner, inner]
    face = face * np.float32(0.5 / max(float(face.mean()), _EVEN))
    ground = face.mean(axis=(0, 1), keepdims=True)
    return np.asarray(face - ground * np.float32(1 - _GROUND), np.float32)
