"""Dice that somebody taught: faces are told by how alike they are to pictures of each, in any turn.

It is read only where what is drawn on it is alike enough (``vision.likeness``) to a face that was taught, clearly
more so than to any other face of the set, and where no lamp hides it (``vision.glare``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.dice import KINDS, NUMBER_DIE
from vision.glare import Glare
from vision.likeness import Views, compare, shown_views, taught_views
from vision.patches import PATCH_SIDE_PX, Light, Patch, all_turns, rectify
from vision.reading import Pixels, Point

MOST_PICTURES = 8
"""Of one face; more tell nothing new."""

_LEAST_AHEAD, _LEAST_DRAWN = 0.38, 0.75
"""Of 2,123 faces of 27 drawn sets, each taught from two pictures, 1,561 are sure and not too alike, two of them
wrongly. Of 613 faces of other sets 1 % are taken for one of the set."""

_TOO_NEAR = 1.2
"""Times as far apart as two pictures of one face are in that set: two faces nearer than that cannot be told apart. Of
312 faces that were taught as two 92 % are that near, of 780 pairs of different ones 3 %."""
_USUALLY_OFF = 0.011
"""1 less the cosine between two pictures of one face, where no face has two; the median of ten sets."""


@dataclass(frozen=True)
class TaughtFace:
    """What a face was found to be.

    ``face`` is its name, ``alike`` how alike it is as a whole (0 to 1), ``ahead`` by which share it is less off than
    the next best face, ``drawn`` how alike is what is drawn on it, ``is_hidden`` whether a lamp hides some of that.
    """

    face: str
    alike: float
    ahead: float
    drawn: float
    is_hidden: bool

    @property
    def is_sure(self) -> bool:
        """Whether it may be read."""
        return self.drawn >= _LEAST_DRAWN and self.ahead >= _LEAST_AHEAD and not self.is_hidden


@dataclass(frozen=True)
class TaughtSet:
    """A set of dice that stands for a kind: ``faces`` maps each face to pictures of it (patches, 0 to 1).

    ``body`` is the body that all its dice have, None where that does not matter.
    """

    kind: str
    body: str | None
    faces: Mapping[str, tuple[Patch, ...]]

    @staticmethod
    def of(kind: str, body: str | None, faces: Mapping[str, Sequence[Patch]]) -> "TaughtSet":
        """The set of these pictures. ``ValueError`` for a wrong face."""
        for face in faces:
            if not KINDS[kind].has_face(face, body):
                raise ValueError(f"a {kind} has no face {face!r}; it has {', '.join(KINDS[kind].faces)}")
        kept = {face: tuple(patches[-MOST_PICTURES:]) for face, patches in faces.items() if patches}
        return TaughtSet(kind, body, kept)

    @property
    def corners(self) -> int:
        """How many corners an upper face of this kind has."""
        return 5 if self.kind == NUMBER_DIE else 4

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces of which there is no picture yet."""
        return tuple(face for face in KINDS[self.kind].faces if face not in self.faces)

    def cut(self, frame: Pixels, outline_px: tuple[Point, ...], light: Light) -> tuple[Patch, ...]:
        """An upper face in each of its turns."""
        return tuple(rectify(frame, turn, light) for turn in all_turns(outline_px))

    def tell(self, turned: Sequence[Patch]) -> TaughtFace | None:
        """Which face the patches of one face in all its turns show; None where nothing was taught."""
        if not self.faces:
            return None
        names, taught = self._views
        glare = self._glare
        to_each, drawn = compare(shown_views(turned, self.corners, glare), taught)
        best = int(to_each.argmax())
        face = names[best]
        others = [score for score, name in zip(to_each, names, strict=True) if name != face]
        ahead = 1 - (1 - to_each[best]) / max(1 - max(others, default=0.0), 1e-3)
        is_hidden = any(glare.hides(patch, face) for patch in (turned[0], self._pictures[best]))
        return TaughtFace(face, float(to_each[best]), float(ahead), drawn, is_hidden)

    @cached_property
    def _pictures(self) -> list[Patch]:
        return [patch for patches in self.faces.values() for patch in patches]

    @cached_property
    def _glare(self) -> Glare:
        return Glare.of(self.faces)

    @cached_property
    def _views(self) -> tuple[list[str], Views]:
        """The face of each picture, and the pictures as they are compared."""
        names = [face for face, patches in self.faces.items() for _ in patches]
        return names, taught_views(self._pictures, self.corners, self._glare)

    @cached_property
    def alike(self) -> frozenset[frozenset[str]]:
        """Pairs of faces that are too alike to be told apart."""
        if not self.faces:
            return frozenset()
        names, taught = self._views
        off: dict[frozenset[str], list[float]] = {}
        for at, patch in enumerate(self._pictures):
            to_each, _ = compare(shown_views(turns_of(patch, self.corners), self.corners, self._glare), taught)
            for other, likeness in enumerate(to_each):
                if other != at:
                    off.setdefault(frozenset((names[at], names[other])), []).append(1 - float(likeness))
        own = [min(each) for pair, each in off.items() if len(pair) == 1]
        usual = float(np.median(own)) if own else _USUALLY_OFF
        return frozenset(pair for pair, each in off.items() if len(pair) > 1 and min(each) <= _TOO_NEAR * usual)

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
