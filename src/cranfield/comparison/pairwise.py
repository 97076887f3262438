"""Tests of differences between systems: ``compare``.

Is a system no worse than another, or as good, by a margin chosen before looking?

Tests of all systems at once: Tukey's, the randomized one, and Dunnett's against one baseline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield._message import setting
from cranfield._text import counted, quoted, warn
from cranfield._typing import Floats
from cranfield._validation import above, share, whole, word
from cranfield.comparison.loss_margins import warn_of_vain
from cranfield.comparison.outcome import (
    DRAWN,
    MAX_T,
    RESAMPLES,
    SIMULTANEOUS,
    UNSIGNED,
    Adjustment,
    IntervalKind,
    Outcome,
    Settings,
    agreeing,
    correction_of,
    exact_pairs,
    flat_pairs,
    pair_by_pair,
    paired_outcome,
    refuse_unattainable,
    to_draw,
    verdicts_of,
    warn_of_wild_pairs,
    welch_outcome,
    without_spread,
)
from cranfield.comparison.pairs import baselines_of, contrasts_of
from cranfield.comparison.result import Comparison, leaderboard_means, named_pairs, pair_table
from cranfield.comparison.streamed import outcome_of_sums, scores_to_test
from cranfield.distributed import ClusterLike, each_on
from cranfield.errors import InputError, UsageError
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix, MeasureScores, matrix_of
from cranfield.scores.missing_scores import REMEDY, MissingScores, warn_of_gaps
from cranfield.scoring.streamed_scores import StreamedScores, drawing_of, filled
from cranfield.statistics.anova import two_way
from cranfield.statistics.contrasts import Contrasts, pair_noise
from cranfield.statistics.intervals import t_interval
from cranfield.statistics.monte_carlo import most_hits
from cranfield.statistics.multiple_testing import Correction, adjust
from cranfield.statistics.paired_tests import margin_power, ratio, within_margin
from cranfield.statistics.simultaneous import (
    dunnett_quantile,
    dunnett_survival,
    null_ranges,
    randomized_tukey,
    tukey_quantile,
    tukey_survival,
)
from cranfield.statistics.test_names import Test

if TYPE_CHECKING:
    import pandas as pd


def compare(
    scores: ScoresLike | StreamedScores,
    *,
    test: Test = "t",
    correction: Adjustment | None = None,
    baselines: str | Sequence[str] = (),
    alpha: float = 0.05,
    margin: float | None = None,
    interval: IntervalKind | None = None,
    level: float | None = None,
    resamples: int | None = None,
    seed: int = 1,
    missing_scores: MissingScores | None = None,
    cluster: ClusterLike | None = None,
) -> Comparison:
    """Test the differences between systems' mean scores, all pairs or each system against baselines.

    - ``t``: paired t-test. ``wilcoxon``: signed ranks, as SciPy. ``sign``: wins against losses.
    - ``permutation``: signs of the differences flipped, p = (hits + 1) / (resamples + 1); exact where
      2^(topics - 1) <= resamples.
    - ``bootstrap``: Sakai's studentised paired bootstrap, p = (hits + 1) / (resamples + 1).
    - ``welch``: t-test without pairing, for systems scored on different topics (NaN where a system has no score).
    - ``tukey``: Tukey's honestly significant differences after a two-way analysis of variance, the topics' effect
      removed. ``randomized-tukey``: the same without normality, from the largest difference after dealing each topic's
      scores to the systems anew. Both hold the error of all pairs together at alpha.
    - ``dunnett``: all systems against one baseline together, with the residual variance of the same analysis.

    Identical systems have p 1 and effect 0. Where the difference is not 0 and the same on every topic, its standard
    error is 0 and its effect infinite: there is no interval, no p by a test that divides by it (t, welch, bootstrap,
    tukey, dunnett), and no verdict; a warning names the pairs. A score that is missing leaves its topic out of the
    pairs it concerns, and a warning names the gaps; what looks at all systems at once (the last three tests, max-t)
    refuses it.

    Args:
        scores: of one measure, dims (topic, system). Of more than 131,072 topics without gaps, ``t`` and ``sign`` take
            exact sums in blocks, and ``bootstrap`` and intervals by it draw 4,096 topics at a time, wherever the scores
            are.
        test: which.
        correction: over the pairs compared. ``max-t``, the default of permutation and bootstrap: the largest |t| of all
            pairs on the same resamples, in a single step; ``max-t-step-down`` finds no fewer pairs. ``holm``, the
            default of the other tests of pairs; ``bonferroni``; ``bh``, which holds the share of false findings
            instead; ``none``. The tests of all systems at once adjust for their pairs themselves and take none.
        baselines: names of systems; every other one is compared with each. None of them: all pairs.
        alpha: level of significance, in (0, 1).
        margin: above 0, in units of the measure: also test whether systems are no worse than others by so much, and
            equivalent within it.
        interval: of the mean difference: ``t``, ``percentile`` or ``bca`` (bootstrap over topics), each of a pair by
            itself. Of nominal 95%, ``t`` covers .93-.95; ``percentile`` and ``bca`` .85-.90 with 10 topics, and
            .90-.93 with 25. By default the family's own: simultaneous for the tests of all systems at once and for
            max-t; Bonferroni's t intervals for the other corrections; Student's or Welch's without one.
        level: coverage of the interval, 1 - alpha by default.
        resamples: what the test and the interval draw each: by default 1,000 of bootstrap, 10,000 of permutation and
            randomized-tukey, and 2,000 of an interval beside another test. Refused where nothing is drawn, and where
            no p of so many could pass the correction.
        seed: the same seed gives the same bits, on any number of workers.
        cluster: works on the test's resamples: a client or a cluster of Dask, its address, or ``"local"``.
        missing_scores: ``drop-topics``, ``drop-systems`` or ``refuse``, where systems lack scores; see ``read_scores``.

    Raises:
        UsageError: an unknown word or system, numbers outside their range, or too few resamples.
        InputError: fewer than two systems, or fewer than two topics that a pair shares.

    References:
        Sakai 2006, Evaluating evaluation metrics based on the bootstrap. doi:10.1145/1148170.1148261
        Smucker, Allan & Carterette 2007, A comparison of statistical significance tests for information retrieval
        evaluation. doi:10.1145/1321440.1321528
        Carterette 2012, Multiple testing in statistical analysis of systems-based information retrieval experiments.
        doi:10.1145/2094072.2094076
        Phipson & Smyth 2010, Permutation p-values should never be zero. doi:10.2202/1544-6115.1585
        Romano & Wolf 2005, Exact and approximate stepdown methods for multiple hypothesis testing.
        doi:10.1198/016214504000000539
    """
    _check(test, interval, alpha, level, margin, resamples, seed)
    chosen = correction_of(test, correction)
    against = baselines_of(test, baselines)
    matrix = scores_to_test(filled(scores, missing_scores), test)
    pairs = contrasts_of(matrix, against)
    coverage = 1.0 - alpha if level is None else level
    kind = _interval_kind(test, chosen, interval, len(pairs))
    each = 1.0 - (1.0 - coverage) / len(pairs) if kind == "bonferroni" else coverage
    drawn = to_draw(test, interval, resamples)
    how = Settings(test, interval, each, alpha if level is None else 1.0 - level, drawn, seed, chosen)
    outcome = _outcome_on(cluster, matrix, pairs, how, alpha)
    if baselines:
        # A baseline stands on the left of its pairs, and is what a system is compared with.
        pairs, outcome = Contrasts(pairs.right, pairs.left), outcome.turned(keep_statistic=test in UNSIGNED)
    verdicts = verdicts_of(outcome, how, alpha)
    table = pair_table(matrix, pairs, outcome, verdicts, coverage)
    warn_of_wild_pairs(how, table["wins"] + table["losses"], len(matrix.topics))
    exact = int(exact_pairs(outcome.topics, how).sum())
    settings = _settings(matrix, how, against, alpha, margin, coverage, kind, exact)
    if settings["exact_pairs"] == len(pairs) and interval not in DRAWN:
        settings["seed"] = None
    return Comparison(
        table,
        matrix.measure,
        leaderboard_means(matrix),
        int(verdicts.unsettled.sum()),
        None if margin is None else _margins(matrix, pairs, outcome, how, alpha, margin),
        settings,
        matrix.signature("compare", **settings),
    )


def _margins(
    matrix: Matrix | StreamedScores, pairs: Contrasts, outcome: Outcome, how: Settings, alpha: float, margin: float
) -> pd.DataFrame:
    """The verdicts on a margin, with a warning where no mean could lose as much."""
    warn_of_vain(matrix, margin, "every system is no worse than any other by so much")
    return margin_table(matrix, pairs, outcome, how, alpha, margin)


def find_significant(
    scores: ScoresLike, *, test: Test, correction: Adjustment, alpha: float, seed: int
) -> tuple[Matrix, Contrasts, NDArray[np.bool_]]:
    """Which pairs ``compare`` finds significant, without what else it says of them.

    Args:
        scores, test, correction, alpha, seed: as in ``compare``.

    Returns:
        The scores, all pairs with the better system on the left, and whether each is significant.

    Raises:
        UsageError, InputError: see ``compare``.
    """
    _check(test, None, alpha, None, None, None, seed)
    if test == "dunnett":
        raise UsageError(
            f"{setting('test', 'dunnett')} compares every system with one baseline, and here is none: choose another"
        )
    matrix = matrix_of(scores)
    pairs = contrasts_of(matrix, [])
    how = Settings(test, None, 1.0 - alpha, alpha, to_draw(test, None, None), seed, correction)
    outcome = without_spread(outcome_of(matrix, pairs, how, alpha), how)
    return matrix, pairs, verdicts_of(outcome, how, alpha).significant


def _settings(
    matrix: Matrix | StreamedScores,
    how: Settings,
    baselines: list[str],
    alpha: float,
    margin: float | None,
    level: float,
    interval: str,
    exact: int,
) -> dict[str, Any]:
    """What was asked for, in the words of ``Comparison.settings``."""
    return {
        **drawing_of(matrix, how.resamples),
        "test": how.test,
        "correction": how.correction,
        "baselines": baselines,
        "alpha": alpha,
        "margin": margin,
        "margin_correction": None if margin is None else correction_of_margins(how),
        "interval": interval,
        "level": level,
        "resamples": how.resamples or None,
        "exact_pairs": exact if how.test == "permutation" else None,
        "seed": how.seed if how.resamples else None,
    }


def _check(
    test: Test,
    interval: IntervalKind | None,
    alpha: float,
    level: float | None,
    margin: float | None,
    resamples: int | None,
    seed: int,
) -> None:
    word("test", test, get_args(Test))
    share(alpha=alpha)
    share(level=1.0 - alpha if level is None else level)
    whole(1, resamples=1 if resamples is None else resamples)
    whole(0, seed=seed)
    if margin is not None:
        above(0, margin=margin)
        if alpha >= 0.5:
            raise UsageError(f"alpha={alpha:g} should be below 0.5 for a margin")
    if interval is not None:
        word("interval", interval, get_args(IntervalKind))
        if test == "welch" and interval != "t":
            raise UsageError(
                f"{setting('interval', interval)} resamples topics that pairs share, and welch has no pairs: use t"
            )


def _outcome_on(
    cluster: ClusterLike | None, matrix: Matrix | StreamedScores, pairs: Contrasts, how: Settings, alpha: float
) -> Outcome:
    if cluster is not None and how.test not in RESAMPLES:
        raise UsageError(
            f"{setting('cluster')} works on the resamples of a test, and {setting('test', how.test)} draws none: "
            "leave it out, or take one "
            f"of {setting('test', *RESAMPLES)}"
        )
    with each_on(cluster) as each:
        outcome = without_spread(outcome_of(matrix, pairs, replace(how, each=each), alpha), how)
    if isinstance(matrix, Matrix):
        warn_of_gaps(matrix.called, matrix.values, matrix.topics, matrix.systems, paired=how.test != "welch")
    return outcome


def _interval_kind(test: Test, correction: Adjustment, asked: IntervalKind | None, pairs: int) -> str:
    """What the interval is, in the words of ``Comparison.settings``."""
    if asked is not None:
        return asked
    if test in SIMULTANEOUS or correction in MAX_T:
        return "simultaneous"
    return "t" if correction == "none" or pairs == 1 else "bonferroni"


def outcome_of(matrix: Matrix | StreamedScores, pairs: Contrasts, how: Settings, alpha: float) -> Outcome:
    """What a test says of each pair, left minus right.

    Raises:
        UsageError: no pair can be significant, whatever the scores.
        InputError: a pair shares fewer than two topics, or a score is missing where none may be.
    """
    if isinstance(matrix, StreamedScores):
        refuse_unattainable(how, alpha, np.full(len(pairs), len(matrix.topics)))
        return outcome_of_sums(matrix, pairs, how)
    table = matrix.values
    if how.test in SIMULTANEOUS:
        table = matrix.complete(f"{setting(f'test={how.test}')}", "use a test of pairs")
        refuse_unattainable(how, alpha, np.full(len(pairs), len(table)))
        return simultaneous_outcome(table, pairs, how)
    if how.correction in MAX_T:
        table = matrix.complete(f"{setting(f'correction={how.correction}')}", f"take {setting('correction', 'holm')}")
    known = ~np.isnan(table)
    if how.test == "welch":
        for at in np.flatnonzero(known.sum(axis=0) < 2):
            raise InputError(
                f"{quoted(matrix.systems[at])} has a score on {int(known[:, at].sum())} topics, of 2 needed"
            )
        return welch_outcome(table, pairs, how)
    shared = np.concatenate(
        [(known[:, some.left] & known[:, some.right]).sum(axis=0) for some in pairs.blocks(len(known))]
    )
    few = np.flatnonzero(shared < 2)
    if len(few):
        names = f"{quoted(matrix.systems[pairs.left[few[0]]])} and {quoted(matrix.systems[pairs.right[few[0]]])}"
        text = (
            f"{names} share {shared[few[0]]} topics, of 2 needed; {setting('test', 'welch')} needs no pairs, "
            f"and {REMEDY}"
        )
        raise InputError(text, code="too-few")
    refuse_unattainable(how, alpha, shared)
    return paired_outcome(table, pairs, how) if known.all() else pair_by_pair(table, pairs, how)


ENOUGH = 0.8
"""Power below which not having found a margin says little."""


def correction_of_margins(how: Settings) -> Correction:
    """That of the test, where it is one of single p-values; else Holm's."""
    if how.correction in MAX_T or how.test in SIMULTANEOUS:
        return "holm"
    return how.correction  # type: ignore[return-value]


def margin_table(
    matrix: MeasureScores, pairs: Contrasts, outcome: Outcome, how: Settings, alpha: float, margin: float
) -> pd.DataFrame:
    """One-sided t-tests of each pair's mean difference against a margin, whatever the test of the difference was.

    Args:
        matrix: whose scores; says which direction is better.
        pairs: left the systems that are to be no worse, right what they are compared with.
        outcome: of these pairs: topics, differences, standard errors.
        how: of the comparison; its correction is that of these p-values too, or Holm's where it has none of its own.
        alpha: level of the one-sided tests, in (0, 1).
        margin: above 0, in units of the measure.

    Returns:
        One row a pair: ``system``, ``other``, ``difference`` and its interval ``low`` to ``high``, of coverage
        1 - 2 alpha (Bonferroni's where p is corrected): inside the margins only where both are equivalent;
        ``p_noninferior`` of the hypothesis that the system is worse by the margin or more, ``p_equivalent`` of the one
        that they differ by the margin or more, both corrected; ``noninferior`` and ``equivalent`` where these lie
        below alpha, never where a pair differs by the same amount, not 0, on every topic, which has no p;
        ``power_noninferior`` and ``power_equivalent``: with what probability so many topics would have found it if the
        systems were equal; ``topics``.
    """
    import pandas as pd

    sign = 1.0 if matrix.larger_is_better else -1.0
    chosen = correction_of_margins(how)
    each = alpha if chosen == "none" else alpha / max(1, len(pairs))
    found = within_margin(sign * outcome.difference, outcome.error, outcome.df, margin)
    power = margin_power(outcome.error, outcome.df, margin, each)
    interval = t_interval(outcome.difference, outcome.error, outcome.df, 1.0 - 2.0 * each)
    flat = flat_pairs(outcome)
    low, high = (np.where(flat, np.nan, end) for end in interval)
    p_noninferior, p_equivalent = (
        adjust(np.where(flat, np.nan, p), chosen) for p in (found.p_lower, found.p_equivalence)
    )
    for what, of, missed in (
        ("non-inferiority by", power.noninferiority, p_noninferior >= alpha),
        ("equivalence within", power.equivalence, p_equivalent >= alpha),
    ):
        weak = int((missed & (of < ENOUGH)).sum())
        if weak:
            warn(
                f"{matrix.called}: {weak:,} of {counted(len(pairs), 'pair')}: even if the systems were equal, "
                f"{max(outcome.topics):,} topics would show {what} {margin:g} in fewer than {ENOUGH:.0%} of cases"
            )
    return pd.DataFrame(
        named_pairs(matrix, pairs)
        | {
            "difference": outcome.difference,
            "low": low,
            "high": high,
            "p_noninferior": p_noninferior,
            "noninferior": np.asarray(p_noninferior < alpha),
            "p_equivalent": p_equivalent,
            "equivalent": np.asarray(p_equivalent < alpha),
            "power_noninferior": power.noninferiority,
            "power_equivalent": power.equivalence,
            "topics": outcome.topics,
        }
    )


def simultaneous_outcome(table: Floats, pairs: Contrasts, how: Settings) -> Outcome:
    """By the studentised range, by permutation within topics, or by the largest of many t with one control.

    Args:
        table: [topics, systems], without NaN: all of them are the family's, or share its residual variance.
        pairs: to be reported: any of all pairs by the Tukey tests, every system and one control by Dunnett's.
        how: of the test; its interval is simultaneous unless another one is asked for.
    """
    n, systems = table.shape
    slack = pair_noise(table, pairs)
    difference = np.concatenate([some.differences(table).mean(axis=0) for some in pairs.blocks(n)])
    difference = np.where(np.abs(difference) <= slack, 0.0, difference)
    anova = two_way(table)
    df = anova.df_residual
    if how.test == "randomized-tukey":
        ranges = null_ranges(table, how.resamples, how.rng(), how.each)
        statistic, p = np.abs(difference), randomized_tukey(table, ranges, pairs)
        most = most_hits(how.alpha, len(ranges), exact=False)
        half = (np.sort(ranges)[len(ranges) - 1 - most] if most >= 0 else np.inf) + slack
    elif how.test == "tukey":
        error = np.full(len(pairs), np.sqrt(anova.ms_residual / n))
        statistic = ratio(np.abs(difference), error)
        p = tukey_survival(statistic, systems, df)
        half = tukey_quantile(how.alpha, systems, df) * error
    else:
        error = np.full(len(pairs), np.sqrt(2.0 * anova.ms_residual / n))
        statistic = ratio(difference, error)
        p = dunnett_survival(np.abs(statistic), systems - 1, df)
        half = dunnett_quantile(how.alpha, systems - 1, df) * error
    alone = paired_outcome(table, pairs, replace(how, test="t"))
    interval = agreeing(difference, half, p < how.alpha) if how.interval is None else alone.interval
    return replace(alone, difference=difference, interval=interval, statistic=statistic, p=p, adjusted=p)
