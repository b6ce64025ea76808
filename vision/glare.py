"""Lamps that are mirrored in the faces of a taught set: they stay in their place while a die is turned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.patches import Patch, within_face

_MIDDLE = within_face(5)  # less the rounded edges
_BRIGHT_PERCENT, _BRIGHTER, _LEAST_GLARE, _WHITEST = 97, 0.04, 0.8, 0.995  # sRGB, of the darkest channel
_ABOVE_FACE = 0.08  # sRGB, how far glare must stand out from the face that it lies on
_NEARLY = 0.08  # sRGB, below the brightest
_MORE_WHITE, _SAME_WHITE = 0.2, 0.1  # shares of a face


@dataclass(frozen=True)
class Glare:
    """What mirrored lamps look like on one set.

    ``limit`` is the brightness (sRGB, of the darkest channel) from which on nothing is compared, None where the
    signs or the dice are that bright themselves. Then a lamp shows by how much of a face is white: ``most`` is how
    much that may be for each face (0 to 1), ``white`` from which brightness on a pixel counts.
    """

    limit: float | None
    white: float
    most: Mapping[str, float]

    @staticmethod
    def of(faces: Mapping[str, Sequence[Patch]]) -> "Glare":
        """What is told from pictures of each face (at least one)."""
        pictures = [_darkest(patch) for patches in faces.values() for patch in patches]
        bright = float(np.median([np.percentile(one, _BRIGHT_PERCENT) for one in pictures]))
        limit = max(bright + _BRIGHTER, _LEAST_GLARE)
        usual = [min(float(np.median(_darkest(patch))) for patch in patches) for patches in faces.values()]
        if limit <= _WHITEST and max(usual) < limit:
            return Glare(limit, bright, {})
        white = bright - _NEARLY
        shares = {face: [_share(patch, white) for patch in patches] for face, patches in faces.items()}
        common = float(np.median([share for each in shares.values() for share in each]))
        is_so = {face: len(each) > 1 and max(each) - min(each) <= _SAME_WHITE for face, each in shares.items()}
        most = {face: max(each) if is_so[face] else common for face, each in shares.items()}
        return Glare(None, white, {face: max(each, common) + _MORE_WHITE for face, each in most.items()})

    def left(self, patch: Patch) -> Patch:
        """What of a patch is compared: shape (48, 48), 1 for each pixel of it and 0 where a lamp is mirrored."""
        seen = np.ones(patch.shape[:2], np.float32)
        if self.limit is not None:
            usual = float(np.median(patch[_MIDDLE, _MIDDLE].mean(axis=2)))
            burnt = (patch.min(axis=2) >= self.limit) & (patch.mean(axis=2) >= usual + _ABOVE_FACE)
            seen -= cv2.dilate(burnt.astype(np.uint8), np.ones((3, 3), np.uint8))
        return seen

    def hides(self, patch: Patch, face: str) -> bool:
        """Whether a lamp is mirrored in a picture that is taken for ``face``, and cannot be left out of it."""
        return self.limit is None and _share(patch, self.white) > self.most[face]


def _darkest(patch: Patch) -> Patch:
    return np.asarray(patch[_MIDDLE, _MIDDLE].min(axis=2), np.float32)


def _share(patch: Patch, white: float) -> float:
    return float((_darkest(patch) >= white).mean())
