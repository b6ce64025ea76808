"""One drawn tray without a mat: camera, lamp, floor and sensor stay, the dice change."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from calibration.detector_model import any_floor as any_detector
from calibration.steps import Known, look_at_tray
from calibration.synthesis import scene
from calibration.synthesis.design import Design
from calibration.synthesis.floors import any_floor
from calibration.synthesis.lights import any_lighting, kelvin_color
from calibration.synthesis.optics import overhead_camera
from calibration.synthesis.render import draw, white_at
from calibration.synthesis.sensor import any_sensor
from calibration.synthesis.things import Die, Thing, as_thing, lay
from vision.camera import Camera
from vision.profile import Profile
from vision.reading import Floats, Pixels, ReadDie


class Rig:
    """A rig of that floor; everything about it follows from the seed."""

    def __init__(self, floor: str, seed: int, kelvin: float = 4500.0) -> None:
        rng = np.random.default_rng([seed, 5])
        self._lens = overhead_camera(rng, tilt_deg=7.0)
        self._lighting = any_lighting(rng, self._lens.position, "ring", kelvin)
        self._floor = any_floor(rng, floor)
        self._empty_light = draw(self._lens, self._lighting, self._floor, []).light
        white = white_at(self._lighting, np.zeros((1, 2)))[0]
        self._sensor = any_sensor(rng, white, float(self._empty_light.mean()), hard=0.0)
        self._rng = rng

    def changed(
        self, stops: float = 0.0, kelvin: float | None = None, moved_mm: float = 0.0, tipped_deg: float = 0.0
    ) -> "Rig":
        """The same rig with ``stops`` (EV) more light, other lamps, its camera knocked aside and tipped."""
        other = copy(self)
        blue, green, red = (gain * 2**stops for gain in self._sensor.gains)
        other._sensor = replace(self._sensor, gains=(blue, green, red))
        if kelvin is not None:
            other._lighting = replace(
                self._lighting, kelvin=kelvin, lamp_color=kelvin_color(kelvin), ambient_color=kelvin_color(kelvin)
            )
        turned = cv2.Rodrigues(np.array([np.radians(tipped_deg), 0.0, 0.0]))[0]
        aside = np.array([moved_mm, 0.0, 0.0])
        rotation = turned @ self._lens.rotation
        other._lens = replace(
            self._lens, rotation=rotation, translation=turned @ (self._lens.translation - self._lens.rotation @ aside)
        )
        other._empty_light = draw(other._lens, other._lighting, self._floor, []).light
        return other

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of its pictures."""
        return self._lens.width, self._lens.height

    @property
    def camera(self) -> Camera:
        """The camera as it truly hangs."""
        label = scene._camera_label(self._lens)
        keys = ("K", "dist", "rvec", "tvec")
        matrix, distortion, rotation, translation = (np.array(label[key], np.float64) for key in keys)
        return Camera(matrix, distortion, rotation, translation, 0.0)

    def empty(self) -> Pixels:
        """A picture of the empty tray."""
        return np.asarray(self._sensor.expose(self._empty_light, self._rng, self._lens.principal_px), np.uint8)

    def throw(self, seed: int, kind: str, count: int) -> tuple[Pixels, list[dict[str, Any]]]:
        """A picture of tidy dice of one kind, and their labels."""
        rng = np.random.default_rng([seed, 6])
        dice = scene._dice(rng, [kind], "clean", count, ())
        return self._photograph(rng, dice)

    def tumble(
        self, seeds: Sequence[int], kinds: Sequence[str], condition: str, count: int
    ) -> tuple[Pixels, list[dict[str, Any]]]:
        """A picture of dice of these kinds under a condition of ``calibration.synthesis.scene``, and their labels."""
        rng = np.random.default_rng(list(seeds))
        return self._photograph(rng, scene._dice(rng, list(kinds), condition, count, ()))

    def among_others(
        self, seed: int, kinds: Sequence[str], count: int, others: int
    ) -> tuple[Pixels, list[dict[str, Any]], list[Floats]]:
        """A picture of tidy dice of these kinds and of other games' dice: the labels, and the others' upper faces."""
        rng = np.random.default_rng([seed, 9])
        dice = scene._dice(rng, list(kinds), "clean", count, ())
        strange = scene._other_dice(rng, dice, others, ())
        frame, labels = self._photograph(rng, dice, strange)
        return frame, labels, [scene._upper_face(self._lens, thing) for thing in strange]

    def lay(self, seed: int, design: Design, faces: Sequence[int]) -> tuple[Pixels, list[dict[str, Any]]]:
        """A picture of dice of one design, each with another face up, in any turn, and their labels."""
        rng = np.random.default_rng([seed, 7])
        dice = []
        for number, face in enumerate(faces):
            at = (-70.0 + 45.0 * (number % 4) + rng.uniform(-8, 8), -45.0 + 45.0 * (number // 4) + rng.uniform(-8, 8))
            yaw = float(rng.uniform(0, 360))
            dice.append(Die(design, as_thing(design, *lay(design, face, at, yaw)), "flat", yaw, 0.0, 0.0))
        return self._photograph(rng, dice)

    def lean(self, seed: int, design: Design, degrees: float, count: int = 6) -> Pixels:
        """A picture of dice of one design, all of which lean by so much, each towards another side."""
        rng = np.random.default_rng([seed, 8])
        dice = []
        for number in range(count):
            at = (-62.0 + 62.0 * (number % 3) + rng.uniform(-6, 6), -42.0 + 56.0 * (number // 3) + rng.uniform(-6, 6))
            yaw, towards = float(rng.uniform(0, 360)), rng.uniform(0, 2 * np.pi)
            tilt = np.array([np.cos(towards), np.sin(towards), 0.0]) * np.radians(degrees)
            thing = as_thing(design, *lay(design, int(rng.integers(len(design.faces))), at, yaw, tilt))
            dice.append(Die(design, thing, "cocked" if degrees else "flat", yaw, 0.0, degrees))
        return self._photograph(rng, dice)[0]

    def _photograph(
        self, rng: np.random.Generator, dice: Sequence[Die], others: Sequence[Thing] = ()
    ) -> tuple[Pixels, list[dict[str, Any]]]:
        drawn = draw(self._lens, self._lighting, self._floor, [*(die.thing for die in dice), *others])
        pixels = np.asarray(self._sensor.expose(drawn.light, rng, self._lens.principal_px), np.uint8)
        labels = [
            scene._die_label(self._lens, drawn, die, number, pixels, self._floor) for number, die in enumerate(dice)
        ]
        return pixels, labels


def profile_of_empty(rig: Rig) -> Profile | None:
    """What is learned of a tray from one picture of it empty, as ``croupier calibrate --tray`` does."""
    return look_at_tray([rig.empty()], Known(any_floor=any_detector()), is_lit_well=True).known.profile


def is_at(die: ReadDie, label: dict[str, Any]) -> bool:
    """Whether a die was read where the label has its upper face."""
    first, _, third, _ = np.array(label["top_quad_px"])[:4]
    return float(np.hypot(*np.subtract(die.center_px, label["top_centre_px"]))) < np.hypot(*(third - first)) / 2
