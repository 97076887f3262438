"""The probability that one system is better than another: ``estimate_posterior`` and its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, shown, warn
from cranfield._typing import Floats
from cranfield._validation import list_names
from cranfield.comparison.outcome import PairedOutcome, Procedure
from cranfield.comparison.pair_choice import choose_pairs
from cranfield.comparison.pairwise import test_pairs
from cranfield.comparison.result import named_pairs
from cranfield.declarations.analysis import FromScores, View, analysis
from cranfield.declarations.checks import GIVEN, Rule
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import BaselineOption, MissingScoresOption
from cranfield.results.columns import Column
from cranfield.results.frames import sort_by_size
from cranfield.results.result import Result
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.missing_scores import warn_of_gaps
from cranfield.scores.opening import Needs, open_scores
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.posterior import StudentMixture, paired_posterior, shared_posterior

if TYPE_CHECKING:
    import pandas as pd

Prior = Literal["flat", "shared"]
JUDGED = ("low", "high", "prob_superior", "prob_better", "prob_equivalent", "prob_worse")
"""Columns that need a spread of differences."""


@dataclass(frozen=True, eq=False, repr=False)
class Posterior(Result):
    """Posterior distribution of the true differences between systems, given the scores.

    Args:
        pairs: one row a pair. Its probabilities are of hypotheses, not p-values: large where a system is better.
        measure: what was compared.
        direction: which scores are better, in words; empty where larger ones are.
        kept: what observed differences are multiplied by to expect the true ones; 1 is not a shrinkage.
        settings: the options.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "pairs": (
            Column("system"),
            Column("other"),
            Column("difference", "observed, system minus other"),
            Column("expected", "posterior mean of the true difference"),
            Column("low", "to high, its credible interval"),
            Column("high"),
            Column("prob_superior", "probability that the true mean of system is the better one"),
            Column("prob_better", "that it is better by more than the margin"),
            Column("prob_equivalent", "that both differ by less"),
            Column("prob_worse", "that it is worse by more"),
            Column("topics", "that both have", shown="varying"),
        )
    }
    pairs: pd.DataFrame
    measure: str
    direction: str
    kept: float
    settings: dict[str, Any]
    signature: dict[str, Any]

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The pairs, the largest differences first."""
        return sort_by_size(self.to_frame(table))

    def caption(self, table: str) -> str:
        """The prior, the interval, and in how many pairs one system is probably better."""
        settings, pairs = self.settings, self.pairs
        topics = (
            f"{pairs['topics'].min():,} topics"
            if pairs["topics"].nunique() == 1
            else "topics that both systems of a pair have"
        )
        topics += f", {self.direction}" if self.direction else ""
        prior = {
            "flat": f"each pair by itself, {settings['prior_topics']:g} prior topics",
            "shared": f"one normal distribution of true means, estimated; differences multiplied by {self.kept:.3f}",
        }[settings["prior"]]
        lines = [
            f"{shown(self.measure)}, {topics}, {counted(len(pairs), 'pair')}; prior={settings['prior']}: {prior}",
            f"interval: {100 * settings['level']:.4g}% credible intervals of the true difference, of each pair by "
            "itself",
        ]
        superior, level = pairs["prob_superior"], settings["level"]
        sure = int(((superior > level) | (superior < 1 - level)).sum())
        lines.append(f"in {counted(sure, 'pair')} one system is better with a probability above {settings['level']:g}")
        if settings["margin"] is not None:
            same = int((pairs["prob_equivalent"] > settings["level"]).sum())
            lines[-1] += f"; in {same:,} the difference is below {settings['margin']:g} with such a probability"
        return "\n".join(lines)


@analysis(
    "compare bayes",
    "Print how probable it is that one system is better than another.",
    FromScores(directed=True),
    views=(View("pairs", pairs="the largest differences first"),),
    rules=(
        Rule(
            {"prior": "shared", "prior_topics": GIVEN},
            "{prior_topics} belongs to {prior=flat}; {prior=shared} learns it from systems",
        ),
    ),
    examples=("qrels.txt bm25.run neural.run", "--scores scores.csv --baseline bm25 --margin 0.01"),
)
def estimate_posterior(
    scores: ScoresLike,
    *,
    prior: Annotated[
        Prior,
        Option(
            "Of true differences. flat: each pair alone, every true difference equally probable. shared: one normal "
            "distribution of true means, which shrinks small differences."
        ),
    ] = "flat",
    prior_topics: Annotated[float, Option("Topics without a difference to add (flat prior).", low=0)] = 0.0,
    baseline: BaselineOption = (),
    margin: Annotated[
        float | None,
        Option(
            "Differences up to this size do not matter in practice; choose it before looking.",
            low=0,
            open=True,
            default="none",
        ),
    ] = None,
    level: Annotated[float, Option("Probability of the credible intervals.", low=0, high=1, open=True)] = 0.95,
    missing_scores: MissingScoresOption = None,
) -> Posterior:
    """The probability that a system is better than another, given their scores and a model of them.

    - ``flat``: each pair by itself. Its differences are normal, of unknown variance, and every true mean is as probable
      as any other: the posterior is Student's, around the mean difference, with the standard error of the paired
      t-test. ``prior_topics`` replaces the flat prior by the conjugate one that adds that many topics without a
      difference.
    - ``shared``: all systems together. Their true means come from one normal distribution, whose spread is learned
      from them, so that differences are shrunk the more, the more chance explains them; scores are the sum of topic,
      system and a residual of one variance for all. Integrated numerically, without random numbers.

    Two systems with the same scores are superior to each other with probability .5. Where a pair differs by the same
    amount, not 0, on every topic, there is no spread to judge by: no interval and no probability; a warning says so.

    Args:
        scores: of one measure, dims (topic, system).

    Raises:
        UsageError: an unknown word or system, or numbers outside their range.
        InputError: fewer than two systems (three for ``shared``), or fewer than two topics that a pair shares; a score
            that is missing, for ``shared``.

    References:
        Carterette 2015, Bayesian inference for information retrieval evaluation. doi:10.1145/2808194.2809469
        Kruschke 2013, Bayesian estimation supersedes the t test. doi:10.1037/a0029146
    """
    named = list_names(baseline=baseline)
    matrix = open_scores(scores, Needs("a comparison", topics=2, systems=2), missing_scores=missing_scores)
    pairs = choose_pairs(matrix, named)
    outcome = test_pairs(matrix, pairs, Procedure("t", "t", level, 1.0 - level, 0, 1, "none"), 1.0 - level)
    if named:
        # A baseline stands on the left of its pairs, and is what a system is compared with.
        pairs, outcome = Contrasts(pairs.right, pairs.left), outcome.negated(keep_statistic=False)
    posterior, shrinkage = _posterior(matrix, outcome, prior, prior_topics)
    warn_of_gaps(matrix.called, matrix.values, matrix.topics, matrix.systems)
    flat = (posterior.scale == 0).all(axis=0) & (outcome.difference != 0)
    if flat.any():
        warn(
            f"{shown(matrix.measure)}: {counted(int(flat.sum()), 'pair')} of {len(pairs):,} with the same difference "
            "on every topic, which leaves no spread to judge by: no interval, no probability"
        )
    settings = record_options(estimate_posterior, locals(), baseline=named)
    table = _table(matrix, pairs, outcome, posterior, margin, level)
    table.loc[flat, [name for name in table if name in JUDGED]] = np.nan
    return Posterior(
        table, matrix.measure, matrix.direction, shrinkage, settings, matrix.signature("posterior", **settings)
    )


def _posterior(
    matrix: Scores, outcome: PairedOutcome, prior: Prior, prior_topics: float
) -> tuple[StudentMixture, float]:
    """The posterior of the differences, and the smallest share of an observed one that any pair is expected to have."""
    if prior == "flat":
        posterior = paired_posterior(outcome.difference, outcome.error, outcome.topics.astype(np.float64), prior_topics)
        fewest = int(outcome.topics.min())
        return posterior, fewest / (fewest + prior_topics)
    matrix.at_least(2, 3, "a prior that systems share")
    matrix.require_complete(f"{setting('prior', 'shared')}", f"take {setting('prior', 'flat')}")
    return shared_posterior(matrix.values, outcome.difference)


def _table(
    matrix: Scores,
    pairs: Contrasts,
    outcome: PairedOutcome,
    posterior: StudentMixture,
    margin: float | None,
    level: float,
) -> pd.DataFrame:
    import pandas as pd

    interval = posterior.middle(level)

    def better(by: float) -> Floats:
        return posterior.above(by) if matrix.larger_is_better else posterior.below(-by)

    columns = {"difference": outcome.difference, "expected": posterior.mean, "low": interval.low, "high": interval.high}
    columns["prob_superior"] = better(0.0)
    if margin is not None:
        up, down = better(margin), posterior.below(-margin) if matrix.larger_is_better else posterior.above(margin)
        columns |= {"prob_better": up, "prob_equivalent": np.maximum(0.0, 1.0 - up - down), "prob_worse": down}
    return pd.DataFrame(named_pairs(matrix, pairs) | columns | {"topics": outcome.topics})
