"""What a notebook shows of results and charts."""

from __future__ import annotations

from html.parser import HTMLParser

import pandas as pd
import pytest

import cranfield
from cranfield.reporting import Report
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


def test_a_comparison_leads_with_what_answers() -> None:
    text = cranfield.compare(result("scores")["AP"])._repr_html_()
    main = text[text.index("<caption>pairs") : text.index("</thead>")]
    heads = [head.split("<")[0] for head in main.split('<th scope="col">')[1:]]
    assert heads[:7] == ["system", "other", "difference", "low", "high", "p_adjusted", "significant"]
    assert "statistic" not in heads
    assert "more columns, to_frame(&#x27;pairs&#x27;): d_pair_low" in text.replace("&#39;", "&#x27;")


def test_no_p_is_shown_as_zero() -> None:
    scores = {f"q{topic}": {"a": 0.9 + topic % 3 * 0.01, "b": 0.1} for topic in range(30)}
    frame = cranfield.compare(pd.DataFrame(scores).T)
    assert frame.pairs["p"].max() < 5e-5
    assert "<td>&lt;.0001</td>" in frame._repr_html_()


def test_a_leaderboard_is_shown_best_first() -> None:
    runs, qrels = collection()
    page = _Page(score(runs, qrels, ["AP", "P@5"])._repr_html_())
    means = result("scores").mean("topic").to_pandas().sort_values("AP", ascending=False)
    assert page.cells[1::3] == [f"{value:.4f}" for value in means["AP"]]
    assert page.cells[2::3] == [f"{value:.4f}" for value in means["P@5"]]
    assert "8 systems, 8 topics" in page.words
    assert HOSTILE[0] in page.cells


def test_runs_and_judgments_show_their_first_lines() -> None:
    lines = {f"q{topic}": {f"<b>{document}": float(document) for document in range(8)} for topic in range(3)}
    page = _Page(cranfield.Run.from_dict(lines, name="mine")._repr_html_())
    assert page.words.startswith("Run('mine', 3 topics, 24 documents)topicdocumentscore")
    assert page.cells[:3] == ["q0", "<b>0", "0.0000"]
    assert page.cells[24:27] == ["q1", "<b>0", "0.0000"]
    assert page.words.endswith("12 more")
    page = _Page(cranfield.Qrels.from_dict({"q1": {"d1": 2, "d0": 0}})._repr_html_())
    assert page.cells == ["q1", "d0", "0", "q1", "d1", "2"]


def test_a_board_shows_systems_and_tasks() -> None:
    tasks = {f"<i>task{number}": number / 20 for number in range(15)}
    page = _Page(cranfield.boards.read_board({f"system{number:02}": tasks for number in range(14)})._repr_html_())
    assert "14 systems, 15 tasks" in page.words
    assert page.cells[:3] == ["system00", "0.0000", "0.0500"]
    assert page.words.endswith("2 more")


def test_a_measure_shows_its_parameters() -> None:
    page = _Page((cranfield.nDCG @ 10)._repr_html_())
    assert page.words.startswith("nDCG@10: Discounted cumulative gain")
    cells = dict(zip(page.cells[::3], page.cells[1::3], strict=True))
    assert (cells["dcg"], cells["cutoff"]) == ('"log2"', "10")
    assert not _Page(cranfield.NumQ._repr_html_()).cells


def test_a_page_is_shown_in_a_frame_that_may_only_run_its_scripts() -> None:
    page = Report('a "title"', '<p title="x">&amp;</p>', {"cranfield": "1"}, ())
    assert page._repr_html_() == (
        '<iframe title="a &quot;title&quot;" sandbox="allow-scripts" width="100%" height="640" style="border: 0" '
        'srcdoc="&lt;p title=&quot;x&quot;&gt;&amp;amp;&lt;/p&gt;"></iframe>'
    )


def test_scores_and_charts_show_themselves() -> None:
    assert "<script>alert" not in result("scores")._repr_html_()
    import altair as alt

    with alt.renderers.enable("svg"):  # which needs no network
        assert "<svg" in chart("error_rates")._repr_mimebundle_()["image/svg+xml"]
