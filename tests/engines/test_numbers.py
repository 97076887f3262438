"""Numbers in files against Python's own: correctly rounded, nothing accepted that is not one."""

from __future__ import annotations

import math
import re
from decimal import Context, Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.engine import Engine
from cranfield.errors import EngineError
from effort import examples

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
EXACT = Context(prec=1200)

written = st.from_regex(r"[+-]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})([eE][+-]?[0-9]{1,3})?", fullmatch=True)
short = st.from_regex(r"[+-]?[0-9]{1,17}(\.[0-9]{0,17})?", fullmatch=True)
shortest = st.floats(allow_nan=False, allow_infinity=False).map(repr)
printed = st.builds("{:.{}f}".format, st.floats(-1e6, 1e6), st.integers(0, 30))
crowded = st.builds(
    lambda whole, decimals: f"{Decimal(whole).scaleb(-decimals):f}", st.integers(2**53, 2**64), st.integers(0, 24)
)
"""Sixteen to twenty digits: more than a double holds, and as many as 64 bits do."""


@st.composite
def halfway(draw: st.DrawFn) -> str:
    """The exact middle between two neighbouring doubles, or a hair beside it: only full precision rounds it well."""
    low = draw(st.floats(min_value=0, allow_infinity=False, exclude_max=True, max_value=1.7e308))
    middle = EXACT.divide(EXACT.add(Decimal(low), Decimal(math.nextafter(low, math.inf))), Decimal(2))
    return str(middle) + draw(st.sampled_from(("", "0", "1"))) if "E" not in str(middle) else str(middle)


def scores(engine: Engine, numbers: list[str]) -> list[float]:
    data = "".join(f"1 Q0 d{line} 1 {number} t\n" for line, number in enumerate(numbers))
    found: list[float] = engine.read_run(data.encode(), "trec", 0, "error")["score"].tolist()
    return found


def labels(engine: Engine, numbers: list[str]) -> list[float]:
    data = "".join(f"1 0 d{line:09} {number}\n" for line, number in enumerate(numbers))
    found: list[float] = engine.read_qrels(data.encode(), "trec", 0)["grade"].tolist()
    return found


@pytest.mark.slow
@examples(150)
@given(numbers=st.lists(written | short | shortest | printed | crowded | halfway(), min_size=1, max_size=30))
def test_numbers_are_rounded_as_python_rounds_them(any_engine: Engine, numbers: list[str]) -> None:
    finite = [number for number in numbers if not math.isinf(float(number))] or ["0"]
    wanted = np.array([float(number) for number in finite]).tobytes()
    assert np.array(scores(any_engine, finite)).tobytes() == wanted
    assert np.array(labels(any_engine, finite)).tobytes() == wanted


@pytest.mark.slow
@examples(250)
@given(text=st.text(alphabet="0123456789+-.eE_xXnaif,\u0661\u00b2", min_size=1, max_size=12) | written)
def test_what_is_no_number_is_refused(any_engine: Engine, text: str) -> None:
    for column, read in (("score", scores), ("label", labels)):
        if not NUMBER.fullmatch(text):
            with pytest.raises(EngineError) as refused:
                read(any_engine, ["1", text])
            assert (refused.value.code, refused.value.line, refused.value.value) == (column, 2, text)
        elif math.isinf(float(text)):
            with pytest.raises(EngineError) as refused:
                read(any_engine, ["1", text])
            assert (refused.value.code, refused.value.line, refused.value.value) == ("overflow", 2, text)
            assert refused.value.more == column
        else:
            assert read(any_engine, ["1", text])[1] == float(text)


@examples(150)
@given(text=st.from_regex(r"[+-]?[0-9]{1,24}", fullmatch=True) | st.text(alphabet="0123456789+-.e_", min_size=1))
def test_ranks_are_whole_numbers_of_at_most_eighteen_digits(any_engine: Engine, text: str) -> None:
    found = any_engine.read_run(f"1 Q0 d {text} 1 t\n".encode(), "trec", 0, "error")
    if re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        assert "rank-text" not in found["facts"]["noticed"]
        assert found["rank"] is not None
        assert found["rank"].tolist() == [int(text)]
    else:
        assert found["rank"] is None
        assert found["facts"]["noticed"]["rank-text"] == {"count": 1, "line": 1, "value": text}
