"""A report reads each run once, fuses what it has read, and keeps apart what analyses side by side warn of."""

from __future__ import annotations

import importlib
import os
import threading
import time
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield import CranfieldWarning, InputError, engine
from cranfield._text import hearing, warn
from cranfield.collection import InputOptions
from cranfield.collection.reading import ReadingOptions
from cranfield.io import loading
from cranfield.io.redaction import PathRedactor
from cranfield.reporting import RunsRequest, inputs
from cranfield.reporting.analyses import Analyses, analyse_runs
from cranfield.reporting.options import ALWAYS, section_ids
from cranfield.reporting.page_sections import page_sections
from cranfield.reporting.report import make_report
from cranfield.reporting.runner import AnalysisOutcome, AnalysisRunner
from cranfield.reporting.sections import systems
from cranfield.threads import beside
from reading_pages import data_of, section

MADE = cranfield.simulation.simulate_runs(n_systems=4, n_topics=6, depth=12, seed=5)
LINES = sum(len(run.score) for run in MADE.runs)


@pytest.fixture(scope="module")
def question(tmp_path_factory: pytest.TempPathFactory) -> RunsRequest:
    folder = tmp_path_factory.mktemp("once")
    cranfield.write(MADE.qrels, folder / "qrels.txt")
    for number, run in enumerate(MADE.runs):
        cranfield.write(run, folder / f"run{number}.txt")
    return RunsRequest(str(folder / "qrels.txt"), tuple(map(str, sorted(folder.glob("run*.txt")))), ("nDCG@5", "AP"))


def analysed(question: RunsRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[Analyses, list[str]]:
    """The analyses, and the names of the files that were read, in the order of names."""
    read: list[str] = []
    for module in (inputs, loading):
        load = module.load_run

        def counting(path: Any, load: Any = load, **how: Any) -> Any:
            read.append(Path(path).name)
            return load(path, **how)

        monkeypatch.setattr(module, "load_run", counting)
    return analyse_runs(question), sorted(read)


@pytest.mark.parametrize("words", [{}, {"rel": 2, "ties": "docid"}, {"ties": "rank", "names": "tag"}], ids=str)
def test_each_run_is_read_once_and_fused_as_it_is_from_files(
    question: RunsRequest, monkeypatch: pytest.MonkeyPatch, words: dict[str, Any]
) -> None:
    """The systems are in the order of the leaderboard there, in which they were not scored."""
    reading = InputOptions.of(None, words, ReadingOptions)
    found, read = analysed(replace(question, reading=reading), monkeypatch)
    assert read == [f"run{number}.txt" for number in range(4)]
    given = dict(zip(found.inputs.table.systems, question.runs, strict=True))  # type: ignore[arg-type]
    order = [name for name, _ in sorted(zip(*_first(found), strict=True), key=lambda one: -one[1])]
    with hearing():
        alone = cranfield.estimate_headroom(
            {name: given[name] for name in order},
            question.qrels,
            list(found.inputs.measures),
            candidates=10,
            reading=reading,
        )
    assert order != list(found.inputs.table.systems)
    assert found.own["systems"].headroom.result == alone


def _first(found: Analyses) -> tuple[list[str], list[float]]:
    scores = found.inputs.scores[found.inputs.main_measure].mean("topic")
    return scores["system"].values.tolist(), scores.values.tolist()


def test_runs_that_do_not_fit_the_memory_are_not_kept(question: RunsRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_MEMORY", str(LINES * 64 - 1))
    found, _ = analysed(question, monkeypatch)
    assert found.own["systems"].headroom.result is None
    assert "fewer runs" in str(found.own["systems"].headroom.reason)


def test_what_is_warned_of_is_heard_on_its_own_thread() -> None:
    elsewhere: list[str] = []

    def other() -> None:
        with hearing() as said:
            warn("there")
        elsewhere.extend(said)

    with hearing() as said:
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        warn("here")
        with hearing() as inside:
            warn("inside")
        warn("here again")
    assert (said, inside, elsewhere) == (["here", "here again"], ["inside"], ["there"])
    with pytest.warns(CranfieldWarning, match="aloud"):
        warn("aloud")


def test_what_runs_beside_warns_those_who_hear_the_thread_that_asks() -> None:
    with hearing() as said:
        beside(lambda: warn("beside")).result()
    assert said == ["beside"]


def test_what_two_systems_say_is_counted_once_for_difference_and_headroom(
    question: RunsRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    by, calls = engine.current(), []
    count = by.count_agreements

    def counting(*given: Any) -> Any:
        calls.append(len(given[0]))
        return count(*given)

    monkeypatch.setattr(by, "count_agreements", counting)
    found = analyse_runs(question)
    asked = found.own["systems"].headroom.result.joint.experiment
    assert calls == [4] * int((asked.counted == 1).sum())


def test_what_analyses_warn_of_stands_in_the_order_in_which_they_were_asked() -> None:
    runner, second = AnalysisRunner(lambda _: None, PathRedactor([])), threading.Event()

    def slow() -> int:
        warn("first")
        assert second.wait(60)
        raise InputError("refused at the end")

    def quick() -> int:
        warn("second")
        second.set()
        return 2

    first = runner.start("a long one", slow)
    assert runner.run("a short one", quick) == AnalysisOutcome(2)
    assert first.result() == AnalysisOutcome(reason="refused at the end")
    assert runner.remarks == ("first", "second")


@pytest.mark.parametrize("last", ["compute_information_difference", "compute_joint_ric", "loaded_runs"])
def test_the_page_is_the_same_whichever_ends_last(
    question: RunsRequest, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    usual = make_report(question)
    work = getattr(systems, last)

    def late(*given: Any, **how: Any) -> Any:
        time.sleep(0.2)
        return work(*given, **how)

    monkeypatch.setattr(systems, last, late)
    assert make_report(question) == usual


def test_analyses_leave_the_filters_of_warnings_as_they_were(question: RunsRequest) -> None:
    importlib.import_module("scipy.sparse")  # which adds a filter of its own
    before = list(warnings.filters)
    analyse_runs(question)
    assert warnings.filters == before


def test_stages_are_named_and_the_command_is_complete(question: RunsRequest) -> None:
    command = " ".join(["cranfield", "report", *(f"run{number}.txt" for number in range(2000))])
    stages: list[str] = []
    page = make_report(question, command=command, stage=stages.append)
    assert stages[0] == "reading and scoring runs"
    assert len(set(stages)) > 8
    assert section(data_of(page.html), "provenance")["command"] == command


def test_files_of_options_are_redacted_too() -> None:
    assert "topics.xml" in RunsRequest("qrels.txt", ("a.run",), options={"topics": "topics.xml"}).paths


def test_words_that_name_files() -> None:
    public = PathRedactor(["/srv/x y/runs/*.run", "/srv/x y/q.txt", "near/q.txt", "/top.txt"])
    assert public("'/srv/x y/q.txt':3: odd") == "'q.txt':3: odd"
    assert public("near/srv/x y/q.txt") == "near/srv/x y/q.txt"
    assert public("/srv/x y/runs/a.run and /srv/x y/runs/b.run") == "a.run and b.run"
    assert public.argument("-o/srv/x y/q.txt") == "-oq.txt"
    assert public.argument("--factors=/srv/x y/q.txt") == "--factors=q.txt"
    assert public("/top.txt") == "/top.txt"
    here = os.path.join(Path.cwd(), "q.txt")  # noqa: PTH118  (as it is typed)
    assert PathRedactor([here])(f"{here}:7") == "q.txt:7"
    assert not PathRedactor(["q.txt", "-"])


def test_each_section_is_a_file_and_a_row_of_the_documentation() -> None:
    declared, text = page_sections(), (Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf-8")
    assert set(declared) == set(section_ids())
    assert len({declaration.place for declaration in declared.values()}) == len(declared)
    for name, declaration in declared.items():
        assert declaration.appendix or name == "summary" or f"| {declaration.title} |" in text
        assert name == ALWAYS or f"`{name}`" in text
