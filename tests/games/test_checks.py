"""The checks that every game shares, where no game of the five shows them all."""

from typing import Any

import pytest

from host.games.checks import check_players, wrong_dice
from host.games.protocol import DiceGroup
from host.games.sentence import BadSetup

NEUTRAL = (DiceGroup("action-die", body="black"),)
TWO_BODIES = (DiceGroup("pip-die", body="white"), DiceGroup("pip-die", 2, body="yellow"))


def pip(face: str, **body: Any) -> dict[str, Any]:
    return {"kind": "pip-die", "face": face, **body}


def test_dice_without_a_body_take_the_groups_that_are_left() -> None:
    assert wrong_dice([pip("1"), pip("2", body=None), pip("3", body="white")], TWO_BODIES) is None
    wrong = wrong_dice([pip("1"), pip("2", body="white"), pip("3", body="white")], TWO_BODIES)
    assert wrong is not None and wrong.slug == "wrong-body"


def test_a_face_that_the_awaited_body_lacks() -> None:
    """A green neutral face, whether the die names its body or not."""
    bodies: tuple[dict[str, Any], ...] = ({}, {"body": None}, {"body": "black"})
    for body in bodies:
        wrong = wrong_dice([{"kind": "action-die", "face": "green", **body}], NEUTRAL)
        assert wrong is not None and wrong.slug == "wrong-face"
    assert wrong_dice([{"kind": "action-die", "face": "red"}], NEUTRAL) is None


def test_any_body_will_do_where_none_is_awaited() -> None:
    number = (DiceGroup("number-die"),)
    assert wrong_dice([{"kind": "number-die", "face": "12", "body": "mother of pearl"}], number) is None
    bodies: tuple[Any, ...] = (1, True, [], {})
    for body in bodies:
        wrong = wrong_dice([{"kind": "number-die", "face": "12", "body": body}], number)
        assert wrong is not None and wrong.slug == "body-not-a-word"


@pytest.mark.parametrize(
    ("die", "slug"),
    [
        (None, "not-a-die"),
        ([], "not-a-die"),
        ({}, "not-a-die"),
        ({"kind": "pip-die"}, "not-a-die"),
        ({"kind": "pip-die", "face": 1}, "not-a-die"),
        ({"kind": ["pip-die"], "face": "1"}, "not-a-die"),
        ({"kind": "pip-die", "face": "1", "count": 1}, "unknown-key"),
        ({"kind": "d6", "face": "1"}, "wrong-kind"),
        ({"kind": "pip-die", "face": "7"}, "wrong-face"),
        ({"kind": "pip-die", "face": "1", "body": "green"}, "wrong-body"),
        ({"kind": "pip-die", "face": "1", "body": ""}, "wrong-body"),
    ],
)
def test_what_is_wrong_with_a_die(die: Any, slug: str) -> None:
    wrong = wrong_dice([die], (DiceGroup("pip-die", body="white"),))
    assert wrong is not None and wrong.slug == slug


def test_players_are_a_list() -> None:
    with pytest.raises(BadSetup, match="a list of names"):
        check_players("Ann", 1, 12, "A game")
    with pytest.raises(BadSetup, match="a list of names"):
        check_players(["Ann", 1], 1, 12, "A game")  # type: ignore[list-item]
