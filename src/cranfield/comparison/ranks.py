"""Between which ranks each system lies: ``estimate_ranks`` and its result."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, get_args

import numpy as np

from cranfield._dask import DaskLike, each_on
from cranfield._message import setting
from cranfield._text import counted, warn
from cranfield._typing import Floats, Ints
from cranfield._validation import check_integer, share, word
from cranfield.comparison.clusters import refuse_few_flips
from cranfield.errors import UsageError
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix, make_matrix
from cranfield.scores.missing_scores import BOARD, MissingScores, fill_gaps
from cranfield.scores.signature import evaluations_in
from cranfield.scores.system_runs import join_clusters
from cranfield.scores.topic_clusters import ClusteredMatrix, MeanOver
from cranfield.statistics.rank_confidence_sets import Method, Ranges, RankSets, rank_sets
from cranfield.statistics.resampling import is_exact

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.scores.topic_groups import GroupsLike

RESAMPLES: dict[str, int] = {"flips": 10_000, "normal": 10_000, "bootstrap": 2000}
"""Where nothing else is asked for."""


@dataclass(frozen=True, eq=False, repr=False)
class RankIntervals(Result):
    """The ranks that each system may have on all topics like these.

    Args:
        table: of each ``system`` (the index), best first: its ``mean``, its ``rank`` here (equal means share the
            smallest), the ranks from ``low`` to ``high`` that hold for all systems together with the coverage asked
            for, and ``marginal_low`` to ``marginal_high``, which hold for a single system chosen before looking, where
            they were asked for.
        measure: what systems are ranked by.
        settings: ``procedure``, ``alpha``, ``resamples``, ``stepdown``; ``seed``, None where all sign flips were made.
        signature: all that changes these numbers.
    """

    charts: ClassVar[tuple[str, ...]] = ("rank_intervals",)
    table: pd.DataFrame
    measure: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"table": lambda: tidy(self.table)}

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


def estimate_ranks(
    scores: ScoresLike,
    *,
    procedure: Method = "flips",
    alpha: float = 0.05,
    resamples: int | None = None,
    stepdown: bool = True,
    marginal: bool = True,
    seed: int = 1,
    missing_scores: MissingScores | None = None,
    dask: DaskLike | None = None,
    topic_clusters: GroupsLike | None = None,
    mean_over: MeanOver = "topics",
) -> RankIntervals:
    """Between which ranks does each system lie, by its mean over all topics of which these are a sample?

    A system's rank is 1 + the number of systems that are better. From 1 + those that are significantly better to the
    number of systems less those that are significantly worse: by one-sided paired t-tests of every system against
    every other one in both directions, corrected for their number by the largest t under the null distribution.

    - ``flips``: the signs of a topic's differences are flipped together. It holds its level on skewed and on normal
      scores (docs/trust.md), and is exact where differences are symmetric.
    - ``normal``: means are normal with the covariance of the scores, as csranks does. On fifty topics and many systems
      it rejects too much: its intervals are too short.
    - ``bootstrap``: topics are drawn with replacement. On few topics its intervals are wide.

    Args:
        scores: of one measure, dims (topic, system), complete.
        procedure: the null distribution.
        alpha: 1 - coverage, in (0, 1).
        resamples: by default 10,000 flips or normal samples, 2,000 of the bootstrap; all 2^topics flips where half of
            them are no more.
        stepdown: test again without the pairs that were found, until no more are found; intervals are shorter for it.
        marginal: also give the ranks of each system by itself, which takes two thirds of the time.
        seed: the same seed gives the same bits.
        dask: looks at each system by itself, with the same bits: a client or a cluster of Dask, its address, or
            ``"local"``. Without ``marginal`` it has nothing to do, and is refused.
        missing_scores: ``drop-topics``, ``drop-systems`` or ``refuse``, where systems lack scores; see ``read_scores``.
        topic_clusters: as in ``compare``: signs of whole clusters are flipped, and each flip has the standard error of
            clusters.
        mean_over: as in ``compare``; ``normal`` and ``bootstrap`` take cluster means alone.

    Raises:
        InputError: fewer than two systems or topics, a missing score, fewer than five clusters, or a topic without one.
        UsageError: an unknown procedure, numbers outside their range, or too few resamples for any significant test.

    References:
        Mogstad, Romano, Shaikh & Wilhelm 2024, Inference for ranks with applications to mobility across neighbourhoods
        and academic achievement across countries. doi:10.1093/restud/rdad006
    """
    word("procedure", procedure, get_args(Method))
    share(alpha=alpha)
    drawn = RESAMPLES[procedure] if resamples is None else resamples
    check_integer(1, resamples=drawn)
    check_integer(0, seed=seed)
    if dask is not None and not marginal:
        raise UsageError(
            f"{setting('dask')} looks at each system by itself, and marginal=False asks for none: leave it out"
        )
    matrix = _open(scores, missing_scores, topic_clusters, mean_over)
    table, numbers, settings = _prepare_table(matrix, procedure, alpha)
    units = len(table) if numbers is None else int(numbers.max()) + 1
    exact = procedure == "flips" and is_exact(units, drawn)
    _enough(matrix, units, drawn, alpha, exact=exact)
    with each_on(dask) as each:
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
    settings = {"procedure": procedure, "alpha": alpha, "resamples": 1 << units if exact else drawn} | settings
    settings |= {"stepdown": stepdown, "seed": None if exact else seed}
    return RankIntervals(rows, matrix.measure, settings, matrix.signature("ranks", **settings))


def _open(
    scores: ScoresLike, missing_scores: MissingScores | None, topic_clusters: GroupsLike | None, mean_over: MeanOver
) -> Matrix:
    """The scores, complete or not, with the clusters of their topics where there are any."""
    matrix = make_matrix(fill_gaps(scores, missing_scores))
    matrix.at_least(2, 2, "ranks with intervals")
    return join_clusters(matrix, topic_clusters, mean_over)


def _prepare_table(matrix: Matrix, procedure: Method, alpha: float) -> tuple[Floats, Ints | None, dict[str, Any]]:
    """The complete scores of topics or clusters, the numbers of clusters that are resampled, and their settings.

    Raises:
        InputError: a score is missing.
        UsageError: a procedure that does not work with clusters, or too few clusters to flip.
    """
    table = matrix.complete("an interval of ranks", "" if evaluations_in(matrix.source) else BOARD)
    if not isinstance(matrix, ClusteredMatrix):
        return table, None, {}
    if procedure == "flips":
        refuse_few_flips(matrix.clusters, alpha)
    if matrix.weighs_clusters:
        return matrix.cluster_means, None, matrix.clusters.settings
    if procedure != "flips":
        raise UsageError(
            f"{setting('procedure', procedure)} does not work with clusters whose topics weigh the same: take "
            f"{setting('procedure', 'flips')}, or {setting('mean_over', 'clusters')}"
        )
    return table, matrix.clusters.cluster, matrix.clusters.settings


def _rows(matrix: Matrix, sets: RankSets) -> pd.DataFrame:
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


def _enough(matrix: Matrix, topics: int, drawn: int, alpha: float, *, exact: bool) -> None:
    """Whether a test of this number of topics, or of their clusters, could be significant.

    Raises:
        UsageError: that many resamples have no p-value up to alpha.
    """
    if exact and 2.0 ** (1 - topics) > alpha:
        warn(
            f"{matrix.called}: {counted(topics, 'topic')} have too few sign flips for any p-value up to {alpha:g}, so "
            "that every system may have every rank"
        )
    if not exact and 1 / (drawn + 1) > alpha:
        least = math.ceil(1 / alpha - 1e-9) - 1
        raise UsageError(f"resamples={drawn} are too few for alpha={alpha:g}: take {least:,} or more")
