"""``croupier card``: a page to print and put beside the tray, that says how to join."""

import json
import socket
from html import escape
from pathlib import Path

import click

from host.qr import qr_svg

OWN_ADDRESS = "10.42.0.1"
"""The box's number in its own network (NetworkManager's for shared ones)."""

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Croupier: how to join</title><style>
@page {{ size: A6 landscape; margin: 8mm }}
body {{ font: 11pt/1.35 sans-serif; color: #000; background: #fff; margin: 1em auto; max-width: 130mm }}
h1 {{ font-size: 15pt; margin: 0 0 .4em }} ol {{ padding: 0; margin: 0; list-style: none; display: flex; gap: 8mm }}
li {{ flex: 1; break-inside: avoid }} svg {{ width: 38mm; height: 38mm; display: block; margin: .3em 0 }}
b {{ font-family: monospace; font-size: 12pt; overflow-wrap: anywhere }} p {{ margin: .2em 0 }}
</style></head><body><h1>Croupier</h1><ol>{steps}</ol></body></html>
"""

_STEP = "<li><p>{what}</p>{code}{words}</li>"


def card_page(address: str, ssid: str | None = None, passphrase: str | None = None) -> str:
    """The card as an HTML page of its own; with a network's name and passphrase it says first how to join that.

    >>> "Croupier-3f9a" in card_page("http://10.42.0.1:8420/", "Croupier-3f9a", "some-secret")
    True
    """
    steps = []
    if ssid is not None and passphrase is not None:
        words = f"<p>Network <b>{escape(ssid)}</b></p><p>Passphrase <b>{escape(passphrase)}</b></p>"
        join = qr_svg(f"WIFI:T:WPA;S:{_quoted(ssid)};P:{_quoted(passphrase)};;")
        steps.append(_STEP.format(what="1. Join the box's Wi-Fi:", code=join, words=words))
    what = f"{len(steps) + 1}. Open the tables:"
    steps.append(_STEP.format(what=what, code=qr_svg(address), words=f"<p><b>{escape(address)}</b></p>"))
    return _PAGE.format(steps="".join(steps))


def _quoted(text: str) -> str:
    r"""For the code that phones join a network by, which sets some characters apart.

    >>> _quoted("a;b")
    'a\\;b'
    """
    return "".join(f"\\{sign}" if sign in '\\;,:"' else sign for sign in text)


@click.command()
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--network",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with the name and passphrase of the box's own Wi-Fi; ./install keeps it in /etc/croupier.",
)
@click.option("--port", type=click.IntRange(1, 65535), default=8420, show_default=True, help="The host's port.")
def card(out: Path, network: Path | None, port: int) -> None:
    """Write a page (OUT.html) to print and put beside the tray: how to join the Wi-Fi and open the tables."""
    try:
        if network is None:
            page = card_page(f"http://{socket.gethostname()}.local:{port}/")
        else:
            known = json.loads(network.read_text(encoding="utf-8"))
            page = card_page(f"http://{OWN_ADDRESS}:{port}/", known["ssid"], known["passphrase"])
        out.touch(mode=0o600)
        if out.read_text(encoding="utf-8") != page:
            out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise click.ClickException(f"{network} does not say a Wi-Fi's name and passphrase") from None
