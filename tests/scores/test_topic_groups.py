"""Groups of topics: read, refused and split by; means and any analysis for each of them."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import xarray as xr
from scipy import stats

import cranfield
from corrections import multipletests
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.comparison import Means, estimate_means
from cranfield.results import ByGroup
from data_sets import DATA

RNG = np.random.default_rng(5)
TOPICS = [f"t{number}" for number in range(24)]
SCORES = xr.DataArray(
    RNG.beta(2, 3, (24, 3)), {"topic": TOPICS, "system": ["a", "b", "c"]}, ("topic", "system"), name="AP"
).to_dataset()
HALVES = {topic: "even" if number % 2 == 0 else "odd" for number, topic in enumerate(TOPICS)}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def repeated(groups: Any) -> tuple[ByGroup, dict[str, list[str]]]:
    """The means of each group, and its topics."""
    topics: list[list[str]] = []

    def analysis(scores: xr.Dataset) -> Means:
        topics.append(scores["topic"].to_numpy().tolist())
        return estimate_means(scores)

    analysis.__name__ = "estimate_means"
    found = cranfield.repeat_by_group(analysis, SCORES, groups)
    return found, dict(zip(found, topics, strict=True))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("t0\teasy\n\nt1\tvery hard \n# a remark\n", "groups.txt"),
        ("topic\tgroup\nt0\teasy\nt1\tvery hard\n", "groups.txt"),
        ("t0,easy\nt1,very hard\n", "groups.txt"),
        ('qid,text,type\nt0,"a, b",easy\nt1,c,very hard\nt2,d,\n', "groups.csv#type"),
        ("type\ttopic\ttext\neasy\tt0\tx\nvery hard\tt1\ty\n", "groups.tsv#type"),
        ("number\ttype\nt0\teasy\nt1\tvery hard\n", "groups.tsv#type"),
    ],
)
def test_the_same_groups_in_many_files(folder: Path, text: str, name: str) -> None:
    (folder / name.partition("#")[0]).write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)  # of topics without a group, and of few
        found, topics = repeated(name)
    assert topics == {"easy": ["t0"], "very hard": ["t1"]}
    assert list(found) == ["easy", "very hard"]
    assert found.signature["topic_groups"]["name"] == name.partition("#")[0]


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("t0 a\nt0 b\n", "g.txt", "g.txt:2: topic 't0' is in two groups, 'a' and 'b'"),
        (
            "t0\n",
            "g.txt",
            "g.txt:1: 1 field, expected two, `topic group`: 't0'; where a name holds a blank, put a tab between the "
            "two",
        ),
        (
            "t0 c0 0\n",
            "g.txt",
            "g.txt:1: 3 fields, expected two, `topic group`: 't0 c0 0'; where a name holds a blank, put a tab between "
            "the two",
        ),
        (
            "t0,c0\nt1,c1,0\n",
            "g.csv",
            "g.csv:2: 3 fields, expected two, `topic group`: 't1,c1,0'; where a name holds a blank, put a tab between "
            "the two",
        ),
        ("", "g.txt", "g.txt: holds no group of a topic"),
        ("topic,text,type\nt0,x,y\n", "g.txt", "g.txt: has 3 columns (topic, text, type): choose one, as FILE#COLUMN"),
        ("topic,type\nt0,x\n", "g.csv#kind", "g.csv: has no column 'kind', only topic, type"),
        ("topic,type\nt0,x\n", "g.csv#topic", "g.csv: the column 'topic' holds the topics: name that of the groups"),
        ("topic,type\nt0,x,y\n", "g.csv#type", "g.csv:2: 3 fields, expected 2 as in the header"),
    ],
)
def test_what_is_refused(folder: Path, text: str, name: str, said: str) -> None:
    (folder / name.partition("#")[0]).write_text(text)
    with pytest.raises(InputError) as refused:
        repeated(name)
    assert str(refused.value) == said
    assert refused.value.code


def test_groups_in_memory() -> None:
    (series, topics), (mapping, _) = repeated(pd.Series(HALVES)), repeated(HALVES)
    assert {topic: group for group, members in topics.items() for topic in members} == HALVES
    assert series == mapping
    assert series.signature == mapping.signature
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        assert repeated({"t0": "a", "t1": None, "t2": float("nan")})[1] == {"a": ["t0"]}
    with pytest.raises(UsageError, match="does not hold groups of topics"):
        repeated(3)


def test_groups_in_a_frame() -> None:
    expected = repeated(HALVES)[1]
    frame = pd.DataFrame({"qid": list(HALVES), "half": list(HALVES.values())})
    assert repeated(frame)[1] == expected
    assert repeated(frame.assign(note="").rename(columns={"half": "Group"}))[1] == expected
    assert repeated(pl.DataFrame(frame.to_dict("list")))[1] == expected
    said = r"a frame of groups has a column 'topic' and a column 'group', and this one has 'qid', 'half', 'note'"
    with pytest.raises(UsageError, match=said):
        repeated(frame.assign(note=""))
    with pytest.raises(UsageError, match=r"the group of topic 't0' is \['c0', '0'\], and should be one name"):
        repeated({topic: ["c0", "0"] for topic in HALVES})


def test_topics_are_told_of() -> None:
    groups = {topic: group for topic, group in HALVES.items() if topic != "t3"} | {"t99": "odd"}
    with pytest.warns(CranfieldWarning) as told:
        _, topics = repeated(groups)
    assert {name: len(members) for name, members in topics.items()} == {"even": 12, "odd": 11}
    texts = [str(one.message).partition(": ")[2] for one in told]
    assert texts == [
        "topic t3 of the scores has no group and counts in none",
        "topic t99 is not among those of the scores and ignored",
    ]
    with pytest.raises(InputError, match="no topic of the scores has a group here"):
        repeated({"x": "y"})


def test_small_and_many_groups_are_told_of() -> None:
    with pytest.warns(CranfieldWarning, match=r"a group has fewer than 10 topics \('few' has 2\)"):
        repeated(HALVES | {"t0": "few", "t2": "few"})
    with pytest.warns(CranfieldWarning) as told:
        repeated(dict(zip(TOPICS, "abcdef" * 4, strict=True)))
    assert any(
        "6 groups: the largest and the smallest of many differ by chance too" in str(one.message) for one in told
    )
    with pytest.warns(CranfieldWarning, match=r"in up to 10%"):  # 1 - 0.95^2
        cranfield.repeat_by_group(cranfield.compare, SCORES, HALVES)


def test_means_have_the_intervals_of_scipy() -> None:
    found = estimate_means(SCORES, level=0.9).to_frame().set_index("system")
    for system in "abc":
        values = SCORES["AP"].sel(system=system).to_numpy()
        low, high = stats.t.interval(0.9, len(values) - 1, values.mean(), stats.sem(values))
        assert found.loc[system, ["mean", "low", "high"]].tolist() == pytest.approx(
            [values.mean(), low, high], abs=1e-14
        )
    assert found["topics"].tolist() == [24] * 3
    assert list(found.index) == sorted("abc", key=lambda system: -float(SCORES["AP"].sel(system=system).mean()))


def test_means_of_missing_scores_and_single_topics() -> None:
    holes = SCORES.copy(deep=True)
    holes["AP"][1:, 0] = np.nan
    holes["AP"][:, 1] = np.nan
    rows = estimate_means(holes).to_frame().set_index("system")
    assert rows["topics"].to_dict() == {"a": 1, "b": 0, "c": 24}
    assert rows.loc["a", "mean"] == SCORES["AP"].values[0, 0]
    assert rows.loc[["a", "b"], ["low", "high"]].isna().all().all()


def test_sums_have_no_interval() -> None:
    counts = cranfield.evaluate({"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}}, {"1": {"a": 1}, "2": {"a": 1}}, "NumRet")
    (row,) = estimate_means(counts).to_frame().to_dict("records")
    assert (row["mean"], row["topics"]) == (3.0, 2)
    assert np.isnan(row["low"])


def test_any_analysis_by_group() -> None:
    with pytest.warns(CranfieldWarning, match="2 groups, each tested by itself"):
        found = cranfield.repeat_by_group(cranfield.compare, SCORES, HALVES, test="wilcoxon", baseline="a")
    assert list(found) == ["even", "odd"]
    for group in found:
        alone = SCORES.isel(topic=[number for number, topic in enumerate(TOPICS) if HALVES[topic] == group])
        assert found[group] == cranfield.compare(alone, test="wilcoxon", baseline="a")
        rows = found.to_frame()
        assert rows[rows["group"] == group].drop(columns="group").reset_index(drop=True).equals(found[group].to_frame())
    assert found.to_frame("groups").to_dict("list") == {"group": ["even", "odd"], "topics": [12, 12]}
    assert found.signature["topic_groups"] == repeated(HALVES)[0].signature["topic_groups"]
    with pytest.raises(UsageError, match="there is no group 'none', only even, odd"):
        found["none"]
    with pytest.raises(UsageError, match="is not an analysis"):
        cranfield.repeat_by_group("compare", SCORES, HALVES)  # type: ignore[arg-type]


@pytest.mark.data("data/trec-dl-2019-passage")
def test_means_of_all_topics_lie_between_those_of_the_groups() -> None:
    shared = DATA / "trec-dl-2019-passage"
    runs = sorted((shared / "runs").iterdir())[:4]
    scores = cranfield.evaluate(runs, shared / "qrels.dl19-passage.txt.gz", "nDCG@10")
    topics = [str(topic) for topic in scores["topic"].values]
    groups = {topic: "even" if int(topic) % 2 == 0 else "odd" for topic in topics}
    found = cranfield.repeat_by_group(cranfield.estimate_means, scores, groups).to_frame()
    weighted = (found["mean"] * found["topics"]).groupby(found["system"]).sum() / len(topics)
    assert weighted.to_dict() == pytest.approx(cranfield.summarize(scores)["nDCG@10"].to_dict(), abs=1e-12)


@pytest.mark.parametrize("test", ["t", "wilcoxon", "permutation"])
def test_p_adjusted_over_the_pairs_of_all_groups(test: str) -> None:
    """Witness: Holm's method of statsmodels, on p of every pair of every group."""
    options = {"test": test, "alpha": 0.2}
    found = cranfield.repeat_by_group(cranfield.compare, SCORES, HALVES, across_groups="holm", **options)
    pairs = found.to_frame("pairs")
    significant, adjusted, *_ = multipletests(pairs["p"], 0.2, "holm")
    assert np.allclose(pairs["p_adjusted"], adjusted, rtol=1e-12)
    assert pairs["significant"].tolist() == significant.tolist()
    assert found["even"].settings["across_groups"] == {"groups": 2, "comparisons": 6}
    alone = cranfield.compare(SCORES.isel(topic=slice(0, None, 2)), **options, correction="holm", level=0.9)
    same = ["system", "other", "p", "low", "high"]
    pd.testing.assert_frame_equal(found["even"].to_frame("pairs")[same], alone.pairs[same])


def test_the_table_of_a_paper_is_corrected_across_groups() -> None:
    """Witness: Holm's method of statsmodels, measure by measure; a mark is where its p lies below alpha."""
    scores = SCORES.assign(nDCG=SCORES["AP"] ** 2)
    options = {"baseline": "a", "alpha": 0.5}
    found = cranfield.repeat_by_group(
        cranfield.comparison.compare_measures, scores, HALVES, across_groups="holm", **options
    )
    pairs, rows = found.to_frame("pairs"), found.to_frame("rows")
    for measure, of_one in pairs.groupby("measure"):
        significant, adjusted, *_ = multipletests(of_one["p"], 0.5, "holm")
        assert np.allclose(of_one["p_adjusted"], adjusted, rtol=1e-12)
        marked = rows[(rows["measure"] == measure) & (rows["system"] != "a")]["mark"] != ""
        assert marked.tolist() == significant.tolist()
    assert "Holm's correction over all 4 comparisons of 2 groups" in found["odd"].to_latex()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("analysis", "options", "said"),
    [
        (cranfield.compare, {"correction": "bh"}, "takes p of each pair by itself"),
        (cranfield.compare, {"test": "permutation", "correction": "max-t"}, "takes p of each pair by itself"),
        (cranfield.compare, {"test": "tukey", "correction": "none"}, "takes p of each pair by itself"),
        (cranfield.estimate_means, {}, "estimate_means tests no pairs"),
    ],
)
def test_what_cannot_be_adjusted_across_groups(analysis: object, options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        cranfield.repeat_by_group(analysis, SCORES, HALVES, across_groups="holm", **options)  # type: ignore[arg-type]


def test_comments_that_are_rows_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "groups.txt"
    path.write_text("# a comment\n#t0 easy\nt1 hard\n#t2 hard\n#t3 very hard\n")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert repeated(path)[1] == {"hard": ["t1"]}
    texts = [str(entry.message) for entry in caught]
    assert sum("has the fields of a row: '#t0 easy' (1 more like it)" in text for text in texts) == 1
    assert any("groups.txt:2: the line is skipped as a comment" in text for text in texts)
