"""What the tables of docs/moving.md call ours: every command is parsed, every measure found, every call made."""

from __future__ import annotations

import inspect
import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest

import cranfield
from cranfield.cli import app

PAGE = Path(__file__).resolve().parents[1] / "docs" / "moving.md"
QRELS = {f"q{topic}": {"a": 1, "b": 1} for topic in range(8)}
RUNS = {
    "TF_IDF": {topic: {"a": 2.0, "c": 1.0} for topic in QRELS},
    "BM25": {topic: {"c": 2.0, "a" if topic < "q5" else "b": 1.0} for topic in QRELS},
    "third": {topic: {"c": 3.0, "d": 2.0, "b": 1.0} for topic in QRELS},
}
MEASURE = re.compile(r"n?[A-Z]\w*(\(.*\))?(@\d+)?")
CALL = re.compile(r"[a-z][\w.]*\(.*\)")
SETTINGS = re.compile(r'\w+="[^"]*"(, \w+="[^"]*")*')
OTHERS = re.compile(r'"[a-z]+"|\.round\(4\)|\{"BM25": results, ...\}|\w+\.json#RATER|irds:ID#\w+')
"""A further value of a setting, what pandas does, and names of inputs, which other tests read."""


def list_cells() -> list[str]:
    """List the code of the columns about cranfield."""
    text = re.sub(r"^```.*?^```", "", PAGE.read_text(), flags=re.DOTALL | re.MULTILINE)
    found: list[str] = []
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines())
        ours = next(at for at, name in enumerate(head) if "cranfield" in name or name.endswith(" here"))
        found += [code for row in rows for code in re.findall("`([^`]*)`", row[ours])]
    return list(dict.fromkeys(found))


def parse_command(text: str) -> None:
    words, command = shlex.split(text.replace("...", "qrels run"))[1:], app
    while isinstance(command, click.Group) and words:
        path = 2 if " ".join(words[:2]) in command.commands else 1
        command = command.commands[" ".join(words[:path])]
        words = words[path:]
    if words:
        assert command.make_context(command.name, words, **app.context_settings).params
    else:
        assert command.name


@cache
def list_names() -> dict[str, Any]:
    """What a call may name."""
    scores = cranfield.evaluate(RUNS, QRELS, "AP").rename(AP="map")
    old, new, run, results = RUNS["TF_IDF"], RUNS["BM25"], RUNS["BM25"], RUNS["BM25"]
    return {name: getattr(cranfield, name) for name in cranfield.__all__} | {
        **{"scores": scores, "runs": list(RUNS.values()), "run": run, "results": results, "old": old, "new": new},
        **{
            "qrels": QRELS,
            "old_qrels": QRELS,
            "new_qrels": {topic: {"b": 1} for topic in QRELS},
            "measures": ["AP", "P@5"],
        },
        "comparison": cranfield.comparison,
    }


def call(text: str) -> Any:
    return eval(text.replace(", ...", ""), list_names())


def check(text: str) -> str:
    if text.startswith("cranfield "):
        parse_command(text)
        return "command"
    if text.startswith("--"):
        parse_command(f"cranfield evaluate qrels run {text}" if " " in text else "cranfield evaluate qrels run --rel 2")
        return "command"
    if SETTINGS.fullmatch(text):
        of_tests = text.partition("=")[0] in inspect.signature(cranfield.compare).parameters
        call(f"compare(scores, {text})" if of_tests else f"evaluate(run, qrels, 'AP', {text})")
        return "call"
    if MEASURE.fullmatch(text):
        assert cranfield.parse_measures(text)
        return "measure"
    if CALL.fullmatch(text):
        assert call(text) is not None
        return "call"
    if text in cranfield.__all__:
        return "name"
    assert OTHERS.fullmatch(text), text
    return "other"


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_what_the_tables_say_works() -> None:
    kinds = [check(text) for text in list_cells()]
    assert min(kinds.count(kind) for kind in ("command", "measure", "call")) >= 15
    with pytest.raises((click.UsageError, KeyError)):
        check("cranfield evaluate qrels run --no-such-option")
    with pytest.raises(cranfield.CranfieldError):
        check("NoSuchMeasure@10")
