"""``python -m calibration.detection OUT.onnx``: trains the detector on labelled pictures and writes it with its card.

Needs PyTorch and onnx (the dependency group ``train``); nothing else in Croupier does. The pictures are made by
``python -m calibration.synthesis``; further folders of the same form may be given.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import torch

from calibration.detection.crops import Source, read_sources
from calibration.detection.fit import fit
from calibration.detection.measure import measure
from calibration.detection.network import DetectorNetwork
from calibration.training.typed import as_typed


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m calibration.detection", description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="the .onnx file to write; its card goes beside it as .json")
    parser.add_argument("--pictures", nargs="+", required=True, metavar="FOLDER[=WEIGHT]", help="to train on")
    parser.add_argument("--held-back", nargs="*", default=[], type=Path, metavar="FOLDER", help="to measure on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=900, help="how long to train")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--begin-with", type=Path, help="weights (.pt) to go on from")
    return parser.parse_args()


def _sources(asked: list[str]) -> list[Source]:
    sources = []
    for folder in asked:
        name, _, weight = folder.partition("=")
        sources += read_sources(Path(name), float(weight or 1))
    return sources


def main() -> int:
    asked = _arguments()
    torch.set_num_threads(asked.threads)
    sources = _sources(asked.pictures)
    print(f"{len(sources)} pictures with {sum(len(s.faces) for s in sources)} dice", flush=True)
    earlier = None
    if asked.begin_with:
        earlier = DetectorNetwork()
        earlier.load_state_dict(torch.load(asked.begin_with, weights_only=True))
    network = fit(sources, asked.seconds, asked.seed, lambda line: print(line, flush=True), earlier)
    torch.save(network.state_dict(), asked.out.with_suffix(".pt"))
    onnx = network.to_onnx()
    card: dict[str, Any] = {
        "seed": asked.seed,
        "command": as_typed("calibration.detection"),
        "torch": torch.__version__,
        "pictures": len(sources),
        "score": {folder.name: measure(onnx, read_sources(folder)) for folder in asked.held_back},
    }
    asked.out.write_bytes(onnx)
    asked.out.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")
    print(json.dumps(card, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
