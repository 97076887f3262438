"""Ease of topics in plain arrays: the share of systems that order the judged documents better than chance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cranfield._message import setting
from cranfield._typing import Floats, Ints
from cranfield._validation import check_integer
from cranfield.collection.policy import Policy, UnjudgedPolicy
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Rankings
from cranfield.errors import UsageError
from cranfield.measures import Measure, named, values
from cranfield.measures.gain import Discounting, RandomOrder, label_gain
from cranfield.statistics.numeric import ratio
from cranfield.statistics.rounding import NOISE

CLASSES = ("hard", "moderately hard", "moderately easy", "easy")
"""Classes of an ease in [0, 1/4], (1/4, 1/2], (1/2, 3/4] and (3/4, 1]."""
HIGH_REFERENCE = 0.8
"""Mean nDCG of a random order from which ease says little; it is .04 to .4 on pooled collections of TREC."""


@dataclass(frozen=True, eq=False)
class EaseTable:
    """Ease of T topics to S systems.

    Args:
        topics: ids.
        systems: names.
        measure: NDCG_std, cut after k and with its reading of unjudged documents.
        judged: documents of the pool, int64 [topics].
        pool_mean: their mean label, float64 [topics]; NaN without any.
        random_ndcg: expected nDCG@k of a random order of the pool, float64 [topics]; NaN where its best order
            gains nothing.
        scores: NDCG_std@k, float64 [topics, systems]; NaN where it is undefined or skipped.
        ease: share of the systems above 0, float64 [topics]; NaN where no system has a score.
    """

    topics: tuple[str, ...]
    systems: tuple[str, ...]
    measure: Measure
    judged: Ints
    pool_mean: Floats
    random_ndcg: Floats
    scores: Floats
    ease: Floats

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """One of ``CLASSES`` for each topic, empty where its ease is unknown."""
        return tuple("" if np.isnan(ease) else classify_ease(ease) for ease in self.ease.tolist())


def classify_ease(ease: float) -> str:
    """The quarter of [0, 1] in which an ease lies; a border belongs to the harder class."""
    return CLASSES[int(np.searchsorted([0.25, 0.5, 0.75], ease, side="left"))]


def qualify_ease(random_ndcg: Floats, unjudged: UnjudgedPolicy) -> str:
    """Say that ease tells little where a random order of the judged documents is nearly ideal; empty elsewhere.

    So it is where nearly all of them are relevant, and a list that also has unjudged documents can hardly beat it.
    """
    known = random_ndcg[~np.isnan(random_ndcg)]
    if unjudged != "zero" or not len(known) or known.mean() < HIGH_REFERENCE:
        return ""
    return (
        f"a random order of the judged documents already has a mean nDCG of {known.mean():.2f}, which lists with "
        "unjudged documents hardly beat, so that ease says little here"
    )


def ease_table(
    rankings: Rankings, cutoff: int = 20, unjudged: UnjudgedPolicy = "zero", depth: int | None = None
) -> EaseTable:
    """Ease of the topics of some rankings; see ``compute_difficulty``."""
    check_integer(1, cutoff=cutoff, depth=1 if depth is None else depth)
    refuse_ranges(rankings.policy)
    policy = Policy(unjudged=unjudged)
    if rankings.policy.unjudged not in ("zero", policy.unjudged):
        raise UsageError(
            f"the rankings were judged with {setting('unjudged', rankings.policy.unjudged)}, which contradicts "
            f"{setting('unjudged', unjudged)}: "
            f"judge them with {setting('unjudged', 'zero')}, or give the same value"
        )
    measure = standard(cutoff, unjudged)
    pooled = rankings if depth is None else within(rankings, depth)
    topics = len(pooled.pool.size)
    order = random_order(pooled, cutoff)
    scores = values(measure, pooled)
    if pooled.policy.missing == "skip":
        scores[pooled.length == 0] = np.nan
    better = np.where(np.isnan(scores), np.nan, above(scores, order))
    by_first_system = RandomOrder(*(fact[:topics] for fact in order))
    by_topic = better.reshape(-1, topics)
    defined = (~np.isnan(by_topic)).sum(axis=0)
    return EaseTable(
        pooled.pool.topics,
        pooled.systems,
        measure,
        pooled.pool.size,
        by_first_system.mean,
        np.where(by_first_system.best > 0, ratio(by_first_system.expected, by_first_system.best), np.nan),
        scores.reshape(-1, topics).T.copy(),
        ratio(np.nansum(by_topic, axis=0), defined.astype(np.float64)),
    )


def refuse_ranges(policy: Policy) -> None:
    """Raises: UsageError: scores are requested as ranges."""
    if policy.ties == "bounds":
        raise UsageError(
            f"{setting('ties', 'bounds')} gives a range for each score, for which ease is undefined: choose "
            "'expected' or an order"
        )


def standard(cutoff: int, unjudged: UnjudgedPolicy) -> Measure:
    """NDCG_std, the measure that ease is made of."""
    measure = named("NDCG_std")
    assert measure is not None
    return measure(unjudged=unjudged) @ cutoff


def random_order(rankings: Rankings, cutoff: int) -> RandomOrder:
    """The expected values of NDCG_std for random orders of the pools, [segments] each."""
    return Discounting(label_gain(rankings, "log2", None, "keep"), cutoff=int(cutoff)).random_order(rankings)


def above(scores: Floats, order: RandomOrder) -> Floats:
    """1 where NDCG_std is above 0 by more than a rounding, float64 [segments]."""
    return (scores * order.room > NOISE * order.scale).astype(np.float64)


def within(rankings: Rankings, depth: int) -> Rankings:
    """The rankings as if only the judged documents in the first ``depth`` ranks of any of them had been judged."""
    pool = rankings.pool
    seen = np.zeros(len(pool.grade), dtype=np.bool_)
    seen[rankings.document[rankings.rank <= depth]] = True
    new_index = np.concatenate([[0], np.cumsum(seen)])
    rows = seen[rankings.document]
    before = np.concatenate([[0], np.cumsum(rows)])
    return replace(
        rankings,
        pool=Pool(new_index[pool.starts], pool.grade[seen], pool.topics),
        starts=before[rankings.starts],
        rank=rankings.rank[rows],
        document=new_index[rankings.document[rows]],
        grade=rankings.grade[rows],
        first=None,
        last=None,
    )
