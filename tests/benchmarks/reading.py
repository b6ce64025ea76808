"""How fast and how well pictures are read: ``python -m tests.benchmarks reading``.

Times are processor time of one core (OpenCV's threads off), the median of several runs, and compare between machines
by the ratios: the reference is ``cv2.imdecode`` of the same picture in the same run. Rates are counted on the
repository's own stills, with a 95 % bound (Clopper-Pearson's, by bisection) on what is wrong. Memory is the peak that
the system gives for a process of ``croupier read`` of its own.
"""

import math
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from calibration.synthesis import scene
from device.recording import Recording
from device.recording_folder import load_recording
from device.trained import trained_reader
from vision.dice import PIP_DIE
from vision.reading import Pixels

RECORDINGS = Path(__file__).parent.parent / "recordings"
NEAR_SHARE = 0.5  # of a die's width within which a reading belongs to a label


class Timed(NamedTuple):
    """One picture to be timed: what lies in it, the file, and what is awaited."""

    what: str
    path: Path
    kinds: tuple[str, ...]


PICTURES = (
    Timed("empty mat", RECORDINGS / "chance-cubes-stills/frames/d0036.jpg", ("chance-cube",)),
    Timed("three chance cubes", RECORDINGS / "chance-cubes-stills/frames/d0054.jpg", ("chance-cube",)),
    Timed("six RIG dice", RECORDINGS / "rig-dice-tidy/frames/d0040.jpg", ("rig-die",)),
    Timed("eight action dice", RECORDINGS / "action-dice-tidy/frames/d0046.jpg", ("action-die",)),
)

READS = """
import sys
from pathlib import Path
from device.cli import main
try:
    main(["read", sys.argv[1]])
finally:
    sys.stderr.write("\\n" + Path("/proc/self/status").read_text())
    raise SystemExit(0)
"""
"""Reads a picture, and says what the system counted; ``getrusage`` would count the process that started it, too."""

SEED = 517_306_449
"""Of pictures that nothing else draws."""

ON_A_TABLE = {"eight dice on a table": None, "eight dice on a table, aslant": (35.0, 40.0)}
"""What is drawn, and how far the camera leans, degrees."""


def main(short: bool) -> str:
    """Measure, and return the section of the report."""
    cv2.setNumThreads(1)
    runs = 5 if short else 25
    return "\n\n".join([_times(runs), _memory(), _rates()])


def _times(runs: int) -> str:
    lines = [
        "| picture | size | decode | first frame | next frames | next / decode |",
        "|---|---|---|---|---|---|",
    ]
    for picture in PICTURES:
        data = np.frombuffer(picture.path.read_bytes(), np.uint8)
        frame: Pixels = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        decode = _median_ms(lambda data=data: cv2.imdecode(data, cv2.IMREAD_COLOR), runs)
        fresh = [trained_reader() for _ in range(runs + 1)]
        first = _median_ms(lambda fresh=fresh, frame=frame, kinds=picture.kinds: fresh.pop().read(frame, kinds), runs)
        kept = trained_reader()
        again = _median_ms(lambda kept=kept, frame=frame, kinds=picture.kinds: kept.read(frame, kinds), runs)
        size = f"{frame.shape[1]} x {frame.shape[0]}"
        lines.append(
            f"| {picture.what} | {size} | {decode:.1f} ms | {first:.1f} ms ({first / decode:.1f}) | {again:.1f} ms "
            f"| {again / decode:.1f} |"
        )
    return "\n".join(lines)


def _median_ms(task: Callable[[], object], runs: int) -> float:
    task()
    times = []
    for _ in range(runs):
        start = time.process_time()
        task()
        times.append(time.process_time() - start)
    return float(np.median(times)) * 1e3


def _memory() -> str:
    lines = ["| picture | size | peak memory of `croupier read` |", "|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        pictures = {timed.what: timed.path for timed in PICTURES}
        for number, (what, aslant_deg) in enumerate(ON_A_TABLE.items()):
            pictures[what] = Path(folder) / f"{number}.png"
            cv2.imwrite(str(pictures[what]), _eight_on_a_table(number, aslant_deg))
        for what, path in pictures.items():
            height, width = cv2.imread(str(path)).shape[:2]
            lines.append(f"| {what} | {width} x {height} | {_peak_mb(path):.0f} MB |")
    return "\n".join(lines)


def _eight_on_a_table(number: int, aslant_deg: tuple[float, float] | None) -> Pixels:
    """A drawn picture of eight pip dice."""
    rng = np.random.default_rng([SEED, number])
    while len((drawn := scene.picture(rng, "wood", (PIP_DIE,), "clean", aslant_deg=aslant_deg)).label["dice"]) != 8:
        pass
    return np.asarray(drawn.pixels, np.uint8)


def _peak_mb(path: Path) -> float:
    """The most memory that a process takes which reads one picture."""
    told = subprocess.run([sys.executable, "-c", READS, str(path)], capture_output=True, text=True, check=True).stderr
    return int(next(line.split()[1] for line in told.splitlines() if line.startswith("VmHWM"))) / 1024


def _rates() -> str:
    lines = ["| stills | dice | right | wrong | left unread | wrong at most (95 %) |", "|---|---|---|---|---|---|"]
    total: Counter[str] = Counter()
    for folder in sorted(path.parent for path in RECORDINGS.glob("*/recording.toml")):
        recording = load_recording(folder)
        if recording.is_game:
            continue
        counts = _count(recording)
        total += counts
        lines.append(_rate_line(folder.name, counts))
    lines.append(_rate_line("together", total))
    return "\n".join(lines)


def _count(recording: Recording) -> Counter[str]:
    counts: Counter[str] = Counter()
    for frame in recording.frames:
        labels = frame.dice or ()
        kinds = recording.kinds or {str(label["kind"]) for label in labels}
        truth = [label for label in labels if label.get("readable", True)]
        counts["dice"] += len(truth)
        for die in trained_reader().read(recording.pixels(frame), kinds).dice:
            reach = NEAR_SHARE * math.dist(die.outline_px[0], die.outline_px[1])
            near = [label for label in truth if math.dist(label["center_px"], die.center_px) <= reach]
            same = bool(near) and (near[0]["kind"], near[0]["face"]) == (die.kind, die.face)
            counts["right" if same else "wrong"] += 1
    counts["left"] = counts["dice"] - counts["right"]
    return counts


def _rate_line(name: str, counts: Counter[str]) -> str:
    dice = counts["dice"]
    bound = f"{100 * most_wrong(counts['wrong'], dice):.1f} %"
    return f"| {name} | {dice} | {counts['right']} | {counts['wrong']} | {counts['left']} | {bound} |"


def most_wrong(wrong: int, dice: int) -> float:
    """The rate up to which seeing so few wrong ones among so many dice is not yet unlikely (one-sided, 95 %).

    >>> round(most_wrong(0, 100), 3), round(most_wrong(1, 100), 3)
    (0.03, 0.047)
    """
    low, high = 0.0, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        seen_so_few = sum(
            math.comb(dice, k) * rate**k * (1 - rate) ** (dice - k) for k in range(min(wrong, dice) + 1)
        )
        low, high = (rate, high) if seen_so_few > 0.05 else (low, rate)
    return low
