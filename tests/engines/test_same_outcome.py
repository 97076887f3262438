"""The compiled and the reference engine on the same bytes: the same arrays and facts, or the same refusal."""

from __future__ import annotations

import random

import pytest
from files import LAYOUTS, TIES, damaged, judgments, qrels, runs
from hypothesis import event, given
from hypothesis import strategies as st
from outcomes import Judge, Refused, read_qrels, read_run

from cranfield.engine import Engine
from effort import examples

duplicates = st.sampled_from(("error", "first"))


@pytest.fixture(scope="module")
def judges(compiled: Engine, reference: Engine) -> tuple[Judge, Judge]:
    return Judge.of(compiled, judgments()), Judge.of(reference, judgments())


def note(found: object) -> None:
    event(found.code if isinstance(found, Refused) else "accepted")


def assert_same_run(judges: tuple[Judge, Judge], data: bytes, layout: str, on_duplicate: str, ties: str) -> None:
    ours, theirs = judges
    found = read_run(ours.engine, data, layout, on_duplicate)
    assert found == read_run(theirs.engine, data, layout, on_duplicate)
    note(found)
    assert ours.file(data, ties, layout, on_duplicate) == theirs.file(data, ties, layout, on_duplicate)
    assert ours.memory(data, ties, layout, on_duplicate) == theirs.memory(data, ties, layout, on_duplicate)


@examples(200)
@given(data=st.data(), layout=st.sampled_from(LAYOUTS), on_duplicate=duplicates, ties=st.sampled_from(TIES))
def test_runs(judges: tuple[Judge, Judge], data: st.DataObject, layout: str, on_duplicate: str, ties: str) -> None:
    assert_same_run(judges, data.draw(runs(layout)), layout, on_duplicate, ties)


@pytest.mark.slow
@examples(200)
@given(data=st.data(), layout=st.sampled_from(LAYOUTS), on_duplicate=duplicates, ties=st.sampled_from(TIES))
def test_damaged_runs(
    judges: tuple[Judge, Judge], data: st.DataObject, layout: str, on_duplicate: str, ties: str
) -> None:
    assert_same_run(judges, data.draw(damaged(runs(layout))), layout, on_duplicate, ties)


@examples(200)
@given(data=st.data(), layout=st.sampled_from(LAYOUTS))
def test_qrels(compiled: Engine, reference: Engine, data: st.DataObject, layout: str) -> None:
    source = data.draw(qrels(layout))
    found = read_qrels(compiled, source, layout)
    assert found == read_qrels(reference, source, layout)
    note(found)


@pytest.mark.slow
@examples(200)
@given(data=st.data(), layout=st.sampled_from(LAYOUTS))
def test_damaged_qrels(compiled: Engine, reference: Engine, data: st.DataObject, layout: str) -> None:
    source = data.draw(damaged(qrels(layout)))
    found = read_qrels(compiled, source, layout)
    assert found == read_qrels(reference, source, layout)
    note(found)


alike = st.tuples(st.sampled_from(["", "a", "clueweb12-", "a" * 9]), st.text("ab\x01\u00e9", max_size=18)).map("".join)
"""Ids that share their beginnings, some with all of another's letters and more."""


@examples(100)
@given(rows=st.lists(st.tuples(st.sampled_from("12"), st.sampled_from("01"), alike.filter(bool), st.just(1))))
def test_judgments_of_ids_that_begin_alike(
    compiled: Engine, reference: Engine, rows: list[tuple[str, str, str, int]]
) -> None:
    source = "".join(f"{' '.join(map(str, row))}\n" for row in rows).encode()
    assert read_qrels(compiled, source) == read_qrels(reference, source)


def test_only_the_first_line_of_beir_qrels_may_be_a_header(any_engine: Engine) -> None:
    header = b"query-id corpus-id score\n"
    rows = b"1 d 1\n1 e 2\n"
    read = read_qrels(any_engine, header + rows, "beir")
    assert read["facts"] == {"rows": 2, "skipped": 1, "noticed": {}}
    assert read["label"][2] == [1.0, 2.0]
    assert read_qrels(any_engine, rows, "beir")["label"] == read["label"]
    assert read_qrels(any_engine, header + header + rows, "beir") == Refused("label", 2, "score", 0, "")
    assert read_qrels(any_engine, header + b"1 d yes\n" + rows, "beir") == Refused("label", 2, "yes", 0, "")


def test_a_comment_begins_its_line(any_engine: Engine) -> None:
    read = read_run(any_engine, b"# 1 Q0 d 1 1 t\n #1 Q0 d 1 1 t\n")
    assert (read["topics"], read["facts"]["rows"], read["facts"]["skipped"]) == (["#1"], 1, 1)
    judged = read_qrels(any_engine, b"# 1 0 d 1\n\t#1 0 d 1\n")
    assert (judged["topics"], judged["facts"]["rows"], judged["facts"]["skipped"]) == (["#1"], 1, 1)


@examples(150)
@given(source=st.binary(max_size=200) | st.text(alphabet="1 dQ0\t\n\r#.e-", max_size=200).map(str.encode))
def test_any_bytes(compiled: Engine, reference: Engine, source: bytes) -> None:
    assert read_run(compiled, source) == read_run(reference, source)
    assert read_qrels(compiled, source) == read_qrels(reference, source)


@pytest.mark.parametrize("judged", [100, 256, 257, 3000], ids="{} judged".format)
def test_many_judged_documents(compiled: Engine, reference: Engine, judged: int) -> None:
    """Tables near and far in memory, whole and broken batches of documents, ids of all lengths, found and not."""
    draw = random.Random(judged)
    ids = ["x" * draw.randrange(20) + str(number) for number in range(2 * judged)]
    qrels = "".join(f"{topic} 0 {name} 1\n" for topic in (1, 2) for name in draw.sample(ids, judged)).encode()
    judges = Judge.of(compiled, qrels), Judge.of(reference, qrels)
    lists = {1: draw.sample(ids, judged + 37), 2: draw.sample(ids, 64), 3: draw.sample(ids, 64)}
    rows = [(topic, name, draw.randrange(50)) for topic, names in lists.items() for name in names]
    run = "".join(f"{topic} Q0 {name} {rank} {score} t\n" for rank, (topic, name, score) in enumerate(rows)).encode()
    twice = run + run.splitlines(keepends=True)[-1]
    for data, ties, on_duplicate in (*((run, ties, "error") for ties in TIES), (twice, "trec", "first")):
        for entrance in (Judge.file, Judge.memory):
            ours, theirs = (entrance(judge, data, ties, "trec", on_duplicate) for judge in judges)
            assert ours == theirs
    known = set(qrels.splitlines())
    expected = sum(f"{topic} 0 {name} 1".encode() in known for topic, name, _ in rows)
    assert len(compiled.judge_file(run, "trec", 0, judges[0].index, "trec", "error", 1, False)["document"]) == expected
