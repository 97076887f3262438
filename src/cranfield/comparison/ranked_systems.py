"""Systems with their mean ranks, and the tests of all of them at once, as sentences and charts need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._message import setting
from cranfield._text import join_first, shown
from cranfield._typing import Floats
from cranfield.errors import InputError
from cranfield.results.sheet import readable
from cranfield.scores.measure_scores import Scores
from cranfield.statistics.mean_ranks import MeanRanks, Omnibus, cochran_q, is_yes_no
from cranfield.statistics.test_names import Test

if TYPE_CHECKING:
    import pandas as pd

RANKED = 10
"""Systems whose mean ranks a sentence names."""
WHY_MEANS = (
    "mean ranks know the order on each topic and not by how much, and change with the systems that are compared; "
    "differences of means are tested more sharply by the largest |t| (test=permutation, correction=max-t)"
)


@dataclass(frozen=True)
class RankedSystems:
    """Systems with their mean ranks, the best first, and the tests of all of them.

    Args:
        systems: the best mean rank first, equal ones by name.
        mean_ranks: 1 for a system that is best on every topic, [systems].
        critical_difference: by Nemenyi's test.
        alpha: its level.
        tests: of the hypothesis that all systems are equal.
        topics: how many, or tasks.
    """

    systems: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    critical_difference: float
    alpha: float
    tests: tuple[Omnibus, ...]
    topics: int

    @classmethod
    def of(cls, systems: Sequence[str], values: Floats, alpha: float) -> RankedSystems:
        """Rank systems by complete values of which larger are better, [topics, systems]."""
        ranks = MeanRanks.of(values)
        order = sorted(range(len(systems)), key=lambda at: (round(float(ranks.means[at]), 12), systems[at]))
        tests = [ranks.friedman(), ranks.iman_davenport(), *([cochran_q(values)] if is_yes_no(values) else [])]
        return cls(
            tuple(systems[at] for at in order),
            tuple(float(ranks.means[at]) for at in order),
            ranks.critical_difference(alpha),
            alpha,
            tuple(tests),
            len(values),
        )

    @property
    def different(self) -> Any:
        """Which pairs of systems differ by the critical difference or more, [systems, systems]."""
        ranks = np.array(self.mean_ranks)
        return np.abs(ranks[:, None] - ranks) >= self.critical_difference * (1 - 1e-12)

    def describe_for(self, test: str) -> list[str]:
        """Describe the tests reported beside a test of pairs: Cochran's Q for McNemar's, else all of them."""
        if test == "mcnemar":
            return [describe_test(test) for test in self.tests if test.name == "Cochran's Q"]
        return [*self.describe(), WHY_MEANS]

    def describe(self) -> list[str]:
        """The tests, the mean ranks and the critical difference."""
        ranked = [f"{shown(name)} {rank:.4g}" for name, rank in zip(self.systems, self.mean_ranks, strict=True)]
        critical = f"critical difference {self.critical_difference:.4f} (Nemenyi, {self.alpha:g})"
        return [
            "; ".join(describe_test(test) for test in self.tests),
            f"mean ranks: {join_first(ranked, RANKED)}; {critical}",
        ]


def describe_test(test: Omnibus) -> str:
    """A test in one line: ``Friedman: chi2(3) = 14.2800, p = 0.0026``."""
    p = readable(test.p, "p")
    says = f"p {p}" if p.startswith("<") else f"p = {p}"
    if np.isnan(test.df_error):
        sign = "chi2" if test.name == "Friedman" else "Q"
        return f"{test.name}: {sign}({test.df:g}) = {test.statistic:.4f}, {says}"
    value = "infinite, as all topics agree" if np.isinf(test.statistic) else f"{test.statistic:.4f}"
    return f"{test.name}: F({test.df:g}, {test.df_error:g}) = {value}, {says}"


def rank_scores(scores: Scores, alpha: float) -> RankedSystems:
    """Rank the systems of complete scores."""
    return RankedSystems.of(scores.systems, scores.values if scores.larger_is_better else -scores.values, alpha)


def rank_for(test: Test, scores: Scores, alpha: float) -> RankedSystems | None:
    """The mean ranks that Nemenyi's test compares, or, with Cochran's Q, beside McNemar's of three systems or more."""
    of_yes_no = test == "mcnemar" and len(scores.systems) > 2 and scores.is_complete
    return rank_scores(scores, alpha) if test == "nemenyi" or of_yes_no else None


def require_yes_no(scores: Scores) -> None:
    """Refuse scores that are not yes or no for McNemar's test.

    Raises:
        InputError: there are three values or more.
    """
    found: set[float] = set()
    for block in scores.blocks():
        found |= set(np.unique(block[~np.isnan(block)])[:3].tolist())
        if len(found) > 2:
            values = ", ".join(f"{value:g}" for value in sorted(found)[:3])
            raise InputError(
                f"{scores.called}: {setting('test', 'mcnemar')} takes yes/no scores of two values, such as 0 and 1, "
                f"and there are {values}, ...: take {setting('test', 'sign')}, which counts wins and losses",
                code="not-binary",
            )


def with_mean_ranks(pairs: pd.DataFrame, ranked: RankedSystems) -> pd.DataFrame:
    """A table of pairs with the mean rank of both systems."""
    rank = dict(zip(ranked.systems, ranked.mean_ranks, strict=True))
    return pairs.assign(mean_rank=pairs["system"].map(rank), mean_rank_other=pairs["other"].map(rank))
