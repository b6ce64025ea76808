"""Pictures as files: the newest are kept, also over a restart, and no id leads out of the directory."""

import os
from pathlib import Path

import pytest

from host.pictures import Pictures


def test_the_newest_pictures_are_kept(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path / "pictures", kept=3)
    for number in range(5):
        pictures.add(f"r{number}", b"jpeg %d" % number)
    assert [name for name in ("r0", "r1", "r2", "r3", "r4") if name in pictures] == ["r2", "r3", "r4"]
    assert pictures.get("r1") is None and pictures.get("r4") == b"jpeg 4"
    assert len(list((tmp_path / "pictures").iterdir())) == 3


def test_a_restart_finds_them_in_their_order(tmp_path: Path) -> None:
    before = Pictures(tmp_path)
    for number, name in enumerate(("c", "a", "b")):
        before.add(name, name.encode())
        os.utime(tmp_path / f"{name}.jpg", (number, number))
    (tmp_path / "half.new").write_bytes(b"half")
    after = Pictures(tmp_path, kept=2)
    assert "c" not in after and after.get("a") == b"a"
    after.add("d", b"d")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.jpg", "d.jpg"]


@pytest.mark.parametrize("name", ["../owner-token", "a/b", "", "a b", "x" * 65, "..%2fcroupier"])
def test_no_other_file_is_reached(tmp_path: Path, name: str) -> None:
    (tmp_path / "owner-token.jpg").write_bytes(b"secret")
    pictures = Pictures(tmp_path / "pictures")
    assert pictures.get(name) is None and name not in pictures
    with pytest.raises(ValueError, match="names no picture"):
        pictures.add(name, b"jpeg")


def test_a_picture_that_is_gone_is_only_not_there(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path)
    pictures.add("r1", b"jpeg")
    (tmp_path / "r1.jpg").unlink()
    assert pictures.get("r1") is None
    pictures.discard("r1")
    pictures.discard("r1")
    assert "r1" not in pictures
