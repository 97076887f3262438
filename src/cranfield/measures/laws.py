"""Laws of measures: each is tested for every measure that does not decline it in its declaration.

The seven properties are those of Moffat 2013, Seven numeric properties of effectiveness metrics, AIRS,
doi:10.1007/978-3-642-45068-6_1. ``docs/measure-facts.md`` says what each word means here.

Reasons that several measures have for not obeying a law, each written once: law -> reason; ``|`` joins them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MeasureLaw:
    """One law.

    Args:
        name: as a declaration writes it.
        short: at the head of a column.
        adjective: what a measure is that obeys it.
        says: what it demands, in one sentence. S(k) is the score at depth k.
    """

    name: str
    short: str
    adjective: str
    says: str


MOFFAT = (
    MeasureLaw("boundedness", "bou", "bounded", "All scores lie between two numbers."),
    MeasureLaw("monotonicity", "mon", "monotonic", "S(k + 1) is never worse than S(k)."),
    MeasureLaw(
        "convergence",
        "con",
        "convergent",
        "S(k) becomes better when a document from below depth k changes places with a less relevant one above.",
    ),
    MeasureLaw(
        "top-weightedness",
        "top",
        "top-weighted",
        "S(k) becomes better when a document of the first k changes places with a less relevant one above it.",
    ),
    MeasureLaw("localization", "loc", "localized", "S(k) depends on the first k documents alone."),
    MeasureLaw("completeness", "com", "complete", "S(k) is defined for a topic without relevant documents."),
    MeasureLaw(
        "realizability",
        "rea",
        "realizable",
        "If the topic has a document of the largest label, some list reaches the best score there is, for every k.",
    ),
)

INVARIANCES = (
    MeasureLaw(
        "shift invariance",
        "shi",
        "shift-invariant",
        "S(k) stays what it is when one number is added to all labels.",
    ),
    MeasureLaw(
        "scale invariance",
        "sca",
        "scale-invariant",
        "S(k) stays what it is when all labels are multiplied by one number above 0.",
    ),
)

CHANGES = (
    MeasureLaw(
        "promotion",
        "pro",
        "never hurt by promotion",
        "A score never becomes worse when a relevant document changes places with one right above it that is not.",
    ),
    MeasureLaw(
        "swap",
        "swa",
        "never hurt by swapping neighbours",
        "A score never becomes worse when a document changes places with one of less gain right above it, so that of "
        "tied documents falling gains are the best order.",
    ),
    MeasureLaw(
        "exchange",
        "exc",
        "never hurt by exchange",
        "The same when other documents lie between the two; intervals from missing judgments rest on it.",
    ),
    MeasureLaw(
        "appending", "app", "blind to appending", "Unjudged documents added below a list leave its score what it is."
    ),
    MeasureLaw(
        "padding", "pad", "never helped by padding", "Unjudged documents added below a list never make it better."
    ),
)

LAWS = {law.name: law for law in (*MOFFAT, *INVARIANCES, *CHANGES)}
"""Name -> law. The names are the keys of ``declines`` in a declaration."""


def because(reason: str, *laws: str) -> dict[str, str]:
    """One reason for one or several laws."""
    return dict.fromkeys(laws, reason)


def _swaps(reason: str) -> dict[str, str]:
    return because(reason, "convergence", "top-weightedness")


def _known(reason: str) -> dict[str, str]:
    return because(reason, "localization", "completeness")


# ---- labels

LEVEL = because("labels may cross rel", "shift invariance", "scale invariance")
ZERO = because("unjudged documents keep the gain 0, which the label 0 loses", "shift invariance")
BLIND = _swaps("labels do not matter")

# ---- what is known of the topic

OF_R = _known("it divides by R, which includes documents that are not retrieved")
OF_BEST = _known("it divides by what the best list of the topic reaches")
BEST_GROWS = because("the best list of k + 1 documents reaches more than that of k", "monotonicity")

# ---- where documents stand

ORDER = because("the order of the documents does not matter", "top-weightedness")
FIRST = _swaps("nothing below the first relevant document matters")
SATISFIED = _swaps("who has found enough sees nothing below")
SHARE = because("a document that is not relevant lowers the share", "monotonicity")

# ---- the best score

FEW = because("fewer than R documents cannot hold all that are relevant", "realizability")
FILL = because("one relevant document does not fill k ranks", "realizability")
ENDLESS = because("some attention goes below the end of any list", "realizability")
UNSURE = because("even at the best document the search ends with a chance below 1", "realizability")
COUNTED = because("it grows with the documents that it counts", "boundedness", "realizability")
