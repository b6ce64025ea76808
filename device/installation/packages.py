"""Debian's packages that the program needs, and those that it goes without where this system has none."""

from device.installation.commands import run, succeeds

NEEDED = ("python3-venv", "python3-numpy", "python3-opencv", "python3-pil", "avahi-daemon")
OF_A_PI = ("python3-picamera2", "python3-gpiozero", "python3-lgpio")
"""Raspberry Pi OS has all of them; Debian has gpiozero alone."""

WITHOUT = {
    "python3-picamera2": "no camera of a Pi here: a USB camera, a video or a recording stands in",
    "python3-gpiozero": "no light, LED or button here",
    "python3-lgpio": "no light, LED or button here",
}


def install_packages() -> tuple[bool, list[str]]:
    """Install what is missing: whether anything was, and what this system has no package for.

    Raises ``InstallationFailed`` where apt cannot.
    """
    missing = [name for name in (*NEEDED, *OF_A_PI) if not is_installed(name)]
    if not missing:
        return False, []
    unknown = [name for name in missing if name in OF_A_PI and not is_offered(name)]
    wanted = [name for name in missing if name not in unknown]
    if wanted:
        run("apt-get", "update", "-q")
        unknown = [name for name in unknown if not is_offered(name)]
        wanted = [name for name in missing if name not in unknown]
        run("apt-get", "install", "-q", "-y", "--no-install-recommends", *wanted, DEBIAN_FRONTEND="noninteractive")
    return bool(wanted), unknown


def is_installed(name: str) -> bool:
    """Whether dpkg has it."""
    return succeeds("dpkg", "--status", name) and "install ok installed" in run("dpkg", "--status", name)


def is_offered(name: str) -> bool:
    """Whether apt could install it."""
    return "Candidate: (none)" not in (said := run("apt-cache", "policy", name)) and "Candidate:" in said
