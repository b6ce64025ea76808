"""``python -m device`` is ``croupier``, where the console script is not on the path."""

from device.cli import main

main(prog_name="croupier")
