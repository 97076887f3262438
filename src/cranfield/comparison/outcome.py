"""What each test says of every pair, in plain arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors import UsageError
from cranfield.statistics.contrasts import Contrasts, pair_noise
from cranfield.statistics.intervals import Interval, bca_interval, percentile_interval, t_interval
from cranfield.statistics.paired_bootstrap import paired_bootstrap
from cranfield.statistics.paired_tests import (
    Moments,
    Tested,
    moments,
    paired_t,
    ratio,
    sign_test,
    two_sided_t,
    welch,
    wilcoxon,
)
from cranfield.statistics.randomized_range import null_ranges, randomized_tukey
from cranfield.statistics.resampling import bootstrap_counts, sign_flips
from cranfield.statistics.sign_flips import sign_flip_test
from cranfield.statistics.studentized_range import quantile, survival
from cranfield.statistics.two_way import two_way

Test = Literal["t", "wilcoxon", "sign", "permutation", "bootstrap", "welch", "tukey", "randomized-tukey"]
IntervalKind = Literal["t", "percentile", "bca"]

SIMULTANEOUS = ("tukey", "randomized-tukey")
"""Tests of all systems at once, whose p-values need no correction."""
UNSIGNED = ("wilcoxon", *SIMULTANEOUS)
"""Tests whose statistic does not change with the order of a pair."""
RESAMPLES = {"bootstrap": 1000, "permutation": 10_000, "randomized-tukey": 10_000}
"""Where nothing else is asked for; 1,000 is Sakai's."""
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
    """How to test; see ``compare``. ``resamples`` is what test and interval draw each, 0 where neither draws."""

    test: Test
    interval: IntervalKind | None
    level: float
    alpha: float
    resamples: int
    seed: int

    def rng(self) -> np.random.Generator:
        """A fresh generator: the same resamples for every pair, measure and call."""
        return np.random.default_rng(self.seed)


@dataclass(frozen=True)
class Outcome:
    """Of each pair, left minus right, [pairs]."""

    topics: Ints
    difference: Floats
    interval: Interval
    effect: Floats
    statistic: Floats
    p: Floats

    def turned(self, *, keep_statistic: bool) -> Outcome:
        """Right minus left."""
        return Outcome(
            self.topics,
            0.0 - self.difference,
            Interval(0.0 - self.interval.high, 0.0 - self.interval.low),
            0.0 - self.effect,
            self.statistic if keep_statistic else 0.0 - self.statistic,
            self.p,
        )


def paired_outcome(table: Floats, pairs: Contrasts, how: Settings) -> Outcome:
    """Tests of systems on the same topics, [topics, systems] without NaN."""
    n = len(table)
    blocks = [_of_differences(table, some, how.test) for some in pairs.blocks(n)]
    of = Moments(*map(np.concatenate, zip(*(found for found, _ in blocks), strict=True)))
    tested = _resampled(table, pairs, of, how) or Tested(
        *map(np.concatenate, zip(*(tested for _, tested in blocks), strict=True))
    )
    if how.interval in (None, "t"):
        interval = t_interval(of.mean, of.deviation / np.sqrt(n), n - 1.0, how.level)
    else:
        interval = _bootstrap_interval(table, pairs, how)
    effect = ratio(of.mean, of.deviation)
    return Outcome(np.full(len(pairs), n), of.mean, interval, effect, tested.statistic, tested.p)


def _of_differences(table: Floats, pairs: Contrasts, test: Test) -> tuple[Moments, Tested]:
    """What needs every difference of a few pairs at once."""
    slack, z = pair_noise(table, pairs), pairs.differences(table)
    of_z = {"wilcoxon": wilcoxon, "sign": sign_test}.get(test, paired_t)
    return moments(z, slack), of_z(z, slack)


def _resampled(table: Floats, pairs: Contrasts, of: Moments, how: Settings) -> Tested | None:
    """Tests of all pairs on the same resamples; None for the others."""
    match how.test:
        case "permutation":
            signs, exact = sign_flips(len(table), how.resamples, how.rng())
            return Tested(of.mean, sign_flip_test(table, signs, pairs, exact=exact))
        case "bootstrap":
            counts = bootstrap_counts(len(table), how.resamples, how.rng())
            statistic = ratio(of.mean, of.deviation / np.sqrt(len(table)))
            return Tested(statistic, paired_bootstrap(table, counts, pairs).asl)
    return None


def _bootstrap_interval(table: Floats, pairs: Contrasts, how: Settings) -> Interval:
    counts = bootstrap_counts(len(table), how.resamples, how.rng())
    interval = percentile_interval if how.interval == "percentile" else bca_interval
    return interval(table, counts, pairs, how.level)


def pair_by_pair(table: Floats, pairs: Contrasts, how: Settings) -> Outcome:
    """The same where scores are missing: each pair on the topics that both systems have, at least two."""
    known = ~np.isnan(table)
    two = Contrasts.all_pairs(2)
    found = []
    for left, right in zip(pairs.left, pairs.right, strict=True):
        shared = known[:, left] & known[:, right]
        found.append(paired_outcome(np.ascontiguousarray(table[shared][:, [left, right]]), two, how))
    join = np.concatenate
    return Outcome(
        join([one.topics for one in found]),
        join([one.difference for one in found]),
        Interval(join([one.interval.low for one in found]), join([one.interval.high for one in found])),
        join([one.effect for one in found]),
        join([one.statistic for one in found]),
        join([one.p for one in found]),
    )


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
    return Outcome(topics, difference, interval, found.effect, statistic, two_sided_t(statistic, found.df))


def tukey_outcome(table: Floats, pairs: Contrasts, how: Settings) -> Outcome:
    """All systems at once, by the studentised range or by permutation within topics."""
    n, systems = table.shape
    slack = pair_noise(table, pairs)
    difference = np.concatenate([some.differences(table).mean(axis=0) for some in pairs.blocks(n)])
    difference = np.where(np.abs(difference) <= slack, 0.0, difference)
    anova = two_way(table)
    spread = np.full(len(pairs), np.sqrt(anova.ms_residual))
    if how.test == "tukey":
        statistic = ratio(np.abs(difference), spread / np.sqrt(n))
        p = survival(statistic, systems, anova.df_residual)
        half = quantile(1.0 - how.level, systems, anova.df_residual) * spread / np.sqrt(n)
    else:
        ranges = null_ranges(table, how.resamples, how.rng())
        statistic, p = np.abs(difference), randomized_tukey(table, ranges, pairs)
        place = min(len(ranges), int(np.ceil((len(ranges) + 1) * how.level))) - 1
        half = np.full(len(pairs), np.sort(ranges)[place])
    interval = Interval(difference - half, difference + half)
    if how.interval is not None:
        interval = paired_outcome(table, pairs, how).interval
    return Outcome(np.full(len(pairs), n), difference, interval, ratio(difference, spread), statistic, p)
