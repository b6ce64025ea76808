"""Debian 13 as a disk for qemu, made once and kept outside the repository."""

import hashlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.appliance.making import CannotMake, cache, disk_of, made, run

AGENT = Path(__file__).with_name("agent.py")

PACKAGES = (
    *("systemd", "systemd-sysv", "udev", "dbus", "kmod", "iproute2", "ca-certificates"),
    *("linux-image-amd64", "initramfs-tools", "zstd"),
    # What `./install` would fetch, so that the machine needs no internet: Debian has no picamera2 and no lgpio.
    *("python3", "python3-venv", "python3-opencv", "python3-numpy", "python3-pil", "python3-gpiozero"),
    *("avahi-daemon", "network-manager", "wpasupplicant", "dnsmasq-base"),
)
MODULES = "virtio_pci\nvirtio_blk\next4\n"
"""All that the initrd needs to find the disk; a smaller one boots seconds sooner in emulation."""

DISK_MB = 4096

SOURCE = "/dev/vdb /mnt ext4 ro,nofail,x-systemd.device-timeout=900,x-systemd.mount-timeout=900"
"""What is installed from, for /etc/fstab. On a busy machine a minute and a half are too short to find a disk in."""

AGENT_UNIT = """[Unit]
Description=Takes the test's orders
DefaultDependencies=no
After=systemd-tmpfiles-setup-dev.service
# It ends, and is started again, until somebody listens.
StartLimitIntervalSec=0
[Service]
ExecStart=/usr/bin/python3 /usr/local/lib/agent.py
Restart=always
RestartSec=0.2
[Install]
WantedBy=multi-user.target
"""


@dataclass(frozen=True)
class Image:
    """A disk to start from (never written to), and what boots it."""

    disk: Path
    kernel: Path
    initrd: Path


def base_image() -> Image:
    """The machine before Croupier is installed, from the cache where it is there."""
    made_of = "".join(file.read_text(encoding="utf-8") for file in (AGENT, Path(__file__)))
    folder = cache() / f"debian13-{hashlib.sha256(made_of.encode()).hexdigest()[:12]}"
    image = Image(folder / "disk.ext4", folder / "vmlinuz", folder / "initrd")
    if not folder.exists():
        if os.geteuid() != 0:
            raise CannotMake("needs root to make the image, whose files are root's")
        with tempfile.TemporaryDirectory(dir=made(cache()), prefix="making-") as making:
            _make(Path(making))
            (Path(making) / "done").rename(folder)
    return image


def _make(making: Path) -> None:
    root, done = making / "root", made(making / "done")
    hooks = (
        f'mkdir -p "$1/etc/initramfs-tools/conf.d"; echo MODULES=list > "$1/etc/initramfs-tools/conf.d/small";'
        f" printf '{MODULES}' > \"$1/etc/initramfs-tools/modules\"",
    )
    run(
        "mmdebstrap",
        "--quiet",
        "--variant=minbase",
        f"--include={','.join(PACKAGES)}",
        '--aptopt=APT::Install-Recommends "false"',
        *(f"--dpkgopt=path-exclude=/usr/share/{unread}/*" for unread in ("man", "doc", "locale")),
        *(f"--essential-hook={hook}" for hook in hooks),
        "trixie",
        root,
        "http://deb.debian.org/debian",
        apart=True,
    )
    _prepare(root)
    for name in ("vmlinuz", "initrd"):
        newest = sorted((root / "boot").glob(f"{name}*"))[-1]
        shutil.copy(newest, done / name)
    disk_of(root, done / "disk.ext4", DISK_MB)


def _prepare(root: Path) -> None:
    """What makes a bare Debian a machine that the test can talk to."""
    (root / "etc/hostname").write_text("debian\n")
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n127.0.1.1 debian\n")
    (root / "etc/fstab").write_text(f"/dev/vda / ext4 defaults 0 1\n{SOURCE} 0 0\n")
    shutil.copy(AGENT, root / "usr/local/lib/agent.py")
    (root / "etc/systemd/system/agent.service").write_text(AGENT_UNIT)
    wants = made(root / "etc/systemd/system/multi-user.target.wants")
    (wants / "agent.service").symlink_to("/etc/systemd/system/agent.service")
    # qemu's network is set up by networkd, so that NetworkManager sees a box that knows no network at all.
    (root / "etc/systemd/network/wired.network").write_text("[Match]\nName=e*\n[Network]\nDHCP=ipv4\n")
    (wants / "systemd-networkd.service").symlink_to("/usr/lib/systemd/system/systemd-networkd.service")
    made(root / "etc/NetworkManager/conf.d").joinpath("wired.conf").write_text(
        "[keyfile]\nunmanaged-devices=interface-name:e*\n"
    )
    for timer in ("apt-daily.timer", "apt-daily-upgrade.timer", "fstrim.timer", "e2scrub_all.timer"):
        (root / "etc/systemd/system" / timer).symlink_to("/dev/null")
