"""The rule behind a line of the log, in a sentence of our own: by game, by what was done, and where it differs by
the phase in which it was done."""

from host.games.sentence import Sentence

_TEMPLATES = {
    "vigos-favor/stake": "The Vigo names the stake; everybody else pays it into the pot once the favor is rolled.",
    "vigos-favor/roll": "A cube that shows the favor keeps its player in; another colour puts them out.",
    "vigos-favor/roll/favor": "The Vigo's cube is the favor: the colour that everybody else has to match.",
    "vigos-favor/mercy": "Who misses may pay the Vigo one stake and stay in favor.",
    "vigos-favor/decide": "One who is left alone claims the pot or challenges the Vigo; several split it or roll on.",
    "vigos-favor/raise": "In a challenge the Vigo and the challenger both pay the raise into the pot.",
    "vigos-favor/roll/challenge-favor": "In a challenge the Vigo rolls a new favor.",
    "vigos-favor/roll/challenge-roll": "If the challenger matches the new favor the pot is theirs, else the Vigo's.",
    "val-des/set": "The caster rolls the cube under the cup; nobody sees it before every call is in.",
    "val-des/call": "Val is red and des is blue; the caster calls last.",
    "val-des/roll": "Each right call earns a point; three in a row in the regular sets earn two more, once.",
    "victim/roll/first-roll": "The highest yellow die attacks first; those who tie for it roll again.",
    "victim/intent": "The supporter chooses in secret whom to help or hinder; the battle's dice open it.",
    "victim/roll/battle": "Attacker and victim roll two dice each; the higher total wins, a tie is the victim's.",
    "victim/roll/support": "Green adds half the number die, red takes half of it away, white does nothing.",
    "victim/roll/support-number": "Half the number die counts: rounded down to add, rounded up to take away.",
    "victim/roll/neutral-again": "A second red of the neutral die costs the supporter a point of health.",
    "king-of-roulette/vote": "Everybody votes in secret; who gets most votes is the first king.",
    "king-of-roulette/bet": "Bets are secret until all are in; two spaces pay one point, one space pays two.",
    "king-of-roulette/rule": "The king sets in secret which spaces pay, and guesses how many will earn.",
    "king-of-roulette/buy-double": "A double bonus doubles one round's points; each one that you buy costs more.",
    "king-of-roulette/name-king": "The king names the next one where the bets do not settle it.",
    "king-of-roulette/condemn": "Where several are last, the leaders vote in secret on who may be eliminated.",
    "rig/roll": "Dice of equal colour cancel; the higher tally of what is left goes first.",
    "rig/set-aside": "Whose dice of a cancelled colour differ chooses which of them are put aside.",
    "rig/act": "A token with its action side up acts; then it goes back to the salvage, or to a magnet.",
    "rig/collect": "A player takes tokens in the colours of the dice that are still in.",
    "rig/place": "What a magnet catches enters its owner's queue, with the sides that they choose.",
    "end": "The owner may end a game at any time; then nobody has won.",
    "undo": "Undo takes back the last line that stands; nothing is deleted.",
    "amend": "The owner may correct a roll at any time; the rest of the game is played anew on it.",
    "void": "A roll that does not count is taken out; the rest of the game is played anew without it.",
    "void/question": "A reading that does not match what is awaited is never applied.",
    "objection": "Any seat may object to a reading for 30 seconds, or until the next one is applied.",
    "dismissal": "The owner decides whether a reading stands.",
}


def rule_of(*names: str) -> Sentence | None:
    """The rule under the most telling of these names, joined by slashes; None where there is none.

    >>> rule_of("vigos-favor", "roll", "favor").english()
    "The Vigo's cube is the favor: the colour that everybody else has to match."
    >>> rule_of("vigos-favor", "roll", "seek").english()
    'A cube that shows the favor keeps its player in; another colour puts them out.'
    """
    while names:
        slug = "/".join(names)
        if slug in _TEMPLATES:
            return Sentence(f"rules/{slug}", _TEMPLATES[slug])
        names = names[:-1]
    return None
