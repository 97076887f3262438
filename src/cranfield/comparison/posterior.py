"""How probable is it that one system is better than another: ``estimate_posterior`` and its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, shown, warn
from cranfield._typing import Floats
from cranfield._validation import above, list_names, not_negative, share, word
from cranfield.comparison.outcome import Outcome, Procedure
from cranfield.comparison.pairwise import choose_pairs, test_pairs
from cranfield.comparison.result import named_pairs
from cranfield.errors import UsageError
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix, make_matrix
from cranfield.scores.missing_scores import MissingScores, fill_gaps, warn_of_gaps
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.posterior import StudentMixture, paired_posterior, shared_posterior

if TYPE_CHECKING:
    import pandas as pd

Prior = Literal["flat", "shared"]
JUDGED = ("low", "high", "prob_superior", "prob_better", "prob_equivalent", "prob_worse")
"""Columns that need a spread of differences."""


@dataclass(frozen=True, eq=False, repr=False)
class Posterior(Result):
    """What is known of true differences between systems after seeing the scores.

    Args:
        pairs: one row a pair: ``system``, ``other``; their observed ``difference``, system minus other; ``expected``,
            the posterior mean of the true one, with its credible interval ``low`` to ``high``: with the probability
            ``level`` the true difference lies in it, with equal probabilities on either side; ``prob_superior``, the
            probability that the system's true mean is the better one. With a margin the probabilities, which add up to
            1, that it is better by more than that (``prob_better``), that both differ by less (``prob_equivalent``),
            and that it is worse by more (``prob_worse``). ``topics``, how many both share. These are probabilities of
            hypotheses, not p-values: large where a system is better.
        measure: what was compared.
        kept: what observed differences are multiplied by to expect the true ones; 1 is not a shrinkage.
        settings: ``prior``, ``prior_topics``, ``baselines``, ``margin``, ``level``.
        signature: all that changes these numbers.
    """

    charts: ClassVar[tuple[str, ...]] = ("credible_intervals",)
    pairs: pd.DataFrame
    measure: str
    kept: float
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"pairs": lambda: tidy(self.pairs)}


def estimate_posterior(
    scores: ScoresLike,
    *,
    prior: Prior = "flat",
    prior_topics: float = 0.0,
    baselines: str | Sequence[str] = (),
    margin: float | None = None,
    level: float = 0.95,
    missing_scores: MissingScores | None = None,
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
        prior: which.
        prior_topics: at least 0; for the flat prior only.
        baselines: names of systems; every other one is compared with each. None of them: all pairs.
        margin: above 0, in units of the measure: differences of less count as none in practice (a region of practical
            equivalence). Choose it before looking.
        level: probability of the credible interval, in (0, 1).
        missing_scores: ``drop-topics``, ``drop-systems`` or ``refuse``, where systems lack scores; see ``read_scores``.

    Raises:
        UsageError: an unknown word or system, or numbers outside their range.
        InputError: fewer than two systems (three for ``shared``), or fewer than two topics that a pair shares; a score
            that is missing, for ``shared``.

    References:
        Carterette 2015, Bayesian inference for information retrieval evaluation. doi:10.1145/2808194.2809469
        Kruschke 2013, Bayesian estimation supersedes the t test. doi:10.1037/a0029146
    """
    word("prior", prior, get_args(Prior))
    not_negative(prior_topics=prior_topics)
    share(level=level)
    if margin is not None:
        above(0, margin=margin)
    if prior == "shared" and prior_topics:
        raise UsageError(
            f"prior_topics={prior_topics:g} belongs to {setting('prior', 'flat')}; {setting('prior', 'shared')} "
            "learns it from systems"
        )
    named = list_names(baselines=baselines)
    matrix = make_matrix(fill_gaps(scores, missing_scores))
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
    settings: dict[str, Any] = {"prior": prior, "prior_topics": prior_topics, "baselines": named, "margin": margin}
    settings["level"] = level
    table = _table(matrix, pairs, outcome, posterior, margin, level)
    table.loc[flat, [name for name in table if name in JUDGED]] = np.nan
    return Posterior(table, matrix.measure, shrinkage, settings, matrix.signature("posterior", **settings))


def _posterior(matrix: Matrix, outcome: Outcome, prior: Prior, prior_topics: float) -> tuple[StudentMixture, float]:
    """The posterior of the differences, and the smallest share of an observed one that any pair is expected to have."""
    if prior == "flat":
        posterior = paired_posterior(outcome.difference, outcome.error, outcome.topics.astype(np.float64), prior_topics)
        fewest = int(outcome.topics.min())
        return posterior, fewest / (fewest + prior_topics)
    matrix.at_least(2, 3, "a prior that systems share")
    table = matrix.complete(f"{setting('prior', 'shared')}", f"take {setting('prior', 'flat')}")
    return shared_posterior(table, outcome.difference)


def _table(
    matrix: Matrix, pairs: Contrasts, outcome: Outcome, posterior: StudentMixture, margin: float | None, level: float
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
