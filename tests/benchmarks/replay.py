"""What ``croupier replay`` says of the repository's own recordings: dice right, wrong and left, games as expected."""

import subprocess
import sys
from pathlib import Path

RECORDINGS = Path(__file__).parent.parent / "recordings"


def main(short: bool) -> str:
    """The report, as it is printed; in short without the filmed game."""
    folders = sorted(path.parent for path in RECORDINGS.glob("*/recording.toml"))
    chosen = [folder for folder in folders if not short or not (folder / "actions.jsonl").exists()]
    names = [str(folder.relative_to(RECORDINGS.parent.parent)) for folder in chosen]
    run = subprocess.run(
        [sys.executable, "-m", "device", "replay", *names],
        capture_output=True,
        text=True,
        cwd=RECORDINGS.parent.parent,
    )
    if run.returncode:
        raise RuntimeError(f"croupier replay exited with {run.returncode}: {run.stderr.strip()}")
    return f"All of them rendered. `croupier replay tests/recordings/*/` says:\n\n```\n{run.stdout.strip()}\n```"


if __name__ == "__main__":
    print(main(short=False))
