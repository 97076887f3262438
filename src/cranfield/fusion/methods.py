"""Methods of fusion that compute a score for every document from its scores or ranks. One function for each method."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cranfield import engine
from cranfield._message import setting
from cranfield._typing import Floats
from cranfield._validation import above, is_number, share
from cranfield.errors import UsageError
from cranfield.fusion.lists import RankedTopicLists
from cranfield.statistics.numeric import sum_ascending

FusionScorer = Callable[..., Floats]
methods: dict[str, FusionMethod] = {}
"""Name -> method."""
FOX_SHAW = "Fox & Shaw 1993, Combination of multiple searches, TREC-2"


@dataclass(frozen=True)
class FusionMethod:
    """A method of fusion.

    Args:
        name: as users write it.
        function: from a topic's lists, of which scores are normalized where ``uses`` says so, to scores [documents].
        uses: whether it uses ``scores`` or ``ranks``.
        reference: its publication.
    """

    name: str
    function: FusionScorer
    uses: Literal["scores", "ranks"]
    reference: str

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Name -> default, ``inspect.Parameter.empty`` where one must be given."""
        declared = inspect.signature(self.function).parameters.values()
        return {each.name: each.default for each in declared if each.kind is inspect.Parameter.KEYWORD_ONLY}

    @property
    def meaning(self) -> str:
        """First sentence of its docstring."""
        return " ".join((self.function.__doc__ or "").split("\n\n")[0].split())


def method(name: str, *, uses: Literal["scores", "ranks"], reference: str) -> Callable[[FusionScorer], FusionScorer]:
    """Declare a method of fusion: a function of ``RankedTopicLists`` and keyword-only parameters."""

    def declare(function: FusionScorer) -> FusionScorer:
        methods[name] = FusionMethod(name, function, uses, reference)
        return function

    return declare


def total(lists: RankedTopicLists, parts: Floats) -> Floats:
    """Sum over runs, [rows] -> [documents]; independent of the order of the runs to the last bit."""
    return sum_ascending(lists.document, parts, lists.documents)


def by_rank(lists: RankedTopicLists, weight: Callable[[Floats], Floats]) -> Floats:
    """``total`` of the weight of each row's rank, [documents]."""
    weights = weight(np.arange(1.0, lists.rank.max(initial=0) + 1))
    return engine.current().sum_by_rank(lists.document, lists.starts, weights, lists.documents)


def median(lists: RankedTopicLists, parts: Floats) -> Floats:
    """Median over runs, [rows] -> [documents]."""
    ascending = parts[np.lexsort((parts, lists.document))]
    holders = lists.holders
    first = np.cumsum(holders) - holders
    scores: Floats = ascending[first + (holders - 1) // 2] / 2 + ascending[first + holders // 2] / 2
    return scores


def _sum(lists: RankedTopicLists) -> Floats:
    """Sum of the scores, made once for all methods that need it, [documents]."""
    return lists.shared("sum", lambda: total(lists, lists.score))


@method("combsum", uses="scores", reference=FOX_SHAW)
def comb_sum(lists: RankedTopicLists) -> Floats:
    """Sum of the scores; a run contributes 0 to documents that it does not retrieve."""
    return _sum(lists)


@method("combmnz", uses="scores", reference=FOX_SHAW)
def comb_mnz(lists: RankedTopicLists) -> Floats:
    """Sum of the scores, times the number of runs that retrieve the document."""
    scores: Floats = _sum(lists) * lists.holders
    return scores


@method("combanz", uses="scores", reference=FOX_SHAW)
def comb_anz(lists: RankedTopicLists) -> Floats:
    """Mean of the scores over the runs that retrieve the document."""
    scores: Floats = _sum(lists) / lists.holders
    return scores


@method("combmax", uses="scores", reference=FOX_SHAW)
def comb_max(lists: RankedTopicLists) -> Floats:
    """Largest of the scores."""
    scores = np.full(lists.documents, -np.inf)
    np.maximum.at(scores, lists.document, lists.score)
    return scores


@method("combmin", uses="scores", reference=FOX_SHAW)
def comb_min(lists: RankedTopicLists) -> Floats:
    """Smallest of the scores over the runs that retrieve the document."""
    scores = np.full(lists.documents, np.inf)
    np.minimum.at(scores, lists.document, lists.score)
    return scores


@method("combmed", uses="scores", reference=FOX_SHAW)
def comb_med(lists: RankedTopicLists) -> Floats:
    """Median of the scores over the runs that retrieve the document."""
    return median(lists, lists.score)


@method("linear", uses="scores", reference="Vogt & Cottrell 1999, Fusion via a linear combination of scores")
def linear(lists: RankedTopicLists, *, weights: Sequence[float]) -> Floats:
    """Sum of the scores, each weighted by the weight of its run."""
    return total(lists, _check_weights(lists, weights)[lists.run] * lists.score)


def _check_weights(lists: RankedTopicLists, weights: Sequence[float]) -> Floats:
    """The weight of each run.

    Raises:
        UsageError: there is not one number for each.
    """
    are_numbers = isinstance(weights, (Sequence, np.ndarray)) and all(map(is_number, weights))
    if not are_numbers or len(weights) != lists.runs:
        raise UsageError(f"{setting('weights', weights)} should be one finite number for each of {lists.runs} runs")
    return np.asarray(weights, dtype=np.float64)


@method("rrf", uses="ranks", reference="Cormack, Clarke & Büttcher 2009, doi:10.1145/1571941.1572114")
def rrf(lists: RankedTopicLists, *, k: float = 60, weights: Sequence[float] | None = None) -> Floats:
    """Reciprocal rank fusion: sum of 1 / (k + rank), times the weight of the run where weights are given."""
    above(-1, k=k)
    if weights is not None:
        return total(lists, _check_weights(lists, weights)[lists.run] / (k + lists.rank))
    return by_rank(lists, lambda rank: 1 / (k + rank))


@method("isr", uses="ranks", reference="Mourão, Martins & Magalhães 2015, doi:10.1016/j.compmedimag.2014.05.006")
def isr(lists: RankedTopicLists) -> Floats:
    """Inverse square ranks: sum of 1 / rank^2, times the number of runs that retrieve the document."""
    scores: Floats = by_rank(lists, lambda rank: rank**-2.0) * lists.holders
    return scores


@method("borda", uses="ranks", reference="Aslam & Montague 2001, doi:10.1145/383952.384007")
def borda(lists: RankedTopicLists) -> Floats:
    """Points: of n documents, n for a run's first, n - 1 for its second; its missing ones share the rest."""
    left = (lists.documents - lists.length + 1) / 2
    # Halves, of which sums are exact: what each run would give if it lacked the document, and what it gives beyond.
    scores: Floats = left.sum() + total(lists, lists.documents + 1 - lists.rank - left[lists.run])
    return scores


@method("rbc", uses="ranks", reference="Bailey et al. 2017, doi:10.1145/3077136.3080839")
def rbc(lists: RankedTopicLists, *, p: float = 0.8) -> Floats:
    """Rank-biased centroid: sum of (1 - p) p^(rank - 1)."""
    share(p=p)
    return by_rank(lists, lambda rank: (1 - p) * p ** (rank - 1))
