"""Cells without a name in tables in memory: nothing is called None, nan or <NA>."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.boards import read_board
from cranfield.pairwise import PairVerdicts

MISSING = [None, math.nan, np.float32("nan"), pd.NA, pd.NaT]
missing = pytest.mark.parametrize("missing", MISSING, ids=lambda value: f"{type(value).__name__}")


@missing
def test_verdicts(missing: Any) -> None:
    for row in ((missing, "a", "b", "left"), ("q", missing, "b", "left"), ("q", "a", missing, "left")):
        with pytest.raises(InputError, match=r"row 1: .* should begin with the names of a topic and of two systems"):
            PairVerdicts.of([row])
    assert PairVerdicts.of([("q", "a", "b", "left", missing)]).judges == ("judge",)
    assert PairVerdicts.of([("q", "a", "b", missing), ("q", "a", "b", "left")]).omitted == 1


@missing
def test_scores(missing: Any) -> None:
    values = np.arange(8.0).reshape(4, 2)
    with pytest.raises(InputError, match="a system has no name"):
        cranfield.compare(pd.DataFrame(values, columns=pd.Index(["a", missing], dtype=object)))
    with pytest.raises(InputError, match="a topic has no name"):
        cranfield.compare(pd.DataFrame(values, ["q", "r", "s", missing], ["a", "b"]))


@pytest.mark.filterwarnings("ignore:.*fewer than 10 topics")
@missing
def test_groups(missing: Any) -> None:
    scores = pd.DataFrame({"a": [0.5, 0.25, 1.0], "b": [0.25, 0.5, 0.5]}, ["q", "r", "s"])
    with pytest.warns(CranfieldWarning, match="topic s of the scores has no group"):
        found = cranfield.repeat_by_group(cranfield.compare, scores, {"q": "x", "r": "x", "s": missing})
    assert [*found] == ["x"]
    with pytest.raises(UsageError, match="is not the name of a topic, and has the group 'y'"):
        cranfield.repeat_by_group(cranfield.compare, scores, {"q": "x", missing: "y"})


@missing
def test_boards(missing: Any) -> None:
    rows = {"system": ["a", "b", "c"], "task": ["t", "t", missing], "score": [0.5, 0.25, 1.0]}
    with pytest.raises(InputError, match="row 3: the name is empty"):
        read_board(pd.DataFrame(rows))
    with pytest.raises(InputError, match="the name is empty"):
        read_board({"a": {"t": 0.5, missing: 1.0}, "b": {"t": 0.25}})


@missing
def test_a_row_without_a_query_is_none_of_the_queries(missing: Any) -> None:
    """It was averaged with them, as the query ``nan``."""
    rows = [("a", "t", "q1", 0.5), ("a", "t", "q2", 0.25), ("b", "t", "q1", 0.5), ("b", "t", "q2", 1.0)]
    rows += [("a", "t", missing, 0.375), ("b", "t", missing, 0.75)]
    frame = pd.DataFrame(rows, columns=["system", "task", "query", "score"])
    with pytest.raises(InputError, match="task 't' has scores of queries and scores without one"):
        read_board(frame)


@pytest.mark.filterwarnings("ignore:.*(fewer than 10 topics|no group and count|are not among)")
def test_groups_of_another_collection_are_refused() -> None:
    """That few names are the same is chance: most topics were in no group, and most groups of other topics."""
    scores = pd.DataFrame({"a": np.arange(9.0), "b": np.arange(9.0)[::-1]}, [str(number) for number in range(9)])
    others = {str(number): "x" for number in range(5, 20)}
    with pytest.raises(InputError, match="only 4 of 9 topics of the scores have a group here, and of 15 topics"):
        cranfield.repeat_by_group(cranfield.compare, scores, others)
    cranfield.repeat_by_group(cranfield.compare, scores, {name: "x" for name in others if int(name) < 9})
    cranfield.repeat_by_group(cranfield.compare, scores, others | {"4": "x"})


@pytest.mark.parametrize("missing", [None, "", " ", math.nan])
@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_a_row_of_a_file_of_several_systems(kind: str, missing: Any, tmp_path: Path) -> None:
    rows = pd.DataFrame({"topic": ["q"] * 3, "document": ["a", "b", "c"], "score": [3, 2, 1]})
    rows["version"] = pd.Series(["x", missing, "y"], dtype=object)
    path = tmp_path / f"runs.{kind}"
    match kind:
        case "csv":
            rows.to_csv(path, index=False)
        case "jsonl":
            rows.to_json(path, orient="records", lines=True)
        case _:
            rows.to_parquet(path)
    with pytest.raises(InputError, match=r"the row names no system"):
        cranfield.evaluate(path, {"q": {"a": 1}}, columns={"system": "version"})
