"""The search of the site: what stands below a result, and which results come first."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

SCRIPT = Path(__file__).parents[2] / "docs" / "site" / "static" / "search.js"
THEME = "var Scorer = {objNameMatch: 11, objPrio: {1: 5}}; const Search = {makeSearchSummary: () => null};"
"""What the script completes. Where a result has no words of its own, the theme's summary is none, which fails."""
MEASURE = (
    '<section><span id="index-7"></span><h2>nDCG<a class="headerlink">¶</a></h2><p><code>nDCG()</code></p>'
    "<p>Discounted gain.</p></section>"
)


def test_results_have_words_and_pages_for_readers_come_first(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<svg><title>Menu</title></svg>")
    page.add_script_tag(content=THEME)
    page.add_script_tag(path=str(SCRIPT))
    page.evaluate("document.dispatchEvent(new Event('DOMContentLoaded'))")
    says = "([html, anchor]) => Search.makeSearchSummary(html, [], anchor).textContent"
    assert page.evaluate(says, [MEASURE, "#index-7"]) == "nDCG: Discounted gain."
    assert page.evaluate(says, [MEASURE, ""]) == ""
    assert page.locator("svg title").get_attribute("class") == "nohighlight", "marks words only where they are seen"
    found = [
        *(["questions/which-test", 5, "text"], ["check", 5, "text"], ["api/charts", 16, "object"]),
        *(["api/charts", 11, "object"], ["reproductions/urbano_2019/README", 5, "text"]),
    ]
    weigh = "(all) => all.map(([page, score, kind]) => Scorer.score([page, '', '', null, score, '', kind]))"
    assert page.evaluate(weigh, found) == [9, 5, 16, 3, -7]
    page.close()
