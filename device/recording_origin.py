"""Where the frames of a recording are from: what ``recording.toml`` says of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.cameras import CameraChoice
from device.recording import Recording
from device.recording_folder import DEFAULT_FPS, read_toml


@dataclass(frozen=True, slots=True)
class Origin:
    """``source``, what is known of the ``camera``, and the file of the tray's ``profile`` where there may be one."""

    source: str = "photographed"
    camera: Mapping[str, Any] = field(default_factory=dict)
    fps: float = DEFAULT_FPS
    profile: Path | None = None


def origin_of(camera: CameraChoice, recording: Recording | None, profile: Path) -> Origin:
    """That of a camera; frames of a recording that is played are from where that one says that they are."""
    if recording is None:
        return Origin(camera={"lens": str(camera)}, profile=profile)
    about = read_toml(recording.folder / "recording.toml")
    return Origin(recording.source or "", about.get("camera", {}), recording.fps, recording.folder / "profile.json")
