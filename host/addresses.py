"""Under which addresses this host is reached, and under which it answers."""

import ipaddress
import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

OWN_WIFI = "10.42.0.1"
"""The number that a Wi-Fi of the machine's own gives it (NetworkManager's shared connections)."""


def lan_address() -> str | None:
    """This machine's address as its neighbours see it, or None. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket only asks the routing table; 192.0.2.1 is reserved for documentation.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None


class Addresses:
    """The addresses of a host that listens on ``listen``; ``public`` is the one that it is told to show, if any."""

    def __init__(
        self, listen: str = "127.0.0.1", public: str | None = None, find_lan: Callable[[], str | None] = lan_address
    ):
        self._listen = listen
        self._public = public.rstrip("/") if public else None
        self._find_lan = find_lan
        self.https_port: int | None = None
        self.authority: Path | None = None
        machine = socket.gethostname().lower()
        self._names = {"localhost", machine, f"{machine}.local", self._public and urlsplit(self._public).hostname}

    def is_own(self, host: str) -> bool:
        """Whether a request with this header ``Host`` is meant for this host.

        A website whose name was made to point here (DNS rebinding) has its own name there, and never a number.

        >>> here = Addresses(public="https://dice.example")
        >>> here.is_own("192.168.1.5:8420"), here.is_own("dice.example"), here.is_own("evil.example:8420")
        (True, True, False)
        """
        name = _name_of(host)
        return name is not None and (name in self._names or is_number(name))

    def for_phones(self, host: str) -> str:
        """The address to show to phones, as a number: names are not found by many of them.

        ``host`` is the header of the request that asks. Its number is the one of the interface by which this host
        was reached, unless that is the machine itself.

        >>> Addresses("0.0.0.0", find_lan=lambda: "192.168.1.5").for_phones("localhost:8420")
        'http://192.168.1.5:8420'
        >>> Addresses("0.0.0.0", find_lan=lambda: "192.168.1.5").for_phones("10.42.0.1:8420")
        'http://10.42.0.1:8420'
        """
        if self._public:
            return self._public
        name = _name_of(host) or ""
        port = urlsplit(f"//{host}").port
        if not is_number(name) or ipaddress.ip_address(name).is_loopback:
            name = (self._find_lan() if self.is_open_to_phones else None) or "127.0.0.1"
        return f"http://{f'[{name}]' if ':' in name else name}{f':{port}' if port else ''}"

    def secure(self, host: str) -> str:
        """The address over HTTPS to show to whoever asked with this header ``Host``.

        >>> addresses = Addresses("0.0.0.0", find_lan=lambda: "192.168.1.5")
        >>> addresses.https_port = 8443
        >>> addresses.secure("192.168.1.5:8420")
        'https://192.168.1.5:8443'
        """
        plain = urlsplit(self.for_phones(host))
        name = plain.hostname or "127.0.0.1"
        return f"https://{f'[{name}]' if ':' in name else name}:{self.https_port}"

    def names(self) -> tuple[str, ...]:
        """Every name and number by which phones may reach this host."""
        numbers = (self._find_lan() if self.is_open_to_phones else None, OWN_WIFI, "127.0.0.1")
        return tuple(dict.fromkeys([*filter(None, numbers), *sorted(filter(None, self._names))]))

    @property
    def is_open_to_phones(self) -> bool:
        """Whether anybody but this machine itself can reach this host."""
        listen = self._listen
        return self._public is not None or not (
            listen == "localhost" or (is_number(listen) and ipaddress.ip_address(listen).is_loopback)
        )

    def join_link(self, host: str, code: str) -> str:
        """The link that the QR code of a table holds."""
        return f"{self.for_phones(host)}/join/{code}"


def is_number(name: str) -> bool:
    """Whether a host is named by its IP address.

    >>> is_number("192.168.1.5"), is_number("fe80::1"), is_number("croupier.local")
    (True, True, False)
    """
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _name_of(host: str) -> str | None:
    try:
        parts = urlsplit(f"//{host}")
        return parts.hostname if parts.port != 0 else None
    except ValueError:
        return None
