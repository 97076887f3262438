"""One call that holds a measure to all that it declares."""

from __future__ import annotations

import math

from hypothesis import given, settings

from cranfield.errors import MeasureError
from cranfield.measures import Declaration, Measure, parse_measure
from cranfield.measures.describe import example
from cranfield.measures.laws import LAWS as WORDS
from cranfield.testing.laws import LAWS
from cranfield.testing.rankings import Case


def check_measure(measure: Measure | str, examples: int = 100) -> None:
    """Try a measure on lists that could break what it claims: its laws, its bounds, its name.

    For a test of your own: ``def test_mine(): check_measure("mine@10")``. Laws that the measure declines are left out.

    Args:
        measure: itself or its name; its defaults are tried, with ``@10`` where a cutoff is required.
        examples: how many cases hypothesis draws for each law.

    Raises:
        AssertionError: a claim does not hold; the message names it, and what to do, and shows the smallest case found.
        MeasureError: there is no such measure.
    """
    declaration = (parse_measure(measure) if isinstance(measure, str) else measure).declaration
    usual = example(declaration)
    assert parse_measure(str(usual)) == usual, f"{usual} prints as another measure"
    assert declaration.meaning, f"{declaration.name} has no docstring: its first sentence is its meaning"
    low, high = declaration.usual_range
    bounded = math.isfinite(low) and math.isfinite(high)
    assert bounded is ("boundedness" not in declaration.declines), (
        f"{declaration.name}: declare range=(lowest, highest), or decline 'boundedness' where it has no bounds"
    )
    for name in LAWS:
        if name not in declaration.declines:
            _check_law(declaration, name, examples)


def _check_law(declaration: Declaration, name: str, examples: int) -> None:
    law = LAWS[name]

    # No case is kept for the next call: whose folder it would lie in is not ours to say.
    @settings(max_examples=examples, deadline=None, database=None)
    @given(case=law.cases)
    def obeyed(case: Case) -> None:
        try:
            stands = law.obeyed(declaration, case)
        except MeasureError:
            stands = False
        assert stands, f"{declaration.name} breaks {name!r} ({WORDS[name].says}): decline it with a reason"

    obeyed()
