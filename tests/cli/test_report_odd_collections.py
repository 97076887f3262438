"""A page on every odd collection: it is whole, says what it does not show, and no number that there is not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from command import cranfield

import cranfield as package
from reading_pages import data_of, table

Labels = Mapping[str, Mapping[str, int]]
Run = Mapping[str, str]
"""Documents of each topic, best first."""

GRADED: Labels = {f"q{topic}": {"a": 2, "b": topic % 2, "c": 0, "d": 1} for topic in range(1, 6)}
ORDERS = ("abcd", "dcba", "bacd")


def same(order: str, topics: Labels = GRADED) -> Run:
    return dict.fromkeys(topics, order)


SYSTEMS = tuple(same(order) for order in ORDERS)
MIXED = tuple({topic: ORDERS[(at + number) % 3] for number, topic in enumerate(GRADED)} for at in range(3))


def only(label: int) -> Labels:
    return {topic: dict.fromkeys("abcd", label) for topic in GRADED}


@dataclass(frozen=True)
class Odd:
    """A collection, and words that the page on it has to say."""

    labels: Labels
    runs: tuple[Run, ...]
    says: str
    more: Mapping[str, Any] = field(default_factory=dict)


NO_RIC = "Map of systems: not shown, because RIC is undefined"
ODD = {
    "nothing odd": Odd(GRADED, MIXED, "followed by"),
    "one label": Odd(only(1), MIXED, NO_RIC),
    "one label, no ease": Odd(only(1), MIXED, "Topic difficulty is undefined"),
    "one label, two runs": Odd(only(1), MIXED[:2], NO_RIC),
    "only negatives": Odd(only(0), MIXED, NO_RIC),
    "labels below zero": Odd(only(-1), MIXED, NO_RIC),
    "one judged document a topic": Odd({topic: {"a": 1} for topic in GRADED}, MIXED, NO_RIC),
    "one judged document a topic, two topics": Odd({"q1": {"a": 1}, "q2": {"b": 1}}, (same("a"),) * 3, NO_RIC),
    "no judged document retrieved": Odd(GRADED, (same("xyz"), same("zyx")), "no system retrieves a judged document"),
    "one topic": Odd({"q1": GRADED["q1"]}, SYSTEMS, "Whether there are enough topics could not be determined"),
    "one topic, two runs, one label": Odd({"q1": {"a": 1}}, SYSTEMS[:2], NO_RIC),
    "one system": Odd(GRADED, MIXED[:1], "The only system is"),
    "one system, one topic, one document": Odd({"q1": {"a": 1}}, SYSTEMS[:1], "The only system is"),
    "equal systems": Odd(GRADED, (same("abcd"),) * 3, "cannot compare them"),
    "two equal systems": Odd(GRADED, (same("abcd"),) * 2, "tau_b is undefined"),
    "two runs": Odd(GRADED, MIXED[:2], "followed by"),
    "systems alike on every topic": Odd({f"q{number}": GRADED["q1"] for number in range(6)}, SYSTEMS, "followed by"),
    "an empty run": Odd(GRADED, (*MIXED, {}), "followed by"),
    "only empty runs": Odd(GRADED, ({}, {}), "cannot compare them"),
    "runs of other topics each": Odd(GRADED, ({"q1": "abcd"}, {"q2": "abcd"}), "followed by", {"missing": "skip"}),
    "one measure": Odd(GRADED, MIXED, "there is only one measure to compare", {"measures": ("AP",)}),
    "one measure, equal systems": Odd(GRADED, (same("abcd"),) * 2, "No number of topics", {"measures": ("RIC",)}),
    "a measure undefined everywhere": Odd(only(0), MIXED, "undefined", {"measures": ("RIC", "AP")}),
    "undefined kept so": Odd(only(0), MIXED, "", {"undefined": "keep"}),
}


def written(odd: Odd, folder: Path) -> tuple[str, list[str]]:
    """The files of a collection: judgments and runs."""
    lines = [f"{topic} 0 {name} {label}\n" for topic, pool in odd.labels.items() for name, label in pool.items()]
    (folder / "qrels.txt").write_text("".join(lines), encoding="utf-8")
    paths = []
    for number, run in enumerate(odd.runs):
        paths.append(str(folder / f"run{number}.txt"))
        lines = [
            f"{topic} Q0 {name} {rank} {-rank} s{number}\n"
            for topic in odd.labels
            for rank, name in enumerate(run.get(topic, ""))
        ]
        # A run without any line is refused; without any judged topic too.
        lines = lines or [f"{next(iter(odd.labels))} Q0 nothing 1 1 s{number}\n"]
        Path(paths[-1]).write_text("".join(lines), encoding="utf-8")
    return str(folder / "qrels.txt"), paths


def texts(value: Any) -> Iterator[str]:
    """Every text in plain data, keys of objects apart."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


NO_NUMBER = re.compile(r"(?<![\w.])[-+]?(nan|inf|infinity)(?![\w.])", re.IGNORECASE)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")  # of what the page does not show
@pytest.mark.parametrize("name", ODD)
def test_the_page_is_whole_and_says_why(name: str, tmp_path: Path) -> None:
    qrels, runs = written(ODD[name], tmp_path)
    data = data_of(package.report(runs, qrels, title="An evaluation", **ODD[name].more).html)
    said = list(texts(data))
    assert not [line for line in said if NO_NUMBER.search(line)]
    assert not [line for line in said if "unexpectedly" in line]
    assert any(ODD[name].says in line for line in said)
    assert [part["id"] for part in data["sections"]] == [
        "leaderboard",
        "summary",
        "topics",
        "measures",
        "systems",
        "checks",
        "provenance",
    ]
    assert len(table(data, "leaderboard")["rows"]) == len(ODD[name].runs)


def test_a_fault_of_the_program_leaves_a_hole_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("made for a test\nin two lines")

    monkeypatch.setattr("cranfield.reporting.analyses.audit", broken)
    monkeypatch.setattr("cranfield.reporting.sections.systems.chart_families", broken)
    monkeypatch.setattr("cranfield.reporting.sections.topics._make_topics", broken)
    written(ODD["nothing odd"], tmp_path)
    target = tmp_path / "page.html"
    ended = cranfield("report", tmp_path / "qrels.txt", *sorted(tmp_path.glob("run*.txt")), "-o", target)
    assert ended.status == 0
    data = data_of(target.read_text(encoding="utf-8"))
    why = "it failed unexpectedly (ZeroDivisionError: made for a test in two lines), which is a bug in cranfield"
    said = [line for part in data["sections"] for line in part["missing"] if why in line]
    assert [line.partition(":")[0] for line in said] == ["This section", "The audit", "Tree of systems"]
    assert ended.err.count(why) == 1
    assert "cranfield: warning: This section: not shown, because it failed unexpectedly" in ended.err
    assert "(and 2 more like it)" in ended.err


def test_refusals_are_warnings_and_not_the_end(tmp_path: Path) -> None:
    written(ODD["one label, two runs"], tmp_path)
    target = tmp_path / "page.html"
    ended = cranfield("report", tmp_path / "qrels.txt", *sorted(tmp_path.glob("run*.txt")), "-o", target)
    assert ended.status == 0
    assert "cranfield: warning: Map of systems: not shown, because RIC is undefined" in ended.err
    assert target.exists()


def test_a_report_needs_one_measure_with_a_value(tmp_path: Path) -> None:
    written(ODD["only negatives"], tmp_path)
    runs = sorted(tmp_path.glob("run*.txt"))
    ended = cranfield("report", tmp_path / "qrels.txt", *runs, "-o", tmp_path / "page.html", "-m", "RIC")
    assert ended.status == 1
    assert "measure RIC: undefined on every topic, which leaves nothing to report: ask for other measures" in ended.err
