"""Laws on the order of documents: what a list is, what it becomes, and what may then happen to its value."""

from __future__ import annotations

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
        return self.holds(before, after)


GRADES: SearchStrategy[Grade] = st.sampled_from([None, 0.0, 1.0, 2.0, 4.0, -1.0])
LABELS: SearchStrategy[float] = st.sampled_from([0.0, 1.0, 3.0, -1.0])
LISTS = st.lists(GRADES, max_size=6)
ELSEWHERE = st.lists(LABELS, min_size=1, max_size=3)


def _swapped(above: list[Grade], useless: Grade, useful: Grade, below: list[Grade], elsewhere: list[float]) -> Change:
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

GAINS: SearchStrategy[tuple[Grade, Grade]] = st.tuples(GRADES, GRADES).filter(
    lambda pair: max(pair[0] or 0.0, 0.0) < max(pair[1] or 0.0, 0.0)
)
"""Of two documents, the one with the smaller gain first."""


def _exchanged(
    above: list[Grade], pair: tuple[Grade, Grade], between: list[Grade], below: list[Grade], elsewhere: list[float]
) -> Change:
    smaller, larger = pair
    return Change([*above, smaller, *between, larger, *below], [*above, larger, *between, smaller, *below], elsewhere)


swapped = st.builds(_exchanged, LISTS, GAINS, st.just([]), LISTS, ELSEWHERE)
"""Two neighbours change places, of which the lower has the larger gain."""

exchanged = st.builds(_exchanged, LISTS, GAINS, st.lists(GRADES, min_size=1, max_size=2), LISTS, ELSEWHERE)
"""Two documents with others between them change places, of which the lower has the larger gain."""

LAWS = {
    "promotion": Law(promoted, lambda before, after: after >= before),
    "swap": Law(swapped, lambda before, after: after >= before - 1e-12),
    "exchange": Law(exchanged, lambda before, after: after >= before - 1e-12),
    "appending": Law(appended, lambda before, after: after == before),
    "padding": Law(appended, lambda before, after: after <= before),
}
"""A law is declined by its name. promotion: a relevant document moved up never makes a list worse. swap: nor do
neighbours that change places where the lower has the larger gain, so that of tied documents falling gains are the best
order. exchange: nor do any two, which intervals from missing judgments rest on. appending: unjudged documents added
below a list change nothing. padding: they are never rewarded."""
