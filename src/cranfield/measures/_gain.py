"""From labels to gains, for measures that look at degrees of relevance."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Annotated, Literal

import numpy as np

from cranfield.collection.pool import Floats
from cranfield.collection.rankings import Rankings
from cranfield.errors import MeasureError
from cranfield.measures._parameter import Meaning

Dcg = Annotated[Literal["log2", "exp-log2"], Meaning("gain of a label g: g itself, or 2^g - 1")]
Gains = Annotated[Mapping[float, float] | None, Meaning("gain of each label; labels not named keep theirs")]
MaxRel = Annotated[
    float | None,
    Meaning("largest label of the scale, after gains; the largest of the whole qrels where None", low=0),
]


def label_gain(
    rankings: Rankings, dcg: str, gains: Mapping[float, float] | None
) -> tuple[Hashable, Callable[[Floats], Floats]]:
    """The function from labels to gains, and a name for it.

    Labels named in ``gains`` take the gain given there. Others keep their label, or 0 below zero unless the policy
    is ``negative="keep"``. With ``exp-log2`` the gain is then sgn(g) (2^|g| - 1).
    """
    keep = rankings.policy.negative == "keep"
    if dcg == "exp-log2":
        mapped = rankings.pool.grade if gains is None else label_gain(rankings, "log2", gains)[1](rankings.pool.grade)
        check_exponent(float(np.abs(mapped).max(initial=0.0)))

    def gain(grade: Floats) -> Floats:
        value = grade if keep else np.maximum(grade, 0.0)
        for label, wanted in (gains or {}).items():
            value = np.where(grade == label, float(wanted), value)
        return np.sign(value) * (np.exp2(np.abs(value)) - 1) if dcg == "exp-log2" else value

    return (dcg, tuple((gains or {}).items()), keep), gain


def check_exponent(largest: float) -> None:
    """Refuse labels whose exponential is no number to calculate with.

    Raises:
        MeasureError: the largest label is above 1000.
    """
    if largest > 1000:
        raise MeasureError(f"2^{largest:g} is too large: an exponential gain needs smaller labels; map them with gains")


def useful_gain(
    rankings: Rankings, gains: Mapping[float, float] | None, rel: float = -np.inf
) -> tuple[Hashable, Callable[[Floats], Floats]]:
    """Gains for measures that have no use for harm, and a name for them: never below 0, and 0 for labels below rel."""
    key, gain = label_gain(rankings, "log2", gains)
    return (key, rel), lambda grade: np.where(grade >= rel, np.maximum(gain(grade), 0.0), 0.0)


def scale(rankings: Rankings, max_rel: float | None, measure: str, gains: Mapping[float, float] | None = None) -> float:
    """The largest label of the scale, after ``gains``.

    Raises:
        MeasureError: a label in the qrels is larger than the one given.
    """
    largest = rankings.pool.max_grade
    if gains:
        largest = float(useful_gain(rankings, gains)[1](rankings.pool.grade).max(initial=0.0))
    if max_rel is not None and largest > max_rel:
        raise MeasureError(
            f"{measure}(max_rel={max_rel:g}): the qrels hold the {'gain' if gains else 'label'} {largest:g}; "
            f"write {measure}(max_rel={largest:g}) or map the labels"
        )
    return largest if max_rel is None else float(max_rel)
