"""The Python packages: the right versions, and no mix of the system's and pip's."""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distributions, version
from importlib.util import find_spec
from pathlib import Path

from device.doctor.finding import Finding, Level
from device.doctor.machine import Machine

_OPENCV_FROM, _OPENCV_BELOW = (4, 10), (5, 1)
_NUMPY = 2

_AGAIN = "Install it again as docs/install.md says; pip must not bring its own numpy or OpenCV on a Pi."


def check_packages(machine: Machine) -> Iterator[Finding]:
    """numpy and OpenCV; on a Pi also picamera2 and gpiozero, which come from the system there."""
    opencv = _opencv_version()
    names = sorted({str(d.metadata["Name"]).lower() for d in distributions()} & _OPENCV_NAMES)
    if opencv is None or not _OPENCV_FROM <= opencv < _OPENCV_BELOW:
        shown = "none" if opencv is None else ".".join(map(str, opencv))
        yield Finding("packages", Level.ISSUE, f"OpenCV is {shown}; 4.10 to 5.0 is needed.", _AGAIN)
    elif len(names) > 1:
        text = f"{' and '.join(names)} are both installed and overwrite one another."
        yield Finding("packages", Level.WARNING, text, f"Remove one: pip uninstall {names[0]}")
    numpy = version("numpy")
    if int(numpy.split(".")[0]) != _NUMPY:
        yield Finding("packages", Level.ISSUE, f"numpy is {numpy}; version 2 is needed.", _AGAIN)
    elif opencv is not None:
        shown = ".".join(map(str, opencv))
        yield Finding("packages", Level.OK, f"OpenCV {shown} and numpy {numpy} are what is needed.")
    if machine.model is not None:
        yield from _system_packages()


_OPENCV_NAMES = {"opencv-python", "opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless"}


def _opencv_version() -> tuple[int, ...] | None:
    try:
        import cv2
    except ImportError:
        return None
    return tuple(int(part) for part in cv2.__version__.split(".")[:2] if part.isdigit())


def _system_packages() -> Iterator[Finding]:
    for name in ("picamera2", "gpiozero", "lgpio"):
        if find_spec(name) is None:
            to_do = f"sudo apt install --no-install-recommends python3-{name}"
            yield Finding("packages", Level.ISSUE, f"{name} is missing.", to_do)
    places = {name: _place(name) for name in ("picamera2", "numpy", "cv2")}
    if places["picamera2"] is not None and len({place for place in places.values() if place}) > 1:
        text = "numpy, OpenCV and picamera2 come from different places, and picamera2 breaks by that."
        yield Finding("packages", Level.ISSUE, text, _AGAIN)


def _place(name: str) -> Path | None:
    spec = find_spec(name)
    return Path(spec.origin).parents[1] if spec is not None and spec.origin is not None else None


def program_version() -> str:
    """Croupier's own version."""
    try:
        return version("croupier")
    except PackageNotFoundError:
        return "unknown"
