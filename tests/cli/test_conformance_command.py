"""``cranfield conformance``: a suite run on this package and on programs, and values of cases that a user wrote."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from command import cranfield

CASE = Path(__file__).parents[2] / "conformance" / "cases" / "precision-at-3--short-list.json"
LAZY = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "mean": 0.5}), flush=True)
"""


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    document = json.loads(CASE.read_text())
    path = tmp_path / "cases.jsonl"
    rows = [document, {**document, "id": "mine", "group": "mine"}]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (tmp_path / "lazy.py").write_text(LAZY)
    return path


def test_this_package(cases: Path) -> None:
    ended = cranfield("conformance", cases)
    assert ended.status == 0
    assert "cranfield passes 2 of the 2 groups that it answers" in ended.out


def test_a_program_and_what_is_wrong_with_it(cases: Path) -> None:
    command = f"{sys.executable} {cases.parent / 'lazy.py'}"
    ended = cranfield("conformance", cases, "--command", command, "--show", "failed", "-f", "csv")
    assert ended.status == 4
    assert "cutoff-ignored, cutoff-short, precision-over-retrieved" in ended.out.replace("_", "-")


@pytest.mark.parametrize("answer", ["refused", "unsupported"])
def test_who_answers_nothing_does_not_pass(cases: Path, answer: str) -> None:
    tool = cases.parent / "silent.py"
    tool.write_text(LAZY.replace('"mean": 0.5', f'"{answer}": "all"'))
    ended = cranfield("conformance", cases, "--command", f"{sys.executable} {tool}")
    assert ended.status == 4
    assert "passes 0 of the 0 groups that it answers" in ended.out


def test_values_of_own_cases(cases: Path) -> None:
    ended = cranfield("conformance", "values", cases)
    assert ended.status == 0
    written = [json.loads(line) for line in ended.out.splitlines()]
    assert written == [json.loads(line) for line in cases.read_text().splitlines()]


def test_classes_of_mistakes(cases: Path) -> None:
    assert "discount-off-by-one" in cranfield("conformance", cases, "--show", "classes").out


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--command", "'"), 2, "cannot be read as a command line"),
        (("--command", " "), 2, "--command is empty"),
        (("--command", "no-such-program"), 2, "cannot be started"),
        (("--tolerance", "1"), 2, "tolerance"),
    ],
)
def test_what_is_refused(cases: Path, arguments: tuple[str, ...], status: int, message: str) -> None:
    ended = cranfield("conformance", cases, *arguments)
    assert ended.status == status and message in ended.err


def test_a_suite_that_is_not_there(tmp_path: Path) -> None:
    ended = cranfield("conformance", tmp_path / "none")
    assert ended.status == 1 and "does not exist: name the suite's folder" in ended.err


def test_values_that_cannot_be_exact_name_file_and_case(cases: Path) -> None:
    """Two to the power of a half is not a fraction."""
    document = json.loads((CASE.parents[1] / "cases" / "dcg-exp-at-10--one-of-two-graded.json").read_text())
    document["qrels"] = {topic: dict.fromkeys(labels, 0.5) for topic, labels in document["qrels"].items()}
    (cases.parent / "half.jsonl").write_text(json.dumps({key: document[key] for key in document if key[0] not in "ew"}))
    ended = cranfield("conformance", "values", cases.parent / "half.jsonl")
    assert ended.status == 1
    assert f"half.jsonl:1: case {document['id']}: a power of two of a label that is not a whole number" in ended.err


def test_a_folder_that_cannot_be_written_is_refused_before_cases_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cases take minutes."""
    called: list[bool] = []
    monkeypatch.setattr("cranfield.conformance.generate", lambda: called.append(True))
    (tmp_path / "file").write_text("")
    (tmp_path / "closed" / "cases").mkdir(parents=True)
    (tmp_path / "closed" / "all.jsonl").write_text("")
    (tmp_path / "closed" / "all.jsonl").chmod(0o444)
    for folder in ("file", "file/below", "closed"):
        stop = cranfield("conformance", "generate", tmp_path / folder)
        assert stop.status == 1 and "cannot be" in stop.err and stop.err.count("\n") == 1
    assert not called
