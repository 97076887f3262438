"""The leaderboard in a real browser: it is no wider than its page, and shows intervals and groups on any screen."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page

import cranfield

SYSTEMS = 60
MEASURES = ["nDCG@10", "AP", "RR", "P@10", "R@1000", "P@5", "P@20", "nDCG@20", "Rprec", "bpref"]
WIDTHS = "(rows) => [rows.scrollWidth, rows.clientWidth]"


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Pages of five and of ten measures, with teams, types and long names, by the number of measures."""
    collection = cranfield.simulation.simulate_runs(n_systems=SYSTEMS, n_topics=25, depth=20, seed=5)
    names = [f"a-team-of-twelve.run-{number:03d}-with-a-long-name" for number in range(SYSTEMS)]
    runs = dict(zip(names, collection.runs, strict=True))
    # The longest name of a team is not among the first rows.
    entries = {name: {"team": f"team {'x' * (index // 4)}", "type": "feedback"} for index, name in enumerate(names)}
    folder = tmp_path_factory.mktemp("width")
    files = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cranfield.CranfieldWarning)
        scores = cranfield.evaluate(runs, collection.qrels, MEASURES)
        for count in (5, 10):
            files[count] = folder / f"{count}.html"
            cranfield.report_scores(scores, MEASURES[:count], entries=entries).write(files[count])
    return files


@pytest.fixture
def pages(browser: Browser) -> Iterator[list[Page]]:
    """Pages that are closed at the end."""
    opened: list[Page] = []
    yield opened
    for page in opened:
        page.close()


def open_board(browser: Browser, path: Path, width: int, pages: list[Page]) -> Locator:
    page = browser.new_page(offline=True, viewport={"width": width, "height": 900})
    pages.append(page)
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
    return page.locator("#table-leaderboard .scroll")


@pytest.mark.slow
@pytest.mark.parametrize("count", [5, 10])
def test_the_leaderboard_fits_a_screen(browser: Browser, paths: dict[int, Path], count: int, pages: list[Page]) -> None:
    board = open_board(browser, paths[count], 1280, pages)
    for _ in range(5):
        wide, room = board.evaluate(WIDTHS)
        assert wide <= room
        board.evaluate("(rows) => { rows.scrollTop = rows.scrollHeight; }")
        pages[0].wait_for_timeout(50)
    heads = board.locator("thead th:visible").all_text_contents()
    assert heads[:2] == ["compare", "rank"]
    assert "rank interval" not in heads, "the picture shows it"
    assert {"system", "nDCG@10", "group"} < set(heads)
    assert (
        board.locator("td.picture svg[aria-label*=' to ']").count() == 2 * board.locator("tbody tr:not(.rest)").count()
    )


@pytest.mark.slow
def test_columns_that_do_not_fit_can_be_chosen(browser: Browser, paths: dict[int, Path], pages: list[Page]) -> None:
    board = open_board(browser, paths[10], 1280, pages)
    assert not board.locator("thead th", has_text="bpref").is_visible()
    pages[0].locator("#table-leaderboard .columns summary").click()
    pages[0].locator("#table-leaderboard .columns label", has_text="bpref").click()
    assert board.locator("thead th", has_text="bpref").is_visible()


def test_intervals_are_in_sight_on_a_phone(browser: Browser, paths: dict[int, Path], pages: list[Page]) -> None:
    board = open_board(browser, paths[5], 390, pages)
    assert pages[0].evaluate("document.documentElement.scrollWidth") == 390
    written = "(cell) => [getComputedStyle(cell, '::after').content, cell.getBoundingClientRect().right]"
    first = board.locator("tbody tr").first
    ends = [first.locator("td[data-ends]").nth(index).evaluate(written) for index in (0, 1)]
    table = {head: index for index, head in enumerate(board.locator("thead th[data-column]").all_text_contents())}
    cells = first.locator("td[data-column]").all_text_contents()
    assert ends[0][0] == f'"{cells[table["best rank"]]}–{cells[table["worst rank"]]}"'
    low, high = (float(cells[table[end]]) for end in ("low", "high"))
    assert ends[1][0] == f'"{low:.3f}–{high:.3f}"'
    assert all(right <= 390 for _, right in ends), "without scrolling sideways"
    assert board.locator(".picture:visible").count() == 0
    group = first.locator(f"td[data-column='{table['group']}']").bounding_box()
    assert group is not None
    assert group["x"] + group["width"] <= 390


def test_rows_of_a_group_are_shaded_alike(browser: Browser, paths: dict[int, Path], pages: list[Page]) -> None:
    board = open_board(browser, paths[5], 1280, pages)
    heads = board.locator("thead th[data-column]").all_text_contents()
    rows = board.locator("tbody tr:not(.rest)")
    column = heads.index("group")
    groups = [int(text) for text in board.locator(f"td[data-column='{column}']").all_text_contents()]
    assert groups[0] == 1
    assert len(set(groups)) > 1
    assert rows.evaluate_all("(all) => all.map((row) => row.className === 'band')") == [
        group % 2 == 1 for group in groups
    ]
