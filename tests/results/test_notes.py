"""What a result rests on is said wherever it is read: in its table, in JSON, in a notebook and on the page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from calls import CALLS, usual
from click.testing import CliRunner

import cranfield
from cranfield.cli import app
from cranfield.results import Result


def squeeze(text: str) -> str:
    """A text without its line ends."""
    return " ".join(text.split())


def read_page(text: str) -> str:
    """The words of a page, without its marks."""
    return squeeze(html.unescape(re.sub(r"<[^>]*>", " ", text)))


def print_table(found: Result) -> str:
    """The main table for people."""
    own = found.own_text("table", next(iter(found.frames())), plain=True)
    return own if isinstance(own, str) else found.sheet().text("table", plain=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CALLS))
def test_each_sentence_of_a_table_is_in_json_and_in_a_notebook(name: str) -> None:
    found = usual(name)
    assert json.loads(found.to_json())["notes"] == [note._asdict() for note in found.notes()]
    notebook = read_page(found._repr_html_())
    for note in found.notes():
        assert squeeze(note.text)[:300] in notebook


SYSTEMS = {"a": [0.2, 0.3, 0.5, 0.1, 0.4, 0.6, 0.25, 0.35], "b": [0.3, 0.35, 0.65, 0.2, 0.45, 0.8, 0.3, 0.5]}
RUNS = {
    "a": {f"q{n}": {"d1": 3.0, "d2": 2.0, "d3": 1.0} for n in range(8)},
    "b": {f"q{n}": {"d1": 1.0, "d2": 2.0, "d3": 3.0 + n % 2} for n in range(8)},
}
GRADED = {f"q{n}": {"d1": 3, "d2": n % 3, "d3": 0} for n in range(8)}


def write_inputs(premise: str, folder: Path) -> list[str]:
    """Write the inputs on which a premise matters, and name them for a command."""
    if premise == "direction":
        rows = zip(range(8), *SYSTEMS.values(), strict=True)
        (folder / "mine.csv").write_text("topic,a,b\n" + "".join(f"q{n},{a},{b}\n" for n, a, b in rows))
        return ["--scores", str(folder / "mine.csv"), "-m", "mine"]
    lines = [f"{t} 0 {d} {label}\n" for t, pool in GRADED.items() for d, label in pool.items()]
    (folder / "qrels.txt").write_text("".join(lines))
    for name, run in RUNS.items():
        cranfield.write(cranfield.Run.from_dict(run, name=name), folder / f"{name}.run")
    return [str(folder / name) for name in ("qrels.txt", "a.run", "b.run")] + ["-m", "AP"]


def read_inputs(premise: str, folder: Path) -> Any:
    """Read the same scores in Python."""
    if premise == "direction":
        return cranfield.read_scores(folder / "mine.csv")
    return cranfield.evaluate(RUNS, GRADED, "AP")


PREMISES = {
    "direction": "mine: smaller is better",
    "relevance-level": "AP counts labels of 1 or more as relevant; labels go up to 3",
}
ANALYSES: dict[str, Callable[..., Result]] = {
    "compare": lambda scores, **said: cranfield.compare(scores[next(iter(scores))], **said),
    "table": lambda scores, **said: cranfield.comparison.compare_measures(scores, baseline="a", **said),
    "gate": lambda scores, **said: cranfield.comparison.gate(scores, baseline="a", margin=0.5, **said),
}


@pytest.mark.parametrize("command", ANALYSES)
@pytest.mark.parametrize("premise", PREMISES)
def test_a_premise_is_said_in_each_output(premise: str, command: str, tmp_path: Path) -> None:
    files, sentence = write_inputs(premise, tmp_path), PREMISES[premise]
    options = [*files, *(["--smaller-is-better", "mine"] if premise == "direction" else [])]
    options += {"compare": [], "table": ["--baseline", "a"], "gate": ["--margin", "0.5"]}[command]
    said = {"smaller_is_better": "mine"} if premise == "direction" else {}

    def called(*more: str) -> str:
        return CliRunner().invoke(app, [command, *options, *more]).stdout

    meant = sentence.partition(": ")[2] or sentence  # where the table is of one measure, it is not named again
    assert meant in squeeze(called())
    notes = json.loads(called("-f", "json"))["notes"]
    assert {"code": premise, "text": sentence} in notes
    found = ANALYSES[command](read_inputs(premise, tmp_path), **said)
    assert meant in read_page(found._repr_html_())
    assert {"code": premise, "text": sentence} in json.loads(found.to_json())["notes"]
    if command == "gate":
        assert meant in called("-f", "markdown").replace("\\", "")
