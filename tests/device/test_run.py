"""``croupier run`` and ``croupier device``: the appliance on recordings and videos."""

import signal
from pathlib import Path

import cv2
import pytest

from device.camera import CameraEnded, CameraError
from device.host_client import HostClient
from device.recording_folder import load_recording
from device.usb_camera import UsbCamera
from device.video_camera import VideoCamera
from tests.device.program import RECORDING, end, run, running, wait_for


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The film's first throw as a video: 2.9 s at 20 frames a second, in motion JPEG."""
    file = tmp_path_factory.mktemp("video") / "throw.avi"
    recording = load_recording(RECORDING)
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (768, 576))
    for frame, following in zip(recording.frames, recording.frames[1:], strict=False):
        if frame.t < 2.9:
            for _ in range(round((following.t - frame.t) * 20)):
                writer.write(recording.pixels(frame))
    writer.release()
    return file


def client_of(data: Path) -> HostClient:
    address = data / "address"
    wait_for(lambda: address.exists() and (data / "host.pid").exists())
    return HostClient(address.read_text().strip(), (data / "owner-token").read_text().strip())


def test_a_video_is_read_at_a_table_opened_at_the_start(video: Path, tmp_path: Path) -> None:
    opened = ("--game", "vigos-favor", "--players", "Ann,Bob", "--option", "rounds=1")
    shown = ("--public-address", "http://dice.example")
    with running(
        "run", "--camera", f"video:{video}", "--data", tmp_path, "--port", "0", *shown, *opened
    ) as appliance:
        client = client_of(tmp_path)
        wait_for(lambda: client.get("/tables")["tables"])
        table = client.get("/tables")["tables"][0]["table"]
        assert client.get(f"/tables/{table}/joining")["url"].startswith("http://dice.example/join/")
        stake = {"type": "stake", "player": "Ann", "amount": 1}
        client.post(f"/tables/{table}/actions", {"id": "stake", "number": None, "action": stake})
        wait_for(lambda: client.get(f"/tables/{table}")["state"]["favor"] == "red")
        appliance.send_signal(signal.SIGTERM)
        ended = end(appliance)
    assert ended.status == 0
    assert "Ann rolls red" in ended.err
    assert "Traceback" not in ended.err


def test_a_recording_brings_its_own_game(tmp_path: Path) -> None:
    camera = f"recording:{RECORDING}"
    with running("run", "--camera", camera, "--data", tmp_path, "--port", "0", "--speed", "100") as appliance:
        client = client_of(tmp_path)
        wait_for(lambda: client.get("/tables")["tables"])
        table = client.get("/tables")["tables"][0]["table"]
        wait_for(lambda: client.get(f"/tables/{table}")["state"]["phase"] == "over")
        appliance.send_signal(signal.SIGINT)
        assert end(appliance).status == 0


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("run", "--camera", "video:/nowhere.mp4", "--port", "0"), 1, "/nowhere.mp4: this video cannot be opened"),
        (("run", "--camera", "recording:/nowhere"), 1, "/nowhere: no such recording"),
        (("run", "--camera", "polaroid"), 2, "'polaroid' is no camera"),
        (("run", "--players", "A,B"), 2, "go with --game"),
        (("run", "--game", "vigos-favor"), 2, "--game needs --players"),
        (("run", "--game", "vigos-favor", "--players", "A,B", "--option", "rounds"), 2, "is not KEY=JSON"),
        (("run", "--game", "poker", "--players", "A,B", "--port", "0"), 1, "the table cannot be opened"),
        (("device", "--host", "http://127.0.0.1:9", "--camera", "usb:0"), 1, "no token"),
        (("device", "--host", "http://127.0.0.1:9", "--camera", "recording:/nowhere"), 1, "no such recording"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: tuple[str, ...], status: int, message: str, tmp_path: Path
) -> None:
    ended = run(*arguments, "--data", tmp_path)
    assert ended.status == status, ended.err
    assert message in ended.err.splitlines()[-1]
    assert "Traceback" not in ended.err


def test_a_video_gives_its_frames_in_their_time(video: Path) -> None:
    slept: list[float] = []
    with VideoCamera(str(video), clock=lambda: sum(slept), sleep=slept.append) as camera:
        frames = []
        with pytest.raises(CameraEnded):
            while True:
                frames.append(camera.next_frame())
    assert frames[0].pixels.shape == (576, 768, 3)
    assert [round(frame.captured_at, 2) for frame in frames[:3]] == [0.0, 0.05, 0.1]
    assert sum(slept) == pytest.approx(frames[-1].captured_at)
    camera.close()


def test_a_usb_camera_that_is_not_there_is_said() -> None:
    with pytest.raises(CameraError, match="usb:97: no such camera"), UsbCamera(97):
        pass
