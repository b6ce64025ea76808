"""The empty tray of a profile: what stands out from it in a frame, as ``vision.stand_out`` says it of the mat.

The floor may be felt, wood or cloth, so that neither its colour nor its pattern is known beforehand: the frame is
compared place by place with the picture of the empty tray, once the change of the light since then is taken out.
Where nothing stands out the pattern is divided away, and what remains is a plain floor under white light, on which
dice are fitted and read as they are on the mat.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.floor import CELL_PX, FLOOR_LINEAR, VIEW_MM, VIEW_PX_PER_MM, Floor, Linear, to_linear, view_mm
from vision.patches import encode
from vision.profile import Profile, moved_origin
from vision.reading import Floats, Pixels
from vision.stand_out import Blob, Evidence, Mask, find_blobs, tensor_field

_MOST_MM = 480.0  # of a side of what is looked at: a camera 45 cm up sees no more of its tray sharply
_GRID_PX = 8  # of the coarse lookup grid
_ORDER = 2  # of the polynomial in x and y that the light is; a floor's own pattern needs more and must not enter
_BLUR_PX = 0.8
_SMOOTH_PX = 25.0

# Relative to the empty floor at the same place, light of the frame and of the empty picture made alike.
_BLACK = 0.20
_BRIGHT = 1.35
_TINT = 0.14  # of the brightest channel (sRGB): what lamps and dice of another colour tint a shadow
_CHROMA = 0.5  # as in vision.upright
_DARKEST = 0.13
_BRIGHTEST = 1.6
_LEAST_LEVELS = 12.0  # sRGB levels by which a frame differs from noise and from JPEG's losses
_LEAST_NOISES = 6.0  # the same in medians of what an empty floor differs from itself
_BESIDE = 1.0
_LEAST_SPECK_MM2 = 6.0
_BURNT = 0.97  # of the linear value: what a channel has where the camera can show no more
_OTHER_LAMPS = 1.12
"""By how many times one channel changes more than another where the lamps' colour does: in 32 drawn trays with twelve
dice and as much light as when they were empty, half of it or twice as much, at most 1.10."""
_LEAST_OF_LAMP = 0.3  # of a channel; lamps of 2500 K leave 0.39 of blue, and a floor without any tells nothing of it
_CHANGED = 0.5  # how far what has changed, and may be a shadow, counts as standing out


@dataclass(frozen=True)
class TrayView:
    """The tray from above: the lookup tables for one pose, ``size`` (width, height) in view pixels.

    ``camera`` counts millimetres so that ``vision.floor.view_px`` holds: the view's first corner is ``VIEW_MM``'s.
    ``origin_mm`` (2) is where its origin lies in the profile's own; ``seen`` is 255 where the camera's
    picture reaches.
    """

    camera: Camera
    origin_mm: Floats
    size: tuple[int, int]
    fine: npt.NDArray[np.int16]
    rest: npt.NDArray[np.uint16]
    seen: Mask

    @staticmethod
    def of(camera: Camera, size_px: tuple[int, int]) -> "TrayView":
        """The view of all that this camera sees of the floor, up to 48 cm a side about its middle."""
        width_px, height_px = size_px
        edge = np.linspace(0, 1, 9)
        border = np.concatenate(
            [np.column_stack(pair) for at in (0.0, 1.0) for pair in ((edge, np.full(9, at)), (np.full(9, at), edge))]
        )
        ground = camera.ground(border * np.array([width_px - 1, height_px - 1]))
        middle = camera.ground(np.array([[(width_px - 1) / 2, (height_px - 1) / 2]]))[0]
        low = np.maximum(ground.min(axis=0), middle - _MOST_MM / 2)
        high = np.minimum(ground.max(axis=0), middle + _MOST_MM / 2)
        origin = low - np.array(VIEW_MM[:2])
        camera = moved_origin(camera, origin)
        columns, rows = (int(v) for v in np.ceil((high - low) * VIEW_PX_PER_MM / CELL_PX) * CELL_PX)
        nodes = np.stack(
            np.meshgrid(np.arange(0.0, columns + _GRID_PX, _GRID_PX), np.arange(0.0, rows + _GRID_PX, _GRID_PX)), -1
        )
        seen = camera.project(view_mm(nodes.reshape(-1, 2))).reshape(nodes.shape).astype(np.float32)
        shrink = np.array([[1 / _GRID_PX, 0, 0], [0, 1 / _GRID_PX, 0]], np.float32)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        full = cv2.warpAffine(seen, shrink, (columns, rows), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        inside = (full >= 0).all(-1) & (full <= np.array([width_px - 1, height_px - 1], np.float32)).all(-1)
        fine, rest = cv2.convertMaps(full[..., 0].copy(), full[..., 1].copy(), cv2.CV_16SC2)
        mask: Mask = np.where(inside, 255, 0).astype(np.uint8)
        return TrayView(
            camera, origin, (columns, rows), np.asarray(fine, np.int16), np.asarray(rest, np.uint16), mask
        )

    def draw(self, frame: Pixels) -> Pixels:
        """The view of a frame (uint8 BGR); beyond the picture its border goes on."""
        drawn = cv2.remap(frame, self.fine, self.rest, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(drawn, np.uint8)


@dataclass(frozen=True)
class TrayEvidence:
    """What a frame shows of a tray whose empty floor is known.

    ``places`` are where anything has changed, dark dice with their shadows: where dice are to be looked for.
    ``matter`` (uint8, 255) is the part of the evidence's mask that is no shade and no coloured light of the floor.
    """

    evidence: Evidence
    places: tuple[Blob, ...]
    matter: Mask


class EmptyTray:
    """A profile's empty tray, ready to be compared with frames."""

    def __init__(self, profile: Profile) -> None:
        if profile.empty is None:
            raise ValueError("this profile has no picture of the empty tray")
        self.view = TrayView.of(profile.camera, profile.size_px)
        self._white = profile.white
        self._empty = _linear(self.view.draw(profile.empty))
        self._smooth = np.asarray(cv2.GaussianBlur(self._empty, (0, 0), _SMOOTH_PX), np.float32)

    @property
    def camera(self) -> Camera:
        """The camera in the view's millimetres."""
        return self.view.camera

    def find_what_stands_out(self, frame: Pixels) -> "TrayEvidence":
        """Compare a frame of the same camera with the empty tray."""
        view = self.view.draw(frame)
        light = _linear(view)
        change = _change_of_light(light, self._empty, self.view.seen)
        expected = self._empty * change
        mask, changed, matter = _compare(light, expected, self.view.seen)
        white = self._white_of(light, mask, change)
        pattern = self._smooth * change / np.maximum(expected, 1e-4)
        near = cv2.GaussianBlur(cv2.dilate(changed, np.ones((7, 7), np.uint8)), (0, 0), 1.0).astype(np.float32) / 255
        plain = light * (near[..., None] + (1 - near[..., None]) * np.clip(pattern, 0.25, 4.0))
        quiet = np.rint(encode(plain) * 255).astype(np.uint8)
        floor = Floor(white, np.ones(3), 0.0)
        places = find_blobs(changed)
        soft = np.maximum(mask, np.minimum(changed, np.uint8(255 * _CHANGED)))
        field = tensor_field(quiet, floor, soft, places)
        return TrayEvidence(Evidence(quiet, floor, mask, find_blobs(mask), field), places, mask & matter)

    def _white_of(self, light: Linear, mask: Mask, change: Linear) -> Linear:
        """The light that the mat's grey would send, for each cell of the view."""
        rows, columns = light.shape[0] // CELL_PX, light.shape[1] // CELL_PX
        shape = _polynomial(np.log(np.maximum(self._smooth.mean(axis=-1), 1e-4)), self.view.seen)
        size = (columns, rows)
        spread = cv2.resize(np.exp(shape - np.median(shape)).astype(np.float32), size, interpolation=cv2.INTER_AREA)
        if self._white is None:
            lamp = self._change_of_color(light, mask)
            things = light[mask > 0] / lamp
            brightest = float(np.percentile(things.max(axis=1), 99)) if len(things) > 50 else 0.6
            cells = spread[..., None] * lamp * np.clip(brightest, 0.35, 1.0)
        else:
            cells = spread[..., None] * np.array(self._white) * cv2.resize(change, size, interpolation=cv2.INTER_AREA)
        return np.asarray(np.clip(cells, 0.02, 1.5) * FLOOR_LINEAR, np.float32)

    def _change_of_color(self, light: Linear, mask: Mask) -> Linear:
        """By how much more each channel has changed than all together since the empty picture: (3,), 1 on average."""
        floor = (mask == 0) & (self.view.seen > 0)
        if not floor.any():
            return np.ones(3, np.float32)
        change = light[floor].sum(axis=0) / np.maximum(self._empty[floor].sum(axis=0), 1e-4)
        if change.max() < _OTHER_LAMPS * change.min():
            return np.ones(3, np.float32)
        return np.asarray(np.maximum(change / change.mean(), _LEAST_OF_LAMP), np.float32)


def _linear(view: Pixels) -> Linear:
    return to_linear(np.asarray(cv2.GaussianBlur(view, (0, 0), _BLUR_PX), np.uint8))


def _polynomial(values: npt.NDArray[np.floating], seen: Mask) -> Floats:
    """The smooth surface through values (h, w), outliers left aside: the same shape."""
    return _surface(values[..., None].astype(np.float64), seen)[..., 0]


def _surface(values: Floats, seen: Mask) -> Floats:
    height, width = values.shape[:2]
    step = CELL_PX
    rows, columns = np.arange(step // 2, height, step), np.arange(step // 2, width, step)
    across, down = np.meshgrid(columns / width * 2 - 1, rows / height * 2 - 1)
    powers = [(i, j) for i in range(_ORDER + 1) for j in range(_ORDER + 1 - i)]
    usable = (seen[rows[:, None], columns[None]] > 0).ravel()
    basis = np.stack([across.ravel() ** i * down.ravel() ** j for i, j in powers], axis=1)[usable]
    target = values[rows[:, None], columns[None]].reshape(-1, values.shape[2])[usable]
    off = target - np.median(target, axis=0)
    solution = np.zeros((len(powers), values.shape[2]))
    ridge = 1e-3 * np.eye(len(powers))
    ridge[0, 0] = 0
    for scale in (0.5, 0.3, 0.2, 0.12, 0.08):
        weights = 1 / (1 + (np.abs(off).max(axis=1) / scale) ** 2) ** 2
        weighted = basis * weights[:, None]
        solution = np.linalg.solve(weighted.T @ basis + ridge, weighted.T @ target)
        off = target - basis @ solution
    x, y = np.meshgrid(np.arange(width) / width * 2 - 1, np.arange(height) / height * 2 - 1)
    return np.asarray(sum((x**i * y**j)[..., None] * solution[k] for k, (i, j) in enumerate(powers)), np.float64)


def _change_of_light(light: Linear, empty: Linear, seen: Mask) -> Linear:
    """By which factor the light of each place and channel has changed since the empty picture: (h, w, 3)."""
    size = (light.shape[1] // CELL_PX * 3, light.shape[0] // CELL_PX * 3)
    now, then = (cv2.resize(plane, size, interpolation=cv2.INTER_AREA) for plane in (light, empty))
    logs = np.log((now + 2e-3) / (then + 2e-3)).astype(np.float64)
    # A channel that the camera has burnt out shows less of a change than there is: there it is the others'.
    burnt = now >= _BURNT
    others = np.where(burnt, -np.inf, logs).max(axis=-1, keepdims=True)
    logs = np.where(burnt, np.maximum(logs, others), logs)
    small = np.asarray(cv2.resize(seen, size, interpolation=cv2.INTER_NEAREST), np.uint8)
    fitted = np.exp(_surface(logs, small)).astype(np.float32)
    return np.asarray(cv2.resize(fitted, light.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _compare(light: Linear, expected: Linear, seen: Mask) -> tuple[Mask, Mask, Mask]:
    """Where something stands out for certain, whatever shadow lies there; where anything at all has changed; and
    where no light on this floor, shaded and tinted by what stands around, could look like that."""
    ratio = (light + 4e-3) / (expected + 4e-3)
    brightest, darkest = ratio.max(axis=-1), ratio.min(axis=-1)
    now = encode(light) * np.float32(255)
    off = np.abs(now - encode(expected) * np.float32(255)).max(axis=-1)
    noise = float(np.median(off[::4, ::4][seen[::4, ::4] > 0])) if seen.any() else 1.0
    least = max(_LEAST_LEVELS, _LEAST_NOISES * noise)
    # In a shadow all three channels keep the same share: what of the difference is not that share counts.
    share = (light.sum(axis=-1, keepdims=True) + 4e-3) / (expected.sum(axis=-1, keepdims=True) + 4e-3)
    shaded = encode(expected * share) * np.float32(255)
    beside = np.abs(now - shaded).max(axis=-1)
    colourful = beside > np.maximum(least * _BESIDE, _TINT * shaded.max(axis=-1))
    out = (off > least) & (colourful | (brightest < _BLACK) | (darkest > _BRIGHT))
    square = np.ones((3, 3), np.uint8)
    sure, any_change = (
        cv2.morphologyEx((part & (seen > 0)).astype(np.uint8) * np.uint8(255), cv2.MORPH_OPEN, square)
        for part in (out, off > least)
    )
    alien = (brightest - darkest > _CHROMA * (brightest + 0.25)) | (brightest < _DARKEST) | (darkest > _BRIGHTEST)
    matter = np.where(alien, 255, 0).astype(np.uint8)
    return _without_specks(np.asarray(sure, np.uint8)), np.asarray(any_change, np.uint8), matter


def _without_specks(mask: Mask) -> Mask:
    """The mask less its parts that are too small for a side of a die."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    kept = stats[:, cv2.CC_STAT_AREA] >= _LEAST_SPECK_MM2 * VIEW_PX_PER_MM**2
    kept[0] = False
    return np.asarray(np.where(kept[labels], 255, 0), np.uint8)
