"""The transcripts say what the games do now; every game has one, and in it everybody's view."""

from pathlib import Path

import pytest

from host.games.registry import games
from tests.games.playthrough import FOLDER, transcript

TRANSCRIPTS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript_is_what_happens(path: Path) -> None:
    """If the change is meant: ``python -m tests.games.playthrough --write``, and read the difference."""
    text = path.read_text(encoding="utf-8")
    assert transcript(text) == text


def test_every_game_has_a_transcript_to_its_end() -> None:
    for game in games():
        texts = [path.read_text(encoding="utf-8") for path in TRANSCRIPTS if path.stem.startswith(game.id + "-")]
        assert texts, f"no transcript of {game.id}: python -m tests.games.playthrough --new {game.id}"
        assert any('everybody: phase = "over"' in text for text in texts), game.id


def test_transcripts_belong_to_registered_games() -> None:
    ids = {game.id for game in games()}
    assert {path.stem.rpartition("-")[0] for path in TRANSCRIPTS} == ids
