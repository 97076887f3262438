"""Which systems complement each other: a set built one system at a time, each adding new information."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Unpack

import numpy as np

from cranfield._validation import between, list_names
from cranfield.collection.reading import InputOptions, LevelOptions
from cranfield.declarations.analysis import analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import SeedOption
from cranfield.information.experiment import (
    DRAWING_RULES,
    FROM_JUDGED_RUNS,
    CutoffOption,
    Experiment,
    JudgmentsLike,
    PairDecayOption,
    PairWeightOption,
    PersistenceOption,
    take_experiment,
)
from cranfield.information.joint import (
    PERMUTATIONS,
    JointEstimatorOption,
    answered_by_all,
    choose_estimator,
    compute_information,
    compute_null,
    describe_estimate,
    mean,
    normalized,
)
from cranfield.information.outcome_counts import Estimator
from cranfield.io.inputs import RunsLike
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Selection(Result):
    """Systems in the order in which they were chosen.

    Args:
        steps: a row for each ``system``, the first chosen first.
        settings: n_systems, start, estimator, permutations, seed.
        signature: all that changes these numbers.
    """

    absent: ClassVar[str] = "none"
    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "steps": (
            Column("joint", "joint RIC of the system and all above, in bits"),
            Column("gain", "over the step before"),
            Column("null", "the joint RIC with permuted labels"),
            Column("normalized", "information beyond chance, (joint - null) / (1 - null)"),
        ),
    }
    steps: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Describe what a row is, and how the information is estimated."""
        return f"each row: the joint RIC of its system and all above\n{describe_estimate(self.settings)}"

    @property
    def systems(self) -> list[str]:
        """Names, the first chosen first."""
        return self.steps["system"].tolist()


@analysis(
    "information select",
    "Choose systems that complement each other.",
    FROM_JUDGED_RUNS,
    rules=DRAWING_RULES,
    examples=("qrels.txt runs/*.run -n 3", "qrels.txt runs/*.run -n 3 --start bm25"),
)
def select_systems(
    runs: RunsLike | Experiment,
    qrels: JudgmentsLike | None = None,
    *,
    n_systems: Annotated[int, Option("How many systems, those of {start} included.", low=1, flags=("-n",))],
    start: Annotated[
        str | Sequence[str], Option("A system that is chosen beforehand, and comes first.", metavar="SYSTEM")
    ] = (),
    estimator: JointEstimatorOption = None,
    permutations: Annotated[
        int, Option("Permutations of the labels, for the null; 0 for no null.", low=0)
    ] = PERMUTATIONS,
    seed: SeedOption = 1,
    cutoff: CutoffOption = None,
    pair_weight: PairWeightOption = "uniform",
    p: PairDecayOption = 0.8,
    persistence: PersistenceOption = None,
    reading: InputOptions | None = None,
    **options: Unpack[LevelOptions],
) -> Selection:
    """Choose systems that complement each other: each step adds the one with which the joint RIC is largest.

    Either estimate overfits, more with every system: where ``normalized`` falls from step to step, what is gained is
    chance. Choosing the largest of many overfits too; judge the choice on topics that it was not made on. A weight
    by places is that of each set.

    Args:
        runs, qrels, reading, options: see ``cranfield.information.prepare_experiment``.

    Raises:
        InputError: a file is refused, or runs and judgments do not fit together.
        UsageError: an unknown word or system, more systems than there are, or an argument outside its range.

    Reference:
        Joint RIC: Golbus & Aslam 2013, doi:10.1145/2484028.2484073, section 6; the greedy choice is ours.
    """
    import pandas as pd

    experiment = take_experiment(runs, qrels, cutoff, pair_weight, p, persistence, reading, options)
    estimator = choose_estimator(experiment, estimator)
    first = list_names(start=start)
    start_numbers = experiment.numbers(first) if first else []
    between(max(1, len(start_numbers)), len(experiment.systems), n_systems=n_systems)
    chosen: list[int] = []
    rows, before = [], 0.0
    while len(chosen) < n_systems:
        left = [s for s in range(len(experiment.systems)) if s not in chosen]
        candidates = start_numbers[len(chosen) : len(chosen) + 1] or left
        values = [_joint(experiment, [*chosen, candidate], estimator) for candidate in candidates]
        best = int(np.argmax(np.nan_to_num(values, nan=-1.0)))
        chosen.append(candidates[best])
        null = mean(compute_null(_subset(experiment, chosen), estimator, permutations, seed))
        joint = values[best]
        rows.append((experiment.systems[chosen[-1]], joint, joint - before, null, normalized(joint, null)))
        before = joint
    steps = pd.DataFrame(rows, columns=["system", "joint", "gain", "null", "normalized"])
    settings = record_options(select_systems, locals(), start=first)
    return Selection(steps, settings, experiment.signature | signed("select systems", settings))


def _subset(experiment: Experiment, chosen: Sequence[int]) -> Experiment:
    return experiment.of_systems([experiment.systems[number] for number in chosen])


def _joint(experiment: Experiment, chosen: Sequence[int], estimator: Estimator) -> float:
    subset = _subset(experiment, chosen)
    return mean(
        answered_by_all(
            subset, np.array([compute_information(subset, topic, estimator) for topic in range(len(subset.topics))])
        )
    )
