"""``cranfield check labels``: what it prints, and how it ends."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import pytest
from command import cranfield, printed

QRELS = "7 0 a 3\n7 0 b 1\n7 0 c 0\n7 0 d 0\n7 0 e -2\n7 0 f -2\n10 0 a 1\n10 0 b 0\n"


@pytest.fixture
def qrels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "qrels.txt"
    path.write_text(QRELS)
    return path


def test_labels_together(qrels: Path) -> None:
    lines = printed("check", "labels", "qrels.txt", "-k", "3").splitlines()
    assert lines[0].split("  ")[0] == "label"
    assert lines[2].split() == ["-2", "2", "1", "0.3333", "0.1667"]
    assert lines[3].split() == ["0", "3", "2", "0.4167", "0.4167"]
    assert lines[-1] == "2 topics of qrels; NDCG_org@3 can be below 0 in 1 of 2 (50%), -1 or less in 0 of 2 (0%)"


def test_labels_by_topic(qrels: Path) -> None:
    lines = printed("check", "labels", "qrels.txt", "-k", "3", "--by-topic").splitlines()
    assert lines[0].split() == ["topic", "judged", "share(-2)", "share(0)", "share(1)", "share(3)", "lowest"]
    assert lines[2].split() == ["7", "6", "0.3333", "0.3333", "0.1667", "0.1667", "-0.8984"]
    assert lines[3].split() == ["10", "2", "0.0000", "0.5000", "0.5000", "0.0000", "0.0000"]
    assert lines[4].split() == ["all", "8", "0.3333", "0.4167", "0.3333", "0.1667", "-0.8984"]


def test_numbers_for_programs(qrels: Path) -> None:
    rows = [
        line.split("\t") for line in printed("check", "labels", "qrels.txt", "-k", "3", "-q", "-f", "tsv").splitlines()
    ]
    assert rows[0] == ["topic", "measure", "value"]
    found = {(topic, measure): float(value) for topic, measure, value in rows[1:]}
    assert len(found) == len(rows) - 1
    assert found["7", "share(-2)"] == 1 / 3
    assert found["7", "lowest"] == pytest.approx(-0.898354, abs=5e-7)
    assert found["10", "judged"] == 2
    assert {row[0] for row in rows[1:]} == {"7", "10"}, "no summary among topics"
    rows = [line.split("\t") for line in printed("check", "labels", "qrels.txt", "-k", "3", "-f", "tsv").splitlines()]
    found = {(topic, measure): float(value) for topic, measure, value in rows[1:]}
    assert found["all", "share(-2)"] == 1 / 3, "where the label occurs"
    assert found["all", "all_topics(-2)"] == 1 / 6
    assert found["all", "documents(0)"] == 3
    assert found["all", "topics(3)"] == 1
    assert (found["all", "below_0"], found["all", "below_-1"]) == (1 / 2, 0)


def test_csv_and_json_hold_the_same(qrels: Path) -> None:
    table = list(csv.reader(printed("check", "labels", "qrels.txt", "-q", "-f", "csv").splitlines()))
    data = json.loads(printed("check", "labels", "qrels.txt", "-q", "-f", "json"))
    assert data["signature"]["settings"] == {"cutoff": 20}
    assert data["signature"]["qrels"]["name"] == "qrels"
    assert len(data["signature"]["qrels"]["sha256"]) == 64
    assert [[row["topic"], row["measure"], repr(row["value"])] for row in data["rows"]] == table[1:]


def test_a_topic_without_a_label_above_zero(qrels: Path) -> None:
    qrels.write_text(QRELS + "8 0 a -1\n8 0 b 0\n")
    assert "nan" in printed("check", "labels", "qrels.txt", "-q")
    out = printed("check", "labels", "qrels.txt")
    assert out.endswith("below 0 in 1 of 3 (33%), -1 or less in 0 of 3 (0%); undefined in 1, without a label above 0\n")
    rows = json.loads(printed("check", "labels", "qrels.txt", "-q", "-f", "json"))["rows"]
    assert {"topic": "8", "measure": "lowest", "value": None} in rows


def test_standard_input_and_a_file(qrels: Path) -> None:
    out = printed("check", "labels", "-", "-f", "tsv", input=QRELS.encode())
    assert printed("check", "labels", "qrels.txt", "-f", "tsv", "-o", "out.tsv") == ""
    assert Path("out.tsv").read_text() == out


def test_a_topic_that_is_called_all(qrels: Path) -> None:
    qrels.write_text("all 0 a 1\nall 0 b 0\n")
    assert "all\tjudged\t2" in printed("check", "labels", "qrels.txt", "-q", "-f", "tsv")


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        (("nothing.txt",), 1, "nothing.txt"),
        (("qrels.txt", "-k", "0"), 2, "should be at least 1"),
        (("qrels.txt", "-f", "trec"), 2, "'trec' is not one of"),
        (("qrels.txt", "-o", "no/where"), 1, "there is no such folder"),
        ((), 2, "Missing argument 'QRELS'"),
    ],
)
def test_mistakes(qrels: Path, arguments: tuple[str, ...], status: int, text: str) -> None:
    ended = cranfield("check", "labels", *arguments)
    assert (ended.status, ended.out) == (status, "")
    assert text in ended.err
    assert ended.err.count("\n") == 1


def test_what_labels_below_zero_do_to_runs(qrels: Path) -> None:
    Path("clean.run").write_text("7 Q0 a 1 3 clean\n7 Q0 c 2 2 clean\n10 Q0 a 1 1 clean\n")
    Path("spam.run").write_text("7 Q0 e 1 3 spam\n7 Q0 f 2 2 spam\n7 Q0 a 3 1 spam\n10 Q0 a 1 1 spam\n")
    rows = [
        line.split("\t")
        for line in printed(
            "check", "labels", "qrels.txt", "clean.run", "spam.run", "-k", "2", "-f", "tsv"
        ).splitlines()
    ]
    assert rows[0] == ["system", "NDCG_org@2", "NDCG_0@2", "NDCG_min@2", "below_zero", "topics_below_0"]
    found = {row[0]: [float(value) for value in row[1:]] for row in rows[1:]}
    ideal = 3 + 1 / math.log2(3)
    worst = -2 - 2 / math.log2(3)
    assert found["clean"] == pytest.approx(
        [(3 / ideal + 1) / 2, (3 / ideal + 1) / 2, ((3 - worst) / (ideal - worst) + 1) / 2, 0, 0]
    )
    assert found["spam"] == pytest.approx([(worst / ideal + 1) / 2, 0.5, 0.5, 1, 1])
    assert list(found) == ["clean", "spam"]
    error = cranfield("check", "labels", "qrels.txt", "clean.run", "--by-topic")
    assert error.status == 2
    assert "RUN... changes nothing with --by-topic" in error.err
