"""Styles and scripts are sent compressed: they are most of the bytes of a first view after the fonts.

Each is compressed once. Pages and streams are not: a page is drawn once for a thousand phones, and would have to be
compressed for each of them, on a machine with little to spare.
"""

import gzip
from functools import lru_cache

from flask import Flask, Response, request

WORTH_IT = ("text/css", "text/javascript", "application/javascript", "image/svg+xml")
FILES_KEPT = 64


@lru_cache(maxsize=FILES_KEPT)
def _compressed(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)


def add_compression(app: Flask) -> None:
    """Compress what comes from ``static`` for browsers that take gzip."""

    @app.after_request
    def compress(response: Response) -> Response:
        if not request.path.startswith("/static/") or response.mimetype not in WORTH_IT:
            return response
        response.vary.add("Accept-Encoding")
        if response.status_code == 200 and request.accept_encodings.quality("gzip") > 0:
            response.direct_passthrough = False
            response.set_data(_compressed(response.get_data()))
            response.headers["Content-Encoding"] = "gzip"
        return response
