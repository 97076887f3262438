"""A page of a board whose tasks are not all better when larger."""

from __future__ import annotations

import pytest

import reading_pages
from cranfield.boards import board, read_board
from cranfield.reporting import make_board_page

SCORES = {
    name: {"nq": 0.3 + at / 10, "fiqa": 0.2 + at / 10, "latency_ms": 90.0 - 10 * at, "mine": 50.0 - at}
    for at, name in enumerate("abc")
}


@pytest.mark.filterwarnings("ignore:.*far above that of the other tasks")
@pytest.mark.parametrize("read", [True, False], ids=["as it was ranked", "as the file has it"])
def test_the_best_of_a_task_is_the_best_in_its_direction(read: bool) -> None:
    table = read_board(SCORES, smaller_is_better="mine" if read else ())
    ranked = board(table, smaller_is_better="mine", values_only=True)
    page = make_board_page(table, [ranked], None, title="Mixed")
    tasks = reading_pages.section(reading_pages.data_of(page.html), "topics")["tables"][0]
    best = {row[0]: (row[3], row[-1]) for row in tasks["rows"]}
    settings = reading_pages.section(reading_pages.data_of(page.html), "provenance")["tables"][0]["rows"]
    stated, _ = next(value for what, value in settings if what == "directions")
    parts = (
        "latency_ms: smaller is better, by its name",
        "mine: smaller is better",
        "every other task: larger is better, as nothing says otherwise",
    )
    assert sorted(stated.split("; ")) == sorted(parts)
    assert best == {0: (0.5, "c"), 1: (0.4, "c"), 2: (-70.0, "c"), 3: (-48.0, "c")}
