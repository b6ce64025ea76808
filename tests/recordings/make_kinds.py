"""Make the small sets of single pictures of every other kind of die from a folder of rendered pictures.

    python -m tests.recordings.make_kinds FOLDER     (FOLDER holds labels.jsonl and the pictures that it lists)

Each set is named after what lies in it and how hard it is. Only dice that can be read and lie wholly in the roll area
are labelled.
"""

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
JsonObject = dict[str, Any]

SETS = {
    "rig-dice-tidy": ("rig-die", ("d0016.jpg", "d0031.jpg", "d0040.jpg")),
    "rig-dice-hard-light": ("rig-die", ("d0006.jpg", "d0009.jpg", "d0051.jpg")),
    "action-dice-tidy": ("action-die", ("d0041.jpg", "d0046.jpg", "d0060.jpg")),
    "pip-dice-tidy": ("pip-die", ("d0004.jpg", "d0029.jpg")),
    "number-dice-tidy": ("number-die", ("d0011.jpg", "d0052.jpg", "d0065.jpg")),
    "action-dice-hard-light": ("action-die", ("d0050.jpg", "d0079.jpg")),
    "pip-dice-hard-light": ("pip-die", ("d0012.jpg",)),
    "number-dice-hard-light": ("number-die", ("d0027.jpg", "d0037.jpg")),
    "rig-dice-leaning-on-the-wall": ("rig-die", ("d0008.jpg", "d0058.jpg", "d0076.jpg")),
    "action-dice-under-a-hand": ("action-die", ("d0032.jpg",)),
    "pip-dice-stacked": ("pip-die", ("d0042.jpg",)),
    "rubbers-coins-and-pens": ("chance-cube", ("d0015.jpg", "d0026.jpg", "d0072.jpg")),
}
"""Set: the kind of dice in it, and its pictures."""

BODIES = {"dark grey": "black", "cream": "white"}
"""What a RIG die's paint is called in the games."""

ABOUT = """\
# {pictures} single pictures, {dice} readable dice. Rendered for this project, not photographed; copied unchanged by
# tests/recordings/make_kinds.py.
name = "{name}"
source = "rendered"
origin = "rendered for Croupier"
licence = "MIT"
kinds = ["{kind}"]

[camera]
sizes = [[1296, 972], [1536, 864]]
lens = "Camera Modules 2, 3 and 3 Wide, simulated"
"""


def dice_of(label: JsonObject, kind: str) -> list[JsonObject]:
    """The readable dice of that kind in one picture."""
    return [
        {
            "kind": kind,
            "body": BODIES.get(die["body"], die["body"]),
            "face": die["face"],
            "center_px": die["top_centre_px"],
        }
        for die in label["dice"]
        if die["kind"] == kind and die["readable"] and die["in_roll_area"] == "yes" and die["state"] == "flat"
    ]


def make_set(folder: Path, name: str, kind: str, images: tuple[str, ...]) -> None:
    """Write one set next to this script."""
    labels = {label["image"]: label for label in map(json.loads, (folder / "labels.jsonl").read_text().splitlines())}
    out = HERE / name
    shutil.rmtree(out, ignore_errors=True)
    (out / "frames").mkdir(parents=True)
    dice = 0
    with (out / "frames.jsonl").open("w") as frames:
        for second, image in enumerate(images):
            shutil.copyfile(folder / image, out / "frames" / image)
            labelled = dice_of(labels[image], kind)
            dice += len(labelled)
            frames.write(json.dumps({"image": f"frames/{image}", "t": second, "rest": True, "dice": labelled}) + "\n")
    title = name.replace("-", " ").capitalize()
    (out / "recording.toml").write_text(ABOUT.format(pictures=len(images), dice=dice, name=title, kind=kind))


def main() -> None:
    """Write all sets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    for name, (kind, images) in SETS.items():
        make_set(folder, name, kind, images)


if __name__ == "__main__":
    main()
