"""Agreement of sources of scores against counting by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy.stats import kendalltau

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.agreement import compare_leaderboards
from cranfield.comparison import estimate_means
from labelled_scores import scores_of


def made(seed: int, order: list[float], topics: int = 20) -> xr.DataArray:
    return scores_of(np.random.default_rng(seed).normal(0, 0.05, size=(topics, len(order))) + np.array(order))


REFERENCE, OTHER = made(0, [0.1, 0.2, 0.3, 0.4, 0.41]), made(1, [0.1, 0.3, 0.2, 0.4, 0.41], 15)


def test_pairs_kept_lost_and_reversed() -> None:
    found = cranfield.compare_rankings({"human": REFERENCE, "judge": OTHER})
    line = found.table.loc["judge"]
    decided = {}
    for name, scores in (("human", REFERENCE), ("judge", OTHER)):
        pairs = cranfield.compare(scores).pairs
        decided[name] = {(one, other) for one, other, sure in
                         zip(pairs["system"], pairs["other"], pairs["significant"], strict=True) if sure}  # fmt: skip
    human, judge = decided["human"], decided["judge"]
    backwards = {(other, one) for one, other in human}
    assert len(human) == 9
    assert line["kept"] == len(human & judge) / 9
    assert line["reversed"] == len(backwards & judge) / 9 == 1 / 9
    assert line["lost"] == pytest.approx(1 - line["kept"] - line["reversed"])
    assert line["gained"] == len(judge - human - backwards) / 1
    means = [scores.mean("topic").to_numpy() for scores in (OTHER, REFERENCE)]
    assert line["tau_b"] == pytest.approx(kendalltau(*means).statistic)
    assert found.tau_b.loc["human", "judge"] == line["tau_b"]
    assert found.tau_ap_b.loc["human", "judge"] == line["tau_ap_b"]
    assert line["largest_move"] == 1


def test_ranks_and_movers() -> None:
    tied = scores_of([[0.5, 0.5, 0.9], [0.3, 0.3, 0.8]])
    found = cranfield.compare_rankings({"a": tied, "b": scores_of([[0.9, 0.1, 0.2], [0.8, 0.1, 0.3]])})
    assert found.ranks["a"].tolist() == [2, 2, 1]
    movers = found.movers("b", 2)
    assert movers.to_dict("list") == {"reference": [2, 2], "rank": [1, 3], "gained": [1, -1]}
    with pytest.raises(UsageError, match="no source is called 'c'"):
        found.movers("c")


def test_measures_of_a_dataset_and_smaller_is_better() -> None:
    scores = xr.Dataset({"AP": REFERENCE, "error": (1 - REFERENCE).assign_attrs(larger_is_better=0)})
    line = cranfield.compare_rankings(scores).table.loc["error"]
    assert (line["tau_b"], line["tau_ap_b"], line["rbo"]) == pytest.approx((1.0, 1.0, 1.0))
    assert (line["kept"], line["lost"], line["reversed"], line["largest_move"]) == (1.0, 0.0, 0.0, 0)
    assert cranfield.compare_rankings(scores, reference="error").table.index.tolist() == ["AP"]


def test_nothing_significant_leaves_no_share() -> None:
    flat = made(3, [0.2, 0.2, 0.2])
    line = cranfield.compare_rankings({"a": flat, "b": made(4, [0.1, 0.5, 0.9])}).table.loc["b"]
    assert np.isnan([line["kept"], line["lost"], line["reversed"]]).all()
    assert line["gained"] == 1.0


def test_wrong_calls() -> None:
    with pytest.raises(UsageError, match="at least two sources of scores, and there is 1"):
        cranfield.compare_rankings({"a": REFERENCE})
    with pytest.raises(UsageError, match="no source is called 'c': reference is one of 'a', 'b'"):
        cranfield.compare_rankings({"a": REFERENCE, "b": OTHER}, reference="c")
    with pytest.raises(InputError, match="'a' and 'b' score different systems: system s4 in one only"):
        cranfield.compare_rankings({"a": REFERENCE, "b": OTHER[:, :4]})


def test_missing_scores() -> None:
    """Gaps are filled, or refused, in each source; a system that one source drops is dropped from all."""
    ours, theirs = made(0, [0.1, 0.2, 0.3, 0.4]), made(1, [0.1, 0.3, 0.2, 0.4], 15)
    ours[3, 1] = theirs[5, 2] = np.nan
    sources = {"human": ours, "judge": theirs}
    with pytest.warns(CranfieldWarning, match=r"has no score on 1 of (15|20) topics .*: missing_scores="):
        cranfield.compare_rankings(sources)
    for compare in (cranfield.compare_rankings, compare_leaderboards):
        with pytest.raises(InputError, match="missing scores are to be refused"):
            compare(sources, missing_scores="refuse")
        with pytest.warns(CranfieldWarning, match=r"1 of (15|20) topics left out"):
            dropped = compare(sources, missing_scores="drop-topics")
        with pytest.raises(UsageError, match=r"^missing_scores='some'"):
            compare(sources, missing_scores="some")
        by_hand = {"human": ours.drop_isel(topic=3), "judge": theirs.drop_isel(topic=5)}
        for name, table in compare(by_hand).frames().items():
            pd.testing.assert_frame_equal(dropped.frames()[name], table)
    with pytest.warns(CranfieldWarning, match=r"1 of 4 systems left out"):
        fewer = cranfield.compare_rankings(sources, missing_scores="drop-systems")
    assert list(fewer.ranks.index) == ["s0", "s3"]
    both = xr.Dataset({"AP": ours, "RR": ours.rename("RR")})
    with pytest.warns(CranfieldWarning, match=r"1 of 4 systems left out"):
        assert list(cranfield.compare_rankings(both, missing_scores="drop-systems").ranks.index) == ["s0", "s2", "s3"]


def test_missing_scores_of_means() -> None:
    scores = made(0, [0.1, 0.2, 0.3, 0.4])
    scores[3, 1] = np.nan
    with pytest.warns(CranfieldWarning, match=r"1 of (15|20) topics left out"):
        means = estimate_means(scores, missing_scores="drop-topics").rows
    pd.testing.assert_frame_equal(means, estimate_means(scores.drop_isel(topic=3)).rows)
    with pytest.raises(InputError, match="missing scores are to be refused"):
        estimate_means(scores, missing_scores="refuse")
