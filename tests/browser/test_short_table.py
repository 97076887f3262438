"""A table of few rows on a phone, in a real browser: what can be chosen stays on the screen."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from cranfield.reporting.content import Column, Content, Section, Table
from cranfield.reporting.page import page as html

WIDTH = 390


def test_the_list_of_columns_stays_on_the_screen(browser: Browser, tmp_path: Path) -> None:
    columns = (Column("rank", "whole"), Column("system", "system"), Column("with a long name", "number", hidden=True))
    board = Table("leaderboard", "Systems by alpha-nDCG@20, means", columns, ((1, "a", 0.5), (2, "b", 0.25)))
    sections = (Section("leaderboard", "Board", tables=(board,)),)
    content = Content("Short", sections, ("a", "b"), ("q",), ("AP",), [[[0.5], [0.25]]], {})
    path = tmp_path / "page.html"
    path.write_text(html(content), encoding="utf-8")
    page = browser.new_page(offline=True, viewport={"width": WIDTH, "height": 844})
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    page.locator("#table-leaderboard .columns summary").click()
    box = page.locator("#table-leaderboard .columns > div").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= WIDTH
    assert page.evaluate("document.documentElement.scrollWidth") == WIDTH
    page.close()
