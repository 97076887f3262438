"""The numbers of every chart are those of the result that it shows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import cranfield
from cranfield import plot
from figures import HOSTILE, chart, render, result, rows


def test_boxes_of_topics() -> None:
    found = {row["topic"]: row for row in rows(chart("topic_difficulty"), "median")}
    values = result("difficulty").values
    beyond = rows(chart("topic_difficulty"), "score")
    for topic in values["topic"].to_numpy():
        row, here = found[plot.label(topic)], values.sel(topic=topic)
        scores = here["ndcg_std"].to_numpy()
        assert row["ease"] == here["ease"].item()
        assert row["class"] == (here["class"].item() or "no ease")
        quartiles = np.percentile(scores, [25, 50, 75])
        np.testing.assert_allclose([row["q1"], row["median"], row["q3"]], quartiles, rtol=1e-12)
        reach = 1.5 * (quartiles[2] - quartiles[0])
        within = scores[(scores >= quartiles[0] - reach) & (scores <= quartiles[2] + reach)]
        assert row["low"] == min(within.min(), row["q1"])
        assert row["high"] == max(within.max(), row["q3"])
        others = sorted(point["score"] for point in beyond if point["topic"] == row["topic"])
        assert others == sorted(set(scores.tolist()) - set(within.tolist()))
    eases = [row["ease"] for row in rows(chart("topic_difficulty"), "median") if row["ease"] is not None]
    assert eases == sorted(eases, reverse=True)


def test_a_cell_for_each_score() -> None:
    found = rows(chart("heat_map"), "value")
    scores = result("scores")["AP"]
    assert len(found) == scores.size
    assert all(row["value"] in {float(v) for v in scores.to_numpy().ravel()} for row in found)
    by_label = {
        (plot.label(t), plot.label(s)): float(scores.sel(topic=t, system=s))
        for t in scores["topic"].to_numpy()
        for s in scores["system"].to_numpy()
    }
    assert {(row["topic"], row["system"]): row["value"] for row in found} == by_label
    best = scores.mean("topic").to_pandas().idxmax()
    assert chart("heat_map").to_dict()["encoding"]["y"]["scale"]["domain"][0] == plot.label(best)


def test_a_missing_score_is_left_out_and_counted() -> None:
    scores = result("scores")["AP"].copy()
    scores[0, 0] = np.nan
    drawn = plot.heat_map(scores)
    assert len(rows(drawn, "value")) == scores.size - 1
    assert "1 score missing: the cells are empty." in drawn.to_dict()["title"]["subtitle"]


@pytest.mark.parametrize("coefficient", ["Erho2", "Phi"])
def test_curves_of_reliability(coefficient: str) -> None:
    found = pd.DataFrame(rows(plot.d_study(result("reliability"), coefficient=coefficient), "series", "y"))
    for one in result("reliability"):
        mine = found[found["series"] == one.measure]
        np.testing.assert_array_equal(mine["x"], one.curve.index)
        np.testing.assert_array_equal(mine["y"], one.curve[coefficient])
    alone = pd.DataFrame(rows(chart("d_study, one"), "series", "y"))
    mine, one = alone[alone["series"] == coefficient], result("reliability")[0].curve
    np.testing.assert_array_equal(mine["y"], one[coefficient])
    np.testing.assert_array_equal(mine["low"], one[f"{coefficient}_low"])
    np.testing.assert_array_equal(mine["high"], one[f"{coefficient}_high"])


@pytest.mark.parametrize("rate", ["error_rate", "tie_rate"])
def test_rates(rate: str) -> None:
    found = pd.DataFrame(rows(plot.error_rates(result("stability"), rate=rate), "series", "y"))
    for one in result("stability"):
        mine = found[found["series"] == one.measure]
        np.testing.assert_array_equal(mine["y"], one.rates[rate])
        np.testing.assert_allclose((mine["high"] - mine["low"]) / 4, one.rates[rate.replace("rate", "se")], atol=1e-15)
        assert mine["hollow"].tolist() == (one.rates["overlap"] > 0.5).tolist()


def test_curves_of_significance() -> None:
    found, sensitivity = rows(chart("asl_curves"), "series", "y"), result("sensitivity")
    for name in sensitivity.asl.columns:
        levels = sensitivity.asl[name].to_numpy()
        mine = [row for row in found if row["series"] == name]
        assert mine
        for row in mine:
            assert row["y"] == np.mean(levels <= row["x"])
        assert [row["x"] for row in mine] == sorted(row["x"] for row in mine)


def test_agreement_of_orders() -> None:
    agreement = result("agreement")
    for row in rows(chart("agreement_matrix"), "source", "other"):
        assert row["value"] == agreement.tau_b.loc[row["source"], row["other"]]
    top = rows(plot.agreement_matrix(agreement, "tau_ap_b"), "source", "other")
    assert top
    for row in top:
        assert row["value"] == agreement.tau_ap_b.loc[row["source"], row["other"]]
    for row in rows(chart("rank_scatter"), "rank"):
        name = next(name for name in HOSTILE if plot.label(name) == row["system"])
        assert (row["reference"], row["rank"]) == tuple(agreement.ranks.loc[name, ["nDCG@10", "AP"]])
        assert row["moved"] == row["reference"] - row["rank"]
    same = str(plot.rank_scatter(agreement, agreement.reference).to_dict())
    assert "no system changes its rank" in same
    assert "largest change" not in same


def test_rank_intervals() -> None:
    alone, together = ("rank", "marginal_low", "marginal_high", "low", "high"), ("rank", "low", "high")
    drawn = ("value", "low", "high", "outer_low", "outer_high")
    for name, source, columns in (
        ("rank_intervals", "ranks", alone),
        ("rank_intervals, board", "board", alone),
        ("rank_intervals, board together", "board, together", together),
        ("rank_intervals, teams", "teams", together),
    ):
        table, rows_ = result(source).table, rows(chart(name), "outer_low")
        assert [[row[field] for field in drawn[: len(columns)]] for row in rows_] == table[[*columns]].values.tolist()
        of = "team" if source == "teams" else "system"
        assert [row[of] for row in rows_] == [plot.label(one) for one in table.index]


def test_information_tau() -> None:
    taus = result("taus")
    found = rows(chart("conditional_tau"), "row", "value")
    assert len(found) == 3 * 2, "of three measures, each pair alone and given the third"
    for row in found:
        measure, other = row["row"].split(" · ")
        given = row["kind"].removeprefix("given ").replace("nothing", "")
        for field, array in (("value", taus.value), ("low", taus.low), ("high", taus.high)):
            expected = array.sel(measure=measure, other=other, given=given).item()
            assert row[field] == (expected if not given or field == "value" else None)
    points = rows(chart("topic_tau"), "conditional")
    assert [row["alone"] for row in points] == result("alone").topics.to_numpy().tolist()
    assert [row["conditional"] for row in points] == result("conditional").topics.to_numpy().tolist()


def test_information_difference() -> None:
    difference = result("difference")
    points = pd.DataFrame(rows(chart("system_map"), "shade")).set_index("system")
    names = [plot.label(name) for name in difference.ric["system"].to_numpy()]
    assert points["shade"][names].tolist() == difference.ric.to_numpy().tolist()
    np.testing.assert_array_equal(points.loc[names, ["x", "y"]], difference.map())
    joints = pd.DataFrame(rows(chart("dendrogram"), "joint"))
    assert sorted(joints.groupby("joint")["height"].max()) == sorted(difference.linkage()[:, 2])
    parts = {row["part"].partition(" ")[0]: [] for row in rows(chart("information_shares"), "part")}
    for row in rows(chart("information_shares"), "part"):
        parts[row["part"].partition(" ")[0]].append(row["bits"])
    pair = difference.between(HOSTILE[0], HOSTILE[5])
    assert parts == {"only": [pair.only_system, pair.only_other], "both": [pair.shared]}
    scatter = rows(chart("difference_scatter"), "apart")
    pairs, means = difference.pairs(), result("scores")["AP"].mean("topic").to_pandas()
    assert [row["bits"] for row in scatter] == pairs["difference"].tolist()
    expected = (means[pairs["system"]].to_numpy() - means[pairs["other"]].to_numpy()).__abs__()
    np.testing.assert_allclose([row["apart"] for row in scatter], expected, atol=1e-14)


def test_leaves_of_the_tree_stand_where_their_lines_end() -> None:
    drawn, difference = chart("dendrogram"), result("difference")
    places = {row["system"]: row["place"] for row in rows(drawn, "system")}
    assert sorted(places.values()) == list(range(len(HOSTILE)))
    at_zero = [row["place"] for row in rows(drawn, "joint") if row["height"] == 0]
    assert sorted(set(at_zero)) >= list(range(len(HOSTILE)))
    closest = difference.pairs().iloc[0]
    assert abs(places[plot.label(closest["system"])] - places[plot.label(closest["other"])]) == 1


def test_headroom() -> None:
    headroom = result("headroom")
    found = list(rows(chart("headroom"), "kind"))
    assert [row["value"] for row in found] == headroom.table["nDCG@10"].tolist()
    ticks = {row["system"]: row["value"] for row in rows(chart("headroom"), "system")}
    assert ticks == {plot.label(name): value for name, value in headroom.singles["nDCG@10"].items()}
    pairs = rows(chart("fused_pairs"), "what")
    assert [row["value"] for row in pairs if row["what"] == "fused"] == headroom.pairs["fused"].tolist()
    assert [row["value"] for row in pairs if row["what"] != "fused"] == headroom.pairs["better"].tolist()


def test_diversity() -> None:
    plane = result("plane")
    points = pd.DataFrame(rows(chart("diversity_plane"), "place")).set_index("system")
    names = [plot.label(name) for name in plane.systems.index]
    np.testing.assert_array_equal(points.loc[names, ["x", "y"]], plane.systems.iloc[:, :2])
    ends = rows(chart("diversity_plane"), "group")
    assert [row["x"] for row in ends[::2]] == plane.contours["x0"].tolist()
    assert [row["y"] for row in ends[1::2]] == plane.contours["y1"].tolist()
    recall = pd.DataFrame(rows(chart("intent_coverage"), "value")).groupby("system")["value"].mean()
    expected = {plot.label(name): value for name, value in plane.systems["I-rec@10"].items()}
    assert recall.to_dict() == pytest.approx(expected)
    found = rows(chart("topic_differences"), "difference")
    assert sorted(row["difference"] for row in found) == sorted(plane.differences.to_numpy().ravel().tolist())


def test_judges() -> None:
    judges = result("judges")
    found = {row["kind"]: row["value"] for row in rows(chart("judge_agreement"), "kind")}
    assert found["tau_b of systems"] == judges.systems.table["tau_b"].item()
    assert found["kappa, relevant or not"] == judges.labels.table["kappa_binary"].item()


def test_means_of_systems() -> None:
    means = result("scores").mean("topic")
    for row in rows(chart("measure_scatter"), "x", "y"):
        name = next(name for name in HOSTILE if plot.label(name) == row["system"])
        here = means.sel(system=name)
        np.testing.assert_allclose([row["x"], row["y"]], [here["AP"], here["nDCG@10"]], rtol=1e-12)
    found = rows(chart("measures_by_system"), "mean")
    expected = sorted(np.concatenate([means[name].to_numpy() for name in means]))
    np.testing.assert_allclose(sorted(row["mean"] for row in found), expected, rtol=1e-12)


def test_systems_that_none_beats_by_quality_and_cost_are_joined_and_named() -> None:
    means = {"dear": (0.5, 120.0), "cheap": (0.4, 40.0), "worse": (0.45, 210.0)}
    scores = xr.Dataset(
        {
            name: (("topic", "system"), [[values[at] for values in means.values()]] * 2)
            for at, name in enumerate(("quality", "cost"))
        },
        {"topic": ["t1", "t2"], "system": list(means)},
    )
    drawn = plot.measure_scatter(scores, "cost", "quality").to_dict()
    line = next(layer for layer in drawn["layer"] if layer["mark"]["type"] == "line")
    joined = drawn["datasets"][line["data"]["name"]] if "name" in line["data"] else line["data"]["values"]
    assert [(row["system"], row["x"], row["y"]) for row in joined] == [("cheap", 40.0, 0.4), ("dear", 120.0, 0.5)]
    assert all(row["place"] for row in joined)
    alike = plot.measure_scatter(scores.rename(cost="benefit"), "benefit", "quality").to_dict()
    assert "line" not in [layer["mark"]["type"] for layer in alike["layer"]]
    named = {row["system"] for data in alike["datasets"].values() for row in data if row.get("place")}
    assert named == set(means)


def test_the_points_of_a_legend_have_no_dashes() -> None:
    lines, points = chart("measures_by_system").to_dict()["layer"]
    assert "scale" not in lines["encoding"]["strokeDash"]
    dashes = {test["test"]["equal"]: test["value"] for test in lines["encoding"]["strokeDash"]["condition"]}
    assert list(dashes) == points["encoding"]["shape"]["scale"]["domain"]
    assert len({tuple(dash) for dash in dashes.values()}) == len(dashes)


def test_the_study_of_standardization() -> None:
    for name, field in (("standardization_study", "within"), ("standardization_study, between", "between")):
        study, summary = result(field), result(field).summary()
        power = summary[summary["statistic"] == "power"]["mean"].tolist()
        assert [row["rate"] for row in rows(chart(name), "scheme", "rate")][-len(power) :] == power
        means = summary[summary["statistic"] == "tau_b"].set_index("scheme")["mean"]
        datasets = chart(name).to_dict()["datasets"].values()
        ticks = [data for data in datasets if all(set(row) == {"scheme", "value"} for row in data)]
        taus = {row["scheme"]: row["value"] for row in ticks[0]}
        assert set(taus) >= set(study.schemes) - {"raw"}
        assert taus == pytest.approx({scheme: means[scheme] for scheme in taus})


def test_boxes_of_scores() -> None:
    scores = result("scores")["AP"]
    panels = chart("score_boxes").to_dict()
    assert len(panels["vconcat"]) == 2
    medians = [sorted(row["median"] for row in data) for data in panels["datasets"].values()]
    for array in (scores, cranfield.standardize(scores)):
        expected = sorted(np.median(array.to_numpy(), axis=1).tolist())
        assert any(found == pytest.approx(expected) for found in medians)


def test_topics_without_scores() -> None:
    scores = result("scores")["AP"].copy()
    scores[0] = np.nan
    empty = plot.label(scores["topic"].to_numpy()[0])
    for drawn, field in ((plot.heat_map(scores), "value"), (plot.score_boxes(scores), "median")):
        found = [row for row in rows(drawn, field) if row["topic"] == empty]
        assert all(row[field] is None for row in found)
        render(drawn, ".svg")


def test_shares_of_dominated_differences_add_up() -> None:
    drawn = rows(chart("dominance_shares"), "conclusion", "pairs")
    facts = result("dominance").table.set_index("measure")
    for measure, row in facts.iterrows():
        own = {part["conclusion"]: part["pairs"] for part in drawn if part["measure"] == measure}
        assert sum(own.values()) == row["significant"]
        assert own["no measure can reverse it"] == row["robust"]


def test_correlated_errors_are_those_of_the_panel() -> None:
    cells = {row["value"] for row in rows(chart("error_correlations"), "source", "value") if row["value"] is not None}
    errors = result("panel").errors
    assert cells == {*errors["correlation"], *errors["correlation_given"]}


def test_strengths_are_drawn_with_their_ranks() -> None:
    drawn = rows(chart("strength_intervals"), "strength", "ranks")
    table = result("strengths").table
    assert [row["strength"] for row in drawn] == table["strength"].tolist()
    assert [row["ranks"] for row in drawn] == [
        f"{low}" if low == high else f"{low} to {high}"
        for low, high in zip(table["rank_low"], table["rank_high"], strict=True)
    ]
