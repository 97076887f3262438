"""How often the intervals that are printed hold the truth, normal and skewed, and how often blind judges are accused.

Heavy; docs/trust.md has what ``python tests/statistics/test_coverage_of_intervals.py`` prints, with the counts.
Intervals of ranks and of reliability are in ``test_coverage.py``.
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from test_coverage import ALPHA, SHAPES, Shape, bound, noise

from cranfield.comparison.outcome import Procedure, paired_outcome, simultaneous_outcome
from cranfield.statistics import (
    Contrasts,
    TableDifferences,
    estimate_judge_bias,
    labels_on_resampled_topics,
    powered_mean,
    systems_on_resampled_topics,
    tau_b,
)
from cranfield.statistics.clustered_agreement import percentiles
from cranfield.trust import estimate_sensitivity

SYSTEMS, TOPICS = 10, 50


def differences(shape: Shape, topics: int, trials: int) -> dict[str, float]:
    """Share of matrices whose intervals hold the true difference: of one pair, and of all pairs together."""
    pairs = Contrasts.all_pairs(SYSTEMS)
    held = dict.fromkeys(("t", "permutation", "bootstrap", "tukey"), 0)
    for seed in range(trials):
        rng = np.random.default_rng([seed, topics])
        truth = 0.3 * rng.standard_normal(SYSTEMS)
        table = truth + rng.standard_normal((topics, 1)) + noise(rng, (topics, SYSTEMS), shape)
        expected = truth[pairs.left] - truth[pairs.right]
        for test in held:
            how = Procedure(
                test, None, 0.95, ALPHA, 500, seed, "max-t" if test in ("permutation", "bootstrap") else "none"
            )  # type: ignore[arg-type]
            if test == "tukey":
                found = simultaneous_outcome(table, pairs, how).interval
            else:
                found = paired_outcome(TableDifferences(table, pairs), how).interval
            inside = (found.low <= expected) & (expected <= found.high)
            held[test] += bool(inside[0] if test == "t" else inside.all())
    return {test: count / trials for test, count in held.items()}


def powered(shape: Shape, human: int, rest: int, trials: int) -> tuple[float, float]:
    """Coverage of the prediction-powered mean's interval: of the normal form, and of Student's."""
    held = np.zeros(2)
    for seed in range(trials):
        rng = np.random.default_rng([seed, human, rest])
        people = noise(rng, (human + rest,), shape)
        model = 0.5 + 0.8 * people + 0.6 * rng.standard_normal(human + rest)
        for ddof in (0, 1):
            found = powered_mean(people[:human], model[:human], model[human:], ddof=ddof)
            held[ddof] += found.low <= 0.0 <= found.high
    return held[0] / trials, held[1] / trials


def judged(rng: np.random.Generator, shape: Shape, topics: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Documents of each topic by two judges' labels, [topics, 2, 2], and what is expected of a topic, [2, 2]."""
    relevant = rng.beta(2.0, 5.0, topics)
    wrong = np.clip(0.15 + 0.05 * noise(rng, (topics,), shape), 0.0, 0.5)
    one = np.stack([1 - relevant, relevant], axis=1)[:, :, None]
    share = one * np.where(np.eye(2, dtype=bool), (1 - wrong)[:, None, None], wrong[:, None, None])
    return rng.multinomial(60, share.reshape(topics, 4)).reshape(topics, 2, 2).astype(np.float64), share.mean(axis=0)


def kappa(shape: Shape, topics: int, trials: int) -> float:
    """Coverage of kappa's interval over topics."""
    _, share = judged(np.random.default_rng(1), shape, 400_000)
    chance = float(share.sum(axis=0) @ share.sum(axis=1))
    truth, held = (float(np.trace(share)) - chance) / (1 - chance), 0
    for seed in range(trials):
        tables, _ = judged(np.random.default_rng([seed, topics]), shape, topics)
        draws = labels_on_resampled_topics(tables, np.array([0.0, 1.0]), tables, resamples=500, seed=seed)
        low, high = percentiles(draws["kappa"], 0.95)
        held += low <= truth <= high
    return held / trials


def tau(shape: Shape, systems: int, trials: int) -> float:
    """Coverage of the interval over topics of tau_b between the orders by people and by a judge.

    The truth is the mean of tau_b over studies of these systems with as many topics, which the interval is for.
    """
    rng = np.random.default_rng(systems)
    people = 0.5 * rng.standard_normal(systems)
    judge = people + 0.2 * rng.standard_normal(systems)

    def study(rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        reference = people + noise(rng, (TOPICS, systems), shape)
        return reference, judge - people + reference + 0.5 * noise(rng, (TOPICS, systems), shape)

    def value(reference: NDArray[np.float64], scores: NDArray[np.float64]) -> float:
        return float(tau_b(reference.mean(axis=0), scores.mean(axis=0)))

    truth = np.mean([value(*study(np.random.default_rng([1, seed]))) for seed in range(4000)])
    held = 0
    for seed in range(trials):
        draws = systems_on_resampled_topics(
            *study(np.random.default_rng([2, seed])), alpha=ALPHA, resamples=500, seed=seed
        )
        low, high = percentiles(draws["tau_b"], 0.95)
        held += low <= truth <= high
    return held / trials


def accused(shape: Shape, systems: int, trials: int) -> float:
    """Share of judges blind to systems of whom some favour is said: their scores add noise, on a scale of their own."""
    wrong = 0
    for seed in range(trials):
        rng = np.random.default_rng([seed, systems])
        reference = 0.3 * rng.standard_normal(systems) + rng.standard_normal((TOPICS, 1))
        reference = reference + noise(rng, (TOPICS, systems), shape)
        judge = 0.5 + 0.7 * reference + 0.6 * noise(rng, (TOPICS, systems), shape)
        wrong += bool(estimate_judge_bias(reference, judge, resamples=500, rng=rng).p.min() <= ALPHA)
    return wrong / trials


def sensitivity(shape: Shape, systems: int, trials: int) -> float:
    """Coverage of the interval of discriminative power, on new topics and new systems; its mean is the truth."""
    found = []
    for seed in range(trials):
        rng = np.random.default_rng([seed, systems])
        table = 0.4 * noise(rng, (systems,), shape) + rng.standard_normal((TOPICS, 1))
        frame = pd.DataFrame(table + noise(rng, (TOPICS, systems), shape))
        found.append(estimate_sensitivity(frame, test="permutation", resamples=200).table.iloc[0])
    powers = pd.DataFrame(found)
    truth = powers["power"].mean()
    return float(((powers["power_low"] <= truth) & (truth <= powers["power_high"])).mean())


@pytest.mark.heavy
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("topics", [25, 50])
def test_intervals_of_differences_cover(shape: Shape, topics: int) -> None:
    for test, held in differences(shape, topics, 300).items():
        assert held >= 1 - ALPHA - bound(300), test


@pytest.mark.heavy
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("human", "rest"), [(12, 31), (30, 100)])
def test_prediction_powered_intervals_cover(shape: Shape, human: int, rest: int) -> None:
    plain, student = powered(shape, human, rest, 3000)
    assert student >= plain
    # Student's is right for normal scores; skewed ones need more topics. First counts, of 1,000 and more:
    seen = {("normal", 12): 0.938, ("normal", 30): 0.9505, ("skewed", 12): 0.89, ("skewed", 30): 0.927}[shape, human]
    error = np.sqrt(seen * (1 - seen) * (1 / 3000 + 1 / 1000))
    assert abs(student - seen) <= 3.5 * error


@pytest.mark.heavy
@pytest.mark.parametrize("shape", SHAPES)
def test_intervals_of_kappa_and_tau_cover(shape: Shape) -> None:
    assert kappa(shape, TOPICS, 300) >= 0.93 - bound(300)
    assert tau(shape, 20, 200) >= 0.90 - bound(200)


@pytest.mark.heavy
def test_judges_who_are_blind_to_systems_are_not_accused() -> None:
    assert accused("normal", 37, 300) <= ALPHA + bound(300)


@pytest.mark.heavy
def test_blind_judges_whose_errors_are_exponential_are_accused_too_often() -> None:
    """Which is why the page warns: flips take the errors as symmetric, and 37 systems look at their far tails."""
    assert 0.25 - 0.1 <= accused("skewed", 37, 300) <= 0.25 + 0.1


@pytest.mark.heavy
@pytest.mark.parametrize("shape", SHAPES)
def test_intervals_of_sensitivity_cover(shape: Shape) -> None:
    assert sensitivity(shape, 20, 200) >= 1 - ALPHA - bound(200)


if __name__ == "__main__":
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    for shape in SHAPES:
        for human, rest in ((12, 31), (30, 100)):
            print("powered", shape, human, rest, powered(shape, human, rest, 10 * trials), flush=True)
        print("favour", shape, accused(shape, 37, trials), flush=True)
        print("sensitivity", shape, sensitivity(shape, 20, trials), flush=True)
        print("kappa", shape, kappa(shape, TOPICS, trials), flush=True)
        print("tau", shape, tau(shape, 20, trials), flush=True)
        for topics in (25, 50):
            print("differences", shape, topics, differences(shape, topics, trials), flush=True)
