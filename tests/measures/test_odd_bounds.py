"""Every measure with its bounds on odd collections: two numbers in order around the value, or a refusal in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from cranfield import CranfieldError
from cranfield.collection import Policy, Qrels
from cranfield.io.inputs import named_runs
from cranfield.io.judging import build_index, judge_run
from cranfield.measures import registry
from cranfield.scoring.compute import compute_cells, select_bounds
from cranfield.testing import example

PLAIN = [name for name in registry if not registry[name].needs_intents]
DIVERSE = [name for name in registry if registry[name].needs_intents]
Judged = dict[str, dict[str, float]]
Ranked = dict[str, dict[str, float]]


def judged(*labels: float, topics: int = 2) -> Judged:
    """Documents d1, d2, ... with these labels in each topic."""
    return {f"t{topic}": {f"d{at}": label for at, label in enumerate(labels, 1)} for topic in range(1, topics + 1)}


def ranked(*documents: str, topics: int = 2, scores: tuple[float, ...] = ()) -> Ranked:
    """The same list in each topic, in this order or with these scores."""
    falling = scores or tuple(range(len(documents), 0, -1))
    return {f"t{topic}": dict(zip(documents, falling, strict=True)) for topic in range(1, topics + 1)}


USUAL = ranked("d1", "u", "d2", "v", "d3", scores=(2, 2, 2, 1, 1))
LONG = ranked(*(f"x{at}" for at in range(40)), "d1")
COLLECTIONS: dict[str, tuple[Judged, Ranked]] = {
    "one label": (judged(1, 1, 1), USUAL),
    "one large label": (judged(7, 7, 7), USUAL),
    "only negative labels": (judged(-1, -2, -1), USUAL),
    "negative labels among others": (judged(-1, 2, 0), USUAL),
    "only zeros": (judged(0, 0, 0), USUAL),
    "fractions": (judged(0.5, 0.25, 2.75), USUAL),
    "huge labels": (judged(1e300, 1, 0), USUAL),
    "one judgment": (judged(1), USUAL),
    "nothing judged is retrieved": (judged(2, 1, 0), ranked("x", "y", "z")),
    "all is tied": (judged(2, 1, 0), ranked("d1", "d2", "u", "d3", scores=(1, 1, 1, 1))),
    "all tied and unjudged": (judged(2, 1, 0), ranked("x", "y", scores=(1, 1))),
    "one topic": (judged(2, 1, 0, topics=1), ranked("d1", "u", "d2", topics=1)),
    "one document": (judged(1, 0), ranked("d2")),
    "empty lists beside one": (judged(2, 1, 0), {"t2": {"d2": 1.0, "u": 1.0}}),
    "topics without relevant documents": ({**judged(2, 1, 0), "t2": {"d1": 0}}, USUAL),
    "one relevant document far down": (judged(1, 0), LONG),
}
POLICIES = {
    "judgments": [({}, True), ({"negative": "keep"}, True), ({"undefined": "keep"}, True), ({"missing": "skip"}, True)],
    "order": [
        ({"ties": "bounds"}, False),
        ({"ties": "bounds", "negative": "keep", "undefined": "keep"}, False),
        ({"ties": "bounds", "unjudged": "condense"}, False),
        ({"ties": "bounds", "compat": "trec_eval"}, False),
    ],
}


def by_intent(labels: Judged) -> Qrels:
    """The first document of a topic serves two intents, the others one of them."""
    each = {
        topic: {
            document: {"1": label, "2": label} if document == "d1" else {"2": label} for document, label in of.items()
        }
        for topic, of in labels.items()
    }
    return Qrels.from_dict(each, by_intent=True)


def outcomes(qrels: Qrels, run: Ranked, names: Sequence[str], about: str) -> Iterator[tuple[Any, ...]]:
    """Values with their bounds, under each policy that a measure does not refuse."""
    (named,) = named_runs({"a": run})
    for words, judgments in POLICIES[about]:
        policy = Policy(**words)
        rankings = judge_run(named, qrels, build_index(qrels), policy).rankings
        for name in names:
            try:
                yield (
                    name,
                    words,
                    *compute_cells([example(registry[name])], rankings, policy, select_bounds(policy, judgments)),
                )
            except CranfieldError:
                continue


@pytest.mark.slow
@pytest.mark.parametrize("about", POLICIES)
@pytest.mark.parametrize("collection", COLLECTIONS)
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_bounds_are_in_order_or_refused(collection: str, about: str) -> None:
    labels, run = COLLECTIONS[collection]
    answered, wrong = set(), []
    for qrels, names in ((Qrels.from_dict(labels), PLAIN), (by_intent(labels), DIVERSE)):
        for name, words, value, lower, upper in outcomes(qrels, run, names, about):
            answered.add(name)
            known = ~np.isnan(value)
            near = 1e-12 * np.maximum(1, np.abs(value[known]))
            inside = (lower[known] <= value[known] + near) & (value[known] <= upper[known] + near)
            if not inside.all() or (lower > upper).any():
                wrong.append((name, words, value.ravel(), lower.ravel(), upper.ravel()))
    assert not wrong
    assert len(answered) > 40
