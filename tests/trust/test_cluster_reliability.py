"""Reliability of scores on topics in clusters."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield.errors import InputError, UsageError
from cranfield.trust import estimate_cluster_reliability, estimate_reliability
from data_sets import GOLDEN

NESTED = GOLDEN / "nested"
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")
CLUSTERS = pd.Series({f"q{at}": f"c{at % 6}" for at in range(24)})


def scores(noise: float = 0.1, interaction: float = 0.1) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    values = rng.normal(0.5, noise, (24, 4)) + np.arange(4) * 0.1
    values += rng.normal(0, interaction, (6, 4))[np.arange(24) % 6]
    return pd.DataFrame(values, CLUSTERS.index, list("abcd"))


def test_the_curve_and_the_best_number_are_the_golden_ones() -> None:
    curves = pd.read_csv(NESTED / "expected.reliability.tsv", sep="\t")
    components = pd.read_csv(NESTED / "expected.components.tsv", sep="\t")
    for data, rows in curves.groupby("data"):
        table = pd.read_csv(NESTED / f"scores.{data}.csv", index_col=0)
        clusters = pd.read_csv(NESTED / f"clusters.{data}.tsv", sep="\t", index_col=0)["cluster"]
        result = estimate_cluster_reliability(table, clusters, n_clusters=[4, 8, 16, 32])
        for row in rows.itertuples():
            ours = result.curve.loc[(row.clusters, row.topics_in_each), ["Erho2", "Phi", "se_of_difference"]]
            np.testing.assert_allclose(ours, (row.Erho2, row.Phi, row.se_of_difference), rtol=1e-9)
        facts = components[components["data"] == data].set_index("name")["value"]
        for cost in (1, 5, 20):
            if f"cost_ratio_{cost}" in facts:
                best = estimate_cluster_reliability(table, clusters, cluster_cost=cost).best_topics_in_each
                assert best == pytest.approx(facts[f"cost_ratio_{cost}"], rel=1e-9)
        for name in result.components.index.intersection(facts.index):
            assert result.components.loc[name, "variance"] == pytest.approx(facts[name], rel=1e-9)
        if "icc_of_differences" in facts:
            assert result.correlation == pytest.approx(facts["icc_of_differences"], rel=1e-9)


def test_the_question_is_answered_in_a_sentence() -> None:
    sentence = estimate_cluster_reliability(scores(), CLUSTERS).sentence
    assert "with 6 clusters of 4.0 topics" in sentence
    assert "with twice the clusters" in sentence
    assert "with twice the topics in each" in sentence
    assert "topics in each give most" in sentence


def test_more_clusters_help_more_than_more_topics_where_systems_depend_on_clusters() -> None:
    curve = estimate_cluster_reliability(scores(0.02, 0.2), CLUSTERS, n_clusters=[6, 12], topics_in_each=[4, 8]).curve[
        "Erho2"
    ]
    assert curve[(12, 4)] > curve[(6, 8)]


def test_clusters_that_do_not_matter_are_said_so_with_a_warning() -> None:
    table = scores()
    same = table - table.groupby(CLUSTERS).transform("mean") + table.mean()
    with pytest.warns(cranfield.CranfieldWarning, match="the variance of systems_clusters is estimated below zero"):
        result = estimate_cluster_reliability(same, CLUSTERS)
    assert math.isinf(result.best_topics_in_each)
    assert result.sentence.endswith("clusters do not matter: take topics wherever they are")


def test_intervals_hold_the_estimates_and_shrink_with_more_clusters() -> None:
    result = estimate_cluster_reliability(scores(), CLUSTERS, n_clusters=[6, 60])
    for table in (result.curve, result.same_sizes):
        for name in ("Erho2", "Phi"):
            assert ((table[f"{name}_low"] <= table[name]) & (table[name] <= table[f"{name}_high"])).all()
    alone = estimate_cluster_reliability(scores(), CLUSTERS, n_clusters=[6, 60], resample="clusters").curve
    width = alone["Erho2_high"] - alone["Erho2_low"]
    assert width[(60, 4)] < width[(6, 4)] < (result.curve["Erho2_high"] - result.curve["Erho2_low"])[(6, 4)]
    with pytest.raises(UsageError, match="level"):
        estimate_cluster_reliability(scores(), CLUSTERS, level=1)


def test_intervals_of_clusters_of_these_sizes_are_those_of_cluster_means() -> None:
    """Feldt's of Erho2, and that of Arteaga and others of Phi."""
    means = scores().groupby(CLUSTERS, sort=False).mean()
    theirs = estimate_reliability(means, n_topics=[6, 12]).curve
    ours = estimate_cluster_reliability(scores(), CLUSTERS, n_clusters=[12]).same_sizes
    assert list(ours.index) == [6, 12]
    np.testing.assert_allclose(ours, theirs[list(ours)], rtol=1e-12)


@pytest.mark.heavy
def test_intervals_by_bootstrap_cover() -> None:
    """Normal effects of 10 systems on 20 clusters of 5 topics; the true Erho2 is .02 / (.02 + .01 / 20 + .03 / 100)."""
    rng, cluster, held = np.random.default_rng(5), np.repeat(np.arange(20), 5), 0
    names = [f"q{at}" for at in range(100)]
    for _ in range(200):
        topics = rng.normal(0, 0.02**0.5, 20)[cluster] + rng.normal(0, 0.02**0.5, 100)
        values = rng.normal(0, 0.02**0.5, 10) + topics[:, None] + rng.normal(0, 0.1, (20, 10))[cluster]
        table = pd.DataFrame(values + rng.normal(0, 0.03**0.5, (100, 10)), names, list("abcdefghij"))
        weighs_clusters = dict(zip(names, map(str, cluster), strict=True))
        options = {"clusters": [20], "topics_in_each": [5], "resamples": 200}
        row = estimate_cluster_reliability(table, weighs_clusters, **options).curve.iloc[0]
        held += row["Erho2_low"] <= 0.02 / (0.02 + 0.01 / 20 + 0.03 / 100) <= row["Erho2_high"]
    assert held / 200 > 0.93


def test_clusters_of_one_topic_are_refused() -> None:
    with pytest.raises(InputError, match="each cluster has one topic"):
        estimate_cluster_reliability(scores(), pd.Series(CLUSTERS.index, CLUSTERS.index))


def test_a_missing_score_and_a_cost_of_nothing_are_refused() -> None:
    table = scores()
    with pytest.raises(UsageError, match="cluster_cost"):
        estimate_cluster_reliability(table, CLUSTERS, cluster_cost=0)
    table.iloc[0, 0] = np.nan
    with pytest.raises(InputError, match="reliability needs every system's score on every topic"):
        estimate_cluster_reliability(table, CLUSTERS)
