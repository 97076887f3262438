"""Whatever object stands where data are expected, the error is one of ours and says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import xarray as xr

import cranfield
from cranfield import agreement, pairwise, pooling, standardization
from cranfield.collection import Preferences
from cranfield.errors import CranfieldError, InputError, UsageError
from cranfield.io import read_topics

RUN, QRELS = {"q1": {"d1": 1.0}}, {"q1": {"d1": 1}}
FRAME = pd.DataFrame({"qid": ["q1"], "docno": ["d1"], "score": [1.0]})
HUGE = 10**400


def scores() -> xr.Dataset:
    labels = {"topic": ["q1", "q2"], "system": ["a", "b"]}
    return xr.Dataset({"AP": (("topic", "system"), [[0.5, 0.2], [0.3, 0.4]])}, labels)


def odd_values() -> Iterator[Any]:
    yield from (None, True, -1, 0.5, float("inf"), HUGE, 1j, "", "x", b"b", "\ud800", "a\0b", "x" * 5_000, object())
    yield from ([], {}, set(), [1], (1, 2), {"a": 1}, {"q1": None}, {"q1": {}}, {"q1": {"d1": None}}, {1: {2: 3}})
    yield from ({"q1": {"d1": []}}, {"q1": [("d1", 1)]}, {"q1": ["d1", 1]}, {None: {"AP": 1.0}}, {"q1": {None: 1.0}})
    yield from ({"a": {"q1": {"AP": value}}} for value in ("x", HUGE, float("inf")))
    yield from (np.array([]), np.array(3), np.array([[1, 2], [3, 4]]), np.array([object()]), np.datetime64("2020"))
    yield from (pd.NA, pd.Series([1, 2]), pd.Series({"q1": "a"}), pd.DataFrame(), pd.DataFrame({"a": [1]}))
    yield pd.DataFrame([[1, 2]], columns=["a", "a"])
    yield pd.DataFrame([[1, 2]], columns=[1, 2])
    yield pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]))
    yield pd.DataFrame({"topic": [[1], [2]], "system": ["a", "b"], "score": [1, 2]})
    yield pd.DataFrame({"topic": ["1", "1"], "system": ["a", None], "score": [1, pd.NA]})
    yield from (pl.DataFrame(), pl.DataFrame({"topic": [[1]], "a": [{"b": 1}]}), pa.table({}))
    yield from (xr.Dataset(), xr.DataArray(3), xr.DataArray([1, 2]), xr.Dataset({3: (("topic", "system"), [[1.0]])}))
    yield from (iter([]), range(3), lambda: 0, cranfield.Run.from_dict(RUN), cranfield.Qrels.from_dict(QRELS))


READERS: dict[str, Callable[[Any], Any]] = {
    "run": lambda value: cranfield.evaluate(value, QRELS, "AP"),
    "qrels": lambda value: cranfield.evaluate(RUN, value, "AP"),
    "measures": lambda value: cranfield.evaluate(RUN, QRELS, value),
    "columns": lambda value: cranfield.evaluate(FRAME, QRELS, "AP", columns=value),
    "intent weights": lambda value: cranfield.evaluate(RUN, QRELS, "AP", intent_weights=value),
    "check runs": lambda value: cranfield.check(value, QRELS),
    "check qrels": lambda value: cranfield.check(RUN, value),
    "check documents": lambda value: cranfield.check(RUN, QRELS, documents=value),
    "Run.from_rows": cranfield.Run.from_rows,
    "Run.from_lists": cranfield.Run.from_lists,
    "Qrels.from_rows": cranfield.Qrels.from_rows,
    "preferences": Preferences.of,
    "scores": cranfield.compare,
    "score files": cranfield.read_scores,
    "clusters": lambda value: cranfield.compare(scores(), topic_clusters=value),
    "topic weights": lambda value: cranfield.compare(scores(), topic_weights=value),
    "replicates": lambda value: cranfield.compare(scores(), replicates=value),
    "board": cranfield.boards.read_board,
    "groups": lambda value: cranfield.repeat_by_group(cranfield.compare, scores(), value),
    "baseline": lambda value: cranfield.compare(scores(), baseline=value),
    "reference_systems": lambda value: standardization.fit_standardization(scores(), reference_systems=value),
    "teams": lambda value: pooling.estimate_reusability({"a": RUN, "b": RUN}, QRELS, ["AP"], teams=value),
    "judges": lambda value: agreement.compare_labels([QRELS, value]),
    "verdicts": pairwise.count_wins,
    "verdict rows": pairwise.PairVerdicts.of,
    "topics": read_topics,
    "entries": lambda value: cranfield.report_scores(scores(), entries=value, sections="summary"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_odd_values_end_in_errors_of_ours(reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for value in odd_values():
        try:
            READERS[reader](value)
        except CranfieldError as error:
            assert "fault of cranfield" not in str(error)
            assert len(str(error)) < 6_500 or isinstance(value, str)


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (lambda: cranfield.Run.from_lists({1: ["d1"], "1": ["d2"]}), "topic '1' is there twice"),
        (lambda: agreement.compare_labels({1: QRELS, "1": QRELS, "c": QRELS}), "judge '1' is there twice"),
        (
            lambda: pooling.estimate_reusability({"1": RUN, "b": RUN}, QRELS, teams={1: "x", "1": "y", "b": "z"}),
            "run '1' is there twice",
        ),
    ],
)
def test_keys_that_are_one_text_are_refused(read: Callable[[], Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        read()


def test_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "teams.csv").write_text("run,team,team\na,x,y\nb,z,u\n")
    with pytest.raises(InputError, match=r"teams\.csv:1: has two columns called 'team'"):
        pooling.read_teams(tmp_path / "teams.csv")
    (tmp_path / "topics.csv").write_text("qid,text,text\n1,x,y\n")
    with pytest.raises(InputError, match=r"topics\.csv:1: has two columns called 'text'"):
        read_topics(tmp_path / "topics.csv")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda rows: pd.DataFrame({"a": rows}), "a DataFrame of pandas of 1000 x 1"),
        (lambda rows: pl.DataFrame({"a": rows}), "a DataFrame of polars of 1000 x 1"),
        (lambda rows: [pd.DataFrame({"a": rows})], "a DataFrame of pandas of 1000 x 1"),
        (xr.DataArray, "a DataArray of xarray of 1000"),
    ],
)
def test_a_message_names_a_table_and_does_not_print_it(make: Callable[[Any], Any], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        cranfield.compare(scores(), alpha=make(list(range(1_000))))
    assert said in str(caught.value)
    assert "\\n" not in str(caught.value)
