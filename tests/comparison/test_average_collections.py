"""Averages over collections. Witness: the mean of means by hand."""

from __future__ import annotations

import pytest

import cranfield
from cranfield import CranfieldWarning, UsageError
from cranfield.comparison import average_collections

ONE = {"a": {"1": {"x": 1.0, "y": 2.0}, "2": {"x": 1.0}}, "b": {"1": {"x": 1.0}, "2": {"y": 3.0, "x": 2.0}}}
TWO = {"a": {"7": {"x": 1.0}}, "c": {"7": {"y": 1.0}}}


def test_each_collection_counts_alike_and_a_lacking_one_is_named() -> None:
    first = cranfield.evaluate(ONE, {"1": {"x": 1}, "2": {"x": 1}}, ["RR", "P@1"])
    second = cranfield.evaluate(
        TWO,
        {"7": {"x": 1}},
        ["RR", "P@1"],
    )
    with pytest.warns(CranfieldWarning, match="in 1 of 2 collections, and no average over them"):
        found = average_collections({"one": first, "two": second})
    rows = found.rows.set_index(["system", "measure"])
    assert rows.loc[("a", "RR"), "mean"] == ((0.5 + 1) / 2 + 1) / 2
    assert rows.loc[("a", "P@1"), "mean"] == ((0 + 1) / 2 + 1) / 2
    assert rows["mean"].isna().sum() == 4
    assert rows.loc[("b", "RR"), "collections"] == 1
    assert found.rows["system"][0] == "a"
    table = found.collections.set_index(["collection", "system", "measure"])
    assert table.loc[("one", "b", "RR"), "topics"] == 2
    assert table.loc[("one", "b", "RR"), "mean"] == 0.75
    assert table.loc[("two", "c", "RR"), "mean"] == 0


def test_other_measures_and_no_collections_are_refused() -> None:
    one = cranfield.evaluate(ONE, {"1": {"x": 1}, "2": {"x": 1}}, ["RR"])
    other = cranfield.evaluate(ONE, {"1": {"x": 1}, "2": {"x": 1}}, ["AP"])
    with pytest.raises(UsageError, match="collection 'two' has scores by AP, and the first has RR"):
        average_collections({"one": one, "two": other})
    with pytest.raises(UsageError, match="by the name of their collection"):
        average_collections({})
