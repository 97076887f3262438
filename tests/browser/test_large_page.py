"""Tables of many rows and heat maps of many cells in a real browser: drawn as they are needed, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import emulate, wait_until
from playwright.sync_api import Browser, Page
from pypdfium2 import PdfDocument

from cranfield.reporting import Content, Figure, PageColumn, Section, Table
from cranfield.reporting import render_page as html

ROWS = 500
SYSTEMS = 140
NAMES = tuple(f"system{number:03}" for number in range(SYSTEMS))
WIDE = 41
"""Topics of a map whose cells have gaps, and no whole number of pixels."""
TOPICS = tuple(str(number) for number in range(150))
VALUES = [[0.0, 1.0, None, *(0.5 for _ in TOPICS[3:])], [1.0 for _ in TOPICS]]
LOW, MIDDLE, HIGH = (237, 243, 250, 255), (104, 166, 207, 255), (8, 48, 107, 255)
"""Of the light colours, the first, the middle one and the last."""


def heat(name: str, topics: int) -> Figure:
    form = {"form": "heat", "systems": [0, 1], "topics": list(range(topics)), "measure": "AP", "smaller": False}
    return Figure(
        name, f"Scores of the {name} map", "Two systems.", "", form | {"values": [row[:topics] for row in VALUES]}
    )


@pytest.fixture(scope="module")
def opened(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    columns = (PageColumn("row", "whole"), PageColumn("value", "number"), PageColumn("word", "text"))
    rows = tuple((at, (at * 37 % ROWS) / ROWS, f"word {at}") for at in range(ROWS))
    joints = [[at / SYSTEMS, at - 1, (at - 1) / SYSTEMS, at, 0] for at in range(1, SYSTEMS)]
    joined = Figure(
        "tall",
        "A tall tree",
        "Joined.",
        "",
        {"form": "tree", "x": "bits", "leaves": [*range(SYSTEMS)], "joints": joints},
    )
    long = [f"a long name of a measure {at}" for at in range(5)]
    agreement = {"form": "matrix", "names": long, "values": [[0.5] * 5] * 5}
    sections = (
        Section("many", "Many", tables=(Table("many", "Many rows", columns, rows),)),
        Section("maps", "Maps", figures=(heat("wide", WIDE), heat("narrow", len(TOPICS)))),
        Section("trees", "Trees", figures=(joined, Figure("square", "A square", "Equal.", "", agreement))),
    )
    scores: list[list[list[float | None]]] = [[[0.5] * len(TOPICS)] * SYSTEMS]
    path = Path(tmp_path_factory.mktemp("large")) / "page.html"
    path.write_text(html(Content("Large", sections, NAMES, TOPICS, ("AP",), scores, {})), encoding="utf-8")
    page = browser.new_page(offline=True, viewport={"width": 1280, "height": 900}, color_scheme="light")
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    yield page
    page.close()


def numbers(page: Page) -> list[str]:
    return page.locator("#table-many tbody td[data-column='0']").all_text_contents()


def search(page: Page, text: str) -> None:
    page.get_by_label("Filter Many rows").fill(text)
    page.wait_for_timeout(50)


def test_rows_come_as_they_are_scrolled_to_in_their_order(opened: Page) -> None:
    begun = numbers(opened)
    assert begun == [str(at) for at in range(40)]
    scroller = opened.locator("#table-many .scroll")
    height = scroller.evaluate("one => one.scrollHeight")
    scroller.evaluate("one => { one.scrollTop = one.scrollHeight / 2; }")
    wait_until(opened, "document.querySelectorAll('#table-many tbody td[data-column]').length > 3 * 260")
    assert len(numbers(opened)) < ROWS
    scroller.evaluate("one => { one.scrollTop = one.scrollHeight; }")
    wait_until(opened, "!document.querySelector('#table-many tr.rest')")
    assert numbers(opened) == [str(at) for at in range(ROWS)]
    assert scroller.evaluate("one => one.scrollHeight") == pytest.approx(height, rel=0.05)
    opened.locator("#table-many thead button", has_text="row").click()
    assert numbers(opened) == [str(at) for at in range(40)]
    assert scroller.evaluate("one => one.scrollTop") == 0, "the first rows of the new order are the ones in sight"


def test_sorting_and_filtering_look_at_all_rows(opened: Page) -> None:
    button = opened.locator("#table-many thead button", has_text="value")
    button.click()
    assert numbers(opened)[0] == str(next(at for at in range(ROWS) if at * 37 % ROWS == ROWS - 1))
    opened.locator("#table-many thead button", has_text="row").click()
    search(opened, "word 499")
    assert numbers(opened) == ["499"]
    assert opened.locator("#table-many tr.rest").count() == 0
    search(opened, "")
    assert len(numbers(opened)) < ROWS


@pytest.mark.parametrize("asked", ["print", "search"])
def test_all_rows_are_printed_and_found(opened: Page, asked: str) -> None:
    search(opened, "word")
    assert len(numbers(opened)) < ROWS
    if asked == "print":
        emulate(opened, media="print")
        emulate(opened, media="screen")
    else:
        opened.locator("#table-many .scroll").press("Control+f")
    assert len(numbers(opened)) == ROWS
    search(opened, "")


def test_what_scrolls_can_be_focused(opened: Page) -> None:
    scrollers = opened.evaluate(
        "[...document.querySelectorAll('figure *, .scroll')].filter((one) => "
        "['auto', 'scroll'].includes(getComputedStyle(one).overflowX)).map((one) => [one.className, one.tabIndex])"
    )
    assert ["grid-of", 0] in scrollers
    assert all(index == 0 for _, index in scrollers)
    assert opened.locator("[role=img] [tabindex]").count() == 0, "what is focused lies in no image"


def test_a_heat_map_is_printed_with_the_title_of_its_figure(opened: Page) -> None:
    paper = PdfDocument(opened.pdf(format="A4", width="210mm", height="297mm"))
    texts = [page.get_textpage().get_text_range() for page in paper]
    for name in ("wide", "narrow"):
        (at,) = [number for number, text in enumerate(texts) if f"Scores of the {name} map" in text]
        picture = paper[at].render(scale=1).to_pil().convert("RGB")
        assert {LOW[:3], HIGH[:3]} <= {colour for _, colour in picture.getcolors(1 << 20) or ()}


@pytest.mark.parametrize(("name", "gap"), [("wide", True), ("narrow", False)])
def test_each_cell_has_the_colour_of_its_value(opened: Page, name: str, gap: bool) -> None:
    canvas = opened.locator(f"#figure-{name} canvas")
    topics = WIDE if gap else len(TOPICS)

    def colour(row: int, column: int, across: float = 0.5) -> tuple[int, ...]:
        place = "(one, at) => [...one.getContext('2d').getImageData(one.width * at[1], one.height * at[0], 1, 1).data]"
        return tuple(canvas.evaluate(place, [(row + 0.5) / 2, (column + across) / topics]))

    assert (colour(0, 0), colour(0, 1), colour(1, 0)) == (LOW, HIGH, HIGH)
    assert colour(0, 2) == (0, 0, 0, 0)
    assert colour(0, 3) == MIDDLE
    assert (colour(1, 4, 0.99)[3] < 255) is gap


def test_a_tall_tree_is_printed_on_several_sheets_with_every_name(opened: Page) -> None:
    trees = opened.locator("#figure-tall .place > svg")
    assert trees.count() == 1
    paper = PdfDocument(opened.pdf(format="A4"))
    texts = [page.get_textpage().get_text_range() for page in paper]
    sheets = [text for text in texts if "bits" in text and "system" in text]
    assert len(sheets) == 3
    assert {name for text in sheets for name in text.split() if name in NAMES} == set(NAMES)
    assert trees.count() == 1, "on the screen it is one again"


def test_charts_are_as_wide_as_paper_while_it_is_printed(opened: Page) -> None:
    def widths() -> list[float]:
        return opened.locator(".place svg").evaluate_all("(all) => all.map((one) => Number(one.getAttribute('width')))")

    before = widths()
    emulate(opened, media="print")
    assert max(widths()) <= 670 < max(before)
    emulate(opened, media="screen")
    assert widths() == before


@pytest.mark.parametrize("width", [390, 1280])
def test_turned_names_end_inside_their_figure(opened: Page, width: int) -> None:
    opened.set_viewport_size({"width": width, "height": 900})
    wait_until(opened, f"document.querySelector('#figure-square svg').getBoundingClientRect().right < {width}")
    opened.wait_for_timeout(300)
    ends = "(all) => Math.max(...all.map((one) => one.getBoundingClientRect().right))"
    frame = opened.locator("#figure-square .canvas").evaluate("(one) => one.getBoundingClientRect().right")
    assert opened.locator("#figure-square text").evaluate_all(ends) <= frame
    opened.set_viewport_size({"width": 1280, "height": 900})
