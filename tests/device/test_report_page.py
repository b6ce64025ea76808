"""``croupier replay --html``: a page of its own with every die that was wrong or unread."""

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.device.program import RECORDING, run

PIPS = RECORDING.parent / "pip-dice-tidy"


class Page(HTMLParser):
    """The tags of a page, each with its attributes, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Of a recording with a label changed and a die added: one is wrong, one unread; its name is no friend."""
    folder = tmp_path_factory.mktemp("report")
    shutil.copytree(PIPS, folder / "pips")
    about = (folder / "pips/recording.toml").read_text()
    hostile = "name = '<script src=http://example.org/x></script>'"
    (folder / "pips/recording.toml").write_text(re.sub(r"name = .*", hostile, about))
    frames = [json.loads(line) for line in (folder / "pips/frames.jsonl").read_text().splitlines()]
    first = frames[0]["dice"]
    first[0]["face"] = "1" if first[0]["face"] != "1" else "2"
    first.append({"kind": "pip-die", "body": "white", "face": "4", "center_px": [120, 120]})
    (folder / "pips/frames.jsonl").write_text("".join(json.dumps(frame) + "\n" for frame in frames))
    ended = run("replay", "--html", folder / "out", folder / "pips")
    assert (ended.status, ended.err) == (1, "")
    return (folder / "out/replay.html").read_text()


def test_it_shows_each_die_that_was_not_right_with_its_truth(page: str) -> None:
    found = Page(page)
    assert [attrs.get("class") for tag, attrs in found.tags if tag == "figure" and "class" in attrs] == [
        "wrong",
        "left",
    ]
    assert "left unread" in found.words and "white pip die, 4" in found.words
    assert re.search(r"read as yellow pip die, \dis yellow pip die, 1", found.words)
    for stage in ("mat", "light", "solids", "faces"):
        assert stage in found.words
    assert found.words.count("The whole picture") == 1


def test_it_needs_nothing_but_itself(page: str) -> None:
    found = Page(page)
    assert not {tag for tag, _ in found.tags} & {"script", "link", "iframe", "object"}
    sources = [attrs["src"] or "" for tag, attrs in found.tags if tag == "img"]
    assert len(sources) >= 6 and all(source.startswith("data:image/jpeg;base64,") for source in sources)
    assert "http" not in re.sub(r'src="data:[^"]*"', "", page).replace("http://example.org", "")
    assert "&lt;script" in page


def test_a_page_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = run("replay", "--html", tmp_path / "file" / "page.html", PIPS)
    assert (ended.status, ended.err.count("\n")) == (1, 1)
    assert "cannot be written" in ended.err
