"""How well the detector finds the upper faces of labelled pictures."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from calibration.detection.crops import Source
from vision.detector import CLASSES, Detector, Found

SURE = 0.5


def measure(onnx: bytes, sources: Sequence[Source]) -> dict[str, Any]:
    """Faces found with a score of ``SURE`` or more, missed, and seen where there are none; their corners' errors.

    ``corner_error`` is the median distance of a found face's corners from the truth, in circumradii.
    """
    detector = Detector(onnx)
    count: Counter[str] = Counter()
    errors: list[float] = []
    for source in sources:
        picture = cv2.imread(str(source.file))
        if picture is None:
            raise FileNotFoundError(source.file)
        found = [f for f in detector.find(np.asarray(picture, np.uint8)) if f.score >= SURE]
        taken: set[int] = set()
        for face in source.faces:
            middle = face.corners.mean(0)
            radius = float(np.linalg.norm(face.corners - middle, axis=1).mean())
            near = [i for i, f in enumerate(found) if np.hypot(*(f.center_px - middle)) < 0.6 * radius]
            taken.update(near)
            if face.what < 0:
                continue
            what = CLASSES[face.what]
            count["faces " + what] += 1
            hit = [found[i] for i in near if found[i].what == what]
            count["found " + what] += bool(hit)
            if what in ("cocked", "covered"):
                count["taken for upright"] += any(found[i].what not in ("cocked", "covered") for i in near)
            elif hit:
                errors.append(_corner_error(hit[0], face.corners) / radius)
        upright = [f for i, f in enumerate(found) if i not in taken and f.what not in ("cocked", "covered")]
        count["seen where there are none"] += len(upright)
    return {**dict(sorted(count.items())), "corner_error": round(float(np.median(errors)), 4) if errors else None}


def _corner_error(found: Found, corners: Any) -> float:
    seen = np.asarray(found.outline_px)
    away = np.linalg.norm(seen[:, None] - np.asarray(corners)[None], axis=2)
    return float(away.min(axis=1).mean())
