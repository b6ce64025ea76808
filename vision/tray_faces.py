"""What may be said of a die that stands in a tray of one's own.

On the mat the light is known, and rules of colour are the second opinion. Here the light is only guessed, so the
second opinion is the network that was trained for pictures without a mat; the detector, which knows no geometry, must
see the same upper face in the same place, or the die leans.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.any_floor import AnyFloor, Label, all_turns, chances_of, pip_body, without_pip_bodies
from vision.any_pips import count_pips
from vision.detector import Found
from vision.dice import KINDS, NUMBER_DIE, PIP_DIE
from vision.judge import Candidate
from vision.look import points
from vision.network import NOTHING, FaceNetwork
from vision.patches import Light, rectify
from vision.reading import Pixels, ReadDie, Unread
from vision.solids import CUBE

# Of 460 standing dice drawn on felt, wood and cloth 5 % scored below 0.68 and had an edge fainter than 0.39.
_LEAST_SCORE = 0.66
_LEAST_EDGE = 0.2
_LEAST_TOGETHER = 0.78  # of the two networks; none of 380 standing dice that had it was read wrongly
_LEAST_UNCOUNTED = 0.92  # of pip dice whose pips cannot be counted
_MOST_EXCESS_MM = 0.5
_SAME_PLACE = 0.3  # circumradii between the middles of what the fit and the detector see
_SHARE_OF_NUMBERS = 0.7  # of the network that knows numbers better: right in 81 % of 105, the other one in 54 %
_LARGEST_CUBE_MM = 20.5
_SURELY_NOTHING = 0.9


@dataclass(frozen=True)
class TrayFaces:
    """One frame and everything that is asked about its upper faces.

    ``light`` is the tray's as the geometry knows it, ``found`` what the detector sees in the frame.
    """

    frame: Pixels
    light: Light
    faces: FaceNetwork
    apart: AnyFloor
    found: Sequence[Found]
    kinds: Collection[str] | None

    def judge(self, candidate: Candidate, excess_mm: float, has_scale: bool) -> ReadDie | Unread:
        """The die with its face, or why it is left; ``center_mm`` is the fit's, in the view's millimetres."""
        fit = candidate.fit
        cube = fit.shape is CUBE
        allowed = set(KINDS if self.kinds is None else self.kinds)
        own = {kind for kind in allowed if (kind == NUMBER_DIE) != cube}
        outline = tuple(points(candidate.outline_px))
        if not own:
            return Unread("not-a-die", candidate.center_px)
        apart, together = self._look(candidate, own)
        best = max(together, key=lambda label: together[label])
        kind, face, body = best
        if kind == NOTHING:
            sure = together[best] >= _SURELY_NOTHING
            return Unread("not-a-die" if sure else "unsure", candidate.center_px)
        least = _LEAST_TOGETHER
        if kind == PIP_DIE:
            counted = count_pips(self.frame, outline)
            if counted is not None and str(counted) != face:
                return Unread("unsure", candidate.center_px)
            least = _LEAST_TOGETHER if counted else _LEAST_UNCOUNTED
        weak = fit.score < _LEAST_SCORE or min(fit.top_edges) < _LEAST_EDGE
        if weak or together[best] < least:
            return Unread("unsure", candidate.center_px)
        if has_scale and cube and fit.size > _LARGEST_CUBE_MM:
            return Unread("stacked", candidate.center_px)
        if excess_mm > _MOST_EXCESS_MM or self._leans(candidate):
            return Unread("cocked", candidate.center_px)
        shown = pip_body(apart, face) if kind == PIP_DIE else body
        confidence = together[best] * min(1.0, 0.6 + 0.5 * fit.score)
        return ReadDie(kind, shown, face, confidence, candidate.center_px, (fit.x, fit.y), outline)

    def _look(
        self, candidate: Candidate, own: Collection[str]
    ) -> tuple[Mapping[Label, float], Mapping[Label, float]]:
        """What the network apart says, bodies and all; and the weighed geometric mean of both networks' chances."""
        turned = all_turns(tuple(points(candidate.outline_px)))
        patches = [rectify(self.frame, turn, self.light) for turn in turned]
        apart = chances_of(self.apart.apart, patches, own)
        if candidate.fit.shape is CUBE:
            faces, share = chances_of(self.faces, patches, own), 0.5
        else:
            kept = {(g.kind, g.face, g.body): g.probability for g in candidate.guesses if g.kind in (*own, NOTHING)}
            faces, share = kept, _SHARE_OF_NUMBERS
        one, other = without_pip_bodies(apart), without_pip_bodies(faces)
        both = {k: max(one[k], 1e-6) ** (1 - share) * max(other.get(k, 0.0), 1e-6) ** share for k in one}
        total = sum(both.values())
        return apart, {label: chance / total for label, chance in both.items()}

    def _leans(self, candidate: Candidate) -> bool:
        """Whether the detector sees a leaning die there."""
        corners = candidate.outline_px
        radius = float(np.linalg.norm(corners - corners.mean(axis=0), axis=1).mean())
        near = [
            face
            for face in self.found
            if np.hypot(*np.subtract(face.center_px, candidate.center_px)) < _SAME_PLACE * radius
        ]
        return bool(near) and max(near, key=lambda face: face.score).what == "cocked"
