"""A link as a QR code that a phone's camera reads off a TV across the room."""

import segno

QUIET_ZONE = 4
"""Empty modules around it, as ISO/IEC 18004 wants them."""


def qr_svg(link: str) -> str:
    """The code as inline SVG, dark on a ground of its own, without any style or script.

    Error correction M: reflections on a TV hide less than the 15 % that it mends.

    >>> qr_svg("http://192.168.1.5:8420/join/k3f9abcdefghijklmn")[:36]
    '<svg viewBox="0 0 41 41" class="qr">'
    """
    code = segno.make(link, error="m", micro=False)
    drawn: str = code.svg_inline(
        border=QUIET_ZONE, dark="#0d1412", light="#ffffff", omitsize=True, svgclass="qr", lineclass=None
    )
    return drawn
