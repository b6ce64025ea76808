"""Whether a die in a tray of one's own leans: its sides beside where this camera would see those of a standing one.

A standing solid that is fitted to a leaning die lies off its upper face, where nothing looks as if it leaned; the
detector's outline does not. A network is therefore asked of that outline, with each of three bases, for the pose of
the camera may have been learned from dice alone: the one that the fit has, the one below the outline as this camera
sees it, and the one below a usual camera. The mean of the three decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.any_leaning import AnyLeaning, LeaningTogether
from vision.any_sizes import SURE_FACE
from vision.camera import Camera
from vision.candidate import Candidate
from vision.detector import Found
from vision.lean_network import lean_crop, usual_base
from vision.lean_together import HANGING_TILT_DEG
from vision.reading import Floats, Pixels
from vision.seeds import seeds_under

_MOST_EXCESS_MM = 0.5  # 5 % had more: light that they throw on the floor, or stickers that were fitted
_LEAST_RIM = 0.45  # its sides are not where a standing die has them
# Logarithms of odds that a die leans, of one alone and of the dice of a frame judged together, without and with such
# excess: it leans where both have more. Of 1,513 standing dice that were read in 40 drawn trays one has more, of 320
# that lean 13 were read; with 1 and 0.5 alone, -1.25 and -3 together, none and 26. In 24 trays that these limits were
# not chosen on, 910 of 944 standing dice and 5 of 192 leaning ones are read; with those 915 and 14.
_MOST_LEANING = {False: -1.0, True: -1.5}
_LEAST_TOGETHER = {False: -2.5, True: -3.0}
_MOST_LEANING_UNFITTED = 0.75  # of 80 such standing dice two have more, all four leaning ones that were read have it


@dataclass(frozen=True)
class TrayLeaning:
    """One frame of a camera above a tray, in which the detector has ``found`` upper faces.

    Without networks only what stands out beside a die tells that it leans.
    """

    frame: Pixels
    camera: Camera
    networks: AnyLeaning | None
    found: Sequence[Found]

    def leans(self, candidate: Candidate, excess_mm: float, beside: Found | None) -> bool:
        """Whether a solid looks like a leaning die, the more so where more stands out than belongs to a standing one.

        ``beside`` is what the detector sees in its place.
        """
        if beside is not None and beside.what == "cocked":
            return True
        is_more = excess_mm > _MOST_EXCESS_MM or candidate.fit.rim < _LEAST_RIM
        if self.networks is None:
            return is_more
        corners = candidate.outline_px
        base = self.camera.project(np.array([[candidate.fit.x, candidate.fit.y]]))[0]
        if beside is None or len(beside.outline_px) != len(corners):
            crops = [lean_crop(self.frame, corners, base)]
        else:
            seen = np.array(beside.outline_px)
            moved = base + seen.mean(axis=0) - corners.mean(axis=0)
            bases = [moved, usual_base(seen, self.frame.shape), self._base_of(beside)]
            crops = [lean_crop(self.frame, seen, one) for one in bases]
        chance = np.clip(self.networks.alone.chances(crops), 1e-6, 1 - 1e-6)
        leans = float(np.log(chance / (1 - chance)).mean()) > _MOST_LEANING[is_more]
        return leans and (beside is None or self._together.get(beside, 0.0) > _LEAST_TOGETHER[is_more])

    @cached_property
    def _together(self) -> dict[Found, float]:
        """Logarithms of the odds that dice lean, judged together below any camera."""
        faces = [face for face in self.found if face.score >= SURE_FACE]
        if self.networks is None or not faces:
            return {}
        usual_px = float(np.median([face.width_px for face in faces]))
        odds = LeaningTogether(self.networks, self.frame, faces, usual_px, HANGING_TILT_DEG).odds
        return {face: together for face, (together, _) in odds.items()}

    def leans_alone(self, face: Found) -> bool:
        """The same of a die that only the detector sees, its base where one that stands there has it."""
        if self.networks is None:
            return False
        crop = lean_crop(self.frame, np.array(face.outline_px), self._base_of(face))
        return float(self.networks.alone.chances([crop])[0]) > _MOST_LEANING_UNFITTED

    def _base_of(self, face: Found) -> Floats:
        """Where the middle of the base of a standing die with that upper face would be seen: shape (2,)."""
        return np.asarray(self.camera.project(seeds_under(self.camera, [face])[:, :2])[0], np.float64)
