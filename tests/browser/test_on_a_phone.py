"""Small tables and long names on a phone, in a real browser: all that can be chosen or read stays on the screen."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from cranfield.reporting.content import Column, Content, Figure, Section, Table
from cranfield.reporting.forms import strips
from cranfield.reporting.page import page as html

WIDTH = 390
COLUMNS = (Column("rank", "whole"), Column("system", "system"), Column("with a long name", "number", hidden=True))
BOARD = Table("leaderboard", "Systems by alpha-nDCG@20, means", COLUMNS, ((1, "a", 0.5), (2, "b", 0.25)))


def opened(browser: Browser, folder: Path, *figures: Figure) -> Page:
    sections = (Section("leaderboard", "Board", tables=(BOARD,)), Section("measures", "Measures", figures=figures))
    content = Content("Short", sections, ("a", "b"), ("q",), ("AP",), [[[0.5], [0.25]]], {})
    path = folder / "page.html"
    path.write_text(html(content), encoding="utf-8")
    page = browser.new_page(offline=True, viewport={"width": WIDTH, "height": 844})
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    return page


def test_the_list_of_columns_stays_on_the_screen(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, tmp_path)
    page.locator("#table-leaderboard .columns summary").click()
    box = page.locator("#table-leaderboard .columns > div").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= WIDTH
    assert page.evaluate("document.documentElement.scrollWidth") == WIDTH
    page.close()


def test_two_names_of_a_row_stand_below_each_other(browser: Browser, tmp_path: Path) -> None:
    rows = ["alpha-nDCG@20 · D#-nDCG@20", "alpha-nDCG@20 · nDCG@20"]
    form = strips("bits", rows, ["(nothing)"], [(0, 0, 0.5), (1, 0, 0.25)])
    page = opened(browser, tmp_path, Figure("tau", "Shared", "seen", "notes", form))
    page.locator("#figure-tau svg").scroll_into_view_if_needed()
    texts = page.locator("#figure-tau svg text").all_text_contents()
    assert texts.count("alpha-nDCG@20") == 2
    assert {"D#-nDCG@20", "nDCG@20"} < set(texts)
    page.set_viewport_size({"width": 1280, "height": 844})
    expect(page.locator("#figure-tau svg text", has_text=rows[0])).to_have_count(1)
    page.close()
