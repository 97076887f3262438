"""Lists by their labels, which laws are about, and what measures say of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from cranfield.collection import IntentWeights, Qrels, Rankings
from cranfield.evaluation import make_rankings
from cranfield.measures import Declaration, Measure, registry, values
from cranfield.measures.describe import example

Grade = float | None
"""A label, None where the document was not judged."""

TOP = 4.0
"""The largest label of a qrels, which the list of another topic holds, so that the scale of labels stays the same."""


@dataclass(frozen=True)
class LabelledList:
    """A list by its labels, labels of judged documents that it does not hold, and the end of the scale of labels."""

    ranked: tuple[Grade, ...]
    elsewhere: tuple[float, ...]
    top: float = TOP


@dataclass(frozen=True)
class Case:
    """A list before and after something is done, looked at down to a depth, or completely if that is None.

    Args:
        before: the list, and all that is looked at by laws on one list.
        after: what it has become.
        depth: ranks that are looked at before.
        deeper: how many more are looked at after.
        swapped: the labels of two documents that have changed places.
        complete: whether a list stays complete for a measure without a cutoff, where others look down to the depth.
    """

    before: LabelledList
    after: LabelledList
    depth: int | None = None
    deeper: int = 0
    swapped: tuple[Grade, float] | None = None
    complete: bool = False


def at_depth(
    declaration: Declaration, view: LabelledList, depth: int | None, complete: bool = False
) -> tuple[Measure, LabelledList]:
    """A measure down to a depth: by its own cutoff, else on a list that ends there, or that stays ``complete``."""
    usual = _usual(declaration.name)
    if depth is not None and "cutoff" in declaration.parameters:
        return _down_to(declaration.name, depth), view
    if depth is None or complete:
        return usual, view
    below = tuple(grade for grade in view.ranked[depth:] if grade is not None)
    return usual, replace(view, ranked=view.ranked[:depth], elsewhere=(*view.elsewhere, *below))


@cache
def _usual(name: str) -> Measure:
    return example(registry[name])


@lru_cache(maxsize=1024)
def _down_to(name: str, depth: int) -> Measure:
    return _usual(name)(cutoff=depth)


def raw(declaration: Declaration, view: LabelledList, depth: int | None, complete: bool = False) -> float:
    """A measure's value of a list, NaN where it is undefined."""
    return alone(*at_depth(declaration, view, depth, complete))


def alone(measure: Measure, view: LabelledList) -> float:
    """A measure's value of a list that is the only one, but for that with the largest label."""
    return float(values(measure, _rankings(view))[0])


@lru_cache(maxsize=512)
def _rankings(view: LabelledList) -> Rankings:
    return rank_views([view])


def score(declaration: Declaration, view: LabelledList, depth: int | None, complete: bool = False) -> float:
    """The value as a mean would count it, so that larger is better; NaN where a mean would leave it out."""
    value = raw(declaration, view, depth, complete)
    value = declaration.undefined if math.isnan(value) else value
    return value if declaration.larger_is_better else -value


def best_possible(declaration: Declaration) -> float:
    """The best score there is."""
    low, high = declaration.usual_range
    return high if declaration.larger_is_better else -low


def is_less_relevant(declaration: Declaration, worse: Grade, better: float) -> bool:
    """Return whether a measure takes the first label as less relevant than the second."""
    if declaration.binary:
        return (worse or 0.0) < 1 <= better
    return (worse or 0.0) < better


# ---- rankings


def of_grades(ranked: Sequence[Grade], elsewhere: Sequence[float], other_label: float = 1.0) -> Rankings:
    """One list by its labels, and labels of documents that it does not hold; a second topic keeps the run valid.

    Its one document has the label ``other_label``.
    """
    return rank_views([LabelledList(tuple(ranked), tuple(elsewhere), other_label)])


def rank_views(views: Sequence[LabelledList]) -> Rankings:
    """Lists of as many topics, in their order; one more topic has a document of the largest label, the same for all."""
    top = views[0].top
    lists: dict[str, dict[str, float]] = {}
    judgments: dict[str, dict[str, dict[str, float]]] = {}
    for number, view in enumerate(views, 1):
        documents = [f"d{rank:03d}" for rank in range(len(view.ranked))]
        labels = {document: grade for document, grade in zip(documents, view.ranked, strict=True) if grade is not None}
        labels |= {f"e{number:03d}": grade for number, grade in enumerate(view.elsewhere)}
        if documents:
            lists[str(number)] = {document: -float(rank) for rank, document in enumerate(documents)}
        judgments[str(number)] = transpose(
            {document: dict.fromkeys(intents_of(original(label, top)), label) for document, label in labels.items()}
        )
    last = str(len(views) + 1)
    qrels = Qrels.from_dict({**judgments, last: {"1": {"other": top}}}, by_intent=True)
    # Intents alike, one of whose users want one document.
    weights = IntentWeights("uniform", {}, [(topic, "10") for topic in judgments])
    return make_rankings({"system": {**lists, last: {"other": 1.0}}}, qrels.with_intents(weights))


def transpose(row: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """outer -> inner -> number as inner -> outer -> number."""
    out: dict[str, dict[str, float]] = {}
    for outer, inner in row.items():
        for key, number in inner.items():
            out.setdefault(key, {})[outer] = number
    return out


def original(label: float, top: float) -> float:
    """A label before all were shifted by -1, 0.5, 1 or 3, or multiplied by another number; 4 was the largest."""
    return label + 4 - top if top in (3.0, 4.5, 5.0, 7.0) else 4 * label / top


def intents_of(label: float) -> tuple[str, ...]:
    """Return what a document of a label is relevant to, so that documents of the same label are alike."""
    return {1.0: ("1",), 2.0: ("1", "2"), 3.0: ("2", "10"), 4.0: ("10",)}.get(label, ("1",))
