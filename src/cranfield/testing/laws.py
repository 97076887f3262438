"""The laws that a measure claims unless it declines them: cases that could break each, and how one is judged.

``Law.obeyed`` says whether a measure stands a case.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from hypothesis.strategies import SearchStrategy

from cranfield.errors import MeasureError
from cranfield.measures import Declaration
from cranfield.testing import cases
from cranfield.testing.views import Case, View, best_possible, raw, score, told_apart

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
        if case.swapped is not None and not told_apart(declaration, *case.swapped):
            return True
        deeper = None if case.depth is None else case.depth + case.deeper
        try:
            before = score(declaration, case.before, case.depth, case.whole)
            after = score(declaration, case.after, deeper, case.whole)
        except MeasureError:
            return False
        return math.isnan(before) or math.isnan(after) or holds(before, after)

    return obeyed


def _same(before: float, after: float) -> bool:
    return math.isclose(before, after, rel_tol=EPSILON, abs_tol=EPSILON)


def _within_bounds(declaration: Declaration, case: Case) -> bool:
    """Bounds hold; or, where none are declared, ten times the documents do not make the score four times larger."""
    low, high = declaration.usual_range
    found = [raw(declaration, view, case.depth) for view in (case.before, case.after)]
    if math.isfinite(low) and math.isfinite(high):
        return all(math.isnan(value) or low <= value <= high for value in found)
    before, after = map(abs, found)
    return not after > 4 * before > 0


def _defined(declaration: Declaration, case: Case) -> bool:
    return not math.isnan(raw(declaration, case.before, case.depth))


def _reaches_the_best(declaration: Declaration, case: Case) -> bool:
    assert case.depth is not None
    best = best_possible(declaration)
    return any(_same(score(declaration, view, case.depth), best) for view in _lists(case.before, case.depth))


def _lists(topic: View, length: int) -> Iterator[View]:
    """Every list of so many documents of a topic, by labels, the best first."""
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


LAWS = {
    "boundedness": Law(cases.grown(), _within_bounds),
    "monotonicity": Law(cases.deepened(), _compared(lambda before, after: after >= before - EPSILON)),
    "convergence": Law(cases.swapped(inside=False), _compared(lambda before, after: after > before + EPSILON)),
    "top-weightedness": Law(cases.swapped(inside=True), _compared(lambda before, after: after > before + EPSILON)),
    "localization": Law(cases.changed_elsewhere(), _compared(_same)),
    "completeness": Law(cases.without_relevant(), _defined),
    "realizability": Law(cases.pools(), _reaches_the_best),
    "shift invariance": Law(
        cases.relabelled(lambda label, number: label + number, (-1.0, 0.5, 1.0, 3.0)), _compared(_same)
    ),
    "scale invariance": Law(
        cases.relabelled(lambda label, number: label * number, (0.25, 0.5, 2.0, 3.0)), _compared(_same)
    ),
    "promotion": Law(cases.promoted(), _compared(lambda before, after: after >= before)),
    "swap": Law(cases.exchanged(neighbours=True), _compared(lambda before, after: after >= before - EPSILON)),
    "exchange": Law(cases.exchanged(neighbours=False), _compared(lambda before, after: after >= before - EPSILON)),
    "appending": Law(cases.appended(), _compared(lambda before, after: after == before)),
    "padding": Law(cases.appended(), _compared(lambda before, after: after <= before)),
}
"""As ``cranfield.measures._laws`` names them and says what they demand."""
