"""From light on a sensor to a JPEG: lens blur, vignette, exposure, white balance, noise, tone, sharpening."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
Picture = NDArray[Any]
Pixels = NDArray[Any]


@dataclass(frozen=True)
class Sensor:
    """One camera's way of seeing, as it was set for one picture.

    ``gains`` (B, G, R) is its white balance and exposure; ``full_well`` the electrons of a white pixel (fewer: more
    noise); ``defocus_px`` and ``motion_px`` blur, ``vignette`` the loss in the corners, ``contrast`` an S-curve,
    ``mixing`` (3x3) how its colour filters overlap.
    """

    gains: tuple[float, float, float]
    full_well: float
    read_noise: float
    defocus_px: float
    motion_px: float
    motion_deg: float
    vignette: float
    contrast: float
    sharpen: float
    smooth: float
    quality: int
    mixing: tuple[tuple[float, float, float], ...]

    def expose(
        self,
        light: Picture,
        rng: np.random.Generator,
        centre_px: tuple[float, float] | None = None,
        reach_px: float = 800.0,
    ) -> Pixels:
        """The picture (uint8, H x W x 3, BGR) of linear ``light`` (float32, same shape), through JPEG and back.

        ``centre_px`` is where the lens' axis meets the picture, ``reach_px`` half the full picture's diagonal: a
        cut-out keeps its vignette.
        """
        height, width = light.shape[:2]
        if self.defocus_px > 0.05:
            light = np.asarray(cv2.GaussianBlur(light, (0, 0), self.defocus_px))
        if self.motion_px > 0.7:
            light = np.asarray(cv2.filter2D(light, -1, _streak(self.motion_px, self.motion_deg)))
        u, v = centre_px or (width / 2, height / 2)
        x = (np.arange(width, dtype=np.float32) - u) / reach_px
        y = (np.arange(height, dtype=np.float32) - v) / reach_px
        fall = 1 / (1 + self.vignette * (x[None] ** 2 + y[:, None] ** 2)) ** 2
        seen = cv2.transform(light, np.asarray(self.mixing, np.float32)) * fall[..., None].astype(np.float32)
        seen *= np.asarray(self.gains, np.float32)
        noise = rng.standard_normal(seen.shape, dtype=np.float32)
        gain = max(self.gains)
        noise *= np.sqrt(
            np.maximum(seen, 0) * (gain / self.full_well) + (self.read_noise * gain / self.full_well) ** 2
        )
        if self.smooth > 0.05:
            noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), 0.35 + 0.5 * self.smooth), np.float32)
        return self._develop(seen + noise)

    def _develop(self, seen: Picture) -> Pixels:
        picture = _curve(self.contrast)[np.clip(seen * 4095, 0, 4095).astype(np.uint16)]
        if self.sharpen > 0.02:
            soft = cv2.GaussianBlur(picture, (0, 0), 1.1)
            picture = cv2.addWeighted(picture, 1 + self.sharpen, soft, -self.sharpen, 0)
        if self.smooth > 0.4:
            picture = cv2.bilateralFilter(picture, 3, 18 * self.smooth, 2)
        ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        if not ok:
            raise RuntimeError("OpenCV could not write a JPEG")
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    def described(self) -> dict[str, Any]:
        """Every setting, rounded, for a label."""
        return {k: round(v, 3) if isinstance(v, float) else v for k, v in asdict(self).items() if k != "mixing"}


def _curve(contrast: float) -> NDArray[np.uint8]:
    linear = np.arange(4096) / 4095
    value = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    value = value + contrast * 0.5 * (value * value * (3 - 2 * value) - value)
    return np.asarray(np.round(np.clip(value, 0, 1) * 255), np.uint8)


def _streak(length_px: float, turn_deg: float) -> Picture:
    size = 2 * int(np.ceil(length_px / 2)) + 3
    kernel = np.zeros((size * 8, size * 8), np.uint8)
    a = np.deg2rad(turn_deg)
    step = np.array([np.cos(a), np.sin(a)]) * length_px * 4
    middle = size * 4
    cv2.line(
        kernel,
        tuple(np.round(middle - step).astype(int).tolist()),
        tuple(np.round(middle + step).astype(int).tolist()),
        255,
        8,
        cv2.LINE_AA,
    )
    small = cv2.resize(kernel, (size, size), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(small / small.sum(), np.float32)


def any_sensor(
    rng: np.random.Generator, white: Floats, mean: float, *, hard: float = 0.3, balance: str = "auto"
) -> Sensor:
    """A sensor set for a scene whose white paper looks ``white`` (linear B, G, R) and whose mean is ``mean``.

    ``hard`` 0 to 1 widens blur, noise and exposure; ``balance`` "auto" comes close to neutral, "fixed" keeps the
    light's own colour (a warm or cool picture), "none" is anything.
    """
    neutral = 1 / np.asarray(white, float)
    if balance == "auto":
        tint = rng.normal(0, 0.05, 3)
    elif balance == "fixed":
        tint = np.array([-1, 0, 1]) * rng.normal(0, 0.35) + rng.normal(0, 0.04, 3)
    else:
        tint = rng.normal(0, 0.2, 3)
    aim = rng.uniform(0.2, 0.62) ** 2.2  # a camera's meter aims at a mid grey, more or less
    metered = aim / max(mean * float(neutral.mean()), 1e-3)
    exposure = metered if rng.random() < 0.5 else rng.uniform(0.35, 0.95)
    exposure = float(np.clip(exposure, 0.25, 1.6))
    dim = rng.random() < 0.08 + 0.15 * hard
    full_well = rng.uniform(180, 700) if dim else rng.uniform(1000, 4000)
    if dim:
        exposure *= rng.uniform(0.3, 1.0)
    gains = neutral * np.exp(tint) * exposure
    leak = rng.uniform(-0.06, 0.08)
    mixing = np.eye(3) * (1 - 2 * leak) + leak * (1 - np.eye(3)) + rng.normal(0, 0.012, (3, 3))
    mixing /= mixing.sum(1, keepdims=True)
    return Sensor(
        (float(gains[0]), float(gains[1]), float(gains[2])),
        float(full_well),
        float(rng.uniform(2, 8)),
        float(abs(rng.normal(0.5, 0.4 + 0.5 * hard))),
        float(rng.uniform(1, 5)) if rng.random() < 0.08 * hard else 0.0,
        float(rng.uniform(0, 180)),
        float(rng.uniform(0.05, 0.4)),
        float(rng.uniform(-0.1, 0.4)),
        float(rng.uniform(0, 0.9)),
        float(rng.uniform(0, 0.8)),
        int(rng.integers(55 if rng.random() < 0.3 * hard else 80, 96)),
        tuple((float(b), float(g), float(r)) for b, g, r in mixing),
    )


def still(sensor: Sensor) -> Sensor:
    """The same sensor without blur, noise and JPEG's losses: what it would see at its best."""
    return replace(sensor, defocus_px=0.0, motion_px=0.0, full_well=1e9, sharpen=0.0, smooth=0.0, quality=100)
