"""Every Python example in the README and the documentation is run, and its output compared."""

import doctest
import re
import shlex
import warnings
from pathlib import Path

import click
import pytest

from cli.command import printed
from cranfield import CranfieldWarning
from cranfield.cli import app

ROOT = Path(__file__).resolve().parents[1]
PAGES = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if ">>>" in page.read_text()]


LONG = ("i-ran-five-seeds.md", "my-topics-are-turns-of-conversations.md")
"""Pages whose examples repeat an experiment many times."""


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.slow] * (page.name in LONG)) for page in PAGES],
    ids=[page.name for page in PAGES],
)
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
            path = 2 if " ".join(words[:2]) in command.commands else 1
            command = command.commands[" ".join(words[:path])]
            words = words[path:]
        assert command.make_context(command.name, words, **app.context_settings).params
    assert second


def test_the_readme_shows_what_the_demo_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    printed("example", "-o", "demo")
    runs = sorted(tmp_path.glob("demo/runs/*.run"))
    assert printed("evaluate", "demo/qrels.txt", *runs) in (ROOT / "README.md").read_text()


def test_percents_and_decimals_are_written_one_way() -> None:
    """``0.3%``: no blank before the sign, and a zero before the point, outside of code."""
    odd = []
    for path in [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CHANGELOG.md"]:
        text = re.sub(r"^ {0,3}```.*?^ {0,3}```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        lines = [line for line in text.split("\n") if not line.startswith("    ")]
        prose = re.sub(r"`[^`]*`|\]\([^)]*\)|<[^>]*>|https?://\S+|doi:\S+", "", "\n".join(lines))
        odd += [f"{path.name}: {found}" for found in re.findall(r"[0-9] %|(?:^|[ (|])-?\.[0-9].{0,10}", prose)]
    assert not odd
