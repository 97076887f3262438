"""The documentation site: what it holds, what is wrong with it, and the notebook. ``make docs`` builds it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import cranfield
import cranfield.plot

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "docs" / "site"


@pytest.fixture(autouse=True)
def site_modules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(SITE))
    yield
    for module in SITE.glob("*.py"):
        sys.modules.pop(module.stem, None)


def test_every_page_is_gathered_and_every_link_in_it_has_a_target(tmp_path: Path) -> None:
    import gather

    gather.gather(tmp_path / "sources")
    gathered = {path.relative_to(tmp_path / "sources").as_posix() for path in (tmp_path / "sources").rglob("*.md")}
    pages = {path.relative_to(ROOT / "docs").with_suffix(".md").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert pages <= gathered
    assert {"reproductions/README.md", "notebooks/tour.md", "measure-reference.md", "measure-properties.md"} <= gathered
    assert (tmp_path / "sources" / "tests" / "laws" / "counterexamples.json").is_file(), "what is linked comes along"


def test_pages_of_lists_end_with_their_tables(tmp_path: Path) -> None:
    import gather
    from cranfield.findings import REFUSALS, TABLE
    from cranfield.io.formats import all_formats
    from cranfield.measures import registry

    gather.gather(tmp_path)
    lists = {"measures-table.md": registry, "check.md": (*TABLE, *REFUSALS), "formats.md": all_formats()}
    for page, names in lists.items():
        written = (ROOT / "docs" / page).read_text()
        table = (tmp_path / page).read_text().removeprefix(written)
        assert all(f"\n| `{name}" in table for name in names)


def test_each_heading_that_the_style_names_is_written() -> None:
    written = "\n".join(path.read_text() for path in (*(ROOT / "docs").glob("*.md"), *SITE.glob("*.py")))
    headings = {
        found.lower().replace(" ", "-") for found in re.findall(r"(?:^|[\"n])#+ ([A-Z][\w ]+)", written, re.MULTILINE)
    }
    named = set(re.findall(r"^\s*#([a-z-]+)", (SITE / "static" / "site.css").read_text(), re.MULTILINE))
    assert named
    assert named <= headings


def test_every_link_of_the_readme_has_a_target(tmp_path: Path) -> None:
    import gather

    page = ROOT / "README.md"
    assert "](how-to/shared-task.md)" in gather._relinked(page.read_text(), page, tmp_path, frozenset(gather._pages()))


def test_the_picture_of_a_report_fits_a_page() -> None:
    from PIL import Image

    import picture

    with Image.open(picture.PICTURE) as taken:
        assert taken.size == (picture.WIDTH, picture.HEIGHT)
    assert picture.PICTURE.stat().st_size < 150_000


def test_a_link_to_nothing_is_named_with_page_and_line() -> None:
    import gather

    page = ROOT / "docs" / "trust.md"
    with pytest.raises(gather.BrokenLinkError, match=r"^docs/trust\.md:3: there is no \.\./nowhere\.md$"):
        gather._relinked("a\n\n[b](../nowhere.md)", page, ROOT, frozenset())
    fenced = "```\n[b](../nowhere.md)\n```"
    assert gather._relinked(fenced, page, ROOT, frozenset()) == fenced
    assert gather._relinked("```\n>>> 1\n1\n\n```\n", page, ROOT, frozenset()) == "```\n>>> 1\n1\n```\n"


def test_links_between_pages_are_moved_with_them() -> None:
    import gather

    page, other = ROOT / "docs" / "trust.md", ROOT / "reproductions" / "README.md"
    assert gather._relinked("[x](../reproductions/README.md#a)", page, ROOT, frozenset({other})) == (
        "[x](reproductions/README.md#a)"
    )
    assert gather._relinked("[x\ny](../reproductions/README.md)", page, ROOT, frozenset({other})) == (
        "[x\ny](reproductions/README.md)"
    )
    assert gather._relinked("[x](../docs/trust.md)", other, ROOT, frozenset({page})) == "[x](../trust.md)"


def test_a_page_that_the_navigation_forgot_stands_below_more(monkeypatch: pytest.MonkeyPatch) -> None:
    import gather
    import navigation

    monkeypatch.setitem(navigation.SECTIONS, "Data", ("docs/check.md", "docs/scores.md"))
    assert "docs/strangers-files.md" in gather.sections()[navigation.OTHERS]


def test_figures_lead_to_their_pages(tmp_path: Path) -> None:
    from gallery import gallery

    page, below = tmp_path / "README.md", tmp_path / "paper" / "README.md"
    below.parent.mkdir()
    below.write_text("# The paper\n\ntext\n")
    assert gallery(page) == ""
    (below.parent / "figure_1.svg").write_text("<svg/>")
    (below.parent / "figure_2.svg").write_text("""<svg><g aria-label="Title text 'Ease &amp; [AP]'"/></svg>""")
    assert gallery(page) == (
        "\n## Figures\n\n### The paper\n\n[![Figure 1](paper/figure_1.svg)](paper/README.md)\n"
        "[![Figure 2: Ease & (AP)](paper/figure_2.svg)](paper/README.md)\n"
    )


def test_every_public_name_has_a_chapter() -> None:
    import api

    assert {api.chapter_of(home) for home in api.public_names().values()} == set(api.CHAPTERS)
    with pytest.raises(LookupError, match=r"^no chapter of docs/site/api\.py holds elsewhere, which has public names$"):
        api.chapter_of("elsewhere")


def test_every_public_name_is_on_one_page_and_its_old_anchor_leads_there() -> None:
    import api

    pages = api.api_pages()
    contents = pages.pop("api.rst")
    for name, home in api.public_names().items():
        (place,) = (place for place, text in pages.items() if re.search(rf"auto\w+:: {re.escape(name)}$", text, re.M))
        assert place == f"{api.place_of(api.chapter_of(home))}.rst"
        assert f"<li id='{name}'><a href='{place.removesuffix('.rst')}.html#{name}'>" in contents
    assert contents.count("<li id='cranfield.plot.") == len(api._members(cranfield.plot))
    for place in pages:
        assert f"   {place.removesuffix('.rst')}\n" in contents, "each page is in the navigation"


def test_every_chart_is_drawn_on_its_page() -> None:
    import charts

    assert {*charts.NAMES} == {*cranfield.plot.__all__} - {"by_group", "darken", "label", "save"}
    added = charts.pictures(charts.PAGE)
    for name in charts.NAMES:
        assert re.search(rf"^!\[[^\]]+\]\(charts/{name}\.svg\)$", added, re.M), name
        assert f"`{name}`" in charts.PAGE.read_text(), name
    assert charts.pictures(ROOT / "docs" / "trust.md") == ""


def test_charts_are_dark_on_dark_pages(tmp_path: Path) -> None:
    import charts
    import dark

    made = cranfield.simulation.simulate_runs(n_systems=3, n_topics=4, depth=10)
    of = charts.figures.Figures({run.name: run for run in made.runs}, made.qrels.to_dict())
    (tmp_path / "_images").mkdir()
    light, expected = tmp_path / "_images" / "x.svg", tmp_path / "expected.svg"
    cranfield.plot.save(of.chart("mean_intervals"), light)
    cranfield.plot.save(of.chart("mean_intervals"), expected, theme="dark")
    page = tmp_path / "page.html"
    page.write_text('<p><img alt="a" src="_images/x.svg" /></p><img class="w" src="_images/x.svg"><img src="y.png">')
    assert dark.complete(tmp_path) == 1
    assert (tmp_path / "_images" / "x-dark.svg").read_text() == expected.read_text()
    assert page.read_text() == (
        '<p><img class="only-light" alt="a" src="_images/x.svg" />'
        '<img class="only-dark" alt="a" src="_images/x-dark.svg" /></p>'
        '<img class="only-light w" src="_images/x.svg" /><img class="only-dark w" src="_images/x-dark.svg" />'
        '<img src="y.png">'
    )
    assert dark.darkened('<rect fill="white"/><text>white</text>') == '<rect fill="#14181e"/><text>white</text>'
    written = '<rect fill="#00204c" aria-label="a > b"/><text aria-label="a > b" fill="white">.64</text>'
    assert dark.darkened(written) == written, "a number on a dark cell"


def test_every_measure_is_in_the_reference() -> None:
    from cranfield.measures import registry
    from measures import measure_page

    page = measure_page()
    assert page.count("\n## ") == len(registry)
    assert page.count("\nReference: ") == len(registry)
    assert "IDCG@k is the DCG@k of all judged documents" in page
    assert '| `denominator` | `"R"` |' in page


def test_a_measure_is_found_by_its_names_and_its_usual_cutoffs() -> None:
    from cranfield.measures import registry
    from measures import looked_for, measure_page

    assert {"nDCG", "nDCG@10", "nDCG@1000", "ndcg", "ndcg_cut_10"} <= set(looked_for(registry["nDCG"]))
    assert {"P@10", "Precision", "P_10"} <= set(looked_for(registry["P"]))
    names = [name for known in registry.values() for name in looked_for(known)]
    assert len(names) == len(set(names)), "one name leads to one measure"
    assert not [name for name in names if ";" in name or name.startswith("!")], "marks of the index"
    entries, heading = measure_page().split("\n## nDCG\n")[0].rsplit(".. index::\n", 1)[1].split("\n```")
    assert "   ! single: nDCG@10" in entries.splitlines()
    assert not heading.strip(), "the entry leads to the heading"


def test_docstrings_keep_their_formulas_and_lose_no_mark() -> None:
    from docstrings import plain_to_rst

    lines = [
        "Ease |S| of a_ and ``b*`` by P@5 at tcp://c.",
        "",
        "    f = a * b",
        "",
        "Args:",
        "    x: a | b.",
        "",
        "Source:",
        "    y.",
    ]
    plain_to_rst(None, "", "", None, None, lines)
    assert lines == [
        *(r"Ease \|S\| of a\_ and ``b*`` by P\@5 at tcp\://c.", "", "::", "", "    f = a * b", ""),
        *("Args:", r"    x: a \| b.", "", "References:", "    y."),
    ]


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ('<a href="gone.html">', "a.html: there is no gone.html"),
        ('<a href="a.html#gone">', "a.html: there is no anchor a.html#gone"),
        ('<script src="https://x.org/s.js">', "a.html: loads https://x.org/s.js"),
        ('<link rel="stylesheet" href="//x.org/s.css">', "a.html: loads //x.org/s.css"),
        ('<a href="mailto:nDCG&#37;&#52;&#48;10">', "a.html: takes nDCG@10 for an address"),
        ('<a href="tcp://host:8786">', "a.html: takes tcp://host:8786 for an address"),
    ],
)
def test_what_is_wrong_with_a_built_page_is_said(tmp_path: Path, html: str, problem: str) -> None:
    from inspection import problems

    (tmp_path / "a.html").write_text(f'<p id="here"></p><a href="#here"></a><a href="https://x.org"></a>{html}')
    assert list(problems(tmp_path)) == [problem]


def test_what_scrolls_is_reachable_by_keys(tmp_path: Path) -> None:
    from accessibility import complete

    (tmp_path / "a.html").write_text(
        '<p class="caption" role="heading">a</p><pre>b</pre><div id="search-results"></div>'
    )
    complete(tmp_path)
    assert (tmp_path / "a.html").read_text() == (
        '<p class="caption" role="heading" aria-level="2">a</p><pre tabindex="0">b</pre>'
        '<h1>Search</h1><div id="search-results"></div>'
    )


def test_a_signature_is_no_list_of_definitions_and_an_empty_cell_no_head(tmp_path: Path) -> None:
    from accessibility import complete

    (tmp_path / "a.html").write_text(
        "<dt>f(<dl>\n<dd>a</dd>\n<dd>b</dd>\n</dl>\n)</dt><dl><dt>word</dt><dd>meaning</dd></dl>"
        '<th class="head"><p></p></th><th>c</th>'
    )
    complete(tmp_path)
    assert (tmp_path / "a.html").read_text() == (
        '<dt>f(<span class="parameter">a</span>\n<span class="parameter">b</span>\n\n)</dt>'
        '<dl><dt>word</dt><dd>meaning</dd></dl><td class="head"></td><th>c</th>'
    )


def test_a_stylesheet_that_loads_from_elsewhere_is_said(tmp_path: Path) -> None:
    from inspection import problems

    (tmp_path / "a.css").write_text("p { background: url(https://x.org/a.png) }")
    assert list(problems(tmp_path)) == ["a.css: loads something from elsewhere"]


@pytest.mark.slow
def test_the_notebook_runs_and_prints_what_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    import nbformat

    from execute import executed

    path = ROOT / "docs" / "notebooks" / "tour.ipynb"
    kept, fresh = nbformat.read(path, as_version=4), executed(path)
    assert len(kept.cells) > 10
    for before, after in zip(kept.cells, fresh.cells, strict=True):
        assert before.get("outputs") == after.get("outputs"), "make stub executes it anew"
        if before.cell_type == "code":
            assert before.outputs


def test_every_command_and_option_is_in_the_reference() -> None:
    import click

    from commands import INDEX, command_pages, commands_below
    from cranfield.cli import COMMANDS, app

    pages = command_pages()
    index = pages.pop(INDEX)
    assert [*pages] == [f"commands/{name}.md" for name in app.commands]
    assert set(COMMANDS) <= set(re.findall(r"^\| \[(.+?)\]", index.replace("\\", ""), re.MULTILINE))
    for name in app.commands:
        page = pages[f"commands/{name}.md"]
        titles = re.findall(r"^#+ cranfield (.+)$", page.replace("\\", ""), re.MULTILINE)
        assert titles == [path for path, _ in commands_below(app.commands[name], name)]
        assert all(f"# cranfield {path}\n" in page.replace("\\", "") for path in titles)
        for path, command in commands_below(app.commands[name], name):
            assert f"\ncranfield {path} " in page
            for one in command.params:
                if isinstance(one, click.Option) and not one.hidden:
                    assert f"{one.opts[-1]}" in page, (path, one.name)
    assert "with 5 where runs were left out" in index
