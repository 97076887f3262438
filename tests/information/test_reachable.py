"""What a weighted sum of outcomes reaches on topics that its weights were not learned on."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize

import cranfield
from cranfield.information import outcome_counts
from cranfield.simulation.runs import simulate_runs


def by_hand(asked: cranfield.information.Experiment, seed: int) -> float:
    """All pairs of all topics one by one, and a general minimizer."""
    tables = []
    for topic, pairs in enumerate(asked.pairs):
        better, worse = (
            np.concatenate(side, axis=1) for side in zip(*_flat(pairs, asked.positions.ended(topic)), strict=True)
        )
        tables.append(np.sign(worse.astype(float) - better).T)
    fold = np.random.default_rng(seed).permutation(len(tables)) % 5
    told = []
    for number, x in enumerate(tables):
        learned = [other for other, own in zip(tables, fold, strict=True) if own != fold[number]]

        def loss(b: np.ndarray, learned: list[np.ndarray] = learned) -> float:  # type: ignore[type-arg]
            return float(sum(np.logaddexp(0, -one @ b).mean() for one in learned))

        b = minimize(loss, np.zeros(x.shape[1]), method="BFGS").x
        told.append(1 - np.logaddexp(0, -x @ b).mean() / math.log(2))
    return float(np.mean(told))


def _flat(pairs: cranfield.information.pairs.Pairs, places: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:  # type: ignore[type-arg]
    blocks = (np.broadcast_arrays(*block) for block in pairs.sides(places))
    return [(one.reshape(len(places), -1), other.reshape(len(places), -1)) for one, other in blocks]


def test_it_is_learned_on_the_topics_of_other_folds() -> None:
    made = simulate_runs(systems=3, topics=7, depth=15, seed=3)
    asked = cranfield.information.prepare_experiment(made.runs, made.qrels)
    found = cranfield.information.compute_joint_ric(asked, permutations=0, seed=4)
    assert found.reachable == pytest.approx(by_hand(asked, 4), abs=2e-3)
    assert found.reachable < found.value


def test_lists_that_know_nothing_reach_nothing() -> None:
    """The table of ten random lists gives much, its null as much; on other topics they tell nothing."""
    rng, names = np.random.default_rng(5), [f"d{number:03d}" for number in range(60)]
    qrels = {str(topic): {name: float(number < 10) for number, name in enumerate(names)} for topic in range(10)}
    runs = {
        f"s{system}": {
            topic: {names[at]: -float(rank) for rank, at in enumerate(rng.permutation(60)[:30])} for topic in qrels
        }
        for system in range(4)
    }
    found = cranfield.information.compute_joint_ric(runs, qrels, permutations=5)
    assert abs(found.normalized) < 0.05
    assert -0.1 < found.reachable < 0.05


def test_many_systems_are_asked_about_a_sample_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    made = simulate_runs(systems=12, topics=4, depth=20, seed=6)
    asked = cranfield.information.prepare_experiment(made.runs, made.qrels)
    whole = cranfield.information.compute_joint_ric(asked, permutations=0)
    assert whole.settings["permutations"] == 0
    size = min(pairs.size for pairs in asked.pairs)
    monkeypatch.setattr(outcome_counts, "NUMBERS", 12 * (size // 2))
    some = cranfield.information.compute_joint_ric(asked)
    assert some.settings["permutations"] == 2
    assert some.value == pytest.approx(whole.value, abs=0.1)
    assert some.value != whole.value


def test_numbered_pairs_are_those_of_their_blocks() -> None:
    labels = np.array([2.0, 0.0, 1.0, 0.0, 1.0, 2.0, 0.0])
    pairs = cranfield.information.pairs.Pairs.of_labels(labels)
    numbers = np.arange(labels.size)
    blocks = [np.broadcast_arrays(*block) for block in pairs.sides(numbers)]
    every = [(int(x), int(y)) for one, other in blocks for x, y in zip(one.ravel(), other.ravel(), strict=True)]
    assert len(every) == pairs.size
    assert all(labels[x] > labels[y] for x, y in every)
    chosen = pairs.chosen(np.arange(pairs.size))
    assert chosen.named is not None
    assert list(zip(*(side.tolist() for side in chosen.named), strict=True)) == every


def test_one_topic_has_no_other() -> None:
    found = cranfield.information.compute_joint_ric({"S": {"1": {"a": 1.0}}}, {"1": {"a": 1, "b": 0}}, permutations=0)
    assert math.isnan(found.reachable)
