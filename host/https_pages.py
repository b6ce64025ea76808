"""What the connection over HTTPS is for, how a phone comes to trust it, and the certificate to trust."""

from pathlib import Path

from flask import Blueprint, Response, abort, render_template, request

from host.addresses import Addresses


def add_https_pages(blueprint: Blueprint, addresses: Addresses) -> None:
    """The page and the certificate; neither is there while the host speaks plain HTTP alone."""

    @blueprint.get("/https")
    def https() -> str:
        """Three steps for each kind of phone, and what they do."""
        if addresses.https_port is None:
            abort(404)
        return render_template("https.html", secure=addresses.secure(request.host))

    @blueprint.get("/https/authority.crt")
    def authority() -> Response:
        """The certificate of the appliance's own authority."""
        if addresses.authority is None:
            abort(404)
        name = {"Content-Disposition": 'attachment; filename="croupier.crt"'}
        return Response(Path(addresses.authority).read_bytes(), mimetype="application/x-x509-ca-cert", headers=name)
