"""The page of a board in a real browser, without a network: places, one system, two systems, and what is missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from chromium import go, place_of
from playwright.sync_api import Browser

from cranfield.boards import board, read_board
from cranfield.reporting import make_board_page
from reading_pages import packed

LONG = "an-organisation/a-long-name-of-a-model-v5-small"
NAMES = ("</script><script>alert(1)</script>", "b&c", "plain", LONG, "gap")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A board of eight tasks in two groups, one system of which lacks a task."""
    scores = np.random.default_rng(2).random((5, 8)) * 0.1 + np.linspace(0.8, 0.3, 5)[:, None]
    scores[4, 0] = np.nan
    frame = pd.DataFrame(scores, pd.Index(NAMES, name="model"), [f"t<{number}>" for number in range(8)])
    table = read_board(frame)
    groups = {task: "first" if at < 4 else "<b>last</b>" for at, task in enumerate(frame.columns)}
    boards = [board(table, aggregate=name, missing_cells="complete") for name in ("mean", "borda")]
    path = tmp_path_factory.mktemp("board") / "board.html"
    head = {"track": "A <track>", "date": "May 2026", "footer": "Asked of <me>; CC BY 4.0"}
    made = make_board_page(table, boards, groups, title="Board of <me>", **head, command="cranfield board me.csv")
    made.write(path)
    return Path(path).as_uri()


def test_a_board_is_shown_and_the_console_stays_empty(browser: Browser, address: str) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    noise: list[str] = []
    page.on("console", lambda message: noise.append(message.text))
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.on("dialog", lambda dialog: (noise.append(dialog.message), dialog.dismiss()))
    page.goto(address)
    page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
    assert page.locator("#top .track").text_content() == "A <track> · May 2026"
    assert page.locator("footer").text_content() == "Asked of <me>; CC BY 4.0"
    assert "5 systems" not in (page.locator("#top").text_content() or "")
    assert "4 systems on 8 tasks" in (page.locator("#top").text_content() or "")
    rows = page.locator("#table-leaderboard tbody tr")
    assert rows.count() == 4
    assert rows.first.locator("td.picture circle").count() >= 1
    assert NAMES[0] in (rows.first.text_content() or "")
    assert page.locator("#table-groups tbody tr").count() == 4
    assert page.locator("#table-topics tbody tr").count() == 8
    assert "gap" in (page.locator("#table-missing").text_content() or "")
    assert page.locator("#table-missing thead th:visible").all_text_contents() == ["name", "missing", "tasks"]
    assert "1 of 5 systems lacks scores and is not ranked." in (page.locator("#missing").text_content() or "")
    for table in ("leaderboard", "groups"):
        parts = page.locator(f"#table-{table} td.name a[title='{LONG}'] span")
        cut = "(all) => all.some((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 0)"
        assert not parts.evaluate_all(cut), f"where there is room, names are whole in the table {table}"
    go(page, place_of("system", "plain"))
    assert page.locator("#view svg").count() >= 1
    go(page, place_of("compare", NAMES[0], "b&c"))
    assert "is better on 8 of 8 tasks" in (page.locator("#view").text_content() or "")
    assert "topic" not in (page.locator("#view").text_content() or "").lower()
    assert page.locator("#view .back").text_content() == "← Ranking"
    go(page, place_of("topic", "t<1>"))
    assert noise == []
    context.close()


@pytest.mark.parametrize(("alpha", "level"), [(0.05, "95%"), (0.1, "90%"), (0.005, "99.5%")])
def test_the_level_of_the_tests_of_two_systems_is_that_of_the_board(alpha: float, level: str) -> None:
    table = read_board(pd.DataFrame(np.random.default_rng(3).random((3, 8)), pd.Index(["a", "b", "c"], name="model")))
    page = make_board_page(table, [board(table, alpha=alpha)], None, title="Three")
    tested = packed(page.html)["tested"]
    assert (tested["level"], tested["alpha"]) == (level, f"{alpha:g}")
