"""What counts as the same, and labels of strangers that are called like our columns."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import cranfield
from cranfield.results import melted, same, tidy


@dataclasses.dataclass(frozen=True)
class Fields:
    """What is the same where its fields are."""

    number: float
    unlike: int = dataclasses.field(default=0, compare=False)


@dataclasses.dataclass(frozen=True, eq=False)
class Itself:
    """What compares itself."""

    number: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and abs(self.number) == abs(other.number)

    def __hash__(self) -> int:
        return abs(self.number)


def frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame(columns)


@pytest.mark.parametrize(
    ("one", "alike", "different"),
    [
        (math.nan, float("nan"), 0.0),
        (0.0, 0.0, -0.0),
        (1, 1, 1.0),
        ([1, math.nan], [1, math.nan], (1, math.nan)),
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (np.array([1.0, math.nan]), np.array([1.0, math.nan]), np.array([1.0, 2.0])),
        (np.array([1, 2]), np.array([1, 2]), np.array([1.0, 2.0])),
        (np.array([1, 2]), np.array([1, 2]), np.array([[1, 2]])),
        (np.array(["a", None]), np.array(["a", None]), np.array(["a", "b"], dtype=object)),
        (frame(a=[1.0, math.nan]), frame(a=[1.0, math.nan]), frame(b=[1.0, math.nan])),
        (frame(a=[1]), frame(a=[1]), frame(a=[1]).rename_axis("x")),
        (pd.Series([1], name="a"), pd.Series([1], name="a"), pd.Series([1], name="b")),
        (xr.DataArray([1.0], name="a"), xr.DataArray([1.0], name="a"), xr.DataArray([1.0], name="b")),
        (Fields(math.nan), Fields(math.nan), Fields(0.0)),
        (Fields(1, unlike=1), Fields(1, unlike=2), Fields(2, unlike=1)),
        (Itself(5), Itself(-5), Itself(6)),
    ],
)
def test_values_are_the_same_to_the_last_bit(one: Any, alike: Any, different: Any) -> None:
    assert same(one, alike)
    assert not same(one, different)
    assert not same(different, one)


def test_labels_may_be_called_like_columns() -> None:
    wide = pd.DataFrame({"system": [1.0, 2.0], "value": [3.0, 4.0], "measure": [5.0, 6.0]}, index=["x", "y"])
    rows = melted(wide.rename_axis("system"), "measure", "value")
    assert rows.to_dict("list") == {
        "system": ["x", "y"] * 3,
        "measure": ["system", "system", "value", "value", "measure", "measure"],
        "value": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    }


def test_an_index_that_counts_is_a_column_if_it_has_a_name() -> None:
    frame = pd.DataFrame({"rate": [0.1, 0.2]}, index=pd.RangeIndex(2, 4, name="topics"))
    assert tidy(frame).to_dict("list") == {"topics": [2, 3], "rate": [0.1, 0.2]}
    assert tidy(frame.rename_axis(None)).to_dict("list") == {"rate": [0.1, 0.2]}


def test_a_source_of_scores_may_be_called_like_a_column() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=3, n_topics=4, depth=10)
    scores = cranfield.evaluate(made.runs, made.qrels, "AP")["AP"]
    found = cranfield.compare_rankings({"source": scores, "tau_b": scores, "system": scores, "rank": scores})
    assert found.to_frame("tau_b")["other"].unique().tolist() == ["source", "tau_b", "system", "rank"]
    assert len(found.to_frame("ranks")) == 12
    assert len(repr(found).splitlines()) <= 20
