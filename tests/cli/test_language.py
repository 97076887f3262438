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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click
import pytest
from command import cranfield
from rich.cells import cell_len
from test_outputs import CALLS, commands, write_inputs

import cranfield as package
from choices import CHOICES, input_formats
from cranfield.cli import ENDS, app
from cranfield.cli._help import TOPICS
from cranfield.cli._options import ESTIMATES
from cranfield.cli._registry import COMMANDS, DECLARED, FIRST, MEANT
from cranfield.findings import REFUSALS, TABLE
from cranfield.io.formats import all_formats
from warm import PROGRAM, THIRD_PARTIES, Warm

ALL = commands()
TABLES = sorted(CALLS.keys() - {"conformance values", "fuse", "report", "check", "protocol init"})
"""Commands that print tables of their own; those of ``check`` are findings."""


@pytest.fixture(autouse=True)
def inputs(folder: Path) -> Path:
    write_inputs(folder)
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
        (name, (option.help or "").partition("  [default")[0])
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


PARAMETERS: dict[str, tuple[Callable[..., Any], str]] = {
    "--prior": (package.comparison.estimate_posterior, "prior"),
    "--names": (package.InputOptions, "names"),
    "--across-groups": (package.repeat_by_group, "across_groups"),
    "--weight-sum": (package.InputOptions, "weight_sum"),
    "--correction": (package.compare, "correction"),
    "--interval": (package.compare, "interval"),
    "--cannot-tell": (package.assert_no_regression, "cannot_tell"),
    "--cycles": (package.fusion.compute_fusion_bounds, "cycles"),
    "--unit": (package.trust.estimate_stability, "unit"),
    "--objective": (package.select_topics, "objective"),
    "--topic-sample": (package.holes.Holes.evaluate, "topic_sample"),
    "--copula": (package.simulation.simulate_scores, "copula"),
    "--margins": (package.simulation.simulate_scores, "margins"),
    "--missing-scores": (package.read_scores, "missing_scores"),
    "--resample": (package.trust.estimate_reliability, "resample"),
    "--topic-layout": (package.partitions.evaluate_partitions, "topics"),
    "compare prefer --correction": (package.comparison.prefer, "correction"),
    "--preference": (package.comparison.prefer, "preference"),
    "--mean-over": (package.compare, "mean_over"),
    "gate --mean-over": (package.comparison.gate, "mean_over"),
    "judges --mean-over": (package.agreement.compare_judges, "mean_over"),
    "audit --mean-over": (package.trust.audit, "mean_over"),
    "judges --combine": (package.agreement.combine_labels, "combine_by"),
    "compare --test": (package.compare, "test"),
    "table --test": (package.compare, "test"),
    "audit study-tests --test": (package.comparison.study_tests, "tests"),
    "audit study-tests --null": (package.comparison.study_tests, "null"),
    "audit sensitivity --test": (package.trust.estimate_sensitivity, "test"),
    "compare dominance --unjudged": (package.comparison.compare_dominance, "unjudged"),
    "compare dominance --discount": (package.comparison.compare_dominance, "discount"),
}
"""Option -> the parameter in Python that takes the same words."""
WORDS = {
    "--input-format": input_formats(),
    "gate --missing-scores": ("refuse",),
    "audit reliability --missing-scores": ("drop-topics", "drop-systems", "refuse", "zero"),
}
"""Option -> its words, where the annotation in Python is no list of them or longer."""


def literals(annotation: Any) -> list[tuple[str, ...]]:
    """The words of each ``Literal`` in an annotation."""
    if get_origin(annotation) is Literal:
        return [get_args(annotation)]
    return [words for part in get_args(annotation) for words in literals(part)]


def words_of(option: str) -> tuple[str, ...]:
    """The words that Python takes for an option."""
    if option in WORDS:
        return WORDS[option]
    function, parameter = PARAMETERS[option]
    annotation = inspect.signature(function).parameters[parameter].annotation
    if isinstance(annotation, str):
        annotation = eval(annotation, vars(sys.modules[function.__module__]))
    (words,) = set(literals(annotation))
    return words


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
    declared = DECLARED[called].every_option if called in DECLARED else {}  # these have one list of choices for both
    for word, option in options(ALL[called]).items():
        if not isinstance(option.type, click.Choice) or not word.startswith("--") or option.name in declared:
            continue
        names = f"{called} {word}", word
        policy = word[2:].replace("-", "_")
        if policy in CHOICES and called != "fuse" and names[0] not in PARAMETERS:
            estimated = tuple(ESTIMATES) if word == "--unjudged" and called in ("evaluate", "report") else ()
            estimated = ("estimate",) if word == "--unjudged" and called in ("compare", "gate") else estimated
            assert tuple(option.type.choices) == (*CHOICES[policy], *estimated)
        elif not any(name in ELSEWHERE for name in names) and (policy not in CHOICES or names[0] in PARAMETERS):
            known = next(name for name in names if name in PARAMETERS.keys() | WORDS.keys())
            assert tuple(option.type.choices) == words_of(known), names


# ---- nothing is promised that is refused


@pytest.mark.parametrize("called", sorted(CALLS))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_no_order_of_ties_is_promised_and_refused(called: str) -> None:
    option = options(ALL[called]).get("--ties")
    if option is None or "--scores" in CALLS[called]:
        return
    choices: tuple[str, ...] = getattr(option.type, "choices", ())
    for word in option.metavar.strip("[]").split("|") if option.metavar else choices:
        ended = cranfield(
            *called.split(), *CALLS[called], "--ties", word, *(("-o", "page") if called == "report" else ())
        )
        assert ended.status == 0, (called, word, ended.err)


@pytest.mark.parametrize("called", [name for name in CALLS if "--measure" in options(ALL[name])])
def test_several_measures_in_one_word(called: str) -> None:
    # The first table of `judges pairs` is of verdicts alone, and refuses a measure; `pool estimate` refuses these.
    if (
        called
        in ("difficulty abstention", "judges", "judges pairs", "compare", "diff", "audit scales", "pool estimate")
        or "--scores" in CALLS[called]
    ):
        return
    shared = (*called.split(), *CALLS[called])
    shared = shared[: shared.index("-m")] if "-m" in shared else shared
    form = ("-f", "json") if "-f" in options(ALL[called]) else ("-o", "page")
    if called == "gate":  # the runs differ by the same amount of RR on every topic, by which nothing can be told
        form += ("--cannot-tell", "pass")
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


def test_help_of_codes_lists_every_finding_and_every_code() -> None:
    words = " ".join(cranfield("help", "codes").out.split())
    for code, kind in TABLE.items():
        remedy = "" if kind.remedy == "None needed." else f" What to do: {kind.remedy}"
        assert f" {code} {kind.severity}: {kind.meaning}{remedy} " in words
    assert "What to do: None needed. " not in words
    for code, meaning in REFUSALS.items():
        assert f" {code} {meaning}" in words


def test_help_of_formats_lists_every_format() -> None:
    letters = "".join(cranfield("help", "formats").out.split())
    for name, form in all_formats().items():
        assert "".join(f"{name}{form.holds}.".split()) in letters
        assert "".join(f"Example: cranfield {form.example}".split()) in letters


def test_a_subcommand_by_itself_is_answered_with_its_path() -> None:
    assert "did you mean `cranfield audit stability`?" in cranfield("stability", "qrels.txt").err
    assert "did you mean pool budget?" in cranfield("help", "budget").err


def test_a_help_topic_lists_the_choices_of_every_command() -> None:
    out = " ".join(cranfield("help", "policies").out.split())
    assert "expected|bounds]" in out
    assert "or the range over them" in out


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


@pytest.mark.parametrize("screen", [*TOPICS, *ALL])
def test_no_help_shows_names_of_types_or_two_brackets(screen: str) -> None:
    shown = " ".join(cranfield("help", *screen.split()).out.split())
    assert " INTEGER" not in shown
    assert " FLOAT" not in shown
    assert "] [x" not in shown


@pytest.mark.parametrize(
    ("called", "arguments"), [(name, call) for name in ALL for call in getattr(ALL[name], "examples", ())]
)
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
    sources = Path(inspect.getfile(package.cli)).parent.rglob("*.py")
    assert [path.name for path in sources if "OPENBLAS" in path.read_text()] == ["__init__.py"]


# ---- what is printed


@pytest.mark.parametrize("called", TABLES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_json_is_a_signature_and_rows(called: str) -> None:
    found = json.loads(cranfield(*called.split(), *CALLS[called], "-f", "json").out)
    sealed = {"seal"} if called in ("evaluate", "standardize", "simulate scores") else set()
    assert found.keys() - {"notes"} == {"signature", "rows"} | sealed, "scores can be stored, and are sealed"
    assert all(note.keys() == {"code", "text"} and note["text"] for note in found.get("notes", ()))
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


@pytest.mark.slow
@pytest.mark.parametrize("called", sorted({*TABLES} - {"simulate scores"}))
@pytest.mark.parametrize("columns", [60, 80])
def test_no_line_is_wider_than_the_terminal(called: str, columns: int, programs: Warm) -> None:
    lines = on_a_terminal(programs, (*called.split(), *CALLS[called]), columns)
    assert lines
    assert max(map(cell_len, lines)) <= columns, max(lines, key=cell_len)


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "qrels.txt", "nothing_of_this_name_is_here_or_anywhere_else_in_this_folder.run"),
        ("audit", "stability", "--scores", "scores.csv", "--limit", "3"),
        ("evaluate", "qrels.txt", "best.run", "unjudged.run"),
    ],
)
@pytest.mark.parametrize("columns", [40, 72])
def test_complaints_wrap_on_a_terminal_only(arguments: tuple[str, ...], columns: int, programs: Warm) -> None:
    Path("unjudged.run").write_text("1 Q0 zzz 1 1.0 t\n")
    lines = on_a_terminal(programs, arguments, columns, "stderr")
    assert len(lines) > 1
    assert max(map(cell_len, lines)) <= columns
    (piped,) = cranfield(*arguments).err.splitlines()
    assert len(piped) > columns
    assert "".join(piped.split()) == "".join("".join(lines).split())


def test_tests_of_differences_are_choices_from_one_list() -> None:
    kind = options(ALL["judges"])["--test"].type
    assert isinstance(kind, click.Choice)
    assert set(kind.choices) == set(words_of("compare --test")) - {"welch", "dunnett"}
    loaded = "import sys, cranfield.cli; cranfield.cli.app.commands['judges']; sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", loaded], check=True)


def test_the_seed_comes_after_the_options_of_the_question() -> None:
    own = cranfield("gate", "--help").out.split("\nOptions:\n")[1].split("\n\n")[0]
    flags = [line.split()[0] for line in own.splitlines() if line.startswith("  -")]
    assert flags[-2:] == ["--seed", "-h,"]
