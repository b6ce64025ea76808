"""Draws a scene as light: the floor with its shadows, then every thing from far to near, each edge smoothed.

Light is linear (B, G, R), float32; ``calibration.synthesis.sensor`` makes a photograph of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthesis.floors import Floor
from calibration.synthesis.lights import Lighting
from calibration.synthesis.optics import Camera
from calibration.synthesis.paint import FACE_PX
from calibration.synthesis.things import UP, Thing

Floats = NDArray[Any]
Picture = NDArray[Any]

_OVERSAMPLING = 2
_LIGHT_CELLS = 6  # a face's light is worked out on a grid this fine; lamps are farther away than faces are wide
_SHADOW_STEP_PX = 3  # shadows are soft: worked out on every third pixel


@dataclass(frozen=True)
class Drawn:
    """The light (H, W, 3), and which thing each pixel shows (int16, -1 for the floor)."""

    light: Picture
    owner: NDArray[np.int16]


def draw(
    camera: Camera, lighting: Lighting, floor: Floor, things: Sequence[Thing], soft_shadow: float = 1.0
) -> Drawn:
    """The scene as the camera's lens sees it."""
    points = camera.table_points()
    light = _floor_light(camera, lighting, floor, things, points)
    owner = np.full(light.shape[:2], -1, np.int16)
    order = sorted(range(len(things)), key=lambda i: -float(np.linalg.norm(things[i].place - camera.position)))
    order.sort(key=lambda i: bool(things[i].corners[:, 2].max() < -3))  # what stands on something comes after it
    for index in order:
        _draw_thing(camera, lighting, things, index, light, owner)
    return Drawn(light, owner)


def white_at(lighting: Lighting, points: Floats) -> Floats:
    """Light from white paper lying at points of the table (N, 2), nothing in its way: (N, 3)."""
    places = np.c_[points, np.zeros(len(points))]
    direct = lighting.direct(places, np.tile(UP, (len(points), 1)))
    return direct[:, None] * lighting.lamp_color + lighting.ambient * lighting.ambient_color


def _floor_light(
    camera: Camera, lighting: Lighting, floor: Floor, things: Sequence[Thing], points: Picture
) -> Picture:
    height, width = points.shape[:2]
    sparse = points[::_SHADOW_STEP_PX, ::_SHADOW_STEP_PX]
    shape = sparse.shape[:2]
    coarse = cv2.resize(points, (max(4, width // 24), max(4, height // 24)), interpolation=cv2.INTER_AREA)
    places = np.c_[coarse.reshape(-1, 2), np.zeros(coarse.shape[0] * coarse.shape[1])]
    ups = np.tile(UP, (len(places), 1))
    direct = lighting.direct(places, ups).reshape(coarse.shape[:2]).astype(np.float32)
    spread = cv2.resize(direct, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    lit, open_sky = _shadows(camera, lighting, things, shape)
    ambient = np.float32(lighting.ambient) * open_sky
    coarse_paper = (spread * lit)[..., None] * lighting.lamp_color + ambient[..., None] * lighting.ambient_color
    paper = cv2.resize(coarse_paper.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    light = floor.albedo(points) * paper
    if floor.sheen > 0:
        glow = lighting.mirrored(places, ups, camera.position, floor.roughness, floor.sheen)
        glow = glow.reshape(coarse.shape[:2]).astype(np.float32)
        glow = np.asarray(cv2.resize(glow, (width, height), interpolation=cv2.INTER_LINEAR))
        light = light + glow[..., None] * lighting.lamp_color.astype(np.float32)
    return np.asarray(light, np.float32)


def _shadows(
    camera: Camera, lighting: Lighting, things: Sequence[Thing], shape: tuple[int, int]
) -> tuple[Picture, Picture]:
    """How much of the lamps, and how much of the sky, reaches the floor: two pictures of 0 to 1."""
    lit = np.ones(shape, np.float32)
    sky = np.ones(shape, np.float32)
    for thing in things:
        corners = thing.corners
        foot = corners.copy()
        foot[:, 2] = 0
        base = camera.project(foot) / _SHADOW_STEP_PX
        span = float(np.ptp(base, axis=0).max())
        print_ = np.zeros(shape, np.float32)
        cv2.fillConvexPoly(print_, _fixed(cv2.convexHull(base.astype(np.float32))[:, 0]), 1.0, cv2.LINE_8, 4)
        if span > 1:
            height = min(1.0, float(-corners[:, 2].min()) / 15)
            sky *= 1 - 0.55 * height * cv2.GaussianBlur(print_, (0, 0), max(span * 0.16, 0.5))
        cast = np.zeros(shape, np.float32)
        for sample, share in zip(lighting.samples, lighting.sample_shares, strict=True):
            reach = sample[2] / (sample[2] - corners[:, 2])
            if not np.all(np.isfinite(reach)) or np.any(reach < 0):
                continue
            hull = sample + (corners - sample) * reach[:, None]
            hull[:, 2] = 0
            seen = camera.project(hull) / _SHADOW_STEP_PX
            if np.abs(seen).max() > 8000:
                continue
            one = np.zeros(shape, np.uint8)
            cv2.fillConvexPoly(one, _fixed(cv2.convexHull(seen.astype(np.float32))[:, 0]), 1, cv2.LINE_8, 4)
            cast += one * np.float32(share)
        lit = np.minimum(lit, 1 - np.minimum(cast, 1))
    return cv2.GaussianBlur(lit, (0, 0), 0.8), sky


def _fixed(points: Floats) -> NDArray[np.int32]:
    return np.round(np.clip(points, -8000, 8000) * 16).astype(np.int32)


def _seen_lamps(lighting: Lighting, points: Floats, things: Sequence[Thing], index: int) -> Floats | None:
    """How much of each lamp sample every point sees past the other things (taken as balls): (N, K) or None."""
    own = things[index]
    visible = None
    samples = lighting.samples
    for i, other in enumerate(things):
        if i == index or np.linalg.norm(other.place - own.place) > 90:
            continue
        to = samples[None] - points[:, None]
        length = np.linalg.norm(to, axis=-1, keepdims=True)
        to = to / length
        aside = other.place - points
        along = np.clip((to * aside[:, None]).sum(-1), 0, length[..., 0])
        gap = np.linalg.norm(aside[:, None] - to * along[..., None], axis=-1) - other.ball_mm
        seen = np.where(along > 0.3 * other.ball_mm, np.clip(gap / 2.5 + 0.7, 0, 1), 1.0)
        visible = seen if visible is None else visible * seen
    return visible


def _draw_thing(
    camera: Camera, lighting: Lighting, things: Sequence[Thing], index: int, light: Picture, owner: NDArray[np.int16]
) -> None:
    thing = things[index]
    outline = camera.project(thing.corners)
    height, width = owner.shape
    low = np.floor(outline.min(0)).astype(int) - 3
    high = np.ceil(outline.max(0)).astype(int) + 4
    if high[0] <= 0 or high[1] <= 0 or low[0] >= width or low[1] >= height or np.abs(outline).max() > 6000:
        return
    # one pixel of the fine canvas is half a pixel of the picture, both counted from pixel middles
    size = (high - low) * _OVERSAMPLING
    canvas = np.zeros((size[1], size[0], 3), np.float32)
    cover = np.zeros((size[1], size[0]), np.float32)

    def fine(points: Floats) -> Floats:
        return np.asarray((camera.project(points.reshape(-1, 3)) - low + 0.5) * _OVERSAMPLING - 0.5)

    position = camera.position
    facets = thing.world(thing.solid.facets)
    facet_normals = thing.solid.facet_normals @ thing.rotation.T
    middles = facets.mean(1)
    facing = ((position - middles) * facet_normals).sum(1) > 0
    if facing.any():
        colors = _facet_colors(
            lighting, camera, things, index, middles[facing], thing.solid.facet_normals[facing], facet_normals[facing]
        )
        quads = fine(facets[facing]).reshape(-1, 4, 2)
        grown = quads + 0.6 * np.sign(quads - quads.mean(1, keepdims=True))
        for quad, color in zip(grown, colors.tolist(), strict=True):
            hull = cv2.convexHull(quad.astype(np.float32))[:, 0]
            cv2.fillConvexPoly(canvas, _fixed(hull), color, cv2.LINE_8, 4)
            cv2.fillConvexPoly(cover, _fixed(hull), 1.0, cv2.LINE_8, 4)
    for face in range(len(thing.solid.normals)):
        ring = thing.world(thing.solid.outlines[face])
        if (position - ring.mean(0)) @ thing.normals[face] <= 0:
            continue
        _draw_face(camera, lighting, things, index, face, fine(ring), fine, canvas, cover)
    cover_small = cv2.resize(cover, tuple(size // _OVERSAMPLING), interpolation=cv2.INTER_AREA)
    color_small = cv2.resize(canvas * cover[..., None], tuple(size // _OVERSAMPLING), interpolation=cv2.INTER_AREA)
    x0, y0 = max(low[0], 0), max(low[1], 0)
    x1, y1 = min(high[0], width), min(high[1], height)
    cut = slice(y0 - low[1], y1 - low[1]), slice(x0 - low[0], x1 - low[0])
    there = slice(y0, y1), slice(x0, x1)
    alpha = cover_small[cut]
    light[there] = light[there] * (1 - alpha[..., None]) + color_small[cut]
    owner[there][alpha > 0.5] = index


def _facet_colors(
    camera_light: Lighting,
    camera: Camera,
    things: Sequence[Thing],
    index: int,
    middles: Floats,
    own_normals: Floats,
    normals: Floats,
) -> Floats:
    thing = things[index]
    albedo = np.tile(thing.color if thing.edge is None else thing.edge, (len(middles), 1))
    if thing.edge is None and thing.art:
        nearest = np.argmax(own_normals @ thing.solid.normals.T, 1)
        rim = np.array([a.albedo[1, FACE_PX // 2] for a in thing.art])
        albedo = rim[nearest]
    return _lit(camera_light, camera, things, index, middles, normals, albedo)


def _lit(
    lighting: Lighting,
    camera: Camera,
    things: Sequence[Thing],
    index: int,
    points: Floats,
    normals: Floats,
    albedo: Floats | None,
) -> Floats:
    """Light leaving surface points: (N, 3); with ``albedo`` None, the light on them beside the mirrored: (N, 6)."""
    thing = things[index]
    direct = lighting.direct(points, normals, _seen_lamps(lighting, points, things, index))
    up = normals @ UP
    height = np.clip(-points[:, 2] / 12, 0, 1)
    bounce = 0.5 - 0.5 * up  # from the floor, dark near its foot
    sky = lighting.ambient * (0.5 + 0.5 * up + 0.25 * bounce * (0.4 + 0.6 * height))
    paper = direct[:, None] * lighting.lamp_color + sky[:, None] * lighting.ambient_color
    paper = paper + 0.12 * (bounce * (0.3 + 0.7 * height))[:, None] * lighting.lamp_color
    gleam = (
        lighting.mirrored(points, normals, camera.position, thing.roughness, thing.gloss)[:, None]
        * lighting.lamp_color
    )
    return np.asarray(np.c_[paper, gleam] if albedo is None else albedo * paper + gleam)


def _draw_face(
    camera: Camera,
    lighting: Lighting,
    things: Sequence[Thing],
    index: int,
    face: int,
    outline: Floats,
    fine: Callable[[Floats], Floats],
    canvas: Picture,
    cover: Picture,
) -> None:
    thing = things[index]
    normal = thing.solid.normals[face]
    across = thing.solid.across[face]
    down = np.cross(across, normal)  # as the face is looked at, x right and y down
    centre = thing.solid.sharp[face].mean(0)
    reach = thing.reach_mm
    t = (np.arange(_LIGHT_CELLS) + 0.5) / _LIGHT_CELLS * 2 - 1
    x, y = np.meshgrid(t, t)
    own = centre + reach * (x.reshape(-1, 1) * across + y.reshape(-1, 1) * down)
    points = thing.world(own)
    values = _lit(lighting, camera, things, index, points, np.tile(thing.normals[face], (len(points), 1)), None)
    grid = values.reshape(_LIGHT_CELLS, _LIGHT_CELLS, 6).astype(np.float32)
    paper = cv2.resize(grid[..., :3], (FACE_PX, FACE_PX), interpolation=cv2.INTER_LINEAR)
    gleam = cv2.resize(grid[..., 3:], (FACE_PX, FACE_PX), interpolation=cv2.INTER_CUBIC)
    picture: Picture
    if thing.art:
        art = thing.art[face]
        slope = _slope(art.relief, lighting, thing, across, down, points[len(points) // 2])
        picture = art.albedo * paper * slope[..., None] + np.maximum(gleam, 0) * (1 + 0.5 * (slope - 1))[..., None]
    else:
        picture = thing.color.astype(np.float32) * paper + np.maximum(gleam, 0)
    ends = np.array([-across - down, across - down, across + down, -across + down])
    square = thing.world(centre + reach * ends)
    source = np.array([[0, 0], [FACE_PX, 0], [FACE_PX, FACE_PX], [0, FACE_PX]], np.float32) - np.float32(0.5)
    to = cv2.getPerspectiveTransform(source, fine(square).astype(np.float32))
    warped = cv2.warpPerspective(
        picture.astype(np.float32),
        to,
        (canvas.shape[1], canvas.shape[0]),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    mask = np.zeros(cover.shape, np.uint8)
    cv2.fillConvexPoly(mask, _fixed(outline), 1, cv2.LINE_8, 4)
    cv2.copyTo(warped, mask, canvas)
    cover[mask > 0] = 1.0


def _slope(relief: Picture, lighting: Lighting, thing: Thing, across: Floats, down: Floats, at: Floats) -> Picture:
    """How much brighter or darker a dent's walls are than the face, by the side the light comes from: (96, 96)."""
    if not relief.any():
        return np.ones_like(relief)
    to = (lighting.samples * lighting.sample_shares[:, None]).sum(0) - at
    to = thing.rotation.T @ (to / np.linalg.norm(to))
    soft = cv2.GaussianBlur(relief, (0, 0), 1.5)
    dx = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3)
    dy = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3)
    lean = -(dx * np.float32(to @ across) + dy * np.float32(to @ down))
    return np.asarray(np.clip(1 + 0.5 * lean + 0.12 * soft, 0.4, 1.8), np.float32)
