"""Where the appliance lies on its machine."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Layout:
    """Every place below ``root``, which only tests set.

    >>> Layout().program
    PosixPath('/opt/croupier/current/bin/croupier')
    """

    root: Path = Path("/")

    @property
    def home(self) -> Path:
        """The program: versions, and links to the one that runs and the one that ran before."""
        return self.root / "opt/croupier"

    @property
    def versions(self) -> Path:
        """A virtual environment for each version that is kept."""
        return self.home / "versions"

    @property
    def current(self) -> Path:
        """Link to the version that runs."""
        return self.home / "current"

    @property
    def previous(self) -> Path:
        """Link to the last version that worked before the current one."""
        return self.home / "previous"

    @property
    def pending(self) -> Path:
        """Exists while an update is neither confirmed nor taken back."""
        return self.home / "update-pending.json"

    @property
    def program(self) -> Path:
        """What the units start."""
        return self.current / "bin/croupier"

    @property
    def command(self) -> Path:
        """What people type."""
        return self.root / "usr/local/bin/croupier"

    @property
    def host_data(self) -> Path:
        """The host's StateDirectory: database and tokens."""
        return self.root / "var/lib/croupier"

    @property
    def device_data(self) -> Path:
        """The device's StateDirectory: its outbox, the calibration profile."""
        return self.root / "var/lib/croupier-device"

    @property
    def snapshots(self) -> Path:
        """What the data was before an update."""
        return self.root / "var/lib/croupier-snapshots"

    @property
    def settings(self) -> Path:
        """The one file that people edit."""
        return self.root / "etc/croupier/settings.toml"

    @property
    def own_wifi(self) -> Path:
        """Name and passphrase of the network that the box opens where it knows none; root's alone."""
        return self.root / "etc/croupier/own-wifi.json"

    @property
    def card(self) -> Path:
        """The card to print, with that name, passphrase and the address; root's alone."""
        return self.root / "etc/croupier/card.html"

    @property
    def name_before(self) -> Path:
        """The name that the machine had before it was called croupier."""
        return self.root / "etc/croupier/name-before"

    @property
    def units(self) -> Path:
        """The administrator's units of systemd."""
        return self.root / "etc/systemd/system"
