"""Tests of pairs of systems: how they are done, their outcome for each pair, and which pairs are significant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield._message import setting
from cranfield._text import counted, warn
from cranfield._typing import Floats, Ints
from cranfield._validation import word
from cranfield.errors import UsageError
from cranfield.scores.measure_scores import Scores
from cranfield.statistics.anova import two_way
from cranfield.statistics.contrasts import Contrasts, pair_noise
from cranfield.statistics.intervals import PairIntervals, t_interval
from cranfield.statistics.max_t import MaxT
from cranfield.statistics.mean_ranks import MeanRanks
from cranfield.statistics.monte_carlo import least, most_hits, passes, samples_needed, share, standard_error
from cranfield.statistics.multiple_testing import adjust
from cranfield.statistics.paired_differences import PairedDifferences, TableDifferences
from cranfield.statistics.paired_tests import ratio, two_sided_t, welch
from cranfield.statistics.resampling import is_exact
from cranfield.statistics.rounding import NOISE
from cranfield.statistics.simultaneous import (
    dunnett_quantile,
    dunnett_survival,
    null_ranges,
    randomized_tukey,
    tukey_quantile,
    tukey_survival,
)
from cranfield.statistics.test_names import BY_SIGNS, INTERVAL_RESAMPLES, SIMULTANEOUS, TEST_RESAMPLES, Test
from cranfield.threads import Each

Adjustment = Literal["max-t", "max-t-step-down", "holm", "bh", "bonferroni", "none"]
IntervalKind = Literal["t", "percentile", "bca"]

UNSIGNED = ("wilcoxon", "tukey", "randomized-tukey", "nemenyi")
"""Tests whose statistic does not change with the order of a pair."""
BLOCKWISE = ("t", *BY_SIGNS, "bootstrap")
"""Tests that can do with blocks of topics, as they need no more than sums."""
FOR_MAX_T = ("permutation", "bootstrap")
"""Tests whose samples show all pairs together."""
MAX_T = ("max-t", "max-t-step-down")
PAIRS = 256
"""Pairs of one task, where each is tested by itself."""
DRAWN: tuple[IntervalKind, ...] = ("percentile", "bca")
"""Intervals that resample topics."""


def count_resamples(test: Test, interval: IntervalKind | None, resamples: int | None) -> int:
    """Return the number of samples that the test and the interval each draw; 0 where neither draws any.

    Raises:
        UsageError: there is a number, and nothing would be drawn.
    """
    if test in TEST_RESAMPLES or interval in DRAWN:
        return TEST_RESAMPLES.get(test, INTERVAL_RESAMPLES) if resamples is None else resamples
    if resamples is not None:
        method = f"{setting('test', test)}" + (f" with {setting('interval', interval)}" if interval else "")
        raise UsageError(
            f"{setting('resamples', resamples)}, and {method} draws none: leave it out, or take one of "
            f"{setting('test', *TEST_RESAMPLES)} or {setting('interval', *DRAWN)}"
        )
    return 0


@dataclass(frozen=True)
class Procedure:
    """The procedure by which pairs are tested; see ``compare``.

    Args:
        test: its name.
        interval: of each pair by itself; the family's own where None.
        level: coverage of the interval of a pair by itself.
        alpha: level of the family's simultaneous interval, which is without 0 where p lies below it.
        resamples: what the test and the interval draw each, 0 where neither draws.
        seed: of both.
        correction: for the number of pairs.
        each: maps a function over parts of the resamples, or of the pairs, here or on a cluster.
    """

    test: Test
    interval: IntervalKind | None
    level: float
    alpha: float
    resamples: int
    seed: int
    correction: Adjustment = "none"
    each: Each = map

    def rng(self) -> np.random.Generator:
        """A fresh generator: the same resamples for every pair, measure and call."""
        return np.random.default_rng(self.seed)


@dataclass(frozen=True)
class PairedOutcome:
    """The outcome of a test for each pair, left minus right, [pairs].

    Args:
        topics: how many the test used.
        difference: of means.
        interval: of the difference.
        error: standard error of the difference, the pair's own.
        df: its degrees of freedom.
        statistic: of the test.
        p: of the pair by itself.
        adjusted: p of the pair among its family, by a procedure that takes all pairs together; else None.
        clusters: how many clusters its topics are in; None where each topic is by itself.
        constant_p: one-sided p of the exact test of a pair whose differences do not vary; None where there are no
            pairs of scores. See ``statistics.rounding``.
    """

    topics: Ints
    difference: Floats
    interval: PairIntervals
    error: Floats
    df: Floats
    statistic: Floats
    p: Floats
    adjusted: Floats | None = None
    clusters: Ints | None = None
    constant_p: Floats | None = None

    @property
    def units(self) -> Ints:
        """The number of resampled units: topics, or clusters of them."""
        return self.topics if self.clusters is None else self.clusters

    def negated(self, *, keep_statistic: bool) -> PairedOutcome:
        """Right minus left."""
        return replace(
            self,
            difference=0.0 - self.difference,
            interval=PairIntervals(0.0 - self.interval.high, 0.0 - self.interval.low),
            statistic=self.statistic if keep_statistic else 0.0 - self.statistic,
        )


SPREAD_NEEDED = ("t", "welch", "bootstrap", "tukey", "dunnett")
"""Tests that divide by a standard error, and have no p where it is 0."""


def without_flat_pairs(outcome: PairedOutcome, procedure: Procedure) -> PairedOutcome:
    """The outcome without p and interval where differences are not 0 and do not vary at all.

    Two topics with the same difference have a standard error of 0: that is because they are few, and shows nothing.
    """
    flat = find_flat(outcome)
    unknown = np.isinf(outcome.statistic) if procedure.test in SIMULTANEOUS else flat
    without = unknown if has_own_interval(procedure.test) and procedure.interval is None else unknown | flat
    outcome = replace(outcome, interval=PairIntervals(*(np.where(without, np.nan, end) for end in outcome.interval)))
    if procedure.test not in SPREAD_NEEDED:
        return outcome
    adjusted = None if outcome.adjusted is None else np.where(unknown, np.nan, outcome.adjusted)
    return replace(outcome, p=np.where(unknown, np.nan, outcome.p), adjusted=adjusted)


def has_own_interval(test: Test) -> bool:
    """Return whether a test of all systems at once gives intervals of differences of means, not of mean ranks."""
    return test in SIMULTANEOUS and test != "nemenyi"


def find_flat(outcome: PairedOutcome) -> NDArray[np.bool_]:
    """Which pairs differ by the same amount, not 0, on every topic, [pairs]."""
    flat: NDArray[np.bool_] = (outcome.error == 0) & (outcome.difference != 0)
    return flat


def sign_p(outcome: PairedOutcome) -> Floats:
    """Two-sided p by exact signs of the pairs that have no p, as their differences do not vary; else NaN, [pairs]."""
    if outcome.constant_p is None:
        return np.full(len(outcome.p), np.nan)
    return np.where(find_flat(outcome) & np.isnan(outcome.p), np.minimum(1.0, 2.0 * outcome.constant_p), np.nan)


def consistent_interval(difference: Floats, half: Floats, significant: NDArray[np.bool_]) -> PairIntervals:
    """difference -+ half, without 0 exactly where the pair is significant: rounding must not make them disagree.

    Args:
        difference: [pairs].
        half: half widths, critical value times standard error, [pairs].
        significant: which pairs are, at the interval's level, [pairs].
    """
    size = np.abs(difference)
    half = np.where(significant, np.minimum(half, np.nextafter(size, 0.0)), np.maximum(half, size))
    return PairIntervals(difference - half, difference + half)


def paired_outcome(differences: PairedDifferences, procedure: Procedure) -> PairedOutcome:
    """Test pairs of systems on the same topics."""
    n, pairs, clusters = differences.row_count, len(differences.pairs), differences.cluster_count
    moments, tested = differences.tested(procedure.test)
    error, p = differences.standard_error(moments), tested.p
    interval = adjusted = flips = bootstrap = None
    if procedure.test == "permutation":
        flips = differences.flip_signs(procedure.resamples, procedure.rng(), procedure.each)
    if procedure.test == "bootstrap" or procedure.interval in DRAWN:
        bootstrap = differences.bootstrap(procedure.resamples, procedure.rng(), procedure.each)
    resamples = flips or bootstrap
    if resamples is not None and procedure.test in FOR_MAX_T and procedure.correction in MAX_T:
        family = resamples.max_t()
        hits = family.step_down if procedure.correction == "max-t-step-down" else family.single_step
        p, adjusted = (share(count, len(family.maxima), exact=resamples.exact) for count in (family.raw, hits))
        spread = error if bootstrap is None else bootstrap.standard_error(error)
        interval = simultaneous_interval(moments.mean, spread, family, procedure.alpha, exact=resamples.exact)
    elif resamples is not None and procedure.test in FOR_MAX_T:
        p = resamples.p()
    if bootstrap is not None and procedure.interval in DRAWN:
        interval = bootstrap.interval(procedure.interval, procedure.level)
    elif procedure.interval is not None or interval is None:
        interval = t_interval(moments.mean, error, differences.df, procedure.level)
    df = np.full(pairs, differences.df)
    units = None if clusters is None else np.full(pairs, clusters)
    numbers = moments.mean, interval, error, df, tested.statistic, p, adjusted, units
    return PairedOutcome(np.full(pairs, n), *numbers, differences.constant_p())


def simultaneous_interval(
    difference: Floats, error: Floats, family: MaxT, alpha: float, *, exact: bool
) -> PairIntervals:
    """Intervals that hold together with probability 1 - alpha, without 0 where the single step's p lies below alpha."""
    most = most_hits(alpha, len(family.maxima), exact=exact)
    critical = family.critical(most)
    half = np.multiply(critical, error, out=np.zeros(len(error)), where=error > 0)
    return consistent_interval(difference, half, family.single_step <= most)


def pair_by_pair(scores: Scores, pairs: Contrasts, procedure: Procedure) -> PairedOutcome:
    """Test each pair on the topics that both of its systems have, at least two, where scores are missing."""
    work = _PairByPair(scores, replace(procedure, each=map))
    outcomes = [outcome for piece in procedure.each(work, pairs.pieces(PAIRS)) for outcome in piece]
    names = "topics", "difference", "error", "df", "statistic", "p", "constant_p"
    columns = {name: np.concatenate([getattr(outcome, name) for outcome in outcomes]) for name in names}
    low, high = (np.concatenate([outcome.interval[end] for outcome in outcomes]) for end in (0, 1))
    clusters = [outcome.clusters for outcome in outcomes if outcome.clusters is not None]
    return PairedOutcome(
        interval=PairIntervals(low, high), clusters=np.concatenate(clusters) if clusters else None, **columns
    )


@dataclass(frozen=True)
class _PairByPair:
    """Tests pairs one by one."""

    scores: Scores
    procedure: Procedure

    def __call__(self, pairs: Contrasts) -> list[PairedOutcome]:
        return [
            paired_outcome(self.scores.pair_differences(left, right), self.procedure)
            for left, right in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
        ]


def welch_outcome(table: Floats, pairs: Contrasts, procedure: Procedure) -> PairedOutcome:
    """Welch's test of each system on its own topics; NaN where it has no score."""
    count = (~np.isnan(table)).sum(axis=0).astype(np.float64)
    mean = np.nanmean(table, axis=0)
    variance = np.nansum((table - mean) ** 2, axis=0) / (count - 1)
    floor = (NOISE * np.nanmax(np.abs(table), axis=0)) ** 2
    variance = np.where(variance <= floor, 0.0, variance)
    sides = tuple((mean[at], variance[at], count[at]) for at in (pairs.left, pairs.right))
    test = welch(*((sides[0][fact], sides[1][fact]) for fact in range(3)))
    slack = np.sqrt(np.maximum(floor[pairs.left], floor[pairs.right]))
    difference = np.where(np.abs(test.difference) <= slack, 0.0, test.difference)
    statistic = ratio(difference, test.error)
    interval = t_interval(difference, test.error, test.df, procedure.level)
    topics = (sides[0][2] + sides[1][2]).astype(np.int64)
    p = two_sided_t(statistic, test.df)
    return PairedOutcome(topics, difference, interval, test.error, test.df, statistic, p)


def simultaneous_outcome(table: Floats, pairs: Contrasts, procedure: Procedure) -> PairedOutcome:
    """Test all systems at once: by the studentised range, by permutation within topics, or against one control.

    Args:
        table: [topics, systems], without NaN: all of them are the family's, or share its residual variance.
        pairs: to be reported: any of all pairs by the Tukey tests, every system and one control by Dunnett's.
        procedure: of the test; its interval is simultaneous unless it names another one.
    """
    n, systems = table.shape
    slack = pair_noise(table, pairs)
    difference = np.concatenate([block.differences(table).mean(axis=0) for block in pairs.blocks(n)])
    difference = np.where(np.abs(difference) <= slack, 0.0, difference)
    separate = paired_outcome(TableDifferences(table, pairs), replace(procedure, test="t"))
    if procedure.test == "nemenyi":
        statistic, p = MeanRanks.of(table).nemenyi(pairs)
        return replace(separate, difference=difference, statistic=statistic, p=p, adjusted=p)
    anova = two_way(table)
    df = anova.df_residual
    if procedure.test == "randomized-tukey":
        ranges = null_ranges(table, procedure.resamples, procedure.rng(), procedure.each)
        statistic, p = np.abs(difference), randomized_tukey(table, ranges, pairs)
        most = most_hits(procedure.alpha, len(ranges), exact=False)
        half = (np.sort(ranges)[len(ranges) - 1 - most] if most >= 0 else np.inf) + slack
    elif procedure.test == "tukey":
        error = np.full(len(pairs), np.sqrt(anova.ms_residual / n))
        statistic = ratio(np.abs(difference), error)
        p = tukey_survival(statistic, systems, df)
        half = tukey_quantile(procedure.alpha, systems, df) * error
    else:
        error = np.full(len(pairs), np.sqrt(2.0 * anova.ms_residual / n))
        statistic = ratio(difference, error)
        p = dunnett_survival(np.abs(statistic), systems - 1, df)
        half = dunnett_quantile(procedure.alpha, systems - 1, df) * error
    interval = (
        consistent_interval(difference, half, p < procedure.alpha) if procedure.interval is None else separate.interval
    )
    return replace(separate, difference=difference, interval=interval, statistic=statistic, p=p, adjusted=p)


ERRORS = 2.0
"""Monte Carlo standard errors within which a verdict depends on the seed."""


def choose_correction(test: Test, correction: str | None) -> Adjustment:
    """The correction of a test for the number of pairs, its default where None.

    Raises:
        UsageError: an unknown word, or one that does not go with the test.
    """
    if correction is None:
        return "none" if test in SIMULTANEOUS else "max-t" if test in FOR_MAX_T else "holm"
    word("correction", correction, get_args(Adjustment))
    if test in SIMULTANEOUS and correction != "none":
        raise UsageError(
            f"{setting('test', test)} adjusts for all pairs itself: leave {setting('correction', correction)} out"
        )
    if correction in MAX_T and test not in FOR_MAX_T:
        tests = " or ".join(f"{setting('test', name)}" for name in FOR_MAX_T)
        raise UsageError(
            f"{setting('correction', correction)} needs resamples of all pairs together: take {tests}, or 'holm'"
        )
    return correction  # type: ignore[return-value]


def refuse_unattainable(procedure: Procedure, alpha: float, topics: Ints, noun: str = "topics") -> None:
    """Refuse a call in which no pair can be significant, whatever the scores; warn where no number of samples helps.

    Args:
        procedure: of the test.
        alpha: level of significance.
        topics: of each pair, or clusters of them, [pairs].
        noun: what these are.

    Raises:
        UsageError: the correction cannot be passed; the message names how many resamples would do.
    """
    if procedure.test not in TEST_RESAMPLES or not len(topics):
        return
    factor = len(topics) if procedure.correction in ("holm", "bonferroni") else 1
    flips = [
        1 << (int(n) - 1) for n in topics if procedure.test == "permutation" and is_exact(int(n), procedure.resamples)
    ]
    smallest = least(max(flips), exact=True) if flips else 1.0
    if len(flips) < len(topics):
        smallest = min(smallest, least(procedure.resamples, exact=False))
    if passes(smallest, factor, alpha):
        return
    over = f"{procedure.correction} over {factor:,} pairs" if factor > 1 else ""
    instead = f"{setting('correction', 'max-t')}, which asks no more of many pairs than of one"
    if len(flips) == len(topics):
        few = f"{max(topics):,} {noun} have {max(flips):,} different sign flips"
        if factor > 1 and passes(smallest, 1, alpha):
            raise UsageError(f"{few}, of which no p passes {over} at {alpha:g}: take {instead}")
        warn(f"{few}: p is at least {smallest:g}, and nothing can be significant at {alpha:g}")
        return
    enough = f"resamples={samples_needed(factor, alpha)}"
    if factor > 1:
        raise UsageError(
            f"no p of {procedure.resamples:,} resamples passes {over} at {alpha:g}: take {enough} or more, or {instead}"
        )
    raise UsageError(f"no p of {procedure.resamples:,} resamples lies below {alpha:g}: take {enough} or more")


@dataclass(frozen=True)
class Verdicts:
    """The verdict on each pair, [pairs].

    Args:
        p_error: Monte Carlo standard error of p; 0 where nothing was drawn for it.
        adjusted: p for the number of pairs.
        adjusted_error: its Monte Carlo standard error.
        significant: adjusted < alpha.
        unsettled: adjusted lies within two Monte Carlo standard errors of alpha.
    """

    p_error: Floats
    adjusted: Floats
    adjusted_error: Floats
    significant: NDArray[np.bool_]
    unsettled: NDArray[np.bool_]


def judge_pairs(outcome: PairedOutcome, procedure: Procedure, alpha: float) -> Verdicts:
    """Adjust p for the number of pairs; warn of verdicts that depend on the seed."""
    p, drawn = outcome.p, procedure.test in TEST_RESAMPLES
    exact = find_exact(outcome.units, procedure)
    error = np.where(exact, 0.0, standard_error(p, procedure.resamples, exact=False)) if drawn else np.zeros(len(p))
    if outcome.adjusted is None:
        adjusted = adjust(p, procedure.correction)  # type: ignore[arg-type]
        adjusted_error = error * np.divide(adjusted, p, out=np.ones(len(p)), where=p > 0)
    else:
        adjusted = outcome.adjusted
        adjusted_error = np.zeros(len(p))
        if drawn:
            adjusted_error = np.where(exact, 0.0, standard_error(adjusted, procedure.resamples, exact=False))
    unsettled = (adjusted_error > 0) & (np.abs(adjusted - alpha) <= ERRORS * adjusted_error)
    if unsettled.any():
        warn(
            f"{int(unsettled.sum()):,} of {counted(len(p), 'pair')} may change sides with another seed, their adjusted "
            f"p being within two Monte Carlo standard errors of alpha: take more resamples than {procedure.resamples:,}"
        )
    return Verdicts(error, adjusted, adjusted_error, adjusted < alpha, unsettled)


def warn_of_degenerate_pairs(procedure: Procedure, differing: Any, topics: int, noun: str = "topics") -> None:
    """Warn of pairs that the bootstrap's max-T leaves out; see ``paired_differences.find_degenerate``.

    Args:
        procedure: of the test.
        differing: on how many topics the systems of each pair differ, [pairs].
        topics: of the test, or clusters of them.
        noun: what these are.
    """
    few = int(((differing > 0) & (2 * differing < topics)).sum())
    if procedure.test == "bootstrap" and procedure.correction in MAX_T and few:
        where = f"{'in' if noun == 'clusters' else 'on'} fewer than half of the {noun}"
        warn(
            f"{few:,} of {counted(len(differing), 'pair')} differ {where}: their bootstrapped "
            "|t| is not a guide, and they are left out of max-T with an adjusted p of 1; "
            f"{setting('test', 'permutation')} judges them"
        )


def find_exact(topics: Ints, procedure: Procedure) -> NDArray[np.bool_]:
    """Which pairs have p from all sign flips, [pairs]."""
    known: dict[int, Any] = {int(n): is_exact(int(n), procedure.resamples) for n in np.unique(topics)}
    return np.array([procedure.test == "permutation" and known[int(n)] for n in topics], dtype=np.bool_)
