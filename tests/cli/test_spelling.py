"""Messages in the shell name options of the command that was called, not words of Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import cranfield

from cranfield.cli._option_names import in_options, remember
from cranfield.cli.compare import compare
from cranfield.cli.evaluate import evaluate

TWICE = "1 Q0 a 1 3 x\n1 Q0 a 2 2 x\n2 Q0 a 1 2 x\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("use missing='empty' and undefined='declared'", "use --missing empty and --undefined declared"),
        ("2 is missing (missing=error)", "2 is missing (--missing error)"),
        ("on_duplicate=first would keep it", "--on-duplicate first would keep it"),
        ("name one with baselines=", "name one with baselines="),
        ("missing='zero'", "missing='zero'"),
        ("NDCG_std(unjudged=mean) and AP(rel=2)", "NDCG_std(unjudged=mean) and AP(rel=2)"),
        ("of system 'ties=rank' the system's 'part'", "of system 'ties=rank' the system's 'part'"),
        ("runs/ties=rank.run: no such file", "runs/ties=rank.run: no such file"),
        ("take one of ties='docid', 'file' or 'that'.", "take one of --ties docid, file or 'that'."),
        ("seed=-1 should be more; rel=2", "seed=-1 should be more; rel=2"),
        ("take method='holm'", "take method='holm'"),
    ],
)
def test_words_that_are_options(text: str, said: str) -> None:
    assert in_options(text, evaluate) == said


def test_a_word_without_a_value() -> None:
    assert in_options("name one with baselines=", compare) == "name one with --baseline"


def test_without_a_command_nothing_is_changed() -> None:
    remember(None, [])
    assert in_options("ties=rank") == "ties=rank"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "qrels.txt", "best.run", "late.run", "--test", "dunnett"],
         "--test dunnett compares every system with one baseline: name one with --baseline"),
        (["evaluate", "qrels.txt", "short.run", "--input-format", "trec"], "is read with --input-format msmarco"),
        (["evaluate", "qrels.txt", "twice.run"], "--on-duplicate first would keep the better-ranked one"),
        (["evaluate", "qrels.txt", "one.run", "--missing", "error"], "(--missing error)"),
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
    (folder / "one.run").write_text("1 Q0 a 1 3 x\n")
    said = cranfield("report", "qrels.txt", "best.run", "one.run", "--missing", "skip", "-o", "page.html").err
    assert "evaluate with --missing empty" in said
    assert "`cranfield reliability --missing-scores zero`" in said
