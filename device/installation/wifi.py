"""A network of the box's own, for places where it knows none: made once, opened by ``own_wifi`` when it is needed."""

import hashlib
import json
import secrets

from device.installation.commands import is_there, run, succeeds, write_if_new
from device.installation.layout import Layout

CONNECTION = "croupier-own"
"""Its name in NetworkManager."""

_LETTERS = "abcdefghkmnprstuvwxyz23456789"
"""None that is taken for another on paper; 12 of them are 58 bits."""


def add_own_network(layout: Layout) -> bool:
    """Tell NetworkManager of the network, and write down its name and passphrase; false where that was done.

    Raises ``InstallationFailed``. Call it where NetworkManager runs (``has_network_manager``) only.
    """
    if not layout.own_wifi.exists():
        machine = (layout.root / "etc/machine-id").read_bytes()
        # Two boxes in one room have two names.
        ssid = f"Croupier-{hashlib.sha256(machine).hexdigest()[:4]}"
        letters = "".join(secrets.choice(_LETTERS) for _ in range(12))
        known = {"ssid": ssid, "passphrase": f"{letters[:4]}-{letters[4:8]}-{letters[8:]}"}
        write_if_new(layout.own_wifi, json.dumps(known) + "\n", mode=0o600)
    if succeeds("nmcli", "connection", "show", CONNECTION):
        return False
    network = json.loads(layout.own_wifi.read_text(encoding="utf-8"))
    run(
        *("nmcli", "connection", "add", "type", "wifi", "con-name", CONNECTION, "ifname", "*"),
        *("ssid", network["ssid"], "autoconnect", "no"),
        *("802-11-wireless.mode", "ap", "802-11-wireless.band", "bg"),
        *("wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.psk", network["passphrase"]),
        *("ipv4.method", "shared", "ipv4.addresses", "10.42.0.1/24", "ipv6.method", "disabled"),
    )
    return True


def has_network_manager() -> bool:
    """Whether NetworkManager looks after this machine's networks."""
    return is_there("nmcli") and succeeds("nmcli", "general", "status")


def add_card(layout: Layout, port: int) -> bool:
    """The card to print, in root's hands: it shows the passphrase."""
    before = layout.card.read_bytes() if layout.card.exists() else None
    run(layout.program, "card", "--port", str(port), "--network", layout.own_wifi, layout.card)
    return layout.card.read_bytes() != before
