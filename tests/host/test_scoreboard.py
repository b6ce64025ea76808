"""How states become boards: the words and marks of Vigo's Favor, and of a game without a drawing of its own."""

from typing import Any

from host.games.registry import GAMES
from host.records import Entry, SeatedTable
from host.scoreboard import Board, board_of, headline, plain_board
from host.table import Table

NOW = "2026-05-04T20:15:00.000Z"


def table_of(game_id: str, *players: str, **options: Any) -> Table:
    """A table in memory."""
    return Table(SeatedTable("k3f9", game_id, players, options, NOW), GAMES.game(game_id))


def act(table: Table, kind: str, player: str, **fields: Any) -> Board:
    """Carry out an action; the board afterwards."""
    action = {"type": kind, "player": player, **fields}
    table.append(Entry("k3f9", table.number + 1, "action", action, "owner", NOW))
    return board_of(table.snapshot())


def roll(table: Table, player: str, face: str) -> Board:
    """Roll a chance cube."""
    return act(table, "roll", player, dice=[{"kind": "chance-cube", "face": face}])


def standings(board: Board) -> dict[str, str | None]:
    """Each player's standing in words."""
    return {seat.name: seat.standing for seat in board.seats}


def test_a_round_of_vigos_favor_in_words() -> None:
    table = table_of("vigos-favor", "Vera", "Ana", "Bo", "Chen", mercy=True)
    board = board_of(table.snapshot())
    assert [seat.title for seat in board.seats] == ["Vigo", None, None, None]
    assert [figure.value for figure in board.figures] == ["0", "–", "not rolled"]
    act(table, "stake", "Vera", amount=1_000)
    board = roll(table, "Vera", "red")
    assert standings(board) == {"Vera": None, "Ana": "to roll", "Bo": "to roll", "Chen": "to roll"}
    assert [seat.name for seat in board.seats if seat.awaited] == ["Ana"]
    assert [(figure.value, figure.face) for figure in board.figures][2] == ("red", "red")
    roll(table, "Ana", "red")
    board = roll(table, "Bo", "blue")
    assert standings(board) == {"Vera": None, "Ana": "in favor", "Bo": "missed", "Chen": "to roll"}
    board = act(table, "mercy", "Bo", buy=False)
    assert standings(board)["Bo"] == "out"
    board = roll(table, "Chen", "red")
    assert [seat.score.value for seat in board.seats if seat.score] == ["−2,000", "−1,000", "−1,000", "−1,000"]
    board = act(table, "decide", "Ana", choice="split")
    assert standings(board) == {"Vera": None, "Ana": "would split", "Bo": "out", "Chen": "in favor"}
    board = act(table, "decide", "Chen", choice="split")
    assert board.note == "Round 1: split; Ana takes 2,500, Chen takes 2,500." and board.subtitle == "Round 2 of 4"


def test_a_challenge_names_the_challenger() -> None:
    table = table_of("vigos-favor", "Vera", "Ana", "Bo", rounds=1)
    act(table, "stake", "Vera", amount=1)
    for player, face in (("Vera", "red"), ("Ana", "red"), ("Bo", "blue")):
        roll(table, player, face)
    board = act(table, "decide", "Ana", choice="challenge")
    assert standings(board) == {"Vera": None, "Ana": "challenges", "Bo": "out"}
    act(table, "raise", "Vera", amount=1)
    roll(table, "Vera", "blue")
    board = roll(table, "Ana", "blue")
    assert [seat.name for seat in board.seats if seat.winner] == ["Ana"]
    assert headline(table.snapshot()) == "Ana wins."


def test_a_game_without_a_drawing_shows_its_keys() -> None:
    table = table_of("val-des", "Ana", "Bo", "Chen", ante=2)
    act(table, "set", "Bo")
    board = plain_board(table.snapshot().view(None))
    assert {figure.label: figure.value for figure in board.figures} == {"Set": "1", "Pot": "6"}
    assert standings(board) == {"Ana": None, "Bo": None, "Chen": "to call"}
    assert "Caster" in {figure.label for figure in board.details}
