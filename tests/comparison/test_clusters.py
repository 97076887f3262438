"""Comparisons of topics in clusters: golden tests, laws, and what is refused or warned of."""

from __future__ import annotations

import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtr

import cranfield
from cranfield import engine, reference_engine
from cranfield.comparison import estimate_ranks, gate
from cranfield.comparison.regression_gate import describe_gate
from cranfield.errors import InputError, UsageError
from data_sets import GOLDEN

NESTED = GOLDEN / "nested"
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")
CLUSTERS = pd.Series({f"q{at}": f"c{at % 12 if at < 24 else 1}" for at in range(32)})
"""12 clusters, of which one has ten topics, and the others two."""


def board(name: str) -> tuple[pd.DataFrame, pd.Series[str]]:
    scores = pd.read_csv(NESTED / f"scores.{name}.csv", index_col=0)
    return scores, pd.read_csv(NESTED / f"clusters.{name}.tsv", sep="\t", index_col=0)["cluster"]


def scores(topics: int = 32, systems: int = 5, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    values = rng.normal(0.5, 0.1, (topics, systems)) + np.arange(systems) * 0.02
    return pd.DataFrame(values, [f"q{at}" for at in range(topics)], [f"s{at}" for at in range(systems)])


def by_pair(table: pd.DataFrame, row: object) -> tuple[pd.Series, float]:
    """The row of a pair, and 1 or -1 where the golden row has it the other way round."""
    for sign, names in ((1.0, (row.system, row.other)), (-1.0, (row.other, row.system))):
        rows = table[(table["system"] == names[0]) & (table["other"] == names[1])]
        if len(rows):
            return rows.iloc[0], sign
    raise AssertionError(row)


def test_t_is_the_golden_one() -> None:
    expected = pd.read_csv(NESTED / "expected.t.tsv", sep="\t")
    for (data, estimand), rows in expected.groupby(["data", "estimand"]):
        table, clusters = board(data)
        compared = cranfield.compare(
            table, topic_clusters=clusters, mean_over=estimand, interval="t", margin=0.05, correction="none"
        )
        for row in rows.itertuples():
            ours, sign = by_pair(compared.pairs, row)
            low, high = (ours["low"], ours["high"]) if sign > 0 else (-ours["high"], -ours["low"])
            values = (sign * ours["difference"], sign * ours["statistic"], ours["p"], low, high)
            theirs = (row.difference, row.t, row.p, row.low, row.high)
            np.testing.assert_allclose(values, theirs, rtol=1e-9, atol=1e-9)
            assert (ours["clusters"], ours["topics"]) == (row.clusters, row.topics)
            if sign > 0:
                margins, _ = by_pair(compared.margins, row)
                assert margins["p_noninferior"] == pytest.approx(row.p_noninferior, rel=1e-9)
            else:
                assert stdtr(row.df, -(row.difference + 0.05) / row.se) == pytest.approx(row.p_noninferior, rel=1e-9)


@pytest.mark.parametrize("correction", ["max-t", "max-t-step-down"])
def test_flips_are_the_golden_ones(correction: str) -> None:
    expected = pd.read_csv(NESTED / "expected.flips.tsv", sep="\t")
    for (data, estimand), rows in expected.groupby(["data", "estimand"]):
        table, clusters = board(data)
        compared = cranfield.compare(
            table, test="permutation", topic_clusters=clusters, mean_over=estimand, correction=correction
        )
        for row in rows.itertuples():
            ours, sign = by_pair(compared.pairs, row)
            adjusted = row.p_max_t if correction == "max-t" else row.p_max_t_step_down
            assert (ours["p"], ours["p_adjusted"]) == (row.p_raw, adjusted)
            low, high = (ours["low"], ours["high"]) if sign > 0 else (-ours["high"], -ours["low"])
            np.testing.assert_allclose((low, high), (row.low, row.high), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("stepdown", [True, False])
def test_rank_sets_are_the_golden_ones(stepdown: bool) -> None:
    expected = pd.read_csv(NESTED / "expected.ranks.tsv", sep="\t")
    for (data, estimand), rows in expected.groupby(["data", "estimand"]):
        table, clusters = board(data)
        ranks = estimate_ranks(table, topic_clusters=clusters, mean_over=estimand, stepdown=stepdown).table
        for row in rows.itertuples():
            ours = ranks.loc[row.system]
            assert ours["mean"] == pytest.approx(row.mean, rel=1e-9)
            bounds = (row.low, row.high) if stepdown else (row.single_low, row.single_high)
            assert (ours["rank"], ours["low"], ours["high"]) == (row.rank, *bounds)
            if stepdown:
                assert (ours["marginal_low"], ours["marginal_high"]) == (row.marginal_low, row.marginal_high)


@pytest.mark.parametrize("mean_over", ["topics", "clusters"])
@pytest.mark.parametrize("topics", [10, 32])
def test_ranks_of_topics_that_are_their_own_clusters_are_those_without(mean_over: str, topics: int) -> None:
    table = scores(topics)
    table["equal"], table["constant"] = table["s0"], table["s0"] + 0.1
    own = estimate_ranks(table, topic_clusters=OWN[:topics], mean_over=mean_over, resamples=2000)
    pd.testing.assert_frame_equal(own.table, estimate_ranks(table, resamples=2000).table, rtol=1e-12)


def test_ranks_by_resamples_that_know_no_clusters_are_refused() -> None:
    for method in ("normal", "bootstrap"):
        with pytest.raises(UsageError, match="take procedure='flips', or mean_over='clusters'"):
            estimate_ranks(scores(), topic_clusters=CLUSTERS, procedure=method)
        ranks = estimate_ranks(scores(), topic_clusters=CLUSTERS, mean_over="clusters", procedure=method)
        assert ranks.settings["mean_over"] == "clusters"
    with pytest.raises(UsageError, match=r"5 clusters allow no p below 0.0625: at least 6"):
        estimate_ranks(scores(), topic_clusters=clusters_of(5))


OWN = pd.Series({f"q{at}": f"own {at}" for at in range(32)})


@pytest.mark.parametrize("mean_over", ["topics", "clusters"])
@pytest.mark.parametrize(
    "options",
    [
        {"test": "t"},
        {"test": "t", "margin": 0.02, "baseline": ["s0"]},
        {"test": "permutation", "resamples": 2000},
        {"test": "permutation", "resamples": 500, "correction": "holm"},
        {"test": "permutation", "resamples": 2000, "correction": "max-t-step-down"},
        {"test": "bootstrap"},
        {"test": "bootstrap", "correction": "max-t-step-down"},
        {"test": "bootstrap", "correction": "none", "interval": "percentile"},
        {"test": "t", "interval": "bca"},
    ],
)
def test_each_topic_its_own_cluster_gives_the_numbers_without_clusters(options: dict, mean_over: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = cranfield.compare(scores(), **options)
        own = cranfield.compare(scores(), topic_clusters=OWN, mean_over=mean_over, **options)
    without = ["d_pair_low", "d_pair_high", "d_residual_low", "d_residual_high"] if mean_over == "topics" else []
    pd.testing.assert_frame_equal(
        own.pairs.drop(columns=["clusters", *without]), plain.pairs.drop(columns=without), rtol=1e-12, atol=1e-14
    )
    if plain.margins is not None:
        pd.testing.assert_frame_equal(own.margins, plain.margins, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("test", ["t", "permutation", "bootstrap"])
def test_a_constant_for_each_topic_and_names_of_clusters_change_nothing(test: str) -> None:
    table = scores()
    shifted = table.add(pd.Series(np.linspace(0, 5, len(table)), table.index), axis=0)
    named = CLUSTERS.map(lambda name: f"other {name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        once = cranfield.compare(table, test=test, topic_clusters=CLUSTERS).pairs
        again = cranfield.compare(shifted, test=test, topic_clusters=named).pairs
    columns = ["difference", "low", "high", "statistic", "p", "p_adjusted"]
    pd.testing.assert_frame_equal(once[columns], again[columns], rtol=1e-9)


def test_both_engines_count_the_same_flips(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = cranfield.compare(scores(), test="permutation", topic_clusters=CLUSTERS).pairs
    monkeypatch.setattr(engine, "current", lambda: SimpleNamespace(count_reached=reference_engine.count_reached))
    again = cranfield.compare(scores(), test="permutation", topic_clusters=CLUSTERS).pairs
    pd.testing.assert_frame_equal(compiled, again, rtol=1e-12)


def compare(clusters: object = CLUSTERS, **options: object) -> cranfield.Comparison:
    return cranfield.compare(scores(), topic_clusters=clusters, **options)  # type: ignore[arg-type]


def clusters_of(count: int) -> pd.Series[str]:
    return pd.Series({f"q{at}": f"c{at % count}" for at in range(32)})


@pytest.mark.parametrize("test", ["welch", "tukey", "randomized-tukey", "dunnett"])
def test_tests_that_know_no_clusters_are_refused(test: str) -> None:
    with pytest.raises(UsageError, match=r"does not work with clusters: take test='t' or test='permutation'"):
        compare(test=test, **({"baseline": ["s0"]} if test == "dunnett" else {}))


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_tests_of_ranks_take_cluster_means(test: str) -> None:
    with pytest.raises(UsageError, match="takes the mean of each cluster: add mean_over='clusters'"):
        compare(test=test)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = compare(test=test, mean_over="clusters").pairs
        means = scores().groupby(CLUSTERS, sort=False).mean()
        theirs = cranfield.compare(means, test=test).pairs
    pd.testing.assert_frame_equal(
        ours.drop(columns=["topics", "clusters"]), theirs.drop(columns="topics"), rtol=1e-12, atol=1e-14
    )


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_percentiles_of_few_clusters_are_refused(interval: str) -> None:
    with pytest.raises(UsageError, match="of 12 clusters is too short: it takes 20 or more; take interval='t'"):
        compare(interval=interval)


def test_few_clusters_are_refused() -> None:
    with pytest.raises(InputError, match="4 clusters say nothing of other clusters: at least 5"):
        compare(clusters_of(4))
    with pytest.raises(InputError, match="1 cluster says nothing of other clusters: at least 5"):
        compare(clusters_of(1))


def test_few_flips_are_refused() -> None:
    with pytest.raises(UsageError, match=r"5 clusters allow no p below 0.0625: at least 6"):
        compare(clusters_of(5), test="permutation")


def test_few_degrees_of_freedom_are_warned_of() -> None:
    clusters = pd.Series({f"q{at}": f"c{at}" if at < 5 else "large" for at in range(32)})
    with pytest.warns(cranfield.CranfieldWarning, match=r"6 clusters leave 1.\d degrees of freedom") as caught:
        compare(clusters)
    assert any("one cluster holds 27 of 32 topics" in str(warning.message) for warning in caught)


def test_unequal_sizes_are_advised_on() -> None:
    clusters = pd.Series({f"q{at}": f"c{at}" if at < 20 else "large" for at in range(32)})
    with pytest.warns(cranfield.CranfieldWarning, match="with mean_over='clusters' there are 20, and tests find more"):
        compare(clusters)


def test_topics_without_a_cluster_are_refused() -> None:
    with pytest.raises(InputError, match=r"topics 'q0', 'q1', 'q2' \(and 1 more\) have no cluster"):
        compare(CLUSTERS.iloc[4:])


def test_lines_for_other_topics_are_counted() -> None:
    with pytest.warns(cranfield.CranfieldWarning, match="2 topics with a cluster are not in the scores: ignored"):
        compare(pd.concat([CLUSTERS, pd.Series({"x": "c1", "y": "c2"})]))


def test_a_topic_in_two_clusters_is_refused_with_both_lines(tmp_path: Path) -> None:
    path = tmp_path / "clusters.tsv"
    path.write_text("q1\ta\nq2\ta\nq1\tb\n")
    with pytest.raises(InputError, match=r":3: topic 'q1' is in two clusters, 'a' \(line 1\) and 'b'"):
        compare(path)


@pytest.mark.parametrize("option", ["topic_clusters", "replicates"])
@pytest.mark.parametrize("line", ["{} c1 0", "{},c1,0", "{}\tc1\t0"])
def test_a_line_with_a_third_field_is_refused(tmp_path: Path, option: str, line: str) -> None:
    path, table = tmp_path / "units", scores()
    names = table.index if option == "topic_clusters" else table.columns
    head = "\t".join(["topic", "cluster"] if option == "topic_clusters" else ["run", "system"])
    first = head if "\t" in line else line.format(names[0]).removesuffix(",0").removesuffix(" 0")
    path.write_text("\n".join([first, *(line.format(name) for name in names)]))
    with pytest.raises(InputError, match=rf"units:2: 3 fields, expected two, .*'{names[0]}.+c1.+0'"):
        cranfield.compare(table, **{option: path})


def test_clusters_that_are_all_one_topic_are_said_to_be_none(tmp_path: Path) -> None:
    table = scores()
    singles = {topic: topic for topic in table.index}
    said = "32 clusters of 1 topic each, as if there were none"
    with pytest.warns(cranfield.CranfieldWarning, match=said):
        verdict = gate(table, baseline="s0", topic_clusters=singles)
    assert f"in {said}, each topic weighs the same" in describe_gate(verdict)


@pytest.mark.parametrize("address", ["local", "tcp://host:8786", "tls://host:8786"])
def test_an_address_of_a_cluster_of_machines_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="is the address of a Dask cluster"):
        compare(address)


def test_a_mean_over_clusters_needs_clusters() -> None:
    with pytest.raises(UsageError, match="mean_over='clusters' needs clusters"):
        cranfield.compare(scores(), mean_over="clusters")


def test_a_pair_of_few_clusters_has_no_p() -> None:
    table = scores()
    table.loc[CLUSTERS.isin([f"c{at}" for at in range(4, 12)]), "s0"] = np.nan
    with pytest.warns(cranfield.CranfieldWarning, match="share topics of fewer than 5 clusters"):
        pairs = cranfield.compare(table, topic_clusters=CLUSTERS).pairs
    few = (pairs["system"] == "s0") | (pairs["other"] == "s0")
    assert pairs.loc[few, ["p", "low", "high", "p_adjusted"]].isna().all(axis=None)
    assert pairs.loc[~few, ["p", "low", "high", "p_adjusted"]].notna().all(axis=None)
    assert not pairs.loc[few, "significant"].any()


def test_pairs_whose_answer_depends_on_what_weighs_the_same_are_named() -> None:
    table = scores(systems=2)
    large = CLUSTERS == "c1"
    table.loc[large, "s1"], table.loc[~large, "s1"] = table.loc[large, "s0"] + 0.4, table.loc[~large, "s0"] - 0.1
    with pytest.warns(cranfield.CranfieldWarning, match="differ in sign, or in the verdict by t"):
        cranfield.compare(table, topic_clusters=CLUSTERS)


def test_settings_and_signature_name_the_estimand() -> None:
    compared = compare()
    assert compared.settings["mean_over"] == "topics"
    assert {"clusters": 12, "smallest": 2, "largest": 10}.items() <= compared.settings["topic_clusters"].items()
    assert compared.signature["settings"]["topic_clusters"] == compared.settings["topic_clusters"]


def test_a_gate_takes_the_error_of_clusters() -> None:
    table = scores(systems=3)
    gated = gate(table, baseline="s0", margin=0.02, alpha=0.05, topic_clusters=CLUSTERS)
    tested = cranfield.compare(table, baseline=["s0"], margin=0.02, correction="bonferroni", topic_clusters=CLUSTERS)
    np.testing.assert_allclose(
        gated.rows["p_no_regression"], np.minimum(1, tested.margins["p_noninferior"]), rtol=1e-9, atol=1e-12
    )
    assert gated.rows["clusters"].tolist() == [12, 12]
    assert gated.settings["mean_over"] == "topics"
    assert "topics in 12 clusters of 2 to 10 topics, each topic weighs the same," in describe_gate(gated)


@pytest.mark.parametrize("mean_over", ["topics", "clusters"])
def test_a_gate_of_topics_that_are_their_own_clusters_is_that_without(mean_over: str) -> None:
    own = gate(scores(), margin=0.02, topic_clusters=OWN, mean_over=mean_over).rows.drop(columns=["clusters", "reason"])
    pd.testing.assert_frame_equal(own, gate(scores(), margin=0.02).rows.drop(columns="reason"), rtol=1e-12, atol=1e-14)


def test_a_gate_of_few_clusters_cannot_tell() -> None:
    with pytest.raises(InputError, match="4 clusters say nothing of other clusters"):
        gate(scores(), topic_clusters=clusters_of(4))
    assert gate(scores(), topic_clusters=clusters_of(4), few_topics="cannot tell").verdict == "cannot tell"
    table = scores(systems=2)
    table.loc[CLUSTERS.isin([f"c{at}" for at in range(4, 12)]), "s1"] = np.nan
    with pytest.raises(InputError, match="share topics of 4 clusters, of 5 needed"):
        gate(table, topic_clusters=CLUSTERS)
