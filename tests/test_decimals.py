"""What is read as a decimal number, in text and in bytes alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield._validation import is_decimal, is_decimal_bytes


@pytest.mark.parametrize("text", ["0", "7.", ".5", "+1.25", "-3e4", "1E-07", "00.10", "1e999"])
def test_decimal_numbers(text: str) -> None:
    assert is_decimal(text)
    assert is_decimal_bytes(text.encode())


@pytest.mark.parametrize(
    "text", ["", ".", "+", "e5", "1e", "1.2.3", "1,5", "1_000", "0x1", "inf", "nan", " 1", "1\n", "--1", "\u0663"]
)
def test_what_is_none(text: str) -> None:
    assert not is_decimal(text)
    assert not is_decimal_bytes(text.encode())


@given(st.text("0123456789.eE+-_ n\u0663", max_size=8))
def test_python_reads_every_one_and_bytes_are_judged_alike(text: str) -> None:
    assert is_decimal(text) == is_decimal_bytes(text.encode())
    if is_decimal(text):
        float(text)
