"""Which unjudged documents would say most about the difference of two runs."""

from __future__ import annotations

from typing import Unpack

from cranfield.collection.policy import REWRITING
from cranfield.collection.reading import InputOptions
from cranfield.declarations.analysis import FromRuns, Groups, analysis
from cranfield.declarations.shared import SeedOption
from cranfield.errors import UsageError
from cranfield.holes.fitting import estimate_holes
from cranfield.holes.options import (
    BudgetOption,
    DrawsOption,
    ModelOptions,
)
from cranfield.holes.result import HoleJudgments
from cranfield.holes.scoring import find_depth
from cranfield.io.inputs import QrelsLike, RunsLike, named_runs
from cranfield.measures import MeasureLike


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
    draws: DrawsOption = 1000,
    seed: SeedOption = 1,
    reading: InputOptions | None = None,
    **model: Unpack[ModelOptions],
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
    holes = estimate_holes(runs, qrels, depth=find_depth(measure, reading.rel), reading=reading, **model)
    system, other = holes.systems
    return holes.judge_next(system, other, measure, budget, draws=draws, seed=seed)
