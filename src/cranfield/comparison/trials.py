"""Trials of tests on scores whose true means are known: which pairs each test calls different, and how many wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats, Ints
from cranfield.comparison.outcome import FOR_MAX_T, MAX_T, Adjustment, Settings, paired_outcome, welch_outcome
from cranfield.simulation.fitted import Imitation
from cranfield.statistics.contrasts import Contrasts, noise
from cranfield.statistics.multiplicity import adjust
from cranfield.statistics.paired_tests import ratio
from cranfield.statistics.randomized_range import null_ranges, randomized_tukey
from cranfield.statistics.studentized_range import tukey_quantile
from cranfield.statistics.tests_by_name import Test
from cranfield.statistics.two_way import two_way

Found = NDArray[np.bool_]

BLOCK = 16
"""Trials of one task; a constant, so that the bits do not depend on who works on it."""
LEVEL = 0.95
"""Of intervals that nobody looks at."""


class Method(NamedTuple):
    """A test and its correction for the number of pairs."""

    test: Test
    correction: Adjustment


class Counts(NamedTuple):
    """What a trial found, as shares of its pairs; NaN where there are no such pairs.

    Args:
        false: of the pairs without a true difference, those called different.
        any_false: whether there is one.
        reversed: of the pairs with a true difference, those called different in the wrong direction.
        right: of these, those called different in the right one.
    """

    false: Floats
    any_false: Floats
    reversed: Floats
    right: Floats


def found_by(methods: Sequence[Method], tables: Floats, alpha: float, resamples: int, seeds: Sequence[int]) -> Found:
    """Which pairs each method calls different, [methods, trials, pairs]: all i < j, in the order of ``all_pairs``.

    Args:
        methods: tests and corrections.
        tables: scores of each trial, [trials, topics, systems].
        alpha: level of significance.
        resamples: of the tests that draw any.
        seeds: of each trial; ``compare`` with it draws the same.
    """
    pairs = Contrasts.all_pairs(tables.shape[2])
    out = np.empty((len(methods), len(tables), len(pairs)), dtype=np.bool_)
    together: dict[Test, Floats] = {}
    for number, (test, correction) in enumerate(methods):
        if test == "tukey":
            out[number] = _by_tukey(tables, pairs, alpha)
        elif test in FOR_MAX_T or test == "randomized-tukey":
            for at, (table, seed) in enumerate(zip(tables, seeds, strict=True)):
                how = Settings(test, None, LEVEL, alpha, resamples, seed, correction)
                out[number, at] = _resampled(table, pairs, how) < alpha
        else:
            if test not in together:
                together[test] = _p_of_all(tables, pairs, test)
            for at, p in enumerate(together[test]):
                out[number, at] = adjust(p, correction) < alpha  # type: ignore[arg-type]
    return out


def _p_of_all(tables: Floats, pairs: Contrasts, test: Test) -> Floats:
    """p of each pair of all trials, whose systems are tested as columns of one wide table, [trials, pairs]."""
    trials, topics, systems = tables.shape
    wide = np.ascontiguousarray(tables.transpose(1, 0, 2)).reshape(topics, trials * systems)
    first = np.arange(trials)[:, None] * systems
    every = Contrasts((first + pairs.left).ravel(), (first + pairs.right).ravel())
    outcome_of = welch_outcome if test == "welch" else paired_outcome
    return outcome_of(wide, every, Settings(test, None, LEVEL, 1.0 - LEVEL, 0, 0)).p.reshape(trials, len(pairs))


def _resampled(table: Floats, pairs: Contrasts, how: Settings) -> Floats:
    """p of each pair, adjusted."""
    if how.test == "randomized-tukey":
        return randomized_tukey(table, null_ranges(table, how.resamples, how.rng()), pairs)
    outcome = paired_outcome(table, pairs, how)
    if how.correction in MAX_T:
        assert outcome.adjusted is not None, "max-t takes all pairs together"
        return outcome.adjusted
    return adjust(outcome.p, how.correction)  # type: ignore[arg-type]


def _by_tukey(tables: Floats, pairs: Contrasts, alpha: float) -> Found:
    """Which studentised ranges pass the critical value, which is the same in all trials, [trials, pairs]."""
    _, topics, systems = tables.shape
    out = np.empty((len(tables), len(pairs)), dtype=np.bool_)
    critical = _critical_range(alpha, systems, (topics - 1) * (systems - 1))
    for at, table in enumerate(tables):
        error = np.full(len(pairs), np.sqrt(two_way(table).ms_residual / topics))
        out[at] = ratio(np.abs(_differences(table, pairs)), error) > critical
    return out


@lru_cache(maxsize=16)
def _critical_range(alpha: float, systems: int, df: int) -> float:
    return tukey_quantile(alpha, systems, df)


def _differences(table: Floats, pairs: Contrasts) -> Floats:
    """Of means, exactly 0 where only rounding is left, [pairs]."""
    mean, slack = table.mean(axis=0), noise(table)
    difference = mean[pairs.left] - mean[pairs.right]
    return np.where(np.abs(difference) <= np.maximum(slack[pairs.left], slack[pairs.right]), 0.0, difference)


def counted(found: Found, tables: Floats, truth: Ints) -> Counts:
    """Shares of pairs by what is true of them, [methods, trials] each.

    Args:
        found: from ``found_by``.
        tables: scores of each trial, [trials, topics, systems].
        truth: the order of the systems' true means in each trial, equal where these are equal, [trials, systems].
    """
    pairs = Contrasts.all_pairs(tables.shape[2])
    true = np.sign(truth[:, pairs.left] - truth[:, pairs.right])
    seen = np.stack([np.sign(_differences(table, pairs)) for table in tables])
    none, some = true == 0, true != 0
    false = (found & none).sum(axis=2)
    any_false = np.where(none.any(axis=1), false > 0, np.nan)
    of_none, of_some = (which.sum(axis=1).astype(np.float64) for which in (none, some))
    wrong = (found & some & (seen == -true)).sum(axis=2)
    right = (found & some & (seen == true)).sum(axis=2)
    return Counts(_share(false, of_none), any_false, _share(wrong, of_some), _share(right, of_some))


def _share(count: Ints, of: Floats) -> Floats:
    share: Floats = np.divide(count, of, out=np.full(count.shape, np.nan), where=of > 0)
    return share


@dataclass(frozen=True)
class Trials:
    """Draws trials a block at a time and tests them; it can be sent to another process.

    Args:
        null: imitates the systems with equal means.
        apart: for each true difference, imitates them with the lower and with the higher mean.
        methods: tests and corrections.
        alpha: level of significance.
        resamples: of the tests that draw any.
        seed: of everything.
    """

    null: Imitation
    apart: tuple[tuple[Imitation, Imitation], ...]
    methods: tuple[Method, ...]
    alpha: float
    resamples: int
    seed: int

    def __call__(self, block: tuple[int, int, int]) -> Floats:
        """Counts of the trials ``start`` to ``stop`` with so many topics, [1 + differences, 4, methods, trials]."""
        topics, start, stop = block
        seeds = [self.seed_of(topics, trial) for trial in range(start, stop)]
        return np.stack(
            [
                np.stack(counted(found_by(self.methods, tables, self.alpha, self.resamples, seeds), tables, truth))
                for tables, truth in self.drawn(block)
            ]
        )

    def seed_of(self, topics: int, trial: int) -> int:
        """With which ``compare`` draws as this trial does."""
        return int(np.random.SeedSequence((self.seed, topics, trial, 1)).generate_state(1)[0])

    def drawn(self, block: tuple[int, int, int]) -> list[tuple[Floats, Ints]]:
        """Scores, [trials, topics, systems], and the order of the true means, [trials, systems]: without a difference,
        and with each true difference between a random half of the systems and the others.

        The same topics, in the sense of the same uniform values, serve them all.
        """
        topics, start, stop = block
        trials, systems = stop - start, len(self.null.systems)
        rng = np.random.default_rng((self.seed, topics, start, 0))
        uniform = self.null.uniform(trials * topics, rng)
        halves = rng.permuted(np.tile(np.arange(systems) < systems // 2, (trials, 1)), axis=1)
        shape = trials, topics, systems
        made = [(self.null.scores(uniform).reshape(shape), np.zeros((trials, systems), dtype=np.int64))]
        for low, high in self.apart:
            scores = [one.scores(uniform).reshape(shape) for one in (low, high)]
            made.append((np.where(halves[:, None], scores[1], scores[0]), halves.astype(np.int64)))
        return made
