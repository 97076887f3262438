"""A measure is declared once: one decorated function, from which everything else that names it is derived.

The function's keyword-only signature is the parameter list, its docstring the help, the decorator's arguments the
facts. The Python attribute, the parser, the command line, the documentation table, the type stub and the laws that
a measure is tested by all read ``registry``.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping

from cranfield.errors import MeasureError
from cranfield.measures._declaration import (
    Declaration,
    Function,
    PeerSummary,
    Reading,
    Summary,
    Trec,
    Variant,
    register,
)
from cranfield.measures._laws import LAWS
from cranfield.measures._measure import Measure
from cranfield.measures._parameter import parameters_of
from cranfield.measures._unknown import Solver, by_labelling


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
    default_bounds: tuple[float, float] | None = None,
    larger_is_better: bool = True,
    effectiveness: bool = True,
    pooled: bool = False,
    graded: bool = False,
    peer_summary: PeerSummary | None = None,
    peer_undefined: Mapping[str, float] | None = None,
    needs_intents: bool = False,
    attribute: str | None = None,
    expected: bool = False,
    unknown: Solver | str = by_labelling,
    declines: Mapping[str, str] | None = None,
    readings: Mapping[str, Reading] | None = None,
    variants: Iterable[Variant] = (),
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
        bounds: smallest and largest value that it can take, whatever its parameters and the policy.
        default_bounds: the same with default parameters and policy, where they are narrower.
        larger_is_better: False for counts of bad things.
        effectiveness: False where it says what was judged or how much was retrieved, and nothing of how good a list is:
            analyses of measures leave it out unless it is asked for.
        graded: whether labels above ``rel`` matter although it takes no ``gains``.
        pooled: whether it sees negative labels in every compatibility mode (infAP reads them itself).
        peer_summary: what a peer prints as the summary where it is no summary of its topics; None where it is.
        peer_undefined: compatibility mode -> what a NaN counts as in it, where that is something else.
        needs_intents: whether it needs judgments whose field 2 names intents.
        attribute: the Python name, where ``name`` is no identifier.
        expected: whether it gives the mean over all orders of equal scores where the rankings leave them open.
        unknown: finds the interval that missing judgments leave, or why there is none.
        declines: law of the common tests -> why this measure does not obey it.
        readings: names of certain choices of parameters.
        variants: facts that depend on a parameter.

    Raises:
        MeasureError: the name or an alias belongs to another measure, or there is no such law.
    """
    for law in declines or {}:
        if law not in LAWS:
            close = difflib.get_close_matches(law, LAWS, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(LAWS)}"
            raise MeasureError(f"{name} declines {law!r}, which is no law: {hint}")

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
            default_bounds=default_bounds or bounds,
            larger_is_better=larger_is_better,
            effectiveness=effectiveness,
            pooled=pooled,
            graded=graded,
            peer_summary=peer_summary,
            expected=expected,
            unknown=unknown,
            peer_undefined=dict(peer_undefined or {}),
            needs_intents=needs_intents,
            declines=dict(declines or {}),
            readings=dict(readings or {}),
            variants=tuple(variants),
        )
        if not declaration.attribute.isidentifier():
            raise MeasureError(f"{name!r} is no Python name: declare attribute=... too")
        register(declaration)
        return Measure(declaration)

    return declare
