"""From labels to gains, and gains discounted by rank, for measures that look at degrees of relevance.

Discounted gain is also that of the best ranking, of the worst, and of random orders of the judged documents.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.pool import POSITIVE
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.errors import MeasureError
from cranfield.measures._parameter import Meaning
from cranfield.statistics.numeric import ratio
from cranfield.statistics.rounding import NOISE

Dcg = Annotated[Literal["log2", "exp-log2"], Meaning("gain of a label g: g itself, or 2^g - 1")]
Gains = Annotated[Mapping[float, float] | None, Meaning("gain of each label; labels not named keep theirs")]
MaxRel = Annotated[
    float | None,
    Meaning("largest label of the scale, after gains; the largest of the whole qrels where None", low=0),
]


LARGEST = 2.0**1000
"""Gains up to this can be added up, whatever a list holds."""


@dataclass(frozen=True)
class Gain:
    """The worth of a label.

    Args:
        key: what names it.
        of: labels -> gains.
        least: the smallest label that may have a gain other than 0.
        is_label: whether every label is its own gain.
    """

    key: Hashable
    of: Callable[[Floats], Floats]
    least: float
    is_label: bool = False

    def rows(self, view: Rankings, cutoff: int | None = None) -> Rankings:
        """The lists, to a cutoff, with those documents alone that may have a gain: all that a sum of gains needs."""
        return view.only(self.least).top(cutoff)

    def on(self, view: Rankings) -> Floats:
        """Gain of each row, float64 [rows]."""
        if self.is_label:
            return view.grade
        gain: Floats = view.shared(("gain", self.key), lambda: self.of(view.grade))
        return gain


def label_gain(rankings: Rankings, dcg: str, gains: Mapping[float, float] | None, negative: str | None = None) -> Gain:
    """The gain of a label.

    Labels named in ``gains`` take the gain given there. Others keep their label, or 0 below zero unless ``negative``,
    or the policy where it is None, is ``keep``. With ``exp-log2`` the gain is then sgn(g) (2^|g| - 1).
    """
    keep = (negative or rankings.policy.negative) == "keep"
    named = None if gains is None else tuple(gains.items())
    return rankings.pool.shared(("label gain", dcg, named, keep), lambda: _label_gain(rankings, dcg, gains, keep))


def _label_gain(rankings: Rankings, dcg: str, gains: Mapping[float, float] | None, keep: bool) -> Gain:
    if dcg == "exp-log2":
        labels = rankings.pool.labels
        check_exponent(
            float(np.abs(labels if gains is None else label_gain(rankings, "log2", gains).of(labels)).max(initial=0.0))
        )

    def gain(grade: Floats) -> Floats:
        value = grade if keep else np.maximum(grade, 0.0)
        for label, wanted in (gains or {}).items():
            value = np.where(grade == label, float(wanted), value)
        return np.sign(value) * (np.exp2(np.abs(value)) - 1) if dcg == "exp-log2" else value

    key = (dcg, tuple((gains or {}).items()), keep)
    pool = rankings.pool
    largest = pool.shared(("largest gain", key), lambda: float(np.abs(gain(pool.labels)).max(initial=0.0)))
    if largest > LARGEST:
        raise MeasureError(f"gains of {largest:g} are too large to be added up; map such labels with gains")
    least = -np.inf if keep else min([POSITIVE, *(gains or {})])
    is_label = dcg == "log2" and not gains and (keep or not np.signbit(pool.labels).any())
    return Gain(key, gain, pool.level(least), is_label)


def check_exponent(largest: float) -> None:
    """Refuse labels whose exponential is not a number to calculate with.

    Raises:
        MeasureError: the largest label is above 1000.
    """
    if largest > 1000:
        raise MeasureError(f"2^{largest:g} is too large: an exponential gain needs smaller labels; map them with gains")


def useful_gain(rankings: Rankings, gains: Mapping[float, float] | None, rel: float = -np.inf) -> Gain:
    """Gains for measures that have no use for harm: never below 0, and 0 for labels below rel."""
    key = "useful gain", None if gains is None else tuple(gains.items()), rel, rankings.policy.negative
    return rankings.pool.shared(key, lambda: _useful_gain(rankings, gains, rel))


def _useful_gain(rankings: Rankings, gains: Mapping[float, float] | None, rel: float) -> Gain:
    plain = label_gain(rankings, "log2", gains)
    least = rankings.pool.level(max(rel, plain.least))
    labels = rankings.pool.labels
    if least == plain.least and (plain.of(labels) >= 0).all():
        return plain
    return Gain(
        ("useful", plain.key, least),
        lambda grade: np.where(grade >= rel, np.maximum(plain.of(grade), 0.0), 0.0),
        least,
    )


def scale(rankings: Rankings, max_rel: float | None, measure: str, gains: Mapping[float, float] | None = None) -> float:
    """The largest label of the scale, after ``gains``.

    Raises:
        MeasureError: a label in the qrels is larger than the one given.
    """
    largest = rankings.pool.max_grade
    if gains:
        largest = float(useful_gain(rankings, gains).of(rankings.pool.labels).max(initial=0.0))
    if max_rel is not None and largest > max_rel:
        raise MeasureError(
            f"{measure}(max_rel={max_rel:g}): the qrels hold the {'gain' if gains else 'label'} {largest:g}; "
            f"write {measure}(max_rel={largest:g}) or map the labels"
        )
    return largest if max_rel is None else float(max_rel)


class RandomOrder(NamedTuple):
    """DCG of random orders of the judged documents of each list's topic, float64 [segments] each."""

    depth: Floats
    """Ranks that are looked at: min(k, m) of m judged documents."""
    mean: Floats
    """Mean gain of the judged documents, NaN without any."""
    expected: Floats
    """Mean DCG of all their orders: the mean gain times the sum of the discounts."""
    best: Floats
    """DCG of their best order, whatever the gains in it."""
    scale: Floats
    """Size of the terms that these are sums of; differences are known to ``NOISE`` times that."""

    @property
    def room(self) -> Floats:
        """Return how far the best order is above the expected one, float64 [segments].

        NaN where no order is better than another: all gains are equal, or all ranks count alike and all are looked at.
        """
        room = self.best - self.expected
        usable: Floats = np.where(room > NOISE * self.scale, room, np.nan)
        return usable


def discount_divisor(rank: Floats, discount: str, b: float) -> Floats:
    """The divisor of a gain at each rank: ``log2`` or ``jk`` with base b, see ``DCG``."""
    divisor: Floats = np.maximum(np.log(rank) / np.log(b), 1.0) if discount == "jk" else np.log2(rank + 1.0)
    return divisor


@dataclass(frozen=True)
class Discounting:
    """A gain, a discount and a cutoff: all that a discounted cumulated gain depends on but the ranking.

    Args:
        gain: of a label.
        discount: ``log2`` or ``jk``, see ``DCG``.
        b: base of ``jk``.
        cutoff: ranks that are looked at, all where None.
    """

    gain: Gain
    discount: str = "log2"
    b: float = 2
    cutoff: int | None = None

    def divisor(self, rank: Floats) -> Floats:
        """The divisor of a gain at each rank."""
        return discount_divisor(rank, self.discount, self.b)

    def on(self, view: Rankings) -> Floats:
        """Gain of each judged document over the discount of its rank, float64 [rows]."""
        value: Floats = view.shared(
            ("DCG", self.gain.key, self.discount, self.b), lambda: self.gain.on(view) / view.at_rank(self.divisor)
        )
        return value

    def running(self, view: Rankings) -> Floats:
        """The sum of discounted gains down to each row, float64 [rows]."""
        total: Floats = view.shared(
            ("running DCG", self.gain.key, self.discount, self.b), lambda: view.running_sum(self.on(view))
        )
        return total

    def summed(self, view: Rankings) -> PerRanking:
        """The sum of discounted gains over each list, float64 [segments]."""
        total: PerRanking = view.shared(
            ("sum of DCG", self.gain.key, self.discount, self.b), lambda: view.sum(self.on(view))
        )
        return total

    def total(self, rankings: Rankings, *, judged_only: bool = False) -> PerRanking:
        """DCG of each list to the cutoff; its mean where the order of equal scores is open."""
        if rankings.first is not None:
            view = self.gain.rows(rankings.view(judged_only=judged_only))
            return view.sum(self.gain.on(view) * view.mean_weight(lambda rank: 1 / self.divisor(rank), self.cutoff))
        return self.summed(rankings.only(self.gain.least, judged_only=judged_only).top(self.cutoff))

    def best(self, rankings: Rankings) -> PerRanking:
        """DCG of the best ranking of each list's topic; documents without gain exist without limit."""
        return rankings.ideal(self._name("best"), self.gain.of, self.total)

    def worst(self, rankings: Rankings) -> PerRanking:
        """DCG of the worst ranking: gains below zero only, the lowest first; never above 0."""
        return rankings.ideal(self._name("worst"), lambda grade: -self.gain.of(grade), self.total)

    def random_order(self, rankings: Rankings) -> RandomOrder:
        """Return what random orders of the judged documents alone are worth; nothing unjudged stands among them."""

        def facts(lists: Rankings) -> Floats:
            gains, cut, size = self.gain.on(lists), lists.top(self.cutoff), lists.length.astype(np.float64)
            mean, magnitude = ratio(lists.sum(gains), size), ratio(lists.sum(np.abs(gains)), size)
            weights = cut.sum(cut.at_rank(lambda rank: 1 / self.divisor(rank)))
            terms = self.on(cut)
            scale = magnitude * weights + cut.sum(np.abs(terms))
            return np.stack([cut.length.astype(np.float64), mean, mean * weights, cut.sum(terms), scale])

        return RandomOrder(*rankings.ideal(self._name("random"), lambda grade: _ranks(self.gain.of(grade)), facts))

    def worst_judged(self, rankings: Rankings) -> PerRanking:
        """DCG of the worst order of the judged documents alone, to rank min(k, m): the lowest gains first."""

        def total(lists: Rankings) -> PerRanking:
            cut = lists.top(self.cutoff)
            return cut.sum(self.on(cut))

        return rankings.ideal(self._name("worst judged"), lambda grade: _ranks(-self.gain.of(grade)), total)

    def _name(self, what: str) -> Hashable:
        return f"{what} DCG", self.gain.key, self.discount, self.b, self.cutoff


def _ranks(gains: Floats) -> Floats:
    """Rank of each value among the distinct ones, from 1, so that gains below zero order documents too."""
    ranks: Floats = np.unique(gains, return_inverse=True)[1].astype(np.float64) + 1
    return ranks
