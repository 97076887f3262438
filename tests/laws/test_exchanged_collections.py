"""No random collection of the laws is taken for runs and qrels that were exchanged."""

from __future__ import annotations

from hypothesis import given
from problems import Problem, problems

from cranfield.io.inputs import refuse_exchanged


@given(problem=problems())
def test_no_random_collection_is_refused(problem: Problem) -> None:
    refuse_exchanged(problem.runs, problem.qrels)
    refuse_exchanged(list(problem.runs.values()), problem.judgments)
