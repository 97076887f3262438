"""Verdicts on systems of known strengths, and how often their rank sets err."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from cranfield.errors import InputError
from cranfield.pairwise import PairVerdicts, estimate_strengths

PairTies = Literal["half", "drop", "davidson"]
Design = Literal["complete", "half", "uneven", "one"]
NEWCOMER = "newcomer"


class Setting(NamedTuple):
    """What is simulated.

    Args:
        systems: in pairs of equal true strength.
        topics: how many.
        step: between the strengths of two such pairs; 0: all are equal.
        design: ``complete``: each pair once a topic; ``half`` of them; ``uneven``: every fifth topic has all, the
            others a tenth; ``one`` pair a topic.
        ties: share of verdicts.
        noise: standard deviation of a system's strength over topics.
        prior: 1 where systems may win always.
        pair_ties: how ties count.
    """

    systems: int
    topics: int
    step: float = 0.0
    design: Design = "complete"
    ties: float = 0.0
    noise: float = 0.0
    prior: float | None = 1.0
    pair_ties: PairTies = "half"


class Found(NamedTuple):
    """Share of boards with a false order, of false pairs by single tests, and of true orders that were found."""

    wrong: float
    wrong_pairs: float
    power: float
    boards: int


def true_strengths(own: Setting) -> NDArray[np.float64]:
    """In pairs, with mean 0."""
    level = (np.arange(own.systems) // 2).astype(float)
    return own.step * (level - level.mean())


def draw(own: Setting, rng: np.random.Generator) -> PairVerdicts:
    """Draw the verdicts of one judge."""
    left, right = np.triu_indices(own.systems, 1)
    pairs = len(left)
    topic = np.repeat(np.arange(own.topics), pairs)
    left, right = np.tile(left, own.topics), np.tile(right, own.topics)
    theta = true_strengths(own) + own.noise * rng.standard_normal((own.topics, own.systems))
    outcome = np.where(rng.random(len(topic)) < expit(theta[topic, left] - theta[topic, right]), 1, -1)
    outcome[rng.random(len(topic)) < own.ties] = 0
    chance = {"complete": 1.0, "half": 0.5, "uneven": np.where(topic % 5 == 0, 1.0, 0.1), "one": 1.0}[own.design]
    kept = rng.random(len(topic)) < chance
    if own.design == "one":
        kept = np.zeros(len(topic), dtype=bool)
        kept[np.arange(own.topics) * pairs + rng.integers(0, pairs, own.topics)] = True
    topics, number = np.unique(topic[kept], return_inverse=True)
    names = tuple(f"s{system:02}" for system in range(own.systems))
    judge = np.zeros(int(kept.sum()), dtype=np.int64)
    return PairVerdicts(
        tuple(f"q{at}" for at in topics), names, ("judge",), number, left[kept], right[kept], outcome[kept], judge
    )


def count_errors(own: Setting, boards: int, *, seed: int = 1, resamples: int = 2000) -> Found:
    """Count boards on which a system's rank set leaves out one of its true ranks, and true orders that are found."""
    theta = true_strengths(own)
    best = 1 + (theta[:, None] > theta).sum(axis=0)
    worst = (theta[:, None] >= theta).sum(axis=0)
    rng = np.random.default_rng([seed, own.systems, own.topics])
    wrong, pairs, power = [], [], []
    for _ in range(boards):
        verdicts = draw(own, rng)
        try:
            found = estimate_strengths(
                verdicts, prior=own.prior, pair_ties=own.pair_ties, resamples=resamples, seed=int(rng.integers(1 << 30))
            )
        except InputError:
            continue
        table = found.table.set_index("system")
        at = np.array([verdicts.systems.index(name) for name in table.index])
        low, high = table["rank_low"].to_numpy(), table["rank_high"].to_numpy()
        wrong.append(bool((low > best[at]).any() or (high < worst[at]).any()))
        first, second = (found.pairs[side].map(verdicts.systems.index).to_numpy() for side in ("system", "other"))
        equal = theta[first] == theta[second]
        pairs.append((found.pairs["p"].to_numpy()[equal] <= 0.05).mean())
        if own.step:
            # Each order that is found takes one rank from the better one's set, and one from the other's.
            narrowed = (len(theta) - 1 - (high - low)).sum() / 2
            power.append(narrowed / (~equal).sum())
    return Found(float(np.mean(wrong)), float(np.mean(pairs)), float(np.mean(power)) if power else np.nan, len(wrong))


def draw_newcomer(systems: int, topics: int, verdicts: int, rng: np.random.Generator) -> PairVerdicts:
    """Draw the verdicts of one judge on equal systems, each pair once a topic, and some of a newcomer as good as they.

    The newcomer is the last system, and has one verdict on each of some topics, against any other.
    """
    own = draw(Setting(systems, topics), rng)
    number, ones = rng.choice(topics, verdicts, replace=False), np.ones(verdicts, dtype=np.int64)
    return PairVerdicts(
        own.topics,
        (*own.systems, NEWCOMER),
        own.judges,
        np.r_[own.topic, number],
        np.r_[own.left, systems * ones],
        np.r_[own.right, rng.integers(0, systems, verdicts)],
        np.r_[own.outcome, rng.choice([-1, 1], verdicts)],
        np.r_[own.judge, 0 * ones],
    )


def count_newcomer_errors(verdicts: int, judges: int, *, systems: int = 5, topics: int = 20, seed: int = 1) -> Found:
    """Count judges by whom the newcomer may not have some rank, and false pairs of it by single tests."""
    rng = np.random.default_rng([seed, verdicts])
    wrong, pairs = [], []
    for _ in range(judges):
        drawn = draw_newcomer(systems, topics, verdicts, rng)
        found = estimate_strengths(drawn, prior=1.0, seed=int(rng.integers(1 << 30)))
        row = found.table.set_index("system").loc[NEWCOMER]
        wrong.append(bool(row["rank_low"] > 1 or row["rank_high"] <= systems))
        its = (found.pairs[["system", "other"]] == NEWCOMER).any(axis=1)
        pairs.append((found.pairs.loc[its, "p"] <= 0.05).mean())
    return Found(float(np.mean(wrong)), float(np.mean(pairs)), np.nan, judges)
