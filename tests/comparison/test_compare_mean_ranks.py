"""Comparisons by mean ranks, and yes/no scores: what ``compare`` and ``compare_mean_ranks`` say of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError, plot
from cranfield.comparison import compare, compare_mean_ranks

FIELD = Path(__file__).parents[3] / "shared" / "golden" / "field"
TASKS = [[664, 647, 578, 515], [509, 541, 443, 535], [629, 624, 483, 554], [522, 496, 491, 501], [794, 757, 811, 751]]
TASKS += [[757, 686, 632, 627], [762, 680, 691, 611]]


def labelled(values: object, **attributes: object) -> xr.DataArray:
    table = np.array(values, dtype=float)
    labels = {"topic": [f"q{at}" for at in range(len(table))], "system": list("ABCDEFGH"[: table.shape[1]])}
    return xr.DataArray(table, labels, ("topic", "system"), name="score", attrs=attributes)


def random_scores(seed: int, topics: int = 12, systems: int = 4) -> xr.DataArray:
    return labelled(np.random.default_rng(seed).random((topics, systems)), larger_is_better=1)


@pytest.mark.skipif(not FIELD.exists(), reason="the field's cases are not here")
def test_the_fields_case_has_the_right_critical_difference() -> None:
    """Mean ranks 1.5 2.1 3.1 3.3, critical difference 1.4832 with its sqrt(2): A-C and A-D differ."""
    scores = cranfield.read_scores(FIELD / "critical-difference" / "scores.csv")
    found = compare_mean_ranks(scores)
    assert found.systems["mean_rank"].tolist() == pytest.approx([1.5, 2.1, 3.1, 3.3])
    assert found.ranked.critical_difference == pytest.approx(1.4832, abs=5e-5)
    different = found.pairs[found.pairs["significant"]]
    assert list(zip(different["system"], different["other"], strict=True)) == [("A", "C"), ("A", "D")]
    by_compare = compare(scores, test="nemenyi").pairs
    assert {"".join(sorted(pair)) for pair in by_compare[by_compare["significant"]][["system", "other"]].values} == {
        "AC",
        "AD",
    }
    board = cranfield.board(str(FIELD / "critical-difference" / "scores.csv"), aggregate="mean-rank")
    assert "critical difference 1.4832 (Nemenyi, 0.05)" in board.caption("table")


@pytest.mark.skipif(not FIELD.exists(), reason="the field's cases are not here")
def test_the_fields_yes_no_case_is_exact_mcnemar() -> None:
    with pytest.warns(CranfieldWarning, match="the same scores on every topic"):
        found = compare(cranfield.read_scores(FIELD / "yes-no" / "hits.csv"), test="mcnemar", correction="none")
    p = found.pairs.set_index(["system", "other"])["p"]
    assert p["old", "new"] == pytest.approx(0.5034447, abs=5e-8)
    assert p["old", "same"] == 1


def test_both_calls_agree_and_letters_follow_the_pairs() -> None:
    scores = random_scores(3, 40, 6) + np.arange(6) / 4
    ranks, pairs = compare_mean_ranks(scores), compare(scores, test="nemenyi").pairs
    p = {frozenset(row[:2]): row[2] for row in ranks.pairs[["system", "other", "p_adjusted"]].values}
    for row in pairs.itertuples():
        assert row.p_adjusted == p[frozenset((row.system, row.other))]
        assert row.mean_rank < row.mean_rank_other
    letters = dict(zip(ranks.systems["system"], ranks.systems["groups"], strict=True))
    for pair, value in p.items():
        left, right = pair
        assert bool(set(letters[left]) & set(letters[right])) == (value >= 0.05)


def test_smaller_scores_may_be_better() -> None:
    scores = random_scores(5)
    turned = compare_mean_ranks((-scores).assign_attrs(larger_is_better=0))
    assert turned.systems["mean_rank"].tolist() == compare_mean_ranks(scores).systems["mean_rank"].tolist()


def test_a_third_system_changes_a_pair_of_ranks_but_not_of_means() -> None:
    """What is said against mean ranks, shown: p of the first two depends on who else is there."""
    scores = labelled(TASKS, larger_is_better=1)
    together, alone = (compare(chosen, test="nemenyi").pairs for chosen in (scores, scores[:, :3]))
    p = [table.set_index(["system", "other"])["p"]["A", "C"] for table in (together, alone)]
    assert abs(p[0] - p[1]) > 0.01
    by_t = [
        compare(chosen, correction="none").pairs.set_index(["system", "other"])["p"]["A", "C"]
        for chosen in (scores, scores[:, :3])
    ]
    assert by_t[0] == by_t[1]


def test_nemenyi_keeps_its_p_where_differences_do_not_vary() -> None:
    up = np.arange(12) / 100
    with pytest.warns(CranfieldWarning, match="no spread to judge by: no interval"):
        pairs = compare(labelled(np.column_stack([up + 0.5, up + 0.25]), larger_is_better=1), test="nemenyi").pairs
    assert pairs["p"][0] == pytest.approx(stats.studentized_range.sf(np.sqrt(2) * np.sqrt(12), 2, np.inf), abs=1e-6)
    assert np.isnan(pairs["low"][0])


def test_intervals_beside_nemenyi_are_of_means() -> None:
    scores = random_scores(8)
    named = compare(scores, test="nemenyi")
    assert named.settings["interval"] == "bonferroni"
    assert named.pairs[["low", "high"]].equals(compare(scores, test="sign").pairs[["low", "high"]])
    assert "Friedman: chi2(3)" in named.caption("pairs") and "are tested more sharply" in named.caption("pairs")


@pytest.mark.parametrize("exact", [(8, 12), (3, 9), (0, 6)])
def test_mcnemar_is_exact(exact: tuple[int, int]) -> None:
    wins, losses = exact
    left = [1] * wins + [0] * losses + [1] * 5 + [0] * 4
    right = [0] * wins + [1] * losses + [1] * 5 + [0] * 4
    pairs = compare(labelled(np.column_stack([left, right]), larger_is_better=1), test="mcnemar").pairs
    assert pairs["p"][0] == pytest.approx(mcnemar([[5, wins], [losses, 4]], exact=True).pvalue)


def test_mcnemar_of_more_than_two_systems_has_cochrans_q() -> None:
    scores = labelled(np.random.default_rng(2).integers(0, 2, (30, 3)), larger_is_better=1)
    found = compare(scores, test="mcnemar")
    assert found.pairs["p"].equals(compare(scores, test="sign").pairs["p"])
    assert "Cochran's Q: Q(2) = " in found.caption("pairs") and "Friedman" not in found.caption("pairs")
    assert compare_mean_ranks(scores).tests["test"].tolist() == ["Friedman", "Iman-Davenport", "Cochran's Q"]


def test_mcnemar_refuses_what_is_not_yes_or_no() -> None:
    with pytest.raises(InputError, match=r"mcnemar' takes yes/no scores of two values.*take test='sign'"):
        compare(random_scores(1), test="mcnemar")


def test_ranks_refuse_gaps_and_clusters() -> None:
    gaps = random_scores(1).copy()
    gaps[0, 0] = np.nan
    for call in (compare_mean_ranks, lambda scores: compare(scores, test="nemenyi")):
        with pytest.raises(InputError, match="needs every system's score on every topic"):
            call(gaps)
    clusters = {f"q{at}": f"c{at // 2}" for at in range(12)}
    for test in ("nemenyi", "mcnemar"):
        with pytest.raises(UsageError, match=f"test='{test}' does not work with clusters"):
            compare(random_scores(1), test=test, topic_clusters=clusters)


# ---- the chart


def drawn(chart: object, field: str) -> list[dict[str, object]]:
    """The rows of all layers that hold a field."""
    layers = chart.to_dict()["layer"]  # type: ignore[attr-defined]
    datasets = chart.to_dict().get("datasets", {})  # type: ignore[attr-defined]
    found: list[dict[str, object]] = []
    for layer in layers:
        data = layer.get("data", {})
        rows = data.get("values", datasets.get(data.get("name"), []))
        found += [row for row in rows if field in row and row not in found]
    return found


def test_the_chart_of_the_fields_case_joins_what_does_not_differ() -> None:
    """A-C and A-D differ: bars over A and B, and over B, C and D, and a critical difference of 1.4832 from 1 on."""
    rows = [[4, 3, 2, 1]] * 5 + [[4, 2, 3, 1]] * 2 + [[3, 4, 1, 2]] * 2 + [[3, 4, 2, 1]]
    found = compare_mean_ranks(labelled(rows, larger_is_better=1))
    ranks = dict(zip(found.ranked.systems, found.ranked.mean_ranks, strict=True))
    assert list(ranks.values()) == pytest.approx([1.3, 1.9, 3.0, 3.8])
    for chart in (plot.critical_difference(found), plot.critical_difference(compare(labelled(rows), test="nemenyi"))):
        bars = [(row["from"], row["to"]) for row in drawn(chart, "from") if 0 < float(str(row["line"])) < 2]
        assert bars == [pytest.approx((1.25, 1.95)), pytest.approx((1.85, 3.05)), pytest.approx((2.95, 3.85))]
        [critical] = drawn(chart, "middle")
        assert (critical["from"], critical["to"]) == pytest.approx((1, 1 + found.ranked.critical_difference))
        assert {row["system"]: row["rank"] for row in drawn(chart, "system")} == pytest.approx(ranks)


def test_a_result_without_mean_ranks_has_no_such_chart() -> None:
    with pytest.raises(UsageError, match="take compare_mean_ranks, compare with test='nemenyi', or a board"):
        plot.critical_difference(compare(random_scores(1)))
    with pytest.raises(UsageError, match="41 systems are too many to name"):
        table = np.random.default_rng(1).random((5, 41))
        names = {"topic": list("abcde"), "system": [f"s{at}" for at in range(41)]}
        plot.critical_difference(compare_mean_ranks(xr.DataArray(table, names, ("topic", "system"), name="AP")))
