"""Pearson's chi-squared test and intervals for shares, exact where a formula is, without a numerical library."""

from collections.abc import Sequence
from math import erfc, exp, fsum, gamma, pow, sqrt
from statistics import NormalDist

FEWEST_EXPECTED = 5.0
"""Rolls expected of each face before the test's p means anything (Cochran, 1954)."""

SURE = 0.95
"""How often an interval holds the true share."""


def p_of(statistic: float, degrees: int) -> float:
    """How likely chance alone gives at least this statistic, with so many degrees of freedom (at least 1).

    The upper tail of the chi-squared distribution: for whole degrees of freedom the incomplete gamma function is a
    finite sum (Abramowitz and Stegun, 26.4.4 and 26.4.5). The examples are the table's values, 26.8.

    >>> [round(p_of(x, k), 4) for x, k in ((3.8415, 1), (5.9915, 2), (11.0705, 5), (19.6751, 11))]
    [0.05, 0.05, 0.05, 0.05]
    >>> round(p_of(6.6349, 1), 4), p_of(0, 3)
    (0.01, 1.0)
    """
    half = statistic / 2
    if degrees % 2 == 0:
        return min(1.0, fsum(exp(-half) * half**i / gamma(i + 1) for i in range(degrees // 2)))
    tail = fsum(exp(-half) * pow(half, i + 0.5) / gamma(i + 1.5) for i in range((degrees - 1) // 2))
    return min(1.0, erfc(sqrt(half)) + tail)


def chi_squared(counts: Sequence[int], shares: Sequence[float]) -> tuple[float, float]:
    """The statistic of counts against expected shares (which sum to 1), and its p.

    The example is a die thrown 60 times, as it stands in textbooks.

    >>> statistic, p = chi_squared([5, 8, 9, 8, 10, 20], [1 / 6] * 6)
    >>> round(statistic, 1), round(p, 3)
    (13.4, 0.02)
    """
    total = sum(counts)
    statistic = sum(
        (count - total * share) ** 2 / (total * share) for count, share in zip(counts, shares, strict=True)
    )
    return statistic, p_of(statistic, len(counts) - 1)


def wilson(hits: int, of: int, at_once: int = 1) -> tuple[float, float]:
    """The interval in which a share lies (Wilson, 1927), with ``SURE`` for all of ``at_once`` intervals together.

    Bonferroni's correction is what makes it hold for all of them. Nothing is known of 0 trials.

    >>> [round(bound, 3) for bound in wilson(9, 10)], wilson(0, 0)
    ([0.596, 0.982], (0.0, 1.0))
    """
    if of == 0:
        return 0.0, 1.0
    z = deviation(at_once)
    share, spread = hits / of, z * z / of
    middle = share + spread / 2
    reach = z * sqrt(share * (1 - share) / of + spread / (4 * of))
    return max(0.0, (middle - reach) / (1 + spread)), min(1.0, (middle + reach) / (1 + spread))


def deviation(at_once: int = 1) -> float:
    """How many standard deviations an interval reaches to either side.

    >>> round(deviation(), 3)
    1.96
    """
    return NormalDist().inv_cdf(1 - (1 - SURE) / (2 * at_once))


def holm(ps: Sequence[float]) -> list[float]:
    """These p, as they count where all were looked at together (Holm, 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(ps)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda place: ps[place])):
        least = max(least, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = least
    return adjusted
