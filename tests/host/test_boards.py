"""The boards of all games: drawn from what everybody may see, at every moment of random play, and in words."""

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from host.boards import king_of_roulette, rig, val_des, victim
from host.boards.board import Board
from host.games.protocol import Game
from host.games.registry import GAMES
from tests.games.lawful import Played, play
from tests.games.roulette_sitting import PLAYERS
from tests.games.seeds import seeds
from tests.host.running import OpenTable, RunningHost
from tests.host.test_scoreboard import act, table_of

each_game = pytest.mark.parametrize("game", GAMES.games(), ids=lambda game: game.id)

OF_GAMES = {
    "val-des": val_des.board,
    "victim": victim.board,
    "king-of-roulette": king_of_roulette.board,
    "rig": rig.board,
}


@pytest.mark.parametrize("game_id", OF_GAMES)
def test_every_state_has_a_board_with_all_its_players(game_id: str) -> None:
    game: Game[Any] = GAMES.game(game_id)

    @seeds(8)
    def check(seed: int) -> None:
        played = play(game, Random(seed), most_actions=150)
        for state in played.states:
            view = game.view(state)
            board = OF_GAMES[game_id](view)
            assert [seat.name for seat in board.seats] == list(state.players)
            awaited = {entry.player for entry in game.awaiting(state)}
            assert {seat.name for seat in board.seats if seat.awaited} == awaited
            assert {seat.name for seat in board.seats if seat.winner} == set(state.winners or ())

    check()


def chips(board: Board) -> dict[str, list[str]]:
    """What is said of each player besides their standing."""
    return {seat.name: [chip.text for chip in seat.chips] for seat in board.seats}


def cube(face: str) -> list[dict[str, str]]:
    """A roll of one chance cube."""
    return [{"kind": "chance-cube", "face": face}]


def pips(*faces: str) -> list[dict[str, str]]:
    """A roll of pip dice."""
    return [{"kind": "pip-die", "face": face} for face in faces]


def test_val_des_shows_the_calls_in_their_order_and_every_set() -> None:
    table = table_of("val-des", "Ana", "Bo", "Chen", sets=2)
    board = act(table, "set", "Bo")
    assert {seat.name: seat.standing for seat in board.seats} == {
        "Ana": "calls 2nd",
        "Bo": "calls 3rd",
        "Chen": "calls next",
    }
    assert [seat.title for seat in board.seats] == [None, "Caster", None]
    board = act(table, "call", "Chen", call="des")
    assert chips(board)["Chen"] == ["des"] and board.content["cup"] == "The cup is down"
    act(table, "call", "Ana", call="val")
    act(table, "call", "Bo", call="des")
    board = act(table, "roll", "Bo", dice=cube("blue"))
    assert board.subtitle == "Set 2 of 2"
    assert [(one["title"], one["call"], one["names"]) for one in board.content["history"]] == [
        ("Set 1", "des", "Chen, Bo")
    ]


def test_victim_hides_the_intent_until_it_is_open() -> None:
    table = table_of("victim", "Ana", "Bo", "Chen")
    for player, face in (("Ana", "6"), ("Bo", "2"), ("Chen", "1")):
        board = act(table, "roll", player, dice=pips(face))
    assert [seat.title for seat in board.seats] == ["Attacker", "Supporter", "Victim"]
    assert board.content["intent"]["text"] == "nothing chosen yet"
    board = act(table, "intent", "Bo", target="left", die="sabotage")
    assert board.content["intent"] == {"text": "chosen, hidden", "is_hidden": True}
    act(table, "roll", "Ana", dice=pips("5", "4"))
    board = act(table, "roll", "Chen", dice=pips("3", "3"))
    assert board.content["intent"]["text"] == "sabotage die, for Chen"
    assert [side["total"] for side in board.content["sides"]] == [9, 6]
    board = act(table, "roll", "Bo", dice=[{"kind": "action-die", "body": "red", "face": "white"}])
    assert board.content["last"]["outcome"] == "Ana hits Chen"
    assert [seat.health for seat in board.seats] == [(5, 5), (5, 5), (4, 5)]


def test_king_of_roulette_opens_the_spaces_only_once_all_are_in() -> None:
    table = table_of("king-of-roulette", *PLAYERS)
    king, *bettors = PLAYERS
    for player in PLAYERS:
        act(table, "vote", player, **{"for": king})
    for player in bettors:
        board = act(table, "bet", player, space="3")
    assert not any(space["bettors"] or space["pays"] for space in board.content["spaces"])
    assert board.content["caption"] == "Bets are secret until all are in."
    board = act(table, "rule", king, one=["1", "2"], two="3", guess="6")
    third = board.content["spaces"][2]
    assert (third["pays"], third["bettors"]) == ("earns 2", bettors)
    assert board.content["guess"] == f"{king} guessed that 6 earn: +1."


def test_rig_shows_queues_from_the_top_and_what_the_rigs_lack() -> None:
    table = table_of("rig", "Ana", "Bo")
    faces = {
        "Ana": ("black +", "red +", "blue blank", "gold blank"),
        "Bo": ("black -", "red -", "green +", "purple +"),
    }
    for player, shown in faces.items():
        board = act(table, "roll", player, dice=[{"kind": "rig-die", "face": face} for face in shown])
    assert [seat.title for seat in board.seats] == ["goes first", None]
    tokens = [{"color": "black", "side": "component"}, {"color": "red", "side": "action"}]
    board = act(table, "collect", "Ana", tokens=tokens)
    side = board.content["sides"]["Ana"]
    assert [token["name"] for token in side["queue"]] == ["gyro", "sabotage"]
    assert side["tally"] == "tally +2" and [slot["count"] for slot in side["rig"]] == [0] * 6
    assert {one["color"]: one["count"] for one in board.content["salvage"]}["black"] == 4


def carried_out(host: RunningHost, played: Played, players: tuple[str, ...]) -> OpenTable:
    """A game of random play on a running host, by players of these names."""
    named = dict(zip(played.players, players, strict=True))

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return {renamed(key): renamed(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [renamed(inner) for inner in value]
        return named.get(value, value) if isinstance(value, str) else value

    table = host.open(*players, game=played.game.id, **renamed(played.options))
    for action in played.actions:
        fields = {name: renamed(value) for name, value in action.items() if name not in ("type", "player")}
        assert table.act(action["type"], named[action["player"]], **fields).status == 200
    return table


@each_game
def test_the_page_of_a_finished_game_names_who_won(shared_host: RunningHost, game: Game[Any]) -> None:
    seed = next(
        seed for seed in range(100) if (played := play(game, Random(seed))).is_over and played.states[-1].winners
    )
    played = play(game, Random(seed))
    table = carried_out(shared_host, played, played.players)
    page = shared_host.call("GET", f"/tables/{table.id}").body.decode()
    assert page.count('class="chip won"') == len(played.states[-1].winners)
    assert page.count('class="result"') == 1


SHOWN = ".seats .seat, .middle > :not(.roulette), .spaces, .duel > *, .prompt, .aside > *"

OVERLAPS = """(selector) => {
    const shown = [...document.querySelectorAll(selector)];
    const boxes = shown.map((each) => each.getBoundingClientRect());
    const before = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 1;
    const apart = (a, b) => before(a, b) || before(b, a);
    return boxes.flatMap((a, i) => boxes.slice(i + 1).map((b, j) => [a, b, shown[i], shown[i + 1 + j]]))
        .filter(([a, b]) => !apart(a, b)).map(([a, b, one, other]) => `${one.className} / ${other.className}`);
}"""


@pytest.mark.browser
def test_nothing_lies_on_anything_else_with_the_longest_names(shared_host: RunningHost, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    for game_id in OF_GAMES:
        game = GAMES.game(game_id)
        played = play(game, Random(2), most_actions=45)
        names = tuple(f"Maximilian der Große {number:02}" for number in range(len(played.players)))
        table = carried_out(shared_host, played, names)
        for width, height in ((1920, 1080), (360, 740)):
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{shared_host.address}/tables/{table.id}")
            assert page.evaluate(OVERLAPS, SHOWN) == [], game_id
            assert page.evaluate("document.documentElement.scrollWidth") <= width, game_id
    page.close()
