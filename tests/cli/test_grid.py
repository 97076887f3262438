"""Tables for people: alignment, also of letters that take two cells or none, sections, and bold."""

from __future__ import annotations

from unittest import mock

import pytest
from rich.cells import cell_len

from cranfield.results import Grid, table_text
from cranfield.results.table_text import width


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
    assert width(text) == cell_len(text)


# ---- as wide as the terminal


def on_columns(grid: Grid, columns: int | None, caption: str = "") -> list[str]:
    with mock.patch("cranfield.results.table_text.columns", lambda: columns):
        return grid.page(caption, plain=False).splitlines()


NAMES = ["input.a_very_long_name_of_one_system_1", "input.a_very_long_name_of_one_system_2", "日本語日本語日本語"]
TITLES = ["mean", "mean_other", "difference", "nDCG(dcg=exp-log2)@10", "low", "high", "p_adjusted", "losses"]


def wide() -> Grid:
    grid = Grid([("system", False), *((title, True) for title in TITLES)])
    for place, name in enumerate(NAMES):
        grid.add(name, *(f"{place}.{number:04}" for number in range(len(TITLES))))
    return grid


@pytest.mark.parametrize("columns", [30, 40, 60, 80, 100, 120])
def test_no_line_is_wider_than_the_terminal_and_no_number_is_lost(columns: int) -> None:
    lines = on_columns(wide(), columns, "a caption of several words " * 8)
    assert max(map(width, lines)) <= columns
    text = " ".join(lines)
    assert all(f"{place}.{number:04}" in text for place in range(3) for number in range(len(TITLES)))
    # Every block of columns says which systems its rows are of.
    assert sum(line.startswith("system") for line in lines) == sum(line.startswith("─") for line in lines)
    rows = [line for line in lines if "1.000" in line]
    assert all(line.startswith("input.") or "…" in line.split()[0] for line in rows)


def test_names_lose_their_middle_and_the_table_says_so() -> None:
    lines = on_columns(wide(), 60)
    assert any(line.startswith("input.") and "…" in line and "tem_1 " in line for line in lines)
    assert "names are cut to fit 60 columns" in " ".join(lines)
    assert not any("…" in line for line in on_columns(wide(), 200))


def test_without_a_terminal_nothing_is_cut_or_broken() -> None:
    lines = on_columns(wide(), None, "word " * 60)
    assert lines[0].split() == ["system", *TITLES]
    assert [line.split()[0] for line in lines[2:5]] == NAMES
    assert lines[-1] == "word " * 60


@pytest.mark.parametrize("cells", [1, 2, 3, 7, 20])
@pytest.mark.parametrize(
    "text", ["日本語日本語", "one two three", "e\u0301te\u0301 e\u0301te\u0301", "unbreakable" * 4]
)
def test_pieces_hold_every_letter_in_so_many_cells(text: str, cells: int) -> None:
    parts = table_text.pieces(text, cells)
    assert "".join(parts).replace(" ", "") == text.replace(" ", "")
    assert all(width(part) <= cells or (cells == 1 and len(part) == 1) for part in parts)


def test_items_of_a_list_hang() -> None:
    assert table_text.wrapped("- one two three\n\nfour", 9) == "- one two\n  three\n\nfour"
    assert table_text.wrapped("- one two three\n\nfour", None) == "- one two three\n\nfour"
