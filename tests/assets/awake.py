"""Makes the videos that keep a screen awake. Needs PyAV (``pip install av``), which the project itself does not."""

from fractions import Fraction
from pathlib import Path
from typing import Any

STATIC = Path(__file__).parents[2] / "host" / "static"
SIDE_PX = 16
SECONDS = 10
FRAMES_PER_S = 2
KINDS = (("awake.webm", "libvpx", "libopus", 48_000), ("awake.mp4", "libx264", "aac", 44_100))


def make(path: Path, video_codec: str, audio_codec: str, rate_hz: int) -> None:
    """Black pictures and a silent track: phones do not keep a screen awake for a video without one."""
    import av  # type: ignore[import-not-found]
    import numpy as np

    with av.open(str(path), "w") as file:
        video: Any = file.add_stream(video_codec, rate=FRAMES_PER_S)
        video.width = video.height = SIDE_PX
        video.pix_fmt = "yuv420p"
        audio: Any = file.add_stream(audio_codec, rate=rate_hz)
        audio.layout, audio.bit_rate = "mono", 8_000
        for number in range(FRAMES_PER_S * SECONDS):
            picture = av.VideoFrame.from_ndarray(np.full((SIDE_PX, SIDE_PX, 3), 13, np.uint8), format="rgb24")
            picture.pts, picture.time_base = number, Fraction(1, FRAMES_PER_S)
            file.mux(video.encode(picture))
        is_float = "flt" in audio.format.name
        count = audio.frame_size or 960
        for start in range(0, rate_hz * SECONDS, count):
            silence = np.zeros((1, count), np.float32 if is_float else np.int16)
            sound = av.AudioFrame.from_ndarray(silence, format=audio.format.name, layout="mono")
            sound.sample_rate, sound.pts = rate_hz, start
            file.mux(audio.encode(sound))
        file.mux(video.encode())
        file.mux(audio.encode())


if __name__ == "__main__":
    for name, video, audio, rate in KINDS:
        make(STATIC / name, video, audio, rate)
