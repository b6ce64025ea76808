"""Whose secrets and controls a phone gets: those of the seats that it holds."""

from typing import Any

from tests.host.phones import Owner, Phone, link
from tests.host.running import RunningHost

SEVEN = ("Ana", "Bo", "Chen", "Dora", "Emil", "Fay", "Gus")


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

    def play(self, actions: list[dict[str, Any]]) -> None:
        """Carry out actions, each by the phone of its player."""
        for action in actions:
            fields = {name: value for name, value in action.items() if name not in ("type", "player")}
            phone = self.ana if action["player"] == "Ana" else self.others
            answer = phone.act(self.id, action["type"], action["player"], **fields)
            assert answer.status == 200, answer.json


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
