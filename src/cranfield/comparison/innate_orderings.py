"""``compare_innately``: verdicts between systems that no consistent measure can turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from cranfield._text import condensed, warn
from cranfield._typing import Floats, Ints, Mask
from cranfield._validation import check_integer, word
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import Reading
from cranfield.errors import InputError, UsageError
from cranfield.io.inputs import QrelsLike, RunsLike
from cranfield.pooling.pools import Pools
from cranfield.results.frames import tidy, unrolled
from cranfield.results.result import Result, Tables, signed
from cranfield.scoring import score
from cranfield.statistics.innate_orderings import (
    convex_dominance,
    counts_by_rank,
    dominance,
    dominance_whatever_unjudged,
    positions,
)
from cranfield.statistics.paired_tests import signs_tested

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

Unjudged: TypeAlias = Literal["zero", "any", "drop"]
Discount: TypeAlias = Literal["any", "convex"]


@dataclass(frozen=True, eq=False, repr=False)
class InnateVerdicts(Result):
    """Verdicts between two lists of one topic that every consistent measure gives.

    Args:
        pairs: one row a pair: ``system``, ``other``; on how many topics the system is innately better (``won``), worse
            (``lost``), ``equal``, or two consistent measures contradict each other (``undecided``); ``p``, the exact
            two-sided sign test on won and lost; ``p_worst``, that test with all undecided topics given to the side
            that has fewer: a bound for the sign test of every strictly consistent measure.
        topics: the ``verdict`` of each pair on each ``topic``, 1 better, -1 worse, 0 equal, NaN undecided; dims
            (``topic``, ``pair``).
        decided: share of all comparisons with a verdict better or worse.
        equal: share of those that are equal.
        undecided: share of those that are undecided.
        settings: ``cutoff`` (None: whole lists), ``rel`` (None: graded), ``unjudged``, ``discount``.
        signature: all that changes these numbers.
    """

    on_request = ("topics",)
    pairs: pd.DataFrame
    topics: xr.DataArray
    decided: float
    equal: float
    undecided: float
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"pairs": lambda: tidy(self.pairs), "topics": partial(unrolled, self.topics, "verdict")}


def compare_innately(
    runs: RunsLike,
    qrels: QrelsLike,
    *,
    cutoff: int | None = None,
    rel: float | None = None,
    unjudged: Unjudged = "zero",
    discount: Discount = "any",
    reading: Reading | None = None,
) -> InnateVerdicts:
    """Compare every two lists of a topic by what all consistent measures say.

    A measure is consistent if no replacement (a document gives way to one with a higher label at the same rank) and no
    upward swap ever lowers it. One list is innately better than another if every consistent measure gives it at least
    the other's value, and some give it more: exactly where C(t, r), its documents with label >= t in the first r ranks,
    is at least the other's for all levels t and ranks r. Labels below 0 count as 0; a list that ends is padded with 0.

    Args:
        runs: two or more.
        qrels: their judgments.
        cutoff: ranks that measures read; whole lists where None. It is a part of the claim.
        rel: take labels from here on as relevant, and the others as not; graded where None.
        unjudged: ``zero``: not relevant; ``any``: the verdict for every label that they may have; ``drop``: condensed
            lists, verdicts on which say nothing about measures that keep them.
        discount: ``convex``: measures whose discount is convex, too (DCG, RBP, 1/r; not P@k).
        reading: how files are read.

    Raises:
        UsageError: a cutoff below 1, labels below 0 that are to be kept, or an unknown word.
        InputError: fewer than two runs, or a file that cannot be read.

    References:
        Moffat & Mackenzie 2023, How much freedom does an effectiveness metric really have? JASIST. arXiv:2309.09477
        Ferrante, Ferro & Maistrello 2015, Towards a formal framework for utility-oriented measurements of retrieval
        effectiveness. doi:10.1145/2808194.2809452
    """
    reading = reading or Reading()
    _check_settings(cutoff, unjudged, discount, reading)
    scored = score(runs, qrels, "AP", reading=reading, keep_rankings=True)
    for line in condensed(scored.remarks):
        warn(line)
    rankings = scored.rankings
    assert rankings is not None, "they were kept"
    systems, topics = rankings.systems, rankings.pool.topics
    if len(systems) < 2:
        raise InputError("verdicts need two runs: there is one", "the runs", code="too-few")
    if unjudged == "drop":
        rankings = rankings.condensed
    if cutoff is not None:
        rankings = rankings.top(cutoff)
    left, right = np.triu_indices(len(systems), 1)
    codes = np.empty((len(topics), len(left)), dtype=np.int8)
    unknown = _unjudged_ranks(runs, qrels, cutoff, reading, topics) if unjudged == "any" else None
    for topic in range(len(topics)):
        ranks = None if unknown is None else unknown[topic]
        good = _topic_dominance(rankings, topic, cutoff, rel, discount, ranks)
        codes[topic] = good[left, right] + 2 * good[right, left]
    settings = {"cutoff": cutoff, "rel": rel, "unjudged": unjudged, "discount": discount}
    signature = signed("innate orderings", settings, scores=scored.source)
    return _result(systems, topics, left, right, codes, settings, signature)


def _check_settings(cutoff: int | None, unjudged: Unjudged, discount: Discount, reading: Reading) -> None:
    if cutoff is not None:
        check_integer(1, cutoff=cutoff)
    word("unjudged", unjudged, get_args(Unjudged))
    word("discount", discount, get_args(Discount))
    if reading.policy.negative == "keep":
        raise UsageError(
            "a list that ends would be better than one with a label below 0: negative=keep has no verdicts"
        )
    if unjudged == "any" and discount == "convex":
        raise UsageError("unjudged=any takes every discount: leave discount=convex out")
    reading.policy.check_order("an innate ordering")


def _topic_dominance(
    rankings: Rankings, topic: int, cutoff: int | None, rel: float | None, discount: Discount, unknown: Ints | None
) -> Mask:
    """Whether every consistent measure gives the row's list at least the value of the column's, on one topic."""
    systems, count = len(rankings.systems), len(rankings.pool.topics)
    rows = [slice(*rankings.starts[at : at + 2]) for at in range(topic, systems * count, count)]
    system = np.repeat(np.arange(systems), [own.stop - own.start for own in rows])
    rank = np.concatenate([rankings.rank[own] for own in rows])
    grade = np.concatenate([rankings.grade[own] for own in rows])
    judged = rankings.pool.grade[slice(*rankings.pool.starts[topic : topic + 2])]
    labels = np.unique(judged[judged > 0]) if rel is None else np.array([rel])
    if unknown is None and discount == "any":
        return dominance(positions(system, rank, grade, labels, systems))
    depth = cutoff or int(rankings.length[topic::count].max(initial=1))
    counts = counts_by_rank(system, rank, grade, labels, systems, depth)
    return convex_dominance(counts) if unknown is None else dominance_whatever_unjudged(counts, unknown)


def _unjudged_ranks(
    runs: RunsLike, qrels: QrelsLike, cutoff: int | None, reading: Reading, topics: tuple[str, ...]
) -> list[Ints]:
    """Look up the rank of every unjudged document in every list, by topic; the largest integer where it is absent."""
    pools = Pools.read(runs, qrels, cutoff or np.iinfo(np.int32).max, reading)
    rankings, systems, count = pools.rankings, len(pools.systems), len(pools.topics)
    known = {name: at for at, name in enumerate(pools.topics)}
    result = []
    for topic in topics:
        if topic not in known:
            result.append(np.zeros((systems, 0), dtype=np.int64))
            continue
        at = known[topic]
        first, last = (int(end) for end in rankings.pool.starts[at : at + 2])
        table = np.full((systems, last - first), np.iinfo(np.int32).max, dtype=np.int64)
        for system in range(systems):
            rows = slice(*rankings.starts[system * count + at : system * count + at + 2])
            table[system, rankings.document[rows] - first] = rankings.rank[rows]
        result.append(table[:, np.isnan(pools.label[first:last])])
    return result


def _result(
    systems: tuple[str, ...],
    topics: tuple[str, ...],
    left: Ints,
    right: Ints,
    codes: np.ndarray,
    settings: dict[str, Any],
    signature: dict[str, Any],
) -> InnateVerdicts:
    import pandas as pd
    import xarray as xr

    won, lost, equal, undecided = ((codes == code).sum(axis=0) for code in (1, 2, 3, 0))
    columns = {
        "system": [systems[at] for at in left],
        "other": [systems[at] for at in right],
        "won": won,
        "lost": lost,
        "equal": equal,
        "undecided": undecided,
        "p": signs_tested(won, lost).p,
        "p_worst": worst_p(won, lost, undecided),
    }
    pairs = [f"{system} {other}" for system, other in zip(columns["system"], columns["other"], strict=True)]
    verdict = np.array([np.nan, 1.0, -1.0, 0.0])[codes]
    array = xr.DataArray(verdict, dims=("topic", "pair"), coords={"topic": list(topics), "pair": pairs})
    total = max(1, codes.size)
    return InnateVerdicts(
        pd.DataFrame(columns),
        array,
        decided=float((won.sum() + lost.sum()) / total),
        equal=float(equal.sum() / total),
        undecided=float(undecided.sum() / total),
        settings=settings,
        signature=signature,
    )


def worst_p(won: Ints, lost: Ints, undecided: Ints) -> Floats:
    """p of the sign test if every undecided topic went to the side with fewer; 1 where that then has as many."""
    fewer = np.minimum(won, lost) + undecided
    more = np.maximum(won, lost)
    p = signs_tested(more, fewer).p
    turned: Mask = fewer >= more
    p[turned] = 1.0
    return p
