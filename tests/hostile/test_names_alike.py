"""Names that a reader takes for one: in every reader they are taken as they stand, and that is said."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import cranfield
from cranfield.agreement import combine_labels, compare_judges, compare_labels, estimate_panel
from cranfield.boards import read_board
from cranfield.pairwise import PairVerdicts, read_verdicts

COMPOSED = "Mod\u00e8le"
ALIKE = [
    ("BM25", "bm25"),
    (COMPOSED, unicodedata.normalize("NFD", COMPOSED)),
    ("bm25", "bm25\u200b"),
    ("bm25", "\ufeffbm25"),
    ("bm25", "\uff42m25"),
    ("run a", "run\u00a0a"),
    ("BM25-base", "\u0412M25-b\u0430se"),
    ("Tau", "\u03a4au"),
]
SAID = "look alike, and count as two"


def verdicts(first: str, second: str) -> str:
    return f"topic\tleft\tright\tverdict\nq1\t{first}\tx\tleft\nq1\t{second}\tx\tright\n"


def judged(first: str, second: str) -> str:
    return f"topic\tleft\tright\tverdict\tjudge\nq1\ta\tb\tleft\t{first}\nq1\ta\tb\tright\t{second}\n"


def scores(first: str, second: str) -> str:
    return f"topic,{first},{second}\nq1,0.5,0.25\nq2,0.25,0.5\n"


def board(first: str, second: str) -> str:
    return f"system,t1,t2\n{first},0.5,0.25\n{second},0.25,0.5\n"


def groups(first: str, second: str) -> str:
    return f"q1\t{first}\nq2\t{second}\nq3\t{first}\nq4\t{second}\n"


def read_groups(file: str) -> object:
    scores = pd.DataFrame({"a": [0.5, 0.25, 0.0, 1.0], "b": [0.25, 0.5, 0.5, 0.0]}, index=["q1", "q2", "q3", "q4"])
    return cranfield.repeat_by_group(cranfield.compare, scores, file)


READERS: dict[str, tuple[Callable[[str, str], str], Callable[[str], object]]] = {
    "verdicts": (verdicts, read_verdicts),
    "judges": (judged, read_verdicts),
    "scores": (scores, cranfield.read_scores),
    "board": (board, read_board),
    "groups": (groups, read_groups),
}


@pytest.mark.filterwarnings("ignore:.*(fewer than 10 topics|each tested by itself)")
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("first", "second"), ALIKE, ids=map(repr, range(len(ALIKE))))
def test_names_that_look_alike_are_said(reader: str, first: str, second: str, tmp_path: Path) -> None:
    write, read = READERS[reader]
    file = tmp_path / "names.csv"
    file.write_text(write(first, second), encoding="utf-8")
    with pytest.warns(cranfield.CranfieldWarning, match=SAID) as heard:
        read(str(file))
    (line,) = [str(warning.message) for warning in heard if SAID in str(warning.message)]
    assert line.isascii()


@pytest.mark.parametrize("reader", READERS)
def test_other_names_are_not(reader: str, tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    write, read = READERS[reader]
    file = tmp_path / "names.csv"
    file.write_text(write("bm25", "bm-25"), encoding="utf-8")
    read(str(file))
    assert not [warning for warning in recwarn if SAID in str(warning.message)]


TOPICS = {
    "scores.csv": ("topic,a,b\n{},0.5,0.25\n{},0.25,0.5\n", cranfield.read_scores),
    "qrels.json": ('{{"{}": {{"d": 1}}, "{}": {{"d": 1}}}}', cranfield.read_qrels),
    "run.json": ('{{"{}": {{"d": 1}}, "{}": {{"d": 1}}}}', cranfield.read_run),
}
"""Name of a file -> its text about two topics, and what reads it. Tables of documents drop blanks at the ends."""


@pytest.mark.parametrize("name", TOPICS)
def test_topics_that_differ_in_a_blank_at_an_end_are_said(name: str, tmp_path: Path) -> None:
    text, read = TOPICS[name]
    (tmp_path / name).write_text(text.format("q1", "q1 "))
    with pytest.warns(cranfield.CranfieldWarning, match="'q1' and 'q1 ' look alike, and count as two topics"):
        read(str(tmp_path / name))


@pytest.mark.parametrize("name", TOPICS)
def test_ids_of_topics_may_differ_in_case(name: str, tmp_path: Path) -> None:
    text, read = TOPICS[name]
    (tmp_path / name).write_text(text.format("q1", "Q1"))
    read(str(tmp_path / name))


def test_runs_whose_files_look_alike() -> None:
    runs = {"BM25": {"q": {"d": 1.0}}, "bm25": {"q": {"d": 2.0}}}
    with pytest.warns(cranfield.CranfieldWarning, match="'BM25' and 'bm25' look alike, and count as two systems"):
        cranfield.evaluate(runs, {"q": {"d": 1}}, ["AP"])


@pytest.mark.filterwarnings("ignore:(.* without errors|1 topic):cranfield.CranfieldWarning")
@pytest.mark.parametrize("analysis", [combine_labels, compare_labels, estimate_panel])
def test_a_judge_under_two_names_is_said(analysis: Callable[[Any], object]) -> None:
    labels = {"q": {f"d{number}": number % 2 for number in range(20)}}
    judges = {"a": labels, "b": {"q": labels["q"] | {"d1": 0}}, "copy": labels}
    with pytest.warns(
        cranfield.CranfieldWarning, match="'a' and 'copy' hold the same judgments: is one judge here twice"
    ):
        analysis(judges)
    few = {name: {"q": dict(list(pool["q"].items())[:19])} for name, pool in judges.items()}
    analysis(few)  # that few may agree by chance


def test_equal_judges_are_said_of_what_was_given_alone(recwarn: pytest.WarningsRecorder) -> None:
    """A majority may be one of its judges, and judges may agree on what all have judged."""
    labels = {f"q{topic}": {f"d{number}": number % 2 for number in range(20)} for topic in range(5)}
    more = {topic: pool | {"other": 1} for topic, pool in labels.items()}
    less = {topic: pool | {"another": 0} for topic, pool in labels.items()}
    runs = {name: {topic: {"d1": 1.0, f"d{at}": 2.0} for topic in labels} for at, name in enumerate("abc", 2)}
    found = compare_judges(
        runs, {"a": labels, "b": more, "c": less}, "P@2", common=True, combine_by="majority", resamples=9
    )
    assert not [warning for warning in recwarn if "here twice" in str(warning.message)]
    for settings in (found.settings, found.labels.settings):
        assert (settings["combine_by"], settings["common"]) == (["majority"], True)


def test_verdicts_that_count_twice_are_said(recwarn: pytest.WarningsRecorder) -> None:
    rows = [(f"q{at}", "a", "b", ("left", "tie", "right")[at % 3], "one") for at in range(20)]
    names = ["topic", "left", "right", "verdict", "judge"]
    PairVerdicts.of(pd.DataFrame([*rows, *rows[1:], ("q0", "a", "b", "tie", "one")], columns=names))
    PairVerdicts.of(pd.DataFrame([*rows[:19], *rows[:19]], columns=names))  # that few may agree by chance
    PairVerdicts.of(pd.DataFrame([*rows, *((*row[:4], "two") for row in rows[1:])], columns=names))
    assert not [warning for warning in recwarn if "here twice" in str(warning.message)]
    more = [(f"r{at}", "a", "b", "tie", "one") for at in range(20)]
    repeated = [*rows, *((*row[:3], "tie", "one") for row in rows)]
    for copied in ([*rows, *rows], [*rows, *more, *rows[::-1]], [*repeated, *repeated]):
        with pytest.warns(cranfield.CranfieldWarning, match="(20|40) verdicts repeat earlier ones by the same judge"):
            PairVerdicts.of(pd.DataFrame(copied, columns=names))
    with pytest.warns(cranfield.CranfieldWarning, match="'one' and 'two' hold the same judgments"):
        PairVerdicts.of(pd.DataFrame([*rows, *((*row[:4], "two") for row in rows)], columns=names))


def test_names_in_memory_that_look_alike() -> None:
    scores = pd.DataFrame({"mod\u00e8le": [0.1, 0.5, 0.3], "mode\u0300le": [0.2, 0.4, 0.9]}, index=["q1", "q2", "q3"])
    nested = {system: {topic: {"AP": value} for topic, value in row.items()} for system, row in scores.items()}
    for given in (scores, nested):
        with pytest.warns(cranfield.CranfieldWarning, match=f"'mod.*le' {SAID} systems"):
            cranfield.compare(given)


def test_a_run_under_two_names_is_said() -> None:
    labels = {f"q{topic}": {"a": 1, "b": 0} for topic in range(10)}
    run = {topic: {"a": 2.0, "b": 1.0, "c": 0.5} for topic in labels}
    other = run | {"q3": {"a": 1.0, "b": 2.0}}
    again = {topic: {document: score / 3 for document, score in found.items()} for topic, found in run.items()}
    text = "run 'copy': ranks the same judged documents at the same ranks as run 'base'"
    for analysis in (cranfield.evaluate, cranfield.evaluate_means):
        with pytest.warns(cranfield.CranfieldWarning, match=text):
            analysis({"base": run, "other": other, "copy": again}, labels, "AP")
    few = {topic: {"a": 1} for topic in labels}
    cranfield.evaluate({"base": run, "copy": again}, few, "AP")  # that few may be the same by chance
