"""No random collection of the laws is taken for runs and qrels that were exchanged."""

from __future__ import annotations

from hypothesis import example, given
from problems import Problem, problems

from cranfield.evaluation import make_rankings

INTENTS = {"7": {"di": {"a": 1.5, "b": 1.5}, "dj": {"a": 0.5, "c": 1.5}}}
"""Labels of each document by intent that differ and are not whole numbers."""


@given(problem=problems())
@example(problem=Problem({"7": {"di": 1.5, "dj": 1.5}}, {"s": {"7": {"da": 1.0}}, "t": {"7": {"dj": 0.0}}}, INTENTS))
def test_no_random_collection_is_refused(problem: Problem) -> None:
    make_rankings(problem.runs, problem.qrels)
    make_rankings(list(problem.runs.values()), problem.judgments)
