"""Small tables and long names on a phone, in a real browser: all that can be chosen or read stays on the screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from chromium import go
from playwright.sync_api import Browser, Page, expect

import cranfield
from cranfield.reporting import Content, Figure, PageColumn, Retrieved, Section, Table
from cranfield.reporting import render_page as html

WIDTH = 390
COLUMNS = (
    PageColumn("rank", "whole"),
    PageColumn("system", "system"),
    PageColumn("with a long name", "number", hidden=True),
)
BOARD = Table("leaderboard", "Systems by alpha-nDCG@20, means", COLUMNS, ((1, "a", 0.5), (2, "b", 0.25)))


def content(*figures: Figure) -> Content:
    sections = (Section("leaderboard", "Board", tables=(BOARD,)), Section("measures", "Measures", figures=figures))
    return Content("Short", sections, ("a", "b"), ("q",), ("AP",), [[[0.5], [0.25]]], {})


def opened(browser: Browser, folder: Path, content: Content, width: int = WIDTH) -> Page:
    path = folder / "page.html"
    path.write_text(html(content), encoding="utf-8")
    page = browser.new_page(offline=True, viewport={"width": width, "height": 844})
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    return page


def test_the_list_of_columns_stays_on_the_screen(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, content())
    page.locator("#table-leaderboard .columns summary").click()
    box = page.locator("#table-leaderboard .columns > div").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= WIDTH
    assert page.evaluate("document.documentElement.scrollWidth") == WIDTH
    page.close()


def test_what_scores_rest_on_is_said_wherever_they_are_read(browser: Browser, tmp_path: Path) -> None:
    premise = "Many of the first 4 documents are not judged, and count as not relevant (c 50.0%, a 0.0%)."
    page = opened(browser, tmp_path, replace(content(), head=replace(content().head, premises=(premise,))))
    for place in ("", "#/system/a", "#/topic/q", "#/compare/a/b"):
        if place:
            go(page, place)
        expect(page.get_by_text(premise).filter(visible=True)).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollWidth") == WIDTH
    page.close()


def test_two_names_of_a_row_stand_below_each_other(browser: Browser, tmp_path: Path) -> None:
    rows = ["alpha-nDCG@20 · D#-nDCG@20", "alpha-nDCG@20 · nDCG@20"]
    form = {
        **{"form": "strips", "x": "bits", "rows": rows, "kinds": ["(nothing)"], "numbered": False},
        "marks": [(0, 0, 0.5), (1, 0, 0.25)],
    }
    page = opened(browser, tmp_path, content(Figure("tau", "Shared", "seen", "notes", form)))
    page.locator("#figure-tau svg").scroll_into_view_if_needed()
    texts = page.locator("#figure-tau svg text").all_text_contents()
    assert texts.count("alpha-nDCG@20") == 2
    assert {"D#-nDCG@20", "nDCG@20"} < set(texts)
    page.set_viewport_size({"width": 1280, "height": 844})
    expect(page.locator("#figure-tau svg text", has_text=rows[0])).to_have_count(1)
    page.close()


@pytest.mark.parametrize("width", [WIDTH, 1280])
@pytest.mark.parametrize("heights", [(0.8, 0.97, 0.98, 0.99), (0.5, 0.9, 0.93, 0.94)])
def test_what_a_line_is_called_is_written_beside_the_curves(
    browser: Browser, tmp_path: Path, heights: tuple[float, ...], width: int
) -> None:
    curves = [[name, list(zip((5, 20, 100, 500), heights, strict=True))] for name in ("AP", "RR")]
    form = {
        **{"form": "lines", "x": "topics", "y": "Phi", "series": curves, "step": False, "percent": False},
        "marks": [("y", 0.95, "target 0.95")],
    }
    page = opened(browser, tmp_path, content(Figure("phi", "Reliability", "seen", "notes", form)), width)
    page.locator("#figure-phi svg").scroll_into_view_if_needed()
    named = page.locator("#figure-phi svg text.quiet", has_text="target 0.95").bounding_box()
    assert named is not None
    inside = page.evaluate(
        """(box) => [...document.querySelectorAll("#figure-phi svg path.curve")].some((curve) => {
            const place = curve.getScreenCTM(), long = curve.getTotalLength();
            return Array.from({ length: 500 }, (_, at) => curve.getPointAtLength(long * at / 499))
                .map((point) => point.matrixTransform(place))
                .some(({ x, y }) => x > box.x && x < box.x + box.width && y > box.y + 2 && y < box.y + box.height - 2);
        })""",
        named,
    )
    assert not inside
    page.close()


def test_names_of_documents_that_differ_at_the_end_are_whole(browser: Browser, tmp_path: Path) -> None:
    documents = [f"clueweb09-en0009-17-{number}" for number in (27598, 27599, 27600)]
    retrieved = Retrieved((0, 1), [documents], [[1.0, None, 0.0]], [[[0, 1], [1, 2]]])
    page = opened(browser, tmp_path, replace(content(), retrieved=retrieved, without_scores=("nERR@10",)))
    go(page, "#/compare/a/b/q")
    shown = page.locator(".list .document")
    assert shown.count() == 4
    assert page.evaluate(
        "[...document.querySelectorAll('.list .document')].every((one) => one.scrollWidth <= one.clientWidth + 1"
        " || getComputedStyle(one).overflow === 'visible')"
    )
    assert page.evaluate("document.documentElement.scrollWidth") == WIDTH
    go(page, "#/system/a")
    expect(page.locator("#view")).to_contain_text("Scores on single topics by nERR@10 would make this page too large")
    page.close()


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_estimates_of_unjudged_documents_are_in_sight_without_scrolling_sideways(
    browser: Browser, tmp_path: Path
) -> None:
    made = cranfield.simulation.simulate_runs(n_systems=3, n_topics=12)
    runs = dict(zip(("jelinek-mercer", "dirichlet-1000", "dirichlet-100"), made.runs, strict=True))
    qrels = {topic: dict(list(labels.items())[::2]) for topic, labels in made.qrels.to_dict().items()}
    estimates = cranfield.estimate_holes(runs, qrels).evaluate("nDCG@10", draws=200)
    path = tmp_path / "page.html"
    cranfield.report(runs, qrels, "nDCG@10", holes=estimates).write(path)
    page = browser.new_page(offline=True, viewport={"width": WIDTH, "height": 844})
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    for table, last in (("holes-1", "holes"), ("hole-neighbours-1", "open")):
        rows = page.locator(f"#table-{table} .scroll")
        rows.scroll_into_view_if_needed()
        wide, room = rows.evaluate("(rows) => [rows.scrollWidth, rows.clientWidth]")
        assert wide == room, table
        box = rows.locator("thead th:visible").last.bounding_box()
        assert rows.locator("thead th:visible").last.text_content() == last
        assert box is not None
        assert box["x"] + box["width"] <= WIDTH
    written = page.locator("#table-holes-1 td[data-ends]").evaluate_all(
        "(cells) => cells.map((cell) => getComputedStyle(cell, '::after').content)"
    )
    table = estimates.table.loc["nDCG@10"].sort_values("estimate", ascending=False, kind="stable")
    assert written == [f'"{lower:.3f}–{upper:.3f}"' for lower, upper in table[["lower", "upper"]].to_numpy().tolist()]
    page.close()
