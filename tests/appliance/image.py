"""Debian 13 as a disk for qemu, made once and kept outside the repository."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
AGENT = Path(__file__).with_name("agent.py")

PACKAGES = (
    *("systemd", "systemd-sysv", "udev", "dbus", "kmod", "iproute2", "ca-certificates"),
    *("linux-image-amd64", "initramfs-tools", "zstd"),
    # What `./install` would fetch, so that the machine needs no internet: Debian has no picamera2 and no lgpio.
    *("python3", "python3-venv", "python3-opencv", "python3-numpy", "python3-pil", "python3-gpiozero"),
    *("avahi-daemon", "network-manager", "wpasupplicant", "dnsmasq-base"),
)
TOOLS = {"mmdebstrap": "mmdebstrap", "mke2fs": "e2fsprogs", "qemu-system-x86_64": "qemu-system-x86"}

MODULES = "virtio_pci\nvirtio_blk\next4\n"
"""All that the initrd needs to find the disk; a smaller one boots seconds sooner in emulation."""

DISK_MB = 4096

AGENT_UNIT = """[Unit]
Description=Takes the test's orders
DefaultDependencies=no
After=systemd-tmpfiles-setup-dev.service
[Service]
ExecStart=/usr/bin/python3 /usr/local/lib/agent.py
Restart=always
RestartSec=0.2
[Install]
WantedBy=multi-user.target
"""


class CannotMake(RuntimeError):
    """This machine cannot make the image; the text is one line that says what to do."""


@dataclass(frozen=True)
class Image:
    """A disk to start from (never written to), and what boots it."""

    disk: Path
    kernel: Path
    initrd: Path


def cache() -> Path:
    """Where images and wheels are kept: CROUPIER_CACHE, else ~/.cache/croupier."""
    return Path(os.environ.get("CROUPIER_CACHE") or Path.home() / ".cache" / "croupier") / "appliance"


def require_tools() -> None:
    """Raises ``CannotMake`` where a program is missing."""
    missing = [package for program, package in TOOLS.items() if shutil.which(program, path=_path()) is None]
    if missing:
        raise CannotMake(f"needs {', '.join(missing)}: sudo apt install --no-install-recommends {' '.join(missing)}")


def base_image() -> Image:
    """The machine before Croupier is installed, from the cache where it is there."""
    require_tools()
    made_of = "".join(file.read_text(encoding="utf-8") for file in (AGENT, Path(__file__)))
    folder = cache() / f"debian13-{hashlib.sha256(made_of.encode()).hexdigest()[:12]}"
    image = Image(folder / "disk.ext4", folder / "vmlinuz", folder / "initrd")
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=_made(cache()), prefix="making-") as making:
            _make(Path(making))
            (Path(making) / "done").rename(folder)
    return image


def disk_of(folder: Path, disk: Path, size_mb: int) -> None:
    """Write an ext4 disk that holds the folder's content."""
    disk.unlink(missing_ok=True)
    _run("mke2fs", "-q", "-t", "ext4", "-d", folder, "-E", "root_owner=0:0", disk, f"{size_mb}M")


def working_tree(into: Path) -> None:
    """A copy of what git would see of the working tree: tracked files and new ones that it does not ignore."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, into / name)


def _make(making: Path) -> None:
    root, done = making / "root", _made(making / "done")
    hooks = (
        f'mkdir -p "$1/etc/initramfs-tools/conf.d"; echo MODULES=list > "$1/etc/initramfs-tools/conf.d/small";'
        f" printf '{MODULES}' > \"$1/etc/initramfs-tools/modules\"",
    )
    _run(
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
    (root / "etc/fstab").write_text("/dev/vda / ext4 defaults 0 1\n/dev/vdb /mnt ext4 ro,nofail 0 0\n")
    shutil.copy(AGENT, root / "usr/local/lib/agent.py")
    (root / "etc/systemd/system/agent.service").write_text(AGENT_UNIT)
    wants = _made(root / "etc/systemd/system/multi-user.target.wants")
    (wants / "agent.service").symlink_to("/etc/systemd/system/agent.service")
    # qemu's network is set up by networkd, so that NetworkManager sees a box that knows no network at all.
    (root / "etc/systemd/network/wired.network").write_text("[Match]\nName=e*\n[Network]\nDHCP=ipv4\n")
    (wants / "systemd-networkd.service").symlink_to("/usr/lib/systemd/system/systemd-networkd.service")
    _made(root / "etc/NetworkManager/conf.d").joinpath("wired.conf").write_text(
        "[keyfile]\nunmanaged-devices=interface-name:e*\n"
    )
    for timer in ("apt-daily.timer", "apt-daily-upgrade.timer", "fstrim.timer", "e2scrub_all.timer"):
        (root / "etc/systemd/system" / timer).symlink_to("/dev/null")


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _path() -> str:
    return f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"


def _run(*command: str | Path) -> None:
    try:
        subprocess.run(
            [*map(str, command)], env=os.environ | {"PATH": _path()}, check=True, capture_output=True, text=True
        )
    except subprocess.CalledProcessError as failed:
        last = (failed.stderr.strip() or failed.stdout.strip() or "no word").splitlines()[-1]
        raise CannotMake(f"{command[0]} failed: {last}") from None
