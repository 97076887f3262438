"""Simulated scores of systems whose true means are known, on any number of topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arguments import whole
from cranfield.arrays import Floats
from cranfield.errors import InputError, UsageError
from cranfield.results.frames import tidy, unrolled
from cranfield.results.result import Result, Tables
from cranfield.scores.labelled import ScoresLike
from cranfield.scores.matrix import Matrix, matrix_of
from cranfield.statistics.gaussian_copula import copula_sample, correlation, exchangeable_sample
from cranfield.statistics.margins import Margin, fit
from cranfield.wording import quoted

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

Means = float | Mapping[str, float] | None


@dataclass(frozen=True, eq=False, repr=False)
class SimulatedScores(Result):
    """Simulated scores, and their true means.

    Args:
        scores: dims (``topic``, ``system``); as tidy rows each ``score``.
        truth: of each ``system`` (the index) the true ``mean`` over the population of topics, the ``family`` of its
            distribution and the ``aic`` of its fit.
        settings: of the simulation.
        signature: all that changes these numbers.
    """

    scores: xr.DataArray
    truth: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"scores": lambda: unrolled(self.scores, "score"), "truth": lambda: tidy(self.truth)}


def simulate_scores(
    scores: ScoresLike, topics: int | None = None, *, means: Means = None, null: bool = False, seed: int = 1
) -> SimulatedScores:
    """Simulate new topics for systems that behave like those of a real matrix, with known true means.

    Each system's scores get a distribution (truncated normal, beta or kernel, by AIC; beta-binomial for a measure of
    few values), which is forced to a given mean. A Gaussian copula with the correlations of the systems' normal scores
    reproduces their dependence.

    With ``null=True`` there are no true differences: every system has the distribution fitted to all scores together,
    and every two the mean correlation, so that all are exchangeable; a test at level alpha finds a difference in a
    proportion alpha of such matrices.

    Args:
        scores: of one measure, dims (topic, system), complete, in [0, 1]: what to imitate.
        topics: how many to make; as many as there are, by default.
        means: true means: the observed ones by default, one number for all, or by system (the others as observed).
        null: whether all systems are exchangeable; takes one mean only.
        seed: the same seed gives the same bits.

    Raises:
        InputError: scores outside [0, 1], a missing score, fewer than four topics, or a system whose scores are
            all equal.
        UsageError: numbers outside their range, or an unknown system.

    Reference:
        Urbano & Nagler 2018, Stochastic simulation of test collections: evaluation scores. doi:10.1145/3209978.3210043
    """
    matrix = matrix_of(scores)
    table = _checked(matrix)
    wanted = _wanted(matrix, table, means, null=null)
    n = len(table) if topics is None else topics
    whole(1, topics=n)
    whole(0, seed=seed)
    rng = np.random.default_rng(seed)
    if null:
        margins = [_forced(fit(table.ravel()), float(wanted[0]))] * len(matrix.systems)
        uniform = exchangeable_sample(n, len(matrix.systems), _mean_correlation(table), rng)
    else:
        margins = [_forced(fit(column), float(mean)) for column, mean in zip(table.T, wanted, strict=True)]
        uniform = copula_sample(table, n, rng)
    values = np.stack([margin.quantile(column) for margin, column in zip(margins, uniform.T, strict=True)], axis=1)
    given = dict(means) if isinstance(means, Mapping) else means
    settings = {"topics": n, "means": given, "null": null, "seed": seed}
    return _result(matrix, values, margins, settings)


def _checked(matrix: Matrix) -> Floats:
    matrix.at_least(4, 1, "simulation")
    table = matrix.complete("simulation", "leave the topic out, or evaluate with missing='empty'")
    if table.min() < 0 or table.max() > 1:
        raise InputError(f"{matrix.called} has scores from {table.min():g} to {table.max():g}: simulation needs [0, 1]")
    for system in np.flatnonzero(np.ptp(table, axis=0) == 0):
        name = quoted(matrix.systems[system])
        raise InputError(f"{name} has the same score on every topic, which leaves nothing to fit")
    return table


def _wanted(matrix: Matrix, table: Floats, means: Means, *, null: bool) -> Floats:
    """True mean of each system."""
    if isinstance(means, Mapping):
        if null:
            raise UsageError("null=True gives all systems one mean: give means as one number")
        wanted: Floats = table.mean(axis=0)
        for name, mean in means.items():
            if name not in matrix.systems:
                raise UsageError(f"means names {quoted(name)}, which is no system")
            wanted[matrix.systems.index(name)] = mean
    elif means is None:
        wanted = np.full(table.shape[1], table.mean()) if null else table.mean(axis=0)
    else:
        wanted = np.full(table.shape[1], float(means))
    for name, mean in zip(matrix.systems, wanted, strict=True):
        if not 0 < mean < 1:
            raise UsageError(f"the mean {mean:g} of {quoted(name)} should lie between 0 and 1")
    return wanted


def _forced(margin: Margin, mean: float) -> Margin:
    try:
        return margin.with_mean(mean)
    except ValueError:
        raise UsageError(
            f"a {margin.family} distribution fitted to these scores cannot have the mean {mean:g}"
        ) from None


def _mean_correlation(table: Floats) -> float:
    """Of all pairs of systems, at least 0."""
    systems = table.shape[1]
    if systems < 2:
        return 0.0
    total = correlation(table)
    return float(np.clip((total.sum() - np.trace(total)) / (systems * (systems - 1)), 0.0, 1.0))


def _result(matrix: Matrix, values: Floats, margins: list[Margin], settings: dict[str, Any]) -> SimulatedScores:
    import pandas as pd

    signature = matrix.signature("simulated scores", **settings)
    topics = tuple(str(number + 1) for number in range(len(values)))
    made = Matrix(matrix.measure, topics, matrix.systems, values, matrix.larger_is_better, signature)
    truth = pd.DataFrame(
        {
            "mean": [margin.mean for margin in margins],
            "family": [margin.family for margin in margins],
            "aic": [margin.aic for margin in margins],
        },
        index=pd.Index(matrix.systems, name="system", dtype=object),
    )
    return SimulatedScores(made.labelled(), truth, settings, signature)
