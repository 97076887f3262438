"""Laws on the order of documents: what a list is, what it becomes, and what may then happen to its value."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from problems import Grade, first_value, of_grades

from cranfield import Measure


@dataclass(frozen=True)
class Change:
    """The same documents before and after."""

    before: list[Grade]
    after: list[Grade]
    elsewhere: list[float]
    """Labels of judged documents that are not retrieved."""


@dataclass(frozen=True)
class Law:
    """One law.

    Args:
        changes: what is done to a list.
        holds: whether the value before and the value after agree with the law; larger is better in both.
    """

    changes: SearchStrategy[Change]
    holds: Callable[[float, float], bool]

    def obeyed(self, measure: Measure, change: Change) -> bool:
        sign = 1 if measure.declaration.larger_is_better else -1
        before, after = (
            sign * first_value(measure, of_grades(ranked, change.elsewhere)) for ranked in (change.before, change.after)
        )
        return self.holds(before, after) or (math.isnan(before) and math.isnan(after))


GRADES: SearchStrategy[Grade] = st.sampled_from([None, 0.0, 1.0, 2.0, 4.0, -1.0])
LABELS: SearchStrategy[float] = st.sampled_from([0.0, 1.0, 3.0, -1.0])
LISTS = st.lists(GRADES, max_size=6)
ELSEWHERE = st.lists(LABELS, min_size=1, max_size=3)


def _swapped(above: list[Grade], useless: Grade, useful: float, below: list[Grade], elsewhere: list[float]) -> Change:
    return Change([*above, useless, useful, *below], [*above, useful, useless, *below], elsewhere)


promoted = st.builds(
    _swapped,
    LISTS,
    st.sampled_from([None, 0.0, -1.0]),
    st.sampled_from([1.0, 2.0, 3.0]),
    LISTS,
    ELSEWHERE,
)
"""A relevant document changes places with a document above it that is not relevant or not judged."""

appended = st.builds(
    lambda ranked, more, elsewhere: Change(ranked, [*ranked, *[None] * more], elsewhere),
    LISTS,
    st.integers(1, 4),
    ELSEWHERE,
)
"""Documents that were not judged are added below the list."""

LAWS = {
    "promotion": Law(promoted, lambda before, after: after >= before),
    "appending": Law(appended, lambda before, after: after == before),
    "padding": Law(appended, lambda before, after: after <= before),
}
"""A law is declined by its name. promotion: a relevant document moved up never makes a list worse. appending: unjudged
documents added below a list change nothing. padding: they are never rewarded."""
