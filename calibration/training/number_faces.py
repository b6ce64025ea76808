"""``python -m calibration.training.number_faces OUT.npz FOLDER…``: cuts numbers for ``calibration.training.numbers``.

For its ``--stills``, so that many folders are cut side by side.
"""

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np

from calibration.training.numbers import LOOKS, cut_numbers
from calibration.training.patchset import PatchSet


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m calibration.training.number_faces", description="Cuts numbers.")
    parser.add_argument("out", type=Path, help="the .npz file to write")
    parser.add_argument("folders", type=Path, nargs="+", help="folders of labelled pictures")
    parser.add_argument("--looks", type=int, default=LOOKS, help="at each number")
    parser.add_argument("--seed", type=int, default=6)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    parts = [cut_numbers(folder, asked.looks, asked.seed) for folder in asked.folders]
    whole = PatchSet(np.concatenate([p.patches for p in parts]), np.concatenate([p.classes for p in parts]))
    whole.save(asked.out)
    print(f"{asked.out.name}: {len(whole)} numbers", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
