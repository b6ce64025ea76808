"""How the outline of an upper face is kept as numbers that the detector can learn.

The numbers of an outline of n corners do not change when another corner is counted first. With corners and centre c
as complex numbers, Z = mean((corner_k - c) exp(-2 pi i k / n)) is the regular polygon in it and
Y = mean((corner_k - c) exp(+2 pi i k / n)) what perspective squeezes it by; both turn against each other when the
count shifts, so (Z / |Z|)^n and Z Y / |Z|^2 stay (and the former needs no choice among n equal turns).
"""

import numpy as np

from vision.reading import Floats, Point

RADIUS_PX = 16.0
"""The circumradius of an upper face (px of the resized picture) that the network is trained about."""

_SQUEEZE_UNIT = 0.2


def describe_outline(corners: Floats) -> Floats:
    """What the network learns of an outline (shape (n, 2), px): size, squeeze (2), turn of n (2); five numbers.

    >>> square = np.array([[16, 0], [0, 16], [-16, 0], [0, -16.0]])
    >>> bool(np.allclose(describe_outline(square), [0, 0, 0, 1, 0]))
    True
    >>> bool(np.allclose(describe_outline(square), describe_outline(np.roll(square, 1, axis=0))))
    True
    """
    z = corners[:, 0] + 1j * corners[:, 1]
    z = z - z.mean()
    around = np.exp(2j * np.pi * np.arange(len(z)) / len(z))
    if np.imag(np.conj(z) @ np.roll(z, -1)) < 0:  # counted the other way round
        z = z[::-1]
    regular, squeezed = np.mean(z / around), np.mean(z * around)
    radius = max(abs(regular), 1e-6)
    squeeze = regular * squeezed / radius**2 / _SQUEEZE_UNIT
    turn = (regular / radius) ** len(z)
    return np.array([np.log(radius / RADIUS_PX), squeeze.real, squeeze.imag, turn.real, turn.imag], np.float64)


def draw_outline(center: Point, numbers: Floats, corners: int) -> Floats:
    """The outline (shape (corners, 2), clockwise in the picture) that ``describe_outline`` would describe so.

    >>> box = np.array([[30, 20], [60, 24], [57, 50], [27, 46.0]])
    >>> again = draw_outline(tuple(box.mean(axis=0)), describe_outline(box), 4)
    >>> float(np.abs(np.sort(again, axis=0) - np.sort(box, axis=0)).max()) < 1e-6
    True
    """
    size, squeeze_re, squeeze_im, turn_re, turn_im = (float(n) for n in numbers)
    radius = RADIUS_PX * np.exp(size)
    angle = np.arctan2(turn_im, turn_re) / corners
    regular = radius * np.exp(1j * angle)
    squeezed = (squeeze_re + 1j * squeeze_im) * _SQUEEZE_UNIT * radius**2 / regular
    around = np.exp(2j * np.pi * np.arange(corners) / corners)
    z = complex(*center) + regular * around + squeezed / around
    return np.stack([z.real, z.imag], axis=1)


def mean_outline(one: Floats, other: Floats) -> Floats:
    """The mean of two outlines of as many corners, whichever corner each begins with."""
    turns = [np.roll(other, i, axis=0) for i in range(len(other))]
    return np.asarray((one + min(turns, key=lambda turn: float(((turn - one) ** 2).sum()))) / 2, np.float64)
