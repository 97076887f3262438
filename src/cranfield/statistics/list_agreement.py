"""How alike two ranked lists of items are, where one is to reproduce the other: KTU, truncated RBO, overlap."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from cranfield._validation import share, whole
from cranfield.statistics.rank_correlation import tau_a


class ListAgreement(NamedTuple):
    """Of a list with the one it is to reproduce; NaN where undefined."""

    ktu: float
    rbo: float
    overlap: float


def list_agreement(
    original: Sequence[Hashable], again: Sequence[Hashable], depth: int = 1000, p: float = 0.8
) -> ListAgreement:
    """Kendall's tau union, rank-biased overlap and the overlap of the first ``depth`` items of two lists.

    - **KTU**: both lists are cut to one length. The original's items are 1, 2, ... in its order; those of the other
      list alone get the next numbers in its order. KTU is Kendall's tau between the rank of an item in the other list
      and its number; undefined below two items. It is not symmetric, and is 1 for a list without any common item: look
      at the overlap beside it.
    - **RBO**: sum_d p^(d-1) A_d / sum_d p^(d-1) over d = 1..k, A_d the number of items that the first d ranks of both
      lists share over d, k the length of the longer list, at most ``depth``. It is 1 for equal lists; other readings
      extrapolate (see ``indefinite_rankings``).
    - **overlap**: the share of the original's first ``depth`` items that the other list has among its own.

    Args:
        original: different items, best first.
        again: the same.
        depth: items of either list that are looked at, at least 1.
        p: persistence of RBO, in (0, 1).

    Raises:
        UsageError: a depth below 1, or a p outside (0, 1).

    References:
        Breuer et al. 2020, How to measure the reproducibility of system-oriented IR experiments.
        doi:10.1145/3397271.3401036
        Webber, Moffat & Zobel 2010, A similarity measure for indefinite rankings. doi:10.1145/1852102.1852106

    >>> found = list_agreement(["d1", "d2", "d3"], ["d2", "d5", "d3"])
    >>> round(found.ktu, 4), round(found.rbo, 4), round(found.overlap, 4)
    (0.3333, 0.3388, 0.6667)
    """
    whole(1, depth=depth)
    share(p=p)
    first, second = list(original[:depth]), list(again[:depth])
    common = set(first) & set(second)
    overlap = len(common) / len(first) if first else np.nan
    return ListAgreement(_tau_union(first, second), _truncated_rbo(first, second, p), overlap)


def _tau_union(first: list[Hashable], second: list[Hashable]) -> float:
    length = min(len(first), len(second))
    if length < 2:
        return np.nan
    number = {item: place for place, item in enumerate(first[:length])}
    for item in second[:length]:
        number.setdefault(item, len(number))
    return float(tau_a([number[item] for item in second[:length]], np.arange(length)))


def _truncated_rbo(first: list[Hashable], second: list[Hashable], p: float) -> float:
    length = max(len(first), len(second))
    if not length:
        return np.nan
    depth = np.arange(1, length + 1)
    place = {item: rank for rank, item in enumerate(first, 1)}
    # An item is common to both from the deeper of its ranks on.
    deeper = [max(place[item], rank) for rank, item in enumerate(second, 1) if item in place]
    shared = np.bincount(np.array(deeper, dtype=np.int64), minlength=length + 1)[1:].cumsum()
    weight = p ** (depth - 1.0)
    # Summed alike above and below, so that equal lists have exactly 1.
    return float((weight * (shared / depth)).sum() / weight.sum())
