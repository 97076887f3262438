"""Standard errors of weighted means over fixed tasks, from queries or from stated errors, and the ranks that follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, stdtr

from cranfield._text import quoted
from cranfield._typing import Floats
from cranfield.boards.table import BoardTable
from cranfield.errors import InputError

LEAST_QUERIES = 2


@dataclass(frozen=True)
class MeanCovariance:
    """Covariance of systems' values over the queries of these tasks and no others.

    Args:
        covariance: of the values, [systems, systems].
        parts: of each task, what it adds to that, [tasks, systems, systems]; None where errors were stated.
        queries: of each task, [tasks]; None where errors were stated.
    """

    covariance: Floats
    parts: Floats | None = None
    queries: Floats | None = None

    def pair_tests(self, values: Floats) -> tuple[Floats, Floats, Floats]:
        """Standard error, degrees of freedom (infinite: normal) and two-sided p of every pair, each [systems, systems].

        df = V^2 / sum of V_t^2 / (n_t - 1), V_t what task t adds to the variance V of the difference (Satterthwaite).
        """
        variance = _compute_variances(self.covariance)
        error = np.sqrt(variance)
        if self.parts is None or self.queries is None:
            df = np.full(variance.shape, np.inf)
        else:
            terms = sum(
                _compute_variances(part) ** 2 / (count - 1)
                for part, count in zip(self.parts, self.queries, strict=True)
            )
            df = np.divide(variance**2, terms, out=np.full(variance.shape, np.nan), where=np.asarray(terms) > 0)
        t = np.divide(values[:, None] - values, error, out=np.full(variance.shape, np.nan), where=error > 0)
        p = 2.0 * np.where(np.isinf(df), ndtr(-np.abs(t)), stdtr(np.where(np.isinf(df), 1.0, df), -np.abs(t)))
        return error, df, np.asarray(p)


def _compute_variances(covariance: Floats) -> Floats:
    own = np.diag(covariance)
    return np.asarray(np.maximum(own[:, None] + own - 2.0 * covariance, 0.0))


def covariance_from_queries(table: BoardTable, weights: Floats) -> MeanCovariance:
    """The covariance of weighted means over tasks, queries of each task being paired: sum of w^2 Cov / n.

    Raises:
        InputError: a task without scores of queries, with a single query, or with gaps.
    """
    parts, counts = [], []
    for task, weight in zip(table.tasks, weights, strict=True):
        queries = table.queries.get(task)
        if queries is None:
            text = f"task {quoted(task)} has no scores of queries: give them, or errors, or take --unit tasks"
            raise InputError(text, table.name, code="layout")
        if len(queries) < LEAST_QUERIES:
            raise InputError(f"task {quoted(task)} has one query: its spread is unknown", table.name, code="too-few")
        if np.isnan(queries).any():
            text = f"task {quoted(task)}: some systems lack some of its {len(queries)} queries, which have to be paired"
            raise InputError(text, table.name, code="missing-scores")
        parts.append(weight**2 * np.cov(queries, rowvar=False, ddof=1) / len(queries))
        counts.append(len(queries))
    stacked = np.array(parts)
    return MeanCovariance(stacked.sum(axis=0), stacked, np.array(counts, dtype=float))


def covariance_from_errors(table: BoardTable, weights: Floats) -> MeanCovariance:
    """The covariance of weighted means over tasks from the error of each score, systems taken as independent.

    Raises:
        InputError: an error is missing or negative where a score is.
    """
    assert table.errors is not None, "asked for only where errors are stated"
    bad = ~(table.errors >= 0) & ~np.isnan(table.scores)
    if bad.any():
        task, system = (int(at) for at in np.argwhere(bad)[0])
        where = f"{quoted(table.systems[system])} on {quoted(table.tasks[task])}"
        raise InputError(f"the error of {where} is missing or negative", table.name, code="score")
    return MeanCovariance(np.diag((weights[:, None] ** 2 * table.errors**2).sum(axis=0)))
