"""What a phone asks for when the page is put on its home screen."""

from flask import Blueprint, Response, jsonify, url_for
from flask_babel import gettext as _

from host.languages import language

COLOUR = "#0d1412"
"""The night behind every page, as in page.css."""

ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-mask.png", "512x512", "maskable"),
)


def add_home_screen(blueprint: Blueprint) -> None:
    """The address of the manifest (W3C Web Application Manifest)."""

    @blueprint.get("/manifest.webmanifest")
    def manifest() -> Response:
        """The name, the icons and the colours under which the page stands on the home screen."""
        icons = [
            {
                "src": url_for("pages.static", filename=name),
                "sizes": sizes,
                "type": "image/png",
                "purpose": purpose,
            }
            for name, sizes, purpose in ICONS
        ]
        answer = jsonify(
            name="Croupier",
            short_name="Croupier",
            description=_("Real dice, a referee, and the table on every phone."),
            lang=language(),
            start_url="/",
            scope="/",
            display="standalone",
            background_color=COLOUR,
            theme_color=COLOUR,
            icons=icons,
        )
        answer.mimetype = "application/manifest+json"
        return answer
