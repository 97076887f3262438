"""Rank sets of verdicts: what a flip of topics is, and how often ranks err where systems are equal."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit
from simulated import Found, Setting, count_errors, count_newcomer_errors, draw

from cranfield.pairwise import PairVerdicts, estimate_strengths
from cranfield.statistics import Comparisons, find_parts, fit_strengths, flip_contrasts, share_information


def topic_information(verdicts: PairVerdicts, theta: NDArray[np.float64]) -> NDArray[np.float64]:
    """The information of each topic at these strengths, verdict by verdict, [G, S, S]."""
    found = np.zeros((len(verdicts.topics), len(theta), len(theta)))
    for topic, left, right in zip(verdicts.topic, verdicts.left, verdicts.right, strict=True):
        p = 1 / (1 + np.exp(theta[right] - theta[left]))
        apart = np.zeros(len(theta))
        apart[left], apart[right] = 1, -1
        found[topic] += p * (1 - p) * np.outer(apart, apart)
    return found


@pytest.mark.parametrize("prior", [None, 1.0])
@pytest.mark.parametrize("design", ["complete", "half", "uneven"])
def test_shares_and_intervals_by_hand(design: str, prior: float | None) -> None:
    own = draw(Setting(4, 20, design=design, noise=1.0), np.random.default_rng(5))  # type: ignore[arg-type]
    left, right, topics = *np.triu_indices(4, 1), len(own.topics)
    at = Comparisons(own.topic, own.left, own.right, own.outcome, np.ones(len(own)))
    fit = fit_strengths(at, 4, topics, davidson=False, order=False, prior=prior or 0.0)
    shares = share_information(fit, at, topics, left, right, rows=True)
    assert shares.rows is not None
    information = topic_information(own, fit.theta)
    moves = (fit.influence - fit.theta) / topics
    pairs = estimate_strengths(own, prior=prior).pairs
    for number, (j, k) in enumerate(zip(left, right, strict=True)):
        contrast = np.zeros(4)
        contrast[j], contrast[k] = 1, -1
        told = np.array([contrast @ fit.inverse @ one @ fit.inverse @ contrast for one in information])
        share = told / told.sum()
        assert shares.rows[shares.design, 4 + number] == pytest.approx(share)
        # The residuals of a weighted mean have the covariance D - a a', of which df = (sum of it)^2 / sum of squares.
        residual = np.diag(share) - np.outer(share, share)
        df = np.trace(residual) ** 2 / (residual**2).sum()
        assert shares.df[4 + number] == pytest.approx(df)
        value, scores = fit.theta[j] - fit.theta[k], moves[:, j] - moves[:, k]
        error = np.sqrt((scores**2).sum() / np.trace(residual))
        row = pairs.iloc[number]
        assert row["se"] == pytest.approx(np.sqrt(topics / (topics - 1) * (scores**2).sum()))
        assert row["p"] == pytest.approx(2 * stdtr(df, -abs(value / error)))
        assert row["high"] - row["difference"] == pytest.approx(stdtrit(df, 0.975) * error)
        parts = find_parts(fit, shares, left, right)[:, number]
        assert parts == pytest.approx(scores + share * value)
        if prior is None:
            assert parts.sum() == pytest.approx(value)
    if design == "complete" and prior is None:
        assert shares.df == pytest.approx(np.full(10, 19.0))


def naive_flips(parts: NDArray[np.float64], alpha: float) -> set[tuple[int, int]]:
    """Contrasts that differ from 0 and their signs, step by step, by all flips of rows in both directions."""
    flips = np.array(list(product([1, -1], repeat=len(parts)))) @ parts / np.sqrt((parts**2).sum(axis=0))
    observed = parts.sum(axis=0) / np.sqrt((parts**2).sum(axis=0))
    family = {(at, sign) for at in range(parts.shape[1]) for sign in (1, -1)}
    rejected: set[tuple[int, int]] = set()
    while True:
        left = sorted(family - rejected)
        largest = np.max([sign * flips[:, at] for at, sign in left], axis=0)
        new = {(at, sign) for at, sign in left if (largest >= sign * observed[at] - 1e-9).mean() <= alpha}
        if not new:
            return rejected
        rejected |= new


@pytest.mark.parametrize("topics", [5, 6, 9])
def test_flips_are_the_enumerated_ones(topics: int) -> None:
    rng = np.random.default_rng(topics)
    told = 0
    for _ in range(20):
        parts = rng.normal(size=(topics, 7)) + rng.choice([0, 1, 2], size=7)
        parts[rng.random(parts.shape) < 0.2] = 0.0
        above, below = flip_contrasts(parts, 0.05, resamples=1000, rng=rng)
        ours = {(int(at), 1) for at in np.flatnonzero(above)} | {(int(at), -1) for at in np.flatnonzero(below)}
        assert ours == naive_flips(parts, 0.05)
        told += len(ours)
    assert (told > 0) == (topics > 5)


def test_a_topic_that_compares_others_tells_nothing() -> None:
    rows = [(f"q{q}", "a", "b", "left" if q % 3 else "right") for q in range(9)]
    rows += [(f"r{q}", "b", "c", "left" if q % 4 else "right") for q in range(40)]
    own, left, right = PairVerdicts.of(rows), np.array([0]), np.array([1])
    at = Comparisons(own.topic, own.left, own.right, own.outcome, np.ones(len(own)))
    fit = fit_strengths(at, 3, 49, davidson=False, order=False, prior=0.0)
    shares = share_information(fit, at, 49, left, right, rows=True)
    assert shares.df[3] == pytest.approx(8)
    parts = find_parts(fit, shares, left, right)[:, 0]
    assert (np.flatnonzero(parts) < 9).all()
    alone = estimate_strengths(PairVerdicts.of(rows[:9])).pairs.iloc[0]
    among = estimate_strengths(PairVerdicts.of(rows)).pairs.iloc[0]
    columns = ["difference", "low", "high", "p"]
    assert among[columns].tolist() == pytest.approx(alone[columns].tolist(), abs=1e-9)


def check(found: Found, boards: int) -> None:
    assert found.boards >= 0.9 * boards
    # Three standard errors beyond .05.
    assert found.wrong <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / found.boards)
    assert found.wrong_pairs <= 0.065


@pytest.mark.parametrize("verdicts", [2, 3, 4])
def test_a_newcomer_with_few_verdicts_may_have_any_rank(verdicts: int) -> None:
    found = count_newcomer_errors(verdicts, 12)
    assert (found.wrong, found.wrong_pairs) == (0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("own", [Setting(4, 8, prior=None), Setting(6, 10, ties=0.2, design="half")])
def test_ranks_of_equal_systems_seldom_err(own: Setting) -> None:
    check(count_errors(own, 150, resamples=500), 150)


@pytest.mark.heavy
@pytest.mark.parametrize(
    "own",
    [
        *(Setting(4, topics, prior=None) for topics in (5, 8, 20)),
        *(Setting(6, topics, ties=0.3, pair_ties="davidson", prior=None) for topics in (10, 50)),
        *(Setting(6, topics, ties=0.3, pair_ties="drop") for topics in (10, 50)),
        *(Setting(10, topics, design="half", noise=1.0) for topics in (8, 15, 50)),
        *(Setting(10, topics, design="uneven", ties=0.2) for topics in (15, 50)),
        *(Setting(20, topics) for topics in (10, 20, 50)),
        Setting(10, 15, step=0.7, noise=1.0),
        Setting(4, 50, design="one"),
        Setting(10, 250, design="one"),
        Setting(20, 250),
    ],
)
def test_ranks_seldom_err_with_few_topics(own: Setting) -> None:
    check(count_errors(own, 400), 400)
