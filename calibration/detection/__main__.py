"""``python -m calibration.detection OUT.onnx``: trains the detector on labelled pictures and writes it with its card.

Needs PyTorch and onnx (the dependency group ``train``); nothing else in Croupier does. The pictures are made by
``python -m calibration.synthesis``; further folders of the same form may be given.
"""

import argparse
import sys
from pathlib import Path

import torch

from calibration.detection.crops import Source, read_sources
from calibration.detection.fit import fit
from calibration.detection.measure import measure
from calibration.detection.network import from_onnx
from calibration.training.typed import origin, write_card


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m calibration.detection", description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="the .onnx file to write; its card goes beside it as .json")
    parser.add_argument("--pictures", nargs="+", required=True, metavar="FOLDER[=WEIGHT]", help="to train on")
    parser.add_argument("--held-back", nargs="*", default=[], type=Path, metavar="FOLDER", help="to measure on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=900, help="how long to train")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--begin-with", type=Path, help="a detector (.onnx) to go on from")
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
    earlier = from_onnx(asked.begin_with.read_bytes()) if asked.begin_with else None
    network = fit(sources, asked.seconds, asked.seed, lambda line: print(line, flush=True), earlier)
    onnx = network.to_onnx()
    asked.out.write_bytes(onnx)
    score = {folder.name: measure(onnx, read_sources(folder)) for folder in asked.held_back}
    card = origin("calibration.detection", asked) | {"torch": torch.__version__, "pictures": len(sources)}
    write_card(asked.out, card | {"score": score})
    return 0


if __name__ == "__main__":
    sys.exit(main())
