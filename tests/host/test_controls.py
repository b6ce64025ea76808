"""Controls as data: whatever any game awaits has one, and what it sends is taken."""

from random import Random
from typing import Any

import pytest

from host.controls.build import control_for, controls_for, secret_of
from host.controls.control import Control, Ordered, Pick
from host.games.protocol import Awaited, Game
from host.games.registry import GAMES
from tests.games.lawful import lawful_action, random_options, random_players
from tests.games.seeds import seeds
from tests.host.answering import answered

each_game = pytest.mark.parametrize("game", GAMES.games(), ids=lambda game: game.id)

MOST_ACTIONS = 250


@each_game
def test_whatever_is_awaited_has_a_control_whose_answers_are_all_taken(game: Game[Any]) -> None:
    @seeds(12)
    def play(seed: int) -> None:
        rng = Random(seed)
        players = random_players(game, rng)
        state = game.open(players, random_options(game, players, rng))
        for _ in range(MOST_ACTIONS):
            if state.phase == "over":
                break
            after = []
            for player in players:
                entries = [entry for entry in game.awaiting(state) if entry.player == player]
                controls = controls_for(game, state, player)
                assert {control.type for control in controls} == {entry.type for entry in entries}
                for control in controls:
                    for button in control.buttons:
                        after.append(game.apply(state, answered(control, button, rng)))
            state = rng.choice(after)
        if state.phase == "over":
            assert not any(controls_for(game, state, player) for player in players)

    play()


@each_game
def test_whatever_could_be_answered_is_offered(game: Game[Any]) -> None:
    """Every value that random lawful play comes upon stands among the answers of some part, or on a button."""

    @seeds(6)
    def play(seed: int) -> None:
        rng = Random(seed)
        players = random_players(game, rng)
        state = game.open(players, random_options(game, players, rng))
        for _ in range(MOST_ACTIONS):
            if state.phase == "over":
                break
            action = lawful_action(game, state, rng)
            entry = next(e for e in game.awaiting(state) if (e.player, e.type) == (action["player"], action["type"]))
            control = control_for(game.view(state, entry.player), entry)
            assert control is not None
            assert_offers(control, action)
            state = game.apply(state, action)

    play()


def assert_offers(control: Control, action: dict[str, Any]) -> None:
    """The action can be made with the control (whole numbers and dice's bodies aside)."""
    fields = {name: value for name, value in action.items() if name not in ("type", "player", "double", "amount")}
    on_buttons = [dict(button.fields) for button in control.buttons]
    if fields in on_buttons:
        return
    for part in control.parts:
        if not isinstance(part, Pick | Ordered):
            continue
        value: Any = fields
        for name in part.path:
            value = value[name]
        offered = [without_body(answer.value) for answer in part.answers]
        for one in value if isinstance(value, list) else [value]:
            assert without_body(one) in offered


def without_body(value: Any) -> Any:
    """A die as far as its kind and face; anything else as it is."""
    return {"kind": value["kind"], "face": value["face"]} if isinstance(value, dict) and "face" in value else value


def test_a_coin_stands_for_the_cube_in_vigos_favor_alone() -> None:
    vigos, val_des = GAMES.game("vigos-favor"), GAMES.game("val-des")
    state = vigos.apply(vigos.open(("Ana", "Bo")), {"type": "stake", "player": "Ana", "amount": 1})
    (control,) = controls_for(vigos, state, "Ana")
    assert isinstance(control.parts[0], Pick)
    assert [answer.label.english() for answer in control.parts[0].answers] == [
        "red",
        "blue",
        "Heads = red",
        "Tails = blue",
    ]
    state = val_des.open(("Ana", "Bo"))
    for action in (
        {"type": "set", "player": "Bo"},
        {"type": "call", "player": "Ana", "call": "val"},
        {"type": "call", "player": "Bo", "call": "des"},
    ):
        state = val_des.apply(state, action)
    (control,) = controls_for(val_des, state, "Bo")
    assert isinstance(control.parts[0], Pick)
    assert [answer.label.english() for answer in control.parts[0].answers] == ["red", "blue"]


@pytest.mark.parametrize(
    ("players", "share"), [("Vera Ana Bo", "2 each."), ("Vera Ana Bo Chen", "2 each, and what is")]
)
def test_who_may_split_is_told_what_everyone_gets(players: str, share: str) -> None:
    game = GAMES.game("vigos-favor")
    vigo, *others = players.split()
    state = game.apply(game.open((vigo, *others)), {"type": "stake", "player": vigo, "amount": 1})
    for player, face in zip((vigo, *others), ("red", "red", "red", "blue"), strict=False):
        state = game.apply(state, {"type": "roll", "player": player, "dice": [{"kind": "chance-cube", "face": face}]})
    (control,) = controls_for(game, state, "Ana")
    assert control.note is not None and share in control.note.english()


def test_a_supporter_sees_whom_left_and_right_mean_and_what_they_chose() -> None:
    game = GAMES.game("victim")
    state = game.open(("Ana", "Bo", "Chen"))
    for player, face in (("Ana", "6"), ("Bo", "2"), ("Chen", "1")):
        dice = [{"kind": "pip-die", "face": face}]
        state = game.apply(state, {"type": "roll", "player": player, "dice": dice})
    (control,) = controls_for(game, state, "Bo")
    assert control.is_secret
    target = control.parts[1]
    assert isinstance(target, Pick)
    assert [answer.label.english() for answer in target.answers] == [
        "Chen, on your left, the victim",
        "Ana, on your right, the attacker",
    ]
    assert [secret_of(game, state, player) for player in state.players] == [(), (), ()]
    state = game.apply(state, {"type": "intent", "player": "Bo", "target": "right", "die": "sabotage"})
    facts = [(fact.label.english(), fact.value.english()) for fact in secret_of(game, state, "Bo")]
    assert facts == [("Your die", "sabotage (red)"), ("For", "Ana")]
    assert secret_of(game, state, "Ana") == secret_of(game, state, "Chen") == ()


def test_a_player_called_king_is_not_mistaken_for_the_space() -> None:
    game = GAMES.game("king-of-roulette")
    players = ("king", "B", "C", "D", "E", "F", "G")
    state = game.apply(game.open(players), {"type": "vote", "player": "B", "for": "king"})
    assert [fact.value.english() for fact in secret_of(game, state, "B")] == ["king"]


def test_a_game_without_controls_of_its_own_has_its_closed_choices() -> None:
    view = {"game": "somebody-elses", "phase": "x"}
    choice = control_for(view, Awaited("name-colour", "Ana", (), ("colour",), (), "colour", ("mauve", "teal")))
    assert choice is not None and choice.title.english() == "Name colour"
    assert answered(choice, choice.buttons[0], Random(1))["colour"] in ("mauve", "teal")
    assert control_for(view, Awaited("open-ended", "Ana", fields=("anything",))) is None
    assert control_for(view, Awaited("pass", "Ana")) is not None
