"""Messages in the shell name options of the command that was called, not words of Python."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from command import cranfield

from cranfield._message import CLOSE, OPEN, message, setting
from cranfield.cli import app, name_options, remember
from cranfield.errors import InputError

evaluate = app.commands["evaluate"]
TWICE = "1 Q0 a 1 3 x\n1 Q0 a 2 2 x\n2 Q0 a 1 2 x\n"


@pytest.mark.parametrize(
    ("sentence", "python", "shell"),
    [
        (
            f"use {setting('missing', 'empty')} and {setting('undefined', 'declared')}",
            "use missing='empty' and undefined='declared'",
            "use --missing empty and --undefined declared",
        ),
        (
            f"2 is missing ({setting('missing=error')})",
            "2 is missing (missing=error)",
            "2 is missing (--missing error)",
        ),
        (f"take {setting('ties', 'docid', 'file')}.", "take ties='docid', 'file'.", "take --ties docid, file."),
        (f"say {setting('on_duplicate')}", "say on_duplicate=", "say --on-duplicate"),
        (f"name {setting('baseline')}", "name baseline=", "name baseline="),
        (setting("missing", "zero"), "missing='zero'", "missing='zero'"),
        (setting("ties", None), "ties=None", "ties=None"),
        (setting("rel=2"), "rel=2", "--rel 2"),
        (setting("rel", None), "rel=None", "rel=None"),
        (setting("bounds", True), "bounds=True", "--bounds"),
        (setting("bounds", False), "bounds=False", "bounds=False"),
        ("a stranger's ties=rank, missing='empty'", "a stranger's ties=rank, missing='empty'", None),
    ],
)
def test_settings_are_options(sentence: str, python: str, shell: str | None) -> None:
    """Those that the command has, with values that it offers; a stranger's text is none."""
    said = message(sentence)
    assert said == str(said) == python
    assert name_options(said, evaluate) == name_options(pickle.loads(pickle.dumps(said)), evaluate) == (shell or python)


def test_settings_stay_settings_in_another_sentence() -> None:
    refusal = InputError(f"take {setting('ties', 'docid')}", "ties=rank.run")
    again = InputError(refusal.text, "missing=empty.run")
    assert (str(again), again.text) == ("missing=empty.run: take ties='docid'", "take ties='docid'")
    assert name_options(again.args[0], evaluate) == "missing=empty.run: take --ties docid"


def test_what_stands_around_settings_is_written_out_in_a_strangers_text() -> None:
    said = message(f"{OPEN}ties=rank {setting('ties', 'rank')} {CLOSE}")
    assert said == "\\ufdd0ties=rank ties='rank' \\ufdd1"


def test_without_a_command_nothing_is_changed() -> None:
    remember(None, [])
    assert name_options(message(setting("ties=rank"))) == "ties=rank"


@pytest.mark.parametrize("topic", ["missing=empty", "ties='rank'", "on_duplicate=first"])
def test_an_id_like_a_setting_is_printed_as_it_is(topic: str, folder: Path) -> None:
    (folder / "odd.txt").write_text(f"1 0 a 1\n{topic} 0 a 1\n")
    ended = cranfield("evaluate", "odd.txt", "best.run", "--missing", "error")
    assert f"{topic} (--missing error)" in ended.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "qrels.txt", "best.run", "late.run", "--test", "dunnett"],
         "--test dunnett compares every system with one baseline: name one with --baseline"),
        (["evaluate", "qrels.txt", "short.run", "--input-format", "trec"], "is read with --input-format msmarco"),
        (["evaluate", "qrels.txt", "twice.run"], "--on-duplicate first would keep the better-ranked one"),
        (["evaluate", "qrels.txt", "one.run", "--missing", "error"], "(--missing error)"),
        (["compare", "qrels.txt", "best.run", "late.run", "--resamples", "9"], "--resamples 9, and --test t"),
        (["check", "qrels.txt", "twice.run"], "--on-duplicate first keeps only its better-ranked line"),
        (["information", "ric", "qrels.txt", "twice.run"], "--on-duplicate first would keep"),
    ],
)  # fmt: skip
def test_commands_say_so(arguments: list[str], said: str, folder: Path) -> None:
    (folder / "short.run").write_text("1 a 1\n")
    (folder / "twice.run").write_text(TWICE)
    (folder / "one.run").write_text("1 Q0 a 1 3 x\n")
    ended = cranfield(*arguments)
    assert said in ended.err + ended.out
    assert not any(word in ended.err + ended.out for word in ("on_duplicate=", "missing=", "test=", "input_format="))


def test_what_a_report_leaves_out(folder: Path) -> None:
    """It names an option of the report, or a command that has it."""
    topics = range(1, 7)
    (folder / "six.txt").write_text("".join(f"{topic} 0 a 1\n{topic} 0 b 0\n" for topic in topics))
    (folder / "all.run").write_text("".join(f"{topic} Q0 a 1 3 x\n" for topic in topics))
    (folder / "one.run").write_text("".join(f"{topic} Q0 b 1 3 x\n" for topic in topics[1:]))
    said = cranfield("report", "six.txt", "all.run", "one.run", "--missing", "skip", "-o", "page.html").err
    assert "evaluate with --missing empty" in said
    assert "`cranfield audit reliability --missing-scores zero`" in said
