"""What a notebook shows of results and charts."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

import cranfield
from cranfield.scoring import score
from figures import HOSTILE, RESULTS, chart, collection, result

SHOWN = sorted(set(RESULTS) - {"scores", "reliability", "stability"})
TAGS = {"div", "b", "p", "table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary", "pre"}


class _Page(HTMLParser):
    """Elements, cells and whether every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.words = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        assert attrs in ([], [("scope", "col")])
        self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data
        if self.open and self.open[-1] == "td":
            self.cells[-1] += data


@pytest.mark.parametrize("name", SHOWN)
def test_results_are_shown_and_names_do_no_harm(name: str) -> None:
    found = result(name)
    text = found._repr_html_()
    page = _Page(text)
    assert not page.open
    assert type(found).__name__ in page.words
    assert "\u202e" not in text
    assert "x" * 300 not in text


@pytest.mark.parametrize("name", ["reliability", "stability"])
def test_tables_hold_the_numbers(name: str) -> None:
    found = result(name)[0]
    page = _Page(found._repr_html_())
    table = found.curve if name == "reliability" else found.rates
    for value in table.iloc[0, :2]:
        assert f"{value:.4f}" in page.cells
    assert found.measure in page.words


def test_pairs_are_shown_in_part() -> None:
    found = cranfield.compare(result("scores")["AP"])
    page = _Page(found._repr_html_())
    assert f"{len(found.pairs) - 12} more" in page.words
    assert f"{found.pairs['difference'].iloc[0]:.4f}" in page.cells


def test_a_leaderboard_is_shown_best_first() -> None:
    runs, qrels = collection()
    page = _Page(score(runs, qrels, ["AP", "P@5"])._repr_html_())
    means = result("scores").mean("topic").to_pandas().sort_values("AP", ascending=False)
    assert page.cells[1::3] == [f"{value:.4f}" for value in means["AP"]]
    assert page.cells[2::3] == [f"{value:.4f}" for value in means["P@5"]]
    assert "8 systems, 8 topics" in page.words
    assert HOSTILE[0] in page.cells


def test_scores_and_charts_show_themselves() -> None:
    assert "<script>alert" not in result("scores")._repr_html_()
    import altair as alt

    with alt.renderers.enable("svg"):  # which needs no network
        assert "<svg" in chart("error_rates")._repr_mimebundle_()["image/svg+xml"]
