"""Pictures of shapes and letters of every colour and size, none of which is a die."""

import cv2
import numpy as np

from vision.reading import Pixels

SIZE_PX = (560, 400)


def scribbled(seed: int) -> Pixels:
    """One of them, 560 x 400 px."""
    rng = np.random.default_rng(seed)
    picture = np.full((*SIZE_PX[::-1], 3), rng.integers(0, 256, 3), np.uint8)
    for _ in range(int(rng.integers(30, 120))):
        _draw_one(rng, picture)
    blurred = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.6, 1.6)))
    return np.asarray(np.clip(blurred + rng.normal(0, 3, picture.shape), 0, 255), np.uint8)


def _draw_one(rng: np.random.Generator, picture: Pixels) -> None:
    x, y = (int(v) for v in rng.integers(0, SIZE_PX))
    reach, color = int(np.exp(rng.uniform(1.5, 4.6))), tuple(int(v) for v in rng.integers(0, 256, 3))
    what = int(rng.integers(5))
    if what == 0:
        cv2.circle(picture, (x, y), reach, color, -1, cv2.LINE_AA)
    elif what == 1:
        box = ((x, y), (2 * reach, reach * float(rng.uniform(0.5, 2.5))), float(rng.uniform(0, 90)))
        cv2.fillConvexPoly(picture, cv2.boxPoints(box).astype(np.int32), color, cv2.LINE_AA)
    elif what == 2:
        end = (x + int(rng.normal(0, 2 * reach)), y + int(rng.normal(0, 2 * reach)))
        cv2.line(picture, (x, y), end, color, max(1, reach // 6), cv2.LINE_AA)
    elif what == 3:
        letters = "".join(chr(v) for v in rng.integers(48, 91, int(rng.integers(1, 5))))
        cv2.putText(picture, letters, (x, y), 0, reach / 22, color, max(1, reach // 10), cv2.LINE_AA)
    else:
        axes, thickness = (reach, max(2, reach // 2)), max(1, reach // 5)
        cv2.ellipse(picture, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, color, thickness, cv2.LINE_AA)
