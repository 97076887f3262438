"""The page in a real browser without network: what a reader does with it, and what strangers' names cannot do."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import browser_path
from playwright.sync_api import Browser, Page, sync_playwright

import cranfield
from cranfield.escaping import unguarded
from cranfield.reporting.analyses import analyse
from cranfield.reporting.page import page as html
from cranfield.reporting.question import Question
from cranfield.reporting.summary import summary
from odd_collection import HOSTILE, TOPICS, write_collection


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("page")
    qrels, runs = write_collection(folder)
    found = analyse(Question(str(qrels), tuple(map(str, runs)), reading=cranfield.Reading(names="tag")))
    text = html(summary(found, "Evaluation on qrels", "cranfield report ..."))
    (folder / "report.html").write_text(text, encoding="utf-8")
    return (folder / "report.html").as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = browser_path()
    with sync_playwright() as play:
        # Without a sandbox of its own: containers of tests often have none to offer.
        opened = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The page, offline; whatever it complains of, asks for or pops up fails the test."""
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900}, color_scheme="light")
    opened = context.new_page()
    noise: list[str] = []
    opened.on("console", lambda message: noise.append(message.text))
    opened.on("pageerror", lambda error: noise.append(str(error)))
    opened.on("dialog", lambda dialog: (noise.append(dialog.message), dialog.dismiss()))
    opened.on(
        "request", lambda request: request.url.startswith(("file:", "blob:", "data:")) or noise.append(request.url)
    )
    opened.goto(address)
    yield opened
    context.close()
    assert noise == []


@pytest.fixture
def drawn(page: Page) -> Page:
    """The page with all its charts."""
    page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
    return page


def cells(page: Page, table: str, number: int) -> list[str]:
    return page.locator(f"#table-{table} tbody tr td:nth-child({number})").all_text_contents()


def test_it_is_drawn_offline(drawn: Page) -> None:
    assert drawn.title() == "Evaluation on qrels"
    assert drawn.locator("section").count() == 6
    figures = drawn.locator("figure")
    assert figures.count() == drawn.locator("figure[data-drawn=yes]").count() == 11
    assert drawn.locator("figure canvas").count() == 11
    assert drawn.evaluate("document.documentElement.scrollWidth") == 1280


def test_names_of_strangers_are_text(page: Page) -> None:
    assert page.evaluate("document.querySelectorAll('main script, main img, main b').length") == 0
    shown = set(cells(page, "leaderboard", 2))
    assert {HOSTILE[0], HOSTILE[1], HOSTILE[2], HOSTILE[5], "bidi\\u202egnp.exe", "../../x"} <= shown
    assert max(map(len, shown)) < 100


def test_tables_sort_by_mouse_and_keyboard(page: Page) -> None:
    before = [float(cell) for cell in cells(page, "leaderboard", 3)]
    assert before == sorted(before, reverse=True)
    head = page.locator("#table-leaderboard thead th").nth(2)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert [float(cell) for cell in cells(page, "leaderboard", 3)] == sorted(before)
    page.locator("#table-leaderboard thead th button").first.focus()
    page.keyboard.press("Space")
    assert [float(cell) for cell in cells(page, "leaderboard", 3)] == before
    assert head.get_attribute("aria-sort") == "none"


def test_the_filter_keeps_rows_that_match(page: Page) -> None:
    page.get_by_label("Filter Systems by nDCG@10").fill("BM25")
    assert cells(page, "leaderboard", 2) == ["bm25"]
    assert page.locator("#table-leaderboard .count").text_content() == "1 of 12 rows"
    page.get_by_label("Filter Systems by nDCG@10").fill("")
    assert len(cells(page, "leaderboard", 2)) == 12


def test_a_chosen_system_shows_everywhere(drawn: Page) -> None:
    picture = drawn.locator("#figure-system-map canvas")
    before = picture.evaluate("canvas => canvas.toDataURL()")
    heat = drawn.locator("#figure-heat-map canvas").evaluate("canvas => canvas.toDataURL()")
    drawn.locator("#table-leaderboard tbody button", has_text="bm25").click()
    assert "bm25" in (drawn.locator("#chosen").text_content() or "")
    marked = drawn.locator("tr.chosen")
    assert marked.count() >= 2
    assert all("bm25" in text for text in marked.all_text_contents())
    assert len(cells(drawn, "scores-of-system", 1)) == len(TOPICS)
    drawn.wait_for_timeout(300)
    marked_picture = picture.evaluate("canvas => canvas.toDataURL()")
    assert marked_picture != before
    assert drawn.locator("#figure-heat-map canvas").evaluate("canvas => canvas.toDataURL()") != heat
    drawn.keyboard.press("Escape")
    assert drawn.locator("tr.chosen").count() == 0
    drawn.wait_for_timeout(300)
    assert picture.evaluate("canvas => canvas.toDataURL()") != marked_picture


def test_a_chart_chooses_too(drawn: Page) -> None:
    canvas = drawn.locator("#figure-heat-map canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    drawn.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"])
    drawn.wait_for_selector("#chosen strong")
    assert drawn.locator("#chosen strong").count() == 2
    assert drawn.locator("#table-scores-of-system tbody tr").count() == len(TOPICS)
    assert drawn.locator("#table-scores-of-topic tbody tr").count() == 12
    assert drawn.locator("tr.chosen").count() >= 2


def test_a_tip_is_text(drawn: Page) -> None:
    canvas = drawn.locator("#figure-heat-map canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    drawn.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"])
    drawn.wait_for_selector("#tip:not([hidden])")
    assert "nDCG@10" in (drawn.locator("#tip").text_content() or "")


def test_tables_and_charts_are_saved(drawn: Page, tmp_path: Path) -> None:
    with drawn.expect_download() as table:
        drawn.get_by_label("CSV of Systems by nDCG@10").click()
    assert table.value.suggested_filename == "leaderboard.csv"
    rows = list(csv.reader(io.StringIO(table.value.path().read_text(encoding="utf-8"))))
    written = [row[1] for row in rows[1:]]
    assert "'=HYPERLINK(1)" in written
    assert "'-minus" in written
    assert not [cell for cell in written if cell.startswith(("=", "+", "-", "@"))]
    assert {unguarded(cell) for cell in written} >= set(HOSTILE)
    assert float(rows[1][2]) >= float(rows[2][2])
    with drawn.expect_download() as vector:
        drawn.locator("#figure-heat-map").get_by_role("button", name="SVG").click()
    assert vector.value.path().read_text(encoding="utf-8").startswith("<svg")
    with drawn.expect_download() as raster:
        drawn.locator("#figure-heat-map").get_by_role("button", name="PNG").click()
    assert raster.value.path().read_bytes().startswith(b"\x89PNG")
    with drawn.expect_download() as signature:
        drawn.get_by_role("button", name="Signature as JSON").click()
    assert len(json.loads(signature.value.path().read_text(encoding="utf-8"))["runs"]) == 12


def test_light_and_dark(page: Page) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(colour) == "rgb(255, 255, 255)"
    page.locator("#theme").click()
    assert page.evaluate(colour) == "rgb(20, 24, 30)"
    assert page.locator("#theme").get_attribute("aria-pressed") == "true"
    page.locator("#theme").click()
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector("html[data-theme=dark]")
    assert page.evaluate(colour) == "rgb(20, 24, 30)"


def test_it_prints_whole_tables(drawn: Page) -> None:
    drawn.emulate_media(media="print")
    assert drawn.locator("#theme").is_hidden()
    assert drawn.evaluate("getComputedStyle(document.querySelector('.scroll')).maxHeight") == "none"
    assert drawn.pdf(format="A4").startswith(b"%PDF")


def test_it_fits_a_phone(browser: Browser, address: str) -> None:
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(drawn: Page, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    drawn.emulate_media(color_scheme=scheme)
    drawn.locator("#table-leaderboard tbody button").first.click()
    found = Axe().run(drawn)
    assert found.violations_count == 0, found.generate_report()
