"""The mat as an SVG whose user unit is one millimetre."""

from xml.etree import ElementTree

from calibration.mat import MAT_NAME, Element, Fill, Paper, mat_elements
from vision.mat_layout import PAPER, SRGB, Rectangle

_NAMESPACE = "http://www.w3.org/2000/svg"
_CAP_HEIGHT = 0.718  # of the font size: Helvetica, and nearly the same in what stands in for it


def mat_svg(paper: Paper) -> bytes:
    """The SVG file, UTF-8, with its size in millimetres and the origin of its coordinates in the middle."""
    page = paper.area
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": _NAMESPACE,
            "width": f"{paper.width_mm:g}mm",
            "height": f"{paper.height_mm:g}mm",
            "viewBox": f"{page.left_mm:g} {page.top_mm:g} {page.width_mm:g} {page.height_mm:g}",
        },
    )
    ElementTree.SubElement(root, "title").text = f"{MAT_NAME}, {paper.name}"
    style = ElementTree.SubElement(root, "style")
    style.text = f"@page {{ size: {paper.width_mm:g}mm {paper.height_mm:g}mm; margin: 0 }}"
    _add(root, Fill((page,), PAPER))
    for element in mat_elements():
        _add(root, element)
    ElementTree.indent(root)
    file: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return file + b"\n"


def _add(root: ElementTree.Element, element: Element) -> None:
    if isinstance(element, Fill):
        outlines = " ".join(_outline(area) for area in element.areas)
        ElementTree.SubElement(root, "path", {"fill": _hex(element.srgb), "d": outlines})
        return
    x, y = element.middle_mm
    ElementTree.SubElement(
        root,
        "text",
        {
            "x": _mm(x),
            "y": _mm(y + element.height_mm / 2),
            "font-family": "Helvetica, Arial, 'Liberation Sans', sans-serif",
            "font-size": _mm(element.height_mm / _CAP_HEIGHT),
            "text-anchor": "middle",
            "textLength": _mm(element.width_mm),
            "lengthAdjust": "spacingAndGlyphs",
        },
    ).text = element.text


def _outline(area: Rectangle) -> str:
    return f"M{_mm(area.left_mm)} {_mm(area.top_mm)}H{_mm(area.right_mm)}V{_mm(area.bottom_mm)}H{_mm(area.left_mm)}Z"


def _mm(length: float) -> str:
    return f"{round(length, 4):g}"


def _hex(srgb: SRGB) -> str:
    return "#" + "".join(f"{value:02x}" for value in srgb)
