"""Standard errors of weighted means over fixed tasks, from queries or from stated errors, and the ranks that follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from scipy.special import ndtr, stdtr

from cranfield._message import setting
from cranfield._text import counted, quoted, warn
from cranfield._typing import Floats
from cranfield.boards.aggregation import Aggregate
from cranfield.boards.assembly import BoardTable
from cranfield.errors import InputError
from cranfield.memory import require
from cranfield.statistics.paired_tests import least_sign_p
from cranfield.statistics.rounding import NOISE

Sampled: TypeAlias = Literal["tasks", "queries"]
LEAST_TASKS = 6
"""Five tasks allow no p of a sign flip below .0625."""
LEAST_QUERIES = 2
FEW_QUERIES = 30
"""The number of queries below which ranks of a task come from signs: normal ones erred in up to .26 for .05."""


@dataclass(frozen=True)
class MeanCovariance:
    """Covariance of systems' values over the queries of these tasks and no others.

    Args:
        covariance: of the values, [systems, systems].
        parts: of each task, what it adds to that, [tasks, systems, systems]; None where errors were stated.
        queries: of each task, [tasks]; None where errors were stated.
        rows: of every query its part in the values, which are the sums, [queries, systems]; None where errors were
            stated.
    """

    covariance: Floats
    parts: Floats | None = None
    queries: Floats | None = None
    rows: Floats | None = None

    @property
    def few(self) -> bool:
        """True if any task has so few queries that its error is uncertain."""
        return self.queries is not None and bool(self.queries.min() < FEW_QUERIES)

    def pair_tests(self, values: Floats) -> tuple[Floats, Floats, Floats]:
        """Standard error, degrees of freedom (infinite: normal) and two-sided p of every pair, each [systems, systems].

        df = V^2 / sum of V_t^2 / (n_t - 1), V_t what task t adds to the variance V of the difference (Satterthwaite).
        Where a difference is the same on every query of a task, and has one sign on all, p is that of n signs, 2^(1 -
        n); NaN where errors of 0 were stated, or signs of tasks differ.
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
        for left, right in np.argwhere((error == 0) & (values[:, None] > values)):
            p[left, right] = p[right, left] = self._signs_p(int(left), int(right))
        return error, df, np.asarray(p)

    def _signs_p(self, left: int, right: int) -> float:
        """The two-sided p of a difference without spread, by signs of queries; NaN where they differ."""
        if self.rows is None:
            return float("nan")
        z = self.rows[:, left] - self.rows[:, right]
        z[np.abs(z) <= NOISE * np.abs(self.rows[:, [left, right]]).max()] = 0.0
        return float(least_sign_p(np.array(np.count_nonzero(z)))) if z.min() >= 0 else float("nan")


def _compute_variances(covariance: Floats) -> Floats:
    """The variance of each two systems' difference; 0 where rounding alone leaves any, [systems, systems]."""
    own = np.diag(covariance)
    together = own[:, None] + own
    variance = together - 2.0 * covariance
    return np.asarray(np.where(variance > NOISE * together, variance, 0.0))


def covariance_from_queries(table: BoardTable, weights: Floats) -> MeanCovariance:
    """The covariance of weighted means over tasks, queries of each task being paired: sum of w^2 Cov / n.

    Raises:
        InputError: a task without scores of queries, with a single query, or with gaps; or covariances that do not fit
            into the memory allowed.
    """
    count = len(table.systems)
    require(8 * 3 * len(table.tasks) * count**2, f"covariances of {counted(count, 'system')}", "give fewer systems")
    parts, counts, rows = [], [], []
    for task, weight in zip(table.tasks, weights, strict=True):
        queries = table.queries.get(task)
        if queries is None:
            tasks = setting("sampled", "tasks")
            text = f"task {quoted(task)} has no scores of queries: give them, or standard errors, or take {tasks}"
            raise InputError(text, table.name, code="layout")
        if len(queries) < LEAST_QUERIES:
            raise InputError(f"task {quoted(task)} has one query: its spread is unknown", table.name, code="too-few")
        if np.isnan(queries).any():
            text = f"task {quoted(task)}: some systems lack some of its {len(queries)} queries, which have to be paired"
            raise InputError(text, table.name, code="missing-scores")
        parts.append(weight**2 * np.cov(queries, rowvar=False, ddof=1) / len(queries))
        counts.append(len(queries))
        rows.append(weight / len(queries) * queries)
    stacked = np.array(parts)
    return MeanCovariance(stacked.sum(axis=0), stacked, np.array(counts, dtype=float), np.concatenate(rows))


def covariance_from_errors(table: BoardTable, weights: Floats) -> MeanCovariance:
    """The covariance of weighted means over tasks from the error of each score, systems taken as independent.

    Raises:
        InputError: an error is missing or negative where a score is, or all are 0.
    """
    assert table.standard_errors is not None, "asked for only where errors are stated"
    bad = ~(table.standard_errors >= 0) & ~np.isnan(table.scores)
    if bad.any():
        task, system = (int(at) for at in np.argwhere(bad)[0])
        where = f"{quoted(table.systems[system])} on {quoted(table.tasks[task])}"
        raise InputError(f"the error of {where} is missing or negative", table.name, code="score")
    zero = np.argwhere((table.standard_errors == 0) & ~np.isnan(table.scores))
    if len(zero) == np.count_nonzero(~np.isnan(table.scores)):
        tasks = setting("sampled", "tasks")
        text = f"the error of every score is 0, so that nothing can be tested: give errors as they are, or take {tasks}"
        raise InputError(text, table.name, code="score")
    if len(zero):
        task, system = map(int, zero[0])
        more = f", and of {counted(len(zero) - 1, 'score')} more" if len(zero) > 1 else ""
        warn(
            f"the error of {quoted(table.systems[system])} on {quoted(table.tasks[task])} is 0 beside a score of "
            f"{table.scores[task, system]:.4g}{more}: these count as known exactly, which makes p too small if the "
            "error was not computed"
        )
    return MeanCovariance(np.diag((weights[:, None] ** 2 * table.standard_errors**2).sum(axis=0)))


def choose_of_one_task(
    read: BoardTable, aggregate: Aggregate, sampled: Sampled, *, values_only: bool
) -> tuple[Sampled, bool]:
    """Return what is sampled and whether only values are computed, as one task has no interval over tasks.

    For means, its queries or standard errors give one over queries; otherwise the board has values alone.
    """
    if len(read.tasks) != 1 or sampled == "queries" or values_only:
        return sampled, values_only
    if aggregate in ("mean", "group-mean") and (read.queries or read.standard_errors is not None):
        warn(f"{read.name}: one task: intervals are over its queries, as with {setting('sampled', 'queries')}")
        return "queries", False
    text = "one task, and neither queries nor standard errors: values without intervals"
    warn(f"{read.name}: {text} ({setting('standard_errors')} names the errors)")
    return sampled, True


def refuse_few_tasks(tasks: int, name: str, *, has_errors: bool = False) -> None:
    """Refuse intervals over fewer than six tasks.

    Raises:
        InputError: there are fewer.
    """
    if tasks < LEAST_TASKS:
        text = f"{counted(tasks, 'task')} {'allows' if tasks == 1 else 'allow'} no p below {2.0 ** (1 - tasks):.4g}: "
        text += f"at least {LEAST_TASKS}, or values without intervals ({setting('values_only')})"
        text += f", or intervals over queries ({setting('sampled', 'queries')})" if has_errors else ""
        raise InputError(text, name, code="too-few")
