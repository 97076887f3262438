"""The program as a process: help, imports, pipes, terminals."""

from __future__ import annotations

import ast
import os
import pty
import re
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from command import cranfield, printed

import cranfield as package
from cranfield.cli import COMMANDS, app
from cranfield.measures import registry

PROGRAM = (sys.executable, "-m", "cranfield")


def program(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """``python -m cranfield`` in the working folder."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


def commands(command: click.Command, *path: str) -> Iterator[tuple[str, ...]]:
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, *path, name)


@pytest.mark.parametrize("path", list(commands(app)), ids=" ".join)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_command_explains_itself(path: tuple[str, ...], option: str) -> None:
    out = printed(*path, option)
    assert out.startswith(f"Usage: {' '.join(('cranfield', *path))} ")
    assert "Show this message and exit." in out
    assert all(len(line) <= 100 for line in out.splitlines())


@pytest.mark.parametrize("path", [(), ("simulate",)], ids=" ".join)
def test_a_command_that_needs_another_shows_its_help(path: tuple[str, ...]) -> None:
    ended = cranfield(*path)
    assert ended.status == 2
    assert ended.out + ended.err == printed(*path, "--help")


def test_every_command_and_option_has_a_help_text() -> None:
    assert {("evaluate",), ("measures",), ("simulate",), ("simulate", "runs")} <= set(commands(app))
    for path in commands(app):
        command: click.Command = app
        for name in path:
            assert isinstance(command, click.Group)
            command = command.commands[name]
        assert command.help
        assert not command.get_short_help_str(60).endswith("..."), f"{path} is cut in the list of commands"
        for parameter in command.params:
            assert isinstance(parameter, click.Argument) or getattr(parameter, "help", None), (path, parameter.name)


def test_version() -> None:
    assert re.fullmatch(
        rf"cranfield {re.escape(package.__version__)} \((compiled|reference) engine\)\n", printed("--version")
    )


def test_python_m(folder: Path) -> None:
    ended = program("evaluate", "qrels.txt", "best.run", "-m", "RR", "-f", "tsv")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == "system\ttopic\tmeasure\tvalue\nbest\tall\tRR\t1.0\n"
    ended = program("evaluate", "qrels.txt", "nothing.run")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("cranfield: error: nothing.run: no such file")
    assert program("evaluate", "qrels.txt", "best.run", "-m", "nope").returncode == 2


def test_the_reference_engine_prints_the_same(folder: Path) -> None:
    usual = printed("evaluate", "qrels.txt", "best.run", "late.run", "-q", "-f", "tsv")
    ended = program("evaluate", "qrels.txt", "best.run", "late.run", "-q", "-f", "tsv", CRANFIELD_ENGINE="reference")
    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", usual)
    ended = program("evaluate", "qrels.txt", "best.run", CRANFIELD_ENGINE="fast")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "cranfield: error: CRANFIELD_ENGINE='fast' should be reference, compiled or empty\n"


HEAVY = {"xarray", "pandas", "scipy", "rich", "narwhals", "hypothesis", "matplotlib", "polars", "pyarrow"}


TELLS = """
import atexit, sys
from cranfield.__main__ import main
atexit.register(lambda: print(*sys.modules, sep="\\n", file=sys.stderr))
main()
"""


def imported(*arguments: str) -> set[str]:
    ended = subprocess.run(
        [sys.executable, "-c", TELLS, *arguments], capture_output=True, encoding="utf-8", timeout=60, check=True
    )
    modules = set(ended.stderr.splitlines())
    assert "cranfield.cli" in modules
    return modules


@pytest.mark.parametrize("form", ["tsv", "table"])
def test_scoring_imports_nothing_heavy(folder: Path, form: str) -> None:
    modules = imported("evaluate", "qrels.txt", "best.run", "--format", form)
    assert "numpy" in modules
    assert not modules & HEAVY


@pytest.mark.usefixtures("compiled")
def test_the_version_needs_no_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_ENGINE", "compiled")
    assert not imported("--version") & (HEAVY | {"numpy"})


SPARED = {"json", "numpy.typing", "concurrent.futures", "logging", "numpy.ma", "numpy.random", "importlib.metadata"}


@pytest.mark.usefixtures("compiled")
def test_one_evaluation_imports_no_more_than_it_needs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_ENGINE", "compiled")  # the other one is some thirty files more
    modules = imported("evaluate", "qrels.txt", "best.run", "-m", "nDCG@10", "-m", "AP", "--format", "tsv")
    assert not modules & SPARED
    ours = {name for name in modules if name.startswith("cranfield.")}
    assert len(ours) <= 142, "import what few calls need where it is needed, or raise this if each call needs it"


def test_help_does_not_wait_for_numpy_nor_for_commands() -> None:
    ours = {f"cranfield.cli.{path.rpartition(' ')[2].replace('-', '_')}" for path in COMMANDS}
    assert not imported("--help") & (HEAVY | ours | {"numpy"})
    of_one = imported("evaluate", "--help")
    assert not of_one & ours, "it is declared, and its function is imported when it is called"
    assert not of_one & (HEAVY | {"numpy"})


@pytest.mark.parametrize("arguments", [("measures",), ("evaluate", "qrels.txt", "best.run", "-f", "json"), ("--help",)])
def test_a_reader_that_left_is_no_error(folder: Path, arguments: tuple[str, ...]) -> None:
    process = subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait(60) == 0


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("gate", "qrels.txt", "best.run", "late.run", "--cannot-tell", "fail"), 3),
        (("gate", "qrels.txt", "best.run", "late.run"), 4),
        (("check", "qrels.txt", "best.run", "absent.run"), 1),
        (("evaluate", "qrels.txt", "best.run", "absent.run", "--keep-going"), 5),
    ],
)
def test_a_reader_that_left_changes_no_status(folder: Path, arguments: tuple[str, ...], status: int) -> None:
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run([*PROGRAM, *arguments], stdout=write, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(write)
    assert ended.returncode == status
    assert b"rror" not in ended.stderr


def test_the_first_line_of_much(folder: Path) -> None:
    topics = "".join(f"{number} 0 a 1\n" for number in range(20_000))
    (folder / "qrels.txt").write_text(topics)
    (folder / "x.run").write_text("".join(f"{number} Q0 a 1 1 x\n" for number in range(20_000)))
    command = f'"{sys.executable}" -m cranfield evaluate qrels.txt x.run -q -f tsv | head -1'
    ended = subprocess.run(["bash", "-c", command], capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "system\ttopic\tmeasure\tvalue\n", "")


@pytest.mark.parametrize("engine", ["", "reference"])
def test_a_file_name_that_is_no_text(folder: Path, engine: str) -> None:
    Path("best.run").rename(os.fsdecode(b"\xff.run"))
    for form, row in {
        "tsv": b"\n\\udcff\tall\tRR\t1.0\n",
        "csv": b"\n\\udcff,all,RR,1.0\n",
        "table": b"\\udcff",
    }.items():
        ended = subprocess.run(
            [*PROGRAM, "evaluate", "qrels.txt", b"\xff.run", "-m", "RR", "-f", form],
            capture_output=True,
            env={**os.environ, "CRANFIELD_ENGINE": engine},
            timeout=60,
            check=False,
        )
        assert (ended.returncode, ended.stderr) == (0, b"")
        assert row in ended.stdout


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_stream_that_lacks_letters_is_no_crash(folder: Path, encoding: str) -> None:
    (folder / "bést-模型.run").write_text((folder / "best.run").read_text())
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    for form in ("table", "tsv", "json"):
        ended = subprocess.run(
            [*PROGRAM, "evaluate", "qrels.txt", "bést-模型.run", "-m", "RR", "-f", form],
            capture_output=True,
            env=environment,
            timeout=60,
            check=False,
        )
        assert (ended.returncode, ended.stderr) == (0, b"")
        assert b"1.0" in ended.stdout


# ---- on a terminal


def on_a_terminal(*arguments: str, columns: int = 80) -> str:
    """What a terminal gets."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    # C libraries put COLUMNS into the environment behind Python's back.
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    process = subprocess.Popen(
        [*PROGRAM, *arguments], stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL, env=environment
    )
    os.close(theirs)
    seen = b""
    try:
        while chunk := os.read(ours, 65536):
            seen += chunk
    except OSError:
        pass  # the terminal was hung up
    finally:
        os.close(ours)
    assert process.wait(60) == 0
    return seen.decode()


def test_a_terminal_shows_the_best_in_bold_and_names_harmlessly(folder: Path) -> None:
    (folder / "\x1b[31mlate.run").write_text((folder / "late.run").read_text())
    seen = on_a_terminal("evaluate", "qrels.txt", "best.run", "\x1b[31mlate.run", "-m", "RR")
    assert "\x1b[1m1.0000*\x1b[0m" in seen
    assert "\\x1b[31mlate" in seen
    assert "\x1b[31m" not in seen


def test_a_terminal_gets_plain_data(folder: Path) -> None:
    assert on_a_terminal("evaluate", "qrels.txt", "best.run", "-m", "RR", "-f", "tsv") == (
        "system\ttopic\tmeasure\tvalue\r\nbest\tall\tRR\t1.0\r\n"
    )
    on_a_terminal("evaluate", "qrels.txt", "best.run", "late.run", "-m", "RR", "-o", "table.txt")
    assert "\x1b" not in (folder / "table.txt").read_text()


def test_a_terminal_sees_progress_over_many_runs(folder: Path) -> None:
    for number in range(9):
        (folder / f"r{number}.run").write_text((folder / "best.run").read_text())
    runs = [f"r{number}.run" for number in range(9)]
    assert "reading runs" in on_a_terminal("evaluate", "qrels.txt", *runs, "-f", "tsv")
    assert "reading runs" not in on_a_terminal("evaluate", "qrels.txt", *runs[:2], "-f", "tsv")
    assert "reading" not in cranfield("evaluate", "qrels.txt", *runs, "-f", "tsv").err


def test_a_terminal_sees_progress_of_judges(folder: Path) -> None:
    labels = "".join(f"q{topic} 0 d{at} {at}\n" for topic in range(9) for at in range(3))
    for name in ("one.txt", "two.txt"):
        (folder / name).write_text(labels + f"q0 0 {name} 0\n")
    call = ("information", "judges", "one.txt", "two.txt", "-f", "tsv")
    assert "comparing documents" in on_a_terminal(*call)
    assert "comparing" not in cranfield(*call).err


@pytest.mark.slow
def test_a_terminal_sees_progress_over_many_pairs(folder: Path) -> None:
    names = [f"s{number}" for number in range(200)]
    rows = [f"t{topic}," + ",".join(f"0.{(7 * topic * at) % 97:02d}" for at in range(200)) for topic in range(1, 6)]
    (folder / "AP.csv").write_text("\n".join([",".join(["topic", *names]), *rows]) + "\n")
    for command in (("audit",), ("audit", "sensitivity")):
        call = (*command, "--scores", "AP.csv", "--resamples", "20", "-f", "tsv")
        assert "testing pairs, in %" in on_a_terminal(*call)
        assert "testing" not in cranfield(*call).err


@pytest.mark.slow
def test_a_terminal_sees_progress_over_many_groups(folder: Path) -> None:
    topics = [f"t{number}" for number in range(24)]
    rows = [f"{topic},0.{at + 10},0.{at * 3 % 17 + 10}" for at, topic in enumerate(topics)]
    (folder / "AP.csv").write_text("\n".join(["topic,a,b", *rows]) + "\n")
    (folder / "groups.txt").write_text("".join(f"{topic} g{at % 8}\n" for at, topic in enumerate(topics)))
    for command in (("compare",), ("compare", "bayes")):
        call = (*command, "--scores", "AP.csv", "--topic-groups", "groups.txt", "-f", "tsv")
        assert "groups of topics" in on_a_terminal(*call)
        assert "groups of topics" not in cranfield(*call).err
    across = ("compare", "--scores", "AP.csv", "--topic-groups", "groups.txt", "--across-groups", "holm", "-f", "tsv")
    assert "groups of topics" in on_a_terminal(*across)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [60, 80])
def test_a_narrow_terminal_breaks_no_words(columns: int) -> None:
    for name in ((), ("infAP",)):
        seen = on_a_terminal("measures", *name, columns=columns).splitlines()
        assert columns - 10 < max(map(len, seen)) < columns
        assert " ".join(seen).split() == printed("measures", *name).split()
    assert max(map(len, on_a_terminal("measures", columns=200).splitlines())) <= 100


def test_listing_is_no_longer_than_the_registry_needs() -> None:
    entries = len(registry) + sum(len(declaration.versions) for declaration in registry.values())
    assert len([line for line in printed("measures").splitlines() if line and line[0] != " "]) == entries + 1


def test_a_click_that_misreads_flags_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to 8.2.1 the value of a flag is used where it is not given; in 8.2.2 none is False."""
    for misread in ({"value": "given"}, {"open": False}):

        class Misreading(click.Command):
            def make_context(self, *arguments: Any, misread: dict[str, Any] = misread, **more: Any) -> click.Context:
                context = super().make_context(*arguments, **more)
                context.params |= misread
                return context

        with monkeypatch.context() as patched:
            patched.setattr(click, "Command", Misreading)
            ended = cranfield("measures", "AP")
        assert (ended.status, ended.out) == (2, "")
        assert " ".join(ended.err.split()) == (
            "cranfield: error: the installed Click takes flags for given that are not, which would change numbers: "
            "pip install --upgrade click (8.4 or later is needed)"
        )
    assert cranfield("measures", "AP").status == 0


def test_an_option_with_a_value_of_its_own_says_that_it_is_a_flag() -> None:
    """Clicks differ in what they make of one that does not."""
    calls = [
        {word.arg for word in node.keywords}
        for path in (Path(package.__file__).parent / "cli").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]
    flags = [words for words in calls if "flag_value" in words]
    assert flags
    assert all("is_flag" in words for words in flags)
