import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner, Result

from calibration.commands import mat


def _run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(mat, [str(argument) for argument in arguments])


@pytest.mark.parametrize(("name", "start"), [("a.pdf", b"%PDF-"), ("a.svg", b"<?xml"), ("a.PNG", b"\x89PNG")])
def test_writes_the_form_that_the_name_asks_for(tmp_path: Path, name: str, start: bytes) -> None:
    result = _run(tmp_path / name)
    assert result.exit_code == 0
    assert result.output.startswith(f"{tmp_path / name}: the croupier mat on A4.")
    assert (tmp_path / name).read_bytes().startswith(start)


def test_paper_and_resolution(tmp_path: Path) -> None:
    result = _run(tmp_path / "mat.png", "--paper", "letter", "--dpi", "100", "--json")
    assert json.loads(result.output) == {
        "file": str(tmp_path / "mat.png"),
        "paper": "letter",
        "format": "png",
        "width_mm": 279.4,
        "height_mm": 215.9,
        "dpi": 100,
    }
    picture = cv2.imread(str(tmp_path / "mat.png"))
    assert picture is not None
    assert picture.shape == (850, 1100, 3)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["mat.gif"], "mat.gif: the name must end in .pdf, .svg or .png"),
        (["mat"], "mat: the name must end in .pdf, .svg or .png"),
        (["mat.pdf", "--dpi", "300"], "--dpi is for .png only"),
        (["mat.png", "--dpi", "0"], "0 is not in the range 50<=x<=1200"),
        (["mat.png", "--paper", "a5"], "'a5' is not one of 'a4', 'letter'"),
    ],
)
def test_wrong_use_is_told(arguments: list[str], says: str) -> None:
    result = _run(*arguments)
    assert result.exit_code == 2
    assert says in result.stderr


def test_a_file_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    result = _run(tmp_path / "missing" / "mat.pdf")
    assert result.exit_code == 1
    assert result.stderr == f"Error: could not write {tmp_path}/missing/mat.pdf: No such file or directory\n"
    assert _run(tmp_path / "missing.pdf" / "mat.svg").exit_code == 1
