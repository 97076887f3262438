"""``cranfield evaluate --dataset``: intervals, tests of several runs and slices, as a table and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import cranfield


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two runs on twelve topics, and judgments with a segment."""
    monkeypatch.chdir(tmp_path)
    for name, best in (("bm25", 3), ("dense", 2)):
        (tmp_path / name).mkdir()
        rows = [(topic, one, float((one - topic % best) % 5)) for topic in range(12) for one in range(5)]
        columns = dict(zip(("qid", "docno", "score"), zip(*rows, strict=True), strict=True))
        pq.write_table(pa.table(columns), tmp_path / name / "0.parquet")
    (tmp_path / "qrels").mkdir()
    judged = {"qid": list(range(12)), "docno": [4] * 12, "label": [1] * 12, "segment": ["new", "old"] * 6}
    pq.write_table(pa.table(judged), tmp_path / "qrels" / "0.parquet")
    return tmp_path


CALL = ("evaluate", "--dataset", "qrels", "bm25", "dense", "-m", "RR")


def test_a_table_has_intervals_tests_and_slices(lake: Path) -> None:
    out = cranfield(*CALL, "--slice", "segment", "--memory", "50MB").out
    means, tests, slices = out.split("\n\n")[::2]
    assert means.split("\n")[0].split()[:5] == ["system", "measure", "mean", "standard_error", "interval"]
    assert tests.split("\n")[0].split()[:4] == ["system", "other", "measure", "difference"]
    assert "dense" in tests.split("\n")[2]
    assert slices.split("\n")[0].split()[:3] == ["slice", "system", "measure"]
    assert "paired t-tests; interval: 95% interval of each pair by itself" in out
    (lake / "groups.tsv").write_text("".join(f"{topic}\tall\n" for topic in range(12)))
    assert "all     bm25" in cranfield(*CALL, "--topic-groups", "groups.tsv").out


def test_a_table_has_the_largest_differences(lake: Path) -> None:
    """As many as compare prints, of each measure; other formats have all."""
    names = [f"run{number}" for number in range(8)]
    for number, name in enumerate(names):
        (lake / name).mkdir()
        rows = [(topic, one, float((one * (number + 1) + topic) % 5)) for topic in range(12) for one in range(5)]
        columns = dict(zip(("qid", "docno", "score"), zip(*rows, strict=True), strict=True))
        pq.write_table(pa.table(columns), lake / name / "0.parquet")
    call = ("evaluate", "--dataset", "qrels", *names, "-m", "RR,P@2")
    out = cranfield(*call).out
    assert "40 of 56 pairs, the largest differences of each measure first; -f json holds all" in out
    pairs = json.loads(cranfield(*call, "-f", "json").out)["tables"]["differences"]
    assert len(pairs) == 56
    lines = [line.split() for line in out.split("\n\n")[2].splitlines()[2:]]
    for measure in ("RR", "P@2"):
        sizes = sorted((abs(pair["difference"]) for pair in pairs if pair["measure"] == measure), reverse=True)
        shown = [abs(float(line[3])) for line in lines if len(line) > 3 and line[2] == measure]
        assert shown == pytest.approx(sizes[:20], abs=1e-4)


def test_programs_read_every_number(lake: Path) -> None:
    found = json.loads(cranfield(*CALL, "--slice", "segment", "-f", "json").out)
    assert {"differences", "slices"} <= set(found["tables"])
    (test,) = found["tables"]["differences"]
    assert (test["system"], test["other"], test["topics"]) == ("dense", "bm25", 12)
    rows = cranfield(*CALL, "--slice", "segment", "-f", "csv").out.splitlines()
    assert rows[0] == "slice,system,measure,mean,standard_error,low,high,topics"
    assert len(rows) == 5
    assert cranfield(*CALL, "-f", "csv").out.splitlines()[0].startswith("system,measure,mean")


def test_what_does_not_go_together_is_refused(lake: Path) -> None:
    both = cranfield(*CALL, "--slice", "segment", "--topic-groups", "groups.tsv")
    assert "--slice and --topic-groups both define groups of topics: give one of them" in both.err
    assert "--slice changes nothing without --dataset" in cranfield("evaluate", "qrels", "bm25", "--slice", "x").err
    assert "no data set has a column 'region' for slices, there are" in cranfield(*CALL, "--slice", "region").err


def test_a_broken_data_set_is_left_out(lake: Path) -> None:
    """The others are evaluated as if they had been given alone."""
    (lake / "broken").mkdir()
    (lake / "broken" / "0.parquet").write_bytes(b"PAR1 cut off")
    call = "evaluate", "--dataset", "qrels", "broken", "bm25", "lost", "dense", "-m", "RR"
    stopped, going = cranfield(*call), cranfield(*call, "--keep-going")
    assert (stopped.status, stopped.out) == (1, "")
    assert (going.status, going.out) == (5, cranfield(*CALL).out)
    first, second = going.err.splitlines()
    assert "broken/0.parquet: the Parquet data are damaged" in first
    assert second == "cranfield: error: lost: there is no such file or folder"
    scores = cranfield(*call, "--keep-going", "-q", "-o", "scores/")
    assert (scores.status, "unfinished" in scores.err) == (5, False)
    assert len(list((lake / "scores").iterdir())) == 2
    alone = cranfield("evaluate", "--dataset", "qrels", "broken", "lost", "--keep-going")
    assert (alone.status, alone.out, len(alone.err.splitlines())) == (1, "", 1)
