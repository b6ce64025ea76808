"""``python -m calibration.detection.cut_faces OUT.npz FOLDER…``: faces as ``calibration.detection.faces`` cuts them.

For its ``--pictures``: many folders are cut side by side so.
"""

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np

from calibration.detection.faces import cut
from calibration.detector_model import detector_network
from calibration.training.patchset import PatchSet
from vision.detector import Detector

LOOKS = 3


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m calibration.detection.cut_faces", description="Cuts out faces.")
    parser.add_argument("out", type=Path, help="the .npz file to write")
    parser.add_argument("folders", type=Path, nargs="+", help="folders of labelled pictures")
    parser.add_argument("--looks", type=int, default=LOOKS, help="at each face")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mistaken", action="store_true", help="what the detector takes for faces, too")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(asked.seed)
    detector = Detector(detector_network()) if asked.mistaken else None
    made = [one for folder in asked.folders for one in cut(folder, rng, asked.looks, detector)]
    PatchSet(np.stack([patch for patch, _ in made]), np.array([c for _, c in made], np.int16)).save(asked.out)
    print(f"{asked.out.name}: {len(made)} patches", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
