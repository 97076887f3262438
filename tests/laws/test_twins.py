"""Every measure against a second implementation, on any problem, with any parameters, under any policy."""

from __future__ import annotations

import dataclasses
import math
from itertools import product

import pytest
import twins_cwl  # noqa: F401  (registers its twins)
import twins_fairness  # noqa: F401
import twins_information  # noqa: F401
import twins_ntcireval  # noqa: F401
import twins_pairs  # noqa: F401
import twins_sampled  # noqa: F401
from hypothesis import given
from hypothesis import strategies as st
from problems import DIVERSE, INTENTS, PLAIN, Problem, one_of_each, problems, scored
from twins import Seen, twins
from twins_diversity import Diverse

import cranfield
from cranfield import Measure, Qrels
from cranfield.collection import IntentWeights, Policy
from cranfield.measures import registry
from effort import examples


def test_every_measure_has_a_twin() -> None:
    assert set(registry) == set(twins), "a measure needs a twin in tests/laws/twins.py"


POLICIES: st.SearchStrategy[Policy] = st.fixed_dictionaries(
    {},
    optional={
        "unjudged": st.just("condense"),
        "negative": st.just("keep"),
        "compat": st.sampled_from(["trec_eval", "trec_eval9", "ndeval", "ntcireval"]),
    },
).map(lambda options: Policy(**options))


@pytest.mark.slow
@examples(200)
@given(measures=one_of_each(PLAIN), problem=problems(max_runs=2), policy=POLICIES)
def test_every_measure_equals_its_twin(measures: tuple[Measure, ...], problem: Problem, policy: Policy) -> None:
    rankings = cranfield.evaluation.make_rankings(problem.runs, problem.qrels, **policy.as_dict())
    for measure, ours in scored(measures, rankings):
        for (run, topic), value in zip(product(problem.runs, problem.qrels), ours.tolist(), strict=True):
            seen = as_read(problem, run, topic, policy, measure)
            assert_same(measure, f"{run}, {topic}", value, twins[measure.name](seen, **measure.parameters))


def assert_same(measure: Measure, where: str, ours: float, theirs: float) -> None:
    close = math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-12)
    assert close or (math.isnan(ours) and math.isnan(theirs)), f"{measure}: {where}: {ours} is not {theirs}"


def as_read(problem: Problem, run: str, topic: str, policy: Policy, measure: Measure) -> Seen:
    """A list under a policy; the share of it that was judged is of the list as it was retrieved."""
    labels = tuple(label for pool in problem.qrels.values() for label in pool.values())
    seen = Seen(problem.grades(run, topic), list(problem.qrels[topic].values()), max(0.0, *labels), labels=labels)
    seen = dataclasses.replace(seen, keep=policy.negative == "keep", nine=policy.compat == "trec_eval9")
    seen = dataclasses.replace(seen, unjudged=policy.unjudged)
    if policy.compat in ("trec_eval", "trec_eval9") and not measure.sees_negative:
        seen = seen.without_negatives()
    return seen.condensed() if policy.unjudged == "condense" and measure.name != "Judged" else seen


# ---- with intents

LIKELY = st.sampled_from([0.0, 0.1, 0.2, 0.5, 1.0])
SUMS = st.sampled_from(["renormalise", "raw"])


@pytest.mark.slow
@examples(60)
@given(data=st.data(), measures=one_of_each(DIVERSE), problem=problems(max_runs=2), policy=POLICIES)
def test_every_measure_of_diversity_equals_its_twin(
    data: st.DataObject, measures: tuple[Measure, ...], problem: Problem, policy: Policy
) -> None:
    qrels = data.draw(weighted(problem), label="weights")
    rankings = cranfield.evaluation.make_rankings(problem.runs, qrels, **policy.as_dict())
    for measure, ours in scored(measures, rankings):
        for (run, topic), value in zip(product(problem.runs, problem.qrels), ours.tolist(), strict=True):
            seen = as_intents(problem, qrels, run, topic, policy)
            assert_same(measure, f"{run}, {topic}", value, twins[measure.name](seen, **measure.parameters))


@st.composite
def weighted(draw: st.DrawFn, problem: Problem) -> Qrels:
    """The judgments with P(i|q), by a rule or one by one."""
    rule = draw(st.sampled_from(["uniform", "simulated", "given"]))
    table = {topic: dict.fromkeys(INTENTS, 0.0) for topic in problem.qrels} if rule == "given" else {}
    table = {topic: {intent: draw(LIKELY) for intent in row} for topic, row in table.items()}
    navigational = draw(st.sets(st.sampled_from(INTENTS))) if rule == "given" else set()
    weights = IntentWeights(rule, table, [(topic, intent) for topic in table for intent in navigational])
    return Qrels.from_dict(problem.judgments).with_intents(
        weights, weight_sum=draw(SUMS), keep_empty_intents=draw(st.booleans())
    )


def as_intents(problem: Problem, qrels: Qrels, run: str, topic: str, policy: Policy) -> Diverse:
    """A list under a policy, by intent."""
    found = problem.intents[topic]
    hides = policy.compat in ("trec_eval", "trec_eval9")
    known = {document: row for document, row in found.items() if not (hides and max(row.values()) < 0)}
    ranked = [known.get(document) for document in problem.ranked(run, topic)]
    if policy.unjudged == "condense":
        ranked = [row for row in ranked if row is not None]
    navigational = frozenset(intent for of, intent in qrels.weights.navigational if of == topic)
    everywhere = [
        label for rows in problem.intents.values() for row in rows.values() for label in row.values() if label > 0
    ]
    largest = [max(row.values()) for rows in problem.intents.values() for row in rows.values()]
    return Diverse(
        ranked=list(ranked),
        pool=[known[document] for document in sorted(known)],
        topic=topic,
        rule=qrels.weights.rule,
        given=qrels.weights.table.get(topic, {}),
        raw=qrels.weight_sum == "raw",
        keep_empty=qrels.keep_empty_intents,
        navigational=navigational,
        everywhere=tuple(everywhere),
        compat=policy.compat,
        largest=tuple(label for label in largest if not (hides and label < 0)),
    )
