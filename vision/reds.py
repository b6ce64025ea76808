"""Whether a red face is a chance cube's or a sticker of an action die: what its border, edges and sides tell.

Both may be the same red, and a cube may have edges of its other colour as a sticker has a border. What is seen of the
sides tells most of them apart: no cube has a green or white one, no die with stickers one that is blue all over. A
network of its own looks at the face with its sides (``vision.red_network``). Where it and those that read all faces
do not agree, or neither is sure, the die is left.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from vision.dice import ACTION_DIE, CHANCE_CUBE
from vision.opinions import Label, Opinion

_LEAST_RED = 0.2  # of a face that is worth asking about: below it nobody reads it as red
_LEAST_OF_EACH = 0.6
_LEAST_OF_ONE: Mapping[str, float] = {CHANCE_CUBE: 0.97, ACTION_DIE: 0.99}
"""Of 744 looks at red faces in 900 drawn pictures 689 are told apart so, none of them wrongly. With 0.985 one cube of
which two red sides are seen is told to be a sticker."""
_MOST_CUBE_ON_RED = 0.0022
"""Of a sticker on a red body, by the network of reds: it differs from a red cube by hardly more than the line around
it. Of 1,153 red cubes (drawn) five were told to be such stickers, now one; of 325 such stickers 54 more are left."""


@dataclass(frozen=True)
class Told:
    """Whose a red face is: the probability that it is a chance cube's, and the ``kind`` if that is beyond doubt."""

    cube: float
    kind: str | None


def is_either(kind: str, face: str) -> bool:
    """Whether it is the red face that chance cubes and action dice have."""
    return face == "red" and kind in (CHANCE_CUBE, ACTION_DIE)


def are_both_awaited(kinds: Collection[str]) -> bool:
    """Whether there is anything to be told apart where these kinds may lie."""
    return CHANCE_CUBE in kinds and ACTION_DIE in kinds


def is_one_awaited(kinds: Collection[str]) -> bool:
    """Whether a red face may be one of these kinds' at all."""
    return CHANCE_CUBE in kinds or ACTION_DIE in kinds


def rather_awaited(told: Told, kinds: Collection[str]) -> Told:
    """The same; where only one of the two is among ``kinds`` and it is open whose it is, it is that one's.

    >>> rather_awaited(Told(0.6, None), {"action-die"}), rather_awaited(Told(0.99, "chance-cube"), {"action-die"})
    (Told(cube=0.0, kind='action-die'), Told(cube=0.99, kind='chance-cube'))
    """
    if told.kind is not None or (CHANCE_CUBE in kinds) == (ACTION_DIE in kinds):
        return told
    return Told(1.0, CHANCE_CUBE) if CHANCE_CUBE in kinds else Told(0.0, ACTION_DIE)


def may_be_either(opinion: Opinion) -> bool:
    """Whether a face may be such a red one."""
    return sum(chance for (kind, face, _), chance in opinion.items() if is_either(kind, face)) >= _LEAST_RED


def tell(opinion: Opinion, cube: float, is_framed: bool = False) -> Told:
    """What those that read all faces (``opinion``) and the network of reds (``cube``) say together.

    A face that ``is_framed`` (``vision.framed``) is never beyond doubt a cube's.

    >>> seen = {("chance-cube", "red", "red"): 0.2, ("action-die", "red", "blue"): 0.6, ("pip-die", "1", None): 0.2}
    >>> tell(seen, 0.01).kind, tell(seen, 0.99).kind, tell(seen, 0.1).kind
    ('action-die', None, None)
    >>> seen = {("chance-cube", "red", "red"): 0.9, ("action-die", "red", "blue"): 0.1}
    >>> tell(seen, 0.99).kind, tell(seen, 0.99, is_framed=True).kind
    ('chance-cube', None)
    >>> seen = {("chance-cube", "red", "red"): 0.05, ("action-die", "red", "red"): 0.95}
    >>> tell(seen, 0.01).kind, tell(seen, 0.001).kind
    (None, 'action-die')
    """
    cubes, stickers = (_of(opinion, kind) for kind in (CHANCE_CUBE, ACTION_DIE))
    share = cubes / (cubes + stickers)
    each = {ACTION_DIE: (1 - share, 1 - cube)} | ({} if is_framed else {CHANCE_CUBE: (share, cube)})
    sure = [kind for kind, ways in each.items() if min(ways) >= _LEAST_OF_EACH and max(ways) >= _LEAST_OF_ONE[kind]]
    both, neither = share * cube, (1 - share) * (1 - cube)
    if sure == [ACTION_DIE] and cube > _MOST_CUBE_ON_RED and _is_rather_on_red(opinion):
        sure = []
    return Told(both / (both + neither), sure[0] if sure else None)


def told_apart(opinion: Opinion, told: Told) -> dict[Label, float]:
    """The same, what it gives to red cubes and to red stickers shared out anew.

    >>> seen = {("chance-cube", "red", "red"): 0.6, ("action-die", "red", "blue"): 0.3, ("pip-die", "1", None): 0.1}
    >>> {label: round(chance, 2) for label, chance in told_apart(seen, Told(0.1, None)).items()}
    {('chance-cube', 'red', 'red'): 0.09, ('action-die', 'red', 'blue'): 0.81, ('pip-die', '1', None): 0.1}
    """
    cubes, stickers = (_of(opinion, kind) for kind in (CHANCE_CUBE, ACTION_DIE))
    if not cubes or not stickers:
        return dict(opinion)
    total = cubes + stickers
    times = {CHANCE_CUBE: told.cube * total / cubes, ACTION_DIE: (1 - told.cube) * total / stickers}
    return {
        label: chance * times[label[0]] if is_either(label[0], label[1]) else chance
        for label, chance in opinion.items()
    }


def is_doubtful(kind: str, face: str, told: Told | None) -> bool:
    """Whether such a die, where both kinds may lie there, may as well be one of the other."""
    return told is not None and is_either(kind, face) and told.kind != kind


def _is_rather_on_red(opinion: Opinion) -> bool:
    """Whether the likeliest body below a red sticker is a red one."""
    bodies = {label: chance for label, chance in opinion.items() if label[:2] == (ACTION_DIE, "red")}
    return max(bodies, key=lambda label: bodies[label])[2] == "red"


def _of(opinion: Opinion, kind: str) -> float:
    """How likely the red face of this kind is."""
    return sum(chance for (own, face, _), chance in opinion.items() if own == kind and face == "red")
