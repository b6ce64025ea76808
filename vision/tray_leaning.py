"""Whether a die in a tray of one's own leans: its sides beside where this camera would see those of a standing one.

A solid may be fitted a little off, the detector's outline may be, and the pose of the camera, where it was learned
from dice alone. A network is therefore asked of the fit, of the outline with the base that the fit has, and of the
outline below a usual camera; the mean of the three decides.
"""

from dataclasses import dataclass

import numpy as np

from vision.camera import Camera
from vision.detector import Found
from vision.judge import Candidate
from vision.lean_network import LeanNetwork, lean_crop, usual_base
from vision.reading import Pixels
from vision.seeds import seeds_under

_MOST_EXCESS_MM = 0.5  # 5 % had more: light that they throw on the floor, or stickers that were fitted
_LEAST_RIM = 0.45  # its sides are not where a standing die has them
# Logarithms of odds, without and with such excess: of 2,501 standing dice drawn in 60 trays 11 have more, of 77
# leaning ones 8 have less.
_MOST_LEANING = {False: 0.5, True: 0.0}
_MOST_LEANING_UNFITTED = 0.75  # of 80 such standing dice two have more, all four leaning ones that were read have it


@dataclass(frozen=True)
class TrayLeaning:
    """One frame of a camera above a tray; without a network only what stands out beside a die tells that it leans."""

    frame: Pixels
    camera: Camera
    network: LeanNetwork | None

    def leans(self, candidate: Candidate, excess_mm: float, beside: Found | None) -> bool:
        """Whether a solid looks like a leaning die, the more so where more stands out than belongs to a standing one.

        ``beside`` is what the detector sees in its place.
        """
        if beside is not None and beside.what == "cocked":
            return True
        is_more = excess_mm > _MOST_EXCESS_MM or candidate.fit.rim < _LEAST_RIM
        if self.network is None:
            return is_more
        corners = candidate.outline_px
        base = self.camera.project(np.array([[candidate.fit.x, candidate.fit.y]]))[0]
        crops = [lean_crop(self.frame, corners, base)]
        if beside is not None and len(beside.outline_px) == len(corners):
            seen = np.array(beside.outline_px)
            crops.append(lean_crop(self.frame, seen, base + seen.mean(axis=0) - corners.mean(axis=0)))
            crops.append(lean_crop(self.frame, seen, usual_base(seen, self.frame.shape)))
        chance = np.clip(self.network.chances(crops), 1e-6, 1 - 1e-6)
        return float(np.log(chance / (1 - chance)).mean()) > _MOST_LEANING[is_more]

    def leans_alone(self, face: Found) -> bool:
        """The same of a die that only the detector sees, its base where one that stands there has it."""
        if self.network is None:
            return False
        x, y = seeds_under(self.camera, [face])[0, :2]
        crop = lean_crop(self.frame, np.array(face.outline_px), self.camera.project(np.array([[x, y]]))[0])
        return float(self.network.chances([crop])[0]) > _MOST_LEANING_UNFITTED
