"""What RIG says to people: every sentence of the game, by its slug."""

from host.games.sentence import Sentence, Value

_TEMPLATES = {
    # what is awaited
    "await-roll": "{player} rolls four {body} dice.",
    "await-set-aside": "{player} has more {color} dice and puts {count} of them aside.",
    "await-flip": "{player} may flip a die that is in or a token of a queue.",
    "await-extra": "{player} may take an extra token from salvage.",
    "await-steal": "{player} may give up a die to steal a component from {other}.",
    "await-place": "{player} chooses the sides of the tokens that the magnet caught: {colors}.",
    "await-collect": "{player} may collect tokens: {colors}.",
    # rolls, cancelling, and who goes first
    "rolled": "{player} rolls {faces}.",
    "tied": "{tally} against {tally}: both roll again.",
    "cancelled": "One for one, {color} cancels out: {count} of each player.",
    "put-aside": "{player} puts aside {faces}.",
    "goes-first": "{player} goes first with {tally} against {lower}.",
    "goes-first-on-tie": "Both have {tally}; {player} went second in the round before and goes first.",
    # tokens
    "installed": "{player} puts the {component} into the rig.",
    "won": "{player} has all six components and wins.",
    "sabotaged": "{player} sabotages {other}, who discards the top of the queue: {colors}.",
    "sabotaged-nothing": "{player} sabotages {other}, whose queue is empty.",
    "boost-active": "{player} has a boost for the next roll.",
    "magnet-active": "{player} has a magnet until the end of {other}'s next turn.",
    "no-target-flip": "{player} has nothing to flip.",
    "no-target-extra": "{player} has nothing extra to take.",
    "no-target-steal": "{player} has nothing to steal.",
    "declined-flip": "{player} declines to flip.",
    "declined-extra": "{player} declines an extra token.",
    "declined-steal": "{player} declines to steal.",
    "flipped-die": "{player} flips a die of {owner}: {before} becomes {after}.",
    "flipped-token": "{player} flips a {color} token of {owner}: {before} becomes {after}.",
    "took-extra": "{player} takes an extra {color} token, as {name}.",
    "stole": "{player} gives up {face} and steals the {component} from {other}, as {name}.",
    "boost-used": "{player} uses up a boost.",
    "magnet-expired": "{player}'s magnet expires.",
    "caught": "{player}'s magnet catches what {other} discards: {colors}.",
    "placed": "{player} places what was caught: {names}.",
    "collected": "{player} collects {names}.",
    "collected-nothing": "{player} collects nothing.",
    "nothing-to-collect": "There is nothing that {player} could collect.",
    "next-round": "Round {round} begins.",
    # refusals
    "wrong-color": "The colour to put aside is {color}.",
    "indexes-not-a-list": "dice must be a list of indexes.",
    "wrong-count": "{count} must be put aside, each named once.",
    "no-such-die": "There is no such die: an index is a whole number from 0 to 3.",
    "die-of-other-color": "Die {index} is not {color}, or is out already.",
    "die-is-out": "Die {index} of {player} is out.",
    "not-a-target": "{key} must be null or an object that holds {keys}.",
    "unknown-owner": "player must be one of: {players}.",
    "no-such-token": "There is no such token: an index is a whole number below the {count} tokens of the queue.",
    "not-a-color": "color must be one of: {colors}.",
    "not-a-side": "side must be component or action.",
    "not-in-stock": "The salvage pile has not enough {color}.",
    "not-in-rig": "The rig of {player} has no {color}.",
    "tokens-not-a-list": "tokens must be a list of objects that hold color and side.",
    "color-not-rolled": "No die that is in shows {color}.",
    "too-many-tokens": "At most {count} of {color} may be collected.",
    "wrong-number-of-sides": "sides must be a list with one side for each token caught: {count}.",
}


def say(slug: str, **values: Value) -> Sentence:
    """The sentence of that slug with these values."""
    return Sentence(f"rig/{slug}", _TEMPLATES[slug], values)


def listed(words: tuple[str, ...]) -> str:
    """The words as one value of a sentence."""
    return ", ".join(words)
