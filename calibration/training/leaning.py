"""``python -m calibration.training.leaning OUT.onnx``: trains the network that tells leaning dice from standing ones.

It learns from labelled rendered scenes, whose cameras are known, and is measured on scenes that it has not seen. Half
of the crops are made with the true camera, half with the one that is assumed where none is known; those of
photographs, whose dice all stand, with that one alone. Of scenes on the mat it also learns from dice as the reader
fits them: a standing die that is fitted to a leaning one hides a part of what would give it away.
"""

import argparse
import itertools
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy

from calibration.model import trained_faces
from calibration.training.fitted import seen_on_mat
from calibration.training.network import Faces, Plan
from calibration.training.stills import read_stills
from calibration.training.typed import as_typed
from vision.lean_network import CROP_PX, LeanNetwork, lean_crop, usual_base

PLAN = Plan(0, (16, 24, 32, 48), (True, True, True, True), 32)
BATCH = 128
PEAK_RATE = 3e-3
AVERAGE_DECAY = 0.995
LEAST_SEEN = 0.85
LEAST_LEAN_DEG = 8.0
LEANING_OFF, STANDING_OFF = 0.8, 0.25  # of a side: a fit this near is that die's
STEPS_DEG = (8, 12, 16, 20, 26, 34, 90)


def crops_of(folder: Path, rng: np.random.Generator, leaning_looks: int, standing_looks: int) -> Iterator[Any]:
    """Crop, whether it leans, and its lean (degrees), of the dice of a folder's pictures, several looks at each."""
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        label = json.loads(line)
        own = [d for d in label["dice"] if d.get("state") in ("flat", "cocked") and not d.get("ignore")]
        own = [d for d in own if d.get("visible_fraction", 1.0) > LEAST_SEEN]
        own = [d for d in own if d["state"] == "flat" or d["tilt_deg"] >= LEAST_LEAN_DEG]
        looks = [leaning_looks if d["state"] == "cocked" else standing_looks for d in own]
        if not any(looks):
            continue
        picture = cv2.imread(str(folder / label["image"]))
        if picture is None:
            raise FileNotFoundError(folder / label["image"])
        frame = np.asarray(picture, np.uint8)
        for die, count in zip(own, looks, strict=True):
            for look in range(count):
                outline = found(rng, np.array(die["top_quad_px"], np.float64), count > 1)
                is_known = "camera" in label and look % 2 == 0
                base = true_base(outline, label["camera"], die) if is_known else usual_base(outline, frame.shape)
                lean = die["tilt_deg"] if die["state"] == "cocked" else 0.0
                yield lean_crop(frame, outline, base), die["state"] == "cocked", lean


def fitted_crops_of(folder: Path, rng: np.random.Generator, leaning_looks: int, standing_looks: int) -> Iterator[Any]:
    """The same of dice on the mat, as the reader fits standing dice to them."""
    network = trained_faces()
    for still in read_stills(folder, True):
        dice = [d for d in still.label["dice"] if d.get("visible_fraction", 1.0) > LEAST_SEEN]
        looked = seen_on_mat(still, network) if dice else None
        if looked is None:
            continue
        camera, seen = looked
        for candidate in seen.chosen:
            nearest = min(dice, key=lambda die: math.dist(die["top_centre_px"], candidate.center_px))
            quad = np.array(nearest["top_quad_px"])
            away = math.dist(nearest["top_centre_px"], candidate.center_px)
            is_cocked = nearest["state"] == "cocked"
            most = (LEANING_OFF if is_cocked else STANDING_OFF) * float(np.linalg.norm(quad[0] - quad[1]))
            if away > most or len(quad) != len(candidate.outline_px) or nearest["state"] in ("under", "on_top"):
                continue
            if is_cocked and nearest["tilt_deg"] < LEAST_LEAN_DEG:
                continue
            base = camera.project(np.array([[candidate.fit.x, candidate.fit.y]]))[0]
            reach = float(np.linalg.norm(candidate.outline_px - candidate.outline_px.mean(axis=0), axis=1).mean())
            for look in range(leaning_looks if is_cocked else standing_looks):
                off = rng.normal(0, 0.02 * reach, 2) * (look > 0)
                crop = lean_crop(still.picture, candidate.outline_px + off, base + off)
                yield crop, is_cocked, nearest["tilt_deg"] if is_cocked else 0.0


def found(rng: np.random.Generator, corners: NDArray[Any], jittered: bool) -> NDArray[Any]:
    """A regular outline as a reader that believes in standing dice finds it on these corners."""
    middle = corners.mean(axis=0)
    z = (corners - middle) @ np.array([1, 1j])
    around = np.exp(2j * np.pi * np.arange(len(z)) / len(z))
    regular = max(np.mean(z / around), np.mean(z * around), key=abs)
    sense = 1 if abs(np.mean(z / around)) >= abs(np.mean(z * around)) else -1
    if jittered:
        regular *= np.exp(rng.normal(0, 0.03) + 1j * rng.normal(0, np.deg2rad(2)))
        middle = middle + rng.normal(0, 0.03 * abs(regular), 2)
    drawn = regular * around**sense
    return np.asarray(middle + np.c_[drawn.real, drawn.imag])


def true_base(outline: NDArray[Any], camera: dict[str, Any], die: dict[str, Any]) -> NDArray[Any]:
    """Where the base's middle would appear of a standing die of that size, by the labelled camera (lens ignored)."""
    matrix = np.array(camera["K"])
    down = matrix @ cv2.Rodrigues(np.array(camera["rvec"], float))[0] @ np.array([0.0, 0.0, 1.0])
    foot = down[:2] / down[2]
    height, size = float(camera["height_mm"]), float(die["size_mm"])
    middle = outline.mean(axis=0)
    return np.asarray(foot + (middle - foot) * (height - size) / height)


def _varied(batch: torch.Tensor, random: torch.Generator) -> torch.Tensor:
    """Crops mirrored and turned by quarters, lighter or darker, noisier."""
    n = len(batch)
    out = batch
    for dims in ((3,), (2,)):
        chosen = torch.rand(n, 1, 1, 1, generator=random) < 0.5
        out = torch.where(chosen, torch.flip(out, dims), out)
    chosen = torch.rand(n, 1, 1, 1, generator=random) < 0.5
    out = torch.where(chosen, out.transpose(2, 3), out)
    seen = out[:, :2] * torch.exp(0.15 * torch.randn(n, 2, 1, 1, generator=random))
    seen = seen + 0.03 * torch.rand(n, 1, 1, 1, generator=random) * torch.randn(seen.shape, generator=random)
    return torch.cat([seen.clamp(0, 1), out[:, 2:]], 1)


def fit(crops: NDArray[Any], leans: NDArray[Any], passes: float, seed: int) -> Faces:
    """A network trained on crops (N, 48, 48, 3) uint8; leaning and standing ones are shown equally often."""
    torch.manual_seed(seed)
    random = torch.Generator().manual_seed(seed)
    network = Faces(2, PLAN).to(memory_format=torch.channels_last)
    data = torch.from_numpy(crops)
    truth = torch.from_numpy(leans.astype(np.int64))
    weights = torch.where(truth == 1, 1 / truth.sum(), 1 / (1 - truth).sum()).double()
    optimizer = torch.optim.AdamW(network.parameters(), PEAK_RATE, weight_decay=1e-2)
    average = {name: value.clone() for name, value in network.state_dict().items()}
    steps, recent = round(passes * len(crops) / BATCH), 0.7
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = (
                PEAK_RATE * min(1.0, step / 100 + 0.02) * max(0.01, 0.5 * (1 + np.cos(np.pi * step / steps)))
            )
        chosen = torch.multinomial(weights, BATCH, replacement=True, generator=random)
        batch = _varied(data[chosen].permute(0, 3, 1, 2).float() / 255, random)
        loss = cross_entropy(network(batch.contiguous(memory_format=torch.channels_last)), truth[chosen])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recent = 0.98 * recent + 0.02 * loss.item()
        kept = min(AVERAGE_DECAY, (step + 1) / (step + 20))
        for name, value in network.state_dict().items():
            if value.dtype.is_floating_point:
                average[name].mul_(kept).add_(value, alpha=1 - kept)
            else:
                average[name].copy_(value)
        if step % max(1, steps // 10) == 0:
            print(f"{100 * step / steps:3.0f} %  loss {recent:.3f}", flush=True)
    network.load_state_dict(average)
    return network.eval()


def measured(network: LeanNetwork, folder: Path, are_fitted: bool) -> dict[str, Any]:
    """At several limits: standing dice kept, and leaning ones let through by how far they lean."""
    made = list((fitted_crops_of if are_fitted else crops_of)(folder, np.random.default_rng(5), 1, 1))
    if not made:
        return {}
    chance = network.chances([crop for crop, _, _ in made])
    leans, lean = np.array([m[1] for m in made]), np.array([m[2] for m in made])
    out: dict[str, Any] = {"standing": int((~leans).sum()), "leaning": int(leans.sum())}
    for limit in (0.3, 0.5, 0.7, 0.9):
        let_through = {
            f"{low} to {high} degrees": f"{int((chance[part] < limit).sum())} of {int(part.sum())}"
            for low, high in itertools.pairwise(STEPS_DEG)
            if (part := leans & (lean >= low) & (lean < high)).any()
        }
        kept = float((chance[~leans] < limit).mean()) if (~leans).any() else 1.0
        out[str(limit)] = {"standing kept": round(kept, 4), "let through": let_through}
    return out


def _kept(asked: argparse.Namespace) -> tuple[NDArray[Any], NDArray[Any]]:
    if asked.keep and asked.keep.exists():
        held = np.load(asked.keep, allow_pickle=False)
        return held["crops"], held["leans"]
    rng = np.random.default_rng(asked.seed)
    made = [each for folder in asked.scenes for each in crops_of(folder, rng, 16, 2)]
    made += [each for folder in asked.mat for each in fitted_crops_of(folder, rng, 24, 4)]
    made += [each for folder in asked.photographs for each in crops_of(folder, rng, 0, 12)]
    crops = np.stack([np.round(crop * 255).astype(np.uint8) for crop, _, _ in made])
    leans = np.array([each[1] for each in made])
    if asked.keep:
        np.savez(asked.keep, crops=crops, leans=leans)
    return crops, leans


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m calibration.training.leaning", description="Tells what leans.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", nargs="+", type=Path, required=True, help="folders of labelled scenes")
    parser.add_argument("--mat", nargs="*", type=Path, default=[], help="folders of labelled scenes on the mat")
    parser.add_argument("--photographs", nargs="*", type=Path, default=[], help="folders of dice that all stand")
    parser.add_argument("--held-back", nargs="+", type=Path, required=True)
    parser.add_argument("--keep", type=Path, help="where crops are kept, or were kept before (.npz)")
    parser.add_argument("--passes", type=float, default=6)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    crops, leans = _kept(asked)
    print(f"{len(crops)} crops, {int(leans.sum())} of leaning dice", flush=True)
    network = fit(crops, leans, asked.passes, asked.seed)
    asked.out.write_bytes(network.to_onnx(1.0))
    reader = LeanNetwork(asked.out.read_bytes())
    card = {
        "side_px": CROP_PX,
        "seed": asked.seed,
        "command": as_typed("calibration.training.leaning"),
        "torch": torch.__version__,
        "crops": len(crops),
        "leaning": int(leans.sum()),
        "score": {
            f"{folder.name}, {'fitted' if fitted else 'as labelled'}": measured(reader, folder, fitted)
            for folder in asked.held_back
            for fitted in (False, True)
        },
    }
    asked.out.with_suffix(".json").write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(json.dumps(card, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
