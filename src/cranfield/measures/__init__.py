"""Measures, one family a file; a file added here is found by everything that lists measures."""

from typing import TYPE_CHECKING, Any

from cranfield.measures._compute import extremes, interval, summary, values
from cranfield.measures._contributions import is_additive, shares
from cranfield.measures._declaration import Declaration, Summary, Trec, Variant, Version, aliases, registry
from cranfield.measures._measure import Measure, measure, named
from cranfield.measures._parameter import Cutoff, JudgedOnly, Meaning, Parameter, Persistence, Rel
from cranfield.measures._parse import (
    MeasureLike,
    MeasureObject,
    MeasuresLike,
    is_of_ir_measures,
    names_in,
    parse_measure,
    parse_measures,
    trec_name,
)

if TYPE_CHECKING:
    from cranfield.measures._sampling import Influence, SamplingError, sampling_error

__all__ = [
    "Cutoff",
    "Declaration",
    "Influence",
    "JudgedOnly",
    "Meaning",
    "Measure",
    "MeasureLike",
    "MeasureObject",
    "MeasuresLike",
    "Parameter",
    "Persistence",
    "Rel",
    "SamplingError",
    "Summary",
    "Trec",
    "Variant",
    "Version",
    "aliases",
    "extremes",
    "interval",
    "is_additive",
    "is_of_ir_measures",
    "measure",
    "named",
    "names_in",
    "parse_measure",
    "parse_measures",
    "registry",
    "sampling_error",
    "shares",
    "summary",
    "trec_name",
    "values",
]


def __getattr__(name: str) -> Any:
    """Import what few calls need when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cranfield.measures import _sampling

    return getattr(_sampling, name)


def __dir__() -> list[str]:
    return __all__
