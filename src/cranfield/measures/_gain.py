"""From labels to gains, for measures that look at degrees of relevance."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.pool import POSITIVE
from cranfield.collection.rankings import Rankings
from cranfield.errors import MeasureError
from cranfield.measures._parameter import Meaning

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
    """What a label is worth.

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
