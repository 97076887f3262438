"""Topics in clusters and systems with several runs: golden tests, components and laws."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtr, stdtrit

from cranfield.statistics.clustered_differences import ClusteredDifferences
from cranfield.statistics.clustered_tests import cluster_components, cluster_means, clustered_t, flip_clusters
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.monte_carlo import share
from cranfield.statistics.paired_differences import TableDifferences
from cranfield.statistics.paired_tests import paired_t
from cranfield.statistics.replicated_tests import ReplicatedDifferences, run_spread
from data_sets import GOLDEN

NESTED = GOLDEN / "nested"


def board(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    scores = pd.read_csv(NESTED / f"scores.{name}.csv", index_col=0)
    clusters = pd.read_csv(NESTED / f"clusters.{name}.tsv", sep="\t", index_col=0)["cluster"]
    return scores, pd.factorize(clusters[scores.index])[0]


def test_t_is_the_golden_one() -> None:
    for row in pd.read_csv(NESTED / "expected.t.tsv", sep="\t").itertuples():
        scores, cluster = board(row.data)
        z = (scores[row.system] - scores[row.other]).to_numpy()
        has = ~np.isnan(z)
        z, cluster = z[has][:, None], pd.factorize(cluster[has])[0]
        if row.estimand == "clusters":
            z = cluster_means(z, cluster)
            cluster = np.arange(len(z))
        tested = clustered_t(z, cluster)
        mean, error, df, t, p = (float(value[0]) for value in tested)
        half = float(stdtrit(df, 0.975)) * error
        ours = (mean, error, df, t, p, mean - half, mean + half, float(stdtr(df, -(mean + 0.05) / error)))
        theirs = (row.difference, row.se, row.df, row.t, row.p, row.low, row.high, row.p_noninferior)
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


def test_flips_are_the_golden_ones() -> None:
    expected = pd.read_csv(NESTED / "expected.flips.tsv", sep="\t")
    for (data, estimand), rows in expected.groupby(["data", "estimand"]):
        scores, cluster = board(data)
        names = list(scores)
        pairs = [(left, right) for at, left in enumerate(names) for right in names[at + 1 :]]
        table = scores.to_numpy()
        if estimand == "clusters":
            table, cluster = cluster_means(table, cluster), np.arange(int(cluster.max()) + 1)
        differences = ClusteredDifferences(table, Contrasts.all_pairs(len(names)), cluster)
        flips = differences.flip_signs(1 << 16, np.random.default_rng(1), map)
        assert flips.exact
        raw, family, count = flips.p(), flips.max_t(), 1 << len(np.unique(cluster)) - 1
        single, down = (share(hits, count, exact=True) for hits in (family.single_step, family.step_down))
        drawn = flip_clusters(differences.pairs.differences(table), cluster, 1 << 16, np.random.default_rng(1))
        reached = np.abs(drawn.observed)[:, None] * (1 - 1e-9) <= drawn.drawn
        assert drawn.exact
        assert reached.mean(axis=1).tolist() == raw.tolist()
        for row in rows.itertuples():
            at = pairs.index((row.system, row.other))
            assert (raw[at], single[at], down[at]) == (row.p_raw, row.p_max_t, row.p_max_t_step_down)
            assert family.critical(int(0.05 * count)) == pytest.approx(row.critical, rel=1e-9)


def test_components_are_the_golden_ones() -> None:
    expected = pd.read_csv(NESTED / "expected.components.tsv", sep="\t")
    checked = 0
    for data, rows in expected.groupby("data"):
        scores, cluster = board(data)
        components, facts = cluster_components(scores.to_numpy(), cluster)
        known = components._asdict() | facts
        for row in rows[rows["name"].isin(known)].itertuples():
            assert known[row.name] == pytest.approx(row.value, rel=1e-9)
            checked += 1
    assert checked >= 15


def test_seeds_are_the_golden_ones() -> None:
    scores = pd.read_csv(NESTED / "scores.seeds.csv", index_col=0)
    runs = pd.read_csv(NESTED / "seeds.tsv", sep="\t").groupby("system")["run"]
    by_system = {system: scores[names].to_numpy() for system, names in runs}
    for row in pd.read_csv(NESTED / "expected.seeds.tsv", sep="\t").itertuples():
        sides, pair = [by_system[row.system], by_system[row.other]], Contrasts.all_pairs(2)
        means = TableDifferences(np.column_stack([side.mean(axis=1) for side in sides]), pair)
        seeded = ReplicatedDifferences(means, run_spread(sides), pair)
        moments, (t, p) = seeded.tested("t")
        parts = means.standard_error(moments), *(np.sqrt(part.sum()) for part in seeded.spread[:2])
        ours = (moments.mean, *parts, seeded.standard_error(moments), seeded.df, t, p)
        theirs = (row.difference, row.se_topics, row.se_seeds, row.se_rest, row.se, row.df, row.t, row.p)
        np.testing.assert_allclose(np.hstack(ours), theirs, rtol=1e-9, atol=1e-9)


Z = st.integers(0, 2**32 - 1).map(lambda seed: np.random.default_rng(seed).normal(size=(12, 3)))


@given(Z)
def test_each_topic_its_own_cluster_is_the_plain_test(z: np.ndarray) -> None:
    tested, plain = clustered_t(z, np.arange(12)), paired_t(z, np.zeros(3))
    np.testing.assert_allclose(tested.statistic, plain.statistic, rtol=1e-12)
    np.testing.assert_allclose(tested.p, plain.p, rtol=1e-10)
    np.testing.assert_allclose(tested.df, 11)


@given(Z)
def test_doubling_every_topic_inside_its_cluster_changes_nothing(z: np.ndarray) -> None:
    cluster = np.array([0, 0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 5])
    once, twice = clustered_t(z, cluster), clustered_t(np.repeat(z, 2, axis=0), np.repeat(cluster, 2))
    for left, right in zip(once, twice, strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-10)


@given(Z)
def test_with_equal_sizes_both_estimands_are_one(z: np.ndarray) -> None:
    cluster = np.repeat(np.arange(6), 2)
    by_topic, by_cluster = clustered_t(z, cluster), clustered_t(cluster_means(z, cluster), np.arange(6))
    for left, right in zip(by_topic, by_cluster, strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-10)


def test_components_are_unbiased_for_unequal_sizes() -> None:
    """Each is 1 for its own effect and 0 for the others, on average over all signs of a design of effects."""
    sizes, systems = (4, 2, 1, 3), 3
    cluster = np.repeat(np.arange(4), sizes)
    rng = np.random.default_rng(5)
    found = []
    for _ in range(4000):
        effects = rng.normal(size=systems), rng.normal(size=4), rng.normal(size=10), rng.normal(size=(4, systems))
        scores = effects[0] + (effects[1][cluster] + effects[2])[:, None] + effects[3][cluster]
        scores = scores + rng.normal(size=scores.shape)
        found.append(cluster_components(scores, cluster)[0])
    np.testing.assert_allclose(np.mean(found, axis=0), 1.0, atol=0.12)
