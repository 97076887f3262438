"""Several runs part by part: intervals, paired tests and slices, the same bits whatever the parts are."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.stats

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.comparison import estimate_means
from cranfield.partitions import Dataset, PartitionedScores, evaluate_partitions

TOPICS, DEPTH = 60, 8
MEASURES = ["AP", "nDCG@5", "NumRelRet", "GMAP"]
SEGMENTS = ("new", "old", None)
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")


def runs_of(text: bool) -> dict[str, pa.Table]:
    """Three runs, of which one lacks two topics, and judgments with a segment of every topic but some."""
    draw = random.Random(8)

    def name(prefix: str, number: int) -> Any:
        return f"{prefix}{number:03}" if text else number

    out = {}
    for run, absent in (("bm25", ()), ("dense", (3, 30)), ("knn", ())):
        topics = [topic for topic in range(TOPICS) if topic not in absent]
        rows = [(name("q", topic), name("d", one)) for topic in topics for one in draw.sample(range(30), DEPTH)]
        scores = [round(draw.random(), 1) for _ in rows]
        out[run] = pa.table({"topic": [row[0] for row in rows], "document": [row[1] for row in rows], "score": scores})
    judged = [(topic, one) for topic in range(TOPICS) for one in draw.sample(range(30), 9)]
    out["qrels"] = pa.table(
        {
            "topic": [name("q", topic) for topic, _ in judged],
            "document": [name("d", one) for _, one in judged],
            "label": [draw.choice([0, 1, 2]) for _ in judged],
            "segment": [SEGMENTS[topic % 3] for topic, _ in judged],
        }
    )
    return out


def written(folder: Path, tables: dict[str, pa.Table], parts: int, *, scattered: bool = False) -> Path:
    """Files with whole topics, or with rows in any order."""
    for name, table in tables.items():
        (folder / name).mkdir(parents=True)
        order = list(range(table.num_rows))
        if scattered:
            random.Random(2).shuffle(order)
        whole = table.take(order)
        numbers = whole["topic"].to_pylist()
        for part in range(parts):
            first, last = (TOPICS * at // parts for at in (part, part + 1))
            rows = [
                row
                for row, topic in enumerate(numbers)
                if (row % parts == part if scattered else first <= int(str(topic).strip("q")) < last)
            ]
            pq.write_table(whole.take(rows), folder / name / f"{part}.parquet", row_group_size=100)
    return folder


def found(folder: Path, **words: Any) -> PartitionedScores:
    runs = [folder / name for name in ("bm25", "dense", "knn")]
    return evaluate_partitions(runs, folder / "qrels", MEASURES, **words)


def tables_of(one: PartitionedScores) -> str:
    return repr({name: frame.to_dict("list") for name, frame in one.frames().items()})


@pytest.mark.parametrize("text", [False, True])
def test_tests_intervals_and_slices_are_those_of_memory(tmp_path: Path, text: bool) -> None:
    tables = runs_of(text)
    scores = cranfield.evaluate({name: tables[name] for name in ("bm25", "dense", "knn")}, tables["qrels"], MEASURES)
    one = found(written(tmp_path / "one", tables, 1), slices="segment")
    means = one.to_frame("means").set_index(["system", "measure"])
    expected = estimate_means(scores).rows.set_index(["system", "measure"])
    for key, row in expected.iterrows():
        ours = means.loc[key, ["mean", "low", "high"]].astype(float)  # type: ignore[index]
        assert tuple(ours) == pytest.approx(tuple(row[["mean", "low", "high"]].astype(float)), rel=1e-12, nan_ok=True)
    differences = one.to_frame("differences").set_index(["measure", "system", "other"])
    assert len(differences) == 9
    for measure in ("AP", "nDCG@5", "NumRelRet"):
        for row in cranfield.compare(scores[measure], interval="t").pairs.to_dict("records"):
            ours = differences.loc[(measure, row["system"], row["other"])]
            names = ["difference", "low", "high", "statistic", "p", "p_adjusted", "topics"]
            assert [float(ours[name]) for name in names] == pytest.approx([row[name] for name in names], rel=1e-9)
            pair = scores[measure].sel(system=[row["system"], row["other"]]).to_numpy().T
            theirs = scipy.stats.ttest_rel(*pair)
            assert (ours["statistic"], ours["p"]) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)
    slices = one.to_frame("slices").set_index(["slice", "system", "measure"])
    segment = [SEGMENTS[int(str(topic).strip("q")) % 3] for topic in scores["topic"].to_numpy()]
    for measure in ("AP", "NumRelRet"):
        groups = scores[measure].to_pandas().groupby(pd.Series(segment, index=scores["topic"].to_numpy()))
        by_mean = groups.mean() if measure == "AP" else groups.sum()
        for name in ("new", "old"):
            for system in ("bm25", "dense", "knn"):
                row = slices.loc[(name, system, measure)]
                assert row["mean"] == pytest.approx(by_mean.loc[name, system], rel=1e-12)
                assert row["topics"] == 20
    assert set(slices.index.get_level_values("slice")) == {"new", "old"}


def test_no_split_and_no_executor_changes_a_bit(tmp_path: Path) -> None:
    tables = runs_of(text=False)
    expected = tables_of(found(written(tmp_path / "whole", tables, 1), slices="segment"))
    with ThreadPoolExecutor(2) as pool:
        for parts in (2, 7):
            folder = written(tmp_path / f"of{parts}", tables, parts)
            assert tables_of(found(folder, slices="segment", executor=pool)) == expected
    folder = written(tmp_path / "scattered", tables, 3, scattered=True)
    for topics in ("auto", "split"):
        assert tables_of(found(folder, slices="segment", topic_layout=topics)) == expected


def test_what_was_stored_is_compared_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = written(tmp_path / "data", runs_of(text=False), 3)
    expected = tables_of(found(folder, slices="segment", by_topic=tmp_path / "scores"))
    assert expected == tables_of(found(folder, slices="segment"))
    (tmp_path / "scores").rename(tmp_path / "scores.unfinished")
    assert tables_of(found(folder, slices="segment", by_topic=tmp_path / "scores", resume=True)) == expected


def test_a_table_beside_says_the_slices(tmp_path: Path) -> None:
    folder = written(tmp_path / "data", runs_of(text=False), 2)
    (tmp_path / "segments.tsv").write_text("".join(f"{topic}\t{SEGMENTS[topic % 3] or 'odd'}\n" for topic in range(59)))
    with pytest.warns(CranfieldWarning, match="^topic 59 has no slice and counts in none"):
        one = found(folder, slices=tmp_path / "segments.tsv")
    assert [(name, some["knn"].topics) for name, some in one.slices.items()] == [("new", 20), ("old", 20), ("odd", 19)]
    said = dict.fromkeys(range(60), "all")
    every = found(folder, slices=pd.Series(said)).slices["all"]["dense"]
    assert every.means == found(folder).means["dense"]
    with pytest.warns(CranfieldWarning, match=r"slices with fewer than 10 topics \('one' 1\)") as heard:
        found(folder, slices={0: "one"})
    said_of_missing = [str(one.message) for one in heard if "missing" in str(one.message)]
    assert ["2 judged topics (3, 30) missing from the run" in one for one in said_of_missing] == [True]


def test_a_folder_of_hive_is_a_slice(tmp_path: Path) -> None:
    tables = runs_of(text=False)
    folder = written(tmp_path / "data", {name: tables[name] for name in ("bm25", "dense", "knn")}, 1)
    for country in ("at", "de"):
        place = folder / "qrels" / f"country={country}"
        place.mkdir(parents=True)
        rows = [
            row for row, topic in enumerate(tables["qrels"]["topic"].to_pylist()) if (topic < 25) == (country == "at")
        ]
        pq.write_table(tables["qrels"].take(rows), place / "0.parquet")
    one = found(folder, slices="country")
    assert [(name, some["bm25"].topics) for name, some in one.slices.items()] == [("at", 25), ("de", 35)]


def test_what_cannot_be_sliced_is_refused(tmp_path: Path) -> None:
    tables = runs_of(text=False)
    folder = written(tmp_path / "data", tables, 2)
    with pytest.raises(InputError, match=r"no data set has a column 'region' for slices, there are topic, document"):
        found(folder, slices="region")
    with pytest.raises(UsageError, match="does not hold groups of topics"):
        found(folder, slices=7)
    two = ["new" if number % 2 else "old" for number in range(tables["qrels"].num_rows)]
    pq.write_table(tables["qrels"].set_column(3, "segment", pa.array(two)), tmp_path / "two.parquet")
    with pytest.raises(InputError, match=r"two.parquet: topic '\d+' is in two slices, '(new|old)' and '(new|old)'"):
        evaluate_partitions(folder / "bm25", Dataset(tmp_path / "two.parquet"), "AP", slices="segment")
    with pytest.raises(UsageError, match="level"):
        found(folder, level=1.0)


def test_scores_that_have_no_room_are_said(tmp_path: Path) -> None:
    folder = written(tmp_path / "data", runs_of(text=False), 2)
    with pytest.warns(CranfieldWarning, match=r"tests of differences would need the scores of all topics in memory"):
        one = found(folder, memory="6kB")
    assert one.tests == ()
    with pytest.raises(InputError, match=r"slices would need the scores of all topics in memory.*--memory"):
        found(folder, memory="6kB", slices="segment")
