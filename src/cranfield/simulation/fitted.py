"""Models fitted to real scores, which draw new topics for systems with chosen means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cranfield._text import quoted
from cranfield._typing import Floats
from cranfield.errors import InputError, UsageError
from cranfield.scores.measure_scores import Scores
from cranfield.statistics.copulas import copula_sample, correlation, exchangeable_sample, vine_sample
from cranfield.statistics.marginals import Margin, fit


@dataclass(frozen=True)
class FittedScores:
    """Distributions and dependence fitted to the scores of systems.

    Args:
        table: the scores imitated, [topics, systems].
        systems: their names.
        margins: distribution of each system's scores.
        shared: the correlation of every two systems' normal scores; None where each pair has its own.
        vine: whether pairs depend on each other by a vine copula, not by a Gaussian one.
    """

    table: Floats
    systems: tuple[str, ...]
    margins: tuple[Margin, ...]
    shared: float | None
    vine: bool = False

    @classmethod
    def fit(
        cls, matrix: Scores, what: str, *, exchangeable: bool = False, vine: bool = False, more: bool = False
    ) -> FittedScores:
        """Distributions and dependence as observed.

        Args:
            matrix: complete scores in [0, 1].
            what: the analysis that asks, for messages.
            exchangeable: give all systems the distribution fitted to all scores together, and every two the mean
                correlation.
            vine: let systems depend on each other by a vine copula.
            more: try all families of margins that simIReff has.

        Raises:
            InputError: scores outside [0, 1], a missing score, fewer than four topics, or a system whose scores are
                all equal.
        """
        table = _checked(matrix, what)
        if exchangeable:
            margin = fit(table.ravel(), more=more)
            return cls(table, matrix.systems, (margin,) * len(matrix.systems), _mean_correlation(table))
        return cls(table, matrix.systems, tuple(fit(column, more=more) for column in table.T), None, vine)

    def with_means(self, means: Sequence[float] | Floats) -> FittedScores:
        """The model with other true means, one for each system.

        Raises:
            UsageError: a mean outside (0, 1), or one that the distribution cannot have.
        """
        moved: dict[tuple[int, float], Margin] = {}
        for name, margin, mean in zip(self.systems, self.margins, map(float, means), strict=True):
            if not 0 < mean < 1:
                raise UsageError(f"the mean {mean:g} of {quoted(name)} should lie between 0 and 1")
            if (id(margin), mean) not in moved:
                moved[id(margin), mean] = _forced(margin, mean)
        chosen = (moved[id(margin), float(mean)] for margin, mean in zip(self.margins, means, strict=True))
        return replace(self, margins=tuple(chosen))

    def uniform(self, rows: int, rng: np.random.Generator) -> Floats:
        """The dependence alone: new topics with values uniform on (0, 1), [rows, systems]."""
        if self.vine:
            return vine_sample(self.table, rows, rng)
        if self.shared is None:
            return copula_sample(self.table, rows, rng)
        return exchangeable_sample(rows, len(self.systems), self.shared, rng)

    def scores(self, uniform: Floats) -> Floats:
        """The scores of topics that are known by their uniform values, [rows, systems]."""
        columns = zip(self.margins, uniform.T, strict=True)
        return np.stack([margin.quantile(column) for margin, column in columns], axis=1)


def _checked(matrix: Scores, what: str) -> Floats:
    matrix.at_least(4, 1, what)
    matrix.require_complete(what)
    table = matrix.values
    if table.min() < 0 or table.max() > 1:
        raise InputError(
            f"{matrix.called} has scores from {table.min():g} to {table.max():g}: {what} needs [0, 1]", code="score"
        )
    for system in np.flatnonzero(np.ptp(table, axis=0) == 0):
        name = quoted(matrix.systems[system])
        raise InputError(f"{name} has the same score on every topic, which leaves nothing to fit", code="score")
    return table


def _forced(margin: Margin, mean: float) -> Margin:
    try:
        return margin.with_mean(mean)
    except ValueError:
        raise UsageError(
            f"a {margin.family} distribution fitted to these scores cannot have the mean {mean:g}"
        ) from None


def _mean_correlation(table: Floats) -> float:
    """The mean correlation of all pairs of systems, at least 0."""
    systems = table.shape[1]
    if systems < 2:
        return 0.0
    total = correlation(table)
    return float(np.clip((total.sum() - np.trace(total)) / (systems * (systems - 1)), 0.0, 1.0))
