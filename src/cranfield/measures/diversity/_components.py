"""Measures on lists of gains, from which those of diversity are put together: the global gain's, each intent's.

A part sees lists whose labels are gains (see ``_gains``) and the end of the scale of each list. Its keyword-only
signature is part of the parameters of every measure that is made of it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, get_type_hints

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.intents import ANY
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures import average_precision, discounted_gain, err, precision, q_measure, rank_biased
from cranfield.measures._declaration import registry
from cranfield.measures._measure import Measure
from cranfield.measures._parameter import Cutoff, JudgedOnly, Meaning, Persistence
from cranfield.measures.average_precision import Denominator
from cranfield.measures.discounted_gain import Base, Discount
from cranfield.measures.diversity._declaration import IntentRel
from cranfield.measures.diversity._gains import GainRule, without_roundings
from cranfield.measures.gain import Dcg, Gains, MaxRel
from cranfield.measures.q_measure import Beta, blended_ratio
from cranfield.statistics.numeric import ratio

BASES = err, rank_biased
"""They declare what some parts are for one query."""

WeightedLists = tuple[Rankings, Floats]
"""Lists of gains, and the largest gain of the scale of each, float64 [segments]."""

Stopping = Annotated[
    Literal["rank-biased", "graded"], Meaning("at which relevant document a user stops: an early one, or a good one")
]


def on_gains(measure: Measure, rankings: Rankings, **parameters: Any) -> PerRanking:
    """A measure on lists of gains, where every gain above 0 is relevant."""
    if "rel" in measure.declaration.parameters:
        parameters["rel"] = ANY
    return measure.declaration.function(rankings, **parameters)


def gain_ndcg(lists: WeightedLists, *, discount: Discount = "log2", b: Base = 2, cutoff: Cutoff = None) -> PerRanking:
    """Share of the best discounted gain."""
    return on_gains(discounted_gain.nDCG, lists[0], discount=discount, b=b, cutoff=cutoff)


def gain_q(
    lists: WeightedLists, *, beta: Beta = 1, denominator: Denominator = "min", cutoff: Cutoff = None
) -> PerRanking:
    """Mean blended ratio."""
    return on_gains(q_measure.Q, lists[0], beta=beta, denominator=denominator, cutoff=cutoff)


def gain_ap(lists: WeightedLists, *, denominator: Denominator = "R", cutoff: Cutoff = None) -> PerRanking:
    """Mean precision."""
    return on_gains(average_precision.AP, lists[0], denominator=denominator, cutoff=cutoff)


def gain_p(lists: WeightedLists, *, cutoff: Cutoff = None) -> PerRanking:
    """Share of relevant documents."""
    return on_gains(precision.P, lists[0], cutoff=cutoff)


def gain_success(lists: WeightedLists, *, cutoff: Cutoff = None) -> PerRanking:
    """Return whether there is a relevant document."""
    return on_gains(precision.Success, lists[0], cutoff=cutoff)


def gain_rbp(lists: WeightedLists, *, p: Persistence = 0.95, cutoff: Cutoff = None) -> PerRanking:
    """Rank-biased precision."""
    rankings, top = lists
    view = rankings.top(cutoff)
    total = view.sum(view.grade / top[view.segment] * np.power(p, view.rank - 1.0))
    return without_roundings((1 - p) * total)


def satisfied(view: Rankings, top: Floats) -> Floats:
    """Probability to stop at each row, g / (max_rel + 1) times that of not having stopped before, float64 [rows]."""
    gain = np.where(view.grade > ANY, view.grade, 0.0)
    return view.first_chances(gain / (top[view.segment] + 1))


def gain_err(lists: WeightedLists, *, cutoff: Cutoff = None) -> PerRanking:
    """Expected reciprocal rank."""
    rankings, top = lists
    view = rankings.top(cutoff)
    return view.sum(satisfied(view, top) / view.rank)


def gain_nerr(lists: WeightedLists, *, cutoff: Cutoff = None) -> PerRanking:
    """Share of the best expected reciprocal rank."""
    rankings, top = lists
    topics = len(rankings.pool.size)
    first = top[:topics]

    def expected(best: Rankings) -> PerRanking:
        return gain_err((best, first), cutoff=cutoff)

    return ratio(gain_err(lists, cutoff=cutoff), rankings.ideal(("ERR", first.tobytes(), cutoff), np.asarray, expected))


def gain_ebr(lists: WeightedLists, *, beta: Beta = 1, cutoff: Cutoff = None) -> PerRanking:
    """Expected blended ratio."""
    rankings, top = lists
    view = rankings.top(cutoff).only(ANY)
    return without_roundings(view.sum(satisfied(view, top) * blended_ratio(view, ANY, beta, None)))


def gain_irbu(lists: WeightedLists, *, p: Persistence = 0.99, cutoff: Cutoff = None) -> PerRanking:
    """Rank-biased utility of one intent."""
    rankings, top = lists
    view = rankings.top(cutoff)
    return view.sum(satisfied(view, top) * np.power(p, view.rank))


def gain_ncu(
    lists: WeightedLists,
    *,
    stopping: Stopping = "rank-biased",
    beta: Beta = 1,
    gamma: Annotated[
        float, Meaning("chance of going on past a relevant document, for rank-biased users", low=0, high=1, open=True)
    ] = 0.95,
) -> PerRanking:
    """Normalised cumulative utility."""
    return on_gains(q_measure.NCU, lists[0], stopping=stopping, beta=beta, gamma=gamma, stops={ANY: 0.0})


def gain_o(lists: WeightedLists, *, beta: Beta = 1) -> PerRanking:
    """Blended ratio at the first relevant document."""
    return on_gains(q_measure.O_measure, lists[0], beta=beta)


def gain_p_measure(lists: WeightedLists, *, beta: Beta = 1) -> PerRanking:
    """Blended ratio at the preferred rank."""
    return on_gains(q_measure.P_measure, lists[0], beta=beta)


def gain_p_plus(lists: WeightedLists, *, beta: Beta = 1) -> PerRanking:
    """Mean blended ratio down to the preferred rank."""
    return on_gains(q_measure.P_plus, lists[0], beta=beta)


@dataclass(frozen=True)
class MeasureComponent:
    """A measure on lists of gains.

    Args:
        name: of the measure for one query without intents that it is.
        function: what it computes.
        formula: in a line.
        threshold: whether it looks at which documents are relevant, so that ``rel`` means something.
        scaled: whether it looks at the end of the scale.
        exponential: whether gains may be 2^g - 1.
        required: parameters that must be given.
    """

    name: str
    function: Callable[..., PerRanking]
    formula: str
    threshold: bool = True
    scaled: bool = False
    exponential: bool = False
    required: tuple[str, ...] = ()

    @property
    def declines(self) -> Mapping[str, str]:
        """Laws that the single-intent measure violates, and why."""
        return registry[self.name].declines

    @property
    def additive(self) -> bool:
        """Return whether the single-intent measure is a sum over documents, and sums of it over intents are."""
        return registry[self.name].additive

    @cached_property
    def own(self) -> tuple[str, ...]:
        """Names of the function's own parameters."""
        parameters = inspect.signature(self.function).parameters
        return tuple(name for name, parameter in parameters.items() if parameter.kind is inspect.Parameter.KEYWORD_ONLY)

    def parameters(self) -> dict[str, tuple[Any, Any]]:
        """Name -> (annotation, default) of what a measure made of it takes, in order."""
        hints = get_type_hints(self.function, include_extras=True)
        parameters = inspect.signature(self.function).parameters
        own = {name: (hints[name], parameters[name].default) for name in self.own}
        cutoff = {name: own.pop(name) for name in ("cutoff",) if name in own}
        out: dict[str, tuple[Any, Any]] = {"rel": (IntentRel, 1)} if self.threshold else {}
        out |= own
        out |= {"dcg": (Dcg, "log2")} if self.exponential else {}
        out |= {"gains": (Gains, None)}
        out |= {"max_rel": (MaxRel, None)} if self.scaled else {}
        return out | {"judged_only": (JudgedOnly, False)} | cutoff

    def value(
        self,
        rankings: Rankings,
        measure: str,
        lists_of: Callable[[Rankings, GainRule], Rankings],
        parameters: Mapping[str, Any],
    ) -> PerRanking:
        """The part on the lists that ``lists_of`` makes, one value for each of their segments."""
        rule = self.rule(measure, parameters)
        lists = lists_of(rankings, rule)
        top = rule.largest(rankings, lists, parameters["max_rel"]) if self.scaled else np.zeros(0)
        return self.function((lists, top), **{name: parameters[name] for name in self.own})

    def rule(self, measure: str, parameters: Mapping[str, Any]) -> GainRule:
        """Return how labels become gains."""
        rel = parameters["rel"] if self.threshold else ANY
        dcg = parameters.get("dcg", "log2")
        return GainRule(measure, rel, parameters["gains"], dcg, parameters["judged_only"], marked=self.threshold)


_PARTS = [
    MeasureComponent(
        "nDCG",
        gain_ndcg,
        "nDCG@k = sum over ranks r <= k of g(r) / log2(r + 1), divided by the same sum over the best list",
        threshold=False,
        exponential=True,
    ),
    MeasureComponent(
        "Q",
        gain_q,
        "Q@k = (1 / min(k, R)) * sum over relevant ranks r <= k of BR(r), BR(r) = (C(r) + beta cg(r)) / "
        "(r + beta cg*(r)), with C the count of relevant documents down to rank r, cg their gain and cg* that of "
        "the best list; without k, R divides the sum over the whole list",
    ),
    MeasureComponent(
        "AP", gain_ap, 'AP = (1 / R) * sum over relevant ranks r of P@r; with denominator="min", min(k, R) divides'
    ),
    MeasureComponent("P", gain_p, "P@k = relevant documents at ranks 1..k, divided by k", required=("cutoff",)),
    MeasureComponent(
        "Success",
        gain_success,
        "Success@k = 1 if a relevant document stands at ranks 1..k, else 0",
        required=("cutoff",),
    ),
    MeasureComponent(
        "ERR",
        gain_err,
        "ERR = sum over ranks r of (1/r) s(r) prod_{i<r} (1 - s(i)), s = g / (max_rel + 1)",
        threshold=False,
        scaled=True,
    ),
    MeasureComponent("nERR", gain_nerr, "nERR@k = ERR@k / ERR@k of the best list", threshold=False, scaled=True),
    MeasureComponent(
        "RBP", gain_rbp, "RBP = (1 - p) * sum over ranks r of (g(r) / max_rel) p^(r-1)", threshold=False, scaled=True
    ),
    MeasureComponent(
        "EBR",
        gain_ebr,
        "EBR = sum over ranks r of BR(r) s(r) prod_{i<r} (1 - s(i)), s = g / (max_rel + 1), BR the blended ratio of Q",
        scaled=True,
    ),
    MeasureComponent(
        "iRBU",
        gain_irbu,
        "iRBU = sum over ranks r of p^r s(r) prod_{i<r} (1 - s(i)), s = g / (max_rel + 1)",
        threshold=False,
        scaled=True,
    ),
    MeasureComponent(
        "NCU",
        gain_ncu,
        "NCU = sum over relevant ranks r of s(r) BR(r) / sum of s over the best list, s = gamma^(C(r)-1) "
        "(rank-biased) or g(r) (graded), BR the blended ratio of Q",
    ),
    MeasureComponent("O-measure", gain_o, "O-measure = BR(r) of Q at the smallest rank r of a relevant document"),
    MeasureComponent(
        "P-measure",
        gain_p_measure,
        "P-measure = BR(rp) of Q, with rp the smallest rank of a document with the largest gain in the list",
    ),
    MeasureComponent(
        "P-plus",
        gain_p_plus,
        "P-plus = mean of BR(r) of Q over the relevant ranks r <= rp, with rp the smallest rank of a document with the "
        "largest gain in the list",
    ),
]

PARTS = {part.name: part for part in _PARTS}
"""Name -> part."""
