"""The tests, and beside them the benchmarks."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as ``croupier`` does; NumPy reads it when it is loaded
