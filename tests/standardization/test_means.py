"""Intervals of standardized means: by every possible draw, and by a second implementation in plain Python."""

from __future__ import annotations

import itertools
import warnings
from fractions import Fraction
from typing import Literal

import numpy as np
import pytest
from test_schemes import scores_of

import cranfield
from cranfield import CranfieldWarning, InputError
from cranfield.standardization import estimate_standardized_means, fit_standardization

RNG = np.random.default_rng(5)
FEW = scores_of(np.round(RNG.random((4, 3)), 2))
MANY = scores_of(RNG.random((12, 11)))
QUIET = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")


@pytest.mark.slow
@QUIET
def test_by_every_draw_of_reference_systems_in_fractions() -> None:
    """Of three systems 24 of 27 draws have two that differ; each has an exact mean under E."""
    values = [[Fraction(value).limit_denominator(100) for value in row] for row in FEW.to_numpy().tolist()]
    found = estimate_standardized_means(FEW, interval_over="systems", resamples=20_000, level=0.8).means
    for system, row in found.set_index("system").iterrows():
        column = FEW["system"].to_numpy().tolist().index(system)
        exact = []
        for drawn in itertools.product(range(3), repeat=3):
            if len(set(drawn)) > 1:
                shares = [Fraction(sum(topic[one] <= topic[column] for one in drawn), 3) for topic in values]
                exact.append(sum(shares) / len(shares))
        mean = sum(exact) / len(exact)
        sd = float(sum((value - mean) ** 2 for value in exact) / len(exact)) ** 0.5
        assert row["standard_error"] == pytest.approx(sd, rel=0.02)
        assert row["systems_standard_error"] == row["standard_error"]
        support = np.array(sorted(map(float, exact)))
        for end, share in (("low", 0.1), ("high", 0.9)):
            near = np.quantile(support, [share - 0.02, share + 0.02], method="inverted_cdf")
            assert near[0] - 1e-12 <= row[end] <= near[1] + 1e-12


@QUIET
@pytest.mark.parametrize("scheme", ["E", "K", "N", "z", "U", "t(5)"])
@pytest.mark.parametrize("over", ["both", "systems", "topics"])
def test_by_factors_that_are_learnt_anew(scheme: str, over: Literal["both", "systems", "topics"]) -> None:
    """The same draws, each scored by factors of renamed copies of the systems drawn."""
    names = MANY["system"].to_numpy().tolist()
    chosen = names[2:9]
    result = estimate_standardized_means(
        MANY,
        scheme,
        reference_systems=chosen,
        interval_over=over,
        resamples=40,
        level=0.9,
        seed=3,
    )
    rng, means = np.random.default_rng(3), []
    for _ in range(40):
        drawn = rng.integers(len(chosen), size=len(chosen))
        while len(set(drawn.tolist())) < 2:
            drawn = rng.integers(len(chosen), size=len(chosen))
        topics = rng.integers(MANY.sizes["topic"], size=MANY.sizes["topic"])
        picked = drawn if over != "topics" else np.arange(len(chosen))
        reference = MANY.sel(system=[chosen[one] for one in picked])
        reference = reference.assign_coords(system=[f"copy{number}" for number in range(len(picked))])
        scaled = fit_standardization(reference, scheme).apply(MANY).to_numpy()
        means.append((scaled if over == "systems" else scaled[topics]).mean(axis=0))
    rows = result.means.set_index("system").loc[names]
    np.testing.assert_allclose(rows["low"], np.quantile(means, 0.05, axis=0), atol=1e-12)
    np.testing.assert_allclose(rows["high"], np.quantile(means, 0.95, axis=0), atol=1e-12)
    np.testing.assert_allclose(rows["standard_error"], np.std(means, axis=0, ddof=1), atol=1e-12)
    plain = fit_standardization(MANY.sel(system=chosen), scheme).apply(MANY).to_numpy().mean(axis=0)
    np.testing.assert_allclose(rows["mean"], plain, atol=1e-12)
    np.testing.assert_allclose(rows["raw_mean"], MANY.to_numpy().mean(axis=0), atol=1e-12)


@pytest.mark.parametrize(("scheme", "enough"), [("E", 8), ("K", 8), ("N", 6), ("U", 8), ("z", 40), ("t(5)", 8)])
def test_few_reference_systems_are_warned_of(scheme: str, enough: int) -> None:
    scores = scores_of(RNG.random((3, 41)))
    names = scores["system"].to_numpy().tolist()
    with pytest.warns(
        CranfieldWarning, match=rf"from {enough - 1} reference systems; .* fewer than {enough} cost power"
    ):
        estimate_standardized_means(scores, scheme, reference_systems=names[: enough - 1], resamples=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimate_standardized_means(scores, scheme, reference_systems=names[:enough], resamples=2)


@QUIET
def test_more_reference_systems_give_shorter_intervals() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=40, n_topics=20, seed=1)
    scores = cranfield.evaluate(made.runs, made.qrels, "AP")["AP"]
    names = scores["system"].to_numpy().tolist()
    errors = [
        estimate_standardized_means(scores, reference_systems=names[::step], resamples=200)
        .means["systems_standard_error"]
        .mean()
        for step in (8, 4, 1)
    ]
    assert errors[0] > errors[1] > errors[2]


def test_one_reference_system_has_no_interval() -> None:
    with pytest.raises(InputError, match="intervals over reference systems need two or more, not 1"):
        estimate_standardized_means(MANY, reference_systems=MANY["system"].to_numpy().tolist()[:1])
    with pytest.raises(InputError, match="missing"):
        estimate_standardized_means(MANY.where(MANY[0, 0] != MANY))


@QUIET
def test_a_seed_fixes_every_bit() -> None:
    one, same, other = (estimate_standardized_means(FEW, resamples=50, seed=seed).means for seed in (1, 1, 2))
    assert one.equals(same)
    assert not one.equals(other)
