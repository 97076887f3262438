"""Averages over collections. Witness: the mean of means by hand."""

from __future__ import annotations

import pandas as pd
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


def test_a_system_that_lacks_topics_has_no_average() -> None:
    """Neither where a row is missing, nor where it is nan; each system lacks another topic of the first collection."""
    frames = {"a": [0.9, float("nan"), 0.5], "b": [0.1, 0.4, float("nan")], "c": [0.2, 0.3, 0.4]}
    index = pd.Index(["1", "2", "3"], name="topic")
    one, two = pd.DataFrame(frames, index=index), pd.DataFrame({name: [0.5] for name in "abc"}, index=index[:1])
    with pytest.warns(CranfieldWarning) as caught:
        result = average_collections({"one": one, "two": two})
    assert [str(warning.message) for warning in caught] == [
        f"{name} has score on 2 of the 3 topics of one, and no average over them" for name in "ab"
    ]
    assert result.rows["system"].tolist() == ["c", "a", "b"]
    assert result.rows["mean"].isna().tolist() == [False, True, True]
    assert result.rows["mean"][0] == pytest.approx(0.4)
