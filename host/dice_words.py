"""Dice in the language of a phone: one die with its face, and the dice that a roll asks for."""

from collections.abc import Iterable

from flask_babel import gettext as _
from flask_babel import ngettext

from host.games.protocol import DiceGroup
from host.languages import words
from vision.dice import ACTION_DIE, CHANCE_CUBE, NUMBER_DIE, PIP_DIE, RIG_DIE


def die_told(kind: str, face: str, body: str | None = None) -> str:
    """One die and what it shows; its body where that is of importance.

    >>> die_told("chance-cube", "blue"), die_told("pip-die", "4", "white")
    ('blue chance cube', 'white die: 4')
    """
    face = face if kind in (PIP_DIE, NUMBER_DIE) else words(face)
    if kind == CHANCE_CUBE:
        return str(_("%(face)s chance cube", face=face))
    if kind == NUMBER_DIE:
        return str(_("number die: %(face)s", face=face))
    if kind == RIG_DIE:
        return str(_("RIG die: %(face)s", face=face))
    if kind == ACTION_DIE and body:
        return str(_("%(body)s action die: %(face)s", body=words(body), face=face))
    if kind == ACTION_DIE:
        return str(_("action die: %(face)s", face=face))
    return str(_("%(body)s die: %(face)s", body=words(body), face=face) if body else _("die: %(face)s", face=face))


def dice_told(groups: Iterable[DiceGroup]) -> str:
    """The dice that a roll asks for.

    >>> dice_told([DiceGroup("pip-die", 2, "white"), DiceGroup("number-die")])
    '2 white dice, 1 number die'
    """
    return ", ".join(_group(group) for group in groups)


def _group(group: DiceGroup) -> str:
    count = group.count
    if group.kind == CHANCE_CUBE:
        return str(ngettext("%(num)d chance cube", "%(num)d chance cubes", count))
    if group.kind == NUMBER_DIE:
        return str(ngettext("%(num)d number die", "%(num)d number dice", count))
    body = words(group.body or "")
    if group.kind == RIG_DIE:
        return str(ngettext("%(num)d RIG die (%(body)s)", "%(num)d RIG dice (%(body)s)", count, body=body))
    if group.kind == ACTION_DIE:
        return str(ngettext("%(num)d action die (%(body)s)", "%(num)d action dice (%(body)s)", count, body=body))
    if not body:
        return str(ngettext("%(num)d die", "%(num)d dice", count))
    return str(ngettext("%(num)d %(body)s die", "%(num)d %(body)s dice", count, body=body))
