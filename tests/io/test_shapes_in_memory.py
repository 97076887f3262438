"""The shapes in which people hold runs and judgments: each gives what a dict of dicts gives, or is refused in words."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import cranfield
from cranfield import CranfieldError, InputError, Qrels, Run, evaluate_means
from cranfield.engine import Engine

QRELS = {"q1": {"d1": 0, "d2": 2}, "q2": {"d1": 1}}
RUN = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d3": 0.5, "d1": 0.25}}
TUPLES = [(topic, document, score) for topic, row in RUN.items() for document, score in row.items()]
LISTS = {topic: list(row) for topic, row in RUN.items()}
ROWS: dict[str, list[Any]] = dict(zip(("qid", "docno", "score"), map(list, zip(*TUPLES, strict=True)), strict=True))


def test_file_objects_are_refused_by_name(tmp_path: Path) -> None:
    """Their lines are no paths."""
    file = tmp_path / "a.run"
    file.write_text("q1 Q0 d1 1 2 x\n")
    with file.open() as text, file.open("rb") as data:
        for given in (text, data, [text]):
            with pytest.raises(cranfield.UsageError, match=f"^a file object is not a run: give its path, '{file}'$"):
                cranfield.evaluate(given, QRELS)  # type: ignore[arg-type]
        with pytest.raises(cranfield.UsageError, match=f"^a file object is not qrels: give its path, '{file}'$"):
            cranfield.evaluate(RUN, text)  # type: ignore[arg-type]
    with pytest.raises(cranfield.UsageError, match=r"^a file object is not a run: give its path$"):
        cranfield.evaluate(io.StringIO("q1 Q0 d1 1 2 x"), QRELS)


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(LISTS, id="ranked lists"),
        pytest.param({topic: tuple(row) for topic, row in LISTS.items()}, id="ranked tuples"),
        pytest.param({topic: list(row.items()) for topic, row in RUN.items()}, id="pairs"),
        pytest.param(TUPLES, id="tuples"),
        pytest.param([ir_measures.ScoredDoc(*row) for row in TUPLES], id="ScoredDoc"),
        pytest.param(pl.DataFrame(ROWS), id="polars"),
        pytest.param(pl.DataFrame(ROWS).lazy(), id="lazy"),
        pytest.param(pa.table(ROWS), id="pyarrow"),
    ],
)
def test_each_shape_is_the_same_run(each_engine: Engine, run: Any) -> None:
    expected = evaluate_means(RUN, QRELS, ["nDCG", "AP"])["run"]
    assert evaluate_means(run, QRELS, ["nDCG", "AP"]) == {"run": expected}
    assert evaluate_means({"mine": run}, QRELS, ["nDCG", "AP"]) == {"mine": expected}
    assert evaluate_means([run, RUN], QRELS, ["nDCG", "AP"]) == {"run1": expected, "run2": expected}


def test_a_ranked_list_scores_minus_its_ranks(each_engine: Engine) -> None:
    assert Run.from_lists({1: [20, 10], "2": ["a"]}).to_dict() == {"1": {"20": -1.0, "10": -2.0}, "2": {"a": -1.0}}
    with pytest.raises(InputError, match="document 'd1' occurs twice in topic 'q1'"):
        evaluate_means({"q1": ["d1", "d1"]}, QRELS, "AP")


def test_files_that_exist_are_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cranfield.write(Run.from_dict(RUN), tmp_path / "a.run")
    expected = evaluate_means(RUN, QRELS, "AP")["run"]
    for given in (["a.run"], ["*.run"], [Path("a.run")]):
        assert evaluate_means({"mine": given}, QRELS, "AP") == {"mine": expected}
    with pytest.raises(CranfieldError, match="share no topic; the run has 'mine'"):
        evaluate_means({"mine": ["b.run", "c.run"]}, QRELS, "AP")


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ({"q1": ["d1"], "q2": "d1"}, "run: topic 'q2' holds the type str, others hold ranked lists"),
        ({"q1": [("d1", 1.0)], "q2": ["d1"]}, "run, topic 'q2', rank 1: some documents have scores and others none"),
        ({"q1": [("d1", None)]}, "run, topic 'q1', rank 1: the score None is not a finite number"),
        ([("q1", "d1", 1.0), ("q1", "d2")], r"run, row 2: \('q1', 'd2'\) is not \(topic, document, score\)"),
        ([("q1", "d1", 1.0), ("q1", None, 1.0)], "run, row 2: the document id None is a NoneType"),
    ],
)
def test_what_is_wrong_is_named(each_engine: Engine, run: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        evaluate_means(run, QRELS, "AP")


def test_judgments_as_tuples(each_engine: Engine) -> None:
    rows = [(topic, document, label) for topic, pool in QRELS.items() for document, label in pool.items()]
    assert Qrels.from_rows(rows) == Qrels.from_dict(QRELS)
    assert Qrels.from_rows([ir_measures.Qrel(*row) for row in rows]) == Qrels.from_dict(QRELS)
    assert Qrels.from_rows([ir_measures.Qrel("q", "d", 1, "7")]).iterations == ("7",)
    assert evaluate_means(RUN, rows, "AP") == evaluate_means(RUN, QRELS, "AP")
    with pytest.raises(InputError, match=r"^qrels, row 1: the label nan is not a finite number"):
        Qrels.from_rows([("q", "d", np.nan)])


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_column_of_systems_is_many_runs(each_engine: Engine, library: Any) -> None:
    other = [(topic, document, -score) for topic, document, score in TUPLES]
    both = [("b", *row) for row in TUPLES] + [("a", *row) for row in other]
    columns = dict(zip(("system", *ROWS), map(list, zip(*both, strict=True)), strict=True))
    found = evaluate_means(library(columns), QRELS, "AP")
    assert found == {
        **evaluate_means({"b": RUN}, QRELS, "AP"),
        **evaluate_means({"a": Run.from_rows(other)}, QRELS, "AP"),
    }
    assert list(found) == ["b", "a"]
    with pytest.raises(InputError, match="the frame holds 2 systems"):
        Run.from_frame(library(columns))
    with pytest.raises(InputError, match="two runs are called 'mine'"):
        evaluate_means({"mine": library(columns)}, QRELS, "AP")
    columns["system"][1] = None
    with pytest.raises(InputError, match=r"^the frame, row 2, column 'system': the system is (None|nan)"):
        evaluate_means(library(columns), QRELS, "AP")
