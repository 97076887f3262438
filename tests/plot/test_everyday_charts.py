"""Charts of every day: their numbers against scipy and pandas, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy import stats

import cranfield
from cranfield import InputError, UsageError, plot
from cranfield.information import compute_information_difference
from figures import rows

made = cranfield.simulation.simulate_runs(n_systems=5, n_topics=9, depth=20, seed=6)
scores = cranfield.evaluate(made.runs, made.qrels, ["AP", "P@5"])
AP = scores["AP"].transpose("topic", "system").to_pandas()


def test_intervals_of_means_are_scipys() -> None:
    table = scores["AP"].transpose("topic", "system").copy()
    table[:2, 1] = np.nan
    table[1:, 2] = np.nan
    found = {row["system"]: row for row in rows(plot.mean_intervals(table, 0.9), "value", "low")}
    assert len(found) == 5
    for column, system in enumerate(table["system"].to_numpy()):
        low, high = found[system]["low"], found[system]["high"]
        if column == 2:
            assert low is None
            assert high is None
            continue
        there = table[:, column].to_numpy()
        there = there[~np.isnan(there)]
        wanted = stats.t.interval(0.9, len(there) - 1, there.mean(), stats.sem(there))
        np.testing.assert_allclose([low, high], wanted, rtol=1e-12)


def test_means_of_several_measures() -> None:
    drawn = plot.mean_intervals(scores, 0.9).to_dict()
    for panel, measure in zip(drawn["hconcat"], ("AP", "P@5"), strict=True):
        assert panel["layer"][0]["encoding"]["x"]["title"] == f"mean {measure}"
        for row in drawn["datasets"][panel["data"]["name"]]:
            here = scores[measure].sel(system=row["system"]).to_numpy()
            wanted = stats.t.interval(0.9, len(here) - 1, here.mean(), stats.sem(here))
            np.testing.assert_allclose([row["value"], row["low"], row["high"]], [here.mean(), *wanted], rtol=1e-12)
    panels = plot.mean_intervals(scores).to_dict()["hconcat"]
    domains = [panel["layer"][0]["encoding"]["y"]["scale"]["domain"] for panel in panels]
    assert domains == [AP.mean().sort_values(ascending=False).index.tolist()] * 2
    with pytest.raises(UsageError, match=r"level=1.5 should lie"):
        plot.mean_intervals(scores, 1.5)


@pytest.mark.parametrize("baseline", list(AP.columns))
def test_differences_are_less_the_baseline(baseline: str) -> None:
    compared = cranfield.compare(scores["AP"], baseline=baseline, test="permutation", resamples=300)
    drawn = plot.difference_intervals(compared)
    found = rows(drawn, "difference")
    assert {row["pair"] for row in found} == set(AP.columns) - {baseline}
    pairs = {frozenset((row["system"], row["other"])): row for row in compared.pairs.to_dict("records")}
    for row in found:
        assert row["other"] == baseline
        assert row["difference"] == pytest.approx(AP[row["system"]].mean() - AP[baseline].mean(), abs=1e-14)
        pair = pairs[frozenset((row["system"], baseline))]
        assert row["significant"] == pair["significant"]
        assert row["high"] - row["low"] == pytest.approx(pair["high"] - pair["low"], abs=1e-14)
        assert row["low"] < row["difference"] < row["high"]
        assert (row["low"] > 0 or row["high"] < 0) == row["significant"]
    assert [row["difference"] for row in found] == sorted((row["difference"] for row in found), reverse=True)
    assert "paired permutation tests, corrected by the largest |t|" in " ".join(drawn.to_dict()["title"]["subtitle"])


def test_all_pairs_are_named_by_both() -> None:
    found = rows(plot.difference_intervals(cranfield.compare(scores["AP"], test="tukey")), "difference")
    assert len(found) == 10
    assert {row["pair"] for row in found} == {f"{row['system']} - {row['other']}" for row in found}
    many = np.random.default_rng(1).random((5, 24))
    wide = cranfield.compare(pd.DataFrame(many, columns=[f"s{number}" for number in range(24)]))
    with pytest.raises(UsageError, match=r"^276 pairs cannot be read in one chart: compare with baselines"):
        plot.difference_intervals(wide)


def test_bars_of_a_pair() -> None:
    one, other = AP.columns[:2]
    found = rows(plot.pair_bars(scores["AP"], one, other), "value")
    wanted = (AP[one] - AP[other]).sort_values(ascending=False, kind="stable")
    assert [row["topic"] for row in found] == wanted.index.tolist()
    assert [row["value"] for row in found] == wanted.tolist()
    for row in found:
        assert row["larger"] == (one if row["value"] > 0 else other if row["value"] < 0 else "equal")
    partial = scores["AP"].transpose("topic", "system").copy()
    partial[0, 0] = np.nan
    assert len(rows(plot.pair_bars(partial, one, other), "value")) == len(AP) - 1
    with pytest.raises(UsageError, match="'system2' is compared with itself: name two systems"):
        plot.pair_bars(scores["AP"], "system2", "system2")
    with pytest.raises(UsageError, match="system 'bm25' has no scores here; these have: system"):
        plot.pair_bars(scores["AP"], "bm25", other)
    partial[:, 0] = np.nan
    with pytest.raises(InputError, match="no topic has scores of both"):
        plot.pair_bars(partial, one, other)


def test_boxes_of_systems() -> None:
    drawn = plot.system_boxes(scores["AP"])
    found = {row["system"]: row for row in rows(drawn, "median")}
    for name in AP.columns:
        wanted = [*np.percentile(AP[name], [25, 50, 75]), AP[name].mean()]
        assert [found[name][field] for field in ("q1", "median", "q3", "mean")] == pytest.approx(wanted, abs=1e-14)
    domain = drawn.to_dict()["layer"][0]["encoding"]["y"]["scale"]["domain"]
    assert domain == AP.mean().sort_values(ascending=False).index.tolist()


def test_a_leaderboard_over_time() -> None:
    parts = {f"2026-0{month}-01": scores.isel(topic=slice(0, 3 * month)) for month in (1, 2, 3)}
    drawn = plot.score_history(parts, "P@5", systems=["system1", "system2"])
    found = rows(drawn, "evaluation", "mean")
    frame = pd.DataFrame(found)
    assert set(frame["system"]) == set(AP.columns)
    for row in found:
        assert row["mean"] == pytest.approx(float(parts[row["evaluation"]]["P@5"].sel(system=row["system"]).mean()))
    assert frame.groupby("evaluation")["topics"].max().tolist() == [3, 6, 9]
    assert drawn.to_dict()["layer"][1]["encoding"]["x"]["type"] == "temporal"
    named = plot.score_history({"first": scores, "second": scores})
    x = named.to_dict()["layer"][1]["encoding"]["x"]
    assert (x["type"], x["sort"]) == ("nominal", ["first", "second"])


def test_evaluations_that_cannot_be_compared() -> None:
    other = cranfield.evaluate(made.runs, made.qrels, ["AP"], unjudged="condense")
    with pytest.raises(InputError, match="second was scored otherwise than first: "):
        plot.score_history({"first": scores[["AP"]], "second": other})
    with pytest.raises(InputError, match=r"second holds no scores by P@5, but by AP"):
        plot.score_history({"first": scores, "second": scores[["AP"]]}, "P@5")
    with pytest.raises(UsageError, match="no evaluation was given"):
        plot.score_history({})
    with pytest.raises(UsageError, match="no evaluation holds a system 'bm25'"):
        plot.score_history({"first": scores}, systems=["bm25"])


@pytest.mark.filterwarnings("ignore:.*ranks the same judged documents")
def test_slopes_of_ranks() -> None:
    found = cranfield.diff(made.runs[0], made.runs[1], made.qrels, "nDCG@5", topics={"3": "a question"})
    ends = rows(plot.rank_slopes(found, "3"), "side")
    documents = found.documents[found.documents["topic"] == "3"].set_index("document")
    assert {end["document"] for end in ends} == set(documents.index)
    for end in ends:
        row = documents.loc[end["document"]]
        rank = row[f"rank_{end['side']}"]
        assert end["place"] == (rank if 0 < rank <= 5 else 6.5)
        assert end["text"] == (f"{end['document']} ({end['label']})" if 0 < rank <= 5 else "")
        assert end["label"] == ("unjudged" if np.isnan(row["label"]) else f"{row['label']:g}")
    assert "a question" in plot.rank_slopes(found, "3").to_dict()["title"]["subtitle"]
    largest = found.topics.loc[found.topics["difference"].abs().idxmax(), "topic"]
    assert f"on topic {largest}:" in " ".join(plot.rank_slopes(found).to_dict()["title"]["text"])
    with pytest.raises(UsageError, match=r"nothing changed on a topic '99': it is none of 9 topics with changes"):
        plot.rank_slopes(found, "99")
    with pytest.raises(InputError, match="nothing changed between these runs"):
        plot.rank_slopes(cranfield.diff(made.runs[0], made.runs[0], made.qrels))


def described(chart: Any) -> str:
    return str(chart.to_dict()["description"])


def test_no_pair_among_equals_is_named_alone() -> None:
    runs = {name: {"q": {"a": 3.0, "b": 2.0, "c": 1.0}, "r": {"a": 3.0, "b": 2.0}} for name in "xy"}
    runs |= {name: {"q": {"c": 3.0, "b": 2.0, "d": 1.0}, "r": {"b": 3.0, "e": 2.0}} for name in "vwu"}
    qrels = {"q": {"a": 2, "b": 1, "c": 0, "d": 1}, "r": {"a": 1, "b": 0, "e": 2}}
    difference = compute_information_difference(runs, qrels)
    nearest = "x and y and 3 other pairs carry the most similar information, 0.000 bits apart."
    assert nearest in described(plot.system_map(difference))
    assert "v, w and u; x and y join first, 0.000 bits apart." in described(plot.dendrogram(difference))
    notes = {row["system"]: row["note"] for row in rows(plot.system_map(difference), "note")}
    assert notes["v"] == "nearest: w and u, 0.000 bits apart"
    assert notes["x"] == "nearest: y, 0.000 bits apart"
    topics, systems = ["1", "2"], ["s", "t", "u"]
    sources = {
        name: xr.DataArray([order, order], {"topic": topics, "system": systems}, ("topic", "system"), name="AP")
        for name, order in (("one", [1, 2, 3]), ("two", [3, 2, 1]), ("three", [3, 2, 1]))
    }
    agreed = cranfield.compare_rankings(sources)
    text = described(plot.agreement_matrix(agreed))
    assert text.endswith("one and two and 1 other pair agree least (-1.00), two and three most (1.00).")


def test_no_document_and_no_topic_among_equals_is_named_alone() -> None:
    old = {topic: {"a": 3.0, "b": 2.0, "x": 1.0, "y": 0.5} for topic in "qr"}
    new = {topic: {"y": 3.0, "x": 2.5, "a": 2.0, "b": 1.0} for topic in "qr"}
    changed = cranfield.diff(old, new, {topic: {"a": 1, "b": 1, "x": 0} for topic in "qr"}, "P@2")
    chart = plot.rank_slopes(changed)
    assert described(chart).endswith("The largest share, -0.5000, is that of a and b.")
    assert "1 other topic with as large a difference" in str(chart.to_dict()["title"])
    assert "other topic" not in str(plot.rank_slopes(changed, "r").to_dict()["title"])


def test_equals_are_named_together_or_not_at_all() -> None:
    def scores(*means: float) -> Any:
        values = np.array([means, means])
        return xr.DataArray(values, {"topic": ["q1", "q2"], "system": list("abcdefg")[: len(means)]}, name="AP")

    def told(draw: Any, *means: float) -> str:
        return str(draw(scores(*means)).to_dict()["description"])

    for draw in (
        plot.system_boxes,
        lambda one: plot.measures_by_system(one.to_dataset()),
    ):
        assert "none, as all are equal" in told(draw, 0.5, 0.5, 0.5)
        assert "b and c" in told(draw, 0.1, 0.4, 0.4)
    history = told(lambda one: plot.score_history({"x": one}), 0.1, 0.4, 0.4)
    assert "b and c, 0.4000" in history
    for draw in (plot.heat_map, plot.mean_intervals):
        assert "No system has a better mean than another" in told(draw, 0.5, 0.5, 0.5)
        assert "b and c have the best mean" in told(draw, 0.1, 0.4, 0.4)
    shared = told(plot.heat_map, 0.1, *[0.4] * 6)
    assert "b, c, d, e, f and 1 more" in shared
    assert "Best mean: b; c and d." in told(plot.system_boxes, 0.1, 0.4, 0.3, 0.3)
    assert "no topic has a worse mean than another" in shared
    pair = told(lambda one: plot.topic_scatter(one, "a", "b"), 0.1, 0.4)
    assert "a and b differ most, by 0.3000, on 2 topics." in pair
    for draw in (lambda one: plot.topic_scatter(one, "a", "b"), lambda one: plot.pair_bars(one, "a", "b")):
        assert "Both have the same score on every topic." in told(draw, 0.4, 0.4)
