"""What is said of judgments that are scored part by part: the sentences of those in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cranfield
from cranfield.engine import Engine
from cranfield.partitions import evaluate_partitions

TOPICS = range(1, 13)
NONE = (2, 3, 5, 7, 8, 11, 12)
LABELS = {topic: {10: 0 if topic in NONE else 1, 11: 0} for topic in TOPICS}
RUN = {topic: {10: 2.0, 11: 1.0} for topic in TOPICS if topic != 12}
SAID = "7 topics (2, 3, 5, 7, 8, ...) without any document of label 1 or more: measures that need one give 0 there"
MEASURES = ["AP", "RR", "nDCG@10"]


def put(folder: Path, rows: dict[int, dict[int, float]], role: str, form: str) -> Path:
    """Four topics a file."""
    folder.mkdir()
    for number in range(3):
        some = [(t, d, v) for t, row in rows.items() for d, v in row.items() if (t - 1) // 4 == number]
        if form == "text":
            line = "{} 0 {} {}\n" if role == "label" else "{} Q0 {} 0 {} tag\n"
            (folder / f"{number}.txt").write_text("".join(line.format(*one) for one in some))
        else:
            columns = dict(zip(("qid", "docno", role), map(pa.array, zip(*some, strict=True)), strict=True))
            pq.write_table(pa.table(columns), folder / f"{number}.parquet", write_statistics=form == "statistics")
    return folder


def said_of_judgments(run: Path, judged: Path, **words: Any) -> list[str]:
    with pytest.warns(cranfield.CranfieldWarning):
        found = evaluate_partitions(run, judged, MEASURES, **words)
    return [one.text for one in found.remarks if one.code == "nothing-to-find"]


@pytest.mark.parametrize("form", ["text", "plain", "statistics"])
def test_topics_without_relevant_documents_are_named(each_engine: Engine, tmp_path: Path, form: str) -> None:
    runs = [put(tmp_path / name, RUN, "score", form) for name in ("one", "two")]
    judged = put(tmp_path / "judged", LABELS, "label", form)
    with pytest.warns(cranfield.CranfieldWarning) as warned:
        found = evaluate_partitions(runs, judged, MEASURES)
    said = [str(one.message) for one in warned if "label 1 or more" in str(one.message)]
    assert said == [f"{judged}: {SAID}"]
    assert [one.code for one in found.remarks].count("nothing-to-find") == 1
    plain = {str(topic): {str(document): label for document, label in row.items()} for topic, row in LABELS.items()}
    (judged.parent / "all.txt").write_text(
        "".join(f"{t} 0 {d} {v}\n" for t, row in plain.items() for d, v in row.items())
    )
    run = {str(topic): {str(document): score for document, score in row.items()} for topic, row in RUN.items()}
    with pytest.warns(cranfield.CranfieldWarning) as in_memory:
        cranfield.evaluate_means(run, judged.parent / "all.txt", MEASURES)
    assert f"{judged.parent / 'all.txt'}: {SAID}" in [str(one.message) for one in in_memory]


@pytest.mark.parametrize("form", ["text", "plain", "statistics"])
def test_judgments_without_any_relevant_document(tmp_path: Path, form: str) -> None:
    run = put(tmp_path / "run", RUN, "score", form)
    judged = put(tmp_path / "judged", {topic: {10: 0, 11: 0} for topic in TOPICS}, "label", form)
    (one,) = said_of_judgments(run, judged)
    assert one.startswith("no topic has a document of label 1 or more")


def test_topics_split_over_files(tmp_path: Path) -> None:
    run = put(tmp_path / "run", {t: {10: 2.0} for t in RUN}, "score", "plain")
    more = pa.table({"qid": list(RUN), "docno": [11] * len(RUN), "score": [1.0] * len(RUN)})
    pq.write_table(more, run / "more.parquet")
    judged = put(tmp_path / "judged", LABELS, "label", "plain")
    assert said_of_judgments(run, judged, topic_layout="split") == [SAID]


def test_parts_that_an_earlier_call_wrote_say_it_too(tmp_path: Path) -> None:
    run = put(tmp_path / "run", RUN, "score", "plain")
    judged = put(tmp_path / "judged", LABELS, "label", "plain")
    said = []
    for resume in (False, True):
        said.append(said_of_judgments(run, judged, by_topic=tmp_path / "scores", resume=resume))
        (tmp_path / "scores").rename(tmp_path / "scores.unfinished")
    assert said == [[SAID], [SAID]]


def test_levels_that_documentation_says_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = put(tmp_path / "run", RUN, "score", "plain")
    judged = put(tmp_path / "judged", LABELS, "label", "plain")
    monkeypatch.setattr("cranfield.scoring.remarks.official_measures", lambda given: ["AP(rel=2)"])
    with pytest.warns(cranfield.CranfieldWarning) as warned:
        found = evaluate_partitions(run, judged, "AP")
    expected = "measure AP counts labels of 1 or more as relevant, and the data set's documentation those of 2 or more"
    texts = [str(one.message) for one in warned]
    (said,) = [text for text in texts if "documentation those" in text]
    assert said.startswith(f"{judged}: {expected}: give --rel 2")
    assert [one.code for one in found.remarks].count("other-level") == 1
    with pytest.warns(cranfield.CranfieldWarning) as warned:
        evaluate_partitions(run, judged, "AP(rel=2)")
    assert not [one for one in warned if "documentation those" in str(one.message)]
