"""Scores of topics as Parquet: written by ``evaluate``, read by ``--scores``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import cranfield, printed

from object_store import object_store

FILES = ("qrels.txt", "best.run", "late.run")


@pytest.mark.parametrize("place", ["scores/", "scores.parquet"])
def test_what_compare_reads_is_what_it_would_compute(folder: Path, place: str) -> None:
    assert printed("evaluate", *FILES, "-q", "-m", "AP,RR", "-o", place) == ""
    stored = printed("compare", "--scores", place, "-m", "AP", "-f", "csv")
    assert stored == printed("compare", *FILES, "-m", "AP", "-f", "csv")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "scores/"], "add --by-topic"),
        (["-q", "-f", "parquet"], "add -o scores/ or -o scores.parquet"),
        (["-q", "-f", "parquet", "-o", "-"], "add -o scores/ or -o scores.parquet"),
        (["-q", "-o", "none/scores/"], "none/scores: cannot be written: there is no such folder"),
        (["-q", "-o", "./"], "cannot be written: it is a folder that holds something else"),
    ],
)
def test_what_is_refused_before_anything_is_read(folder: Path, words: list[str], message: str) -> None:
    ended = cranfield("evaluate", "no-such-qrels", "best.run", *words)
    assert ended.status in (1, 2)
    assert message in ended.err
    assert "no-such-qrels" not in ended.err


def test_parts_are_left_out_named_and_gone_on_with(folder: Path) -> None:
    run, scores = folder / "run", folder / "scores"
    run.mkdir()
    (run / "one.run").write_text("1 Q0 a 1 3 x\n")
    (run / "two.run").write_text("2 Q0 a 1 high x\n")
    call = ("evaluate", "--dataset", "qrels.txt", "run", "-m", "RR", "-q", "-o", "scores/")
    ended = cranfield(*call, "--keep-going")
    assert ended.status == 5
    assert "two.run:1: " in ended.err
    assert "go on with them (resume=True, --resume)" in ended.err
    assert not scores.exists()
    (run / "two.run").write_text("2 Q0 a 1 3 x\n")
    assert "holds parts that an earlier run left" in cranfield(*call).err
    assert cranfield(*call, "--resume").status == 0
    assert printed("evaluate", "qrels.txt", "best.run", "-m", "RR", "-f", "csv").splitlines()[1].endswith(",1.0")
    assert [path.name for path in folder.iterdir() if path.name.startswith("scores")] == ["scores"]
    assert "without --dataset" in cranfield("evaluate", "qrels.txt", "best.run", "--resume").err


def test_scores_at_an_address(folder: Path) -> None:
    with object_store("lake"):
        assert printed("evaluate", *FILES, "-q", "-m", "AP", "-o", "s3://lake/scores/") == ""
        stored = printed("compare", "--scores", "s3://lake/scores", "-f", "csv")
        assert stored == printed("compare", *FILES, "-m", "AP", "-f", "csv")
        ended = cranfield("compare", "--scores", "s3://lake/score")
        assert ended.status == 1
        assert "s3://lake/score: there is no such file or folder" in ended.err
        ended = cranfield("evaluate", "no-such-qrels", "best.run", "-q", "-o", "s3://lake/scores/")
        assert "cannot be written: lake/scores/part-00000.parquet is there already" in ended.err
    assert not (folder / "s3:").exists()


def test_what_does_not_fit_is_refused_by_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cranfield("evaluate", *FILES, "-q", "-m", "AP", "-o", "scores/")
    monkeypatch.setenv("CRANFIELD_MEMORY", "5")
    ended = cranfield("compare", "risk", "--scores", "scores/")
    assert re.search(
        r"error: compare risk of \d+ topics by name would take .* of memory, of .* allowed: take fewer", ended.err
    )
    assert ended.status == 1


def test_standardized_scores_as_parquet(folder: Path) -> None:
    assert printed("standardize", *FILES, "-m", "AP", "-o", "scaled/") == ""
    stored = printed("standardize", "--scores", "scaled/", "-s", "raw", "-q", "-f", "csv")
    assert stored == printed("standardize", *FILES, "-m", "AP", "-q", "-f", "csv")
    assert cranfield("standardize", *FILES, "-f", "parquet").err.endswith(
        "-o scaled/ or -o scaled.parquet is missing\n"
    )
