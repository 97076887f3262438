"""Strings in two flat arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import Run

TextColumn = type(Run.from_dict({"q": {"d": 1.0}}).documents)
STRINGS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), max_size=8)


@given(STRINGS)
def test_a_column_is_its_list_of_strings(strings: list[str]) -> None:
    column = TextColumn.from_strings(strings)
    assert list(column) == column.tolist() == column[:] == strings
    assert column.tobytes() == [text.encode() for text in strings]
    assert len(column) == len(strings)
    assert [column[number] for number in range(len(column))] == strings
    assert [column[number] for number in range(-len(column), 0)] == strings
    assert column[::-2] == strings[::-2]
    assert column[1:3] == strings[1:3]
    assert column == TextColumn.from_bytes([text.encode() for text in strings])
    assert hash(column) == hash(TextColumn.from_strings(strings))
    assert all(text in column for text in strings)


@given(STRINGS.filter(bool), st.data())
def test_strings_are_taken_in_any_order(strings: list[str], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(strings) - 1)))
    taken = TextColumn.from_strings(strings).take(np.array(rows, dtype=np.int64))
    assert taken.tolist() == [strings[row] for row in rows]
    assert taken == TextColumn.from_strings(taken.tolist())


def test_no_strings() -> None:
    column = TextColumn.from_strings([])
    assert column.tolist() == []
    assert column.take(np.zeros(0, dtype=np.int64)) == column
    assert repr(column) == "TextColumn([], 0 strings)"


def test_columns_differ_by_where_their_strings_end() -> None:
    assert TextColumn.from_strings(["ab", "c"]) != TextColumn.from_strings(["a", "bc"])
    assert TextColumn.from_strings(["a"]) != ["a"]


def test_outside() -> None:
    for index in (2, -3):
        with pytest.raises(IndexError):
            TextColumn.from_strings(["a", "b"])[index]


def test_it_shows_its_first_strings() -> None:
    assert repr(TextColumn.from_strings(["a", "b"])) == "TextColumn(['a', 'b'], 2 strings)"
    assert repr(TextColumn.from_strings("abcd")) == "TextColumn(['a', 'b', 'c', ...], 4 strings)"


def test_it_cannot_be_written() -> None:
    column = TextColumn.from_strings(["ab", "c"])
    for array in (column.data, column.offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        column.more = 1  # type: ignore[attr-defined]
