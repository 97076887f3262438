"""Labels that are more than 0 and 1: every table says from which one on documents count as relevant."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import cranfield
from cranfield.cli import app

RUNS = {
    "a": {f"q{n}": {"d1": 3.0, "d2": 2.0, "d3": 1.0} for n in range(8)},
    "b": {f"q{n}": {"d1": 1.0, "d2": 2.0, "d3": 3.0 + n} for n in range(8)},
}
GRADED = {f"q{n}": {"d1": 3, "d2": n % 3, "d3": 0} for n in range(8)}
SAID = "AP counts labels of 1 or more as relevant; labels go up to 3"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"{t} 0 {d} {label}\n" for t, pool in GRADED.items() for d, label in pool.items()))
    for name, run in RUNS.items():
        cranfield.write(cranfield.Run.from_dict(run, name=name), tmp_path / f"{name}.run")
    return [str(qrels), str(tmp_path / "a.run"), str(tmp_path / "b.run")]


COMMANDS = (
    "evaluate",
    "compare",
    "table",
    "gate --margin .5",
    "diff",
    "evaluate -f markdown",
    "table -f latex",
    "compare -f latex",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_it_is_said_once_below_each_table(command: str, files: list[str]) -> None:
    name, *options = command.split()
    said = " ".join(CliRunner().invoke(app, [name, *files, "-m", "AP", *options]).stdout.split())
    assert said.count(SAID) == 1
    named = CliRunner().invoke(app, [name, *files, "-m", "AP(rel=2)", *options]).stdout
    assert "as relevant" not in named


def test_stored_scores_say_it_and_a_notebook_does(files: list[str], tmp_path: Path) -> None:
    stored = tmp_path / "scores.json"
    stored.write_text(CliRunner().invoke(app, ["evaluate", *files, "-m", "AP,nDCG@3", "-q", "-f", "json"]).stdout)
    assert SAID in CliRunner().invoke(app, ["compare", "--scores", str(stored), "-m", "AP"]).stdout
    assert "as relevant" not in CliRunner().invoke(app, ["compare", "--scores", str(stored), "-m", "nDCG@3"]).stdout
    comparison = cranfield.compare(cranfield.evaluate(RUNS, GRADED, "AP")["AP"])
    assert SAID in comparison._repr_html_()


def test_the_page_says_it(files: list[str]) -> None:
    page = Path(files[0]).with_name("page.html")
    CliRunner().invoke(app, ["report", *files, "-m", "AP", "-m", "nDCG@3", "-o", str(page)])
    assert f"{SAID}." in page.read_text()


def test_nothing_is_said_of_binary_labels() -> None:
    binary = {topic: {document: min(label, 1) for document, label in pool.items()} for topic, pool in GRADED.items()}
    assert "as relevant" not in cranfield.compare(cranfield.evaluate(RUNS, binary, "AP")["AP"])._repr_html_()


@pytest.mark.parametrize("signature", [{}, {"max_rel": "x"}, {"max_rel": 3, "measures": ["?"]}, []])
def test_signatures_of_strangers_say_nothing(signature: object) -> None:
    scores = cranfield.evaluate(RUNS, GRADED, "RR")["RR"].rename("theirs")
    scores.attrs = {"signature": json.dumps(signature), "larger_is_better": 1}
    assert "as relevant" not in cranfield.compare(scores)._repr_html_()


def remarks(qrels: Any, measures: str, **options: Any) -> str:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        cranfield.evaluate(RUNS, cranfield.Qrels.from_dict(qrels), measures, **options)
    return "\n".join(str(one.message) for one in heard)


def test_fractions_are_counted() -> None:
    qrels = {topic: {"d1": 1.0, "d2": 0.7, "d3": 0.2} for topic in GRADED}
    said = remarks(qrels, "AP")
    assert "AP counts labels of 1 or more as relevant, and so not 16 of 24 documents with a label above 0" in said
    assert "rel=0.2 counts these too" in said
    assert "documents with a label above 0" not in remarks(qrels, "AP", rel=0.2)
    assert "documents with a label above 0" not in remarks(qrels, "nDCG@3")


def test_clicks_are_counted() -> None:
    qrels = {topic: {"d1": 512, "d2": n, "d3": 0} for n, topic in enumerate(GRADED)}
    said = remarks(qrels, "AP, nDCG@3")
    assert "labels go up to 512 and take 8 values above 0" in said
    assert "a level of 1 makes 15 documents relevant" in said
    assert "are they counts?" in said
    assert "level of" not in remarks(qrels, "nDCG@3")
    assert "are they scores of a run, exchanged" in remarks({"q1": {"d1": 12.5, "d2": 11.25}}, "nDCG@3")
    assert "go up" not in remarks({"q1": {"d1": 10, "d2": 0}}, "nDCG@3")
    run = {f"d{n}": n + 5 for n in range(10)}
    assert "are they scores of a run, exchanged" in remarks({"q1": run, "q2": {"d1": 1}}, "nDCG@3")
    assert "are they counts?" in remarks({"q1": run | {"d10": 7}, "q2": {"d1": 1}}, "nDCG@3")
