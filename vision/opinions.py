"""What networks that were trained apart say of one upper face, and what they say together."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from vision.dice import ACTION_DIE, NUMBER_DIE, PIP_DIE, RIG_DIE
from vision.network import NOTHING, FaceNetwork
from vision.numbers import NumberNetwork, see_numbers
from vision.patches import Light, Patch, nearly_linear, within_face
from vision.reading import Pixels, Point

Label = tuple[str, str, str | None]
"""Kind, face and body."""

Opinion = Mapping[Label, float]
"""How likely each answer is; they add up to one."""

_LEAST_OF_ANY_KIND = 0.2  # of 257 cubes that were read rightly one has less, of 29 of kinds not awaited 19
_SURELY_OTHERS = 0.9
_LEAST_PIP_BODY = 0.97
_LEAST_OBJECTED = 0.3  # of 191 bodies named rightly off the mat (drawn) another network thinks three less likely
_RIM_PX = slice(8, 10)  # of a patch: within the face, outside nearly every sticker
_RIM_LIGHTNESS = 0.42  # sRGB, between bodies of 0.1 to 0.3 and of 0.6 to 0.95
_MIDDLE_PX = slice(12, 36)
_TINTS = {"white": (0.5, 1.12), "yellow": (0.0, 0.4)}
"""Blue against green of the light thrown back, at the least and most. Of 1,602 drawn looks at white and yellow
dice on the mat to which networks give their body 38 have another; so had all four that got a wrong one."""
_SURELY_YELLOW, _LEAST_PALE_YELLOW = 0.2, 0.995
"""Tint up to which no ivory die looks yellow, and how sure networks must be above it: 522 of 579 looks at yellow dice
then tell their body, and none at an ivory one under a yellow lamp, which they called yellow with 0.991."""
_BESIDE_PIPS_PERCENT, _LEAST_WHITE = 75, 0.45
"""Of paper's brightness, where no pips are: of 1,384 white dice on the mat (drawn) two have less, and so have three
grey ones that were called white, with 0.98 and more."""
_STICKER_PX = within_face(6)
_LEAST_PURPLE, _MOST_GREEN, _BRIGHTEST_BLACK = 0.07, -0.1, 0.6  # sRGB
_PURPLEST_PART, _MOST_PURPLE_OF_BLACK = 0.95, 0.13  # none of 204 drawn black ones has more than 0.103
_WITH_BODIES = (RIG_DIE, ACTION_DIE)  # whose faces come on several
_NAMED_BODIES = ("white", "yellow")  # of pip dice


def chances_of(network: FaceNetwork, patches: Sequence[Patch], kinds: Collection[str]) -> dict[Label, float]:
    """What the patches of one face, in all its turns, show among ``kinds``: probabilities that add up to one."""
    kept = [i for i, (kind, _, _) in enumerate(network.labels) if kind == NOTHING or kind in kinds]
    mean = network.scores(patches).mean(axis=0)[kept].astype(np.float64)
    chance = np.exp(mean - mean.max())
    chance /= chance.sum()
    return {network.labels[i]: float(p) for i, p in zip(kept, chance, strict=True)}


def narrowed(chances: Opinion, kinds: Collection[str]) -> dict[Label, float]:
    """The same among ``kinds`` alone (and nothing at all), as if there were no others.

    >>> seen = {("nothing", "", None): 0.1, ("pip-die", "1", None): 0.3, ("chance-cube", "red", "red"): 0.6}
    >>> round(narrowed(seen, {"pip-die"})["pip-die", "1", None], 2)
    0.75
    """
    kept = {label: chance for label, chance in chances.items() if label[0] == NOTHING or label[0] in kinds}
    total = sum(kept.values())
    return {label: chance / total for label, chance in kept.items()}


def is_of_another_kind(face: Label, of_any_kind: Opinion) -> bool:
    """Whether a face that is the likeliest of kinds that are awaited is hardly likely ``of_any_kind``."""
    return sum(chance for label, chance in of_any_kind.items() if label[:2] == face[:2]) < _LEAST_OF_ANY_KIND


def are_others(kinds: Collection[str], of_any_kind: Opinion) -> bool:
    """Whether a face is surely one of a die, but of none of these kinds."""
    others = (chance for (kind, _, _), chance in of_any_kind.items() if kind not in (NOTHING, *kinds))
    return sum(others) >= _SURELY_OTHERS


def numbers_seen(
    networks: Sequence[NumberNetwork], frame: Pixels, outline: tuple[Point, ...], light: Light
) -> list[dict[Label, float]]:
    """What each network of numbers says of a face with these five corners."""
    seen: list[dict[Label, float]] = []
    for (chances,) in see_numbers(networks, frame, [outline], light):
        own: dict[Label, float] = {(NOTHING, "", None): float(chances[0])}
        seen.append(own | {(NUMBER_DIE, str(n), None): float(chances[n]) for n in range(1, len(chances))})
    return seen


def without_bodies(chances: Opinion) -> dict[Label, float]:
    """The same with bodies of a kind put together where they are not its face."""
    out: dict[Label, float] = defaultdict(float)
    for (kind, face, body), chance in chances.items():
        out[kind, face, None if kind == PIP_DIE or kind in _WITH_BODIES else body] += chance
    return dict(out)


def taken_together(opinions: Sequence[Opinion], weights: Sequence[float] | None = None) -> dict[Label, float]:
    """The geometric mean of what several networks say, which add up to one: none of them can be overruled lightly.

    ``weights`` are how much each of them counts, all alike where there are none.

    >>> one, other = ({("pip-die", "1", None): p, ("pip-die", "2", None): 1 - p} for p in (0.9, 0.5))
    >>> round(taken_together([one, other])["pip-die", "1", None], 2)
    0.75
    >>> round(taken_together([one, other], [1.0, 0.05])["pip-die", "1", None], 2)
    0.89
    """
    said = np.array([[one.get(answer, 0.0) for answer in opinions[0]] for one in opinions])
    means = np.exp(np.average(np.log(np.maximum(said, 1e-6)), axis=0, weights=weights))
    return dict(zip(opinions[0], (means / means.sum()).tolist(), strict=True))


def likeliest(chances: Opinion) -> Label:
    """The answer that is likelier than all others."""
    return max(chances, key=lambda label: chances[label])


def body_of(opinions: Sequence[Opinion], best: Label, least: float) -> str | None:
    """The body of a die that shows ``best``, where the networks are at least so sure of it together.

    Of pip dice the first network is asked above all: the others, which have learned from drawn ones, may only object.
    """
    kind, face, body = best
    if kind == PIP_DIE:
        shares = [_bodies(opinion, face) for opinion in opinions]
        body = _pip_body(shares[0])
        return body if all(own.get(body, 1.0) >= _LEAST_OBJECTED for own in shares[1:]) else None
    if kind not in _WITH_BODIES:
        return body
    own = [{label: chance for label, chance in one.items() if label[:2] == (kind, face)} for one in opinions]
    together = taken_together(own)
    likely = likeliest(together)
    return likely[2] if together[likely] >= least else None


def body_shows(patch: Patch, shown: str, body: str | None) -> bool:
    """Whether the rim of a face (round the sticker) is as light or dark as its body; one side may be glared.

    A black sticker on a light body looks like a smaller black one where the outline is a little off: never told.
    """
    grey = patch.mean(axis=2)
    bands = [np.median(np.rot90(grey, side)[_RIM_PX, 12:36]) for side in range(4)]
    if body == "black":
        return not shown.startswith("black") and bool(sorted(bands)[2] < _RIM_LIGHTNESS)
    return bool(sorted(bands)[1] > _RIM_LIGHTNESS)


def plastic_shows(patch: Patch, body: str, sure: float) -> bool:
    """Whether the middle of a pip die's face has a tint of white (also ivory) or yellow plastic; others may any.

    And what is white throws back more light than grey does. ``sure`` is how likely the body is among those of this
    face.
    """
    middle = nearly_linear(patch[_MIDDLE_PX, _MIDDLE_PX])
    if body == "white" and float(np.percentile(middle[..., 1], _BESIDE_PIPS_PERCENT)) < _LEAST_WHITE:
        return False
    blue, green, _ = np.median(middle, axis=(0, 1))
    tint = float(blue) / max(float(green), 0.02)
    least, most = _TINTS.get(body, (0.0, np.inf))
    if body == "yellow" and tint > _SURELY_YELLOW and sure < _LEAST_PALE_YELLOW:
        return False
    return least <= tint <= most


def sticker_shows(patch: Patch, shown: str) -> bool:
    """Whether the sticker of a RIG die has some of its colour: a lamp that is mirrored makes black ones purple.

    Of 159 purple stickers in drawn trays 99 % are purpler than that, of 204 black ones 99 % neither brighter nor
    greener; of two black ones that were taken for purple one is not. A green one in dim light, read as black, was
    greener by 0.07 more. Nor is any part of a black one purple, as round a sign on a sticker so small that most of
    what is seen is the die.
    """
    middle = patch[_STICKER_PX, _STICKER_PX].reshape(-1, 3)
    usual = np.median(middle, axis=0)
    purple = float(_purple(usual))
    if shown.startswith("purple"):
        return purple >= _LEAST_PURPLE
    if not shown.startswith("black"):
        return True
    purplest = np.quantile(_purple(middle), _PURPLEST_PART)
    return bool(purple >= _MOST_GREEN and usual.max() <= _BRIGHTEST_BLACK and purplest <= _MOST_PURPLE_OF_BLACK)


def _purple(colours: Patch) -> Patch:
    """How much purpler than green colours (..., 3) BGR are."""
    return np.asarray((colours[..., 0] + colours[..., 2]) / 2 - colours[..., 1], np.float32)


def _bodies(chances: Opinion, face: str) -> dict[str | None, float]:
    """How likely each body is of a pip die that shows ``face``: they add up to one."""
    own = {body: chance for (kind, shown, body), chance in chances.items() if (kind, shown) == (PIP_DIE, face)}
    total = sum(own.values())
    return {body: chance / total for body, chance in own.items()} if total else dict.fromkeys(own, 0.0)


def _pip_body(bodies: Mapping[str | None, float]) -> str | None:
    """The likeliest body, where it is sure and has a name in the games."""
    best = max(bodies, key=lambda body: bodies[body])
    return best if bodies[best] >= _LEAST_PIP_BODY and best in _NAMED_BODIES else None
