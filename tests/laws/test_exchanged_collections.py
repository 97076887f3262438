"""No random collection of the laws is taken for runs and qrels that were exchanged."""

from __future__ import annotations

from hypothesis import given
from problems import Problem, problems

from cranfield.evaluation import make_rankings


@given(problem=problems())
def test_no_random_collection_is_refused(problem: Problem) -> None:
    make_rankings(problem.runs, problem.qrels)
    make_rankings(list(problem.runs.values()), problem.judgments)
