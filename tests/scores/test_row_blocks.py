"""Scores written in blocks of topics: the same text as row by row, which is the witness."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import InputError
from cranfield.engine import compiled
from cranfield.scores import row_stream as module
from cranfield.scores.row_stream import row_blocks
from cranfield.scores.rows import as_text
from cranfield.scores.scale import Scale
from cranfield.scores.table import ScoreTable
from effort import examples

FORMATS = ("tsv", "csv", "json")
NAMES = st.text(alphabet="ab,\"'=-é \\\udc80", min_size=1, max_size=4)
VALUES = st.sampled_from([0.0, -0.0, 1.0, 1 / 3, 1e-5, 1e16, -2.5e-300, 5e-324, 123456.0, float("nan")])


def table_of(topics: list[str], systems: list[str], values: list[float], *, ends: bool) -> ScoreTable:
    names = ("AP", "num_q", "nDCG@10")
    scales = tuple(Scale.called(name, None) for name in names)
    size = len(names), len(topics), len(systems)
    cells = np.resize(np.array(values), size)
    lower, upper = (cells - 0.5, cells + 0.5) if ends else (None, None)
    return ScoreTable(tuple(topics), tuple(systems), scales, cells, lower=lower, upper=upper)


@examples(150)
@given(
    st.lists(NAMES, min_size=1, max_size=9, unique=True),
    st.lists(NAMES, min_size=1, max_size=3, unique=True),
    st.lists(VALUES, min_size=1, max_size=40),
    st.booleans(),
    st.sampled_from(FORMATS),
    st.booleans(),
    st.booleans(),
)
def test_blocks_are_the_rows(
    topics: list[str], systems: list[str], values: list[float], ends: bool, format: str, by_topic: bool, summary: bool
) -> None:
    table = table_of(topics, systems, values, ends=ends)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "TOPICS", 4)
        found = b"".join(row_blocks(table, format, by_topic=by_topic, summary=summary))
    text = as_text(table, format, by_topic=by_topic, summary=summary)
    assert found == text.encode("utf-8", "surrogateescape")
    held = not by_topic or summary or format == "json"
    assert text.count("all") == (len(systems) * len(table.names) if held else 0) + "".join(systems).count("all")


@pytest.mark.parametrize("by_topic", [True, False])
@pytest.mark.parametrize("format", FORMATS)
def test_an_infinite_score(format: str, by_topic: bool) -> None:
    table = table_of(["a", "b"], ["s"], [1.0, float("inf")], ends=False)
    assert b"".join(row_blocks(table, format, by_topic=by_topic)) == as_text(table, format, by_topic=by_topic).encode()


@pytest.mark.parametrize(("topic", "format"), [("all", "tsv"), ("all", "json"), ("a\tb", "tsv"), ("a\nb", "tsv")])
def test_names_are_refused_before_the_first_block(topic: str, format: str) -> None:
    table = table_of(["1", topic], ["s"], [0.5], ends=False)
    with pytest.raises(InputError) as refused:
        row_blocks(table, format, by_topic=True)
    with pytest.raises(InputError) as expected:
        as_text(table, format, by_topic=True)
    assert str(refused.value) == str(expected.value)


def test_the_engine_writes_them() -> None:
    if compiled() is not None:
        table = table_of(["1"], ["s"], [0.5], ends=False)
        assert [len(list(row_blocks(table, "tsv", by_topic=by_topic))) for by_topic in (True, False)] == [2, 2]


def test_what_does_not_fit_is_refused_by_the_engine() -> None:
    engine: Any = compiled()
    if engine is None:
        return
    data, cells = np.frombuffer(b"ab", dtype=np.uint8), np.array([0.5, 1.0])
    for offsets, numbers, measures in (([0, 1, 3], cells, [b"m"]), ([0, 1], cells, [b"m"]), ([0, 1, 2], cells, [])):
        rows = engine.score_rows(data, np.array(offsets), numbers, b"s", measures, [b"\n"], b"nan")
        assert rows is None
    rows = engine.score_rows(data, np.array([0, 1, 2]), cells, b"s ", [b" m "], [b"\n"], b"")
    assert rows == b"s a m 0.5\ns b m 1.0\n"


@pytest.mark.slow
@examples(300)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=20, max_size=20), st.integers(1, 60))
def test_numbers_are_written_as_python_writes_them(numbers: list[float], places: int) -> None:
    # Numbers with few binary places lie between two shortest texts more often than others do.
    few = [round(math.frexp(number)[0] * 2**places) / 2 ** min(places, 27) for number in numbers]
    table = table_of([str(place) for place in range(40)], ["s"], [*numbers, *few], ends=False)
    lines = b"".join(row_blocks(table, "tsv", by_topic=True)).decode().splitlines()
    written = [line.split("\t") for line in lines[1:]]
    assert [value for _, _, _, value in written] == [repr(float(table.values[at % 3, at // 3, 0])) for at in range(120)]
