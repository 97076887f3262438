"""The laws that a measure obeys unless it declines them: cases that could break each, drawn by hypothesis."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from cranfield.errors import MeasureError
from cranfield.measures import Declaration
from cranfield.testing.rankings import TOP, Case, Grade, LabelledList, best_possible, is_less_relevant, raw, score

EPSILON = 1e-12


@dataclass(frozen=True)
class Law:
    """One law.

    Args:
        cases: what may happen.
        obeyed: whether a measure stands a case.
    """

    cases: SearchStrategy[Case]
    obeyed: Callable[[Declaration, Case], bool]


def _compared(holds: Callable[[float, float], bool]) -> Callable[[Declaration, Case], bool]:
    """Judge the scores before and after; one that no mean would count says nothing."""

    def obeyed(declaration: Declaration, case: Case) -> bool:
        if case.swapped is not None and not is_less_relevant(declaration, *case.swapped):
            return True
        deeper = None if case.depth is None else case.depth + case.deeper
        try:
            before = score(declaration, case.before, case.depth, case.complete)
            after = score(declaration, case.after, deeper, case.complete)
        except MeasureError:
            return False
        return math.isnan(before) or math.isnan(after) or holds(before, after)

    return obeyed


def _same(before: float, after: float) -> bool:
    return math.isclose(before, after, rel_tol=EPSILON, abs_tol=EPSILON)


def _within_bounds(declaration: Declaration, case: Case) -> bool:
    """Bounds hold; or, where none are declared, ten times the documents do not make the score four times larger."""
    low, high = declaration.usual_range
    scores = [raw(declaration, view, case.depth) for view in (case.before, case.after)]
    if math.isfinite(low) and math.isfinite(high):
        return all(math.isnan(value) or low <= value <= high for value in scores)
    before, after = map(abs, scores)
    return not after > 4 * before > 0


def _defined(declaration: Declaration, case: Case) -> bool:
    return not math.isnan(raw(declaration, case.before, case.depth))


def _reaches_the_best(declaration: Declaration, case: Case) -> bool:
    assert case.depth is not None
    best = best_possible(declaration)
    return any(_same(score(declaration, view, case.depth), best) for view in _lists(case.before, case.depth))


def _lists(topic: LabelledList, length: int) -> Iterator[LabelledList]:
    """Every list of ``length`` documents of a topic, by labels, the best first."""
    pool = sorted(topic.elsewhere, reverse=True)
    for ranked in itertools.product([*dict.fromkeys(pool), None], repeat=length):
        left = list(pool)
        try:
            for grade in ranked:
                if grade is not None:
                    left.remove(grade)
        except ValueError:
            continue
        yield replace(topic, ranked=ranked, elsewhere=tuple(left))


GRADES: SearchStrategy[Grade] = st.sampled_from([None, 0.0, 1.0, 2.0, 4.0])
LABELS: SearchStrategy[float] = st.sampled_from([0.0, 1.0, 2.0, 4.0])
ANY_GRADES: SearchStrategy[Grade] = st.sampled_from([None, 0.0, 1.0, 2.0, 4.0, -1.0])
ANY_LABELS: SearchStrategy[float] = st.sampled_from([0.0, 1.0, 3.0, -1.0])


def _tuples(members: SearchStrategy[Any], least: int = 0, most: int = 6) -> SearchStrategy[tuple[Any, ...]]:
    return st.lists(members, min_size=least, max_size=most).map(tuple)


LISTS, ELSEWHERE = _tuples(GRADES, most=4), _tuples(LABELS, 1, 3)
ANY_LISTS, ANY_ELSEWHERE = _tuples(ANY_GRADES), _tuples(ANY_LABELS, 1, 3)
CUTS = st.sampled_from([None, 1, 2, 3, 4])


@st.composite
def swapped(draw: st.DrawFn, inside: bool) -> Case:
    """A document changes places with a less relevant one above it; both or one of them within the depth."""
    above, between, below = (draw(LISTS) for _ in range(3))
    worse, better = draw(GRADES), draw(st.sampled_from([1.0, 2.0, 4.0]))
    if not (worse or 0.0) < better:
        worse = None
    first, last = len(above) + 1, len(above) + len(between) + 2
    depth = draw(st.integers(last, last + 2) | st.none()) if inside else draw(st.integers(first, last - 1))
    elsewhere = draw(ELSEWHERE)
    return Case(
        LabelledList((*above, worse, *between, better, *below), elsewhere),
        LabelledList((*above, better, *between, worse, *below), elsewhere),
        depth,
        swapped=(worse, better),
    )


@st.composite
def promoted(draw: st.DrawFn) -> Case:
    """A relevant document changes places with a document above it that is not relevant or not judged."""
    above, below, elsewhere = draw(ANY_LISTS), draw(ANY_LISTS), draw(ANY_ELSEWHERE)
    worse, better = draw(st.sampled_from([None, 0.0, -1.0])), draw(st.sampled_from([1.0, 2.0, 3.0]))
    before, after = (LabelledList((*above, *pair, *below), elsewhere) for pair in ((worse, better), (better, worse)))
    return Case(before, after, draw(CUTS), complete=True)


@st.composite
def exchanged(draw: st.DrawFn, neighbours: bool) -> Case:
    """Two documents change places, of which the lower has the larger gain; others may stand between them."""
    above, below, elsewhere = draw(ANY_LISTS), draw(ANY_LISTS), draw(ANY_ELSEWHERE)
    between = () if neighbours else draw(_tuples(ANY_GRADES, 1, 2))
    worse, better = draw(ANY_GRADES), draw(st.sampled_from([1.0, 2.0, 4.0]))
    if not max(worse or 0.0, 0.0) < better:
        worse = None
    before, after = (
        LabelledList((*above, first, *between, last, *below), elsewhere)
        for first, last in ((worse, better), (better, worse))
    )
    return Case(before, after, draw(CUTS), complete=True)


@st.composite
def appended(draw: st.DrawFn) -> Case:
    """Documents that were not judged are added below the list."""
    ranked, elsewhere = draw(ANY_LISTS), draw(ANY_ELSEWHERE)
    unjudged = (None,) * draw(st.integers(1, 4))
    return Case(
        LabelledList(ranked, elsewhere), LabelledList((*ranked, *unjudged), elsewhere), draw(CUTS), complete=True
    )


@st.composite
def deepened(draw: st.DrawFn) -> Case:
    """One more rank is looked at."""
    ranked = draw(_tuples(GRADES, 2, 7))
    view = LabelledList(ranked, draw(ELSEWHERE))
    return Case(view, view, draw(st.integers(1, len(ranked) - 1)), deeper=1)


@st.composite
def changed_elsewhere(draw: st.DrawFn) -> Case:
    """Other documents stand below the depth, and others are judged."""
    seen = draw(_tuples(GRADES, 1, 5))
    further = (TOP,) * draw(st.sampled_from([0, 20]))
    before, after = (LabelledList((*seen, *draw(LISTS)), (*draw(ELSEWHERE), *addition)) for addition in ((), further))
    return Case(before, after, len(seen))


@st.composite
def without_relevant(draw: st.DrawFn) -> Case:
    """A topic whose judged documents are all not relevant."""
    ranked = draw(_tuples(st.sampled_from([None, 0.0]), 1, 4))
    view = LabelledList(ranked, draw(_tuples(st.just(0.0), 1, 3)))
    return Case(view, view, draw(CUTS))


@st.composite
def pools(draw: st.DrawFn) -> Case:
    """A topic with a document of the largest label, and how long lists are."""
    largest = (TOP,) * draw(st.integers(1, 20))
    view = LabelledList((), (*largest, *draw(_tuples(st.sampled_from([0.0, 1.0, 2.0]), most=3))))
    return Case(view, view, draw(st.integers(1, 3)))


@st.composite
def grown(draw: st.DrawFn) -> Case:
    """A topic with ten times as many documents of each kind."""
    pattern, elsewhere = (
        draw(_tuples(ANY_GRADES, 1, 3)),
        draw(_tuples(ANY_GRADES.filter(lambda label: label is not None), 1, 2)),
    )
    before, after = (LabelledList(pattern * copies, elsewhere * copies) for copies in (10, 100))
    return Case(before, after, None)


@st.composite
def relabelled(draw: st.DrawFn, change: Callable[[float, float], float], numbers: tuple[float, ...]) -> Case:
    """All labels of the qrels are changed alike."""
    number = draw(st.sampled_from(numbers))
    view = LabelledList(draw(_tuples(GRADES, 1, 5)), draw(ELSEWHERE))
    ranked = tuple(None if grade is None else change(grade, number) for grade in view.ranked)
    elsewhere = tuple(change(label, number) for label in view.elsewhere)
    return Case(view, LabelledList(ranked, elsewhere, change(view.top, number)), draw(CUTS))


LAWS = {
    "boundedness": Law(grown(), _within_bounds),
    "monotonicity": Law(deepened(), _compared(lambda before, after: after >= before - EPSILON)),
    "convergence": Law(swapped(inside=False), _compared(lambda before, after: after > before + EPSILON)),
    "top-weightedness": Law(swapped(inside=True), _compared(lambda before, after: after > before + EPSILON)),
    "localization": Law(changed_elsewhere(), _compared(_same)),
    "completeness": Law(without_relevant(), _defined),
    "realizability": Law(pools(), _reaches_the_best),
    "shift invariance": Law(relabelled(lambda label, number: label + number, (-1.0, 0.5, 1.0, 3.0)), _compared(_same)),
    "scale invariance": Law(relabelled(lambda label, number: label * number, (0.25, 0.5, 2.0, 3.0)), _compared(_same)),
    "promotion": Law(promoted(), _compared(lambda before, after: after >= before)),
    "swap": Law(exchanged(neighbours=True), _compared(lambda before, after: after >= before - EPSILON)),
    "exchange": Law(exchanged(neighbours=False), _compared(lambda before, after: after >= before - EPSILON)),
    "appending": Law(appended(), _compared(lambda before, after: after == before)),
    "padding": Law(appended(), _compared(lambda before, after: after <= before)),
}
"""As ``cranfield.measures.laws`` names them and says what they demand."""
