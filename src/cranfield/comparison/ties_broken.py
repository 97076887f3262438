"""How many ties of RR a preference between whole lists breaks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield import engine
from cranfield.collection.rankings import Rankings
from cranfield.comparison.preferred_lists import relevant_ranks
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.list_preference import Preference, decided


@dataclass(frozen=True)
class TiesBroken:
    """Counts of comparisons, each of two systems on one topic that has a relevant document.

    Args:
        comparisons: all of them.
        tied: those that RR ties: both lists have their first relevant document at the same rank, or none has one.
        broken: those of the tied that a preference decides.
        rel: smallest relevant label.
    """

    comparisons: int
    tied: int
    broken: int
    rel: float


def count_ties_broken(rankings: Rankings, rel: float, preference: Preference = "rpp") -> TiesBroken:
    """Count the ties of RR, and those of them that a preference breaks.

    Args:
        rankings: of all systems, in one order; a list that is missing counts as empty, unless missing topics are
            skipped.
        rel: smallest relevant label.
        preference: which.

    Raises:
        UsageError: the order of documents is open.
    """
    rankings.policy.check_order("a preference")
    pairs = Contrasts.all_pairs(len(rankings.systems))
    skipped = rankings.policy.missing == "skip"
    there = (rankings.length > 0).reshape(len(rankings.systems), -1).T
    counted, leads = np.zeros(3, dtype=np.int64), engine.current().count_leads
    for lists, ranks in zip(there, relevant_ranks(rankings, rel), strict=True):
        if not ranks.shape[1]:
            continue
        known = lists[pairs.left] & lists[pairs.right] if skipped else np.ones(len(pairs), dtype=np.bool_)
        tied = known & (ranks[pairs.left, 0] == ranks[pairs.right, 0])
        broken = decided(ranks, Contrasts(pairs.left[tied], pairs.right[tied]), preference, leads)
        counted += [known.sum(), tied.sum(), broken.sum()]
    comparisons, tied_by_rr, of_these = counted.tolist()
    return TiesBroken(comparisons, tied_by_rr, of_these, rel)
