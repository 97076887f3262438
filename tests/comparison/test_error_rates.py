"""Every test errs as often as it says: on simulated scores without any difference to find.

2,000 matrices under ``make verify``, fewer otherwise. Bounds are 3.5 standard errors of the share that is counted.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from numpy.typing import NDArray
from test_compare import scores_of

from cranfield.comparison.outcome import PairedOutcome, Procedure, paired_outcome, simultaneous_outcome, welch_outcome
from cranfield.simulation import simulate_scores
from cranfield.statistics import Contrasts, TableDifferences
from effort import thorough

TOPICS, SYSTEMS, ALPHA = 25, 8, 0.05


@pytest.fixture
def matrices() -> int:
    return 2000 if thorough() else 250


@functools.cache
def null(matrices: int, topics: int = TOPICS) -> NDArray[np.float64]:
    rng = np.random.default_rng(3)
    ability, topic = np.linspace(0.8, 1.6, SYSTEMS), rng.beta(1, 1.5, size=(60, 1))
    pilot = np.clip(topic * ability * rng.beta(4, 2, size=(60, SYSTEMS)), 0.0, 1.0)
    made = simulate_scores(scores_of(pilot), matrices * topics, null=True, seed=11)
    assert np.ptp(made.truth["mean"]) == 0
    return made.scores.to_numpy().reshape(matrices, topics, SYSTEMS)


def bound(matrices: int) -> float:
    return 3.5 * float(np.sqrt(ALPHA * (1 - ALPHA) / matrices))


@pytest.mark.parametrize("test", ["t", "wilcoxon", "permutation", "bootstrap"])
def test_paired_tests_hold_their_level(test: str, matrices: int) -> None:
    two = Contrasts.all_pairs(2)
    found = [
        paired_outcome(TableDifferences(table[:, :2], two), Procedure(test, None, 0.95, ALPHA, 500, seed)).p[0]  # type: ignore[arg-type]
        for seed, table in enumerate(null(matrices))
    ]
    assert abs(np.mean(np.array(found) <= ALPHA) - ALPHA) <= bound(matrices)


def test_the_sign_test_holds_what_its_steps_allow(matrices: int) -> None:
    from scipy.stats import binom

    two = Contrasts.all_pairs(2)
    how = Procedure("sign", None, 0.95, ALPHA, 0, 0)
    found = [paired_outcome(TableDifferences(table[:, :2], two), how).p[0] for table in null(matrices)]
    steps = 2 * binom.cdf(np.arange(TOPICS + 1), TOPICS, 0.5)
    attainable = steps[steps <= ALPHA].max()
    assert abs(np.mean(np.array(found) <= ALPHA) - attainable) <= bound(matrices)


def test_welch_holds_its_level_on_different_topics(matrices: int) -> None:
    two = Contrasts.all_pairs(2)
    tables = null(matrices)
    found = []
    for table, other in zip(tables, np.roll(tables, 1, axis=0), strict=True):
        columns = np.full((TOPICS + 18, 2), np.nan)
        columns[:TOPICS, 0], columns[TOPICS:, 1] = table[:, 0], other[:18, 1]
        found.append(welch_outcome(columns, two, Procedure("welch", None, 0.95, ALPHA, 0, 0)).p[0])
    assert abs(np.mean(np.array(found) <= ALPHA) - ALPHA) <= bound(matrices)


@pytest.mark.slow
@pytest.mark.parametrize("test", ["tukey", "randomized-tukey"])
def test_multi_system_tests_hold_the_error_of_all_pairs_together(test: str, matrices: int) -> None:
    pairs = Contrasts.all_pairs(SYSTEMS)

    def outcome(seed: int, table: NDArray[np.float64]) -> PairedOutcome:
        return simultaneous_outcome(table, pairs, Procedure(test, None, 0.95, ALPHA, 500, seed))  # type: ignore[arg-type]

    found = [outcome(seed, table) for seed, table in enumerate(null(matrices))]
    any_error = np.mean([one.p.min() <= ALPHA for one in found])
    assert abs(any_error - ALPHA) <= bound(matrices)
    # The simultaneous intervals hold zero together as often as they say.
    missed = np.mean([(one.interval.low > 0).any() or (one.interval.high < 0).any() for one in found])
    assert abs(missed - ALPHA) <= bound(matrices)


def test_holm_holds_the_error_of_all_pairs_together_and_no_correction_does_not(matrices: int) -> None:
    from cranfield.statistics import adjust

    pairs = Contrasts.all_pairs(SYSTEMS)
    how = Procedure("t", None, 0.95, ALPHA, 0, 0)
    raw = [paired_outcome(TableDifferences(table, pairs), how).p for table in null(matrices)]
    holm = np.mean([adjust(p, "holm").min() <= ALPHA for p in raw])
    plain = np.mean([p.min() <= ALPHA for p in raw])
    assert holm <= ALPHA + bound(matrices)
    assert plain > 3 * ALPHA


@pytest.mark.parametrize("interval", ["t", "percentile", "bca"])
def test_intervals_cover_what_they_should(interval: str, matrices: int) -> None:
    two = Contrasts.all_pairs(2)
    found = [
        paired_outcome(TableDifferences(table[:, :2], two), Procedure("t", interval, 0.95, ALPHA, 2000, seed)).interval  # type: ignore[arg-type]
        for seed, table in enumerate(null(matrices)[: max(100, matrices // 2)])
    ]
    missed = np.mean([one.low[0] > 0 or one.high[0] < 0 for one in found])
    # The bootstrap's intervals are known to be short by a little for so few topics.
    short = 0.0 if interval == "t" else 0.02
    assert ALPHA - bound(len(found)) <= missed <= ALPHA + short + bound(len(found))
