"""A chart's own page in a real browser: it draws under a policy that runs and styles nothing but what is in it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser

import cranfield
from cranfield import plot

NAMES = ("<script>document.title='owned'</script>", "two", "three", "four")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Addresses of charts of each make: one layer, several, several panels, and with what can be chosen."""
    made = cranfield.simulation.simulate_runs(n_systems=len(NAMES), n_topics=8, depth=20, seed=3)
    runs = dict(zip(NAMES, made.runs, strict=True))
    scores = cranfield.evaluate(runs, made.qrels, ["nDCG@10", "AP", "P@10"])
    charts = {
        "heat_map": plot.heat_map(scores["AP"]),
        "agreement_matrix": plot.agreement_matrix(cranfield.compare_rankings(scores)),
        "score_boxes": plot.score_boxes({"raw": scores["AP"], "E": cranfield.standardize(scores["AP"])}),
        "topic_difficulty": plot.topic_difficulty(cranfield.estimate_difficulty(runs, made.qrels, 10)),
    }
    folder = tmp_path_factory.mktemp("charts")
    for name, chart in charts.items():
        plot.save(chart, folder / f"{name}.html")
    return {name: (folder / f"{name}.html").as_uri() for name in charts}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["heat_map", "agreement_matrix", "score_boxes", "topic_difficulty"])
def test_it_draws_and_tells_under_its_policy(name: str, browser: Browser, pages: dict[str, str]) -> None:
    context = browser.new_context(offline=True, viewport={"width": 900, "height": 800})
    page = context.new_page()
    noise: list[str] = []
    page.on("console", lambda message: noise.append(message.text))
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.on("request", lambda request: request.url.startswith("file:") or noise.append(request.url))
    page.goto(pages[name])
    page.wait_for_selector("#chart svg path", state="attached")
    title = page.title()
    marks = page.locator("#chart svg .mark-rect path, #chart svg .mark-rule line")
    assert marks.count() > 4
    if name == "heat_map":
        marks.nth(3).hover()
        page.wait_for_selector("#tip:not([hidden])")
        told = page.locator("#tip").text_content() or ""
        assert "system" in told
        assert "topic" in told
        marks.nth(3).click()
    assert page.title() == title
    context.close()
    assert noise == []


@pytest.mark.slow
def test_what_is_put_in_does_not_run(browser: Browser, pages: dict[str, str], tmp_path: Path) -> None:
    whole = Path(unquote(urlsplit(pages["heat_map"]).path)).read_text(encoding="utf-8")
    marred = tmp_path / "marred.html"
    injected = "<script>document.title = 'owned'</script><img src=x onerror=\"document.title = 'owned'\">"
    before, end, after = whole.rpartition("</body>")
    marred.write_text(f"{before}{injected}{end}{after}", encoding="utf-8")
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(marred.as_uri())
    page.wait_for_selector("#chart svg path", state="attached")
    assert page.title() != "owned"
    assert any("Content Security Policy" in line for line in refused)
    page.close()
