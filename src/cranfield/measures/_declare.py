"""A measure is declared once: one decorated function, from which everything else that names it is derived.

The function's keyword-only signature is the parameter list, its docstring the help, the decorator's arguments the
facts. The Python attribute, the parser, the command line, the documentation table, the type stub and the laws that
a measure is tested by all read ``registry``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.errors import MeasureError
from cranfield.measures._declaration import Declaration, Function, PeerSummary, Summary, Trec, register
from cranfield.measures._measure import Measure
from cranfield.measures._parameter import parameters_of


def measure(
    name: str,
    *,
    reference: str,
    aliases: Iterable[str] = (),
    trec: Iterable[Trec] = (),
    at: str = "cutoff",
    required: Iterable[str] = (),
    summary: Summary = "mean",
    undefined: float = 0.0,
    bounds: tuple[float, float] = (0.0, 1.0),
    larger_is_better: bool = True,
    pooled: bool = False,
    needs: str | None = None,
    peer_summary: PeerSummary | None = None,
    attribute: str | None = None,
    declines: Mapping[str, str] | None = None,
) -> Callable[[Function], Measure]:
    """Declare the decorated function as a measure; the decorated name becomes the measure itself.

    The function takes ``Rankings`` and keyword-only parameters, each annotated with a ``Meaning``, and returns one
    value for each segment, NaN where it is undefined. Its docstring: a sentence of meaning, then the formula.

    Args:
        name: the literature's spelling, unique among all measures.
        reference: where it is defined, with DOI where there is one.
        aliases: other spellings of the same measure with the same parameters.
        trec: trec_eval's spellings.
        at: the parameter that ``@`` sets.
        required: parameters that must be given.
        summary: how values of topics become one value of a system.
        undefined: what a NaN counts as in a summary; NaN leaves the topic out.
        bounds: smallest and largest value that it can take.
        larger_is_better: False for counts of bad things.
        pooled: whether it sees negative labels in every compatibility mode (infAP reads them itself).
        needs: what a topic must have for a value, where that is not a relevant document: ``two documents``.
        peer_summary: what a peer prints as the summary where it is no summary of its topics; None where it is.
        attribute: the Python name, where ``name`` is no identifier.
        declines: law of the common tests -> why this measure does not obey it.

    Raises:
        MeasureError: the name or an alias belongs to another measure.
    """

    def declare(function: Function) -> Measure:
        declaration = Declaration(
            name=name,
            attribute=attribute or name,
            function=function,
            parameters=parameters_of(function, tuple(required)),
            reference=reference,
            aliases=tuple(aliases),
            trec=tuple(trec),
            at=at,
            summary=summary,
            undefined=undefined,
            bounds=bounds,
            larger_is_better=larger_is_better,
            pooled=pooled,
            needs=needs,
            peer_summary=peer_summary,
            declines=dict(declines or {}),
        )
        if not declaration.attribute.isidentifier():
            raise MeasureError(f"{name!r} is no Python name: declare attribute=... too")
        register(declaration)
        return Measure(declaration)

    return declare


def values(measure: Measure, rankings: Rankings) -> PerRanking:
    """What a measure gives for each segment, before undefined values are filled, float64 [segments]."""
    declaration = measure.declaration
    if rankings.policy.hides_negative and not declaration.pooled:
        rankings = rankings.without_negatives
    if rankings.policy.unjudged == "condense":
        rankings = rankings.condensed
    out = np.asarray(declaration.function(rankings, **measure.parameters), dtype=np.float64)
    if out.shape != rankings.length.shape:
        raise MeasureError(f"{measure} gave values of shape {out.shape}, expected one a list, {rankings.length.shape}")
    return out
