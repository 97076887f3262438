"""The ranks between which each system lies: ``estimate_ranks`` and its result."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from cranfield._executor import each_on
from cranfield._message import setting
from cranfield._text import counted, join_first, shown, warn
from cranfield._typing import Floats, Ints
from cranfield._validation import check_integer
from cranfield.comparison.clusters import refuse_few_flips
from cranfield.declarations.analysis import FromScores, Groups, View, analysis
from cranfield.declarations.checks import GIVEN, Rule
from cranfield.declarations.executor import ExecutorOption
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import (
    AlphaOption,
    MeanOverOption,
    MissingScoresOption,
    SeedOption,
    TopicClustersOption,
)
from cranfield.errors import UsageError
from cranfield.results.columns import Column
from cranfield.results.result import Result
from cranfield.results.sheet import Sheet, shorten_signature
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.missing_scores import BOARD
from cranfield.scores.opening import Needs, open_scores
from cranfield.scores.signature import evaluations_in
from cranfield.scores.topic_clusters import describe_clusters
from cranfield.statistics.rank_confidence_sets import Ranges, RankProcedure, RankSets, rank_sets
from cranfield.statistics.resampling import is_exact
from cranfield.statistics.test_names import INTERVAL_RESAMPLES

if TYPE_CHECKING:
    import pandas as pd


DRAWN = {"flips": "sign flips", "normal": "normal samples", "bootstrap": "bootstrap resamples"}
RESAMPLES: dict[str, int] = {"flips": 10_000, "normal": 10_000, "bootstrap": INTERVAL_RESAMPLES}
"""Methods -> their numbers of resamples by default."""


@dataclass(frozen=True, eq=False, repr=False)
class RankIntervals(Result):
    """The ranks that each system may have on all topics like these.

    Args:
        table: a row a system, the best first.
        measure: what systems are ranked by.
        topics: how many there are.
        settings: the options; ``seed``, None where all sign flips were made.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("system"),
            Column("mean"),
            Column("rank", "on these topics; equal means share the smallest"),
            Column("low", "its interval over all such topics, for all systems jointly"),
            Column("high"),
            Column("marginal_low", "its interval for a single system that was chosen before looking at the scores"),
            Column("marginal_high"),
        )
    }
    table: pd.DataFrame
    measure: str
    topics: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def for_people(self, table: str, rows: pd.DataFrame) -> pd.DataFrame:
        """Ranks with their intervals in one cell, ``3 (1-9)``."""
        if table != "table":
            return rows
        shown = rows[["system", "mean"]].assign(rank=self.written().to_numpy())
        if "marginal_low" in rows:
            ends = rows[["marginal_low", "marginal_high"]].itertuples(index=False)
            shown["alone"] = [f"{low}-{high}" for low, high in ends]
        return shown

    def for_paper(self, table: str, rows: pd.DataFrame) -> Sheet:
        """Likewise, with the signature in the caption."""
        caption = f"{self.caption(table)}\n{shorten_signature(self.signature)}"
        return Sheet.from_frame(self.for_people(table, rows), caption, self.signature)

    def caption(self, table: str) -> str:
        """Describe what was drawn, what the columns mean, and which systems may be the best."""
        if table != "table":
            return ""
        settings, best = self.settings, self.among_best(1)
        drawn = f"{settings['resamples']:,} {DRAWN[settings['procedure']]}"
        seed = f", seed {settings['seed']}" if settings["seed"] is not None else " (all there are)"
        within = f" {describe_clusters(settings)}" if "topic_clusters" in settings else ""
        names = join_first([shown(system) for system in best])
        lines = [
            f"{shown(self.measure)}, {counted(self.topics, 'topic')}{within}; {drawn}{seed}",
            "rank: on these topics; in brackets, the interval of its rank over all such topics (coverage "
            f"{1 - settings['alpha']:.4g} for all systems jointly)",
        ]
        if "marginal_low" in self.table:
            lines.append("alone: the same for a single system that was chosen before looking at the scores")
        return "\n".join([*lines, *self.few, f"the best may be {'any of ' if len(best) > 1 else ''}{names}"])

    @property
    def few(self) -> list[str]:
        """A sentence, where topics are too few for any interval that leaves a rank out."""
        sentence = describe_few(self.topics, self.settings["alpha"])
        return [sentence] if sentence and self.settings["procedure"] == "flips" else []

    def written(self) -> pd.Series[str]:
        """The rank of each system with the interval for all of them together, as ``3 (1-9)``."""
        import pandas as pd

        columns = (self.table[name].tolist() for name in ("rank", "low", "high"))
        texts = [f"{rank} ({low}-{high})" for rank, low, high in zip(*columns, strict=True)]
        return pd.Series(texts, index=self.table.index, name="rank", dtype=object)

    def among_best(self, count: int) -> list[str]:
        """Systems that may be among the ``count`` best: with the coverage asked for, all that are stand here.

        Args:
            count: at least 1.

        Raises:
            UsageError: it is less.
        """
        check_integer(1, count=count)
        return list(self.table.index[self.table["low"] <= count])


@analysis(
    "compare",
    "",
    FromScores(holes=("estimate",), directed=True),
    views=(View("ranks", "Print the leaderboard with an interval of each rank.", ("--ranks",), table="table"),),
    rules=(
        Rule(
            {"executor": GIVEN, "marginal": False},
            "{executor} looks at each system by itself, and {marginal=False} asks for none: leave it out",
        ),
    ),
    groups=Groups(tested=True),
    formats=("latex", "markdown"),
)
def estimate_ranks(
    scores: ScoresLike,
    *,
    procedure: Annotated[RankProcedure, Option("Ranks: flips, normal, bootstrap.", metavar="NAME")] = "flips",
    alpha: AlphaOption = 0.05,
    resamples: Annotated[
        int | None,
        Option(
            "Resamples.",
            low=1,
            default="10,000 flips or normal samples, 2,000 of the bootstrap; all 2^topics flips where half of them are "
            "no more",
        ),
    ] = None,
    stepdown: Annotated[
        bool, Option("Test again without the pairs that were found, which makes intervals shorter.", shell=False)
    ] = True,
    marginal: Annotated[
        bool,
        Option("Also give the ranks of each system by itself, which takes two thirds of the time.", shell=False),
    ] = True,
    seed: SeedOption = 1,
    missing_scores: MissingScoresOption = None,
    executor: ExecutorOption = None,
    topic_clusters: TopicClustersOption = None,
    mean_over: MeanOverOption = "topics",
) -> RankIntervals:
    """Estimate between which ranks each system lies, by its mean over all topics of which these are a sample.

    A system's rank is 1 + the number of systems that are better. From 1 + those that are significantly better to the
    number of systems minus those that are significantly worse: by one-sided paired t-tests of every system against
    every other one in both directions, corrected for their number by the largest t under the null distribution.

    - ``flips``: the signs of a topic's differences are flipped together. It holds its level on skewed and on normal
      scores (docs/trust.md), and is exact where differences are symmetric.
    - ``normal``: means are normal with the covariance of the scores, as csranks does. On fifty topics and many systems
      it rejects too much: its intervals are too short.
    - ``bootstrap``: topics are drawn with replacement. On few topics its intervals are wide.

    Args:
        scores: of one measure, dims (topic, system), complete.

    Raises:
        InputError: fewer than two systems or topics, a missing score, fewer than five clusters, or a topic without one.
        UsageError: an unknown procedure, numbers outside their range, or too few resamples for any significant test.

    References:
        Mogstad, Romano, Shaikh & Wilhelm 2024, Inference for ranks with applications to mobility across neighbourhoods
        and academic achievement across countries. doi:10.1093/restud/rdad006
    """
    drawn = RESAMPLES[procedure] if resamples is None else resamples
    needs = Needs("ranks with intervals", topics=2, systems=2)
    matrix = open_scores(
        scores, needs, missing_scores=missing_scores, topic_clusters=topic_clusters, mean_over=mean_over
    )
    table, numbers = _prepare_table(matrix, procedure, alpha)
    units = len(table) if numbers is None else int(numbers.max()) + 1
    exact = procedure == "flips" and is_exact(units, drawn)
    require_resamples(matrix, units, drawn, alpha, exact=exact)
    with each_on(executor) as each:
        sets = rank_sets(
            table if matrix.larger_is_better else -table,
            alpha,
            method=procedure,
            resamples=drawn,
            rng=np.random.default_rng(seed),
            stepdown=stepdown,
            marginal=marginal,
            each=each,
            cluster=numbers,
        )
    rows = _rows(matrix, sets)
    drawing = {"resamples": 1 << units, "seed": None} if exact else {"resamples": drawn}
    settings = record_options(estimate_ranks, locals(), **drawing, **matrix.units.settings)
    return RankIntervals(rows, matrix.measure, len(matrix.topics), settings, matrix.signature("ranks", **settings))


def _prepare_table(matrix: Scores, procedure: RankProcedure, alpha: float) -> tuple[Floats, Ints | None]:
    """The complete scores of topics or clusters, and the numbers of clusters that are resampled.

    Raises:
        InputError: a score is missing.
        UsageError: a procedure that does not work with clusters, or too few clusters to flip.
    """
    matrix.require_complete("an interval of ranks", "" if evaluations_in(matrix.source) else BOARD)
    clusters = matrix.units.clusters
    if clusters is not None and procedure == "flips":
        refuse_few_flips(clusters, alpha)
    if matrix.row_clusters is not None and procedure != "flips":
        raise UsageError(
            f"{setting('procedure', procedure)} does not work with clusters whose topics weigh the same: take "
            f"{setting('procedure', 'flips')}, or {setting('mean_over', 'clusters')}"
        )
    return matrix.rows, matrix.row_clusters


def _rows(matrix: Scores, sets: RankSets) -> pd.DataFrame:
    """A row a system, the best first."""
    import pandas as pd

    order = matrix.leaderboard
    columns: dict[str, Any] = {"mean": matrix.means, "rank": matrix.ranks}
    columns |= _columns("", sets.simultaneous)
    columns |= _columns("marginal_", sets.marginal) if sets.marginal is not None else {}
    return pd.DataFrame(
        {name: values[order] for name, values in columns.items()},
        index=pd.Index([matrix.systems[at] for at in order], name="system", dtype=object),
    )


def _columns(prefix: str, ranges: Ranges) -> dict[str, Any]:
    return {f"{prefix}low": ranges.low, f"{prefix}high": ranges.high}


def describe_few(topics: int, alpha: float) -> str:
    """Say that all sign flips of so few topics leave every rank open; empty where they do not."""
    if 2.0 ** (1 - topics) <= alpha:
        return ""
    return (
        f"{counted(topics, 'topic')} have too few sign flips for any p-value up to {alpha:g}, so that every system may "
        "have every rank"
    )


def require_resamples(matrix: Scores, topics: int, drawn: int, alpha: float, *, exact: bool) -> None:
    """Require that a test of this number of topics, or of their clusters, could be significant.

    Raises:
        UsageError: that many resamples have no p-value up to alpha.
    """
    if exact and (few := describe_few(topics, alpha)):
        warn(f"{matrix.called}: {few}")
    if not exact and 1 / (drawn + 1) > alpha:
        least = math.ceil(1 / alpha - 1e-9) - 1
        raise UsageError(f"resamples={drawn} are too few for alpha={alpha:g}: take {least:,} or more")
