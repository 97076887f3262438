"""Lists whose labels are gains: of a document for all intents together, or for one intent after the other.

A label of 0 or less gains nothing for any intent. Where a measure counts relevant documents, one is relevant if its
gain reaches ``ANY``, the smallest number above 0, which marks a document that is relevant without a gain: to intents
without probability only, or with ``gains`` of 0. Measures of gains alone see the gain 0 there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.intent_rankings import by_intent, get_intents
from cranfield.collection.intents import ANY, Intents
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Rankings
from cranfield.measures.gain import label_gain, scale


class GainPool(Pool):
    """Gains instead of labels. Lists may hold gains that the pool does not: 0, and any number from ``ANY`` on."""

    @cached_property
    def labels(self) -> Floats:
        """The gains of the pool, 0 and ``ANY``, ascending, float64 [labels]."""
        return np.unique(np.append(self.grade, (0.0, ANY)))


@dataclass(frozen=True, slots=True)
class GainRule:
    """A rule by which labels of an intent become gains.

    Args:
        measure: the name of the measure, for messages.
        rel: labels below it are not relevant and have no gain.
        gains: gain of each label; labels not named keep theirs.
        dcg: whether the gain of g is g or 2^g - 1.
        judged_only: whether unjudged documents are dropped before ranks are assigned.
        marked: whether relevant documents without a gain are marked by ``ANY``.
    """

    measure: str
    rel: float = ANY
    gains: Mapping[float, float] | None = None
    dcg: str = "log2"
    judged_only: bool = False
    marked: bool = True

    def view(self, rankings: Rankings) -> Rankings:
        """The lists that are looked at."""
        return rankings.view(judged_only=self.judged_only)

    def intents(self, rankings: Rankings) -> Intents:
        """The intents of the judgments."""
        return get_intents(rankings, self.measure)

    def gain(self, rankings: Rankings) -> tuple[Hashable, Callable[[Floats], Floats]]:
        """The function from labels above 0 to gains, and a name for it."""
        gain = label_gain(rankings, self.dcg, self.gains)
        return (gain.key, self.rel), lambda label: np.where(label >= self.rel, np.maximum(gain.of(label), 0.0), 0.0)

    def mark(self, gain: Floats | Ints, relevant: Mask) -> Floats:
        """Gains, with the smallest number above 0 for what is relevant without one, where that is counted."""
        gain = gain.astype(np.float64, copy=False)
        return np.where(relevant, np.maximum(gain, ANY), gain) if self.marked else gain

    def largest(self, rankings: Rankings, lists: Rankings, max_rel: float | None) -> Floats:
        """The end of the scale of gains for each list of ``lists``, float64 [segments of lists].

        It is the same everywhere: ``max_rel``, or the largest gain of the whole qrels. NTCIREVAL takes the largest of
        each ideal list.
        """
        if max_rel is None and rankings.policy.compat == "ntcireval":
            best = np.zeros(len(lists.pool.size))
            filled = lists.pool.size > 0
            if filled.any():
                best[filled] = np.maximum.reduceat(lists.pool.grade, lists.pool.starts[:-1][filled])
            return lists.per_topic(np.where(best > 0, best, 1.0))
        return np.full(len(lists.length), self.scale(rankings, max_rel) or 1.0)

    def scale(self, rankings: Rankings, max_rel: float | None) -> float:
        """The largest label of any intent, after gains; or ``max_rel``, which must not be smaller."""
        return scale(by_intent(rankings, self.measure)[0], max_rel, self.measure, self.gains)


def get_weights(rankings: Rankings, intents: Intents, rel: float) -> Floats:
    """P(i|q) of every intent, float64 [intents]; NTCIREVAL does not make them add up to 1."""
    return intents.probabilities(rel, raw=rankings.policy.compat == "ntcireval")


def global_gains(rankings: Rankings, rule: GainRule) -> Rankings:
    """The lists with the global gain GG(d) = sum over intents of P(i|q) g_i(d) instead of labels."""
    view, pool = rule.view(rankings), _global_pool(rankings, rule)
    lists: Rankings = view.shared(("global", id(pool)), lambda: _regraded(view, pool, pool.grade[view.document]))
    return lists


def typed_gains(rankings: Rankings, rule: GainRule) -> Rankings:
    """The same, but a navigational intent gives its gain to the first document only that is relevant to it."""
    view, pool, intents = rule.view(rankings), _global_pool(rankings, rule), rule.intents(rankings)
    lists, row = by_intent(view, rule.measure)
    relevant = lists.relevant(rule.rel)
    first = lists.running_count(relevant) == 1
    counts = relevant & (first | ~intents.navigational[intents.intent[lists.document]])
    weight = get_weights(rankings, intents, rule.rel)
    gain = weight[intents.intent[lists.document]] * rule.gain(rankings)[1](lists.grade)
    total = np.bincount(row, gain * counts, minlength=len(view.document))
    seen = np.bincount(row, counts, minlength=len(view.document)) > 0
    return _regraded(view, pool, rule.mark(total, seen & (pool.grade[view.document] > 0)))


def intent_gains(rankings: Rankings, rule: GainRule) -> Rankings:
    """One list for each (system, intent), with the gain for that intent instead of labels."""
    lists, _ = by_intent(rule.view(rankings), rule.measure)
    key, gain = rule.gain(rankings)

    def marked() -> Pool:
        label = lists.pool.grade
        return GainPool(lists.pool.starts, rule.mark(gain(label), label >= rule.rel))

    pool: Pool = lists.pool.shared(("gain", key, rule.marked), marked)
    regraded: Rankings = lists.shared(("gain", id(pool)), lambda: _regraded(lists, pool, pool.grade[lists.document]))
    return regraded


def over_intents(rankings: Rankings, intents: Intents, values: Floats, weights: Floats) -> Floats:
    """Weighted sum over the intents of each topic, [systems * intents] -> [systems * topics]."""
    systems, topics = len(rankings.systems), len(intents.topics)
    segment = (np.arange(systems)[:, None] * topics + intents.topic).ravel()
    total = np.bincount(segment, np.tile(weights, systems) * values, minlength=systems * topics)
    return total.astype(np.float64, copy=False)


def without_roundings(value: Floats) -> Floats:
    """1 where a value passes 1 by no more than a rounding. Probabilities taken as they are can lift one far above."""
    return np.where((value > 1) & (value < 1 + 1e-12), 1.0, value)


def _global_pool(rankings: Rankings, rule: GainRule) -> Pool:
    intents = rule.intents(rankings)
    name, gain = rule.gain(rankings)
    key = ("global gain", name, rankings.policy.compat == "ntcireval", rule.marked)

    def expected() -> Pool:
        label, weight = intents.label, get_weights(rankings, intents, rule.rel)
        rows = len(rankings.pool.grade)
        total = np.bincount(intents.document, weight[intents.intent] * gain(label), minlength=rows)
        # Where no relevant intent has a probability, nothing is known to be good.
        weighed = intents.per_topic(weight)[rankings.pool.topic] > 0
        seen = (np.bincount(intents.document, label >= rule.rel, minlength=rows) > 0) & weighed
        return GainPool(rankings.pool.starts, rule.mark(total, seen))

    pool: Pool = rankings.pool.shared(key, expected)
    return pool


def _regraded(lists: Rankings, pool: Pool, grade: Floats) -> Rankings:
    return replace(lists, pool=pool, grade=grade, first=None, last=None)
