"""What people are told of a tray that is not as it was: it slid, it is lit otherwise, the lens is dirty."""

from collections.abc import Collection
from dataclasses import replace

from device.situation import Situation
from device.states import State
from vision.still_calibrated import Finding

POSE_TAKEN_ANEW = "The mat or the camera was moved; where it is now was taken anew."

LENS_DIRTY = "The picture is blurred: wipe the lens."

LIGHT_CHANGED = "The light has changed since calibration: calibrate again if dice stay unread."

_DETAILS = {Finding.LENS_DIRTY: LENS_DIRTY, Finding.LIGHT_CHANGED: LIGHT_CHANGED}
"""Told where there is nothing else to tell; the first that is found."""


class TrayNews:
    """Findings of the frames that are read, told once a reading is agreed on, until the next one is.

    >>> news = TrayNews()
    >>> for findings in ((Finding.MAT_MOVED,), ()):
    ...     news.note(findings)
    >>> news.agree()
    >>> news.added_to(Situation(State.READ)).detail
    'The mat or the camera was moved; where it is now was taken anew.'
    """

    def __init__(self) -> None:
        self._newest: frozenset[Finding] = frozenset()
        self._has_slid = False
        self._told: frozenset[Finding] = frozenset()

    def note(self, findings: Collection[Finding]) -> None:
        """What one frame showed. That the mat slid is seen in the first frame after it alone."""
        self._newest = frozenset(findings)
        self._has_slid |= Finding.MAT_MOVED in self._newest

    def agree(self) -> None:
        """Enough frames agreed: from now on this is what is told."""
        self._told = self._newest | ({Finding.MAT_MOVED} if self._has_slid else set())
        self._has_slid = False

    @property
    def has_slid(self) -> bool:
        """Whether the mat or the camera was moved between the last two readings that were agreed on."""
        return Finding.MAT_MOVED in self._told

    def forget(self) -> None:
        """Another calibration is used from now on."""
        self._newest = self._told = frozenset()
        self._has_slid = False

    def added_to(self, situation: Situation) -> Situation:
        """A situation of a tray at rest, with what is to be told beside it."""
        if Finding.CAMERA_MOVED in self._told:
            return Situation(State.CAMERA_MOVED)
        if self.has_slid:
            return replace(situation, detail=POSE_TAKEN_ANEW)
        found = (detail for finding, detail in _DETAILS.items() if finding in self._told)
        return replace(situation, detail=situation.detail or next(found, ""))
