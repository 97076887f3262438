"""Every Python example in the README and the documentation is run, and its output compared."""

import doctest
import re
import shlex
import warnings
from pathlib import Path

import click
import pytest

from cranfield import CranfieldWarning
from cranfield.cli import app

ROOT = Path(__file__).resolve().parents[1]
PAGES = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if ">>>" in page.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_print_what_the_page_says(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried > 0
    assert failed == 0


def test_the_pages_that_should_have_examples_do() -> None:
    assert {"README.md", "compatibility.md", "information.md", "fusion.md", "moving.md"} <= {
        page.name for page in PAGES
    }
    assert set((ROOT / "docs" / "questions").glob("*.md")) <= set(PAGES)


ANALYSES = [
    *("trust", "comparison", "standardization", "topic-difficulty"),
    *("information", "diversity", "negative-labels", "fusion"),
]


@pytest.mark.parametrize("name", ANALYSES)
def test_a_page_of_analyses_begins_with_commands_by_question(name: str) -> None:
    """Each command is parsed by the program, whose files need not be there."""
    page = (ROOT / "docs" / f"{name}.md").read_text()
    first, second = page.split("\n## ")[1:3]
    assert first.startswith("How do I ...\n")
    assert "cranfield" in first
    calls = re.findall(r"^\| [a-z][^|]*\? \| `cranfield ([^`]*)` \|$", first, re.MULTILINE)
    assert len(calls) == first.count("\n| ") - 2 >= 5
    for call in calls:
        words, command = shlex.split(call), app
        while isinstance(command, click.Group):
            command = command.commands[words.pop(0)]
        assert command.make_context(command.name, words, **app.context_settings).params
    assert second


def test_the_readme_shows_what_the_demo_prints() -> None:
    from cranfield.cli._render import render
    from cranfield.scoring import score
    from cranfield.simulation import simulate_runs

    made = simulate_runs()
    table = score(made.runs, made.qrels)
    assert render(table, "table", by_topic=False, plain=True) in (ROOT / "README.md").read_text()


def test_the_table_of_measures_is_not_stale() -> None:
    from cranfield.measures import registry
    from cranfield.measures._describe import alphabetical, markdown

    assert (ROOT / "docs" / "measures-table.md").read_text() == markdown(alphabetical(registry.values()))


def test_the_table_of_facts_is_not_stale() -> None:
    from cranfield.measures import registry
    from cranfield.measures._describe import alphabetical
    from cranfield.measures._laws import LAWS
    from cranfield.measures._properties import markdown

    prose, table = (ROOT / "docs" / "measure-facts.md").read_text().split("| Measure |")
    assert f"| Measure |{table}" == markdown(alphabetical(registry.values()))
    for law in LAWS.values():
        assert f"**{law.name.capitalize()}**" in prose, "every law is defined"


def test_the_table_of_findings_is_not_stale() -> None:
    from cranfield.findings import markdown

    prose, table = (ROOT / "docs" / "check.md").read_text().split("| finding |")
    assert f"| finding |{table}" == markdown()
    assert "cranfield check" in prose
