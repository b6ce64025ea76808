"""``python -m calibration.synthesis OUT``: draws labelled pictures of dice, as many as one wants.

The folder holds ``labels.jsonl`` and the pictures; picture ``n`` of a seed is the same however many are drawn.
"""

import json
from pathlib import Path

import click
import cv2
import numpy as np

from calibration.synthesis.dice import any_clear_die, any_die, any_round_die, any_worn_die
from calibration.synthesis.digits import has_figures
from calibration.synthesis.floors import FLOORS
from calibration.synthesis.scene import HARD, picture
from vision.dice import KINDS

QUALITY = 92  # the sensor has been through a JPEG of its own already


@click.command()
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.option("--count", type=click.IntRange(1, 1_000_000), default=20, show_default=True, help="How many pictures.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--floor", type=click.Choice([*FLOORS, "any"]), default="mat", show_default=True)
@click.option("--kinds", default="", help="Kinds of dice, with commas; each picture has dice of one of them.  [all]")
@click.option("--mixed", is_flag=True, help="All kinds may lie on one picture.")
@click.option("--condition", type=click.Choice(["clean", *HARD, "any"]), default="any", show_default=True)
@click.option("--most", type=click.IntRange(1, 24), default=8, show_default=True, help="Most dice on a picture.")
@click.option("--round", "are_round", is_flag=True, help="A ball cuts off the corners of pip dice.")
@click.option("--worn", "are_worn", is_flag=True, help="Much of the paint is gone from the pips of pip dice.")
@click.option(
    "--clear", "are_clear", is_flag=True, help="Dice with pips and numbers are of clear or speckled plastic."
)
@click.option("--others", type=click.IntRange(0, 12), default=0, help="Most dice of other games that lie there, too.")
@click.option(
    "--aslant",
    type=click.FloatRange(0, 80),
    nargs=2,
    metavar="LEAST MOST",
    help="Degrees by which the camera leans.  [it hangs above]",
)
@click.option(
    "--fonts", type=click.Path(exists=True, path_type=Path), multiple=True, help="A TrueType file for numbers."
)
def main(
    out: Path,
    count: int,
    seed: int,
    floor: str,
    kinds: str,
    mixed: bool,
    condition: str,
    most: int,
    are_round: bool,
    are_worn: bool,
    are_clear: bool,
    others: int,
    aslant: tuple[float, float] | None,
    fonts: tuple[Path, ...],
) -> None:
    """Draws COUNT labelled pictures of dice into the folder OUT."""
    chosen = tuple(filter(None, kinds.split(","))) or tuple(KINDS)
    for kind in chosen:
        if kind not in KINDS:
            raise click.BadParameter(
                f"no kind of die is called {kind!r}: choose from {', '.join(KINDS)}", param_hint="--kinds"
            )
    makers = ((are_round, any_round_die), (are_worn, any_worn_die), (are_clear, any_clear_die))
    makes = [make for is_asked, make in makers if is_asked] or [any_die]
    if len(makes) > 1:
        raise click.UsageError("dice are drawn --round, --worn or --clear: name one of them")
    if aslant and aslant[0] > aslant[1]:
        raise click.BadParameter("the least is more than the most: name it first", param_hint="--aslant")
    for font in fonts:
        if not has_figures(font):
            raise click.BadParameter(f"{font} has no figures 0 to 9: leave it out", param_hint="--fonts")
    out.mkdir(parents=True, exist_ok=True)
    with (out / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for number in range(count):
            rng = np.random.default_rng([seed, number])
            lying = chosen if mixed else (str(rng.choice(list(chosen))),)
            under = str(rng.choice([f for f in FLOORS if f != "mat"])) if floor == "any" else floor
            drawn = picture(
                rng,
                under,
                lying,
                None if condition == "any" else condition,
                most,
                fonts,
                make=makes[0],
                most_others=others,
                aslant_deg=aslant,
            )
            name = f"s{number:05d}.jpg"
            cv2.imwrite(str(out / name), drawn.pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            labels.write(json.dumps({"image": name, "source": "rendered", **drawn.label}) + "\n")


if __name__ == "__main__":
    main()
