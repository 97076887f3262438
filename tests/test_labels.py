"""Shares of labels and the range of NDCG_org, by hand and as the paper printed them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import cranfield
from cranfield import UsageError, describe_labels
from cranfield.label_distribution import count_labels
from data_sets import DATA

QRELS = {
    "spam": {"a": 3, "b": 1, "c": 0, "d": 0, "e": -2, "f": -2},
    "clean": {"a": 1, "b": 0},
    "nothing": {"a": 0, "b": -1},
    "even": {"a": 2, "b": -2},
}


def test_a_report_by_hand() -> None:
    report = describe_labels(QRELS, 3)
    assert report.by_label.index.tolist() == [-2, -1, 0, 1, 2, 3]
    assert report.by_label["documents"].tolist() == [3, 1, 4, 2, 1, 1]
    assert report.by_label["topics"].tolist() == [2, 1, 3, 2, 1, 1]
    assert report.by_label.loc[-2, "mean_share"] == pytest.approx((2 / 6 + 1 / 2) / 2)
    assert report.by_label.loc[-2, "all_topics"] == pytest.approx((2 / 6 + 1 / 2) / 4)
    assert report.by_topic.loc["spam"].to_dict() == pytest.approx(
        {"judged": 6, "lowest": -0.898354, "highest": 1}
        | {"share(-2)": 1 / 3, "share(-1)": 0, "share(0)": 1 / 3, "share(1)": 1 / 6, "share(2)": 0, "share(3)": 1 / 6},
        abs=5e-7,
    )
    assert report.by_topic["lowest"].tolist() == pytest.approx([-0.898354, 0, np.nan, -1], abs=5e-7, nan_ok=True)
    assert report.by_topic["highest"].tolist() == pytest.approx([1, 1, np.nan, 1], nan_ok=True)
    # no ranking of `nothing` has an NDCG_org
    assert (report.below_zero, report.below_minus_one) == (2 / 4, 1 / 4)
    assert report.settings == {"cutoff": 3}
    assert report.signature["settings"] == report.settings
    assert len(report.signature["qrels"]["sha256"]) == 64


def test_the_bound_is_reached_by_the_worst_ranking() -> None:
    qrels = cranfield.Qrels.from_dict(QRELS)
    worst = {
        topic: {document: -float(grade) for document, grade in pool.items() if grade < 0} or {"x": 1.0}
        for topic, pool in QRELS.items()
    }
    for cutoff in (1, 2, 3, 20):
        with pytest.warns(cranfield.CranfieldWarning, match="without any document with a gain"):
            scores = cranfield.evaluate({"worst": worst}, qrels, cranfield.NDCG_org @ cutoff, undefined="keep")
        found = scores[f"NDCG_org@{cutoff}"].values[:, 0]
        assert found == pytest.approx(count_labels(qrels, cutoff).lowest, nan_ok=True)


@pytest.mark.parametrize("cutoff", [0, -1, 1.5, True, "20", None])
def test_a_cutoff_that_is_none(cutoff: object) -> None:
    with pytest.raises(UsageError, match=r"cutoff=.* should be (a whole number of )?at least 1"):
        describe_labels(QRELS, cutoff)  # type: ignore[arg-type]


def test_labels_are_written_as_they_are() -> None:
    with_fractions = {"q": {"a": 1.0000001, "b": 1.0000002, "c": -0.5, "d": 2e20}}
    assert count_labels(cranfield.Qrels.from_dict(with_fractions)).names == ("-0.5", "1.0000001", "1.0000002", "2e+20")
    assert "share(1.0000002)" in describe_labels(with_fractions).by_topic


class Year(NamedTuple):
    """What the paper prints of one track, and what the definition gives at k = 10."""

    path: str
    topics: int
    shares: dict[float, str]
    below_zero: int
    below_minus_one: int


YEARS = {
    "2010": Year(
        "2010/10.adhoc-qrels.final.txt.gz", 48, {-2: "0.05", 0: "0.73", 1: "0.17", 2: "0.05", 3: "0.01"}, 48, 22
    ),
    "2012": Year(
        "2012/qrels.adhoc.txt.gz", 50, {-2: "0.05", 0: "0.73", 1: "0.14", 2: "0.04", 3: "0.02", 4: "0.06"}, 48, 4
    ),
    "2014": Year(
        "2014/qrels.adhoc.txt.gz", 50, {-2: "0.06", 0: "0.57", 1: "0.26", 2: "0.11", 3: "0.03", 4: "0.02"}, 35, 6
    ),
}


@pytest.mark.data("data/trec-web")
@pytest.mark.parametrize("year", YEARS)
def test_tables_1_and_2a_of_the_paper(year: str) -> None:
    expected = YEARS[year]
    qrels = cranfield.read_qrels(DATA / "trec-web" / expected.path)
    for cutoff in (5, 10, 15, 20):
        counted = count_labels(qrels, cutoff)
        assert len(counted.topics) == expected.topics
        assert counted.below_zero.sum() == expected.below_zero, "at any cutoff"
    printed = {
        label: f"{share:.2f}"
        for label, share in zip(counted.labels.tolist(), counted.mean_shares.tolist(), strict=True)
    }
    assert printed == expected.shares
    assert count_labels(qrels, 10).below_minus_one.sum() == expected.below_minus_one


@pytest.mark.data("data/trec-web")
def test_the_margin_of_minus_one_matters() -> None:
    """Eleven topics of 2010 reach exactly -1, some of them a rounding above it."""
    counted = count_labels(cranfield.read_qrels(DATA / "trec-web" / YEARS["2010"].path), 10)
    assert (np.abs(counted.lowest + 1) < 1e-9).sum() == 11
    assert (counted.lowest < -1 - 1e-9).sum() == 11


@pytest.mark.data("data/trec-web")
def test_the_cutoff_of_the_paper_is_not_the_one_of_its_table() -> None:
    """2012: 8 % at k = 10, as printed; 12 % at the pooling depth of 20, as stated."""
    qrels = cranfield.read_qrels(DATA / "trec-web" / YEARS["2012"].path)
    found = {cutoff: int(count_labels(qrels, cutoff).below_minus_one.sum()) for cutoff in (5, 10, 15, 20)}
    assert found == {5: 2, 10: 4, 15: 6, 20: 6}
