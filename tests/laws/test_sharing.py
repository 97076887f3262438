"""What measures have in common is computed once: none may be given what another with other parameters needed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from problems import numbers

from cranfield import Measure
from cranfield.collection import Rankings
from cranfield.errors import MeasureError
from cranfield.measures import Declaration, registry, values
from cranfield.testing import example, of_grades

RANKED = (1.0, None, 2.0, -1.0, 0.0, 4.0, None, 1.5, 3.0)
ELSEWHERE = (2.0, 1.0, -2.0, 4.0)
GAINS = ({1: 2, 2: 1}, {1: 2, 2: 3}, {-1: -1})


def fresh() -> Rankings:
    return of_grades(RANKED, ELSEWHERE)


def settings(declaration: Declaration) -> Iterator[Measure]:
    """The measure with every word set, and beside each every number."""
    usual, known = example(declaration), declaration.parameters.items()
    worded = [
        usual(**{name: word})
        for name, one in known
        for word in (*one.choices, *((False, True) if bool in one.types else ()))
    ]
    for base in (usual, *worded):
        yield base
        for name, one in known:
            numeric = numbers(one) if {int, float} & set(one.types) else []
            for number in (*numeric, *(GAINS if dict in one.types and one.keys is float else ())):
                yield base(**{name: number})


@pytest.mark.slow
@pytest.mark.parametrize("name", registry)
def test_a_measure_gives_the_same_after_others_of_its_kind(name: str) -> None:
    together, compared = fresh(), 0
    for measure in dict.fromkeys(settings(registry[name])):
        try:
            alone = values(measure, fresh())
        except MeasureError:
            continue  # parameters that exclude each other, or labels outside a scale set by hand
        np.testing.assert_array_equal(values(measure, together), alone, str(measure))
        compared += 1
    assert compared > 0
