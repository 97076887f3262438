"""What each test of pairs says of every pair, in plain arrays.

p-values of a family of pairs: adjusted, with their Monte Carlo error, and refused where none can be small enough.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield._message import setting
from cranfield._text import counted, warn
from cranfield._typing import Floats, Ints
from cranfield._validation import word
from cranfield.errors import UsageError
from cranfield.statistics.bootstrap import paired_bootstrap
from cranfield.statistics.contrasts import Contrasts, pair_noise
from cranfield.statistics.intervals import Interval, bca_interval, percentile_interval, t_interval
from cranfield.statistics.max_t import MaxT, max_t_by_bootstrap, max_t_by_flips
from cranfield.statistics.monte_carlo import least, most_hits, passes, samples_needed, share, standard_error
from cranfield.statistics.multiple_testing import adjust
from cranfield.statistics.paired_tests import (
    Moments,
    Tested,
    moments,
    ratio,
    two_sided_t,
    welch,
)
from cranfield.statistics.resampling import bootstrap_counts, is_exact, sign_flips
from cranfield.statistics.sign_flips import sign_flip_test
from cranfield.statistics.test_names import Test, statistic_of
from cranfield.threads import Each

Adjustment = Literal["max-t", "max-t-step-down", "holm", "bh", "bonferroni", "none"]
IntervalKind = Literal["t", "percentile", "bca"]

SIMULTANEOUS = ("tukey", "randomized-tukey", "dunnett")
"""Tests of all systems at once, whose p-values need no correction."""
UNSIGNED = ("wilcoxon", "tukey", "randomized-tukey")
"""Tests whose statistic does not change with the order of a pair."""
RESAMPLES = {"bootstrap": 1000, "permutation": 10_000, "randomized-tukey": 10_000}
"""Where nothing else is asked for; 1,000 is Sakai's."""
FOR_MAX_T = ("permutation", "bootstrap")
"""Tests whose samples show all pairs together."""
MAX_T = ("max-t", "max-t-step-down")
PAIRS = 256
"""Pairs of one task where each is tested by itself."""
FOR_INTERVAL = 2000
"""Resamples of a bootstrap interval beside a test that draws none, where nothing else is asked for."""
DRAWN: tuple[IntervalKind, ...] = ("percentile", "bca")
"""Intervals that resample topics."""


def to_draw(test: Test, interval: IntervalKind | None, asked: int | None) -> int:
    """How many samples the test and the interval draw each; 0 where neither draws any.

    Raises:
        UsageError: a number was asked for, and nothing would be drawn.
    """
    if test in RESAMPLES or interval in DRAWN:
        return RESAMPLES.get(test, FOR_INTERVAL) if asked is None else asked
    if asked is not None:
        of = f"{setting('test', test)}" + (f" with {setting('interval', interval)}" if interval else "")
        raise UsageError(
            f"resamples={asked}, and {of} draws none: leave it out, or take one of {setting('test')}"
            f"{', '.join(map(repr, RESAMPLES))} or {setting('interval', *DRAWN)}"
        )
    return 0


@dataclass(frozen=True)
class Settings:
    """How to test; see ``compare``.

    Args:
        test: which.
        interval: asked for; the family's own where None.
        level: coverage of the interval of one pair by itself.
        alpha: what p of a family lies below where its simultaneous interval is without 0.
        resamples: what test and interval draw each, 0 where neither draws.
        seed: of both.
        correction: for the number of pairs.
        each: where parts of the resamples, or of the pairs, are worked on.
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
class Outcome:
    """Of each pair, left minus right, [pairs].

    Args:
        topics: of the test.
        difference: of means.
        interval: of the difference.
        error: standard error of the difference, the pair's own.
        df: its degrees of freedom.
        statistic: of the test.
        p: of the pair.
        adjusted: p of the pair among its family, by a procedure that takes all pairs together; None by others.
    """

    topics: Ints
    difference: Floats
    interval: Interval
    error: Floats
    df: Floats
    statistic: Floats
    p: Floats
    adjusted: Floats | None = None

    def turned(self, *, keep_statistic: bool) -> Outcome:
        """Right minus left."""
        return Outcome(
            self.topics,
            0.0 - self.difference,
            Interval(0.0 - self.interval.high, 0.0 - self.interval.low),
            self.error,
            self.df,
            self.statistic if keep_statistic else 0.0 - self.statistic,
            self.p,
            self.adjusted,
        )


SPREAD_NEEDED = ("t", "welch", "bootstrap", "tukey", "dunnett")
"""Tests that divide by a standard error, and have no p where it is 0."""


def without_spread(outcome: Outcome, how: Settings) -> Outcome:
    """The same without p and interval where differences are not 0 and do not vary at all.

    Two topics with the same difference have a standard error of 0: that is because they are few, and shows nothing.
    """
    flat = flat_pairs(outcome)
    unknown = np.isinf(outcome.statistic) if how.test in SIMULTANEOUS else flat
    without = unknown if how.test in SIMULTANEOUS and how.interval is None else unknown | flat
    outcome = replace(outcome, interval=Interval(*(np.where(without, np.nan, end) for end in outcome.interval)))
    if how.test not in SPREAD_NEEDED:
        return outcome
    adjusted = None if outcome.adjusted is None else np.where(unknown, np.nan, outcome.adjusted)
    return replace(outcome, p=np.where(unknown, np.nan, outcome.p), adjusted=adjusted)


def flat_pairs(outcome: Outcome) -> NDArray[np.bool_]:
    """Which pairs differ by the same amount, not 0, on every topic, [pairs]."""
    flat: NDArray[np.bool_] = (outcome.error == 0) & (outcome.difference != 0)
    return flat


def agreeing(difference: Floats, half: Floats, found: NDArray[np.bool_]) -> Interval:
    """difference -+ half, without 0 exactly where the pair was found: rounding must not part them.

    Args:
        difference: [pairs].
        half: half widths, critical value times standard error, [pairs].
        found: which pairs are significant at the interval's level, [pairs].
    """
    size = np.abs(difference)
    half = np.where(found, np.minimum(half, np.nextafter(size, 0.0)), np.maximum(half, size))
    return Interval(difference - half, difference + half)


def paired_outcome(table: Floats, pairs: Contrasts, how: Settings) -> Outcome:
    """Tests of systems on the same topics, [topics, systems] without NaN."""
    n = len(table)
    blocks = [_of_differences(table, some, how.test) for some in pairs.blocks(n)]
    of = Moments(*map(np.concatenate, zip(*(found for found, _ in blocks), strict=True)))
    tested = Tested(*map(np.concatenate, zip(*(tested for _, tested in blocks), strict=True)))
    error, adjusted, simultaneous = of.deviation / np.sqrt(n), None, None
    p = tested.p
    if how.test in FOR_MAX_T and how.correction in MAX_T:
        family, exact = _max_t(table, pairs, how)
        p = share(family.raw, len(family.maxima), exact=exact)
        step_down = how.correction == "max-t-step-down"
        adjusted = share(family.step_down if step_down else family.single_step, len(family.maxima), exact=exact)
        simultaneous = simultaneous_interval(of.mean, error, family, how.alpha, exact=exact)
    elif how.test in FOR_MAX_T:
        p = _resampled(table, pairs, how)
    if how.interval in DRAWN:
        interval = _bootstrap_interval(table, pairs, how)
    elif how.interval is None and simultaneous is not None:
        interval = simultaneous
    else:
        interval = t_interval(of.mean, error, n - 1.0, how.level)
    df = np.full(len(pairs), n - 1.0)
    return Outcome(np.full(len(pairs), n), of.mean, interval, error, df, tested.statistic, p, adjusted)


def _of_differences(table: Floats, pairs: Contrasts, test: Test) -> tuple[Moments, Tested]:
    """What needs every difference of a few pairs at once."""
    slack, z = pair_noise(table, pairs), pairs.differences(table)
    return moments(z, slack), statistic_of(test)(z, slack)


def _max_t(table: Floats, pairs: Contrasts, how: Settings) -> tuple[MaxT, bool]:
    """All pairs on the same samples, and whether these are all there are."""
    count = engine.current().count_reached
    if how.test == "permutation":
        signs, exact = sign_flips(len(table), how.resamples, how.rng())
        return max_t_by_flips(table, signs, pairs, count, how.each), exact
    counts = bootstrap_counts(len(table), how.resamples, how.rng())

    def family(some: NDArray[np.bool_]) -> MaxT:
        return max_t_by_bootstrap(table, counts, Contrasts(pairs.left[some], pairs.right[some]), count, how.each)

    return without_wild(wild_pairs(table, pairs), family, len(counts)), False


def without_wild(wild: NDArray[np.bool_], family: Callable[[NDArray[np.bool_]], MaxT], resamples: int) -> MaxT:
    """All pairs by the bootstrap, where wild ones are no part of the family; see ``wild_pairs``.

    Args:
        wild: which pairs are, [pairs].
        family: the max-T of some of them.
        resamples: how many.
    """
    if not wild.any():
        return family(~wild)
    steady, alone = family(~wild), family(wild)
    raw, single, down = np.full((3, len(wild)), resamples, dtype=np.int64)
    raw[~wild], single[~wild], down[~wild] = steady.raw, steady.single_step, steady.step_down
    raw[wild] = alone.raw
    return MaxT(raw, single, down, steady.maxima)


def wild_pairs(table: Floats, pairs: Contrasts) -> NDArray[np.bool_]:
    """Which pairs differ on fewer than half of the topics, [pairs].

    A bootstrap sample draws few of these topics, or one again and again: |t| is then huge, or infinite, whatever the
    difference, and would be the largest of all pairs. Such pairs are no part of the family, and are not found.
    """
    differing = [
        (np.abs(some.differences(table)) > pair_noise(table, some)).sum(axis=0) for some in pairs.blocks(len(table))
    ]
    few: NDArray[np.bool_] = 2 * np.concatenate(differing) < len(table)
    return few


def simultaneous_interval(difference: Floats, error: Floats, family: MaxT, alpha: float, *, exact: bool) -> Interval:
    """Intervals that hold together with probability 1 - alpha, without 0 where the single step's p lies below alpha."""
    most = most_hits(alpha, len(family.maxima), exact=exact)
    critical = family.critical(most)
    half = np.multiply(critical, error, out=np.zeros(len(error)), where=error > 0)
    return agreeing(difference, half, family.single_step <= most)


def _resampled(table: Floats, pairs: Contrasts, how: Settings) -> Floats:
    """p of each pair by itself, all on the same resamples."""
    if how.test == "permutation":
        signs, exact = sign_flips(len(table), how.resamples, how.rng())
        return sign_flip_test(table, signs, pairs, exact=exact, each=how.each)
    counts = bootstrap_counts(len(table), how.resamples, how.rng())
    hits = np.rint(paired_bootstrap(table, counts, pairs, each=how.each).asl * len(counts))
    p: Floats = share(hits, len(counts), exact=False)
    return p


def _bootstrap_interval(table: Floats, pairs: Contrasts, how: Settings) -> Interval:
    counts = bootstrap_counts(len(table), how.resamples, how.rng())
    interval = percentile_interval if how.interval == "percentile" else bca_interval
    return interval(table, counts, pairs, how.level)


def pair_by_pair(table: Floats, pairs: Contrasts, how: Settings) -> Outcome:
    """The same where scores are missing: each pair on the topics that both systems have, at least two."""
    work = _PairByPair(table, replace(how, each=map))
    found = [one for some in how.each(work, pairs.pieces(PAIRS)) for one in some]
    join = np.concatenate
    return Outcome(
        join([one.topics for one in found]),
        join([one.difference for one in found]),
        Interval(join([one.interval.low for one in found]), join([one.interval.high for one in found])),
        join([one.error for one in found]),
        join([one.df for one in found]),
        join([one.statistic for one in found]),
        join([one.p for one in found]),
    )


@dataclass(frozen=True)
class _PairByPair:
    """Of some pairs each by itself."""

    table: Floats
    how: Settings

    def __call__(self, pairs: Contrasts) -> list[Outcome]:
        known, two, found = ~np.isnan(self.table), Contrasts.all_pairs(2), []
        for left, right in zip(pairs.left, pairs.right, strict=True):
            shared = known[:, left] & known[:, right]
            found.append(paired_outcome(np.ascontiguousarray(self.table[shared][:, [left, right]]), two, self.how))
        return found


def welch_outcome(table: Floats, pairs: Contrasts, how: Settings) -> Outcome:
    """Each system on its own topics, NaN where it has none."""
    count = (~np.isnan(table)).sum(axis=0).astype(np.float64)
    mean = np.nanmean(table, axis=0)
    variance = np.nansum((table - mean) ** 2, axis=0) / (count - 1)
    floor = (1e-12 * np.nanmax(np.abs(table), axis=0)) ** 2
    variance = np.where(variance <= floor, 0.0, variance)
    sides = tuple((mean[at], variance[at], count[at]) for at in (pairs.left, pairs.right))
    found = welch(*((sides[0][fact], sides[1][fact]) for fact in range(3)))
    slack = np.sqrt(np.maximum(floor[pairs.left], floor[pairs.right]))
    difference = np.where(np.abs(found.difference) <= slack, 0.0, found.difference)
    statistic = ratio(difference, found.error)
    interval = t_interval(difference, found.error, found.df, how.level)
    topics = (sides[0][2] + sides[1][2]).astype(np.int64)
    p = two_sided_t(statistic, found.df)
    return Outcome(topics, difference, interval, found.error, found.df, statistic, p)


ERRORS = 2.0
"""Monte Carlo standard errors within which a verdict hangs on the seed."""


def correction_of(test: Test, asked: str | None) -> Adjustment:
    """What a test is corrected by, where nothing else is asked for.

    Raises:
        UsageError: an unknown word, or one that the test has not.
    """
    if asked is None:
        return "none" if test in SIMULTANEOUS else "max-t" if test in FOR_MAX_T else "holm"
    word("correction", asked, get_args(Adjustment))
    if test in SIMULTANEOUS and asked != "none":
        raise UsageError(
            f"{setting('test', test)} adjusts for all pairs itself: leave {setting('correction', asked)} out"
        )
    if asked in MAX_T and test not in FOR_MAX_T:
        tests = " or ".join(f"{setting('test', name)}" for name in FOR_MAX_T)
        raise UsageError(
            f"{setting('correction', asked)} needs resamples of all pairs together: take {tests}, or 'holm'"
        )
    return asked  # type: ignore[return-value]


def refuse_unattainable(how: Settings, alpha: float, topics: Ints) -> None:
    """Refuse a call in which no pair can be significant, whatever the scores; warn where no number of samples helps.

    Args:
        how: of the test.
        alpha: level of significance.
        topics: of each pair, [pairs].

    Raises:
        UsageError: the correction cannot be passed; the message names how many resamples would do.
    """
    if how.test not in RESAMPLES or not len(topics):
        return
    factor = len(topics) if how.correction in ("holm", "bonferroni") else 1
    flips = [1 << (int(n) - 1) for n in topics if how.test == "permutation" and is_exact(int(n), how.resamples)]
    smallest = least(max(flips), exact=True) if flips else 1.0
    if len(flips) < len(topics):
        smallest = min(smallest, least(how.resamples, exact=False))
    if passes(smallest, factor, alpha):
        return
    over = f"{how.correction} over {factor:,} pairs" if factor > 1 else ""
    instead = f"{setting('correction', 'max-t')}, which asks no more of many pairs than of one"
    if len(flips) == len(topics):
        few = f"{max(topics):,} topics have {max(flips):,} different sign flips"
        if factor > 1 and passes(smallest, 1, alpha):
            raise UsageError(f"{few}, of which no p passes {over} at {alpha:g}: take {instead}")
        warn(f"{few}: p is at least {smallest:g}, and nothing can be significant at {alpha:g}")
        return
    enough = f"resamples={samples_needed(factor, alpha)}"
    if factor > 1:
        raise UsageError(
            f"no p of {how.resamples:,} resamples passes {over} at {alpha:g}: take {enough} or more, or {instead}"
        )
    raise UsageError(f"no p of {how.resamples:,} resamples lies below {alpha:g}: take {enough} or more")


@dataclass(frozen=True)
class Verdicts:
    """Of each pair, [pairs].

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


def verdicts_of(outcome: Outcome, how: Settings, alpha: float) -> Verdicts:
    """Adjust p for the number of pairs; warn of the verdicts that hang on the seed."""
    p, drawn = outcome.p, how.test in RESAMPLES
    exact = exact_pairs(outcome.topics, how)
    error = np.where(exact, 0.0, standard_error(p, how.resamples, exact=False)) if drawn else np.zeros(len(p))
    if outcome.adjusted is None:
        adjusted = adjust(p, how.correction)  # type: ignore[arg-type]
        of_adjusted = error * np.divide(adjusted, p, out=np.ones(len(p)), where=p > 0)
    else:
        adjusted = outcome.adjusted
        of_adjusted = np.zeros(len(p))
        if drawn:
            of_adjusted = np.where(exact, 0.0, standard_error(adjusted, how.resamples, exact=False))
    unsettled = (of_adjusted > 0) & (np.abs(adjusted - alpha) <= ERRORS * of_adjusted)
    if unsettled.any():
        warn(
            f"{int(unsettled.sum()):,} of {counted(len(p), 'pair')} may change sides with another seed, their adjusted "
            f"p being within two Monte Carlo standard errors of alpha: take more resamples than {how.resamples:,}"
        )
    return Verdicts(error, adjusted, of_adjusted, adjusted < alpha, unsettled)


def warn_of_wild_pairs(how: Settings, differing: Any, topics: int) -> None:
    """Warn of pairs that the bootstrap's max-T leaves out; see ``outcome.wild_pairs``.

    Args:
        how: of the test.
        differing: on how many topics the systems of each pair differ, [pairs].
        topics: of the test.
    """
    few = int(((differing > 0) & (2 * differing < topics)).sum())
    if how.test == "bootstrap" and how.correction in MAX_T and few:
        warn(
            f"{few:,} of {counted(len(differing), 'pair')} differ on fewer than half of the topics: their bootstrapped "
            "|t| is no guide, and they are left out of max-T with an adjusted p of 1; "
            f"{setting('test', 'permutation')} judges them"
        )


def exact_pairs(topics: Ints, how: Settings) -> NDArray[np.bool_]:
    """Of which pairs p is from all sign flips, [pairs]."""
    known: dict[int, Any] = {int(n): is_exact(int(n), how.resamples) for n in np.unique(topics)}
    return np.array([how.test == "permutation" and known[int(n)] for n in topics], dtype=np.bool_)
