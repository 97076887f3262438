"""Files of pairwise verdicts: formats, odd files with line and value named, and what is left out."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cranfield.errors import CranfieldWarning, FormatError, InputError, UsageError
from cranfield.pairwise import PairVerdicts, read_verdicts

HEADER = "topic\tleft\tright\tverdict\tjudge\n"
BATTLE = {"question_id": "q1", "model_a": "a", "model_b": "b", "winner": "model_a"}
ANSWERS = {"query_id": "q1", "response_a": "x", "response_b": "y"}


def written(folder: Path, text: str, name: str = "verdicts.tsv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.mark.parametrize(
    "text",
    [
        HEADER + "q1\ta\tb\tleft\tj\nq1\tb\ta\ttie\tj\n",
        "q1\ta\tb\tleft\tj\nq1\tb\ta\ttie\tj\n",
        "topic,left,right,verdict,judge\nq1,a,b,left,j\n\nq1,b,a,tie,j\n",
        "\ufeffjudge\tverdict\tright\tleft\ttopic\r\nj\tleft\tb\ta\tq1\r\nj\ttie\ta\tb\tq1\r\n",
        lines(
            {"topic": "q1", "left": "a", "right": "b", "verdict": "left", "judge": "j"},
            {"topic": "q1", "left": "b", "right": "a", "verdict": "tie", "judge": "j"},
        ),
    ],
)
def test_own_formats(tmp_path: Path, text: str) -> None:
    own = read_verdicts(written(tmp_path, text))
    expected = PairVerdicts.of([("q1", "a", "b", "left", "j"), ("q1", "b", "a", "tie", "j")])
    assert own.digest == expected.digest
    assert repr(own) == "PairVerdicts(2 verdicts, 1 topic, 2 systems, 1 judge)"


def test_without_a_judge_and_compressed(tmp_path: Path) -> None:
    path = tmp_path / "v.tsv.gz"
    path.write_bytes(gzip.compress(b"q1\ta\tb\tleft\nq1\ta\tb\tright\n"))
    assert read_verdicts(path).judges == ("judge",)


@pytest.mark.parametrize(
    ("text", "line", "value", "message"),
    [
        (HEADER + "q1\ta\tb\tLeft\tj\n", 2, "Left", "'Left' is not a verdict: expected left, right or tie"),
        (HEADER + "q1\ta\tb\tleft\tj\nq1\ta\ta\ttie\tj\n", 3, "a", "'a' is compared with itself"),
        (HEADER + "q1\ta\tb\tleft\n", 2, "", "the line has 4 fields, the first line 5"),
        (HEADER + "q1\t\tb\tleft\tj\n", 2, "", "the name of the system is empty"),
        (lines(BATTLE, BATTLE | {"winner": "model_c"}), 2, "model_c", "expected model_a, model_b, tie"),
        (lines(BATTLE) + "[1]\n", 2, "", "is not an object of JSON"),
        (lines(BATTLE) + "{\n", 2, "", "is not JSON"),
        (lines(BATTLE | {"model_a": None}), 1, "", "the row has no name in 'model_a'"),
        (
            "id,model_a,model_b,winner_model_a,winner_model_b,winner_tie\nq1,a,b,1,0,1\n",
            2,
            "1, 0, 1",
            "exactly one should be 1",
        ),
        ("id,model_a,model_b,winner_model_a,winner_model_b,winner_tie\nq1,a,b,2,0,0\n", 2, "2", "exactly one"),
        (
            lines({"query_id": "q", "run_id": "a", "run_id2": "b", "better_passage": 3}),
            1,
            "3",
            "expected 1, 2, 0 or null",
        ),
    ],
)
def test_odd_lines(tmp_path: Path, text: str, line: int, value: str, message: str) -> None:
    with pytest.raises(FormatError, match=message) as refused:
        read_verdicts(written(tmp_path, text))
    assert (refused.value.line, refused.value.value) == (line, value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty; expected verdicts"),
        (HEADER.encode(), "there is no verdict"),
        (b"a,b\n1,2\n", "its columns are 'a', 'b'; expected topic, left, right and verdict, or those of arena battles"),
        (b"topic left right verdict\nq a b tie\n", "its columns are 'topic left right verdict'; expected topic"),
        (b"topic left right verdict\nq a b tie\n", "better_passage\\), separated by tabs or commas"),
        (b"\xff\xfe\xff", "not valid UTF-8"),
        (HEADER.encode() + b"q1\ta\tb\t\tj\n", "there is no verdict"),
    ],
)
def test_files_without_verdicts(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "v.tsv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_verdicts(path)


def test_rows_without_a_verdict_are_counted(tmp_path: Path) -> None:
    text = HEADER + "q1\ta\tb\tleft\tj\nq1\ta\tb\t\tj\nq1\tb\ta\tleft\tj\n"
    with pytest.warns(CranfieldWarning, match="1 row without a verdict left out"):
        assert read_verdicts(written(tmp_path, text)).omitted == 1


def test_battles_without_topics(tmp_path: Path) -> None:
    battle = {name: value for name, value in BATTLE.items() if name != "question_id"}
    text = lines(battle, battle | {"winner": "tie (bothbad)"}, battle | {"winner": "both_bad"})
    with pytest.warns(CranfieldWarning, match="each verdict has a topic of its own: intervals are over verdicts"):
        own = read_verdicts(written(tmp_path, text))
    assert (own.topics, own.outcome.tolist()) == (("row 1", "row 2", "row 3"), [1, 0, 0])


def test_criteria(tmp_path: Path) -> None:
    path = written(tmp_path, lines(ANSWERS | {"good": "a", "deep": "n"}, ANSWERS | {"good": "b", "deep": "a"}))
    assert read_verdicts(path, criterion="good").outcome.tolist() == [1, -1]
    with pytest.raises(UsageError, match=r"name one by criterion=: choose one of 2 columns \(good, deep\)"):
        read_verdicts(path)
    with pytest.raises(UsageError, match="has no such column: choose one of"):
        read_verdicts(path, criterion="bad")
    with pytest.raises(UsageError, match=r"name one by criterion=: choose good$"):
        read_verdicts(written(tmp_path, lines(ANSWERS | {"good": "a"}), "one.jsonl"))
    own = written(tmp_path, "topic\tleft\tright\tx\nq\ta\tb\ttie\nq\tb\ta\tleft\n", "own.tsv")
    assert read_verdicts(own, criterion="x").outcome.tolist() == [0, 1]


def test_votes_are_verdicts_of_their_workers(tmp_path: Path) -> None:
    record = ANSWERS | {"good_vote": ["A", "N", "B"], "worker": ["w1", "w2", "w3"]}
    own = read_verdicts(written(tmp_path, lines(record)), criterion="good")
    assert (own.outcome.tolist(), own.judges) == ([1, 0, -1], ("w1", "w2", "w3"))
    with pytest.raises(FormatError, match="expected as many names in 'worker'"):
        read_verdicts(written(tmp_path, lines(record | {"worker": ["w1"]})), criterion="good")


def test_autojudge_has_ties_as_null(tmp_path: Path) -> None:
    record = {"query_id": "q", "run_id": "a", "run_id2": "b"}
    text = lines(*(record | {"better_passage": value} for value in (1, 2, 0, None)))
    assert read_verdicts(written(tmp_path, text)).outcome.tolist() == [1, -1, 0, 0]
    with pytest.raises(FormatError, match="the row has no 'better_passage'"):
        read_verdicts(written(tmp_path, lines(record)))


def test_systems_of_answers(tmp_path: Path) -> None:
    path = written(tmp_path, "q1\tx\ty\tleft\nq1\ty\tx\tleft\n")
    systems = written(tmp_path, "# answers\nx one\ny two\n", "systems.txt")
    assert read_verdicts(path, systems=systems).systems == ("one", "two")
    for text, message in (
        ("x one\n", "1 answer without a system"),
        ("x one\ny one\n", "are answers of the same system"),
        ("x one\nx two\ny two\n", "answer 'x' has a system already, 'one'"),
        ("x\n", "the line has 1 field; expected `answer system`"),
    ):
        with pytest.raises(InputError, match=message):
            read_verdicts(path, systems=written(tmp_path, text, "systems.txt"))


def test_rows_and_frames() -> None:
    frame = pd.DataFrame({"topic": [1, 1], "left": ["a", "b"], "right": ["b", "a"], "verdict": ["left", np.nan]})
    own = PairVerdicts.of(frame)
    assert (len(own), own.omitted, own.topics) == (1, 1, ("1",))
    assert own.to_frame().to_dict("records") == [
        {"topic": "1", "left": "a", "right": "b", "verdict": "left", "judge": "judge"}
    ]
    with pytest.raises(InputError, match="the data frame has no column 'verdict'"):
        PairVerdicts.of(frame[["topic", "left", "right"]])
    with pytest.raises(InputError, match="row 1: 'better' is not a verdict"):
        PairVerdicts.of([("q", "a", "b", "better")])
    with pytest.raises(InputError, match="is not \\(topic, left, right, verdict\\)"):
        PairVerdicts.of([("q", "a", "b")])
    with pytest.raises(InputError, match="there is no verdict"):
        PairVerdicts.of([])
