"""Laws tried on many cases at once: each measure is called for all lists together, not for each.

A law asks for values one by one. Those that are not known yet are noted, and computed together for the next round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from unittest import mock

from cranfield import Measure
from cranfield.errors import MeasureError
from cranfield.measures import Declaration, values
from cranfield.testing import Case, LabelledList, Law, rankings


class _UnknownError(Exception):
    """A value that the next round has."""


def broken(law: Law, declarations: Iterable[Declaration], cases: Sequence[Case]) -> Iterator[tuple[str, Case]]:
    """The names of measures that break a law, and the cases in which they do."""
    known: dict[tuple[Measure, LabelledList], float | None] = {}
    asked: dict[tuple[Measure, float], dict[LabelledList, None]] = defaultdict(dict)
    alone = rankings.alone

    def looked_up(measure: Measure, view: LabelledList) -> float:
        if (measure, view) not in known:
            asked[measure, view.top][view] = None
            raise _UnknownError
        value = known[measure, view]
        return alone(measure, view) if value is None else value

    left = [(declaration, case) for declaration in declarations for case in dict.fromkeys(cases)]
    with mock.patch.object(rankings, "alone", looked_up):
        while left:
            again = []
            for declaration, case in left:
                try:
                    if not law.obeyed(declaration, case):
                        yield declaration.name, case
                except _UnknownError:
                    again.append((declaration, case))
            for (measure, _), lists in asked.items():
                found = zip(lists, _together(measure, tuple(lists)), strict=True)
                known |= {(measure, view): value for view, value in found}
            asked.clear()
            left = again


def _together(measure: Measure, lists: tuple[LabelledList, ...]) -> list[float] | list[None]:
    """The value of each list, all of the same largest label; None where one of them is refused: nobody knows which."""
    try:
        *found, _ = values(measure, _rankings(lists)).tolist()
    except MeasureError:
        return [None] * len(lists)
    return found


_rankings = lru_cache(maxsize=64)(rankings.rank_views)
"""Most measures are asked for the same lists."""
