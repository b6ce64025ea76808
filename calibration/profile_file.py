"""A profile as a file: readable JSON with its units, its version, its date, and what it was measured on.

Everything that a person may want to look at is a plain figure; only the picture of the empty tray is packed (JPEG,
base64). ``read_profile`` takes any version up to this one and refuses what it cannot be sure of with one line.
"""

import base64
import binascii
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.picture_header import size_in_header
from vision.camera import Camera
from vision.profile import Profile
from vision.reading import Pixels

VERSION = 2
"""Version 1 had no ``light`` and no ``settings``, and gave the pose as ``rotation`` and ``translation``."""

MOST_BYTES = 4_000_000
"""Of a file: ten times what an empty tray of 1640 x 1232 px takes."""

UNITS = {"length": "mm", "angle": "rad", "picture": "px", "time": "s", "light": "linear, 0 to 1, blue green red"}
_FORMAT = "croupier profile"
_SIDES_PX = (32, 10_000)
_JPEG_QUALITY = 92

JsonObject = dict[str, Any]


class ProfileError(ValueError):
    """A profile that cannot be used; the message is one line that says why."""


@dataclass(frozen=True)
class MeasuredProfile:
    """A profile and where it comes from.

    ``created`` is an ISO 8601 time, ``measured_on`` names the pictures by step, ``pose_from`` is ``"mat"``,
    ``"markers"``, ``"dice"`` or ``"assumed"``, ``lens_error_px`` the reprojection error of a measured lens (None: an
    assumed one), ``settings`` what the camera was set to (``exposure_s``, ``gain``, ``white_balance``, ``focus``).
    """

    profile: Profile
    created: str
    measured_on: Mapping[str, tuple[str, ...]]
    pose_from: str
    lens_error_px: float | None = None
    settings: Mapping[str, float | tuple[float, ...]] = field(default_factory=dict)


def write_profile(measured: MeasuredProfile) -> str:
    """The file's text."""
    profile = measured.profile
    camera = profile.camera
    content = {
        "format": _FORMAT,
        "version": VERSION,
        "created": measured.created,
        "units": UNITS,
        "measured_on": {step: list(names) for step, names in measured.measured_on.items()},
        "camera": {"width": profile.size_px[0], "height": profile.size_px[1], "settings": _plain(measured.settings)},
        "lens": {
            "focal": round(float(camera.matrix[0, 0]), 3),
            "middle": [round(float(v), 3) for v in camera.matrix[:2, 2]],
            "distortion": [round(float(v), 6) for v in np.ravel(camera.distortion)],
            "error": None if measured.lens_error_px is None else round(measured.lens_error_px, 3),
        },
        "pose": {
            "from": measured.pose_from,
            "has_scale": profile.has_scale,
            "rotation": [round(float(v), 7) for v in np.ravel(camera.rotation)],
            "translation": [round(float(v), 4) for v in np.ravel(camera.translation)],
            "error": round(camera.error_px, 3),
        },
        "light": {"white": None if profile.white is None else [round(v, 5) for v in profile.white]},
        "empty_tray": None if profile.empty is None else {"jpeg_base64": _packed(profile.empty)},
    }
    return json.dumps(content, indent=1) + "\n"


def load_profile(path: Path) -> MeasuredProfile:
    """The profile in a file; raises ``ProfileError`` naming the file."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ProfileError(f"{path}: cannot be read ({error.strerror})") from None
    if len(content) > MOST_BYTES:
        raise ProfileError(f"{path}: larger than {MOST_BYTES // 1_000_000} MB, which no profile is")
    try:
        return read_profile(content)
    except ProfileError as error:
        raise ProfileError(f"{path}: {error}") from None


def read_profile(content: bytes) -> MeasuredProfile:
    """The profile in a file's bytes, an older version brought up to this one. Raises ``ProfileError``."""
    try:
        whole = json.loads(content.decode("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise ProfileError("not readable as JSON") from None
    if not isinstance(whole, dict) or whole.get("format") != _FORMAT:
        raise ProfileError(f'not a profile: it does not say "format": "{_FORMAT}"')
    version = whole.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise ProfileError("its version is no whole number")
    if version > VERSION:
        raise ProfileError(f"made by a newer Croupier (version {version}; this one reads up to {VERSION}): update it")
    for older in range(version, VERSION):
        whole = _MIGRATIONS[older](whole)
    try:
        return _checked(whole)
    except ProfileError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        raise ProfileError("a part of it is missing or of the wrong type; calibrate again") from None


def empty_tray_jpeg(content: bytes) -> bytes | None:
    """The picture of the empty tray in a profile's bytes, as a JPEG; None of the mat. Raises ``ProfileError``."""
    if read_profile(content).profile.empty is None:
        return None
    return base64.b64decode(json.loads(content)["empty_tray"]["jpeg_base64"])


def _from_1(old: JsonObject) -> JsonObject:
    """Version 2 has the light, the camera's settings, and says where the pose comes from."""
    pose = old.get("pose")
    camera = old.get("camera")
    if not isinstance(pose, dict) or not isinstance(camera, dict):
        raise ProfileError("a part of it is missing or of the wrong type; calibrate again")
    return {
        **old,
        "version": 2,
        "camera": {**camera, "settings": {}},
        "pose": {"from": "markers" if pose.get("has_scale") else "assumed", **pose},
        "light": {"white": None},
    }


_MIGRATIONS: Mapping[int, Callable[[JsonObject], JsonObject]] = {1: _from_1}


def _checked(whole: JsonObject) -> MeasuredProfile:
    size = (_side(whole["camera"]["width"]), _side(whole["camera"]["height"]))
    lens, pose = whole["lens"], whole["pose"]
    focal, (u, v) = _number(lens["focal"], 10, 1e5), _numbers(lens["middle"], 2)
    matrix = np.array([[focal, 0, u], [0, focal, v], [0, 0, 1]], np.float64)
    rotation, translation = (np.array(_numbers(pose[key], 3)) for key in ("rotation", "translation"))
    error = _number(pose["error"], 0, 1e4)
    camera = Camera(matrix, np.array(_numbers(lens["distortion"], 5)), rotation, translation, error)
    if not 20 < camera.height_mm < 5000:
        raise ProfileError("its camera does not look down on the tray; calibrate again")
    white = whole["light"]["white"]
    light = None if white is None else tuple(_number(value, 0.001, 10) for value in _numbers(white, 3))
    if not isinstance(pose["has_scale"], bool) or pose["from"] not in ("mat", "markers", "dice", "assumed"):
        raise ProfileError("its pose does not say where it comes from; calibrate again")
    empty = None if whole["empty_tray"] is None else _unpacked(whole["empty_tray"]["jpeg_base64"], size)
    profile = Profile(size, camera, pose["has_scale"], empty, light)  # type: ignore[arg-type]
    measured_on = {str(step): tuple(str(name) for name in names) for step, names in whole["measured_on"].items()}
    settings = {
        str(key): tuple(_numbers(value, len(value))) if isinstance(value, list) else _number(value, -1e9, 1e9)
        for key, value in whole["camera"]["settings"].items()
    }
    lens_error = None if lens["error"] is None else _number(lens["error"], 0, 1e4)
    return MeasuredProfile(profile, str(whole["created"]), measured_on, pose["from"], lens_error, settings)


def _side(value: Any) -> int:
    return int(_number(value, *_SIDES_PX))


def _number(value: Any, least: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    if not (math.isfinite(value) and least <= value <= most):
        raise ProfileError(f"{value} is not between {least:g} and {most:g}; calibrate again")
    return float(value)


def _numbers(values: Any, count: int) -> list[float]:
    if not isinstance(values, list) or len(values) != count:
        raise TypeError
    return [_number(value, -1e6, 1e6) for value in values]


def _plain(settings: Mapping[str, float | tuple[float, ...]]) -> JsonObject:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in settings.items()}


def _packed(picture: Pixels) -> str:
    coded, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    if not coded:
        raise ProfileError("the picture of the empty tray cannot be stored")
    return base64.b64encode(data.tobytes()).decode("ascii")


def _unpacked(text: Any, size: tuple[int, int]) -> Pixels:
    try:
        data = np.frombuffer(base64.b64decode(text, validate=True), np.uint8)
        # What says that it has another size is not decoded at all.
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if size_in_header(data.tobytes()) == size else None
    except (binascii.Error, cv2.error):
        picture = None
    if picture is None or picture.shape[1::-1] != size:
        raise ProfileError("its picture of the empty tray cannot be read or has another size; calibrate again")
    return np.asarray(picture, np.uint8)
