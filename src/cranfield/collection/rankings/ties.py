"""Documents of equal score, where the policy leaves their order open."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.records import record


@record(frozen=True, slots=True)
class TieGroups:
    """Documents of equal score that hold a judged one, G of them, list by list from the top.

    Args:
        starts: group g holds the judged rows ``starts[g]:starts[g + 1]``, int64 [G + 1].
        segment: its list, int64 [G].
        above: documents above it, judged or not, int64 [G].
        size: its documents, judged or not, int64 [G].
    """

    starts: Ints
    segment: Ints
    above: Ints
    size: Ints

    @classmethod
    def of(cls, segment: Ints, rank: Ints, first: Ints | None, last: Ints | None) -> TieGroups:
        """Those of judged documents, whose equals have the ranks ``first`` to ``last``; each alone where None."""
        if first is None or last is None:
            return cls(np.arange(len(rank) + 1), segment, rank - 1, np.ones_like(rank))
        new = np.ones(len(first) + 1, dtype=bool)
        new[1:-1] = (np.diff(first) != 0) | (np.diff(segment) != 0)
        starts = np.flatnonzero(new)
        rows = starts[:-1]
        return cls(starts, segment[rows], first[rows] - 1, (last - first + 1)[rows])

    @property
    def rows(self) -> Ints:
        """Judged documents of each group, int64 [G]."""
        return np.diff(self.starts)

    def ends(self, values: Ints) -> tuple[Ints, Ints]:
        """The values of the first and of the last row of each row's group, int64 [rows] each."""
        first, last = values[self.starts[:-1]], values[self.starts[1:] - 1]
        return np.repeat(first, self.rows), np.repeat(last, self.rows)

    def by_worth(self, worth: Floats, grade: Floats, *, best: bool) -> tuple[Ints, Ints]:
        """Ranks where equal scores are ordered by worth, and the row that moves to each; see ``Rankings.in_order``."""
        group = np.repeat(np.arange(len(self.size)), self.rows)
        row = np.lexsort((-grade if best else grade, -worth if best else worth, group))
        below_unjudged = worth[row] < 0 if best else worth[row] >= 0
        place = np.arange(len(row)) - self.starts[:-1][group]
        rank = self.above[group] + 1 + place + below_unjudged * (self.size - self.rows)[group]
        return rank, row


def mean_weight(
    weights: Floats, rank: Ints, first: Ints | None, last: Ints | None, cutoff: Ints | int | None
) -> Floats:
    """Mean of the ``weights`` [ranks] of the ranks ``first`` to ``last``, 0 below ``cutoff``, float64 [rows].

    That of its rank for a document without equals.
    """
    alone = np.append(0.0, weights).take(rank)
    if cutoff is not None:
        alone *= rank <= cutoff
    if first is None or last is None:
        return alone
    total = np.concatenate([[0.0], np.cumsum(weights)])
    above = first - 1
    limit = min(cutoff, len(weights)) if isinstance(cutoff, int) else cutoff
    seen = last if limit is None else np.clip(limit, above, last)
    spread = (total[seen] - total[above]) / (last - above)
    return np.where(last - above == 1, alone, spread)
