"""Whether a die stands on the floor, leans, lies on or under another, is covered, or is no die: judged by many signs.

No sign tells alone: a leaning die's edges still fit a standing one's nearly, a glared one's badly. A small network
weighs them together (``calibration.training.situations`` trains it on drawn scenes); it is a few thousand numbers,
so numpy runs it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.candidate import Candidate
from vision.fit_solids import Fit
from vision.floor import VIEW_PX_PER_MM, view_px
from vision.lean_network import WAYS, Crop, CropNetwork, lean_crops
from vision.leaning import find_lean
from vision.network import NOTHING
from vision.polygons import are_near, area_of, shared_area
from vision.reading import Floats, Pixels
from vision.solids import CUBE, as_plane
from vision.stand_out import Blob, Evidence
from vision.upright import silhouettes

SIGNS = (
    "twelve-sided", "score", "edges", "weakest edge", "rim", "filled", "clear", "size", "excess", "nothing", "sure",
    "covers", "blob area", "blob length", "blob width", "blob solid", "dice in blob", "neighbour", "shared", "larger",
    "texture", "beside", "lopsided", "lightness", "colour", "leans better", "lean",
)  # fmt: skip

SEEN = ("seen cocked", "seen stacked", "seen occluded", "seen as nothing")
"""Signs that a network gives which sees the die's picture beside a standing one's silhouette: log odds."""

_MOST_ODDS = 8.0
_SURELY_STANDING = {1: -4.5, 2: -3.0}
"""Log odds in so many ways: of 1,935 candidates that seemed to stand so surely in two none had above -1.5 in all, of
935 that did in one none had above -2.5 in two."""

_LEANS = np.array([(better, lean) for better in (-0.2, 0.0, 0.1, 0.3) for lean in np.radians((9.0, 22.0, 44.0))])
_USUAL_LEAN = np.array([0.0, np.radians(13.0)])
_STANDING_HOWEVER = 0.98
_BLUR_MM = 0.9
_REACH_MM = 6.0
_FAR = 3.0
_MUCH_BESIDE = 0.05  # of a side's square: where less stands out, it does not matter on which side
_INNER = slice(12, 36)  # of a patch: the middle of the face


@dataclass(frozen=True)
class SituationNetwork:
    """Two dense layers: signs are first brought to mean 0 and spread 1.

    ``mean`` and ``spread`` (signs), ``hidden`` (signs + 1, k), ``last`` (k + 1, situations); the last row of each is
    the offset. ``sight`` gives those of the signs that are named in ``SEEN``.
    """

    mean: Floats
    spread: Floats
    hidden: Floats
    last: Floats
    sight: CropNetwork

    def odds(self, frame: Pixels, camera: Camera, candidates: Sequence[Candidate]) -> Floats:
        """What the sight says of each candidate in a frame (uint8 BGR): log odds against standing, (n, 4)."""
        return _odds(self.sight, _crops(frame, camera, candidates))

    def seen(self, odds: Floats, signs: Floats) -> Floats:
        """The same as ``chances``, given the candidates' ``odds`` and those of their signs that ``SIGNS`` names.

        What stands must seem to stand to all signs and to the sight alone together: else it is that much less likely.
        """
        chances = self.chances(np.hstack([signs, _as_signs(odds)]))
        together = (log_odds(chances[:, 0]) - np.logaddexp.reduce(odds, axis=1)) / 2
        standing = np.minimum(chances[:, 0], 1 / (1 + np.exp(-together)))
        others = chances[:, 1:] * ((1 - standing) / np.maximum(1 - chances[:, 0], 1e-9))[:, None]
        return np.column_stack([standing, others])

    def weighed(self, camera: Camera, evidence: Evidence, fits: Sequence[Fit], odds: Floats, signs: Floats) -> Floats:
        """As ``seen``, the ``signs`` without leans: those are looked for only where a solid might not stand for them.

        Of 1,620 candidates half seem to stand however they lean; to these it makes a difference of 0.006 at most.
        """
        leans = _USUAL_LEAN * (signs[:, :1] == 0)
        each = len(_LEANS)
        tried = with_leans(np.repeat(signs, each, axis=0), np.tile(_LEANS, (len(signs), 1)))
        standing = self.seen(np.repeat(odds, each, axis=0), tried)[:, 0].reshape(-1, each)
        doubtful = np.flatnonzero(standing.min(axis=1) < _STANDING_HOWEVER).tolist()
        leans[doubtful] = find_lean(camera, evidence, [fits[i] for i in doubtful])
        return self.seen(odds, with_leans(signs, leans))

    def chances(self, signs: Floats) -> Floats:
        """The probability of each of ``vision.judge.SITUATIONS``: (n, 5), for all signs (n, k)."""
        scaled = np.clip((signs - self.mean) / self.spread, -4, 4)
        inner = np.maximum(scaled @ self.hidden[:-1] + self.hidden[-1], 0)
        raw = inner @ self.last[:-1] + self.last[-1]
        chance = np.exp(raw - raw.max(axis=1, keepdims=True))
        return np.asarray(chance / chance.sum(axis=1, keepdims=True), np.float64)


def with_leans(signs: Floats, leans: Floats) -> Floats:
    """The same signs (n, len(SIGNS)) of solids that lean as ``find_lean`` tells."""
    return np.hstack([signs[:, :-2], leans * (10.0, 1.0)])


def read_signs(
    camera: Camera, evidence: Evidence, candidates: Sequence[Candidate], excess_mm: Sequence[float]
) -> Floats:
    """The signs of every candidate, named in ``SIGNS``: (n, len(SIGNS)); the last two are for ``with_leans``."""
    if not candidates:
        return np.zeros((0, len(SIGNS)))
    fits = [candidate.fit for candidate in candidates]
    outlines, around = silhouettes(camera, fits, (_BLUR_MM, _REACH_MM))
    free = evidence.mask.copy()
    for outline in outlines:
        cv2.fillConvexPoly(free, outline, 0)
    blobs = _BlobsByPlace(evidence)
    middles = as_plane(view_px(np.array([(fit.x, fit.y) for fit in fits])))
    away = np.abs(middles[:, None] - middles) / VIEW_PX_PER_MM
    np.fill_diagonal(away, np.inf)
    owners = [blobs.at(outline) for outline in outlines]
    boxes = np.array([(outline.min(axis=0), outline.max(axis=0)) for outline in outlines])
    near = are_near(boxes)
    np.fill_diagonal(near, False)
    usual = float(np.median([fit.size for fit in fits]))
    looks = _looks([candidate.patch for candidate in candidates])
    rows = []
    for i, candidate in enumerate(candidates):
        fit, outline = candidate.fit, outlines[i]
        beside, large = _beside(free, around[i], fit.size, outline.mean(axis=0))
        covers = _filled(evidence.mask, outline)
        blob = blobs.measures(owners[i])
        area = float(cv2.contourArea(outline.astype(np.float32))) / VIEW_PX_PER_MM**2
        light, colour, texture = looks[i]
        rows.append(
            (
                float(fit.shape is not CUBE), fit.score, sum(fit.top_edges) / len(fit.top_edges),
                min(fit.top_edges), fit.rim,
                fit.filled, fit.clear, fit.size / 16, min(excess_mm[i], 6.0), *_say(candidate), covers,
                np.log(max(blob.area_mm2, 1) / max(area, 1)), min(blob.length_mm / fit.size, 8),
                min(blob.width_mm / fit.size, 5), blob.solid, min(owners.count(owners[i]), 6),
                min(away[i].min() / fit.size, _FAR),
                max((_shared(outline, outlines[k]) for k in np.flatnonzero(near[i])), default=0.0),
                fit.size / usual - 1, texture, beside, large, light, colour,
                0.0, 0.0,
            )
        )  # fmt: skip
    return np.array(rows, np.float64)


def sight_signs(network: CropNetwork, frame: Pixels, camera: Camera, candidates: Sequence[Candidate]) -> Floats:
    """The signs named in ``SEEN``: (n, len(SEEN)); ``network`` is ``calibration.training.sight``'s."""
    return _as_signs(_odds(network, _crops(frame, camera, candidates)))


def _crops(frame: Pixels, camera: Camera, candidates: Sequence[Candidate]) -> list[Crop]:
    if not candidates:
        return []
    bases = camera.project(np.array([(one.fit.x, one.fit.y) for one in candidates]))
    return lean_crops(frame, [one.outline_px for one in candidates], list(bases))


def _odds(network: CropNetwork, crops: Sequence[Crop]) -> Floats:
    """Logarithms of the odds of all other situations against standing: (n, 4).

    Crops are seen in one way; those that do not seem to stand for certain then, in one more, and so in all four.
    """
    scores = network.scores(crops, WAYS[:1])
    for seen, surely in _SURELY_STANDING.items():
        others = np.logaddexp.reduce(scores[:, 1:], axis=1) - scores[:, 0]
        unsure = np.flatnonzero(others > surely).tolist()
        scores[unsure] = (scores[unsure] + network.scores([crops[i] for i in unsure], WAYS[seen : 2 * seen])) / 2
    return np.asarray(scores[:, 1:] - scores[:, :1], np.float64)


def _as_signs(odds: Floats) -> Floats:
    return np.asarray(np.clip(odds, -_MOST_ODDS, _MOST_ODDS) / 4, np.float64)


def log_odds(chance: Floats) -> Floats:
    """The logarithms of the odds of chances, which never are quite 0 or 1."""
    within = np.clip(chance, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(within / (1 - within)), np.float64)


@dataclass(frozen=True)
class _Measures:
    area_mm2: float
    length_mm: float
    width_mm: float
    solid: float


class _BlobsByPlace:
    """Which blob lies where, and how long, wide and solid each is."""

    def __init__(self, evidence: Evidence) -> None:
        self._blobs = evidence.blobs
        self._label = np.zeros(evidence.mask.shape, np.int32)
        for number, blob in enumerate(evidence.blobs, 1):
            self._label[blob.pixels[:, 1], blob.pixels[:, 0]] = number
        self._known: dict[int, _Measures] = {0: _Measures(0.0, 0.0, 0.0, 0.0)}

    def at(self, outline: npt.NDArray[np.int32]) -> int:
        """The blob that most of a polygon covers; 0 for none."""
        _, part, inside = _window(self._label.shape, outline)
        if part is None or inside is None:
            return 0
        counts = np.bincount(self._label[part][inside > 0])
        counts[0] = 0
        return int(counts.argmax()) if counts.any() else 0

    def measures(self, number: int) -> _Measures:
        """Of one blob."""
        if number not in self._known:
            self._known[number] = _measured(self._blobs[number - 1])
        return self._known[number]


def _measured(blob: Blob) -> _Measures:
    (_, _), (width, height), _ = cv2.minAreaRect(blob.hull)
    hull = float(cv2.contourArea(blob.hull)) / VIEW_PX_PER_MM**2
    short, long = sorted((width / VIEW_PX_PER_MM, height / VIEW_PX_PER_MM))
    return _Measures(blob.area_mm2, long, short, min(blob.area_mm2 / max(hull, 1.0), 1.5))


def _window(
    shape: tuple[int, ...], outline: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.intp], tuple[slice, slice] | None, npt.NDArray[np.uint8] | None]:
    low = np.maximum(outline.min(axis=0), 0).astype(np.intp)
    high = np.minimum(outline.max(axis=0) + 1, shape[1::-1]).astype(np.intp)
    if (high <= low).any():
        return low, None, None
    inside = np.zeros((int(high[1] - low[1]), int(high[0] - low[0])), np.uint8)
    cv2.fillConvexPoly(inside, outline - low.astype(np.int32), 255)
    return low, (slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))), inside


def _filled(mask: npt.NDArray[np.uint8], outline: npt.NDArray[np.int32]) -> float:
    _, part, inside = _window(mask.shape, outline)
    if part is None or inside is None:
        return 0.0
    return float(np.count_nonzero(mask[part] & inside)) / max(int(np.count_nonzero(inside)), 1)


def _beside(
    free: npt.NDArray[np.uint8], near: npt.NDArray[np.int32], size_mm: float, middle: Floats
) -> tuple[float, float]:
    """What stands out close beside a die, ``near`` it, and belongs to none: in shares of a side, and how lopsided."""
    low, part, inside = _window(free.shape, near)
    if part is None or inside is None:
        return 0.0, 0.0
    rest = cv2.moments(free[part] & inside, binaryImage=True)
    count = rest["m00"]
    if not count:
        return 0.0, 0.0
    side_px = size_mm * VIEW_PX_PER_MM
    share = min(count / side_px**2, 2.0)
    lopsided = math.dist((rest["m10"] / count + low[0], rest["m01"] / count + low[1]), middle) / side_px
    return share, lopsided * min(share / _MUCH_BESIDE, 1.0)


def _say(candidate: Candidate) -> tuple[float, float]:
    """What the network says of there being no face, and of its best one, as log odds."""
    if not candidate.guesses:
        return 0.0, 0.0
    nothing = next((guess.probability for guess in candidate.guesses if guess.kind == NOTHING), 0.0)
    best = max((guess.probability for guess in candidate.guesses if guess.kind != NOTHING), default=0.0)
    odds = [math.log(p / (1 - p)) for p in (min(max(chance, 1e-4), 1 - 1e-4) for chance in (nothing, best))]
    return odds[0] / 4, odds[1] / 4


def _shared(one: npt.NDArray[np.int32], other: npt.NDArray[np.int32]) -> float:
    return shared_area(one, other) / max(area_of(one), 1.0)


def _looks(patches: Sequence[npt.NDArray[np.float32]]) -> list[tuple[float, float, float]]:
    """How light, how colourful and how varied the middle of each face is."""
    inner = np.stack(patches)[:, _INNER, _INNER].reshape(len(patches), -1, 3)
    means = inner.mean(axis=1)
    varied = np.sqrt(((inner - means[:, None]) ** 2).mean(axis=1)).mean(axis=1)
    return list(zip(means.mean(axis=1).tolist(), np.ptp(means, axis=1).tolist(), varied.tolist(), strict=True))
