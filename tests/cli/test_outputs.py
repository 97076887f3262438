"""Where commands write, under attack: inputs, links, modes, devices and full disks, for all that have an output."""

from __future__ import annotations

import gzip
import json
import os
import re
import stat
from collections.abc import Callable
from functools import cache
from pathlib import Path

import click
import pytest
from command import cranfield, printed

from cranfield.cli import COMMANDS, DECLARED, app

FILES = ("FILE", "QRELS", "RUN", "SCORES")
"""Words by which the metavar of an option or an argument says that a file is named."""
OUTPUTS = ("output", "truth", "fit", "statement", "also")
"""The options among them by which files are written."""
VERDICTS = "topic\tleft\tright\tverdict\n1\ta\tb\tleft\n1\tb\ta\tright\n2\ta\tb\tleft\n2\tb\ta\tleft\n"
PRELS = "1 0 a 1 1\n1 0 c 1 -1\n1 0 u 1 0\n2 0 a 1 1\n2 0 b 1 0\n"
SCORES = "topic,a,b,c,d\n1,0.5,0.25,0.1,0.3\n2,0.75,0.5,0.2,0.4\n3,0.25,0.5,0,0.1\n4,1,0.5,0.25,0.2\n"
ROWS = "system,topic,measure,value\n" + "".join(
    f"{system},{topic},{measure},{0.25 * topic}\n" for system in "ab" for topic in (1, 2, 3) for measure in ("RR", "AP")
)
CASES = Path(__file__).parents[2] / "conformance" / "cases" / "precision-at-3--short-list.json"
OF_SCORES, OF_RUNS = ("--scores", "scores.csv"), ("qrels.txt", "best.run", "late.run")
"""What analyses of scores and of runs are given."""
OWN_CALLS: dict[str, tuple[str, ...]] = {
    "judges": ("qrels.txt", "other.txt", "-r", "best.run", "-r", "late.run"),
    "board average": ("rows.csv",),
    "judges combine": ("qrels.txt", "other.txt", "--show", "labels"),
    "judges pairs": ("verdicts.tsv",),
    "judges panel": ("qrels.txt", "other.txt", "third.txt"),
    "board": ("scores.csv", "--rows", "tasks", "--values-only", "--min-tasks", "2"),
    "compare": OF_RUNS,
    "diff": OF_RUNS,
    "fuse": ("best.run", "late.run"),
    "gate": ("qrels.txt", "late.run", "best.run", "--margin", "1"),
    "information judges": ("qrels.txt", "other.txt", "third.txt"),
    "information select": (*OF_RUNS, "-n", "2"),
    "information tau": ("qrels.txt", "best.run", "late.run", "-m", "RR", "-m", "AP"),
    "check labels": ("qrels.txt",),
    "measures": (),
    "conformance": ("cases.jsonl",),
    "conformance values": ("cases.jsonl",),
    "pool order": ("best.run", "late.run"),
    "pool sample": ("best.run", "late.run"),
    "pool estimate": ("sampled.prels", "best.run", "late.run", "-m", "P@2"),
    "protocol init": ("evaluate", "qrels.txt", "best.run", "-m", "RR"),
    "report": OF_RUNS,
    "reproduce": ("qrels.txt", "--original", "best.run", "late.run", "--again", "late.run", "best.run"),
    "audit penalty": (*OF_RUNS, "--harmful", "1"),
    "audit scales": (*OF_RUNS, "-m", "RR@3"),
    "audit select-topics": ("-n", "2", "--scores", "scores.csv"),
    "simulate scores": OF_SCORES,
    "standardize": OF_SCORES,
    "standardize study": (*OF_SCORES, "--trials", "3"),
    "standardize means": (*OF_SCORES, "--resamples", "20"),
    "table": OF_RUNS,
    "audit study-tests": (*OF_SCORES, "--trials", "3", "--resamples", "40"),
}
"""Command -> what it reads, where that does not follow from its declaration, or is not enough."""
OF_KINDS = {"FromScores": OF_SCORES, "FromRuns": OF_RUNS}
CALLS = {
    called: OF_KINDS[kind]
    for called, listed in DECLARED.items()
    if (kind := type(listed.facts.inputs).__name__) in OF_KINDS and called != "pool settle"
} | OWN_CALLS
"""Command -> what it reads."""


def write_inputs(folder: Path) -> None:
    """Write what the calls read beside runs and judgments."""
    (folder / "scores.csv").write_text(SCORES)
    (folder / "sampled.prels").write_text(PRELS)
    (folder / "rows.csv").write_text(ROWS)
    (folder / "verdicts.tsv").write_text(VERDICTS)
    (folder / "cases.jsonl").write_text(json.dumps(json.loads(CASES.read_text())))
    for name in ("other.txt", "third.txt"):
        (folder / name).write_text((folder / "qrels.txt").read_text())


@pytest.fixture(autouse=True)
def inputs(folder: Path) -> Path:
    write_inputs(folder)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def commands() -> dict[str, click.Command]:
    """Every command that does something, by what is typed: of a group, its subcommands."""
    found: dict[str, click.Command] = {}
    for path in COMMANDS:
        command = app.commands[path]
        inner = command.commands if isinstance(command, click.Group) else {"": command}
        found |= {f"{path} {below}".strip(): each for below, each in inner.items()}
    return found


def evaluate_to(place: str | Path) -> None:
    printed("evaluate", "qrels.txt", "best.run", "-m", "RR", "-f", "tsv", "-o", place)


WRITTEN = b"system\ttopic\tmeasure\tvalue\nbest\tall\tRR\t1.0\n"


def test_every_command_with_an_output_is_called_here() -> None:
    named = {name for name, command in commands().items() if any(one.name == "output" for one in command.params)}
    assert named == CALLS.keys() | {"example", "simulate runs", "pool settle"}, "folders, and more judgments"


def test_every_option_that_names_a_file_is_known() -> None:
    """What is called otherwise would be no input: here the other metavars of text are seen to name no file."""
    others = {
        parameter.metavar
        for command in commands().values()
        for parameter in command.params
        if parameter.metavar
        and not isinstance(parameter.type, click.Choice)
        and not any(word in parameter.metavar for word in FILES)
    }
    assert others == {
        "A",
        "ADDRESS",
        "BITS",
        "[NAME=]COST",
        "COLUMN",
        "COMMAND",
        "RANK:SHARE",
        "TEAM",
        "[ARGUMENT...]",
        "DIR",
        "ID",
        "MEASURE",
        "SEPARATOR",
        "SIZE",
        "N",
        "NAME",
        "NUMBER,...",
        "JUDGE=SYSTEM",
        "SCHEME",
        "TASK",
        "[COMMAND|TOPIC]",
        "[both|topics|clusters]",
        "SYSTEM",
        "LIST",
        "LOSS",
        "[MEASURE=]LOSS",
        "[NAME=]LABEL",
        "[SYSTEM=]MEAN",
        "ROLE=COLUMN,...",
        "WORD=NUMBER,...",
        "TYPE",
        "W",
        "[mean|first|last|both]",
    }
    written = {
        parameter.name for command in commands().values() for parameter in command.params if parameter.name in OUTPUTS
    }
    assert written == set(OUTPUTS)


def hard(name: str) -> str:
    os.link(name, "hard")
    return "hard"


def soft(name: str) -> str:
    Path("soft").symlink_to(name)
    return "soft"


def absolute(name: str) -> str:
    return str(Path(name).absolute())


@pytest.mark.parametrize("called", CALLS)
def test_no_input_is_overwritten(folder: Path, called: str) -> None:
    for name in dict.fromkeys(word for word in CALLS[called] if "." in word):
        before = contents(folder)
        ended = cranfield(*called.split(), *CALLS[called], "-o", name)
        said = f"cranfield: error: {name}: cannot be written: this command reads it; name another file\n"
        assert (ended.status, ended.out, ended.err) == (1, "", said)
        assert contents(folder) == before


@pytest.mark.parametrize("by", [hard, soft, absolute], ids=lambda by: by.__name__)
def test_nor_by_another_name(folder: Path, by: Callable[[str], str]) -> None:
    name = by("late.run")
    before = contents(folder)
    for runs in (("best.run", "late.run"), ("*.run",), ("best.run", "l?te.run")):
        ended = cranfield("fuse", *runs, "-o", name)
        said = f"cranfield: error: {name}: cannot be written: this command reads it; name another file\n"
        assert (ended.status, ended.out, ended.err) == (1, "", said)
        assert contents(folder) == before


@pytest.mark.parametrize(
    ("called", "option", "name"),
    [
        (("check", "qrels.txt", "best.run"), "--docids", "ids.txt"),
        (("compare", "qrels.txt", "best.run", "late.run"), "--intent-weights", "weights.txt"),
        (("diff", "qrels.txt", "best.run", "late.run"), "--topics", "topics.tsv"),
        (("diff", "qrels.txt", "best.run", "late.run"), "--document-texts", "texts.tsv"),
        (("gate", "qrels.txt", "best.run"), "--against", "baseline.json"),
        (("evaluate", "qrels.txt", "best.run"), "--intent-weights", "weights.txt"),
        (("report", "qrels.txt", "best.run", "late.run"), "--judge", "other.txt"),
        (("protocol", "init", "evaluate", "qrels.txt", "-m", "RR"), "--intent-weights", "weights.txt"),
        (("report", "qrels.txt", "best.run", "late.run"), "--factors", "factors.json"),
        (("standardize", "--scores", "scores.csv"), "--factors", "factors.json"),
        (("information", "ric", "qrels.txt", "best.run", "late.run"), "--preferences", "preferences.txt"),
        (("information", "ric", "qrels.txt", "best.run"), "--reference-ranking", "late.run"),
    ],
    ids=str,
)
def test_inputs_named_by_options(folder: Path, called: tuple[str, ...], option: str, name: str) -> None:
    (folder / name).touch()
    before = contents(folder)
    ended = cranfield(*called, option, name, "-o", name)
    said = f"cranfield: error: {name}: cannot be written: this command reads it; name another file\n"
    assert (ended.status, ended.out, ended.err) == (1, "", said)
    assert contents(folder) == before


@pytest.mark.parametrize("option", ["--truth", "--fit"])
def test_two_outputs_in_one_place(folder: Path, option: str) -> None:
    called = {"--truth": ("simulate", "scores"), "--fit": ("standardize",)}[option]
    Path("soft").symlink_to("new")
    before = contents(folder)
    for place, refused, reason in (
        ("new", "new", "two outputs would go there"),
        ("soft", "new", "two outputs would go there"),
        ("scores.csv", "scores.csv", "this command reads it"),
    ):
        output = "elsewhere" if place == "scores.csv" else "new"
        ended = cranfield(*called, "--scores", "scores.csv", option, place, "-o", output)
        said = f"cranfield: error: {refused}: cannot be written: {reason}; name another file\n"
        assert (ended.status, ended.out, ended.err) == (1, "", said)
        assert contents(folder) == before


@pytest.mark.parametrize("name", ["scores", "scores/"])
def test_a_file_of_a_folder_that_is_read_is_not_replaced(folder: Path, name: str) -> None:
    Path("scores").mkdir()
    for file in ("a.csv", "b.csv"):
        Path("scores", file).write_text("topic,a,b\n1,.5,.25\n2,1,.75\n3,.5,.5\n")
    before = contents(Path("scores"))
    for command, output in (("compare", "scores/b.csv"), ("audit", "../" + Path.cwd().name + "/scores/a.csv")):
        ended = cranfield(command, "--scores", name, "-m", "a", "-o", output)
        said = f"cranfield: error: {output}: cannot be written: this command reads it; name another file\n"
        assert (ended.status, ended.out, ended.err) == (1, "", said)
        assert contents(Path("scores")) == before


def test_no_folder_that_is_read_is_replaced(folder: Path) -> None:
    printed("evaluate", *OF_RUNS, "-m", "AP", "-q", "-o", "scores/")
    before = contents(Path("scores"))
    for name in ("scores/", "scores/part-00000.parquet"):
        ended = cranfield("standardize", "--scores", name, "-f", "parquet", "-o", "scores/")
        said = "cranfield: error: scores/: cannot be written: this command reads it; name another file\n"
        assert (ended.status, ended.out, ended.err) == (1, "", said)
        assert contents(Path("scores")) == before


def test_a_title_is_no_input(folder: Path) -> None:
    (folder / "title").write_text("before")
    printed("fuse", "best.run", "late.run", "--tag", "title", "-o", "title")
    assert (folder / "title").read_text().startswith("1 Q0 ")


# ---- what is there already


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o664, 0o200, 0o755])
def test_a_mode_is_kept(folder: Path, mode: int) -> None:
    (folder / "scores").write_text("before")
    (folder / "scores").chmod(mode)
    evaluate_to("scores")
    assert stat.S_IMODE((folder / "scores").stat().st_mode) == mode
    assert (folder / "scores").read_bytes() == WRITTEN


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_has_the_usual_mode(folder: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        evaluate_to("new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder / "new").stat().st_mode) == mode


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o555, 0o000])
@pytest.mark.parametrize("by", [None, soft])
def test_a_read_only_file_stays(folder: Path, mode: int, by: Callable[[str], str] | None) -> None:
    (folder / "scores").write_text("before")
    (folder / "scores").chmod(mode)
    name = by("scores") if by else "scores"
    ended = cranfield("evaluate", "qrels.txt", "best.run", "-o", name)
    said = f"cranfield: error: {name}: cannot be written: it is read-only; make it writable, or name another file\n"
    assert (ended.status, ended.out, ended.err) == (1, "", said)
    (folder / "scores").chmod(0o644)
    assert (folder / "scores").read_text() == "before"


def test_a_read_only_folder_is_found_before_the_work(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that the commands read is there, which the work would find first."""
    for path in folder.iterdir():
        path.unlink()
    monkeypatch.setattr("cranfield.io.atomic_write._may", lambda path, mode: False)
    for words in (
        *((*called.split(), *CALLS[called], "-o", "new") for called in CALLS),
        ("evaluate", *OF_RUNS, "-q", "-o", "new/"),
        ("standardize", *OF_SCORES, "-f", "parquet", "-o", "new/"),
        ("example", "-o", "new"),
        ("simulate", "runs", "-o", "new"),
        ("conformance", "generate", "new"),
        ("report", *OF_RUNS, "--runs", "teams.tsv", "--participants", "new"),
    ):
        ended = cranfield(*words)
        assert (ended.status, ended.out, ended.err.count("\n")) == (1, "", 1)
        assert re.match(
            "cranfield: error: new.*: cannot be written: .* read-only; make it writable, or name", ended.err
        )
    assert not list(folder.iterdir())


def test_a_link_stays_a_link(folder: Path) -> None:
    (folder / "below").mkdir()
    for target, exists in (("below/there", True), ("below/new", False)):
        if exists:
            Path(target).write_text("before")
        Path("first").symlink_to(target)
        Path("second").symlink_to("first")
        evaluate_to("second")
        assert (Path("first").is_symlink(), Path("second").is_symlink()) == (True, True)
        assert Path(target).read_bytes() == WRITTEN
        Path("first").unlink()
        Path("second").unlink()


def test_the_other_name_of_a_file_keeps_what_it_held(folder: Path) -> None:
    Path("scores").write_text("before")
    evaluate_to(hard("scores"))
    assert (Path("scores").read_text(), Path("hard").read_bytes()) == ("before", WRITTEN)


@pytest.mark.parametrize("links", [("loop",), ("loop", "there")])
def test_a_loop_of_links(folder: Path, links: tuple[str, ...]) -> None:
    for here, there in zip(links, (*links[1:], links[0]), strict=True):
        Path(here).symlink_to(there)
    before = contents(folder)
    ended = cranfield("evaluate", "qrels.txt", "best.run", "-o", "loop")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith("cranfield: error: loop: cannot be written: ")
    assert ended.err.count("\n") == 1
    assert contents(folder) == before


@pytest.mark.parametrize("called", CALLS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_full_device(folder: Path, called: str) -> None:
    before = contents(folder)
    ended = cranfield(*called.split(), *CALLS[called], "-o", "/dev/full")
    assert (ended.status, ended.out) == (1, "")
    said = "cannot be written: No space left on device; make room there, or name another place"
    assert ended.err.splitlines()[-1] == f"cranfield: error: /dev/full: {said}"
    assert Path("/dev/full").is_char_device()
    assert contents(folder) == before


FORMATTED = {
    called: option
    for called in CALLS
    for option in commands()[called].params
    if (option.name, option.default) == ("format_", "table")
    and any(other.name == "output" for other in commands()[called].params)
}
"""Commands that print a table, and have a format and an output."""


@pytest.mark.slow
@pytest.mark.parametrize("called", FORMATTED)
def test_a_name_says_its_format_where_no_option_does(folder: Path, called: str) -> None:
    (folder / "scores.csv").write_text(SCORES)
    choices = FORMATTED[called].type.choices  # type: ignore[attr-defined]

    @cache
    def said(form: str) -> tuple[int, bytes]:
        ended = cranfield(*called.split(), *CALLS[called], "-f", form, "-o", "by_name.txt")
        return ended.status, (folder / "by_name.txt").read_bytes()

    for ending, word in (("csv", "csv"), ("JSON", "json"), ("tex", "latex"), ("md", "markdown"), ("xml", "junit")):
        named = cranfield(*called.split(), *CALLS[called], "-o", f"by_name.{ending}")
        status, data = said(word if word in choices else "table")
        assert (named.status, named.out) == (status, "")
        assert (folder / f"by_name.{ending}").read_bytes() == data


def test_an_option_says_more_than_a_name(folder: Path) -> None:
    for name, words, first in (
        ("a.csv", ("-f", "table"), "    system       AP\n"),
        ("b.tsv.gz", (), "system\ttopic\tmeasure\tvalue\n"),
        ("c.dat", (), "    system       AP\n"),
        ("d.csv", ("-f", "tsv"), "system\ttopic\tmeasure\tvalue\n"),
    ):
        cranfield("evaluate", "qrels.txt", "best.run", "-m", "AP", *words, "-o", name)
        data = (folder / name).read_bytes()
        text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
        assert text.startswith(first)
