"""A measure of the C/W/L framework is its user; all else of its declaration the family shares, and has from here."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.errors import MeasureError
from cranfield.measures._cwl import User, expected
from cranfield.measures._declare import measure
from cranfield.measures._function import function_of
from cranfield.measures._gain import Gain, MaxRel, scale
from cranfield.measures._intervals import Asked, Ends, Solver
from cranfield.measures._intervals.labelling import by_ends
from cranfield.measures._measure import Measure
from cranfield.measures._parameter import Cutoff, Meaning

if TYPE_CHECKING:
    from cranfield.measures._intervals.completion import Completion

Quantity = Annotated[
    Literal["EU", "ETU", "EC", "ETC", "ED"],
    Meaning("expected utility of a document or in total, expected cost of a document or in total, expected depth"),
]
Residual = Annotated[bool, Meaning("how much would be added if all that is unknown had the gain 1")]
Graded = Annotated[float | None, Meaning("smallest label that has the gain 1, others having 0; None uses all labels")]
MinRel = Annotated[float, Meaning("label whose gain is 0; the gain rises evenly to 1 at max_rel")]
Goal = Annotated[float, Meaning("gain that the user hopes to find, in documents of gain 1", low=0)]
Depth = Annotated[int | None, Meaning("ranks among which attention is shared; None goes on without end", low=1)]
FiniteDepth = Annotated[int, Meaning("ranks among which attention is shared", low=1)]

Parameters = dict[str, tuple[Any, Any]]
"""Name -> (annotation, default), in order."""

SHARED_AMONG: Mapping[str, Parameters] = {
    "any depth": {"depth": (Depth, 1000)},
    "depth": {"depth": (FiniteDepth, 1000)},
    "cutoff": {},
}
"""Ranks among which attention is shared -> the parameter that gives their number, other than a cutoff."""


def by_residual(completion: Completion, levels: Floats, asked: Asked) -> Ends:
    """For users whose expected utility never falls with a gain: it, and it with the residual added.

    What is unknown includes the ranks below the list there, as in the literature and in cwl_eval.
    """
    if asked.parameters["quantity"] not in ("EU", "ETU"):
        raise MeasureError(f"{asked.name}: only the expected utility has an interval from missing judgments")
    if completion.among is not None:
        return by_ends(completion, levels, asked)
    low = asked.value(completion.rankings)
    more = asked.value(completion.rankings, residual=True)
    return low, low + more


def user(
    name: str,
    *,
    reference: str,
    declines: Mapping[str, str],
    among: Literal["any depth", "depth", "cutoff"] = "any depth",
    rel: float | None = None,
    interval: Solver | None = by_residual,
    additive: bool = False,
) -> Callable[[Callable[..., User]], Measure]:
    """Declare what the decorated user may expect as a measure; the decorated name becomes the measure.

    The function takes the user's own parameters, each annotated with a ``Meaning``, and the measure's ``cutoff`` or
    ``depth`` if it needs them. Its docstring: a sentence of meaning, then the formula.

    Args:
        name: as in ``measure``.
        reference: as in ``measure``.
        declines: as in ``measure``.
        among: the ranks among which attention is shared: a depth, which may be endless, or those down to the cutoff.
        rel: default of the parameter.
        interval: as in ``measure``.
        additive: as in ``measure``.
    """

    def declare(user_of: Callable[..., User]) -> Measure:
        taken = inspect.signature(user_of, eval_str=True).parameters
        own = {
            word: (parameter.annotation, parameter.default)
            for word, parameter in taken.items()
            if parameter.default is not parameter.empty
        }
        gained: Parameters = {"rel": (Graded, rel), "min_rel": (MinRel, 0), "max_rel": (MaxRel, None)}
        told: Parameters = {"quantity": (Quantity, "EU"), "residual": (Residual, False)}
        last: Parameters = {"cutoff": (Cutoff, None)} if "cutoff" in taken else {}

        def value(rankings: Rankings, given: Mapping[str, Any]) -> PerRanking:
            reader = user_of(**{word: given[word] for word in taken})
            gain = unit_gain(rankings, given["rel"], given["min_rel"], given["max_rel"], name, reader.dcg)
            ranks = given["cutoff" if among == "cutoff" else "depth"]
            return expected(rankings, reader, gain, ranks, given["quantity"], given["residual"])

        declared = measure(
            name,
            reference=reference,
            required=tuple(last),
            range=(-np.inf, np.inf),
            default_range=(0.0, 1.0),
            interval=interval,
            additive=additive,
            declines=declines,
        )
        parameters = own | gained | SHARED_AMONG[among] | told | last
        name_here, module, doc = user_of.__name__, user_of.__module__, user_of.__doc__
        return declared(function_of(value, parameters, name=name_here, module=module, doc=doc))

    return declare


def unit_gain(
    rankings: Rankings, rel: float | None, min_rel: float, max_rel: float | None, measure: str, dcg: str = "log2"
) -> Gain:
    """Gain of a label: 1 from ``rel`` on where it is given, else (label - min_rel) / (max_rel - min_rel) in [0, 1].

    With ``dcg="exp-log2"``, 2 to the power of the label on that scale, less 1, over the largest such number.

    Raises:
        MeasureError: a scale that ends where it begins, or before the largest label.
    """
    if rel is not None:
        return Gain(("rel", rel), lambda grade: (grade >= rel).astype(np.float64), rel)
    if max_rel is not None and max_rel <= min_rel:
        raise MeasureError(f"{measure}: max_rel={max_rel:g} should be above min_rel={min_rel:g}")
    span = scale(rankings, max_rel, measure) - min_rel

    def gain(grade: Floats) -> Floats:
        on_scale = np.clip((grade - min_rel) / span, 0.0, 1.0) if span > 0 else np.zeros_like(grade)
        if dcg == "exp-log2" and span > 0:
            on_scale = np.expm1(on_scale * span * np.log(2)) / np.expm1(span * np.log(2))
        return on_scale

    return Gain(("unit", min_rel, span, dcg), gain, float(np.nextafter(min_rel, np.inf)))


def inverse_squares(first: Floats) -> Floats:
    """first^2 * (1 / first^2 + 1 / (first + 1)^2 + ...), the ranks yet to see where C_i = ((i - 1) / i)^2."""
    from scipy.special import zeta

    seen: Floats = np.square(first) * zeta(2, first)
    return seen
