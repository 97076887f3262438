"""Audits of weighted topics, against equal weights, copies of topics in clusters and brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import cranfield
from cranfield import UsageError
from cranfield.trust import estimate_reliability, estimate_sensitivity, estimate_stability

pytestmark = pytest.mark.filterwarnings("ignore:.*degrees of freedom.*:cranfield.CranfieldWarning")


def scores(topics: int = 16, systems: int = 4) -> xr.DataArray:
    rng = np.random.default_rng(1)
    table = np.round(0.5 * rng.random((topics, systems)) + np.arange(systems) / 10, 1)
    labels = {"topic": [f"q{at}" for at in range(topics)], "system": list("ABCDEF"[:systems])}
    return xr.DataArray(table, labels, ("topic", "system"), name="AP")


WEIGHTS = {f"q{at}": int(w) for at, w in enumerate(np.random.default_rng(2).integers(1, 6, 16))}
ALIKE = dict.fromkeys(WEIGHTS, 3)


def copied() -> tuple[xr.DataArray, dict[str, str]]:
    names = [(topic, at) for topic, count in WEIGHTS.items() for at in range(count)]
    copies = scores().sel(topic=[topic for topic, _ in names]).assign_coords(topic=[f"{t}.{at}" for t, at in names])
    return copies, {f"{topic}.{at}": topic for topic, at in names}


def test_equal_weights_change_nothing() -> None:
    options = {"resamples": 100, "subsets": 50}
    plain, weighted = (cranfield.audit(scores(), **options, topic_weights=given) for given in (None, ALIKE))
    pd.testing.assert_frame_equal(weighted.table, plain.table, rtol=1e-9)
    by_size = [estimate_stability(scores(), subsets=50, topic_weights=given).rates for given in (None, ALIKE)]
    pd.testing.assert_frame_equal(by_size[0], by_size[1])


@pytest.mark.parametrize("test", ["bootstrap", "permutation"])
def test_sensitivity_is_that_of_copies_in_clusters(test: str) -> None:
    copies, clusters = copied()
    weighted = estimate_sensitivity(scores(), test=test, resamples=200, topic_weights=WEIGHTS)
    expanded = estimate_sensitivity(copies, test=test, resamples=200, topic_clusters=clusters)
    pd.testing.assert_frame_equal(weighted.table, expanded.table, rtol=1e-9)


def test_stability_is_that_of_copies_in_clusters() -> None:
    copies, clusters = copied()
    weighted = estimate_stability(scores(), subsets=100, n_topics=[4, 8], disjoint=True, topic_weights=WEIGHTS)
    expanded = estimate_stability(copies, subsets=100, n_topics=[4, 8], disjoint=True, topic_clusters=clusters)
    assert weighted.rates.to_numpy() == pytest.approx(expanded.rates.to_numpy(), nan_ok=True)


def test_an_audit_counts_weighted_topics_as_fewer_and_ties_by_weight() -> None:
    found = cranfield.audit(scores(), resamples=100, subsets=50, topic_weights=WEIGHTS)
    w = np.array(list(WEIGHTS.values()), dtype=float)
    effective = w.sum() ** 2 / (w**2).sum()
    reliability = estimate_reliability(scores(), n_topics=[round(effective)])
    row = found.table.loc["AP"]
    assert row["Erho2"] == pytest.approx(reliability.curve["Erho2"].iloc[0])
    tied = [np.mean([abs(a - b) < 1e-9 for a, b in itertools.combinations(values, 2)]) for values in scores().values]
    assert row["tied"] == pytest.approx(np.average(tied, weights=w))
    means = np.average(scores().values, axis=0, weights=w)
    assert row["used"] == pytest.approx(means.max() - means.min())
    assert f"topics weighted, which count as {effective:.1f} of equal weight" in found.caption("table")


def test_what_counts_topics_alike_is_refused() -> None:
    clusters = {f"q{at}": f"c{at // 2}" for at in range(16)}
    with pytest.raises(UsageError, match="leave topic_weights= or topic_clusters= out"):
        cranfield.audit(scores(), topic_weights=WEIGHTS, topic_clusters=clusters)
    with pytest.raises(UsageError, match="leave topic_weights= out"):
        estimate_stability(scores(), unit="topic", topic_weights=WEIGHTS)
    with pytest.raises(UsageError, match="leave topic_weights= out, or take another test"):
        estimate_sensitivity(scores(), test="randomized-tukey", topic_weights=WEIGHTS)
