"""Files of pairwise verdicts: formats, odd files with line and value named, and what is left out."""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cranfield.errors import CranfieldWarning, FormatError, InputError, UsageError
from cranfield.pairwise import PairVerdicts, count_wins, estimate_strengths, read_verdicts

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
        (HEADER + "q1\ta\tb\tlefts\tj\n", 2, "lefts", "'lefts' is not a verdict: expected left, right or tie"),
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
        (b"topic left right verdict\nq a b tie\n", "better_passage\\), separated by tabs, commas or semicolons"),
        (b"\xff\xfe\xff", "is UTF-16, not UTF-8 text"),
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


OUTCOMES = "question,first,second,best,who\nq1,a,b,a,x\nq1,b,a,tie,y\nq2,a,b,A>>B,x\n"
ROLES = {"topic": "question", "left": "first", "right": "second", "verdict": "best", "judge": "who"}


@pytest.mark.parametrize(
    "header",
    [
        "topic,left,right,verdict,judge",
        "question_id,model_a,model_b,winner,worker",
        "prompt_id,left,right,winner,annotator",
        "query_id,system_a,system_b,verdict,rater",
    ],
)
def test_columns_are_known_by_their_names(tmp_path: Path, header: str) -> None:
    rows = [("q1", "a", "b", "left", "x"), ("q1", "b", "a", "tie", "y"), ("q2", "a", "b", "A>>B", "x")]
    own = read_verdicts(written(tmp_path, OUTCOMES.replace(OUTCOMES.partition("\n")[0], header)))
    assert own.digest == PairVerdicts.of(rows).digest
    assert own.judges == ("x", "y")


def test_columns_of_other_names(tmp_path: Path) -> None:
    path = written(tmp_path, OUTCOMES)
    own = read_verdicts(path, columns=ROLES)
    assert own.to_frame()["verdict"].tolist() == ["left", "tie", "A>>B"]
    frame = pd.read_csv(path)
    assert PairVerdicts.of(frame, columns=ROLES).digest == own.digest
    assert PairVerdicts.of(own.to_frame()).digest == own.digest
    for columns, message in (
        ({**ROLES, "left": "nowhere"}, r"columns=left=nowhere: .*v.* has no such column, only 'question'"),
        ({"winner": "best"}, "columns= has no 'winner'; what can be named of verdicts is topic, left"),
        ({"left": 3}, "should be the name of a column"),
        ("left=first", "should be a dict such as"),
    ):
        with pytest.raises(UsageError, match=message):
            read_verdicts(path, columns=columns)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="both name the column of the verdict"):
        read_verdicts(path, columns=ROLES, criterion="best")
    with pytest.raises(UsageError, match="leave it out for rows"):
        PairVerdicts.of([("q", "a", "b", "tie")], columns=ROLES)


def test_a_winner_may_be_named_and_is_never_guessed(tmp_path: Path) -> None:
    with pytest.warns(CranfieldWarning, match="each verdict has a topic of its own"):
        own = read_verdicts(written(tmp_path, "left,right,winner\nbm25,neural,neural\nneural,bm25,neural\n"))
    assert own.outcome.tolist() == [-1, 1]
    with pytest.raises(FormatError, match="'A' is the system on the right, and says something else too") as refused:
        read_verdicts(written(tmp_path, "left,right,winner\nB,A,A\n"))
    assert refused.value.line == 2
    with (
        pytest.warns(CranfieldWarning, match=r"in 'winner' 1 is left, 2 is right; if not"),
        pytest.raises(FormatError, match="'1' is the system on the right, and says something else too"),
    ):
        read_verdicts(written(tmp_path, "topic,left,right,winner\nq,a,b,1\nq,a,b,2\nq,2,1,1\n"))
    with pytest.raises(FormatError, match="'dense' is not a verdict: expected left, right or tie, one of A>>B"):
        read_verdicts(written(tmp_path, "left,right,winner\nbm25,neural,dense\n"))


def test_a_list_of_objects(tmp_path: Path) -> None:
    records = [BATTLE, BATTLE | {"winner": "tie"}]
    path = written(tmp_path, json.dumps(records, indent=1))
    assert read_verdicts(path).outcome.tolist() == [1, 0]
    with pytest.raises(InputError, match="object 2: '3' is not an object"):
        read_verdicts(written(tmp_path, json.dumps([BATTLE, 3])))
    with pytest.raises(InputError, match="object 1: 'best' is not a verdict"):
        read_verdicts(written(tmp_path, json.dumps([BATTLE | {"winner": "best"}])))


GAME = {"question_id": "q1", "model": "m", "judge": "gpt", "baseline": "b"}


def test_games_of_arena_hard(tmp_path: Path) -> None:
    """In the first game A is the baseline, in the second A is the model."""
    games = [{"score": "A>>B", "judgment": "..."}, {"score": "B>A"}]
    own = read_verdicts(written(tmp_path, lines(GAME | {"games": games})))
    assert own.to_frame()[["left", "right", "verdict"]].to_numpy().tolist() == [["b", "m", "A>>B"], ["m", "b", "right"]]
    assert own.judges == ("gpt",)
    first = {name: value for name, value in GAME.items() if name != "baseline"}
    with pytest.warns(CranfieldWarning, match="1 row without a verdict"):
        assert read_verdicts(written(tmp_path, lines(first | {"games": [None, games[1]]}))).systems == ("baseline", "m")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (GAME | {"games": []}, "'games' should be a list of one or two"),
        (GAME | {"games": {"score": "A>B"}}, "'games' should be a list of one or two"),
        (GAME | {"games": [{}]}, "game 1: the game has no 'score'"),
        (GAME | {"games": [{"score": "A>B"}, {"score": 10**400}]}, r"game 2: '10.*' is not a verdict: expected A>>B"),
        (GAME | {"games": [{"score": "A"}]}, "game 1: 'A' is not a verdict"),
        (GAME | {"games": [{"score": "A>B"}], "model": None}, "the row has no name in 'model'"),
    ],
)
def test_odd_games(tmp_path: Path, record: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=message) as refused:
        read_verdicts(written(tmp_path, lines(record)))
    assert refused.value.line == 1


def test_strong_verdicts_count_as_often_as_said() -> None:
    """Of A>>B, B>A and A=B with weight 3, the left one has (3 + 0 + .5) of 5, as three equal rows have."""
    steps = PairVerdicts.of([("q1", "a", "b", "A>>B"), ("q2", "a", "b", "B>A"), ("q3", "a", "b", "A=B")])
    repeated = PairVerdicts.of(
        [("q1", "a", "b", "left")] * 3 + [("q2", "a", "b", "right"), ("q3", "a", "b", "tie")], name="repeated"
    )
    own = count_wins(steps, weights="verdicts", strong_weight=3).table
    assert own["share"].tolist() == [0.7] == count_wins(repeated, weights="verdicts").table["share"].tolist()
    assert count_wins(steps, weights="verdicts").table["share"].tolist() == [0.5]
    strengths = estimate_strengths(steps, weights="verdicts", strong_weight=3, prior=1).table["strength"]
    np.testing.assert_allclose(
        strengths, estimate_strengths(repeated, weights="verdicts", prior=1).table["strength"], rtol=1e-9
    )
    within = PairVerdicts.of([("q1", "a", "b", "A>>B"), ("q1", "b", "a", "A>B")])
    assert count_wins(within, strong_weight=3).table["share"].tolist() == [0.75]
    with pytest.raises(UsageError, match="strong_weight=3: repeated has no strong verdict"):
        count_wins(repeated, strong_weight=3)


def test_a_win_needs_both_orders() -> None:
    """MT-bench's rule: a tie unless both orders agree."""
    rows = [
        *[("q1", "a", "b", "left"), ("q1", "b", "a", "right"), ("q2", "a", "b", "left"), ("q2", "b", "a", "left")],
        *[("q3", "a", "b", "tie"), ("q3", "b", "a", "right"), ("q4", "a", "b", "right"), ("q4", "b", "a", "left")],
    ]
    both = PairVerdicts.of(rows)
    assert count_wins(both).table["share"].tolist() == [0.5625]
    assert count_wins(both, repeats="both").table["share"].tolist() == [0.5]
    merged = both.agree_orders().to_frame()
    assert merged["verdict"].tolist() == ["left", "tie", "tie", "right"]
    with pytest.warns(CranfieldWarning, match="1 pair judged in one order only left out"):
        assert len(PairVerdicts.of([*rows, ("q5", "a", "b", "left")]).agree_orders()) == 4
    with pytest.raises(InputError, match="no pair was judged in both orders, which repeats='both' needs"):
        count_wins(PairVerdicts.of(rows[::2]), repeats="both")
    with pytest.raises(UsageError, match="without an order: leave out order_effect="):
        estimate_strengths(both, repeats="both", order_effect=True)
    assert estimate_strengths(both, repeats="both", prior=1).table["strength"].abs().max() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["1", "2", "0"], "1 is left, 2 is right, 0 is a tie"),
        (["1.0", "2", "1.5"], "1 is left, 2 is right, 1.5 is a tie"),
        (["1", "-1", "0"], "1 is left, -1 is right, 0 is a tie"),
        (["LEFT", "Right ", "Draw"], ""),
        (["A", "B", "C"], ""),
        (["Model_A", "model_b", "Tie (both bad)"], ""),
    ],
)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_other_words_of_verdicts(tmp_path: Path, words: list[str], said: str, separator: str) -> None:
    """Numbers only where all of the column say a side; in small letters or not; with any separator."""
    path = tmp_path / "verdicts.csv"
    rows = [("topic", "left", "right", "verdict"), *(("q", "x", "y", word) for word in words)]
    path.write_text("".join(separator.join(row) + "\n" for row in rows))
    frame = pd.DataFrame(rows[1:], columns=rows[0])
    for read in (lambda: read_verdicts(path), lambda: PairVerdicts.of(frame)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert read().outcome.tolist() == [1, -1, 0]
        assert [str(one.message) for one in caught if said in str(one.message)] == [str(one.message) for one in caught]
        assert len(caught) == bool(said)


@pytest.mark.parametrize("words", [["0", "1"], ["1", "3"], ["0", "0"], ["win", "loss"]])
def test_words_that_say_no_side(tmp_path: Path, words: list[str]) -> None:
    path = tmp_path / "verdicts.csv"
    path.write_text("topic,left,right,verdict\n" + "".join(f"q,x,y,{word}\n" for word in words))
    with pytest.raises(FormatError, match="is not a verdict: expected left, right or tie"):
        read_verdicts(path)


def test_systems_that_are_called_by_numbers(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    path.write_text("topic,left,right,winner\nq,2,1,2\nq,1,2,2\n")
    with pytest.warns(CranfieldWarning, match="numbers in 'winner' are read as names of systems; if they say sides"):
        assert read_verdicts(path).outcome.tolist() == [1, -1]


def test_both_games_of_mtbench(tmp_path: Path) -> None:
    row = {"question_id": 81, "model_1": "x", "model_2": "y", "judge": ["gpt-4", "pair-v2"]}
    games = [("model_1", "model_1"), ("model_2", "tie"), ("error", "model_2")]
    path = tmp_path / "pairs.jsonl"
    lines = (json.dumps(row | {"g1_winner": first, "g2_winner": second}) for first, second in games)
    path.write_text("\n".join(lines))
    with pytest.warns(CranfieldWarning, match="1 row without a verdict left out"):
        found = read_verdicts(path).to_frame()
    assert found[["left", "right", "verdict", "judge"]].to_numpy().tolist() == [
        ["x", "y", "left", "gpt-4"],
        ["y", "x", "right", "gpt-4"],
        ["x", "y", "right", "gpt-4"],
        ["y", "x", "tie", "gpt-4"],
        ["y", "x", "left", "gpt-4"],
    ]
