"""Reliability of scores on topics in clusters."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield.errors import InputError, UsageError
from cranfield.trust import estimate_cluster_reliability

GOLDEN = Path(__file__).resolve().parents[2].parent / "shared" / "golden" / "nested"
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")
CLUSTERS = pd.Series({f"q{at}": f"c{at % 6}" for at in range(24)})


def scores(noise: float = 0.1, interaction: float = 0.1) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    values = rng.normal(0.5, noise, (24, 4)) + np.arange(4) * 0.1
    values += rng.normal(0, interaction, (6, 4))[np.arange(24) % 6]
    return pd.DataFrame(values, CLUSTERS.index, list("abcd"))


@pytest.mark.data("golden/nested")
def test_the_curve_and_the_best_number_are_the_golden_ones() -> None:
    curves = pd.read_csv(GOLDEN / "expected.reliability.tsv", sep="\t")
    components = pd.read_csv(GOLDEN / "expected.components.tsv", sep="\t")
    for data, rows in curves.groupby("data"):
        table = pd.read_csv(GOLDEN / f"scores.{data}.csv", index_col=0)
        clusters = pd.read_csv(GOLDEN / f"clusters.{data}.tsv", sep="\t", index_col=0)["cluster"]
        result = estimate_cluster_reliability(table, clusters, clusters=[4, 8, 16, 32])
        for row in rows.itertuples():
            ours = result.curve.loc[(row.clusters, row.topics_in_each)]
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
    curve = estimate_cluster_reliability(scores(0.02, 0.2), CLUSTERS, clusters=[6, 12], topics_in_each=[4, 8]).curve[
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
