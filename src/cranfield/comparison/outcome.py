"""What each test of pairs says of every pair, in plain arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield._typing import Floats, Ints
from cranfield.errors import UsageError
from cranfield.statistics.contrasts import Contrasts, pair_noise
from cranfield.statistics.intervals import Interval, bca_interval, percentile_interval, t_interval
from cranfield.statistics.max_t import max_t_by_bootstrap, max_t_by_flips
from cranfield.statistics.max_t_counting import MaxT
from cranfield.statistics.monte_carlo import most_hits, share
from cranfield.statistics.paired_bootstrap import paired_bootstrap
from cranfield.statistics.paired_tests import (
    Moments,
    Tested,
    moments,
    ratio,
    two_sided_t,
    welch,
)
from cranfield.statistics.resampling import bootstrap_counts, sign_flips
from cranfield.statistics.sign_flips import sign_flip_test
from cranfield.statistics.tests_by_name import Test, statistic_of
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
        of = f"test={test!r}" + (f" with interval={interval!r}" if interval else "")
        raise UsageError(
            f"resamples={asked}, and {of} draws none: leave it out, or take one of test="
            f"{', '.join(map(repr, RESAMPLES))} or interval={', '.join(map(repr, DRAWN))}"
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
