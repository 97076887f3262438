"""Which unjudged documents would say most about the difference of two runs."""

from __future__ import annotations

from typing import Any

from cranfield.collection.policy import REWRITING
from cranfield.collection.reading import InputOptions
from cranfield.declarations.analysis import FromRuns, Groups, analysis
from cranfield.declarations.shared import SeedOption
from cranfield.errors import UsageError
from cranfield.holes.fitting import estimate_holes
from cranfield.holes.options import (
    BudgetOption,
    ContributorsOption,
    DrawsOption,
    HoleOffsetOption,
    LearnFromOption,
    PredictedOption,
)
from cranfield.holes.result import HoleJudgments
from cranfield.holes.scoring import find_depth
from cranfield.io.inputs import QrelsLike, RunsLike, named_runs
from cranfield.measures import MeasureLike
from cranfield.pooling.reusability import TeamsOption


@analysis(
    "pool settle",
    "List what to judge to decide between two runs.",
    FromRuns(
        ("nDCG@10",),
        measures="one",
        policies=("ties", "missing", "on_duplicate", *REWRITING),
        needs_all=True,
    ),
    groups=Groups(refused="the documents of all topics compete for the budget: select the lines of its topics"),
    examples=("qrels.txt a.run b.run --budget 50", "qrels.txt a.run b.run --contributors 'pool/*.run'"),
)
def select_judgments(
    runs: RunsLike,
    qrels: QrelsLike,
    measure: MeasureLike = "nDCG@10",
    *,
    budget: BudgetOption = 50,
    contributors: ContributorsOption = None,
    teams: TeamsOption = None,
    predicted: PredictedOption = None,
    learn_from: LearnFromOption = None,
    hole_offset: HoleOffsetOption = None,
    draws: DrawsOption = 1000,
    seed: SeedOption = 1,
    reading: InputOptions | None = None,
) -> HoleJudgments:
    """List the unjudged documents whose labels would say most about which of two runs is better.

    The value of a document is the variance that its label takes off the difference of its topic, see
    ``Holes.judge_next``. Judge what is listed, add the labels to the judgments, and call again. The order clearly beats
    chance, and order by rank by little.

    Args:
        runs: two.
        qrels: judgments with holes.
        measure: a sum of what each document adds at its rank, such as nDCG or P.
        reading: how files are read.

    Raises:
        InputError: as in ``estimate_holes``.
        UsageError: not two runs, or a measure that is not such a sum.
    """
    reading = reading or InputOptions()
    names = [run.name for run in named_runs(runs, reading.names, reading.columns)]
    if len(names) != 2:
        raise UsageError(f"two runs are settled by one measure, and there are {len(names)}: QRELS RUN RUN -m MEASURE")
    model: dict[str, Any] = {"contributors": contributors, "teams": teams, "predicted": predicted}
    model |= {"learn_from": learn_from, "hole_offset": hole_offset, "depth": find_depth(measure, reading.rel)}
    holes = estimate_holes(runs, qrels, **model, reading=reading)
    system, other = holes.systems
    return holes.judge_next(system, other, measure, budget, draws=draws, seed=seed)
