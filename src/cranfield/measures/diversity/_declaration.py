"""How measures of diversity are declared: composed of others, with shared parameters and reasons to decline laws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from cranfield.measures._declaration import Value, make_function
from cranfield.measures._laws import because
from cranfield.measures._measure import Measure, measure
from cranfield.measures._parameter import Meaning


def composed(
    name: str,
    value: Value,
    parameters: Mapping[str, tuple[Any, Any]],
    *,
    module: str,
    doc: tuple[str, str],
    reference: str,
    aliases: Iterable[str] = (),
    attribute: str,
    required: Iterable[str] = (),
    additive: bool = False,
    declines: Mapping[str, str],
) -> Measure:
    """Declare ``value`` as a measure.

    Args:
        name: as in ``measure``.
        value: what it computes from rankings and all its parameters.
        parameters: name -> (annotation, default), in order.
        module: where it is declared.
        doc: a sentence of meaning, and the formula.
        reference: as in ``measure``.
        aliases: as in ``measure``.
        attribute: as in ``measure``.
        required: as in ``measure``.
        additive: as in ``measure``.
        declines: as in ``measure``.
    """
    declare = measure(
        name,
        reference=reference,
        aliases=tuple(aliases),
        attribute=attribute,
        required=tuple(required),
        needs_intents=True,
        interval=UNKNOWN,
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


WORTH = "the intents decide what a document is worth, not a single label"
ORDER = because(WORTH, "swap", "exchange")
BY_INTENT = because(WORTH, "convergence", "top-weightedness") | ORDER
SHARED = because("intents that a document of the topic is relevant to share P(i|q)", "localization")
NO_INTENT = because("it needs an intent with a relevant document", "completeness") | because(
    "it depends on all intents, including those of documents that are not retrieved", "localization"
)
COVER = because("possibly no document is relevant to all intents", "realizability")
TWICE = because("its best list counts a navigational intent again and again", "realizability")
LEVEL = because("labels may cross rel", "shift invariance", "scale invariance")
COVERAGE = NO_INTENT | COVER | LEVEL
"""Laws that the share of covered intents does not obey, nor what is computed from it."""
DIVISOR = because("what it is divided by grows with k", "monotonicity")

UNKNOWN = "it looks at intents, and an unjudged document could be relevant to any of them"
"""Why there is no interval from missing judgments."""
