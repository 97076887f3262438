"""Weights of topics: means, tests, intervals and the gate, against formulas, copies of topics and brute force."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy import stats

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.comparison import compare, compare_measures, gate

FIELD = Path(__file__).parents[3] / "shared" / "golden" / "field" / "topic-weights"
pytestmark = pytest.mark.filterwarnings("ignore:.*degrees of freedom.*:cranfield.CranfieldWarning")


def scores(topics: int = 12, systems: int = 3, seed: int = 1) -> xr.DataArray:
    table = np.random.default_rng(seed).random((topics, systems))
    labels = {"topic": [f"q{at}" for at in range(topics)], "system": list("ABCDEF"[:systems])}
    return xr.DataArray(table, labels, ("topic", "system"), name="AP")


def weights_of(table: xr.DataArray, seed: int = 2) -> dict[str, int]:
    drawn = np.random.default_rng(seed).integers(1, 6, table.sizes["topic"])
    return dict(zip(table["topic"].values.tolist(), drawn.tolist(), strict=True))


def copied(table: xr.DataArray, weights: dict[str, int]) -> tuple[xr.DataArray, dict[str, str]]:
    """Each topic as often as it weighs, and the cluster of each copy."""
    names = [(topic, at) for topic, count in weights.items() for at in range(count)]
    copies = table.sel(topic=[topic for topic, _ in names]).assign_coords(topic=[f"{t}.{at}" for t, at in names])
    return copies, {f"{topic}.{at}": topic for topic, at in names}


def by_formula(z: np.ndarray, w: np.ndarray) -> tuple[float, float, float, float]:
    """Mean, CR2's error, Bell and McCaffrey's degrees of freedom, p: from h = w / sum w, term by term."""
    h = w / w.sum()
    mean = sum(a * b for a, b in zip(h, z, strict=True))
    error = np.sqrt(sum(a**2 * (b - mean) ** 2 / (1 - a) for a, b in zip(h, z, strict=True)))
    # The error is a sum of squares of c (d - mean), c = h / sqrt(1 - h), where d has the variance 1 / h of a mean of
    # h copies; a sum of squares with the covariance M has trace(M)^2 / sum M^2 degrees of freedom.
    c = h / np.sqrt(1 - h)
    covariance = np.outer(c, c) * (np.diag(1 / h) - 1)
    df = np.trace(covariance) ** 2 / (covariance**2).sum()
    return float(mean), float(error), float(df), float(2 * stats.t.sf(abs(mean / error), df))


@pytest.mark.skipif(not FIELD.exists(), reason="the field's cases are not here")
def test_the_fields_case() -> None:
    """A weighted difference of .03 has CR2's error .054030, t .555247 and p .6137, by weights as by copies."""
    copies = cranfield.read_scores(FIELD / "expanded.csv")
    counts = pd.Series([name.split(".")[0] for name in copies["topic"].values.tolist()]).value_counts()
    once = copies.sel(topic=[f"{name}.0" for name in counts.index]).assign_coords(topic=list(counts.index))
    pair = compare(once, topic_weights=counts.to_dict()).pairs.iloc[0]
    assert (pair["difference"], pair["statistic"]) == pytest.approx((0.03, 0.555247), abs=1e-6)
    assert pair["difference"] / pair["statistic"] == pytest.approx(0.054030, abs=1e-6)
    assert pair["p"] == pytest.approx(0.6137, abs=5e-5)


@pytest.mark.parametrize("seed", range(3))
def test_t_is_its_formula(seed: int) -> None:
    table = scores(seed=seed)
    w = np.array(list(weights_of(table, seed).values()), dtype=float)
    found = compare(table, topic_weights=weights_of(table, seed), correction="none")
    for pair in found.pairs.itertuples():
        mean, error, df, p = by_formula((table.sel(system=pair.system) - table.sel(system=pair.other)).values, w)
        half = stats.t.ppf(0.975, df) * error
        assert (pair.difference, pair.low, pair.high) == pytest.approx((mean, mean - half, mean + half))
        assert pair.p == pytest.approx(p)
        assert pair.mean == pytest.approx(np.average(table.sel(system=pair.system).values, weights=w))
    assert found.means.sort_index().tolist() == pytest.approx(np.average(table.values, axis=0, weights=w))


@pytest.mark.parametrize("options", [{}, {"test": "permutation"}, {"test": "bootstrap"}, {"interval": "bca"}])
def test_weights_are_copies_of_topics_in_clusters(options: dict[str, Any]) -> None:
    """Whole numbers: the same p, intervals and means as of a file with each topic so often, copies in clusters."""
    table = scores(22)
    copies, clusters = copied(table, weights_of(table))
    weighted = compare(table, topic_weights=weights_of(table), **options).pairs
    expanded = compare(copies, topic_clusters=clusters, **options).pairs
    for name in ("difference", "mean", "mean_other", "low", "high", "p", "p_adjusted", "statistic"):
        assert weighted[name].tolist() == pytest.approx(expanded[name].tolist()), name


@pytest.mark.parametrize("options", [{}, {"test": "permutation"}, {"test": "bootstrap"}, {"interval": "percentile"}])
def test_equal_weights_change_nothing(options: dict[str, Any]) -> None:
    table = scores(15)
    plain = compare(table, **options).pairs
    weighted = compare(table, topic_weights=dict.fromkeys(weights_of(table), 7.5), **options).pairs
    columns = [name for name in plain.select_dtypes("number") if not name.endswith(("_low", "_high"))]
    pd.testing.assert_frame_equal(weighted[columns], plain[columns], rtol=1e-9, check_dtype=False)


def test_permutation_is_all_flips_of_the_studentised_weighted_mean() -> None:
    table = scores(8, 2, seed=4)
    w = np.array(list(weights_of(table).values()), dtype=float)
    z = (table[:, 0] - table[:, 1]).values
    drawn = [
        abs(by_formula(z * np.array(flip), w)[0] / by_formula(z * np.array(flip), w)[1])
        for flip in itertools.product((1, -1), repeat=8)
    ]
    expected = np.mean(np.array(drawn) >= drawn[0] * (1 - 1e-12))
    found = compare(table, topic_weights=weights_of(table), test="permutation").pairs
    assert found["p"][0] == pytest.approx(expected)


def test_clusters_may_be_weighted_too() -> None:
    table = scores(20)
    weights, clusters = weights_of(table), {f"q{at}": f"c{at // 2}" for at in range(20)}
    copies, own = copied(table, weights)
    of_copies = {copy: clusters[topic] for copy, topic in own.items()}
    weighted = compare(table, topic_weights=weights, topic_clusters=clusters).pairs
    expanded = compare(copies, topic_clusters=of_copies).pairs
    for name in ("difference", "low", "high", "p", "clusters"):
        assert weighted[name].tolist() == pytest.approx(expanded[name].tolist()), name


def test_pairs_with_gaps_are_weighted_on_the_topics_that_both_have() -> None:
    table = scores(12, 3)
    table[0, 0], table[3, 1] = np.nan, np.nan
    with pytest.warns(CranfieldWarning, match="pairs are compared on the topics that both have"):
        found = compare(table, topic_weights=weights_of(table), correction="none").pairs
    w = np.array(list(weights_of(table).values()), dtype=float)
    for pair in found.itertuples():
        z = (table.sel(system=pair.system) - table.sel(system=pair.other)).values
        known = ~np.isnan(z)
        mean, _, _, p = by_formula(z[known], w[known])
        assert (pair.difference, pair.p, pair.topics) == pytest.approx((mean, p, known.sum()))


def test_a_margin_and_the_gate_are_weighted() -> None:
    """A topic that is asked often decides: without weights no regression is found, with them one is."""
    rng = np.random.default_rng(3)
    table = scores(30, 2)
    loss = np.where(np.arange(30) < 8, 0.3, -0.05) + 0.02 * rng.standard_normal(30)
    table[:, 1] = table[:, 0].values - loss
    weights = {f"q{at}": 20 if at < 8 else 1 for at in range(30)}
    plain, weighted = gate(table, margin=0.05), gate(table, margin=0.05, topic_weights=weights)
    assert (plain.verdict, weighted.verdict) == ("cannot tell", "regression")
    w = np.array(list(weights.values()), dtype=float)
    mean, error, df, _ = by_formula(-loss, w)
    row = weighted.rows.iloc[0]
    assert row.p_regression == pytest.approx(stats.t.cdf((mean + 0.05) / error, df))
    assert row["mean"] - row.mean_baseline == pytest.approx(mean)
    with pytest.warns(CranfieldWarning, match="in fewer than 80% of cases"):
        margins = compare(table, margin=0.05, baseline="A", topic_weights=weights).margins
    assert margins is not None
    assert margins["p_noninferior"][0] == pytest.approx(row.p_no_regression)
    assert weighted.settings["topic_weights"]["effective"] == pytest.approx(w.sum() ** 2 / (w**2).sum())


def test_the_table_of_a_paper_is_weighted_and_says_so() -> None:
    table = scores(25)
    found = compare_measures(xr.Dataset({"AP": table}), topic_weights=weights_of(table))
    expected = compare(table, topic_weights=weights_of(table))
    means = found.rows.set_index("system")["mean"]
    assert means[expected.means.index].tolist() == pytest.approx(expected.means.tolist())
    assert found.pairs["p_adjusted"].tolist() == pytest.approx(expected.pairs["p_adjusted"].tolist())
    assert "Topics are weighted, which count as " in found.to_markdown()


def test_a_constant_difference_has_exact_signs_whatever_the_weights() -> None:
    table = scores(6, 2)
    table[:, 1] = table[:, 0] - 0.25
    row = gate(table, topic_weights=weights_of(table)).rows.iloc[0]
    assert (row.verdict, row.p_regression) == ("regression", 0.5**6)


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ({"q0": 1}, "topic 'q1' has no weight: give each topic of the scores one"),
        ({"q0": 1, "q1": -1, "q2": 1}, "the weight of topic 'q1' is '-1', and should be a number, 0 or above"),
        ({"q0": 1e308, "q1": 1e308, "q2": 1}, "the sum of the weights is infinite: give smaller ones"),
        ({"q0": 1, "q1": 0, "q2": 0}, "1 topic with a weight above 0, of 2 needed"),
        ({"q0": 1, "q1": "often", "q2": 1}, "the weight of topic 'q1' is 'often'"),
        ({"q0": 1, "q1": "1_0", "q2": 1}, "the weight of topic 'q1' is '1_0'"),
        ({"q0": 1, "q1": "\u0661", "q2": 1}, "the weight of topic 'q1' is '\u0661'"),
        ({"q0": 1, "q1": "7" * 400, "q2": 1}, r"is '7{80}', and"),
        ({"q0": 1, "q1": float("nan"), "q2": 1}, "weight of topic 'q1'|topic 'q1' has no weight"),
    ],
)
def test_weights_that_are_none_are_refused(weights: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        compare(scores(3, 2), topic_weights=weights)


def test_a_file_of_weights_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "weights.tsv").write_text("q0 3\nq1 2\nq1 4\nq2 1\n")
    with pytest.raises(InputError, match="q1"):
        compare(scores(3, 2), topic_weights=str(tmp_path / "weights.tsv"))
    (tmp_path / "log.csv").write_text("query,asked\nq0,30\nq1,20\nq2,10\nq3,5\n")
    with pytest.warns(CranfieldWarning, match="1 topic with a weight is not in the scores: ignored"):
        found = compare(scores(3, 2), topic_weights=f"{tmp_path}/log.csv#asked")
    assert found.settings["topic_weights"]["name"] == "log.csv" and found.settings["topic_weights"]["column"] == "asked"


@pytest.mark.parametrize("test", ["wilcoxon", "sign", "mcnemar", "welch", "tukey", "randomized-tukey", "nemenyi"])
def test_tests_that_count_topics_alike_are_refused(test: Any) -> None:
    with pytest.raises(UsageError, match=f"test='{test}' does not work with weights of topics: take one of test='t'"):
        compare(scores(), test=test, topic_weights=weights_of(scores()))


def test_what_gives_topics_another_weight_is_refused() -> None:
    table, weights = scores(12, 4), weights_of(scores(12))
    with pytest.raises(UsageError, match="topic_weights= and replicates= do not go together"):
        compare(table, topic_weights=weights, replicates={"A": "x", "B": "x", "C": "y", "D": "y"})
    clusters = {f"q{at}": f"c{at // 2}" for at in range(12)}
    with pytest.raises(UsageError, match="mean_over='clusters' gives each cluster the same weight"):
        compare(table, topic_weights=weights, topic_clusters=clusters, mean_over="clusters")
    with pytest.raises(UsageError, match="difference= takes each topic by itself: leave it out, or topic_weights="):
        compare(table, topic_weights=weights, difference=0.1)


def test_a_topic_with_most_of_the_weight_is_warned_of() -> None:
    with pytest.warns(CranfieldWarning, match="topic q2 has 90% of the weight: what is said rests on it"):
        compare(scores(11, 2), topic_weights={f"q{at}": 90 if at == 2 else 1 for at in range(11)})


def test_t_of_equal_systems_errs_about_as_often_as_it_should() -> None:
    """Weights of a lognormal distribution, normal differences: .05 to .065 of 4,000 trials."""
    rng, wrong = np.random.default_rng(0), 0
    h = np.exp(rng.standard_normal((4000, 20)))
    h /= h.sum(axis=1, keepdims=True)
    z = rng.standard_normal(h.shape)
    for share, row in zip(h[:5], z[:5], strict=True):
        table = xr.DataArray(
            np.column_stack([row, np.zeros(20)]),
            {"topic": [f"q{at}" for at in range(20)], "system": ["a", "b"]},
            ("topic", "system"),
            name="AP",
        )
        p = compare(table, topic_weights={f"q{at}": weight for at, weight in enumerate(share)}).pairs["p"][0]
        assert p == pytest.approx(by_formula(row, share)[3])
    mean = (h * z).sum(axis=1)
    error = np.sqrt((h**2 * (z - mean[:, None]) ** 2 / (1 - h)).sum(axis=1))
    terms = h**2 / (1 - h)
    df = 1 / ((h**2).sum(axis=1) + terms.sum(axis=1) ** 2 - (terms**2).sum(axis=1))
    wrong = (2 * stats.t.sf(np.abs(mean / error), df) < 0.05).mean()
    assert 0.045 < wrong < 0.07


def test_a_topic_of_weight_0_does_not_count() -> None:
    table = scores(12)
    weights = weights_of(table) | {"q3": 0, "q7": 0}
    found = compare(table, topic_weights=weights).pairs
    expected = compare(table.drop_sel(topic=["q3", "q7"]), topic_weights=remaining(weights)).pairs
    for name in ("difference", "low", "high", "p_adjusted", "mean"):
        assert found[name].tolist() == pytest.approx(expected[name].tolist()), name
    table[:, 1] = table[:, 0] - 0.25
    assert gate(table[:, :2], topic_weights=weights).rows["p_regression"][0] == 0.5**10


def remaining(weights: dict[str, int]) -> dict[str, int]:
    return {topic: weight for topic, weight in weights.items() if weight}


# ---- weights by difficulty, estimated from the systems that are compared


def easy(scores: np.ndarray) -> np.ndarray:
    return np.array([sum(row) / len(row) for row in scores])


@pytest.mark.parametrize("options", [{}, {"test": "permutation"}, {"test": "bootstrap"}, {"interval": "percentile"}])
def test_difficulty_is_1_less_the_mean_score_of_the_systems(options: dict[str, Any]) -> None:
    table = scores(25, 4)
    by_file = dict(zip(table["topic"].values.tolist(), (1 - easy(table.values)).tolist(), strict=True))
    found, expected = (compare(table, topic_weights=given, **options) for given in ("difficulty", by_file))
    for name in ("difference", "low", "high", "p_adjusted", "mean"):
        assert found.pairs[name].tolist() == pytest.approx(expected.pairs[name].tolist()), name


def test_difficulty_weighs_in_the_gate_and_in_tables_by_each_measure() -> None:
    table = scores(25, 4)
    by_file = dict(zip(table["topic"].values.tolist(), (1 - easy(table.values)).tolist(), strict=True))
    rows, expected = (gate(table, topic_weights=given).rows for given in ("difficulty", by_file))
    assert rows["p_regression"].tolist() == pytest.approx(expected["p_regression"].tolist())
    two = xr.Dataset({"AP": table, "RR": table**2})
    for measure, means in compare_measures(two, topic_weights="difficulty").rows.groupby("measure"):
        w = 1 - easy(two[measure].values)
        weighted = {name: float(w @ two[measure].sel(system=name).values / w.sum()) for name in "ABCD"}
        assert means.set_index("system")["mean"].to_dict() == pytest.approx(weighted)


def test_what_one_system_does_to_the_weights_is_said() -> None:
    table = scores(25, 4)
    found = compare(table, topic_weights="difficulty")

    def means(w: np.ndarray) -> np.ndarray:
        return np.array([w @ column / w.sum() for column in table.values.T])

    whole = means(1 - easy(table.values))
    moves = [means(1 - easy(np.delete(table.values, out, axis=1))) - whole for out in range(4)]
    most = max(abs(move[a] - move[b]) for move in moves for a, b in itertools.combinations(range(4), 2))
    assert found.about.moved == pytest.approx(most)
    assert f"moves a difference by at most {most:.4f}" in found.caption("pairs")
    assert "weighted by difficulty, 1 minus the mean score of 4 systems" in found.caption("pairs")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda table: table * 2, "takes? scores from 0 to 1, and AP goes from .* to"),
        (lambda table: table.assign_attrs(larger_is_better=0), "take scores of which larger are better, and not AP"),
        (lambda table: table.where(table["topic"] == "q0", 1.0), "1 topic with a weight above 0, of 2 needed"),
    ],
)
def test_scores_without_a_difficulty_are_refused(change: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        compare(change(scores(6, 2)), topic_weights="difficulty")


@pytest.mark.parametrize("systems", [3, 6])
def test_intervals_cover_the_difference_weighted_by_the_difficulty_for_all_systems(systems: int) -> None:
    """Topics and the other systems are drawn, weights estimated from 3 or 6 of them: about .95 of 1,500 intervals."""
    rng, trials, topics = np.random.default_rng(3), 1500, 30

    def logistic(x: Any) -> np.ndarray:
        return np.asarray(1 / (1 + np.exp(-x)))

    def spread(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape)

    # The difficulty for all systems: their effects and the rest vary by .6 and .9.
    level = 1.2 * spread(200_000) - 0.5
    nodes = np.linspace(-4, 4, 41)
    ease = sum(stats.norm.pdf(node) * logistic(level + np.sqrt(0.36 + 0.81) * node) for node in nodes)
    ease /= stats.norm.pdf(nodes).sum()
    gain = logistic(level + 0.6 + 0.9 * spread(len(level))) - logistic(level - 0.6 + 0.9 * spread(len(level)))
    true = float(((1 - ease) * gain).sum() / (1 - ease).sum())
    covered = 0
    effects = np.concatenate([np.tile([0.6, -0.6], (trials, 1)), 0.6 * spread(trials, systems - 2)], axis=1)
    values = logistic(1.2 * spread(trials, topics, 1) - 0.5 + effects[:, None] + 0.9 * spread(trials, topics, systems))
    for trial in values:
        mean, error, df, _ = by_formula(trial[:, 0] - trial[:, 1], 1 - easy(trial))
        covered += abs(mean - true) <= stats.t.ppf(0.975, df) * error
    assert 0.93 < covered / trials < 0.97
