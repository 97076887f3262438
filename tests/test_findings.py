"""A finding is declared once, and everything that shows findings follows."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield import CranfieldWarning, Qrels, engine
from cranfield.checking import Findings
from cranfield.engine.protocol import Facts
from cranfield.findings import REFUSALS, TABLE, Location, markdown
from cranfield.findings.declaration import KINDS, declared
from cranfield.findings.finding import notice, noticed

SOURCE = Path(cranfield.__file__).parent
RUN = "1 Q0 a 1 3 x\n"


@pytest.fixture
def noticing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new kind of finding, and an engine that notices it in every run: all that a new fact takes."""
    monkeypatch.setitem(KINDS, "odd-tag", KINDS["ties"])

    @declared("odd-tag", "warning", meaning="A tag is odd.", remedy="Choose another.")
    def _odd_tag(count: int, value: str) -> str:
        return f"{count} tag is odd: {value}"

    current = engine.current()
    read_run = current.read_run

    def reading(*arguments: Any) -> Any:
        columns = read_run(*arguments)
        columns["facts"]["noticed"]["odd-tag"] = {"count": 1, "line": 1, "value": "x"}
        return columns

    monkeypatch.setattr(current, "read_run", reading)


@pytest.mark.usefixtures("noticing")
def test_a_new_fact_is_declared_once(tmp_path: Path) -> None:
    run, qrels = tmp_path / "a.run", tmp_path / "qrels"
    run.write_text(RUN)
    qrels.write_text("1 0 a 1\n")
    with pytest.warns(CranfieldWarning, match=r"a\.run:1: 1 tag is odd: x$"):
        cranfield.read_run(run)
    checked = cranfield.check([str(run)], str(qrels))
    assert checked.to_text().splitlines()[0] == f"warning: {run}:1: 1 tag is odd: x [odd-tag]"
    row = {"severity": "warning", "code": "odd-tag", "file": str(run), "line": 1, "topic": None, "document": None}
    assert json.loads(checked.to_json())["rows"] == [row | {"text": "1 tag is odd: x"}]
    assert checked.to_frame()["code"].tolist() == ["odd-tag"]
    assert "| `odd-tag` | warning | A tag is odd. | Choose another. |" in markdown()


def test_topics_and_documents_are_data(tmp_path: Path, each_engine: object) -> None:
    run, qrels = tmp_path / "a.run", tmp_path / "qrels"
    run.write_text(RUN * 2)
    qrels.write_text("1 0 a 1\n")
    (one,) = cranfield.check([str(run)], str(qrels)).findings
    assert (one.code, one.location) == ("duplicate", Location(str(run), 2, "1", "a"))
    found = Findings((one,), 1, 1, {}, {})
    assert found.to_frame()[["line", "topic", "document"]].values.tolist() == [[2, "1", "a"]]
    assert found.to_text().endswith("\n1 run checked, 1 refused: 1 error, 0 warnings, 0 notes\n")
    assert repr(found).startswith("Findings(runs=1, refused=1)\n")


def test_facts_are_told_in_the_order_of_the_table() -> None:
    facts: Facts = {"noticed": {}}
    notice(facts, "scattered-topics", line=3, topic="1")
    notice(facts, "rank-text", line=1, value="two")
    notice(facts, "rank-contradicts-score", topic="1")
    codes = [one.code for one in noticed(facts, Location("a.run"))]
    assert codes == ["rank-contradicts-score", "rank-text", "scattered-topics"]


def test_places_print_themselves() -> None:
    assert str(Location("x\x1b.run", 3)) == "x\\x1b.run:3"
    assert str(Location("-", 3)) == "standard input:3"
    assert str(Location(name="run 'x'")) == "run 'x'"


def test_errors_of_data_in_memory_have_no_path() -> None:
    with pytest.raises(cranfield.InputError) as refused:
        Qrels.from_dict({"1": {"a": float("nan")}})
    error = refused.value
    assert (error.path, error.line, error.code, error.value) == ("", None, "label", "nan")
    assert error.text == "the label nan is not a finite number"


def codes_raised() -> set[str]:
    """Every code that stands in a call of the package, as ``code="..."`` or of an ``EngineError``."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                first = node.args[:1] if getattr(node.func, "id", "") == "EngineError" else []
                words = [keyword.value for keyword in node.keywords if keyword.arg == "code"] + first
                sides = [side for word in words for side in getattr(word, "__dict__", {}).values()]
                found |= {word.value for word in (*words, *sides) if isinstance(word, ast.Constant)}
    return found


def test_every_code_of_an_error_is_documented() -> None:
    raised = codes_raised()
    assert len(raised) > 20
    assert raised <= set(REFUSALS)
    indirect = {"score", "label", "probability"}
    assert set(REFUSALS) <= raised | indirect


def test_every_kind_is_in_the_table() -> None:
    assert len(TABLE) == len(KINDS)
