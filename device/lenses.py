"""What each camera module sees from a height, and where a light makes no glare: the tables of docs/hardware.md.

``python -m device.lenses`` prints them. A lens without distortion: a length l of the sensor behind the focal length f
shows l / f times the height. Sensors and lenses as Raspberry Pi's documentation gives them (Camera, hardware).
Pictures are 4 to 3; a sensor that is wider is used in the middle.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from device.settings import CameraSettings
from vision.mat_layout import MARKER_CENTERS_MM, ROLL_AREA, Rectangle, marker_area

HEIGHTS_MM = (250, 300, 350, 400, 450)

MARGIN_MM = 3.0
"""White paper around a marker that is needed to find it: most of one of its cells of 4 mm."""


LIGHT_HEIGHTS_MM = (100, 150, 200, 300, 400)

GLARE_MARGIN_MM = 10.0
"""A lamp is no point: half of what an LED strip behind paper is wide."""


@dataclass(frozen=True, slots=True)
class CameraModule:
    """A camera: the size of its sensor in pixels, the pixels' size and the focal length."""

    name: str
    sensor_px: tuple[int, int]
    pixel_um: float
    focal_mm: float

    def view_mm(self, height_mm: float, shape: float = 4 / 3) -> tuple[float, float]:
        """Width and height of the part of the table in a picture of that width to height.

        >>> [round(mm) for mm in CAMERAS[0].view_mm(300)]
        [363, 272]
        """
        width_px, height_px = self.sensor_px
        used_px = (min(width_px, height_px * shape), min(height_px, width_px / shape))
        width, height = (pixels * self.pixel_um / 1000 / self.focal_mm * height_mm for pixels in used_px)
        return width, height


CAMERAS = (
    CameraModule("Camera Module 2", (3280, 2464), 1.12, 3.04),
    CameraModule("Camera Module 3", (4608, 2592), 1.4, 4.74),
    CameraModule("Camera Module 3 Wide", (4608, 2592), 1.4, 2.75),
)


def sees(view_mm: tuple[float, float]) -> str:
    """How much of the mat lies in a view whose middle is the mat's; two markers are enough to read by.

    >>> sees((400, 300)), sees((255, 191)), sees((190, 140))
    ('6 markers, all of the roll area', 'no marker, all of the roll area', 'no marker, part of the roll area')
    """
    view = Rectangle(-view_mm[0] / 2, -view_mm[1] / 2, view_mm[0] / 2, view_mm[1] / 2)
    markers = sum(
        all(view.contains(corner, MARGIN_MM) for corner in marker_area(marker).corners_mm)
        for marker in MARKER_CENTERS_MM
    )
    is_whole = all(view.contains(corner) for corner in ROLL_AREA.corners_mm)
    return f"{markers or 'no'} marker{'' if not markers else 's'}, {'all' if is_whole else 'part'} of the roll area"


def table(width_px: int) -> Iterator[str]:
    """The lines of the table, in Markdown, for pictures ``width_px`` wide."""
    yield "| camera | height | sees | pixels a millimetre | of the mat | focus |"
    yield "|---|---|---|---|---|---|"
    for camera in CAMERAS:
        for height_mm in HEIGHTS_MM:
            view = camera.view_mm(height_mm)
            yield (
                f"| {camera.name} | {height_mm / 10:g} cm | {view[0]:.0f} x {view[1]:.0f} mm "
                f"| {width_px / view[0]:.1f} | {sees(view)} | {1000 / height_mm:.1f} dpt |"
            )


def light_distance_mm(camera_mm: float, light_mm: float) -> float:
    """How far to the side of the camera a lamp must be, so that its mirror image is seen beside the roll area.

    A flat thing mirrors a lamp to the camera from the point that divides the way between their feet as their heights
    do. ``camera_mm`` and ``light_mm`` are heights above the mat.

    >>> light_distance_mm(350, 350), light_distance_mm(350, 150)
    (228.0, 162.9)
    """
    mirrored_mm = ROLL_AREA.right_mm + GLARE_MARGIN_MM
    return round(mirrored_mm * (camera_mm + light_mm) / camera_mm, 1)


def light_table() -> Iterator[str]:
    """The lines of the table of lamps, in Markdown."""
    yield "| camera | " + " | ".join(f"lamp at {light / 10:g} cm" for light in LIGHT_HEIGHTS_MM) + " |"
    yield "|---|" + "---|" * len(LIGHT_HEIGHTS_MM)
    for camera in HEIGHTS_MM:
        far = " | ".join(f"{light_distance_mm(camera, light) / 10:.0f} cm" for light in LIGHT_HEIGHTS_MM)
        yield f"| {camera / 10:g} cm | {far} |"


if __name__ == "__main__":
    print("\n".join([*table(CameraSettings().width_px), "", *light_table()]))
