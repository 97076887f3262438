"""Whole problems for hypothesis, small enough to read when one fails, and measures with any parameters set."""

from __future__ import annotations

import itertools
import string
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import NoneType
from typing import Any
from unittest import mock

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from numpy.typing import NDArray

from cranfield import Measure, engine
from cranfield.collection import Rankings
from cranfield.errors import MeasureError
from cranfield.measures import Declaration, Parameter, registry, values
from cranfield.testing import Grade, example, intents_of, transpose

DOCUMENTS = tuple(f"d{letter}" for letter in string.ascii_lowercase[:10])
TOPICS = ("7", "10", "x-1")
GRADED = (0.0, 1.0, 2.0, 3.0, 4.0, -1.0, -2.0, 1.5)
"""From nonsense to the end of ERR's scale; one between two whole numbers."""

LABELS: SearchStrategy[float] = st.sampled_from(GRADED)
SCORES = (0.0, 1.0, 2.0, 2.00000001, -3.5)
"""Few, so that most lists hold ties; two that are one in float32."""


INTENTS = ("1", "2", "10", "a.1", "a.2")
"""Numbers that sort by value, and a category."""


@dataclass(frozen=True)
class Problem:
    """Judgments, and the runs that are scored against them: name -> topic -> document -> score.

    ``intents`` says of every judged document what it is relevant to: topic -> document -> intent -> label. Its largest
    label is that of ``qrels``.
    """

    qrels: dict[str, dict[str, float]]
    runs: dict[str, dict[str, dict[str, float]]]
    intents: dict[str, dict[str, dict[str, float]]]

    @property
    def judgments(self) -> dict[str, dict[str, dict[str, float]]]:
        """topic -> intent -> document -> label."""
        return {topic: transpose(row) for topic, row in self.intents.items()}

    def ranked(self, run: str, topic: str) -> list[str]:
        """A list as trec_eval orders it: score descending, then id descending; none where the topic is missing."""
        found = self.runs[run].get(topic, {})
        return sorted(found, key=lambda document: (found[document], document), reverse=True)

    def grades(self, run: str, topic: str) -> list[Grade]:
        """The labels of that list, rank by rank."""
        return [self.qrels[topic].get(document) for document in self.ranked(run, topic)]


@st.composite
def problems(draw: st.DrawFn, max_runs: int = 3) -> Problem:
    """Up to three topics, judged or half judged, and runs that may miss some of them."""
    topics = list(TOPICS[: draw(st.integers(1, 3))])
    runs = draw(st.integers(1, max_runs))
    qrels = {topic: draw(SOME_LABELS) for topic in topics}
    found = [{topic: draw(SOME_SCORES) for topic in topics if draw(PRESENT)} for _ in range(runs)]
    lists = {f"system{number}": lists or {topics[0]: {"da": 1.0}} for number, lists in enumerate(found)}
    return Problem(
        qrels, lists, {topic: _by_intent(row, draw(SOME_PATTERNS[len(row)])) for topic, row in qrels.items()}
    )


Pattern = tuple[str, tuple[str, ...], int]

PATTERNS: list[Pattern] = [
    (main, more, less)
    for main in INTENTS
    for size in range(3)
    for more in itertools.combinations(INTENTS, size)
    for less in (0, 1)
]
"""The intent to which a document is relevant by its label, others, and by how much less to those."""


SOME_PATTERNS = [st.tuples(*[st.sampled_from(PATTERNS)] * size) for size in range(len(DOCUMENTS) + 1)]


def _by_intent(labels: dict[str, float], patterns: Sequence[Pattern]) -> dict[str, dict[str, float]]:
    """Each document relevant to one intent by its label, and perhaps to others by that or less."""
    return {
        document: {**dict.fromkeys(more, label - less), main: label}
        for (document, label), (main, more, less) in zip(labels.items(), patterns, strict=True)
    }


PRESENT = st.sampled_from([True, True, True, False])


def _some(numbers: tuple[float, ...]) -> SearchStrategy[dict[str, float]]:
    """A number for two thirds of the documents, at least one."""
    one = st.sampled_from((*[None] * len(numbers), *numbers, *numbers))
    return st.tuples(*[one] * len(DOCUMENTS)).map(
        lambda row: (
            {document: value for document, value in zip(DOCUMENTS, row, strict=True) if value is not None}
            or {"da": 1.0}
        )
    )


# Put together once: that takes longer than drawing from them.
SOME_LABELS, SOME_SCORES = _some(GRADED), _some(SCORES)


def with_intents(labels: dict[str, float]) -> dict[str, dict[str, float]]:
    """intent -> document -> label, documents of a label relevant to the same intents."""
    return transpose({document: dict.fromkeys(intents_of(label), label) for document, label in labels.items()})


def scored(measures: Iterable[Measure], rankings: Rankings) -> Iterator[tuple[Measure, NDArray[np.float64]]]:
    """Measures and their values; those whose scale of labels does not fit the judgments have the usual one."""
    for measure in measures:
        try:
            yield measure, values(measure, rankings)
        except MeasureError:
            if measure.given.get("max_rel") is None and not measure.given.get("mean_gain"):
                raise
            known, of_labels = measure.declaration.parameters, ("max_rel", "mean_gain", "gains")
            usual = measure(**{name: known[name].default for name in of_labels if name in known})
            yield usual, values(usual, rankings)


# ---- measures by their declarations


PLAIN = [name for name in registry if not registry[name].needs_intents]
DIVERSE = [name for name in registry if registry[name].needs_intents]
"""Measures of diversity are put together of few parts, and need fewer examples each."""


@cache
def instances(name: str) -> SearchStrategy[Measure]:
    """The measure with any of its parameters set to any value of their ranges."""
    drawn = {parameter: of_parameter(known) for parameter, known in registry[name].parameters.items()}
    return st.fixed_dictionaries(drawn).map(lambda given: Measure(registry[name])(**given))


def one_of_each(names: Iterable[str]) -> SearchStrategy[tuple[Measure, ...]]:
    """All these measures, each with any parameters, for one problem: most time goes into drawing that.

    Hypothesis changes a little of what it drew before it draws anew, and of so many parameters most then stay as they
    were: a test needs about twice the examples that it would need for a measure alone.
    """
    return st.tuples(*map(instances, names))


def of_parameter(known: Parameter) -> SearchStrategy[Any]:
    """Values that a parameter takes, its default first."""
    some: list[Any] = [] if known.required else [known.default]
    if NoneType in known.types and not known.required:
        some.append(None)
    some += known.choices
    if bool in known.types:
        some += [False, True]
    if int in known.types or float in known.types:
        some += numbers(known)
    if dict in known.types and known.keys is str:
        one_each = st.tuples(*[st.sampled_from(numbers(known))] * len(TOPICS))
        return st.sampled_from(some) | one_each.map(lambda each: dict(zip(TOPICS, each, strict=True)))
    if dict in known.types:
        gains = st.sampled_from([0, 1, 2.5, 10, -1])
        return st.sampled_from(some) | st.dictionaries(st.sampled_from([-1, 0, 1, 2, 1.5]), gains, max_size=3)
    return st.sampled_from(some)


def numbers(known: Parameter) -> list[float]:
    """Some numbers that a parameter takes, from the range that it declares."""
    low, high = known.meaning.low, known.meaning.high
    if np.isfinite(low) and np.isfinite(high):
        shares = [0.1, 0.5, 0.8, 0.95] if known.meaning.open else [0.0, 0.1, 0.25, 0.5, 0.9, 1.0]
        return [low + share * (high - low) for share in shares]
    if np.isfinite(low):
        steps = [1, 2, 3, 4, 7, 12] if float not in known.types else [0, 0.5, 1, 2, 4, 5][known.meaning.open :]
        return [low + step - (1 if float not in known.types else 0) for step in steps]
    return [-1, 0, 0.5, 1, 2, 3]


def at_cutoffs(declaration: Declaration) -> SearchStrategy[Measure]:
    """The measure as people use it, cut after few ranks where it can be cut."""
    usual = example(declaration)
    if declaration.at != "cutoff" or "cutoff" not in declaration.parameters:
        return st.just(usual)
    return st.sampled_from([usual, *(usual(cutoff=cutoff) for cutoff in range(1, 5))])


def changed(known: Parameter) -> Any:
    """A value that is not the default."""
    candidates: list[Any] = [*known.choices, *([True, False] if bool in known.types else [])]
    candidates += [{0: 0, 1: 10, 2: 0.5}] if dict in known.types and known.keys is float else []
    candidates += numbers(known) if int in known.types or float in known.types else []
    return next(value for value in candidates if value != known.default)


# ---- engines


@contextmanager
def engine_in_use(name: str) -> Iterator[None]:
    """The engine that ``CRANFIELD_ENGINE`` asks for, and the former one again."""
    with mock.patch.dict("os.environ", {"CRANFIELD_ENGINE": name}):
        engine.current.cache_clear()
        assert name == engine.current().NAME
        yield
    engine.current.cache_clear()


def same_bits(one: Rankings, other: Rankings) -> bool:
    """Whether two rankings hold the same arrays to the bit, whatever their systems are called."""
    facts = ("length", "starts", "rank", "document", "grade", "first", "last")
    return all(
        np.asarray(getattr(one, fact)).dtype == np.asarray(getattr(other, fact)).dtype
        and np.asarray(getattr(one, fact)).tobytes() == np.asarray(getattr(other, fact)).tobytes()
        for fact in facts
    )
