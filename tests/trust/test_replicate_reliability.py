"""Reliability of scores of systems with several runs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield.errors import InputError, UsageError
from cranfield.trust import estimate_replicate_reliability
from data_sets import GOLDEN

NESTED = GOLDEN / "nested"
pytestmark = [
    pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning"),
]
SEEDS = {f"{system}-{run}": system for system in "ABC" for run in (1, 2, 3)}


def scores() -> pd.DataFrame:
    return pd.read_csv(NESTED / "scores.seeds.csv", index_col=0)[list(SEEDS)]


def test_components_are_the_golden_ones() -> None:
    expected = pd.read_csv(NESTED / "expected.seed_components.tsv", sep="\t", index_col=0)["value"]
    ours = estimate_replicate_reliability(scores(), SEEDS).components["variance"].rename({"replicates": "seeds"})
    np.testing.assert_allclose(ours[expected.index], expected, rtol=1e-9)


def test_the_curve_follows_from_components() -> None:
    result = estimate_replicate_reliability(scores(), SEEDS, n_replicates=[4], n_topics=[50])
    v = result.components["variance"]
    rel = v["replicates"] / 4 + v["systems_topics"] / 50 + v["residual"] / 200
    row = result.curve.loc[(4, 50)]
    expected = v["systems"] / (v["systems"] + rel), v["systems"] / (v["systems"] + rel + v["topics"] / 50)
    np.testing.assert_allclose(row[["Erho2", "Phi"]], expected, rtol=1e-12)
    assert "with 3 runs of each system on 12 topics" in result.sentence


@pytest.mark.slow
def test_components_are_unbiased() -> None:
    rng, estimates = np.random.default_rng(2), []
    names = {f"{system}{run}": system for system in "abc" for run in range(2)}
    for _ in range(2000):
        cells = rng.normal(size=3) + rng.normal(size=(8, 1)) + rng.normal(size=(8, 3))
        values = np.repeat(cells, 2, axis=1) + rng.normal(size=6) + rng.normal(size=(8, 6))
        table = pd.DataFrame(values, [f"q{at}" for at in range(8)], list(names))
        estimates.append(
            estimate_replicate_reliability(table, names, n_replicates=[2], n_topics=[8]).components["variance"]
        )
    np.testing.assert_allclose(np.mean(estimates, axis=0), 1.0, atol=0.12)


def test_what_has_no_components_is_refused() -> None:
    with pytest.raises(InputError, match="systems have 2 to 3 runs: components need as many of each"):
        estimate_replicate_reliability(scores().drop(columns="C-1"), SEEDS)
    with pytest.raises(InputError, match="reliability needs every system's score on every topic"):
        estimate_replicate_reliability(scores().mask(scores() == scores().iloc[0, 0]), SEEDS)
    with pytest.raises(UsageError, match="n_replicates"):
        estimate_replicate_reliability(scores(), SEEDS, n_replicates=[0])
    with pytest.warns(cranfield.CranfieldWarning, match="the variance of replicates is estimated below zero"):
        estimate_replicate_reliability(scores() - scores().mean(), SEEDS)
