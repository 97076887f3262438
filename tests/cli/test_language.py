"""The command line as one language: what holds of every command, found by discovery."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import pty
import shlex
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args

import click
import pytest
from command import cranfield
from test_outputs import CALLS, SCORES, commands

from cranfield.boards.aggregation import MissingCells
from cranfield.boards.ranking import Unit as IntervalUnit
from cranfield.boards.table import Rows
from cranfield.cli import ENDS, app
from cranfield.cli._help import EXAMPLES
from cranfield.cli._registry import COMMANDS, FIRST, MEANT, OLD_NAMES
from cranfield.cli.judges import judges
from cranfield.collection.input_formats import input_formats
from cranfield.collection.policy import CHOICES, Names, WeightSum
from cranfield.comparison.innate_orderings import Discount, Unjudged
from cranfield.comparison.outcome import Adjustment, IntervalKind
from cranfield.comparison.posterior import Prior
from cranfield.comparison.regression_gate.assertion import CannotTell
from cranfield.comparison.risk import Combine
from cranfield.comparison.study import Null, Studied
from cranfield.fusion.condorcet import Cycles
from cranfield.information.outcome_counts import Estimator
from cranfield.results.by_group import Across
from cranfield.results.table_text import width
from cranfield.scores.missing_scores import MissingScores
from cranfield.simulation.scores import Copula, Families
from cranfield.standardization.study import Design
from cranfield.statistics import test_names
from cranfield.statistics.entropy import Estimate
from cranfield.statistics.information_tau import Ties
from cranfield.statistics.list_preference import Preference
from cranfield.statistics.multiple_testing import Correction
from cranfield.statistics.risk import Deviation, RiskInterval
from cranfield.statistics.test_names import Test
from cranfield.streaming.partitions.parts import Topics
from cranfield.trust.reliability import Resampled
from cranfield.trust.sensitivity import Test as PowerTest
from cranfield.trust.stability import Unit
from cranfield.trust.topic_selection import Objective
from warm import PROGRAM, THIRD_PARTIES, Warm

ALL = commands()
TABLES = sorted(CALLS.keys() - {"fuse", "report", "check", "protocol init"})
"""Commands that print tables of their own; those of ``check`` are findings."""


@pytest.fixture(autouse=True)
def inputs(folder: Path) -> Path:
    (folder / "scores.csv").write_text(SCORES)
    (folder / "other.txt").write_text((folder / "qrels.txt").read_text())
    return folder


def options(command: click.Command) -> dict[str, click.Option]:
    return {
        word: one for one in command.params if isinstance(one, click.Option) and not one.hidden for word in one.opts
    }


# ---- one word for one thing


@pytest.mark.parametrize("called", ALL)
def test_letters_mean_the_same_everywhere(called: str) -> None:
    words = options(ALL[called])
    for letter, word in {
        "-m": "--measure",
        "-k": "--cutoff",
        "-f": "--format",
        "-o": "--output",
        "-q": "--by-topic",
        "-l": "--rel",
    }.items():
        if letter in words or word in words:
            assert words.get(letter) is words.get(word), f"{letter} is {word}"


def test_what_is_referred_to_has_a_word_each() -> None:
    meanings = {
        (name, option.help)
        for called in ALL
        for name, option in options(ALL[called]).items()
        if name.startswith("--reference")
    }
    assert len(meanings) == len({name for name, _ in meanings}) == 3, "none of them means two things"


@pytest.mark.parametrize("called", TABLES)
def test_every_table_has_a_format_and_an_output(called: str) -> None:
    words = options(ALL[called])
    assert "-o" in words
    kind = words["-f"].type
    assert isinstance(kind, click.Choice)
    assert {"tsv", "csv", "json"} <= set(kind.choices)


LITERALS: dict[str, Any] = {
    "--prior": Prior,
    "--input-format": Literal.__getitem__(input_formats()),
    "--names": Names,
    "--across-groups": Across,
    "--weight-sum": WeightSum,
    "--correction": Adjustment,
    "--interval": IntervalKind,
    "--cannot-tell": CannotTell,
    "--cycles": Cycles,
    "--unit": Unit,
    "--objective": Objective,
    "--copula": Copula,
    "--margins": Families,
    "--missing-scores": MissingScores,
    "gate --missing-scores": Literal["refuse"],
    "audit reliability --missing-scores": Literal["drop-topics", "drop-systems", "refuse", "zero"],
    "--resample": Resampled,
    "--study": Design,
    "--estimator": Estimator,
    **dict.fromkeys((f"information {name} --estimator" for name in ("ric", "difference", "tau")), Estimate),
    "--tie-policy": Ties,
    "--topic-layout": Topics,
    "compare prefer --correction": Correction,
    "compare risk --correction": Correction,
    "compare risk --interval": RiskInterval,
    "--preference": Preference,
    "--combine": Combine,
    "--deviation": Deviation,
    "board --missing-cells": MissingCells,
    "board --rows": Rows,
    "board --unit": IntervalUnit,
    "compare innate --unjudged": Unjudged,
    "compare innate --discount": Discount,
    "compare --test": Test,
    "table --test": Test,
    "audit study-tests --test": Studied,
    "audit study-tests --null": Null,
    "audit sensitivity --test": PowerTest,
}
"""Option -> the words of its parameter in Python."""

ELSEWHERE = {
    "--format",
    "--show",
    "--method",
    "--pair-method",
    "--normalization",
    "--pair-weight",
    "judges --test",
    "audit --preference",
    "audit scales --test",
    "--order",
}
"""Choices that are no Literal: of the command line alone, or compared with their tables in other tests."""


@pytest.mark.parametrize("called", ALL)
def test_choices_are_those_of_python(called: str) -> None:
    for word, option in options(ALL[called]).items():
        if not isinstance(option.type, click.Choice) or not word.startswith("--"):
            continue
        names = f"{called} {word}", word
        policy = word[2:].replace("-", "_")
        if policy in CHOICES and called != "fuse" and f"{called} {word}" not in LITERALS:
            assert tuple(option.type.choices) == CHOICES[policy]
        elif not any(name in ELSEWHERE for name in names) and (policy not in CHOICES or names[0] in LITERALS):
            literal = next(LITERALS[name] for name in names if name in LITERALS)
            assert tuple(option.type.choices) == get_args(literal), names


# ---- nothing is promised that is refused


@pytest.mark.parametrize("called", sorted(CALLS))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_no_order_of_ties_is_promised_and_refused(called: str) -> None:
    option = options(ALL[called]).get("--ties")
    if option is None or "--scores" in CALLS[called]:
        return
    for word in str(option.metavar).strip("[]").split("|"):
        ended = cranfield(
            *called.split(), *CALLS[called], "--ties", word, *(("-o", "page") if called == "report" else ())
        )
        assert ended.status == 0, (called, word, ended.err)


@pytest.mark.parametrize("called", [name for name in CALLS if "--measure" in options(ALL[name])])
def test_several_measures_in_one_word(called: str) -> None:
    if called in ("difficulty abstention", "judges", "compare", "diff", "audit scales") or "--scores" in CALLS[called]:
        return
    shared = (*called.split(), *CALLS[called])
    shared = shared[: shared.index("-m")] if "-m" in shared else shared
    form = ("-f", "json") if "-f" in options(ALL[called]) else ("-o", "page")
    found = [cranfield(*shared, *form, *how) for how in (("-m", "RR,AP(rel=1)"), ("-m", "RR", "-m", "AP(rel=1)"))]
    assert [ended.status for ended in found] == [0, 0]
    assert found[0].out == found[1].out


def test_one_measure_is_refused_before_anything_is_read() -> None:
    ended = cranfield("compare", "nothing.txt", "nothing.run", "-m", "AP,RR")
    assert (ended.status, ended.out) == (2, "")
    assert "this works on one measure: choose it with --measure (AP, RR)" in ended.err


# ---- the help


def test_the_first_screen_lists_ten_commands_and_names_the_others() -> None:
    first, more = cranfield("--help").out.split("\nMore: ")
    for name in FIRST:
        assert f"\n  {name} " in first
        assert COMMANDS[name] in " ".join(first.split())
    names = more.partition(".")[0].replace("\n", " ").split(", ")
    assert [*FIRST, *map(str.strip, names)] == [*FIRST, *(name for name in app.commands if name not in FIRST)]


def test_help_of_all_lists_every_command_with_its_line() -> None:
    out = cranfield("help", "--all").out
    words = " ".join(out.split())
    for path, line in COMMANDS.items():
        assert f" {path.rpartition(' ')[2]} {line}" in words, path


def test_old_names_are_the_same_commands_and_are_not_listed() -> None:
    listed = cranfield("help", "--all").out
    for old, path in OLD_NAMES.items():
        assert app.commands[old] is app.commands[path]
        assert f"\n  {old} " not in listed
        assert cranfield("help", old).out == cranfield("help", *path.split()).out


def test_words_that_people_type_name_a_command() -> None:
    for word, meant in MEANT.items():
        assert word not in COMMANDS
        assert f"did you mean `cranfield {meant}`?" in cranfield(word).err
        words = meant.split()
        assert " ".join(words[:2]) in COMMANDS or words[0] in COMMANDS


@pytest.mark.parametrize("called", ALL)
def test_every_help_fits_a_screen(called: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert cranfield(*called.split(), "--help").out.count("\n") <= 60
    every = cranfield("help", *called.split(), "--all").out
    assert all(name in every for name in options(ALL[called]) if name != "--help")


@pytest.mark.parametrize(("called", "arguments"), [(name, call) for name in EXAMPLES for call in EXAMPLES[name]])
def test_every_example_is_parsed(called: str, arguments: str) -> None:
    """The files of an example need not be there."""
    with ALL[called].make_context(called, shlex.split(arguments), **app.context_settings) as context:
        assert context.params


@pytest.mark.parametrize("called", ALL)
@pytest.mark.parametrize("columns", ["80", "100"])
def test_every_help_says_once_how_commands_end(called: str, columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    out = cranfield(*called.split(), "--help").out
    ends = " ".join(out.split()).partition(f" {ENDS}")[2]
    assert "Exit status:" not in ends
    assert ("5 runs left out" in ends) == ("--keep-going" in out)
    assert ("3 a regression, 4 too few topics to decide" in ends) == (called == "gate")
    assert ends.endswith(".") and out.count("Exit status:") == 1
    assert max(map(len, out.splitlines())) <= int(columns)


def test_threads_of_matrix_products_are_set_once() -> None:
    sources = Path(inspect.getfile(cranfield_cli())).parent.rglob("*.py")
    assert [path.name for path in sources if "OPENBLAS" in path.read_text()] == ["__init__.py"]


def cranfield_cli() -> Any:
    import cranfield.cli

    return cranfield.cli


# ---- what is printed


@pytest.mark.parametrize("called", TABLES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_json_is_a_signature_and_rows(called: str) -> None:
    found = json.loads(cranfield(*called.split(), *CALLS[called], "-f", "json").out)
    assert found.keys() == {"signature", "rows"}
    assert found["signature"]["cranfield"]
    assert found["rows"]
    assert not {"run", "source"} & found["rows"][0].keys() or called == "judges"


@pytest.fixture(scope="module")
def programs() -> Iterator[Warm]:
    """A process that has imported what the commands need."""
    warm = Warm([*THIRD_PARTIES, "cranfield"])
    yield warm
    warm.close()


def on_a_terminal(programs: Warm, arguments: tuple[str, ...], columns: int, stream: str = "stdout") -> list[str]:
    """What a terminal of so many columns gets on standard output, or on standard error; the other goes nowhere."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    seen: list[bytes] = []
    reader = threading.Thread(target=_read_all, args=(ours, seen))
    reader.start()
    streams = {1: os.devnull, 2: os.devnull} | {1 if stream == "stdout" else 2: os.ttyname(theirs)}
    ended = programs.run(PROGRAM, arguments, {"COLUMNS": None, "TERM": "dumb"}, streams)
    os.close(theirs)
    reader.join()
    os.close(ours)
    assert ended.status == 0 or stream == "stderr"
    return b"".join(seen).decode().splitlines()


def _read_all(terminal: int, seen: list[bytes]) -> None:
    with contextlib.suppress(OSError):  # the terminal was hung up
        while chunk := os.read(terminal, 65536):
            seen.append(chunk)


@pytest.mark.parametrize("called", sorted({*TABLES} - {"simulate scores"}))
@pytest.mark.parametrize("columns", [60, 80])
def test_no_line_is_wider_than_the_terminal(called: str, columns: int, programs: Warm) -> None:
    lines = on_a_terminal(programs, (*called.split(), *CALLS[called]), columns)
    assert lines
    assert max(map(width, lines)) <= columns, max(lines, key=width)


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "qrels.txt", "nothing_of_this_name_is_here_or_anywhere_else_in_this_folder.run"),
        ("stability", "--scores", "scores.csv", "--limit", "3"),
        ("evaluate", "qrels.txt", "best.run", "unjudged.run"),
    ],
)
@pytest.mark.parametrize("columns", [40, 72])
def test_complaints_wrap_on_a_terminal_only(arguments: tuple[str, ...], columns: int, programs: Warm) -> None:
    Path("unjudged.run").write_text("1 Q0 zzz 1 1.0 t\n")
    lines = on_a_terminal(programs, arguments, columns, "stderr")
    assert len(lines) > 1
    assert max(map(width, lines)) <= columns
    (piped,) = cranfield(*arguments).err.splitlines()
    assert len(piped) > columns
    assert "".join(piped.split()) == "".join("".join(lines).split())


def test_tests_of_differences_are_choices_from_one_list() -> None:
    (option,) = (option for option in judges.params if option.name == "test")
    assert isinstance(option.type, click.Choice)
    assert set(option.type.choices) == set(get_args(test_names.Test)) - {"welch", "dunnett"}
    assert get_args(test_names.Test) == get_args(Test)
    loaded = "import sys, cranfield.cli.judges; sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", loaded], check=True)
