"""What is said of a chart is what is in it, also where measures share the first place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import cranfield
from cranfield import CranfieldWarning, report_scores
from cranfield.agreement import compare_rankings
from cranfield.charts import (
    chart_agreement,
    chart_reliability,
    chart_sensitivity,
    describe_best_fusion,
    find_largest,
    find_smallest,
)
from cranfield.fusion import estimate_headroom
from cranfield.reporting.content import make_table
from cranfield.reporting.leaders import assign_groups
from cranfield.reporting.sections.provenance import _shorten_call
from cranfield.reporting.sections.systems import describe_fusions
from cranfield.simulation import simulate_runs
from cranfield.trust import estimate_reliability, estimate_sensitivity

NAN = float("nan")
MEASURES = ("AP", "RR", "nDCG@10")


@pytest.fixture(scope="module")
def scores() -> xr.Dataset:
    """AP and RR are the same; nDCG@10 is mostly chance."""
    rng = np.random.default_rng(1)
    clear = np.clip(np.linspace(0.2, 0.8, 6) + rng.normal(0, 0.05, (12, 6)), 0, 1)
    arrays = dict(zip(MEASURES, (clear, clear, rng.random((12, 6))), strict=True))
    labels = {"topic": [str(at) for at in range(12)], "system": list("abcdef")}
    return xr.Dataset({name: xr.DataArray(values, labels, ("topic", "system")) for name, values in arrays.items()})


def test_all_measures_that_need_the_fewest_topics_are_named(scores: xr.Dataset) -> None:
    found = {name: estimate_reliability(scores[name]) for name in MEASURES}
    fewest = found["AP"].needed["Phi"]
    shared = f"AP and RR need the fewest topics for a Phi of 0.95: {fewest:.0f}."
    assert chart_reliability(found).sentence == shared
    two = {name: found[name] for name in ("AP", "nDCG@10")}
    assert chart_reliability(two).sentence == f"AP needs the fewest topics for a Phi of 0.95: {fewest:.0f}."
    assert chart_reliability({"AP": found["AP"]}).sentence == "AP needs 1 topic for a Phi of 0.95."
    unknown = {
        name: replace(found[name], needed={"Phi": at})
        for name, at in zip(MEASURES, (np.nan, np.inf, np.inf), strict=True)
    }
    assert chart_reliability(unknown).sentence == "By no measure would any number of topics reach a Phi of 0.95."


def test_all_measures_that_distinguish_the_most_pairs_are_named(scores: xr.Dataset) -> None:
    found = estimate_sensitivity(scores, resamples=200)
    share = found.table["power"]["AP"]
    assert share == found.table["power"]["RR"] > found.table["power"]["nDCG@10"]
    assert chart_sensitivity(found).sentence == f"AP and RR distinguish the most pairs of systems: {share:.1%} at 0.05."


def test_both_ends_of_agreement_are_named(scores: xr.Dataset) -> None:
    found = compare_rankings(scores)
    least = found.tau_b["AP"].to_dict()["nDCG@10"]
    said = f"AP and nDCG@10 and 1 other pair agree least ({least:.2f}), AP and RR most (1.00)."
    assert chart_agreement(found).sentence == said
    two = compare_rankings(scores[["AP", "nDCG@10"]])
    assert chart_agreement(two).sentence == f"AP and nDCG@10 agree to {least:.2f}."
    same = compare_rankings(scores.assign({"nDCG@10": scores["AP"]}))
    assert chart_agreement(same).sentence == "Every two that can be compared agree to 1.00."


@pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")  # of analyses that need more systems
def test_the_verdict_says_among_how_many_systems_the_two_best_were_chosen(scores: xr.Dataset) -> None:
    means = scores["AP"].mean("topic").sortby(scores["AP"].mean("topic"), ascending=False)
    best, second = means["system"].values[:2]
    lead = f"{best} (AP {means[0]:.4f}) has the best mean, followed by {second} ({means[1]:.4f}). The difference of "
    said = report_scores(scores).html
    assert lead in said
    assert "not corrected for choosing these two among 6). With all pairs tested together" in said
    said = report_scores(scores.sel(system=[second, best])).html
    assert lead in said
    assert "not corrected for choosing" not in said
    assert f"The only system is {best} (AP {means[0]:.4f})" in report_scores(scores.sel(system=[best])).html


def test_permuted_labels_that_tell_everything_leave_nothing_to_tell() -> None:
    made = simulate_runs(n_systems=60, n_topics=3, depth=10)
    found = estimate_headroom(made.runs, made.qrels)
    assert (found.joint.null, np.isnan(found.joint.normalized)) == (1, True)
    (said, *_) = describe_fusions(found)
    assert "labels give 1.0000, which is overfitting; nothing is left that rankings could tell beyond it." in said
    assert "undefined" not in said
    assert "beyond chance: unknown, as permuted labels give all of it; learned" in found.caption("table")


def test_one_topic_has_no_others_to_choose_or_to_learn_on() -> None:
    one, two = (simulate_runs(n_systems=3, n_topics=topics, depth=10) for topics in (1, 2))
    single, several = estimate_headroom(one.runs, one.qrels), estimate_headroom(two.runs, two.qrels)
    assert np.isnan(single.held_out)
    for found, count in ((single, 0), (several, 1)):
        said = " ".join(describe_fusions(found))
        assert said.count("Weights learned on other topics reach ") == count
        assert said.count("on all other topics yields a mean of ") == count
        assert "undefined" not in said
        assert found.caption("table").count("; chosen on other topics: ") == count
        assert found.caption("table").endswith("; there are no other topics to choose it on") == (count == 0)


def test_explained_columns_are_words() -> None:
    frame = pd.DataFrame({"swap_rate": [0.1], "NDCG_std@5": [0.5]})
    found = make_table("t", "T", frame, meanings={"swap_rate": "less than the swap_rate of all"})
    assert [(one.name, one.meaning) for one in found.columns] == [
        ("swap rate", "less than the swap rate of all"),
        ("NDCG_std@5", ""),
    ]


def test_a_geometric_mean_alone_is_reported_by_what_it_is_the_mean_of() -> None:
    made = simulate_runs(n_systems=3, n_topics=5, depth=10)
    with pytest.warns(CranfieldWarning, match=r"^GMAP has no value of a topic: the report is about AP, of which"):
        page = cranfield.report(made.runs, made.qrels, "GMAP").html
    assert "AP" in page


def test_all_that_share_a_rank_and_nobody_where_all_do() -> None:
    assert find_largest("abcd", [0.1 + 0.2, 0.3, NAN, 0.1]) == ["a", "b"]
    assert find_smallest("abcd", [0.1 + 0.2, 0.3, NAN, 0.1]) == ["d"]
    assert find_largest("abc", [0.1 + 0.2, 0.3, NAN]) == find_smallest("abc", [0.0, 0.0, NAN]) == []
    assert find_largest("ab", [NAN, NAN]) == []


@pytest.mark.parametrize(
    ("names", "gains", "sentence"),
    [
        (["rrf", "combsum"], [0.1, 0.2], "The best fusion, combsum, is 0.2000 above the best single system."),
        (["a", "b", "c"], [-0.1, -0.1, -0.2], "The best fusions, a and b, are 0.1000 below the best single system."),
        (["a", "b"], [0.1, 0.1], "Each fusion is 0.1000 above the best single system."),
        (["a", "b"], [0.0, NAN], "No fusion is better than every single system."),
    ],
)
def test_the_best_fusions(names: list[str], gains: list[float], sentence: str) -> None:
    assert describe_best_fusion(names, gains) == sentence


def test_groups_hold_the_systems_that_may_have_the_rank_of_their_first() -> None:
    assert assign_groups([], []) == []
    assert assign_groups([1, 1, 3], [1, 1, 1]) == [1, 1, 1]
    assert assign_groups([1, 2, 3, 4, 5], [1, 2, 1, 3, 5]) == [1, 2, 1, 3, 4]


def test_a_command_of_many_runs_is_short() -> None:
    runs = [f"runs/a b {number}" for number in range(9)]
    call_line = "cranfield report q.txt " + " ".join(f"'{run}'" for run in runs) + " -o 'my page.html'"
    assert _shorten_call(call_line, runs) == "cranfield report q.txt RUN... -o 'my page.html'"
    assert _shorten_call(call_line, runs[:5]) == call_line
