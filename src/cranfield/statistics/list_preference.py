"""Preference between two ranked lists by the ranks of their relevant items, without a measure."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from cranfield import engine
from cranfield._typing import Floats, Mask
from cranfield._validation import word
from cranfield.engine.protocol import PositionTable
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.rounding import cleared

Preference = Literal["rpp", "invrpp", "dcgrpp", "lexirecall", "lexiprecision", "rrlexiprecision"]
AVERAGED = ("rpp", "invrpp", "dcgrpp")
"""Preferences that average over levels of recall, and so have a form for graded labels."""


def preferences(ranks: Floats, pairs: Contrasts, preference: Preference = "rpp") -> Floats:
    """The degree to which the left list of each pair is preferred to the right one, -1 to 1; antisymmetric.

    With x_i and y_i the ranks at which the two lists reach their i-th relevant item, infinite where they do not, and
    sgn_i = 1 if x_i < y_i, -1 if x_i > y_i, else 0:

    - ``rpp``: recall-paired preference, sum_i w_i sgn_i / sum_i w_i over i = 1..R with w_i = 1; ``invrpp``: with
      w_i = 1 / i; ``dcgrpp``: with w_i = 1 / log2(i + 1).
    - ``lexiprecision``: sgn_i at the smallest i where it is not 0; ``lexirecall``: at the largest.
    - ``rrlexiprecision``: 1 / x_i - 1 / y_i at the smallest i where they differ.

    Args:
        ranks: of each list in a row, ascending, [lists, R].
        pairs: rows to compare.
        preference: which.

    Returns:
        [pairs]; NaN where R = 0.

    Raises:
        UsageError: an unknown word.

    References:
        Diaz & Ferraro 2022, Offline retrieval evaluation without evaluation metrics. doi:10.1145/3477495.3532033
        Diaz, Ekstrand & Mitra 2025, Recall, robustness, and lexicographic evaluation. doi:10.1145/3728373
        Diaz 2023, Best-case retrieval evaluation. doi:10.20736/0002001353

    >>> ranks = np.array([[1, 7, np.inf], [2, 3, 9]])
    >>> [round(preferences(ranks, Contrasts.all_pairs(2), name).item(), 4) for name in get_args(Preference)]
    [-0.3333, 0.0909, -0.0614, -1.0, 1.0, 0.5]
    """
    word("preference", preference, get_args(Preference))
    out = np.full(len(pairs), np.nan)
    if not ranks.shape[1]:
        return out
    # Levels that no list reaches are ties of all pairs.
    reached = ranks[:, : int(np.isfinite(ranks).any(axis=0).sum())]
    for group in pairs.groups():
        left, right = reached[group.left], reached[group.right]
        sign = (left < right).view(np.int8) - (left > right).view(np.int8)
        if preference in AVERAGED:
            mean = sign @ _weights(preference, ranks.shape[1])[: sign.shape[1]]
            # The levels of recall cancel exactly, but for rounding.
            out[group.positions] = cleared(mean, 1.0)
        else:
            out[group.positions] = _lexicographic(sign, left, right, preference)
    return out


def decided(ranks: Floats, pairs: Contrasts, preference: Preference) -> Mask:
    """Return whether ``preferences`` of each pair is not 0, [pairs]; counted where all levels of recall weigh the same.

    Args:
        ranks: whole numbers; see ``preferences``.
        pairs: rows to compare.
        preference: which.
    """
    if preference != "rpp":
        decisive: Mask = preferences(ranks, pairs, preference) != 0
        return decisive
    reached = np.isfinite(ranks)
    levels = slice(0, int(reached.any(axis=0).sum()))
    deepest = ranks.max(initial=0.0, where=reached)
    kind: Any = np.dtype(np.int16 if deepest < np.iinfo(np.int16).max else np.int32)
    table: PositionTable = np.where(reached[:, levels], ranks[:, levels], np.iinfo(kind).max).astype(kind)
    led: Mask = engine.current().count_leads(table, pairs.left, pairs.right) != 0
    return led


def _weights(preference: Preference, levels: int) -> Floats:
    """w_i for i = 1..R, which add up to 1."""
    i = np.arange(1.0, levels + 1)
    weight = {"rpp": np.ones_like(i), "invrpp": 1 / i, "dcgrpp": 1 / np.log2(i + 1)}[preference]
    share: Floats = weight / weight.sum()
    return share


def _lexicographic(
    sign: np.ndarray[tuple[int, int], np.dtype[np.int8]], left: Floats, right: Floats, preference: Preference
) -> Floats:
    """The sign, or difference of reciprocal ranks, at the first or last level where the lists differ."""
    lists, levels = sign.shape
    if not levels:
        return np.zeros(lists)
    differs = sign != 0
    at = levels - 1 - differs[:, ::-1].argmax(axis=1) if preference == "lexirecall" else differs.argmax(axis=1)
    row = np.arange(lists)
    if preference != "rrlexiprecision":
        chosen: Floats = sign[row, at].astype(np.float64)
        return chosen
    # At lists that do not differ anywhere this is 0 too: the ranks of the first level are equal.
    gain: Floats = np.where(differs[row, at], 1 / left[at] - 1 / right[row, at], 0.0)
    return gain
