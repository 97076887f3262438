"""What the tables of docs/moving.md call ours: every command is run, every measure found, every call made."""

from __future__ import annotations

import inspect
import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cli.command import cranfield as shell
from data_sets import REAL_GOLDEN

FIELD = REAL_GOLDEN / "field" / "formats"
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


def write_files(folder: Path) -> None:
    """Write the files that commands name."""
    folder.joinpath("qrels").write_text("".join(f"{topic} 0 {name} 1\n" for topic in QRELS for name in "ab"))
    lines = [f"{topic} Q0 {name} 1 {score} run\n" for topic, run in RUNS["BM25"].items() for name, score in run.items()]
    folder.joinpath("run").write_text("".join(lines))
    folder.joinpath("scores.csv").write_text(
        "topic,A,B,C\n" + "".join(f"q{n},0.{n},0.{n}5,0.{9 - n}\n" for n in range(8))
    )
    for name, theirs in {
        "case.json": "quepid.case.json",
        "book.json": "quepid.book.json",
        "mine.run": "run.json",
    }.items():
        folder.joinpath(name).write_bytes((FIELD / theirs).read_bytes())


def run_command(text: str) -> None:
    """Run a command, or parse the command itself where it names no files."""
    words = shlex.split(text.replace("...", "qrels run"))[1:]
    if set(words) & {"qrels", "book.json", "case.json"} or "scores.csv" in words:
        ended = shell(*words)
        assert ended.status == 0, (text, ended.err)
        assert ended.out
    else:
        assert shell(*words, "--help").status == 0, text


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
        run_command(text)
        return "command"
    if text.startswith("--"):
        run_command(f"cranfield evaluate qrels run {text}" if " " in text else "cranfield evaluate qrels run --rel 2")
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


@pytest.mark.data("golden/field")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_what_the_tables_say_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    kinds = [check(text) for text in list_cells()]
    assert min(kinds.count(kind) for kind in ("command", "measure", "call")) >= 15
    for wrong in ("cranfield evaluate qrels run --no-such-option", "cranfield nothing"):
        with pytest.raises(AssertionError):
            check(wrong)
    with pytest.raises(cranfield.CranfieldError):
        check("NoSuchMeasure@10")
