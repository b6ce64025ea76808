"""Make ``chance-cubes-stills`` from a folder of rendered pictures of dice on the croupier mat.

    python -m tests.recordings.make_stills FOLDER     (FOLDER holds labels.jsonl and the pictures that it lists)

Every picture with a chance cube in it is copied as it is, and nine in which none lies, for the set asks above all: is
every readable cube read right, and nothing else taken for one? All dice are labelled, and those that nobody can read
are labelled so; each picture is read with the kinds that lie in it, as the game in play would say.
"""

import argparse
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

from tests.recordings.make_kinds import BODIES
from vision.dice import CHANCE_CUBE

OUT = Path(__file__).parent / "chance-cubes-stills"
JsonObject = dict[str, Any]

WITHOUT_CUBES = {
    "d0001.jpg": "red, blue and black action dice",
    "d0025.jpg": "tokens, a pen and a rubber",
    "d0026.jpg": "a coin, a pen and a rubber",
    "d0036.jpg": "an empty mat",
    "d0046.jpg": "seven action dice",
    "d0050.jpg": "red and black action dice on a glossy mat, wide lens",
    "d0069.jpg": "one blue action die",
    "d0072.jpg": "three pens",
    "d0079.jpg": "red action dice, one outside the roll area",
}
"""What is most easily taken for a cube: red and blue things. Each picture with what lies in it."""

ABOUT = """\
# {pictures} single pictures, {cubes} readable chance cubes; {without} of the pictures show none.
# Rendered for this project, not photographed; copied unchanged by tests/recordings/make_stills.py.
name = "Chance cubes on the croupier mat"
source = "rendered"
origin = "rendered for Croupier"
licence = "MIT"
kinds = []  # those that lie in each picture

[camera]
sizes = [[1296, 972], [1536, 864]]
lens = "Camera Modules 2, 3 and 3 Wide, simulated: {lenses}"
"""


def dice_of(label: JsonObject) -> list[JsonObject]:
    """The dice of one picture; a chance cube's body is the colour that it shows."""
    return [
        {
            "kind": die["kind"],
            "body": die["face"] if die["kind"] == CHANCE_CUBE else BODIES.get(die["body"], die["body"]),
            "face": die["face"],
            "center_px": die["top_centre_px"],
            **({} if is_readable(die) else {"readable": False}),
        }
        for die in label["dice"]
    ]


def is_readable(die: JsonObject) -> bool:
    """Whether the die can be read, stands on the mat itself and lies wholly in the roll area."""
    return bool(die["readable"]) and die["state"] == "flat" and die["in_roll_area"] == "yes"


def cubes_of(label: JsonObject) -> list[JsonObject]:
    """The readable cubes of one picture."""
    return [die for die in dice_of(label) if die["kind"] == CHANCE_CUBE and die.get("readable", True)]


def has_cube(label: JsonObject) -> bool:
    """Whether a cube lies there, readable or not."""
    return any(die["kind"] == CHANCE_CUBE for die in label["dice"])


def main() -> None:
    """Write the recording next to this script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    labels = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    chosen = [label for label in labels if has_cube(label) or label["image"] in WITHOUT_CUBES]
    shutil.rmtree(OUT, ignore_errors=True)
    (OUT / "frames").mkdir(parents=True)
    with (OUT / "frames.jsonl").open("w") as frames:
        for second, label in enumerate(chosen):
            image = f"frames/{label['image']}"
            shutil.copyfile(folder / label["image"], OUT / image)
            entry = {"image": image, "t": second, "rest": True, "dice": dice_of(label)}
            frames.write(json.dumps(entry) + "\n")
    lenses = Counter(label["camera"]["model"] for label in chosen)
    about = ABOUT.format(
        pictures=len(chosen),
        cubes=sum(len(cubes_of(label)) for label in chosen),
        without=sum(not has_cube(label) for label in chosen),
        lenses=", ".join(f"{count} {model}" for model, count in sorted(lenses.items())),
    )
    (OUT / "recording.toml").write_text(about)


if __name__ == "__main__":
    main()
