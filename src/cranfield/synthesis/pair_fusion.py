"""Which two systems to fuse: the pairs of largest joint RIC."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.run import Run
from cranfield.information.experiment import Experiment
from cranfield.information.pairwise_joint import joint_of_pairs
from cranfield.statistics.contrasts import every_pair
from cranfield.synthesis.fusible import FusibleSystems

if TYPE_CHECKING:
    import pandas as pd


class InformativePair(NamedTuple):
    """Two systems by their numbers, their joint RIC and their information difference."""

    first: int
    second: int
    joint: float
    difference: float


def most_informative_pairs(experiment: Experiment, candidates: int) -> list[InformativePair]:
    """The pairs of largest joint RIC, the largest first."""
    if candidates == 0:
        return []
    joint, alone = joint_of_pairs(experiment)
    first, second = every_pair(len(joint))
    together = joint[first, second]
    largest = np.argsort(-np.nan_to_num(together, nan=-1.0), kind="stable")[:candidates]
    apart = (2 * joint - alone - alone.T)[first, second]
    columns = (first, second, together, apart)
    return [InformativePair(*row) for row in zip(*(column[largest].tolist() for column in columns), strict=True)]


def fuse_pairs(systems: FusibleSystems, chosen: list[InformativePair], method: str) -> tuple[pd.DataFrame, float]:
    """The chosen pairs fused, by the first measure; and what choosing among them is worth on topics held out."""
    import pandas as pd

    columns = ["system", "other", "joint", "difference", "fused", "better", "gain"]
    if not chosen:
        return pd.DataFrame(columns=columns), float("nan")
    alone, names = systems.alone, systems.lists.names
    sign = 1.0 if alone.measures[0].declaration.larger_is_better else -1.0
    runs: dict[str, Run] = {}
    for pair in chosen:
        runs |= systems.fused(method, f"{pair.first}+{pair.second}", [pair.first, pair.second])
    scores = systems.scored(runs)
    rows = []
    for number, pair in enumerate(chosen):
        fused = float(scores.summaries[0, number])
        better = sign * max(sign * alone.summaries[0, pair.first], sign * alone.summaries[0, pair.second])
        sides = names[pair.first], names[pair.second]
        rows.append((*sides, pair.joint, pair.difference, fused, better, fused - better))
    table = pd.DataFrame(rows, columns=columns)
    table = table.sort_values("fused", ascending=sign < 0, kind="stable", ignore_index=True)
    return table, _held_out(sign * np.ascontiguousarray(scores.values[0].T)) * sign


def _held_out(values: Floats) -> float:
    """Mean over topics of the value of the pair that is best on the other topics, [pairs, topics]; NaN is left out.

    NaN where no topic has others to choose on.
    """
    defined = ~np.isnan(values)
    filled = np.where(defined, values, 0.0)
    total, count = filled.sum(axis=1, keepdims=True) - filled, defined.sum(axis=1, keepdims=True) - defined
    elsewhere = np.divide(total, count, out=np.full(total.shape, -np.inf), where=count > 0)
    picked = values[elsewhere.argmax(axis=0), np.arange(values.shape[1])]
    picked = picked[np.isfinite(elsewhere).any(axis=0) & ~np.isnan(picked)]
    return float(picked.mean()) if len(picked) else float("nan")
