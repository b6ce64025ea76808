"""How often the network is right, how sure it may be, and what it mixes up."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.training.labels import NOTHING, face_labels

Scores = NDArray[Any]

CONFIDENCES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)


@dataclass(frozen=True)
class Verdicts:
    """For each patch the class that ranks first, its probability, and the truth; all (N)."""

    guess: NDArray[Any]
    probability: NDArray[Any]
    truth: NDArray[Any]

    @property
    def right(self) -> NDArray[np.bool_]:
        return np.asarray(self.guess == self.truth)


def judge(raw: Scores, truth: NDArray[Any], *, narrowed: bool = True) -> Verdicts:
    """First guesses; ``narrowed`` lets only the true kind and ``NOTHING`` compete, as a game that names its dice
    does.

    Patches of nothing are judged among all kinds.
    """
    labels = face_labels()
    scores = raw.astype(np.float64).copy()
    if narrowed:
        kinds = np.array([kind for kind, _, _ in labels])
        for kind in set(kinds) - {NOTHING}:
            rows = np.flatnonzero(kinds[truth] == kind)
            others = np.flatnonzero((kinds != kind) & (kinds != NOTHING))
            scores[np.ix_(rows, others)] = -np.inf
    scores -= scores.max(1, keepdims=True)
    chance = np.exp(scores)
    chance /= chance.sum(1, keepdims=True)
    guess = chance.argmax(1)
    return Verdicts(guess, chance[np.arange(len(guess)), guess], truth)


def accuracy_by_kind(verdicts: Verdicts) -> dict[str, dict[str, Any]]:
    """For each kind: patches, the part that is right, and of those at 0.99 or surer how many are and are wrong."""
    kinds = np.array([kind for kind, _, _ in face_labels()])
    out = {}
    for kind in dict.fromkeys(kinds.tolist()):
        own = kinds[verdicts.truth] == kind
        if own.any():
            sure = own & (verdicts.probability >= 0.99)
            wrong = sure & ~verdicts.right
            out[kind] = {
                "patches": int(own.sum()),
                "right": round(float(verdicts.right[own].mean()), 4),
                "sure": round(float(sure.sum() / own.sum()), 4),
                "sure_and_wrong": int(wrong.sum()),
            }
    return out


def reliability(verdicts: Verdicts) -> list[dict[str, Any]]:
    """The reliability curve: patches by the probability of their first guess, and how many of them are right."""
    out = []
    for low, high in pairwise(CONFIDENCES):
        inside = (verdicts.probability >= low) & ((verdicts.probability < high) | (high == 1.0))
        if inside.any():
            out.append(
                {
                    "from": low,
                    "to": high,
                    "patches": int(inside.sum()),
                    "said": round(float(verdicts.probability[inside].mean()), 4),
                    "right": round(float(verdicts.right[inside].mean()), 4),
                }
            )
    return out


def confusions(verdicts: Verdicts, most: int = 12) -> list[str]:
    """The commonest mistakes, "truth read as guess: times"."""
    labels = [" ".join(filter(None, label)) for label in face_labels()]
    wrong = ~verdicts.right
    pairs = Counter(zip(verdicts.truth[wrong].tolist(), verdicts.guess[wrong].tolist(), strict=True))
    return [f"{labels[t]} read as {labels[g]}: {n}" for (t, g), n in pairs.most_common(most)]
