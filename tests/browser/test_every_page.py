"""Every kind of page that the package writes, in a real browser: all of it is drawn, and the console is silent."""

from __future__ import annotations

import json
import re
import subprocess
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from chromium import go, place_of
from playwright.sync_api import Browser, ConsoleMessage, Page

import cranfield
from cranfield import plot
from cranfield.reporting import Content, Figure, RunsRequest, Section, make_sheets
from cranfield.reporting import render_page as html
from figures import CHARTS, chart
from reading_pages import data_of

NAMES = ("a", "b/c", "d 100%", "é")
GROUPS = {str(topic): "odd" if topic % 2 else "even" for topic in range(1, 9)}
ENTRIES = {name: {"team": "ours" if at < 2 else "theirs", "type": "manual"} for at, name in enumerate(NAMES)}


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """A report of each kind, as HTML."""
    made = cranfield.simulation.simulate_runs(n_systems=len(NAMES), n_topics=8, depth=20, seed=3)
    runs = dict(zip(NAMES, made.runs, strict=True))
    scores = cranfield.evaluate(runs, made.qrels, ["nDCG@10", "AP", "P@10"])
    gaps = scores.copy(deep=True)
    gaps["AP"][0, 0] = float("nan")
    one = scores.isel(system=[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cranfield.CranfieldWarning)
        return {
            "runs": cranfield.report(runs, made.qrels, entries=ENTRIES).html,
            "groups": cranfield.report(runs, made.qrels, topic_groups=GROUPS).html,
            "sheet": cranfield.report(runs, made.qrels, entries=ENTRIES, participant="ours").html,
            "scores": cranfield.report_scores(scores, baseline=["a"]).html,
            "scores by groups": cranfield.report_scores(scores, topic_groups=GROUPS).html,
            "scores with gaps": cranfield.report_scores(gaps, ["AP"]).html,
            "scores of one system": cranfield.report_scores(one).html,
            "scores on two topics": cranfield.report_scores(scores.isel(topic=slice(0, 2))).html,
            "sheet of scores": cranfield.report_scores(scores, entries=ENTRIES, participant="theirs").html,
        }


KINDS = (
    "runs", "groups", "sheet", "scores", "scores by groups", "scores with gaps", "scores of one system",
    "scores on two topics", "sheet of scores",
)  # fmt: skip


@contextmanager
def opened(browser: Browser, path: Path, width: int = 1280) -> Iterator[Page]:
    """A file in the browser, without a network; any message, error or request for something else fails the test."""
    context = browser.new_context(offline=True, viewport={"width": width, "height": 900})
    page = context.new_page()
    noise: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        noise.append(message.text)

    page.on("console", heard)
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.on("request", lambda asked: asked.url.startswith(("file:", "data:", "blob:")) or noise.append(asked.url))
    page.goto(path.as_uri())
    yield page
    context.close()
    assert noise == []


def count_drawn(page: Page, data: dict[str, Any]) -> None:
    """Every chart and every table of the data is on the page, with something in it."""
    figures = [figure["id"] for section in data["sections"] for figure in section["figures"]]
    assert page.locator("#main figure[data-drawn=yes]").count() == page.locator("#main figure").count() == len(figures)
    for name in figures:
        assert page.locator(f"#figure-{name} .place :is(svg, canvas)").count() > 0, name
    for section in data["sections"]:
        for table in section["tables"]:
            if not table.get("group"):
                rows = page.locator(f"#table-{table['id']} tbody tr:not(.rest)")
                assert rows.count() == min(40, len(table["rows"])), table["id"]
    assert page.locator(".missing", has_text="could not be drawn").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("kind", KINDS)
def test_a_report_is_drawn_and_says_nothing(
    kind: str, width: int, browser: Browser, pages: dict[str, str], tmp_path: Path
) -> None:
    data = data_of(pages[kind])
    (tmp_path / "page.html").write_text(pages[kind], encoding="utf-8")
    with opened(browser, tmp_path / "page.html", width) as page:
        page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        count_drawn(page, data)
        if "sheet" in kind:
            assert page.locator("#main figure").count() == 2, "a chart for each run of the team"
            assert page.locator("#table-topics-1 tbody tr").count() == 8
        groups = page.get_by_label("Group of topics")
        for group in ("odd", "even") if groups.count() else ():
            groups.select_option(group)
            assert page.locator("#leaderboard tbody tr").count() == len(NAMES)
        assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in KINDS if "sheet" not in kind])
def test_each_page_in_a_report_is_drawn(kind: str, browser: Browser, pages: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(pages[kind], encoding="utf-8")
    data = data_of(pages[kind])
    systems, topics = ([name[0] for name in data[what]] for what in ("systems", "topics"))
    places = [place_of("system", name) for name in systems] + [place_of("topic", name) for name in topics]
    if len(systems) > 1:
        places += [place_of("compare", *systems[:2]), place_of("compare", systems[1], systems[0], topics[0])]
    with opened(browser, tmp_path / "page.html") as page:
        page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        for place in places:
            go(page, place)
            assert page.locator("#view .missing").count() == 0, place
            figures = 2 if "/compare/" in place else 1
            assert page.locator("#view figure[data-drawn=yes]").count() == figures, place
            assert page.locator("#view tbody tr").count() > 0, place


def test_every_sheet_of_a_call_is_drawn(browser: Browser, tmp_path: Path) -> None:
    made = cranfield.simulation.simulate_runs(n_systems=len(NAMES), n_topics=8, depth=20, seed=3)
    runs = dict(zip(NAMES, made.runs, strict=True))
    request = RunsRequest(made.qrels, runs, options={"entries": ENTRIES, "title": "A task"})
    for team, sheet in make_sheets(request).items():
        sheet.write(tmp_path / f"{team}.html")
        with opened(browser, tmp_path / f"{team}.html") as page:
            page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
            count_drawn(page, data_of(sheet.html))
            assert page.locator("h1").first.text_content() == f"{team}: A task"
            assert page.locator("#main figure").count() == 2
    assert len(list(tmp_path.iterdir())) == 2


def test_a_sheet_has_no_pages_of_topics_and_says_so(browser: Browser, pages: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(pages["sheet"], encoding="utf-8")
    with opened(browser, tmp_path / "page.html") as page:
        page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        go(page, "#/topic/1")
        assert page.locator("#view .missing").text_content() == "This page has nothing at the address #/topic/1."


def test_a_chart_that_fails_takes_no_other_down(browser: Browser, tmp_path: Path) -> None:
    def bars(name: str, **form: Any) -> Figure:
        whole = {"form": "matrix", "names": ["x", "y"], "values": [[1, 0.5], [0.5, 1]]}
        return Figure(name, f"The {name} one", "seen", "", whole | form)

    broken = (bars("first"), bars("second", values=None), bars("third", form="nothing"), bars("fourth"))
    content = Content("Broken", (Section("charts", "Charts", figures=broken),), (), (), (), [], {})
    (tmp_path / "page.html").write_text(html(content), encoding="utf-8")
    page = browser.new_page(offline=True)
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.type))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    assert page.locator("figure[data-drawn=yes] svg").count() == 2
    said = page.locator("figure[data-drawn=no] .missing").all_text_contents()
    assert said == ["This figure could not be drawn; the console of the browser has the error."] * 2
    assert errors == ["error", "error"]
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_of_its_own_is_drawn(name: str, browser: Browser, tmp_path: Path) -> None:
    plot.save(chart(name), tmp_path / "chart.html")
    with opened(browser, tmp_path / "chart.html") as page:
        page.wait_for_selector("#chart svg path", state="attached")
        assert page.locator("#chart svg :is(path, line, rect, circle, text)").count() > 10
        assert re.search(r"\bmark-\w+", json.dumps(page.locator("#chart svg").inner_html()))


@pytest.mark.heavy
def test_every_page_of_the_site_is_silent(browser: Browser) -> None:
    root = Path(__file__).resolve().parents[2]
    python = root / ".venv" / "docs" / "bin" / "python"
    if not python.exists():
        pytest.skip("make docs installs what builds the site")
    built = subprocess.run(
        [python, root / "docs" / "site" / "build.py"], capture_output=True, text=True, check=False, cwd=root
    )
    assert built.returncode == 0, built.stderr
    found = sorted((root / "site").rglob("*.html"))
    assert len(found) > 100
    for path in found:
        with opened(browser, path) as page:
            assert page.locator("body *").count() > 10, path
    with opened(browser, root / "site" / "index.html") as page:
        assert page.locator("article h1, main h1").count() == 1
