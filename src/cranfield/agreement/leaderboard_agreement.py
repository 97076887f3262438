"""Leaderboards of the same systems by several judges against the true one: the usual correlations, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from cranfield._text import shown
from cranfield._typing import Floats, Ints
from cranfield.agreement.ranking_agreement import choose_source, collect_sources, orient_means, select_same_model
from cranfield.declarations.analysis import FromSources, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import (
    BootstrapOption,
    LevelOption,
    MissingScoresOption,
    ReferenceOption,
    SameModelOption,
    SeedOption,
)
from cranfield.results.columns import Column
from cranfield.results.result import Result
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.scale import comparable
from cranfield.statistics.rank_correlation import MIN_SYSTEMS, pearson, spearman, tau_ap_b, tau_b

if TYPE_CHECKING:
    import pandas as pd

RESAMPLES = 1000
COEFFICIENTS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "kendall": tau_b,
    "spearman": spearman,
    "pearson": pearson,
    "tau_ap_b": tau_ap_b,
}
"""Coefficients by their names in the evaluation of AutoJudge, which calls ``tau_ap_b`` ``tauap_b``."""


@dataclass(frozen=True, eq=False, repr=False)
class LeaderboardAgreement(Result):
    """Correlations of leaderboards by judges with the true one.

    Args:
        correlations: one row a judge and statistic: ``kendall`` (tau-b), ``spearman``, ``pearson`` and ``tau_ap_b`` of
            the means of all systems; with ``@k``, of the k best systems of the truth alone, of equal ones the earlier.
        reference: the name of the truth.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "correlations": (
            Column("judge"),
            Column("statistic"),
            Column("systems", "that are correlated"),
            Column("value"),
            Column("low", "lower end of an interval over the topics that both have; NaN below two"),
            Column("high"),
            Column("without", "the value without systems that are built with the judge's own model; NaN without any"),
        )
    }
    correlations: pd.DataFrame
    reference: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The rows of a table; where no system has a judge's model, none is left out."""
        rows = self.to_frame(table)
        return rows if self.settings["same_model"] else rows.drop(columns="without")

    def caption(self, table: str) -> str:
        """The reference, and what intervals are."""
        return f"reference {shown(self.reference)}; intervals {self.settings['level']:g}, by topics drawn anew"


@analysis(
    "judges",
    "",
    FromSources(),
    given=("scores",),
    views=(View("correlations", "of leaderboards."),),
)
def compare_leaderboards(
    scores: Mapping[str, ScoresLike] | ScoresLike,
    *,
    reference: ReferenceOption = None,
    top: Annotated[
        int | Sequence[int],
        Option("Also correlate among this number of best systems of the reference.", low=MIN_SYSTEMS),
    ] = (),
    same_model: SameModelOption = None,
    level: LevelOption = 0.95,
    resamples: BootstrapOption = RESAMPLES,
    seed: SeedOption = 1,
    missing_scores: MissingScoresOption = None,
) -> LeaderboardAgreement:
    """Correlate leaderboards by several judges with the true one.

    An interval resamples the topics that judge and truth share, both by the same draws; it holds the middle share
    ``level`` of what is found (percentiles), and says how far a judge's correlation depends on the topics at hand.

    Args:
        scores: name -> scores of one measure, dims (topic, system), or a Dataset of several measures.

    Raises:
        InputError: fewer than three systems, or sources of different systems.
        UsageError: fewer than two sources, an unknown name, or a number outside its range.

    References:
        Clarke & Dietz 2024, LLM-based relevance assessment still can't replace human relevance assessment.
        arXiv:2412.17156

    >>> import pandas as pd
    >>> truth, judge = ([[.9, .5, .1], [.8, .6, .3]], [[.6, .5, .2], [.4, .6, .3]])
    >>> named = {n: pd.DataFrame(x, columns=["a", "b", "c"]) for n, x in (("truth", truth), ("judge", judge))}
    >>> compare_leaderboards(named).correlations["value"].round(4).tolist()
    [0.3333, 0.5, 0.8322, 0.25]
    """
    sizes = sorted({top} if isinstance(top, int) else set(top))
    matrices = collect_sources(scores, missing_scores)
    chosen = choose_source(matrices, reference)
    matrices[chosen].at_least(1, MIN_SYSTEMS, "correlation of leaderboards")
    circular = select_same_model(same_model or {}, matrices, matrices[chosen].systems, chosen)
    rows: list[dict[str, Any]] = []
    for name, matrix in matrices.items():
        if name != chosen:
            pair = _TruthAndJudge(matrices[chosen], matrix, sizes)
            draws = pair.resample(resamples, seed)
            rows += [{"judge": name, **row} for row in pair.make_rows(draws, level, circular.get(name, set()))]
    import pandas as pd

    named = {name: sorted(systems) for name, systems in circular.items()}
    settings = record_options(compare_leaderboards, locals(), reference=chosen, top=sizes, same_model=named)
    signature = matrices[chosen].signature("leaderboard agreement", **settings)
    signature["scores"] = {name: matrix.source for name, matrix in matrices.items()}
    return LeaderboardAgreement(pd.DataFrame(rows), chosen, settings, signature)


class _TruthAndJudge:
    """The truth and a judge.

    Args:
        truth, judge: scores of the same systems.
        sizes: numbers of best systems of the truth that are correlated alone.
    """

    def __init__(self, truth: Scores, judge: Scores, sizes: Sequence[int]) -> None:
        self.systems = truth.systems
        self.sizes = sizes
        self.means = orient_means(truth, self.systems), orient_means(judge, self.systems)
        self.shared = _select_shared_topics(truth, judge)

    def make_rows(self, draws: dict[str, Floats], level: float, circular: set[str]) -> list[dict[str, Any]]:
        """Return a row for each statistic; see ``LeaderboardAgreement``."""
        truth, judge = self.means
        values = _correlate(truth, judge, self.sizes)
        independent = np.array([number for number, system in enumerate(self.systems) if system not in circular])
        enough = len(independent) < len(self.systems) and len(independent) >= MIN_SYSTEMS
        without = _correlate(truth[independent], judge[independent], self.sizes) if enough else {}
        rows = []
        for name, value in values.items():
            defined = draws[name][~np.isnan(draws[name])] if name in draws else np.array([])
            tails = 100 * (1 - level) / 2
            low, high = np.percentile(defined, [tails, 100 - tails]) if len(defined) else (np.nan, np.nan)
            systems = min(int(name.partition("@")[2] or len(self.systems)), len(self.systems))
            row = {"statistic": name, "systems": systems, "value": float(value), "low": float(low), "high": float(high)}
            rows.append(row | {"without": float(without.get(name, np.nan))})
        return rows

    def resample(self, resamples: int, seed: int) -> dict[str, Floats]:
        """Return every statistic of resampled topics, float64 [resamples]; none where fewer than two are shared."""
        truth, judge = self.shared
        if len(truth) < 2:
            return {}
        rng = np.random.default_rng(seed)
        truth_means, judge_means = np.empty((2, resamples, truth.shape[1]))
        for number in range(resamples):
            topics: Ints = rng.integers(len(truth), size=len(truth))
            truth_means[number], judge_means[number] = (
                comparable(scores[topics].mean(axis=0), True) for scores in (truth, judge)
            )
        return _correlate(truth_means, judge_means, self.sizes)


def _select_shared_topics(truth: Scores, judge: Scores) -> tuple[Floats, Floats]:
    """Return scores on the topics that both have, larger ones better, [topics, systems] each, in the truth's order."""
    judge_rows = {topic: row for row, topic in enumerate(judge.topics)}
    rows = [(row, judge_rows[topic]) for row, topic in enumerate(truth.topics) if topic in judge_rows]
    columns = [judge.systems.index(system) for system in truth.systems]
    what, remedy = "an interval of a correlation", "fill the gap, or leave the topic out of both"
    for scores in (truth, judge):
        scores.require_complete(what, remedy)
    truth_values = truth.values[[row for row, _ in rows]] * (1 if truth.larger_is_better else -1)
    judge_values = judge.values[[row for _, row in rows]][:, columns] * (1 if judge.larger_is_better else -1)
    return truth_values, judge_values


def _correlate(truth: Floats, judge: Floats, sizes: Sequence[int]) -> dict[str, Floats]:
    """Return every statistic of two lists of means, [..., systems] -> [...]."""
    best = np.argsort(-truth, axis=-1, kind="stable")
    values: dict[str, Floats] = {}
    for size in (truth.shape[-1], *sizes):
        pair = [np.take_along_axis(means, best[..., :size], axis=-1) for means in (judge, truth)]
        for name, coefficient in COEFFICIENTS.items():
            values[name if len(values) < len(COEFFICIENTS) else f"{name}@{size}"] = coefficient(*pair)
    return values
