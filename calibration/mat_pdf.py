"""The mat as a PDF: one page, vectors only, DeviceRGB."""

from io import BytesIO

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from calibration.mat import MAT_NAME, Element, Fill, Paper, mat_elements
from vision.mat_layout import SRGB

_POINTS_PER_MM = 72 / 25.4
_FONT = "Helvetica"  # one of the fourteen that every reader and printer has
_CAP_HEIGHT = 0.718  # of the font size; Adobe's metrics of Helvetica


def mat_pdf(paper: Paper) -> bytes:
    """The PDF file, the same bytes every time. Printing dialogs are told not to scale."""
    file = BytesIO()
    size = (paper.width_mm * _POINTS_PER_MM, paper.height_mm * _POINTS_PER_MM)
    canvas = Canvas(file, pagesize=size, invariant=True)
    canvas.setTitle(f"{MAT_NAME}, {paper.name}")
    canvas.setAuthor("croupier")
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.translate(size[0] / 2, size[1] / 2)  # the mat's origin; y grows upwards in a PDF
    for element in mat_elements():
        _draw(canvas, element)
    canvas.save()
    return file.getvalue()


def _draw(canvas: Canvas, element: Element) -> None:
    if isinstance(element, Fill):
        _set_color(canvas, element.srgb)
        path = canvas.beginPath()
        for area in element.areas:
            path.rect(
                area.left_mm * _POINTS_PER_MM,
                -area.bottom_mm * _POINTS_PER_MM,
                area.width_mm * _POINTS_PER_MM,
                area.height_mm * _POINTS_PER_MM,
            )
        canvas.drawPath(path, stroke=0, fill=1)
        return
    size = element.height_mm * _POINTS_PER_MM / _CAP_HEIGHT
    x, y = element.middle_mm
    text = canvas.beginText(
        (x - element.width_mm / 2) * _POINTS_PER_MM, -(y + element.height_mm / 2) * _POINTS_PER_MM
    )
    text.setFont(_FONT, size)
    text.setHorizScale(100 * element.width_mm * _POINTS_PER_MM / stringWidth(element.text, _FONT, size))
    text.setFillColorRGB(0, 0, 0)
    text.textOut(element.text)
    canvas.drawText(text)


def _set_color(canvas: Canvas, srgb: SRGB) -> None:
    canvas.setFillColorRGB(*(value / 255 for value in srgb))
