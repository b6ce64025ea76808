"""``python -m calibration.training.leaning_aslant OUT.onnx``: what tells leaning dice, and sides, below any camera.

As ``calibration.training.leaning``, but the silhouette is that of a die which stands below the picture's own camera:
of drawn pictures the label tells where that is, of photographs the bases of the other dice (``--bases``). Sides of
standing dice are among what leans, by 90 degrees, whether the detector takes them for upper faces or not.

The committed ones, ``aslant_leaning.onnx`` and the bases beside it, learned from ``python -m calibration.synthesis
--floor any --mixed --count 400``: ``wN`` with ``--aslant 15 60 --seed`` 410000 and N more, ``wcN`` with ``--condition
cocked`` and 420000, ``u0`` with ``--aslant 0 25`` and 430000, ``uc0`` with ``cocked``, ``--aslant 0 25`` and 440000;
``wh`` and ``wch`` (150 each, 410009 and 420009) are held back. ``byler`` and ``damian`` are photographs, outlined by
``calibration.detection.outlines``. Their detector is the usual one, trained further by ``calibration.detection`` on
pictures like these as its card says (27 folders of 200 to 300 of any floor, ``w`` with ``--aslant 15 60``, ``u``
without).
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from calibration.synthesis.outlines import JITTER
from calibration.training.crops import Die, detector_of, outline_found, pictures_in
from calibration.training.leaning import Seen, leans_enough_or_stands, options_of_leaning, train
from calibration.training.standing import base_if_standing, sides_of
from vision.base_network import BaseNetwork
from vision.detector import Detector, Found
from vision.lean_network import lean_crop
from vision.lean_together import bases_by_others, seen_by
from vision.polygons import reach_of
from vision.reading import Pixels

BASE_OFF = 0.1  # circumradii by which bases are elsewhere in every second look: other dice do not tell it exactly
SIDE_LOOKS = 3  # at each side that the detector takes for an upper face, and one at each other

Outline = NDArray[Any]


@dataclass(frozen=True)
class CropsAslant:
    """The crops of a folder's dice; ``bases`` tells of photographs where the dice stand."""

    detector: Detector
    bases: BaseNetwork

    def of(self, folder: Path, rng: np.random.Generator, leaning_looks: int, standing_looks: int) -> Iterator[Seen]:
        """Crop, whether it leans, and its lean (degrees), several looks at each die and side."""
        for frame, label, dice, faces in pictures_in(folder, self.detector, leans_enough_or_stands):
            lying = self._drawn(label, dice, faces) if "camera" in label else self._photographed(frame, dice, faces)
            for outline, base, leans_deg, is_side in lying:
                looks = is_side or (leaning_looks if leans_deg else standing_looks)
                for look in range(looks):
                    off = rng.normal(0, JITTER * reach_of(outline), outline.shape) * (look > 0)
                    away = rng.normal(0, BASE_OFF * reach_of(outline), 2) * (look % 2)
                    seen = lean_crop(frame, outline + off, base + off.mean(axis=0) + away)
                    yield seen, leans_deg > 0, leans_deg

    def _drawn(
        self, label: dict[str, Any], dice: list[Die], faces: list[Found]
    ) -> Iterator[tuple[Outline, NDArray[Any], float, int]]:
        """Outline (else the label's), base if it stood, lean (degrees), and of sides how many looks."""
        camera = label["camera"]
        for die in dice:
            top = np.array(die["top_quad_px"], np.float64)
            found = outline_found(top, faces)
            outline = top if found is None else found
            leans_deg = float(die["tilt_deg"]) if die["state"] == "cocked" else 0.0
            yield outline, base_if_standing(outline, camera), leans_deg, 0
            for side in [] if leans_deg else sides_of(top, camera):
                found = outline_found(side, faces)
                outline = side if found is None else found
                yield outline, base_if_standing(outline, camera), 90.0, 1 if found is None else SIDE_LOOKS

    def _photographed(
        self, frame: Pixels, dice: list[Die], faces: list[Found]
    ) -> Iterator[tuple[Outline, NDArray[Any], float, int]]:
        """The same of standing dice in a photograph, below the camera that the others show."""
        outlines = [outline_found(np.array(die["top_quad_px"], np.float64), faces) for die in dice]
        found = [outline for outline in outlines if outline is not None]
        bases = bases_by_others(seen_by(self.bases, frame, found), [True] * len(found), frame.shape)
        for outline, base in zip(found, bases, strict=True):
            yield outline, base, 0.0, 0


def main() -> int:
    parser = options_of_leaning("calibration.training.leaning_aslant", "Tells what leans, and sides.", 8)
    parser.add_argument("--bases", type=Path, required=True, help="the network (.onnx) that sees bases")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    crops = CropsAslant(detector_of(asked), BaseNetwork(asked.bases.read_bytes()))
    train("calibration.training.leaning_aslant", asked, crops.of)
    return 0


if __name__ == "__main__":
    sys.exit(main())
