"""What the page of a system says of topics on which systems share a score, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import go, place_of
from playwright.sync_api import Browser, Page

from cranfield.reporting import Content, PageColumn, Section, Table
from cranfield.reporting import render_page as html

SYSTEMS, TOPICS = ("a", "b", "c"), ("all at 0", "two are best", "one is best", "all at .3")
SCORES: list[list[float | None]] = [[0.0, 1.0, 0.5, 0.3], [0.0, 1.0, 0.2, 0.3], [0.0, 0.0, 0.1, 0.3]]


@pytest.fixture(scope="module")
def opened(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    columns = (PageColumn("rank", "whole"), PageColumn("system", "system"))
    board = Table("leaderboard", "Systems", columns, ((1, "a"), (2, "b"), (3, "c")))
    path = Path(tmp_path_factory.mktemp("tied")) / "page.html"
    content = Content(
        "Tied", (Section("leaderboard", "Board", tables=(board,)),), SYSTEMS, TOPICS, ("AP",), [SCORES], {}
    )
    path.write_text(html(content), encoding="utf-8")
    page = browser.new_page(offline=True)
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    yield page
    page.close()


@pytest.mark.parametrize(
    ("system", "said"),
    [
        (0, "a is better than the median system on 1 of 4 topics, and best on 2, tied with others on 1 of them."),
        (1, "b is better than the median system on 0 of 4 topics, and best on 1, tied with others on 1 of them."),
        (2, "c is better than the median system on 0 of 4 topics, and best on none."),
    ],
)
def test_where_all_are_equal_none_is_best(opened: Page, system: int, said: str) -> None:
    go(opened, place_of("system", SYSTEMS[system]))
    seen = opened.locator("#figure-ranges figcaption p").first.text_content()
    assert seen == f"{said} On 2 topics all systems have the same score."


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        (1, "Best 2 systems tied (1.0000), median 1.0000, worst c (0.0000)."),
        (3, "All 3 systems have the same score (0.3000)."),
    ],
)
def test_a_topic_of_equal_scores_has_no_best_system(opened: Page, topic: int, said: str) -> None:
    go(opened, place_of("topic", TOPICS[topic]))
    assert opened.locator("#figure-systems-on-topic figcaption p").first.text_content() == said
