"""Tables for people: alignment, also of letters that take two cells or none, sections, and bold."""

from __future__ import annotations

from unittest import mock

import pytest
from rich.cells import cell_len

from cranfield.results.grid import Grid, _width


def test_columns_are_aligned_and_sections_apart() -> None:
    grid = Grid([("", True), ("system", False), ("AP", True)])
    grid.add("1", "日本", "0.5000*", bold={2}, ends=True)
    grid.add("12", "e\u0301t\u00e9", "10.0000 ", ends=True)
    assert grid.text(plain=True) == (
        "     system         AP\n──────────────────────\n 1   日本      0.5000*\n\n12   e\u0301t\u00e9      10.0000"
    )


def test_no_row_is_a_head_alone() -> None:
    assert Grid([("a", False), ("b", True)]).text(plain=True) == "a   b\n─────"


@pytest.mark.parametrize(("term", "stressed"), [("xterm", True), ("dumb", False), ("unknown", False)])
def test_bold_is_for_terminals_that_know_it(term: str, stressed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = Grid([("a", False)])
    grid.add("x", bold={0})
    monkeypatch.setenv("TERM", term)
    with mock.patch("sys.stdout") as terminal:
        terminal.isatty.return_value = True
        text, plain = grid.text(plain=False), grid.text(plain=True)
    assert plain == "a\n─\nx"
    assert text == ("\x1b[1ma\x1b[0m\n─\n\x1b[1mx\x1b[0m" if stressed else plain)


@pytest.mark.parametrize(
    "text", ["", "abc", "é", "e\u0301", "日本語", "한국어", "ｆｕｌｌ", "α-nDCG", "👍", "Привет", "±0.1"]
)
def test_widths_are_those_of_another_library(text: str) -> None:
    assert _width(text) == cell_len(text)
