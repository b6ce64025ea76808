"""How many pips a face shows: two networks and the count of its blobs, none of which may contradict the others.

Real pip dice are speckled, clear and worn as no drawn ones are. One network has therefore learned to count on
photographs above all (``calibration.detection.pips``), and is asked beside the one that knows all kinds of faces.
"""

from collections.abc import Sequence

from vision.dice import PIP_DIE
from vision.network import NOTHING
from vision.numbers import NumberNetwork
from vision.opinions import Label, Opinion
from vision.patches import Patch

# Of 201 held-back photographed faces (of dice that were photographed for training, too) 194 are read by these limits,
# and none wrongly.
_LEAST_IF_SEEN_TWICE = 0.9  # of the counting network, where the other one says the same, and blobs, too
_LEAST_IF_COUNTED = 0.8  # where there are as many blobs
_LEAST_ALONE = 0.97  # where the other network sees something else, or nothing,
_LEAST_BESIDE = 0.05  # but thinks this possible
_LEAST_ALONE_UNCOUNTED = 0.99  # where blobs make up no face, either: a glared 6 was taken for a 4 with 0.973
_LEAST_BY_ALL = 0.95  # of three networks of faces together, each of which thinks the same likeliest
_SURE_OF_MORE, _SURE_OF_MORE_BY_ALL = 0.99, 0.98  # of more pips than there are blobs
_PLAIN_TO_ALL = 0.9  # of all together, where the counting network is as sure: no blobs are needed then
_LEAST_IF_FAINT, _LEAST_BESIDE_IF_FAINT = 0.98, 0.9  # where the detector is not sure that it is a face
_LEAST_BY_ALL_IF_FAINT = 0.98  # where the blobs say the same, too; one of 938 photographed dice is read for it
_MOST_OF_OTHERS = 0.3  # of a face of another kind


def may_be_pips(together: Opinion) -> bool:
    """Whether a face, as all networks see it together, is rather a pip die's than any other's."""
    pips = sum(chance for (kind, _, _), chance in together.items() if kind == PIP_DIE)
    others = [chance for (kind, _, _), chance in together.items() if kind not in (PIP_DIE, NOTHING)]
    return 0 < pips >= max(others, default=0.0) and max(others, default=0.0) <= _MOST_OF_OTHERS


def pips_seen(
    network: NumberNetwork,
    patches: Sequence[Patch],
    beside: Opinion,
    counted: int | None,
    is_faint: bool,
    agreed: Opinion | None = None,
) -> tuple[Label, float, bool] | None:
    """The pips of a face in all its turns, how sure that is, and whether anybody doubts it; None if it is not sure.

    ``beside`` is what the other network says of it, bodies put together; ``counted`` how many blobs there are.
    ``agreed`` is what all networks of faces say together, where each of them takes the same for the likeliest.
    """
    chances = network.chances([patches])[0]
    shown = int(chances.argmax())
    if shown == 0:
        return None
    label: Label = (PIP_DIE, str(shown), None)
    sure, also = float(chances[shown]), beside.get(label, 0.0)
    by_all = agreed.get(label, 0.0) if agreed else 0.0
    # Faint and glared pips are no blobs; that there are more blobs than pips has no such reason.
    are_faint = counted is not None and counted < shown and sure >= _SURE_OF_MORE and by_all >= _SURE_OF_MORE_BY_ALL
    if counted not in (None, shown) and not are_faint:
        return None
    is_seen_twice = also >= max(beside.values())
    if is_faint:
        is_sure = is_seen_twice and sure >= _LEAST_IF_FAINT and also >= _LEAST_BESIDE_IF_FAINT
        is_sure = is_sure or (counted == shown and sure >= _LEAST_IF_SEEN_TWICE and by_all >= _LEAST_BY_ALL_IF_FAINT)
    else:
        # A glared 4, of which blobs made up no face, was taken for a 2 by both networks, with 0.955.
        twice = is_seen_twice and counted == shown and sure >= _LEAST_IF_SEEN_TWICE
        least = _LEAST_ALONE if is_seen_twice or counted == shown else _LEAST_ALONE_UNCOUNTED
        alone = sure >= least and also >= _LEAST_BESIDE
        # Of a 3 or a 5 with faint or glared pips only the middle one may be counted.
        is_sure = twice or alone or (counted == shown > 1 and sure >= _LEAST_IF_COUNTED)
        is_sure = is_sure or (by_all >= _LEAST_BY_ALL and sure >= _LEAST_IF_COUNTED)
    is_plain = is_seen_twice and (counted == shown or (sure >= _SURE_OF_MORE and by_all >= _PLAIN_TO_ALL))
    return (label, sure, not is_plain) if is_sure else None
