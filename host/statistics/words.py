"""What the figures mean, in plain sentences in the language of this request."""

from flask_babel import gettext as _
from flask_babel import ngettext

from host.statistics.fairness import Fairness
from host.statistics.luck import FEWEST_DICE, Luck
from host.statistics.players import PlayerRecord
from vision.dice import ACTION_DIE, CHANCE_CUBE, NUMBER_DIE, PIP_DIE, RIG_DIE

SMALL, LARGE = 1.0, 1.96
"""Standard deviations: within 1 lie two of three players with even dice, within 1.96 nineteen of twenty."""


def dice_name(kind: str, body: str | None) -> str:
    """All dice of a kind and body.

    >>> dice_name("pip-die", "white")
    'Dice, white'
    """
    name = {
        CHANCE_CUBE: _("Chance cubes"),
        RIG_DIE: _("RIG dice"),
        PIP_DIE: _("Dice"),
        ACTION_DIE: _("Action dice"),
        NUMBER_DIE: _("Number dice"),
    }.get(kind, kind)
    return f"{name}, {_(body)}" if body else str(name)


def verdict(test: Fairness) -> str:
    """What there is to say of the dice of a kind."""
    rolls = ngettext("%(num)d roll", "%(num)d rolls", test.rolls)
    if test.verdict == "too-few":
        return str(_("%(rolls)s: too few to say. It takes %(needed)d.", rolls=rolls, needed=test.rolls_needed))
    if test.verdict == "usual":
        return str(_("%(rolls)s: nothing unusual.", rolls=rolls))
    return str(_("%(rolls)s: further from even than even dice nearly ever come. Look at these dice.", rolls=rolls))


def luck_in_words(player: PlayerRecord) -> str:
    """How lucky a player's dice were, all together."""
    dice, far = player.lucky_dice, player.deviations
    if dice < FEWEST_DICE:
        return str(ngettext("%(num)d die: too few to say.", "%(num)d dice: too few to say.", dice))
    counted = ngettext("%(num)d die", "%(num)d dice", dice)
    if abs(far) < SMALL:
        return str(_("%(dice)s: about even.", dice=counted))
    if abs(far) < LARGE:
        return str(
            _("%(dice)s: a little lucky.", dice=counted)
            if far > 0
            else _("%(dice)s: a little unlucky.", dice=counted)
        )
    return str(
        _("%(dice)s: lucky, as one player in forty is.", dice=counted)
        if far > 0
        else _("%(dice)s: unlucky, as one player in forty is.", dice=counted)
    )


def measure_name(luck: Luck) -> str:
    """What a measure counts."""
    return {
        "favor": str(_("Cubes that matched the favor")),
        "calls": str(_("Calls that came true")),
        "pips": str(_("Pips a die")),
        "signs": str(_("Signs a RIG die (plus 1, minus 1)")),
    }[luck.measure.id]
