"""What holds for every value: bounds, no retrieved documents, and that ids are names without meaning."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import DIVERSE, DOCUMENTS, PLAIN, TOPICS, Problem, one_of_each, problems, scored

import cranfield
from cranfield import Measure, Qrels
from cranfield.measures import registry, values
from cranfield.testing import example, of_grades, transpose
from effort import examples

each = pytest.mark.parametrize("name", registry)


@examples(100)
@given(measures=one_of_each(PLAIN), problem=problems(max_runs=2))
def test_values_lie_within_the_declared_bounds(measures: tuple[Measure, ...], problem: Problem) -> None:
    lie_within_bounds(measures, problem)


@pytest.mark.slow
@examples(40)
@given(measures=one_of_each(DIVERSE), problem=problems(max_runs=2))
def test_values_of_diversity_lie_within_the_declared_bounds(measures: tuple[Measure, ...], problem: Problem) -> None:
    lie_within_bounds(measures, problem)


def lie_within_bounds(measures: tuple[Measure, ...], problem: Problem) -> None:
    rankings = cranfield.evaluation.make_rankings(problem.runs, problem.judgments)
    for measure, found in scored(measures, rankings):
        low, high = measure.range
        assert found.dtype == np.float64
        assert not np.isinf(found).any(), measure
        known = found[~np.isnan(found)]
        assert (known >= low).all(), measure
        assert (known <= high).all(), measure
        low, high = measure.declaration.usual_range
        usual = values(example(measure.declaration), rankings)
        assert all(np.isnan(value) or low <= value <= high for value in usual), measure.name


@each
def test_bounds_hold_for_long_lists_of_relevant_documents(name: str) -> None:
    rankings = of_grades([1.0] * 300, [0.0])
    low, high = registry[name].range
    usual = example(registry[name])
    known = usual.declaration.parameters.items()
    shares = [name for name, one in known if one.meaning.open and np.isfinite(one.meaning.high)]
    for measure in [usual, *(usual(**{share: percent / 100}) for share in shares for percent in range(1, 100))]:
        found = values(measure, rankings)
        known = found[~np.isnan(found)]
        assert len(known) > 0
        assert (known >= low).all(), measure
        assert (known <= high).all(), measure


@pytest.mark.slow
@examples(50)
@given(measures=one_of_each(PLAIN), problem=problems(max_runs=1))
def test_nothing_retrieved_has_a_value_or_is_undefined(measures: tuple[Measure, ...], problem: Problem) -> None:
    has_a_value_or_is_undefined(measures, problem)


@examples(20)
@given(measures=one_of_each(DIVERSE), problem=problems(max_runs=1))
def test_nothing_retrieved_is_no_trouble_for_diversity(measures: tuple[Measure, ...], problem: Problem) -> None:
    has_a_value_or_is_undefined(measures, problem)


def has_a_value_or_is_undefined(measures: tuple[Measure, ...], problem: Problem) -> None:
    rankings = cranfield.evaluation.make_rankings(problem.runs, problem.judgments)
    topics = len(problem.qrels)
    nothing = np.zeros(0, dtype=np.int64)
    empty = replace(
        rankings,
        systems=("empty",),
        length=np.zeros(topics, dtype=np.int64),
        starts=np.zeros(topics + 1, dtype=np.int64),
        rank=nothing,
        document=nothing,
        grade=np.zeros(0),
    )
    for measure, found in scored(measures, empty):
        low, high = measure.range
        assert found.shape == (topics,)
        assert all(np.isnan(value) or low <= value <= high for value in found), measure


NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=5)


@pytest.mark.slow
@examples(50)
@given(
    problem=problems(),
    documents=st.lists(NAMES, min_size=len(DOCUMENTS), max_size=len(DOCUMENTS), unique=True),
    topics=st.lists(NAMES, min_size=len(TOPICS), max_size=len(TOPICS), unique=True),
)
def test_other_ids_of_the_same_order_change_nothing(problem: Problem, documents: list[str], topics: list[str]) -> None:
    document_of = dict(zip(DOCUMENTS, sorted(documents, key=str.encode), strict=True))
    topic_of = dict(zip(TOPICS, topics, strict=True))

    def renamed(lists: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        return {
            topic_of[topic]: {document_of[document]: number for document, number in found.items()}
            for topic, found in lists.items()
        }

    before = cranfield.evaluation.make_rankings(problem.runs, Qrels.from_dict(problem.judgments))
    runs = {name: renamed(lists) for name, lists in problem.runs.items()}
    intents = {topic: renamed({topic: row})[topic_of[topic]] for topic, row in problem.intents.items()}
    qrels = Qrels.from_dict({topic_of[topic]: transpose(row) for topic, row in intents.items()})
    after = cranfield.evaluation.make_rankings(runs, qrels)
    for declaration in registry.values():
        measure = example(declaration)
        assert values(measure, after).tobytes() == values(measure, before).tobytes(), measure


@pytest.mark.slow
@examples(50)
@given(
    problem=problems(),
    documents=st.lists(NAMES, min_size=len(DOCUMENTS), max_size=len(DOCUMENTS), unique=True),
    topics=st.lists(NAMES, min_size=len(TOPICS), max_size=len(TOPICS), unique=True),
    order=st.permutations(TOPICS),
)
def test_ids_mean_nothing_where_no_scores_are_equal(
    problem: Problem, documents: list[str], topics: list[str], order: list[str]
) -> None:
    """Ids of any order, and topics in any order; a sum over judgments may then be added in another one."""
    document_of, topic_of = dict(zip(DOCUMENTS, documents, strict=True)), dict(zip(TOPICS, topics, strict=True))
    runs = {
        name: {topic: {id: -float(rank) for rank, id in enumerate(problem.ranked(name, topic))} for topic in lists}
        for name, lists in problem.runs.items()
    }
    known = [topic for topic in order if topic in problem.qrels]
    moved = {
        topic_of[topic]: transpose({document_of[id]: row for id, row in problem.intents[topic].items()})
        for topic in known
    }
    renamed = {
        name: {
            topic_of[topic]: {document_of[id]: value for id, value in sorted(found.items())}
            for topic, found in lists.items()
        }
        for name, lists in runs.items()
    }
    before, after = (
        cranfield.evaluation.make_rankings(runs, problem.judgments),
        cranfield.evaluation.make_rankings(renamed, moved),
    )
    places = [known.index(topic) for topic in problem.qrels]
    for declaration in registry.values():
        measure = example(declaration)
        if "exact" in (
            declaration.parameters["ideal"].choices if "ideal" in declaration.parameters else ()
        ):  # the greedy list breaks ties by id
            measure = measure(ideal="exact")
        one = values(measure, before).reshape(len(runs), -1)
        other = values(measure, after).reshape(len(runs), -1)[:, places]
        np.testing.assert_allclose(other, one, rtol=1e-12, atol=1e-12, err_msg=str(measure))
