"""The trained face network: what a patch of an upper face shows, ranked, with probabilities that mean what they say.

The file is plain ONNX (convolutions, ReLU, pooling, one matrix), run by ``cv2.dnn``; ``calibration.training`` makes
it and ``calibration.model`` holds it. It takes patches as ``vision.patches.rectify`` cuts them. Its last layer is
scaled so that the softmax is calibrated on drawn patches it was not trained on: of guesses at 0.99, 99 % are right.

One class is ``NOTHING``: no upper face, a face wrongly outlined or largely covered, a mark that cannot be told (a 6
or 9 without its bar). Where it ranks first, or the first guess is not far ahead, the die is better left unread.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.numbers import NumberNetwork
from vision.other_network import OtherNetwork
from vision.patches import PATCH_SIDE_PX, network_input
from vision.red_network import RedNetwork
from vision.scores import Scores

NOTHING = "nothing"
"""The kind of what is no upper face of a die."""


class Guess(NamedTuple):
    """One thing that a patch may show.

    ``body`` is None where any will do (number dice); pip dice are ``"white"`` (also ivory and cream), ``"yellow"`` or
    ``"other"``; a chance cube's body is its face. ``face`` is empty for ``NOTHING``. ``probability`` is that of kind,
    face and body together.
    """

    kind: str
    face: str
    body: str | None
    probability: float


def chance_of(guesses: Sequence[Guess], kind: str, face: str) -> float:
    """How likely it is that kind and face, whatever its body.

    >>> bodies = [Guess("rig-die", "red +", "black", 0.5), Guess("rig-die", "red +", "white", 0.25)]
    >>> chance_of(bodies, "rig-die", "red +")
    0.75
    """
    return sum(guess.probability for guess in guesses if (guess.kind, guess.face) == (kind, face))


class FaceNetwork:
    """The network in memory, ready to run; not for two threads at once.

    ``onnx`` is the file's content and ``labels`` the (kind, face, body) of each of its outputs, in order; it looks at
    patches less ``margin_px`` on each side. ``numbers`` read the numbers of twelve-sided dice, one network or two
    trained apart; ``pips`` counts pips; ``cubes`` has the same labels and was trained apart, on cubes alone: it
    is asked for another opinion; ``reds`` tells red cubes from red stickers, ``others`` other games' dice. Raises
    ``ValueError`` if OpenCV cannot read the file or its outputs are not as many as the labels.
    """

    def __init__(
        self,
        onnx: bytes,
        labels: Sequence[tuple[str, str, str | None]],
        margin_px: int = 0,
        numbers: Sequence[NumberNetwork] = (),
        cubes: "FaceNetwork | None" = None,
        pips: NumberNetwork | None = None,
        reds: RedNetwork | None = None,
        others: OtherNetwork | None = None,
    ) -> None:
        self.labels = tuple((kind, face, body) for kind, face, body in labels)
        self._seen = slice(margin_px, PATCH_SIDE_PX - margin_px)
        self.numbers = tuple(numbers)
        self.cubes = cubes
        self.pips = pips
        self.reds = reds
        self.others = others
        side = PATCH_SIDE_PX - 2 * margin_px
        self._scores = Scores(onnx, (3, side, side), "the face network")
        if self._scores.outputs != len(self.labels):
            raise ValueError(f"the face network has {self._scores.outputs} outputs and {len(self.labels)} labels")

    def scores(self, patches: Sequence[npt.NDArray[np.float32]], turns: int = 1) -> npt.NDArray[np.float32]:
        """Log-probabilities of every class for every patch: float32, (n, classes).

        ``turns`` 2 or 4 looks at each patch turned by half or quarter turns, too, and takes the mean of what it sees.
        """
        if not len(patches):
            return np.zeros((0, len(self.labels)), np.float32)
        batch = network_input(patches)[:, :, self._seen, self._seen]
        views = [np.rot90(batch, 4 // turns * turn, (2, 3)) for turn in range(turns)]
        raw = self._scores.of(np.ascontiguousarray(np.concatenate(views)))
        mean = raw.reshape(turns, len(batch), -1).mean(axis=0)
        return _log_softmax(mean)

    def classify(
        self,
        patches: Sequence[npt.NDArray[np.float32]],
        kinds: Collection[str] | None = None,
        turns: int = 1,
        dimmed: Sequence[npt.NDArray[np.float32] | None] = (),
    ) -> list[tuple[Guess, ...]]:
        """For each patch (float32, (48, 48, 3), BGR, 0 to 1) what it may show, most probable first.

        ``kinds`` narrows to those that the game in play allows (``NOTHING`` always stays); probabilities then add up
        to one among these. ``dimmed`` are the same faces in less light, of those that need it: what is seen then is
        the geometric mean of both looks.
        """
        kept = [i for i, (kind, _, _) in enumerate(self.labels) if kinds is None or kind == NOTHING or kind in kinds]
        scores = self.scores(patches, turns)
        more = {i: patch for i, patch in enumerate(dimmed) if patch is not None}
        if more:
            scores[list(more)] = (scores[list(more)] + self.scores(list(more.values()), turns)) / 2
        narrowed = np.exp(_log_softmax(scores[:, kept]))
        order = np.argsort(-narrowed, axis=1, kind="stable")
        ranked = zip(order.tolist(), np.take_along_axis(narrowed, order, axis=1).tolist(), strict=True)
        return [tuple(_guess(self.labels[kept[i]], p) for i, p in zip(*one, strict=True)) for one in ranked]


def _guess(label: tuple[str, str, str | None], probability: float) -> Guess:
    kind, face, body = label
    return Guess(kind, face, body, probability)


def _log_softmax(scores: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    shifted = scores - scores.max(axis=1, keepdims=True) if scores.size else scores
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)), np.float32)
