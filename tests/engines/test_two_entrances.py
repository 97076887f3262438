"""Straight from the bytes of a file, and from a run in memory: the same judged ranks."""

from __future__ import annotations

from pathlib import Path

import pytest
from files import LAYOUTS, TIES, judgments, runs
from hypothesis import assume, given
from hypothesis import strategies as st
from outcomes import Judge, Refused, read_qrels, read_run

from cranfield.engine import Engine
from effort import examples

ARRAYS = ("length", "starts", "rank", "document", "first", "last")
FACTS = ("rank-contradicts-score", "extra-topics")
"""What both entrances can notice; the rest belongs to the text."""


@pytest.fixture(scope="module")
def judge(any_engine: Engine) -> Judge:
    return Judge.of(any_engine, judgments())


@pytest.mark.slow
@examples(100)
@given(data=st.data(), layout=st.sampled_from(LAYOUTS), ties=st.sampled_from(TIES))
def test_without_repeats_both_give_the_same_bits(judge: Judge, data: st.DataObject, layout: str, ties: str) -> None:
    source = data.draw(runs(layout, twice=False))
    file, memory = judge.file(source, ties, layout), judge.memory(source, ties, layout)
    if isinstance(file, Refused) or isinstance(memory, Refused):
        assert isinstance(file, Refused) and isinstance(memory, Refused)
        # The ranks of a run in memory are all there or none, and its rows have no lines.
        assert file == memory or (file.code, memory.code) == ("rank", "no-ranks") or file.code == "equal-ranks"
        return
    assert {key: file[key] for key in ARRAYS} == {key: memory[key] for key in ARRAYS}
    if judge.engine.read_run(source, layout, 0, "error")["rank"] is not None:
        assert file["facts"]["rows"] == memory["facts"]["rows"]
        ours, theirs = (found["facts"]["noticed"] for found in (file, memory))
        assert {code: ours.get(code) for code in FACTS} == {code: theirs.get(code) for code in FACTS}


@pytest.mark.slow
@examples(100)
@given(data=st.data(), ties=st.sampled_from(("trec", "docid", "trec9", "file", "bounds")))
def test_with_repeats_both_keep_the_same_documents(judge: Judge, data: st.DataObject, ties: str) -> None:
    source = data.draw(runs())
    file = judge.file(source, ties, on_duplicate="first")
    assume(not isinstance(file, Refused))
    memory = judge.memory(source, ties, on_duplicate="first")
    assert {key: file[key] for key in ARRAYS} == {key: memory[key] for key in ARRAYS}


@examples(60)
@given(source=runs())
def test_repeats_are_refused_by_both_or_by_none(judge: Judge, source: bytes) -> None:
    file, memory = judge.file(source, "trec"), judge.memory(source, "trec")
    assert isinstance(file, Refused) == isinstance(memory, Refused)
    if isinstance(file, Refused):
        assert file == memory


def test_paths_and_bytes_are_the_same_source(judge: Judge, tmp_path: Path) -> None:
    source = b"\xef\xbb\xbf1 Q0 d1 1 2 sys\r\n\n2 Q0 d10 1 .5 sys\n1 Q0 d 2 1 sys"
    for data in (source, source + b" x", b""):
        path = tmp_path / "d\u00e9 1.run"
        path.write_bytes(data)
        assert read_run(judge.engine, str(path)) == read_run(judge.engine, data)
        assert read_qrels(judge.engine, str(path)) == read_qrels(judge.engine, data)
        assert judge.file(str(path), "trec") == judge.file(data, "trec")


def test_what_is_no_file_raises_what_the_system_says(any_engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        any_engine.read_run(str(tmp_path / "absent"), "trec", 0, "error")
    with pytest.raises(IsADirectoryError):
        any_engine.read_qrels(str(tmp_path), "trec", 0)


def test_a_run_without_ranks_cannot_be_ordered_by_them(judge: Judge) -> None:
    assert judge.memory(b"1 Q0 d1 first 1 t\n", "rank") == Refused("no-ranks", 0, "", 0, "")
    assert judge.file(b"1 Q0 d1 first 1 t\n", "rank") == Refused("rank", 1, "first", 0, "")
