"""While a die is secret, nothing that it shows leaves the device: by no message, log, state, file or picture."""

import json
import logging
from pathlib import Path

import pytest

from device.camera import Frame
from device.errands import errands
from device.host_commands import Command, CommandFailed
from device.situation import Announcer, Situation
from tests.device.test_loop import EMPTY, RED, Bench, film
from vision.reading import Reading

FACE = "red"


def test_a_face_that_is_planted_is_found_nowhere(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    frames: list[Frame] = []
    readings: list[Reading] = []
    told: list[Situation] = []
    bench = Bench(tmp_path, on_frame=frames.append, on_reading=lambda frame, reading: readings.append(reading))
    announcer = Announcer([told.append])
    bench.expect("t.1", "guarded")
    handler = errands(bench.loop, lambda: bench.awaited.mode == "guarded")["calibration-picture"]
    for picture in (film(EMPTY), film(RED), film(EMPTY), film(RED)):
        bench.show(picture)
        announcer.tell(bench.loop.situation)
        with pytest.raises(CommandFailed, match="secret"):
            handler(Command("c1", "calibration-picture"))
    assert bench.outbox.waiting, "that a cube was seen is told"
    for message in bench.outbox.waiting:
        assert (message.body, message.jpeg) == ({"dice": [], "unread": []}, None)
    assert (frames, readings, bench.loop.newest) == ([], [], None)
    said = json.dumps([situation.detail for situation in told]) + caplog.text
    bench.outbox.close()
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert FACE not in said and FACE.encode() not in written
    assert b"\xff\xd8\xff" not in written
    assert {situation.state for situation in told} == {"guarded"}


def test_the_same_bench_does_see_faces_when_none_is_secret(tmp_path: Path) -> None:
    frames: list[Frame] = []
    bench = Bench(tmp_path, on_frame=frames.append)
    bench.show(film(RED))
    handler = errands(bench.loop, lambda: bench.awaited.mode == "guarded")["calibration-picture"]
    assert handler(Command("c1", "calibration-picture")).jpeg is not None
    assert frames
    assert FACE in json.dumps([message.body for message in bench.outbox.waiting])
    bench.outbox.close()
    assert FACE.encode() in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_what_was_seen_before_it_became_secret_is_not_kept(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.show(film(RED), 0.1)
    assert bench.loop.newest is not None
    bench.expect("t.2", "guarded")
    bench.show(film(RED), 1.0)
    assert bench.loop.newest is None
    assert all(not message.body["dice"] for message in bench.outbox.waiting)
    bench.outbox.close()
