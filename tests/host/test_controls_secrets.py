"""What nobody else is told: two tables differ in a secret alone, and every byte that others get is the same."""

import re
from typing import Any

import pytest

from tests.host.phones import Owner, Phone, link
from tests.host.running import RunningHost, following

SEVEN = ("Ana", "Bo", "Chen", "Dora", "Emil", "Fay", "Gus")

Actions = list[dict[str, Any]]


def voted(king: str) -> Actions:
    """A vote that everybody agrees in."""
    return [{"type": "vote", "player": player, "for": king} for player in SEVEN]


def rolled(player: str, *faces: str) -> dict[str, Any]:
    """A roll of pip dice."""
    return {"type": "roll", "player": player, "dice": [{"kind": "pip-die", "face": face} for face in faces]}


RULE = {"type": "rule", "player": "Ana", "one": ["1", "2"], "two": "3", "guess": "0-1"}
OTHER_RULE = {"type": "rule", "player": "Ana", "one": ["5", "4"], "two": "6", "guess": "4-5"}

SECRETS: dict[str, tuple[str, Actions, dict[str, Any], dict[str, Any], Actions]] = {
    "vote": (
        "king-of-roulette",
        [],
        {"type": "vote", "player": "Ana", "for": "Chen"},
        {"type": "vote", "player": "Ana", "for": "Gus"},
        [{"type": "vote", "player": "Bo", "for": "Bo"}],
    ),
    "bet": (
        "king-of-roulette",
        [*voted("Bo"), {"type": "buy-double", "player": "Ana"}],
        {"type": "bet", "player": "Ana", "space": "2"},
        {"type": "bet", "player": "Ana", "space": "king", "double": True},
        [{"type": "bet", "player": "Chen", "space": "4"}],
    ),
    "rule": (
        "king-of-roulette",
        voted("Ana"),
        RULE,
        OTHER_RULE,
        [{"type": "bet", "player": "Chen", "space": "4"}],
    ),
    "intent": (
        "victim",
        [rolled("Chen", "6"), rolled("Ana", "2"), rolled("Bo", "1")],
        {"type": "intent", "player": "Ana", "target": "left", "die": "support"},
        {"type": "intent", "player": "Ana", "target": "right", "die": "neutral"},
        [rolled("Chen", "2", "3")],
    ),
}


class Sitting:
    """A table at which Ana has a phone of her own, and everybody else shares one."""

    def __init__(self, host: RunningHost, game: str):
        self.host = host
        owner = Owner(host)
        self.id = owner.lobby(game)
        self.players = SEVEN if game == "king-of-roulette" else SEVEN[:3]
        self.ana, self.others = Phone(host), Phone(host)
        for player in self.players:
            phone = self.ana if player == "Ana" else self.others
            assert phone.join(link(host, self.id), player).status == 200
        assert owner.start(self.id).status == 201

    def play(self, actions: Actions) -> None:
        """Carry out actions, each by the phone of its player."""
        for action in actions:
            fields = {name: value for name, value in action.items() if name not in ("type", "player")}
            phone = self.ana if action["player"] == "Ana" else self.others
            answer = phone.act(self.id, action["type"], action["player"], **fields)
            assert answer.status == 200, answer.json

    def told_to_others(self) -> list[str]:
        """Every byte that those get who are not Ana, on every address there is; without ids, codes and times."""
        told = []
        for phone in (self.others, Phone(self.host)):
            for path in self._pages():
                told.append(phone.page(path).body.decode())
            told.append(phone.get(f"/tables/{self.id}").body.decode())
            for player in self.players:
                for address in (f"/tables/{self.id}/controls?as={player}", f"/tables/{self.id}/secret?as={player}"):
                    told.append(phone.page(address).body.decode())
                told.append(phone.get(f"/tables/{self.id}?as={player}").body.decode())
        with following(self.host, self.id) as stream:
            told.append(repr(stream.next()))
        return [self._without_chance(text) for text in told]

    def _pages(self) -> list[str]:
        table = f"/tables/{self.id}"
        numbers = range(1, 1 + self.host.get(table).json["number"])
        lines = [f"{start}/{n}" for n in numbers for start in (f"{table}/log", f"/api/v1{table}/entries")]
        return [table, f"{table}/board", f"{table}/seats", f"{table}/correct", *lines]

    def _without_chance(self, text: str) -> str:
        text = re.sub(r"<svg class=\"qr.*?</svg>|/join/\w+", "", text, flags=re.DOTALL)
        text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d:\d\d", "", text)
        return text.replace(self.id, "")


@pytest.mark.parametrize("name", SECRETS)
def test_others_get_the_same_bytes_whatever_the_secret_is(shared_host: RunningHost, name: str) -> None:
    game, before, secret, other_secret, after = SECRETS[name]
    sittings = [Sitting(shared_host, game) for _ in range(2)]
    for sitting, chosen in zip(sittings, (secret, other_secret), strict=True):
        sitting.play([*before, chosen, *after])
    one, other = (sitting.told_to_others() for sitting in sittings)
    assert one == other
    hers = [sitting.ana.page(f"/tables/{sitting.id}/secret?as=Ana").body for sitting in sittings]
    assert hers[0] != hers[1], "Ana sees what she chose"


def test_only_the_phone_that_holds_a_seat_gets_its_secret(shared_host: RunningHost) -> None:
    sitting = Sitting(shared_host, "king-of-roulette")
    sitting.play([{"type": "vote", "player": "Ana", "for": "Gus"}])
    secret = f"/tables/{sitting.id}/secret"
    mine = sitting.ana.page(f"{secret}?as=Ana")
    assert mine.status == 200 and b"Gus" in mine.body and mine.headers["Cache-Control"] == "no-store"
    assert sitting.others.page(f"{secret}?as=Ana").status == 403
    assert Phone(shared_host).page(f"{secret}?as=Ana").status == 403
    assert sitting.ana.page(secret).status == 403
    controls = sitting.ana.page(f"/tables/{sitting.id}/controls").body.decode()
    assert "data-hold" in controls and "Gus" not in controls


def test_controls_are_for_the_seats_of_the_phone_alone(shared_host: RunningHost) -> None:
    sitting = Sitting(shared_host, "king-of-roulette")
    path = f"/tables/{sitting.id}/controls"
    assert 'data-control="vote"' in sitting.ana.page(path).body.decode()
    assert "<form" not in sitting.others.page(path).body.decode(), "several seats: it asks who is looking"
    assert 'data-looking="Bo"' in sitting.others.page(f"{path}?as=Bo").body.decode()
    assert "<form" not in sitting.others.page(f"{path}?as=Ana").body.decode()
    assert "<form" not in Phone(shared_host).page(f"{path}?as=Ana").body.decode()
