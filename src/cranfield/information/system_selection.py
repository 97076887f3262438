"""Which systems complement each other: a set built one system at a time, each adding new information."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from cranfield._validation import between, list_names
from cranfield.information.experiment import Experiment, JudgmentsLike, Options, prepare_experiment
from cranfield.information.joint import (
    PERMUTATIONS,
    answered_by_all,
    choose_estimator,
    compute_information,
    compute_null,
    mean,
    normalized,
)
from cranfield.information.outcome_counts import Estimator
from cranfield.io.inputs import RunsLike
from cranfield.results.result import Result, signed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Selection(Result):
    """Systems in the order in which they were chosen.

    Args:
        steps: in rows: ``system``, ``joint`` (joint RIC of all chosen so far, in bits), ``gain`` over the step before,
            ``null`` and ``normalized`` as in ``JointRIC``.
        settings: size, start, estimator, permutations, seed.
        signature: all that changes these numbers.
    """

    steps: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    @property
    def systems(self) -> list[str]:
        """Names, the first chosen first."""
        return self.steps["system"].tolist()


def select_systems(
    runs: RunsLike | Experiment,
    judgments: JudgmentsLike | None = None,
    *,
    size: int,
    start: str | Sequence[str] = (),
    estimator: Estimator | None = None,
    permutations: int | None = None,
    seed: int = 1,
    **options: Unpack[Options],
) -> Selection:
    """Choose systems that complement each other: each step adds the one with which the joint RIC is largest.

    Either estimate overfits, more with every system: where ``normalized`` falls from step to step, what is gained is
    chance. Choosing the largest of many overfits too; judge the choice on topics that it was not made on. A weight
    by places is that of each set.

    Args:
        runs, judgments, options: see ``cranfield.information.prepare_experiment``.
        size: how many systems, those of ``start`` included.
        start: names of systems chosen beforehand, which come first.
        estimator, permutations, seed: see ``compute_joint_ric``.

    Raises:
        InputError: a file is refused, or runs and judgments do not fit together.
        UsageError: an unknown word or system, more systems than there are, or an argument outside its range.

    Reference:
        Joint RIC: Golbus & Aslam 2013, doi:10.1145/2484028.2484073, section 6; the greedy choice is ours.
    """
    import pandas as pd

    experiment = prepare_experiment(runs, judgments, **options)
    estimator = choose_estimator(experiment, estimator)
    permutations = PERMUTATIONS if permutations is None else permutations
    first = list_names(start=start)
    start_numbers = experiment.numbers(first) if first else []
    between(max(1, len(start_numbers)), len(experiment.systems), size=size)
    chosen: list[int] = []
    rows, before = [], 0.0
    while len(chosen) < size:
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
    settings = {"size": size, "start": first, "estimator": estimator, "permutations": permutations, "seed": seed}
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
