"""The page of a report in a real browser, without a network: what it shows and answers, and that it keeps quiet."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from chromium import emulate, go, place_of, wait_until
from playwright.sync_api import Browser, Page, ViewportSize, expect

import cranfield
from cranfield.escaping import unguarded
from odd_collection import HOSTILE, TOPICS, write_collection
from reading_pages import show_text

TEAMS = {
    name: {"team": f"team {at % 3}", "type": "<i>manual</i>" if at % 2 else "automatic", "description": "said " * at}
    for at, name in enumerate((*HOSTILE, "bm25", "ql", "-minus", "neural", "../../x"))
}
SCREEN: ViewportSize = {"width": 1280, "height": 900}
ASKED = "what is <b>asked</b> here?"


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page on systems, topics, teams and types of odd names; the last run is a copy of the one before it."""
    folder = tmp_path_factory.mktemp("page")
    qrels, runs = write_collection(folder)
    runs[-1].write_text(runs[-2].read_text(encoding="utf-8").replace("../../x", "last"), encoding="utf-8")
    more: Any = {"entries": TEAMS, "topics": {"5": ASKED}, "track": "A <track>", "date": "2026"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cranfield.CranfieldWarning)
        more["topic_groups"] = {topic: "<b>early</b>" if at < 4 else "late" for at, topic in enumerate(TOPICS[:-1])}
        text = cranfield.report(list(map(str, runs)), str(qrels), title="Evaluation on qrels", names="tag", **more).html
    (folder / "report.html").write_text(text, encoding="utf-8")
    return (folder / "report.html").as_uri()


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[tuple[Page, list[str]]]:
    """The page, offline, and whatever it complains of, asks for or pops up."""
    context = browser.new_context(offline=True, viewport=SCREEN, color_scheme="light")
    page = context.new_page()
    noise: list[str] = []
    page.on("console", lambda message: noise.append(message.text))
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.on("dialog", lambda dialog: (noise.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: request.url.startswith(("file:", "blob:", "data:")) or noise.append(request.url))
    page.goto(address)
    yield page, noise
    context.close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The page as it is opened; a noise fails the test."""
    with opened(browser, address) as (page, noise):
        yield page
    assert noise == []


@pytest.fixture
def drawn(page: Page) -> Page:
    """The page with all its charts."""
    page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
    return page


@pytest.fixture(scope="module")
def kept(browser: Browser, address: str) -> Iterator[tuple[Page, list[str]]]:
    """A page with all its charts, and its noises."""
    with opened(browser, address) as (page, noise):
        page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        yield page, noise


@pytest.fixture
def shown(kept: tuple[Page, list[str]]) -> Iterator[Page]:
    """The page with all its charts, for tests that look at it and go round: back at its beginning, on a screen."""
    page, noise = kept
    yield page
    emulate(page, media="screen", color_scheme="light")
    page.set_viewport_size(SCREEN)
    page.locator("#table-leaderboard td.pick input:checked").evaluate_all("(all) => all.forEach((one) => one.click())")
    page.evaluate("location.hash = ''")
    page.wait_for_selector("#report:not([hidden])")
    page.evaluate("window.scrollTo(0, 0)")
    found = [*noise]
    noise.clear()
    assert found == []


def cells(page: Page, table: str, name: str) -> list[str]:
    """The cells of a column."""
    heads = [head.strip() for head in page.locator(f"#table-{table} thead th[data-column]").all_text_contents()]
    column = page.locator(f"#table-{table} thead th[data-column]").nth(heads.index(name)).get_attribute("data-column")
    return page.locator(f"#table-{table} tbody td[data-column='{column}']").all_text_contents()


SYSTEM, TOPIC = place_of("system", "bm25"), place_of("topic", "5")
PAIR, ON_TOPIC = place_of("compare", HOSTILE[0], "bm25"), place_of("compare", HOSTILE[0], "bm25", "5")


def test_it_is_drawn_offline(drawn: Page) -> None:
    assert drawn.title() == "Evaluation on qrels"
    figures = drawn.locator("#report figure")
    assert figures.count() == drawn.locator("#report figure[data-drawn=yes]").count() == 11
    assert drawn.locator("#report figure .place > *").count() >= 11
    assert drawn.evaluate("document.documentElement.scrollWidth") == 1280
    sizes = (
        "[...new Set([...document.querySelectorAll('svg text.label')].map((one) => getComputedStyle(one).fontSize))]"
    )
    assert drawn.evaluate(sizes) == ["11px"], "as wide as names are measured to be"


def test_the_first_screen_shows_the_board_with_its_picture(page: Page) -> None:
    head = page.locator("#top").text_content() or ""
    assert "A <track> · 2026" in head
    assert "12 systems of 3 teams, 12 topics and 480 judgments (qrels), ranked by nDCG@10." in head
    assert "May affect the results: " in head
    assert "1 pair of runs with the same scores on every topic" in head
    first = page.locator("#table-leaderboard tbody tr").first
    assert first.locator("td.picture circle").count() == 2
    box = first.bounding_box()
    assert box is not None
    assert box["y"] < 500
    rows = page.locator("#table-leaderboard tbody tr").all_text_contents()
    assert [("same scores as" in row) for row in rows].count(True) == 2
    assert any("same scores as last on every topic" in row for row in rows)


def test_names_of_strangers_are_text(page: Page) -> None:
    assert page.evaluate("document.querySelectorAll('main script, main img, main b, main i').length") == 0
    shown = {text.removesuffix("same scores as last on every topic") for text in cells(page, "leaderboard", "system")}
    assert {HOSTILE[0], HOSTILE[1], HOSTILE[2], HOSTILE[5], "bidi\\u202egnp.exe", "../../x"} <= shown
    assert max(map(len, shown)) < 130


def test_tables_sort_by_mouse_and_keyboard(page: Page) -> None:
    before = [float(cell) for cell in cells(page, "leaderboard", "nDCG@10")]
    assert before == sorted(before, reverse=True)
    head = page.locator("#table-leaderboard thead th[data-column]", has_text="nDCG@10").first
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert [float(cell) for cell in cells(page, "leaderboard", "nDCG@10")] == sorted(before)
    page.locator("#table-leaderboard thead th[data-column] button").first.focus()
    page.keyboard.press("Space")
    assert [float(cell) for cell in cells(page, "leaderboard", "nDCG@10")] == before
    assert head.get_attribute("aria-sort") == "none"


def test_a_group_of_topics_has_a_leaderboard(drawn: Page) -> None:
    assert drawn.get_by_label("Group of topics").locator("option").all_text_contents() == [
        "all topics",
        "<b>early</b>",
        "late",
    ]
    drawn.locator("#table-leaderboard td.pick input").first.check()
    drawn.get_by_label("Group of topics").select_option("<b>early</b>")
    assert drawn.locator("#table-leaderboard").count() == 0
    assert "4 topics of the group <b>early</b>" in (drawn.locator("#title-leaderboard-1").text_content() or "")
    assert "The group has 4 topics: its means are uncertain." in (drawn.locator("#leaderboard").text_content() or "")
    assert "1 topic of the scores" not in (drawn.locator("#leaderboard").text_content() or "")
    assert drawn.locator("#table-leaderboard-1 td.pick input:checked").count() == 1
    assert drawn.locator("#table-leaderboard-1 td.picture circle").count() == 12
    drawn.get_by_label("Group of topics").select_option("all topics")
    assert drawn.locator("#table-leaderboard tbody tr").count() == 12


def test_filters_keep_rows_that_match(page: Page) -> None:
    board = page.locator("#table-leaderboard")
    board.get_by_label("Filter Systems by nDCG@10").fill("BM25")
    assert cells(page, "leaderboard", "system") == ["bm25"]
    assert board.locator(".count").text_content() == "1 of 12 rows"
    board.get_by_label("Filter Systems by nDCG@10").fill("")
    board.get_by_label("All teams").select_option("team 1")
    board.get_by_label("All types").select_option("<i>manual</i>")
    assert set(cells(page, "leaderboard", "team")) == {"team 1"}
    assert set(cells(page, "leaderboard", "type")) == {"<i>manual</i>"}
    heights = (
        "[...document.querySelectorAll('#table-leaderboard td[data-column=\"3\"]')].map((one) => one.clientHeight)"
    )
    assert max(page.evaluate(heights)) < 30, "a long description breaks no word of the other columns"
    assert board.locator(".count").text_content() == "2 of 12 rows"


def test_the_address_says_how_a_table_is_sorted_and_filtered(page: Page, address: str) -> None:
    board = page.locator("#table-leaderboard")
    board.locator("thead th[data-column]", has_text="AP").first.locator("button").click()
    board.get_by_label("All teams").select_option("team 1")
    board.get_by_label("Filter Systems by nDCG@10").fill("e")
    seen, place = cells(page, "leaderboard", "system"), page.evaluate("location.hash")
    assert place == "#table-leaderboard?sort=AP&order=descending&filter=e&team=team+1"
    assert 1 < len(seen) < 12
    page.goto("about:blank")
    page.goto(address + place)
    assert cells(page, "leaderboard", "system") == seen
    assert board.get_by_label("All teams").input_value() == "team 1"
    page.evaluate("location.hash = '#table-leaderboard?sort=no+such&team=nobody&filter=bm25'")
    wait_until(page, "document.querySelectorAll('#table-leaderboard tbody tr').length === 1")
    assert board.get_by_label("All teams").input_value() == ""


@pytest.mark.slow
def test_the_address_says_which_group_is_shown_and_shows_what_it_is_sorted_by(page: Page, address: str) -> None:
    """Also by a column that is hidden at first, and also in a page that is open already."""
    page.get_by_label("Group of topics").select_option("late")
    assert page.evaluate("location.hash") == "#table-leaderboard-2"
    board = page.locator("#table-leaderboard-2")
    board.locator(".columns summary").click()
    board.get_by_label("high", exact=True).check()
    page.locator("p.verdict").click()
    assert board.locator(".columns[open]").count() == 0, "the list of columns is closed, and covers nothing"
    board.locator("thead th[data-name=high] button").click()
    place, seen = page.evaluate("location.hash"), cells(page, "leaderboard-2", "system")
    assert place == "#table-leaderboard-2?sort=high&order=descending"
    page.goto("about:blank")
    page.goto(address + place)
    assert page.locator("#table-leaderboard-2 th[data-name=high][aria-sort=descending]").is_visible()
    assert cells(page, "leaderboard-2", "system") == seen
    page.evaluate("location.hash = '#table-leaderboard-1'")
    page.wait_for_selector("#table-leaderboard-1")
    assert page.get_by_label("Group of topics").input_value() == "1"
    page.evaluate("location.hash = '#topics'")
    assert page.locator("#table-leaderboard-1").count() == 1, "the address of something else leaves the group"


def test_columns_are_chosen(page: Page) -> None:
    assert page.locator("#table-leaderboard thead th:visible", has_text="standardized rank").count() == 0
    page.locator("#table-leaderboard .columns summary").click()
    page.get_by_label("standardized rank").check()
    assert page.locator("#table-leaderboard thead th:visible", has_text="standardized rank").count() == 1
    assert page.locator("#table-leaderboard tbody td:visible").count() % 12 == 0
    page.get_by_label("rank interval").uncheck()
    assert page.locator("#table-leaderboard thead th[data-column]:visible", has_text="rank interval").count() == 0


def test_a_system_has_a_page(shown: Page) -> None:
    shown.locator("#table-leaderboard tbody a", has_text="bm25").click()
    shown.wait_for_selector("#view h2")
    assert shown.locator("#view h2").text_content() == "bm25"
    assert shown.locator("#report").is_hidden()
    assert shown.locator("#menu").is_visible()
    assert "team 0 · type automatic" in (shown.locator("#view").text_content() or "")
    assert shown.locator("#figure-ranges .hit").count() == len(TOPICS)
    assert "this system, worse than the median" in shown.locator("#figure-ranges svg text").all_text_contents()
    circles = "(paths) => paths.map((one) => one.getAttribute('d').split('M').length - 1).reduce((a, b) => a + b, 0)"
    under = shown.locator("#figure-ranges path.under").evaluate_all(circles)
    assert under + shown.locator("#figure-ranges path.above").evaluate_all(circles) == len(TOPICS)
    assert f"on {len(TOPICS) - under} of {len(TOPICS)} topics" in (shown.locator("#figure-ranges").text_content() or "")
    assert len(cells(shown, "scores-of-system", "topic")) == len(TOPICS)
    shown.go_back()
    shown.wait_for_selector("#report:not([hidden])")
    assert shown.locator("#view").is_hidden()


def test_numbers_of_a_system_are_those_of_the_board(shown: Page) -> None:
    row = shown.locator("#table-leaderboard tbody tr", has=shown.locator("a", has_text="bm25"))
    value, rank = row.locator("td[data-column='5']").text_content(), row.locator("td[data-column='0']").text_content()
    row.locator("a").click()
    shown.wait_for_selector("#table-means")
    first = shown.locator("#table-means tbody tr").first.locator("td").all_text_contents()
    assert first[:3] == ["nDCG@10", value, rank]
    own = [float(cell) for cell in cells(shown, "scores-of-system", "nDCG@10")]
    assert sum(own) / len(own) == pytest.approx(float(value or "nan"), abs=1e-4)
    best = [float(cell) for cell in cells(shown, "scores-of-system", "best")]
    ranks = [int(cell) for cell in cells(shown, "scores-of-system", "rank")]
    assert all((score == top) == (place == 1) for score, top, place in zip(own, best, ranks, strict=True))


def test_no_one_of_tied_systems_is_called_the_best_or_the_worst(shown: Page) -> None:
    tied = 0
    for topic in TOPICS:
        go(shown, place_of("topic", topic))
        said = shown.locator("#figure-systems-on-topic figcaption p").first.text_content() or ""
        scores = cells(shown, "scores-of-topic", "nDCG@10")
        for what, at in (("Best", 0), ("worst", -1)):
            equal = scores.count(scores[at])
            assert (f"{what} {equal} systems tied ({scores[at]})" in said) == (equal > 1)
            heads = shown.locator("#view .lists h4").all_text_contents()
            assert any(head.startswith(f"{what.lower()}, one of {equal} tied: ") for head in heads) == (equal > 1)
            tied += equal > 1
    assert tied


def test_a_topic_has_a_page(shown: Page) -> None:
    go(shown, TOPIC)
    chart = shown.locator("#figure-systems-on-topic .wide > svg").nth(1)
    lowest = (
        "(view) => Math.max(...[...view.querySelectorAll('text')].map((one) => one.getBoundingClientRect().bottom))"
    )
    box = chart.bounding_box()
    assert box is not None
    assert chart.evaluate(lowest) <= box["y"] + box["height"] + 1, "no name begins below the chart"
    said = shown.locator("#view").text_content() or ""
    assert ASKED in said
    assert "Best " in said
    assert "worst " in said
    assert shown.locator("#view .lists section").count() == 3
    assert shown.locator("#view .lists li").count() == 30
    assert shown.locator("#figure-systems-on-topic .hit").count() == 12
    assert len(cells(shown, "scores-of-topic", "system")) == 12


def test_two_systems_are_compared(drawn: Page) -> None:
    boxes = drawn.locator("#table-leaderboard td.pick input")
    boxes.nth(0).check()
    boxes.nth(5).check()
    drawn.locator("#picked a").click()
    drawn.wait_for_selector("#figure-differences[data-drawn=yes]")
    drawn.locator("#figure-differences .hit").nth(2).click()
    drawn.wait_for_selector("#view .lists")
    lists = drawn.locator("#view .lists section")
    one, other = (set(lists.nth(at).locator(".document").all_text_contents()) for at in (0, 1))
    alone = lists.nth(0).locator("li.alone .document").all_text_contents()
    assert set(alone) == one - other
    moved = lists.nth(0).locator("li:not(.alone) .moved").all_text_contents()
    assert len(moved) == len(one & other)
    assert all(("there" in text) or (text == "same rank") for text in moved)
    before = drawn.locator("#view [aria-label='First system']").input_value()
    drawn.get_by_role("button", name="Swap").click()
    expect(drawn.locator("#view [aria-label='Second system']")).to_have_value(before)


def test_two_systems_have_the_test_that_compare_computes(shown: Page, address: str) -> None:
    folder = Path(unquote(urlsplit(address).path)).parent
    runs = [str(path) for path in folder.glob("run*.txt")]
    with pytest.warns(cranfield.CranfieldWarning, match="ranks the same judged documents"):
        scores = cranfield.evaluate(runs, str(folder / "qrels.txt"), "nDCG@10", names="tag")["nDCG@10"]
    with pytest.warns(cranfield.CranfieldWarning, match="have the same scores on every topic"):
        pairs = cranfield.compare(scores, test="t").pairs
    assert len(pairs) == 66
    for _, pair in pairs.iloc[[0, len(pairs) // 2, -1]].iterrows():
        for one, other, sign in ((pair["system"], pair["other"], 1), (pair["other"], pair["system"], -1)):
            go(shown, place_of("compare", one, other))
            said = (shown.locator("#view .tested").text_content() or "").replace("\u00a0", " ")
            low, high = sorted((sign * pair["low"], sign * pair["high"]))
            assert f"The mean difference of nDCG@10 is {sign * pair['difference']:+.4f} on 12 topics" in said
            assert f"(95% interval {low:+.4f} to {high:+.4f} for all pairs together, by Bonferroni)" in said
            together = "corrected for all 66 pairs of systems (Holm), p"
            for value, text in ((pair["p"], "Paired t-test: p"), (pair["p_adjusted"], together)):
                assert f"{text} {'< 0.0001' if 0 < value < 5e-5 else f'= {value:.4f}'}" in said
            assert ("The difference is significant at 0.05." in said) == bool(pair["significant"])


def test_a_chart_leads_to_a_topic(shown: Page) -> None:
    canvas = shown.locator("#figure-heat-map canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    shown.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"])
    shown.wait_for_selector("#tip:not([hidden])")
    assert "nDCG@10" in (shown.locator("#tip").text_content() or "")
    shown.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"])
    shown.wait_for_selector("#view .facts")
    assert (shown.locator("#view h2").text_content() or "").startswith("Topic ")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("#/system/99", "There is no system 99 on this page."),
        ("#/topic/%3Ci%3Ex", "There is no topic <i>x on this page."),
        ("#/topic/100%", "There is no topic 100% on this page."),
        ("#/topic/%E0%A4%A", "There is no topic %E0%A4%A on this page."),
        ("#/compare/bm25/ql/77", "There is no topic 77 on this page."),
        ("#/compare/bm25/nobody", "There is no system nobody on this page."),
        ("#/compare/bm25", "The address of this page needs the names of two systems, and may name one topic of both."),
        ("#/nothing", "This page has nothing at the address #/nothing."),
        ("#/constructor/1", "This page has nothing at the address #/constructor/1."),
    ],
)
def test_an_unknown_place_says_so(shown: Page, place: str, said: str) -> None:
    go(shown, place)
    assert shown.locator("#view .missing").text_content() == said
    assert shown.locator("#report").is_hidden()
    shown.locator("#view a").first.click()
    shown.wait_for_selector("#report:not([hidden])")


def test_an_address_names_what_it_shows(shown: Page) -> None:
    for name in (*HOSTILE, "bm25", "-minus", "../../x"):
        go(shown, place_of("system", name))
        assert shown.locator("#view .missing").count() == 0
        assert (shown.locator("#view h2").text_content() or "")[:20] == show_text(name)[:20]
    for topic in TOPICS:
        go(shown, place_of("topic", topic))
        assert shown.locator("#view h2").text_content() == f"Topic {show_text(topic)}"
    go(shown, "#/system/../../x")
    assert shown.locator("#view h2").text_content() == "../../x", "a slash may be written as it is"


@pytest.mark.slow
def test_every_link_of_the_page_leads_somewhere(shown: Page) -> None:
    follow = "(all) => [...new Set(all.map((one) => one.getAttribute('href') ?? one.dataset.href))]"
    for place in ("", SYSTEM, TOPIC, PAIR, ON_TOPIC):
        if place:
            go(shown, place)
        for link in shown.locator("a[href^='#/'], [data-href^='#/']").evaluate_all(follow):
            go(shown, link)
            assert shown.locator("#view .missing").count() == 0, link


@pytest.mark.parametrize("odd", ["#%E0%A4%A", "#%", "#nothing", "#/"])
def test_an_odd_anchor_leaves_the_report(shown: Page, odd: str) -> None:
    go(shown, SYSTEM)
    shown.evaluate("(place) => { location.hash = place; }", odd)
    shown.wait_for_selector("#report:not([hidden])")


def test_an_address_with_a_section_leads_to_it(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport=SCREEN)
    page.goto(f"{address}#systems")
    page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
    assert 0 <= page.evaluate("document.getElementById('systems').getBoundingClientRect().top") < 100
    page.close()


def test_tables_and_charts_are_saved(drawn: Page) -> None:
    """Buttons are pressed by key: a chart that is drawn as it comes into sight may move one away from the mouse."""
    with drawn.expect_download() as table:
        drawn.get_by_label("CSV of Systems by nDCG@10").press("Enter")
    assert table.value.suggested_filename == "leaderboard.csv"
    rows = list(csv.reader(io.StringIO(table.value.path().read_text(encoding="utf-8"))))
    written = [row[1] for row in rows[1:]]
    assert "'=HYPERLINK(1)" in written
    assert "'-minus" in written
    assert not [cell for cell in written if cell.startswith(("=", "+", "-", "@"))]
    assert {unguarded(cell) for cell in written} >= set(HOSTILE)
    assert rows[0][:6] == ["rank", "system", "team", "type", "description", "nDCG@10"]
    for figure in ("heat-map", "topic-difficulty", "d-study"):
        with drawn.expect_download() as vector:
            drawn.locator(f"#figure-{figure}").get_by_role("button", name="SVG").press("Enter")
        text = vector.value.path().read_text(encoding="utf-8")
        assert text.startswith("<svg")
        assert "var(--" not in text
        assert "class=" not in text
    with drawn.expect_download() as raster:
        drawn.locator("#figure-heat-map").get_by_role("button", name="PNG").press("Enter")
    assert raster.value.path().read_bytes().startswith(b"\x89PNG")
    with drawn.expect_download() as signature:
        drawn.get_by_role("button", name="Signature as JSON").press("Enter")
    assert len(json.loads(signature.value.path().read_text(encoding="utf-8"))["runs"]) == 12


def test_light_and_dark(drawn: Page) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    letters = "getComputedStyle(document.querySelector('#figure-d-study text')).fill"
    # Of the first cell, which is larger than this on the screen and on paper.
    pixels = """(() => { const one = document.createElement("canvas"); one.width = one.height = 1;
        one.getContext("2d").drawImage(document.querySelector("#figure-heat-map canvas"), 4, 4, 1, 1, 0, 0, 1, 1);
        return one.toDataURL(); })()"""
    light = drawn.evaluate(letters), drawn.evaluate(pixels)
    assert drawn.evaluate(colour) == "rgb(255, 255, 255)"
    drawn.locator("#theme").click()
    assert drawn.evaluate(colour) == "rgb(20, 24, 30)"
    assert drawn.evaluate(letters) != light[0]
    assert drawn.evaluate(pixels) != light[1]
    assert drawn.locator("#theme").get_attribute("aria-pressed") == "true"
    drawn.locator("#theme").click()
    emulate(drawn, color_scheme="dark")
    drawn.wait_for_selector("html[data-theme=dark]")
    assert drawn.evaluate(colour) == "rgb(20, 24, 30)"
    emulate(drawn, color_scheme="dark", media="print")
    assert drawn.evaluate(letters) == "rgb(0, 0, 0)"
    assert drawn.evaluate(pixels) == light[1]


def test_it_prints_whole_tables(shown: Page) -> None:
    emulate(shown, media="print")
    assert shown.locator("#menu").is_hidden()
    assert shown.evaluate("getComputedStyle(document.querySelector('.scroll')).maxHeight") == "none"
    assert shown.locator(".with").first.is_hidden(), "what nobody can choose on paper"
    assert shown.pdf(format="A4").startswith(b"%PDF")
    assert shown.locator("thead button:visible").count() == 0, "buttons are not painted where a head is repeated"
    name = "(head) => getComputedStyle(head, '::before').content"
    assert shown.locator("#table-leaderboard th[data-column='0']").evaluate(name) == '"rank"'
    size = "(one) => [one.lastElementChild.getBoundingClientRect().right - one.getBoundingClientRect().left,"
    size += " one.getBoundingClientRect().height]"
    for chart in shown.locator(".wide, .grid-of").all():
        width, height = chart.evaluate(size)
        assert (width < 690, height < 980) == (True, True), "a page of A4"
    for chart in shown.locator(".place > svg").all():
        assert chart.evaluate("(one) => one.getBoundingClientRect().height") < 980


@pytest.mark.parametrize("place", ["", SYSTEM, TOPIC, PAIR, ON_TOPIC])
def test_what_can_be_done_on_a_screen_is_not_printed(shown: Page, place: str) -> None:
    if place:
        go(shown, place)
    acts = re.compile(r"\b[Cc]lick|\bcan be chosen|What was found|Signature$", re.MULTILINE)
    if place != ON_TOPIC:
        assert acts.search(shown.locator("body").inner_text())
    emulate(shown, media="print")
    assert not acts.search(shown.locator("body").inner_text())


def test_no_short_text_is_broken_in_print(shown: Page) -> None:
    shown.set_viewport_size({"width": 702, "height": 1000})
    emulate(shown, media="print")
    lines = (
        "(table) => [...table.querySelectorAll('td.brief:not([hidden]) bdi')].map((one) => one.getClientRects().length)"
    )
    for table in ("leaderboard", "topics", "audit"):
        assert set(shown.locator(f"#table-{table}").evaluate(lines)) == {1}, table


def test_it_fits_a_phone(browser: Browser, address: str) -> None:
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
    head = page.locator("#table-leaderboard thead th[data-column]:visible", has_text="nDCG@10").first.bounding_box()
    assert head is not None
    assert head["x"] + head["width"] < 390, "scores are seen at once"
    for place in (SYSTEM, TOPIC, ON_TOPIC):
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        go(page, place)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "rules"), [("light", {}), ("dark", {"runOnly": ["color-contrast"]})])
def test_axe_finds_nothing(shown: Page, scheme: str, rules: dict[str, list[str]]) -> None:
    """In the dark nothing but colours is other than in the light."""
    from axe_playwright_python.sync_playwright import Axe

    emulate(shown, color_scheme=scheme)
    shown.locator("#table-leaderboard td.pick input").first.check()
    for place in ("", SYSTEM, TOPIC, ON_TOPIC):
        if place:
            go(shown, place)
        found = Axe().run(shown, options={"resultTypes": ["violations"], **rules})
        assert found.violations_count == 0, found.generate_report()


def test_the_whole_menu_is_in_sight_on_a_phone(shown: Page) -> None:
    shown.set_viewport_size({"width": 390, "height": 844})
    ends = "(all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right])"
    assert all(0 <= left < right <= 390 for left, right in shown.locator("#contents a").evaluate_all(ends))
    assert shown.evaluate(
        "(() => { const one = document.getElementById('contents'); return one.scrollWidth <= one.clientWidth; })()"
    )
    assert shown.locator("#menu").evaluate("(one) => one.getBoundingClientRect().height") < 90


@pytest.mark.slow
@pytest.mark.parametrize("sections", [(), ("--sections", "topics")], ids=["all sections", "one section"])
@pytest.mark.parametrize(("public", "section"), [(False, "checks"), (True, "provenance")])
def test_what_may_affect_the_ranking_leads_somewhere(
    browser: Browser, tmp_path: Path, public: bool, section: str, sections: tuple[str, ...]
) -> None:
    """A public page has no list of checks, and its warning has a link all the same; so has one of chosen sections."""
    runs = {"one": {"1": {"a": 1.0, "b": 1.0}}, "two": {"1": {"b": 1.0}}}
    for name, run in runs.items():
        cranfield.write(cranfield.Run.from_dict(run), tmp_path / f"{name}.run")
    (tmp_path / "broken.run").write_text("nonsense\n")
    cranfield.write(cranfield.Qrels.from_dict({"1": {"a": 1, "b": 0}}), tmp_path / "qrels.txt")
    called = [
        *sorted(tmp_path.glob("*.run")),
        "--keep-going",
        "-o",
        tmp_path / "page.html",
        *["--public"] * public,
        *sections,
    ]
    made = [sys.executable, "-m", "cranfield", "report", tmp_path / "qrels.txt", *called]
    assert subprocess.run(made, check=False, capture_output=True).returncode == 5
    with opened(browser, (tmp_path / "page.html").as_uri()) as (page, noise):
        notice = page.locator("p.notice")
        assert (notice.text_content() or "").startswith("May affect the results: 1 run left out, ")
        notice.locator("a").click()
        assert page.evaluate("location.hash") == f"#{section}" and page.locator(f"#{section}").is_visible()
        assert "Left out: 1 run" in (page.locator("#leaderboard").text_content() or "")
    assert noise == []
