"""Every command on every odd collection: no traceback, one line where it refuses, no sentence about a nan."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import Ended, cranfield
from test_outputs import commands


def qrels(*labels: int, topics: int = 4) -> str:
    """Documents d1, d2, ... with these labels in each topic."""
    return "".join(f"t{t} 0 d{at} {label}\n" for t in range(1, topics + 1) for at, label in enumerate(labels, 1))


def run(documents: list[str], *, topics: int = 4, tied: bool = False) -> str:
    """The same list in each topic."""
    rows = [(document, 1 if tied else len(documents) - at) for at, document in enumerate(documents)]
    return "".join(f"t{t} Q0 {document} 1 {score} tag\n" for t in range(1, topics + 1) for document, score in rows)


def verdicts(systems: list[str], *, topics: int = 4) -> str:
    """Every two systems in both orders, and always the one on the left."""
    rows = [f"t{t}\t{a}\t{b}\tleft\n" for t in range(1, topics + 1) for a in systems for b in systems if a != b]
    return "".join(["topic\tleft\tright\tverdict\n", *rows])


LISTS = {"a": ["d1", "d2", "u"], "b": ["u", "d2", "d1"], "c": ["d2", "u", "d1"]}
USUAL = {name: run(documents) for name, documents in LISTS.items()}
COLLECTIONS = {
    "only positive labels": (qrels(1, 1), USUAL),
    "only negative labels": (qrels(-1, -2), USUAL),
    "only zeros": (qrels(0, 0), USUAL),
    "no judged document retrieved": (qrels(1, 0), {name: run(["x", "y", "z"]) for name in LISTS}),
    "one topic": (qrels(1, 0, topics=1), {name: run(documents, topics=1) for name, documents in LISTS.items()}),
    "one system": (qrels(1, 0), {"a": USUAL["a"]}),
    "equal systems": (qrels(1, 0), dict.fromkeys(LISTS, USUAL["a"])),
    "an empty run": (qrels(1, 0), {**USUAL, "c": ""}),
    "a missing topic": (qrels(1, 0), {**USUAL, "c": run(LISTS["c"], topics=3)}),
    "all scores tied": (qrels(1, 0), {name: run(documents, tied=True) for name, documents in LISTS.items()}),
}
MEASURES = "-m", "nDCG@10", "-m", "AP"
BEFORE = {
    "evaluate": ["--by-topic", "--bounds", *MEASURES],
    "information tau": [*MEASURES],
    "audit select-topics": ["-n", "2"],
    "information select": ["-n", "2"],
    "audit study-tests": ["--trials", "3", "--resamples", "40"],
    "example": ["-o", "cranfield"],
    "simulate runs": ["-o", "made", "--n-systems", "2", "--n-topics", "2", "--depth", "5"],
}
"""Options that a command needs, or that show more of it."""
CASE = Path(__file__).parents[2] / "conformance" / "cases" / "precision-at-3--short-list.json"
ALONE: dict[str, list[str]] = {
    "check labels": ["q.txt"],
    "example": [],
    "help": [],
    "judges combine": ["q.txt", "q2.txt"],
    "judges pairs": ["verdicts.tsv"],
    "judges panel": ["q.txt", "q2.txt", "q3.txt"],
    "information judges": ["q.txt", "q2.txt", "q3.txt"],
    "measures": [],
    "conformance": [str(CASE)],
    "conformance values": [str(CASE)],
    "simulate runs": [],
}
"""What takes no runs, and what it takes."""
ELSEWHERE = {"board", "conformance generate", "report"}
"""What has laws of its own: a table of scores by task, and the page, in the tests of the report."""


def names() -> Iterator[str]:
    """Every command, and every command of a group."""
    yield from (path for path in commands() if path not in ELSEWHERE)


def ended(name: str, systems: list[str]) -> Ended:
    runs = [f"{system}.run" for system in systems]
    given = ["q.txt", *runs]
    if name == "judges":
        given = ["q.txt", "q2.txt", *(word for one in runs for word in ("--run", one))]
    if name == "fuse":
        given = runs
    if name == "trec_eval":
        given = given[:2]
    two = (runs * 2)[:2]
    if name in ("diff", "pool settle"):
        given = ["q.txt", *two]
    if name == "reproduce":
        given = ["q.txt", "--original", *two, "--again", *two]
    if name == "protocol init":
        given = ["evaluate", *given, "-m", "RR"]
    if name == "protocol run":
        cranfield("protocol", "init", "-o", "track.toml", "evaluate", "q.txt", "-m", "RR")
        given = ["track.toml", *runs]
    return cranfield(*name.split(), *BEFORE.get(name, []), *ALONE.get(name, given))


@pytest.fixture(params=COLLECTIONS)
def systems(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An odd collection in the working folder; the names of its systems."""
    monkeypatch.chdir(tmp_path)
    judgments, runs = COLLECTIONS[request.param]
    for name in ("q.txt", "q2.txt", "q3.txt"):
        (tmp_path / name).write_text(judgments)
    (tmp_path / "verdicts.tsv").write_text(verdicts(list(runs)))
    for name, text in runs.items():
        (tmp_path / f"{name}.run").write_text(text)
    return list(runs)


def complaints(text: str) -> list[str]:
    """Lines that refuse."""
    return [line for line in text.splitlines() if line.startswith("cranfield: error: ")]


def sentences(text: str) -> list[str]:
    """Lines with an undefined number that are no rows of a table: a row has blanks between its cells."""
    return [line for line in text.splitlines() if re.search(r"\bnan\b", line) and "  " not in line.strip()]


@pytest.mark.slow
@pytest.mark.parametrize("name", list(names()))
def test_every_command_ends_well_on_every_odd_collection(name: str, systems: list[str]) -> None:
    found = ended(name, systems)
    few = len(systems) == 1 and found.status == 2
    answers = (0, 3, 4) if name == "gate" else (0,)  # a regression, or that nothing can be told, is an answer
    assert found.status in (*answers, 1) or few, found.err
    assert "Traceback" not in found.err
    refused = complaints(found.err)
    if name == "check":
        assert found.err == ""
    else:
        assert len(refused) == (found.status not in answers), found.err
    others = [
        line for line in found.err.splitlines() if not line.startswith(("cranfield: warning: ", "cranfield: error: "))
    ]
    assert others == [], "a library's warning"
    undefined = [line for line in sentences(found.out + found.err) if "undefined (nan)" not in line]
    assert undefined == []


def test_bounds_where_no_label_is_a_gain(folder: Path) -> None:
    (folder / "zero.txt").write_text("1 0 a 0\n")
    found = cranfield("evaluate", "zero.txt", "best.run", "-m", "nDCG@10", "--bounds", "-f", "tsv")
    assert found.status == 0
    assert found.out.splitlines()[1].split("\t") == ["best", "all", "nDCG@10", "0.0", "0.0", "0.0"]


def test_headroom_says_that_there_is_no_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.txt").write_text(qrels(1, 0))
    for name in ("a", "b"):
        (tmp_path / f"{name}.run").write_text(run(["x", "y", "z"]))
    found = cranfield("fuse", "headroom", "q.txt", "a.run", "b.run")
    assert found.status == 0
    assert "no system retrieves a judged document, so that there is no bound" in found.err


def test_headroom_says_that_nothing_can_be_told_where_all_labels_are_equal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.txt").write_text(qrels(1, 1))
    for name, text in USUAL.items():
        (tmp_path / f"{name}.run").write_text(text)
    files = [f"{name}.run" for name in USUAL]
    assert (
        "of 3 systems together, beyond chance: undefined, as no topic has two labels"
        in cranfield("fuse", "headroom", "q.txt", *files).out
    )
    joint = cranfield("information", "joint", "q.txt", *files).out
    assert "no topic has two labels, so there is no information about relevance" in joint
