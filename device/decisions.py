"""Sends what players decided in a recorded game, each decision to the address that it belongs to."""

import uuid
from collections import Counter
from collections.abc import Sequence

from device.host_client import HostClient
from device.recording import Decision, JsonObject

_IDS = uuid.UUID("6f2c7a52-3a0e-5d7c-9a55-0d2b6f0f6c11")
"""Namespace of the decisions' message ids; any fixed one will do."""

_OWNERS = ("undo", "end")
"""Actions that no game has, with addresses of their own."""


class Decisions:
    """Sends decisions to ``table``. Message ids follow from ``play``, so that what is sent again counts once."""

    def __init__(self, client: HostClient, table: str, play: str) -> None:
        self._client = client
        self._table = table
        self._play = play

    def send(self, decision: Decision, place: int) -> str | None:
        """Send the decision that is number ``place`` of the recording; the id of what is awaited then, if it is new.

        One that corrects what was read is sent as far as it is still needed: where the dice are read right by now,
        nothing is. Raises ``HostAway`` and ``HostRefused``.
        """
        if decision.action.get("type") in _OWNERS:
            if decision.corrects and not self._just_read():
                return None
            return self._post(str(decision.action["type"]), {}, place)
        if decision.corrects:
            for line in self._just_read():
                if _is_same_roll(line["action"], decision.action):
                    if _faces(line["action"]) == _faces(decision.action):
                        return None
                    dice = {"dice": decision.action["dice"], "drop": True}
                    return self._post(f"entries/{line['number']}/amend", dice, place)
        return self._post("actions", {"action": decision.action}, place)

    def _just_read(self) -> Sequence[JsonObject]:
        """The rolls of the last reading, if it was applied and nothing has happened since."""
        reading = self._client.get(f"/tables/{self._table}")["reading"]
        log = self._client.get(f"/tables/{self._table}/export.json")["log"]
        if not reading or not log or log[-1]["reading"] != reading["id"]:
            return ()
        rolls = [line for line in log if line["reading"] == reading["id"] and line["kind"] == "action"]
        return [line for line in rolls if line["by"] == "device" and not line["undone"] and line["action"]]

    def _post(self, path: str, body: JsonObject, place: int) -> str:
        message = {"id": str(uuid.uuid5(_IDS, f"{self._play} {place}")), "number": None, **body}
        return str(self._client.post(f"/tables/{self._table}/{path}", message)["expect"])


def _is_same_roll(one: JsonObject, other: JsonObject) -> bool:
    """Whether two actions differ in what their dice show at the most."""
    kinds = [Counter(die.get("kind") for die in action.get("dice", ())) for action in (one, other)]
    return kinds[0] == kinds[1] and {**one, "dice": None} == {**other, "dice": None}


def _faces(action: JsonObject) -> Counter[tuple[str, str]]:
    return Counter((die["kind"], die["face"]) for die in action["dice"])
