"""Safe mode as the pages tell of it: the device says why its camera is off, in a line of its own."""

from flask_babel import lazy_gettext as _

REASONS = {
    "it was started with --safe-mode": _("It was started with --safe-mode."),
    "its button was held while it was switched on; switch it off and on again to leave": _(
        "Its button was held while it was switched on. Switch it off and on again to leave."
    ),
}
"""What people are told instead of the device's own line; a fault of its settings is told as it comes."""


def reasons() -> dict[str, str]:
    """The device's lines with what is told instead, in the language of this request."""
    return {line: str(told) for line, told in REASONS.items()}
