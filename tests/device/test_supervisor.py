"""The supervisor: children that are killed, give up, or are done."""

import os
import signal
import socket
from pathlib import Path

import psutil
import pytest

from device.supervisor import Child, ChildFailed, Supervisor, is_free
from tests.device.program import RECORDING, running, wait_for


def host(data: Path, port: str = "0") -> Child:
    return Child("host", ("host", "--data", str(data), "--port", port))


def pid(folder: Path) -> int:
    return int((folder / "host.pid").read_text())


def test_a_killed_child_is_started_again_and_all_end_with_the_supervisor(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        supervisor.start(host(tmp_path))
        first = pid(tmp_path)
        os.kill(first, signal.SIGKILL)
        supervisor.wait(lambda: pid(tmp_path) != first)
        second = pid(tmp_path)
        assert psutil.pid_exists(second)
        assert not supervisor.is_done("host")
    assert not psutil.pid_exists(second)
    assert not (tmp_path / "host.pid").exists()


def test_a_child_that_gives_up_is_not_started_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    with Supervisor(tmp_path) as supervisor:
        supervisor.start(host(tmp_path / "file"))
        with pytest.raises(ChildFailed):
            supervisor.wait(lambda: False)
        assert supervisor.is_done("host")
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_a_patient_child_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Supervisor(tmp_path) as supervisor:
        supervisor.start(Child("host", ("host", "--data", str(tmp_path / "file")), is_patient=True))
        first = pid(tmp_path)
        supervisor.wait(lambda: pid(tmp_path) != first)


def test_a_child_whose_work_is_done_is_left_alone(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        supervisor.start(Child("reader", ("read", str(RECORDING / "frames/000059.jpg"))))
        supervisor.wait(lambda: supervisor.is_done("reader"))


def test_lines_that_are_unsaid_are_not_passed_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    failing = ("host", "--data", str(tmp_path / "file"))
    with Supervisor(tmp_path) as supervisor:
        supervisor.start(Child("quiet", failing, unsaid=("croupier host: Invalid",)))
        supervisor.start(Child("open", failing, unsaid=("something else",)))
        with pytest.raises(ChildFailed):
            supervisor.wait(lambda: False)
        with pytest.raises(ChildFailed):
            supervisor.wait(lambda: False)
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_a_supervisor_that_is_killed_takes_its_children_with_it(tmp_path: Path) -> None:
    with running("demo", "--data", tmp_path, "--port", "0") as demo:
        wait_for((tmp_path / "device.pid").exists)
        children = [int((tmp_path / f"{name}.pid").read_text()) for name in ("host", "device")]
        demo.kill()
        demo.communicate()
    wait_for(lambda: not any(psutil.pid_exists(child) for child in children))


def test_whether_a_port_is_free() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert not is_free(port, "127.0.0.1")
    assert is_free(port, "127.0.0.1")
