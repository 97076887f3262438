"""Every measure against a second implementation, on any problem, with any parameters, under any policy."""

from __future__ import annotations

import dataclasses
import math

import pytest
import twins_cwl  # noqa: F401  (registers its twins)
import twins_information  # noqa: F401
import twins_ntcireval  # noqa: F401
from hypothesis import given
from hypothesis import strategies as st
from problems import Problem, instances, problems, scored
from twins import Seen, twins

import cranfield
from cranfield import Policy
from cranfield.measures import registry
from effort import examples


def test_every_measure_has_a_twin() -> None:
    assert set(registry) == set(twins), "a measure needs a twin in tests/laws/twins.py"


POLICIES: st.SearchStrategy[Policy] = st.fixed_dictionaries(
    {},
    optional={
        "unjudged": st.just("condense"),
        "negative": st.just("keep"),
        "compat": st.sampled_from(["trec_eval", "trec_eval9"]),
    },
).map(lambda options: Policy(**options))


@pytest.mark.parametrize("name", registry)
@examples(75)
@given(data=st.data(), problem=problems(max_runs=2), policy=POLICIES)
def test_a_measure_equals_its_twin(name: str, data: st.DataObject, problem: Problem, policy: Policy) -> None:
    measure = data.draw(instances(registry[name]), label="measure")
    rankings = cranfield.judge(problem.runs, problem.qrels, policy=policy)
    ours = iter(scored(measure, rankings).tolist())
    for run in problem.runs:
        for topic in problem.qrels:
            seen = as_read(problem, run, topic, policy, measure.sees_negative)
            theirs = twins[name](seen, **measure.parameters)
            value = next(ours)
            close = math.isclose(value, theirs, rel_tol=1e-12, abs_tol=1e-12)
            assert close or (math.isnan(value) and math.isnan(theirs)), f"{run}, {topic}: {value} is not {theirs}"


def as_read(problem: Problem, run: str, topic: str, policy: Policy, sees_negative: bool) -> Seen:
    """A list under a policy."""
    labels = tuple(label for pool in problem.qrels.values() for label in pool.values())
    seen = Seen(problem.grades(run, topic), list(problem.qrels[topic].values()), max(0.0, *labels), labels=labels)
    seen = dataclasses.replace(seen, keep=policy.negative == "keep", nine=policy.compat == "trec_eval9")
    seen = dataclasses.replace(seen, unjudged=policy.unjudged)
    if policy.compat in ("trec_eval", "trec_eval9") and not sees_negative:
        seen = seen.without_negatives()
    return seen.condensed() if policy.unjudged == "condense" else seen
