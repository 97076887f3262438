"""Comparisons of systems with several runs: golden tests, laws, and what is refused or warned of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield.comparison import gate
from cranfield.comparison.regression_gate import describe_gate
from cranfield.errors import InputError, UsageError
from cranfield.statistics.clustered_differences import ClusteredDifferences
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.replicated_tests import ReplicatedDifferences, run_spread
from data_sets import GOLDEN

NESTED = GOLDEN / "nested"
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")
SEEDS = pd.Series({f"{system}{run}": system for system in "abc" for run in range(4 if system == "c" else 3)})
"""Three runs of a and b, four of c."""
OWN = pd.Series({f"q{at}": f"own {at}" for at in range(30)})
CLUSTERS = pd.Series({f"q{at}": f"c{at % 8 if at < 16 else 0}" for at in range(30)})


def scores(spread: float = 0.05) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    systems = {name: rng.normal(0.5 + 0.05 * at, 0.1, 30) for at, name in enumerate("abc")}
    runs = {run: systems[system] + rng.normal(0, spread, 30) + rng.normal(0, spread) for run, system in SEEDS.items()}
    return pd.DataFrame(runs, [f"q{at}" for at in range(30)])


def compare(table: pd.DataFrame | None = None, replicates: object = SEEDS, **options: object) -> cranfield.Comparison:
    return cranfield.compare(scores() if table is None else table, replicates=replicates, **options)  # type: ignore[arg-type]


def test_differences_are_the_golden_ones() -> None:
    table = pd.read_csv(NESTED / "scores.seeds.csv", index_col=0)
    pairs = compare(table, NESTED / "seeds.tsv", correction="none", interval="t").pairs.set_index(["system", "other"])
    for row in pd.read_csv(NESTED / "expected.seeds.tsv", sep="\t").itertuples():
        ours = pairs.loc[(row.system, row.other)]
        theirs = (row.difference, row.t, row.p, row.low, row.high)
        np.testing.assert_allclose(
            ours[["difference", "statistic", "p", "low", "high"]].to_numpy(float), theirs, rtol=1e-9, atol=1e-9
        )


def test_pairs_are_corrected_by_holm_and_intervals_by_bonferroni() -> None:
    compared = compare()
    assert compared.settings["correction"] == "holm"
    assert compared.settings["interval"] == "bonferroni"
    assert compared.settings["replicates"].items() >= {"runs": 10, "fewest": 3, "most": 4}.items()
    assert list(compared.means.index) == ["c", "b", "a"]
    assert compared.pairs["d_pair"].notna().all()
    assert compared.pairs[["d_pair_low", "d_residual_high"]].isna().all(axis=None)


def test_runs_that_do_not_differ_leave_the_test_of_topics() -> None:
    table = scores(spread=0.0)
    seeded = compare(table).pairs
    plain = cranfield.compare(table[["a0", "b0", "c0"]].rename(columns=SEEDS)).pairs
    columns = ["difference", "low", "high", "statistic", "p", "p_adjusted"]
    pd.testing.assert_frame_equal(seeded[columns], plain[columns], rtol=1e-9, atol=1e-12)


def test_a_constant_for_each_topic_and_the_order_of_runs_change_nothing() -> None:
    table = scores()
    shifted = table.add(pd.Series(np.linspace(0, 5, len(table)), table.index), axis=0)[table.columns[::-1]]
    once, again = compare(table).pairs, compare(shifted).pairs
    columns = ["difference", "low", "high", "statistic", "p", "p_adjusted"]
    pd.testing.assert_frame_equal(once[columns], again[columns], rtol=1e-9)


@pytest.mark.parametrize("mean_over", ["topics", "clusters"])
def test_each_topic_its_own_cluster_gives_the_numbers_without_clusters(mean_over: str) -> None:
    own = compare(topic_clusters=OWN, mean_over=mean_over, margin=0.02)
    plain = compare(margin=0.02)
    pd.testing.assert_frame_equal(own.pairs.drop(columns="clusters"), plain.pairs, rtol=1e-12, atol=1e-14)
    pd.testing.assert_frame_equal(own.margins, plain.margins, rtol=1e-12, atol=1e-14)


def seeded_t(sides: list[np.ndarray], cluster: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """t and p of the difference of two systems with the scores of several runs each, [topics, runs]."""
    pair = Contrasts.all_pairs(2)
    means = ClusteredDifferences(np.column_stack([side.mean(axis=1) for side in sides]), pair, cluster)
    return ReplicatedDifferences(means, run_spread(sides), pair).tested("t")[1]


def test_clusters_and_runs_make_the_error_together() -> None:
    table, number = scores(), pd.factorize(CLUSTERS)[0]
    pairs = compare(table, topic_clusters=CLUSTERS, correction="none").pairs
    for row in pairs.itertuples():
        expected = seeded_t(
            [table[[run for run in SEEDS.index if SEEDS[run] == name]].to_numpy() for name in (row.system, row.other)],
            number,
        )
        np.testing.assert_allclose((row.statistic, row.p), np.hstack(expected), rtol=1e-9)


def test_a_topic_that_a_run_lacks_its_system_lacks() -> None:
    table = scores()
    table.loc["q3", "a1"] = np.nan
    pairs = compare(table).pairs.set_index(["system", "other"])
    assert pairs["topics"].to_dict() == {("c", "b"): 30, ("c", "a"): 29, ("b", "a"): 29}
    without = compare(table.drop(index="q3")).pairs.set_index(["system", "other"])
    np.testing.assert_allclose(pairs.loc[("c", "a"), "p"], without.loc[("c", "a"), "p"], rtol=1e-12)


def test_a_gate_takes_the_error_of_topics_and_runs() -> None:
    gated = gate(scores(), margin=0.02, replicates=SEEDS)
    tested = compare(baseline=["a"], margin=0.02, correction="bonferroni").margins
    np.testing.assert_allclose(gated.rows["p_no_regression"], np.minimum(1, tested["p_noninferior"]), rtol=1e-9)
    assert gated.settings["baseline"] == "a"
    assert "of means over 3 to 4 runs of each system at 0.05" in describe_gate(gated)
    own = gate(scores(), margin=0.02, replicates=SEEDS, topic_clusters=OWN).rows.drop(columns=["clusters", "reason"])
    pd.testing.assert_frame_equal(own, gated.rows.drop(columns="reason"), rtol=1e-12, atol=1e-14)
    with pytest.raises(UsageError, match="not as against"):
        gate(scores(), replicates=SEEDS, against=scores())


def test_a_system_with_one_run_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="'b' has one run: how much its runs differ cannot be known"):
        compare(scores().drop(columns=["b1", "b2"]))


def test_a_run_without_a_system_is_refused_and_one_without_scores_counted() -> None:
    with pytest.raises(InputError, match="there is no system for run a0"):
        compare(replicates=SEEDS.drop("a0"))
    with pytest.warns(cranfield.CranfieldWarning, match="1 run with a system is not in the scores: ignored"):
        compare(replicates=pd.concat([SEEDS, pd.Series({"z": "a"})]))


def test_a_run_of_two_systems_is_refused_with_both_lines(tmp_path: Path) -> None:
    path = tmp_path / "seeds.tsv"
    path.write_text("run\tsystem\na0\ta\na1\ta\na0\tb\n")
    with pytest.raises(InputError, match=r":4: run 'a0' is in two systems, 'a' \(line 2\) and 'b'"):
        compare(replicates=path)


@pytest.mark.parametrize("test", ["permutation", "bootstrap", "wilcoxon", "sign", "welch", "tukey"])
def test_tests_that_know_no_runs_are_refused(test: str) -> None:
    with pytest.raises(UsageError, match="does not work with several runs of a system: take test='t'"):
        compare(test=test)
    with pytest.raises(UsageError, match="interval='bca' draws topics alone"):
        compare(interval="bca")


@pytest.mark.heavy
@pytest.mark.parametrize("topics", [25, 50])
@pytest.mark.parametrize("variance", [0.0, 0.01, 0.05])
def test_equal_systems_seldom_differ(topics: int, variance: float) -> None:
    """Seed variance beside .3 of system x topic; two systems of three and five runs."""
    rng, samples, wrong = np.random.default_rng(3), 2000, 0
    for _ in range(samples):
        sides = [
            rng.normal(0, np.sqrt(0.3), (topics, 1))
            + rng.normal(0, np.sqrt(variance), runs)
            + rng.normal(0, 0.3, (topics, runs))
            for runs in (3, 5)
        ]
        wrong += seeded_t(sides, np.arange(topics))[1][0] < 0.05
    assert wrong / samples < 0.065


def test_a_gate_of_runs_and_clusters_says_means_of_clusters() -> None:
    table = scores()
    gated = gate(table, margin=0.02, replicates=SEEDS, topic_clusters=CLUSTERS, mean_over="clusters").rows
    by_system = table.T.groupby(SEEDS).mean().T
    means = by_system.groupby(CLUSTERS).mean().mean()
    np.testing.assert_allclose(gated["mean"], means[gated["system"]], rtol=1e-12)
    np.testing.assert_allclose(gated["mean_baseline"], means["a"], rtol=1e-12)
    pd.testing.assert_series_equal(gated["mean"] - gated["mean_baseline"], gated["difference"], check_names=False)
