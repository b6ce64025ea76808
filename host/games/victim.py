"""Victim! A Game of Alliances and Betrayal: three players, one attacks, one supports in secret, one defends.

The author is not named in the rules that we have. The mechanics are told in our own words; no sentence of the
published rules is used.

Exactly 3 players; pip dice (one yellow each to begin, two white each in battle), three action dice (blue support,
red sabotage, black neutral) and a number-die. Option:

- ``last_victim`` (a player or null, default null): starts with 6 health, everyone else with 5.

Rulings:

- ``first_rolls`` names those who have rolled in the present attempt; after a tie it is empty again, and only the
  tied roll. The last attempt stays to be seen for the rest of the game.
- The supporter's left and right are the seats next to them; the third player between them does not matter.
  A neutral die is given a target like any other, which has no effect.
- A battle total may fall below 0; an equal total holds for the victim.
- ``intent`` is secret in ``battle`` alone; from ``support`` on, and once the game is over, it is public.
- ``battle`` and ``intent`` are empty again when the next turn begins, and keep their last values once it is over.
- ``number`` of ``last_turn`` is the number-die; ``action_faces`` are the action die's faces in the order rolled.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from host.games.checks import one_of_players
from host.games.protocol import Awaited, DiceGroup, Game, JsonObject, Option
from host.games.sentence import Sentence
from host.games.victim_turn import (
    Intent,
    VictimState,
    battle_rolled,
    first_rolled,
    neutral_rolled_again,
    number_rolled,
    supported,
)
from vision.dice import ACTION_DIE, NUMBER_DIE, PIP_DIE

HEALTH = 5
LAST_VICTIMS_HEALTH = 6
BODIES = {"support": "blue", "sabotage": "red", "neutral": "black"}
SIDES = ("left", "right")

_TEMPLATES = {
    "summary": "Attack with two dice while a secret supporter helps or betrays; bring the victim's health to 0.",
    "await-first-roll": "{player} rolls a yellow die; the highest attacks first.",
    "await-first-rolls": "{names} roll a yellow die each; the highest attacks first.",
    "await-planning": "{player} secretly chooses an action die and whom it is for.",
    "await-battle-attacker": "{player} rolls two white dice for the attack.",
    "await-battle-victim": "{player} rolls two white dice for the defence.",
    "await-support-support": "{player} rolls the blue support die.",
    "await-support-sabotage": "{player} rolls the red sabotage die.",
    "await-support-neutral": "{player} rolls the black neutral die.",
    "await-support-number": "{player} rolls the number die.",
    "await-neutral-again": "{player} rolls the black neutral die once more.",
    "chosen": "{player} has chosen in secret.",
    "bad-target": "target must be left or right.",
    "bad-die": "die must be support, sabotage or neutral.",
}


def _say(slug: str, **values: str | int) -> Sentence:
    return Sentence(f"victim/{slug}", _TEMPLATES[slug], values)


class Victim(Game[VictimState]):
    """The referee of Victim!"""

    id = "victim"
    name = "Victim!"
    credit = "Victim! A Game of Alliances and Betrayal; its author is not named in the rules we have"
    summary = _say("summary")
    kinds = (PIP_DIE, ACTION_DIE, NUMBER_DIE)
    fewest_players = 3
    most_players = 3
    options = (
        Option(
            "last_victim",
            "Who starts with 6 health instead of 5",
            lambda _players: None,
            one_of_players("last_victim", or_null=True),
        ),
    )

    def opening(self, players: tuple[str, ...], options: Mapping[str, Any]) -> VictimState:
        """Everybody is about to roll for the first attack."""
        last_victim = options["last_victim"]
        return VictimState(
            players=players,
            options=options,
            phase="first-roll",
            turn=0,
            health={p: LAST_VICTIMS_HEALTH if p == last_victim else HEALTH for p in players},
            first_rollers=players,
            first_rolls={},
            battle={},
        )

    def awaited(self, state: VictimState) -> tuple[Awaited, ...]:
        """Several in any order at first and in battle, the supporter alone otherwise."""
        match state.phase:
            case "first-roll":
                dice = (DiceGroup(PIP_DIE, body="yellow"),)
                return tuple(Awaited("roll", p, dice) for p in state.first_rollers if p not in state.first_rolls)
            case "planning":
                return (Awaited("intent", state.in_turn.supporter, fields=("target", "die")),)
            case "battle":
                dice = (DiceGroup(PIP_DIE, 2, "white"),)
                return tuple(Awaited("roll", p, dice) for role, p in state.fighters if role not in state.battle)
            case "support" | "neutral-again":
                dice = (DiceGroup(ACTION_DIE, body=BODIES[state.chosen.die]),)
                return (Awaited("roll", state.in_turn.supporter, dice),)
            case "support-number":
                return (Awaited("roll", state.in_turn.supporter, (DiceGroup(NUMBER_DIE),)),)
        return ()

    def prompt(self, state: VictimState) -> tuple[Sentence, ...]:
        """A sentence for everybody who is awaited; one for all of them at the first roll."""
        awaited = [entry.player for entry in self.awaiting(state)]
        if state.phase == "first-roll" and len(awaited) > 1:
            return (_say("await-first-rolls", names=", ".join(awaited)),)
        phase = f"support-{state.chosen.die}" if state.phase == "support" else state.phase
        if state.phase != "battle":
            return tuple(_say(f"await-{phase}", player=player) for player in awaited)
        return tuple(_say(f"await-battle-{role}", player=p) for role, p in state.fighters if role not in state.battle)

    def advance(self, state: VictimState, action: JsonObject) -> VictimState:
        """What the action leads to."""
        player = action["player"]
        if action["type"] == "intent":
            return self._choose(state, action)
        faces = [die["face"] for die in action["dice"]]
        match state.phase:
            case "first-roll":
                return first_rolled(state, player, int(faces[0]))
            case "battle":
                return battle_rolled(state, player, (int(faces[0]), int(faces[1])))
            case "support":
                return supported(state, faces[0])
            case "neutral-again":
                return neutral_rolled_again(state, faces[0])
        return number_rolled(state, int(faces[0]))

    def _choose(self, state: VictimState, action: JsonObject) -> VictimState:
        target, die = action["target"], action["die"]
        if target not in SIDES:
            raise self.refuse(state, "victim/bad-target", _TEMPLATES["bad-target"])
        if not isinstance(die, str) or die not in BODIES:
            raise self.refuse(state, "victim/bad-die", _TEMPLATES["bad-die"])
        return replace(
            state,
            phase="battle",
            intent=Intent(target, die),
            events=(_say("chosen", player=state.in_turn.supporter),),
        )

    def rematch_options(self, state: VictimState) -> JsonObject:
        """Whoever was the victim at the end starts the rematch with more health."""
        last = state.in_turn.victim if state.phase == "over" else state.options["last_victim"]
        return {**state.options, "last_victim": last}

    def details(self, state: VictimState, player: str | None) -> JsonObject:
        """The game's keys; a secret intent is shown to the supporter alone."""
        intent: JsonObject | str | None = None if state.intent is None else state.intent.to_json()
        if intent is not None and state.phase == "battle" and player != state.in_turn.supporter:
            intent = "hidden"
        last_turn = None if state.last_turn is None else state.last_turn.to_json()
        return {
            "turn": state.turn,
            "health": dict(state.health),
            "roles": None if state.roles is None else state.roles.to_json(),
            "first_rolls": dict(state.first_rolls),
            "battle": {
                role: list(state.battle[role]) if role in state.battle else None for role in ("attacker", "victim")
            },
            "intent": intent,
            "totals": None if last_turn is None else dict(last_turn["totals"]),
            "last_turn": last_turn,
            "losers": None if state.losers is None else list(state.losers),
        }
