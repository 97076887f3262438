"""Which measures are asked for, and whether the judgments can answer."""

from __future__ import annotations

from collections.abc import Iterable

from cranfield.collection.intents import no_intents
from cranfield.collection.qrels import Qrels
from cranfield.errors import InputError, UsageError
from cranfield.measures import Measure, MeasuresLike, is_of_ir_measures, parse_measures

DEFAULT = ("nDCG@10", "AP", "RR", "P@10", "R@1000", "Judged@10")


def measures_of(measures: MeasuresLike, rel: float | None = None) -> tuple[Measure, ...]:
    """Measures from names and objects, in order, each once; ``rel`` sets the relevance level where none is set.

    Raises:
        MeasureError: an unknown measure or parameter, or one that needs a parameter it was not given.
    """
    given = list(measures) if isinstance(measures, Iterable) and not isinstance(measures, str) else [measures]
    chosen: dict[Measure, None] = {}
    for item in given:
        if not (isinstance(item, (Measure, str)) or is_of_ir_measures(item)):
            raise UsageError(f"{item!r} is no measure: write its name, or cranfield.nDCG @ 10")
        for measure_ in parse_measures(item):
            measure = measure_
            parameter = measure.declaration.parameters.get("rel")
            if (
                rel is not None
                and parameter is not None
                and parameter.default is not None
                and "rel" not in measure.given
            ):
                measure = measure(rel=rel)
            chosen[measure.complete()] = None
    if not chosen:
        raise UsageError("no measure was given")
    return tuple(chosen)


def check_intents(qrels: Qrels, measures: Iterable[Measure]) -> None:
    """Refuse a measure that needs intents where the judgments name none.

    Raises:
        InputError: the first such measure.
    """
    for measure in measures:
        if measure.declaration.needs_intents and qrels.intents is None:
            raise InputError(no_intents(str(measure)), qrels.place, code="no-intents", value=str(measure))
