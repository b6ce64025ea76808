"""What pixels would send back under even white light: the white balance of one place in one frame."""

from dataclasses import dataclass

import numpy as np

from vision.camera import Camera
from vision.floor import FLOOR_LINEAR, Floor, to_linear
from vision.reading import Pixels, Point, Reflectance


@dataclass(frozen=True)
class MatLight:
    """The light over the mat, told by its own grey at every place (``vision.patches.Light``)."""

    camera: Camera
    floor: Floor

    def reflectance(self, pixels: Pixels, at_px: Point) -> Reflectance:
        """As ``vision.patches.Light.reflectance``."""
        place = self.camera.ground(np.array([at_px], np.float64))[0]
        grey = self.floor.at(place) / FLOOR_LINEAR
        return np.asarray(to_linear(pixels) / grey.astype(np.float32), np.float32)
