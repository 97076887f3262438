"""Declarations of measures of diversity: composed of others, with shared parameters and reasons to decline laws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from cranfield.measures._declaration import ValueFunction, make_function
from cranfield.measures._measure import Measure, measure
from cranfield.measures._parameter import Meaning
from cranfield.measures.laws import LEVEL, because

UNKNOWN = "it looks at intents, and an unjudged document could be relevant to any of them"

intent_measure = partial(measure, needs_intents=True, interval=UNKNOWN)
"""Declares a measure that looks at intents, for which there is no interval from missing judgments."""


def composed(
    name: str,
    value: ValueFunction,
    parameters: Mapping[str, tuple[Any, Any]],
    *,
    module: str,
    doc: tuple[str, str],
    reference: str,
    declines: Mapping[str, str],
    aliases: Sequence[str] = (),
    attribute: str = "",
    required: Sequence[str] = (),
    additive: bool = False,
) -> Measure:
    """Declare ``value`` as a measure that looks at intents.

    Args:
        name: as in ``measure``, like all that is not named here.
        value: what it computes from rankings and all its parameters.
        parameters: name -> (annotation, default), in order.
        module: where it is declared.
        doc: a sentence of meaning, and the formula.
        attribute: as in ``measure``; the name with underscores where it is empty.
    """
    attribute = attribute or name.replace("-", "_")
    declare = intent_measure(
        name,
        reference=reference,
        aliases=aliases,
        attribute=attribute,
        required=required,
        additive=additive,
        declines=declines,
    )
    return declare(make_function(value, parameters, name=attribute, module=module, doc="\n\n".join(doc)))


IntentRel = Annotated[float, Meaning("smallest label that counts as relevant to an intent", low=0, open=True)]
Gamma = Annotated[
    float | Mapping[str, float],
    Meaning("weight of I-rec against the other part, the same for all topics or one for each", low=0, high=1),
]
Alpha = Annotated[
    float, Meaning("what a document relevant to an intent takes from the gain of the next one", low=0, high=1)
]
Ideal = Annotated[
    Literal["greedy", "exact"],
    Meaning(
        "the list that is divided by: the documents picked one by one by gain, or the best list there is, "
        "where it can be found"
    ),
]

Divisor = Annotated[
    Literal["each", "reachable"],
    Meaning(
        "the best list that is divided by: each part's own, or the one list that is best for their sum, so that every "
        "topic has a list that scores 1"
    ),
]


WORTH = "the intents decide what a document is worth, not a single label"
ORDER = because(WORTH, "swap", "exchange")
BY_INTENT = because(WORTH, "convergence", "top-weightedness") | ORDER
SHARED = because("intents that a document of the topic is relevant to share P(i|q)", "localization")
NO_INTENT = because("it needs an intent with a relevant document", "completeness") | because(
    "it depends on all intents, including those of documents that are not retrieved", "localization"
)
COVER = because("possibly no document is relevant to all intents", "realizability")
TWICE = because("its best list counts a navigational intent again and again", "realizability")
COVERAGE = NO_INTENT | COVER | LEVEL
"""Laws that the share of covered intents does not obey, nor what is computed from it."""
DIVISOR = because("what it is divided by grows with k", "monotonicity")
