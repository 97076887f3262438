"""Every option of every command changes what each of its tables prints, or is refused by name: none vanishes."""

from __future__ import annotations

import dataclasses
import json

import click
import pytest
from every_option import Caller, Finding, Table, find_tables, is_derived, list_commands, look
from option_inputs import write_inputs

from cranfield import InputOptions, UsageError
from cranfield.cli import app

VARIANTS = ("plain", "broken", "twice", "named", "intents")
"""Inputs that are tried."""
FILES = {field.name for field in dataclasses.fields(InputOptions)}
OF_FILES = {*FILES, "exclude", "missing_scores", "keep_going", "protocol", "protocol_outside"}
"""Options about what files may hold: they need not show in each table, as no file holds everything, but in one."""

EMULATED = ("trec_eval",)
"""A command that prints what another program prints, and ignores what that ignores."""
COMMANDS = {path: command for path, command in list_commands().items() if path not in EMULATED}
ESTIMATES = ("evaluate", "compare", "gate")


@pytest.fixture(scope="module")
def caller(tmp_path_factory: pytest.TempPathFactory) -> Caller:
    return Caller(write_inputs(tmp_path_factory.mktemp("options")))


def list_wrong(findings: list[Finding]) -> list[str]:
    """List the options that vanish, or are refused without being named."""
    shown = {finding.option.name for finding in findings if finding.is_shown}
    return [
        str(finding)
        for finding in findings
        if not (finding.is_right or (finding.option.name in OF_FILES and finding.option.name in shown))
    ]


def list_untried(findings: list[Finding]) -> list[str]:
    """List the options of which no derived value shows anywhere."""
    shown = {finding.option.name for finding in findings if finding.is_shown}
    return [str(finding) for finding in findings if is_derived(finding.option) and finding.option.name not in shown]


@pytest.mark.slow
@pytest.mark.parametrize("path", ESTIMATES)
def test_no_option_vanishes_under_estimates(caller: Caller, path: str) -> None:
    """Another function takes the place of the command there."""
    table = Table(path, COMMANDS[path], ("--unjudged", "estimate"))
    options = [option for option in table.options if option.name not in OF_FILES]
    assert list_wrong([look(caller, table, option, VARIANTS[:1]) for option in options]) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", COMMANDS)
def test_no_option_vanishes(caller: Caller, path: str) -> None:
    findings: list[Finding] = []
    shown: set[str] = set()
    for table in find_tables(caller, path, COMMANDS[path]):
        # An option about files that showed in one table may do what it likes in the others.
        options = [option for option in table.options if option.name not in OF_FILES & shown]
        findings += [look(caller, table, option, VARIANTS) for option in options]
        shown |= {str(finding.option.name) for finding in findings if finding.is_shown}
    assert list_wrong(findings) == []
    assert list_untried(findings) == [], "refused everywhere: give a value on which it shows in option_inputs.py"


def test_an_option_that_vanishes_is_found(caller: Caller) -> None:
    """The search itself: a command that ignores options, shows others, and only signs one; none is listed by hand."""

    @click.command()
    @click.option("--digits", type=int)
    @click.option("--limit", type=int)
    @click.option("--seed", type=int)
    @click.option("--unheard", metavar="NAME")
    @click.option("--heard")
    @click.option("--read-late", metavar="QRELS")
    @click.option("--share", type=float)
    def idle(limit: int | None, seed: int | None, heard: str | None, share: float | None, **_: object) -> None:
        rows = [{"limit": limit, "heard": heard, "share": share}]
        click.echo(json.dumps({"signature": {"seed": seed}, "rows": rows}))

    app.commands["idle"] = idle
    try:
        findings = [look(caller, Table("idle", idle), option, ("plain",)) for option in Table("idle", idle).options]
    finally:
        del app.commands["idle"]
    found = {str(finding.option.name): finding.outcome for finding in findings}
    assert [name for name, outcome in found.items() if outcome == "shows"] == ["limit", "heard", "share"]
    assert [name for name, outcome in found.items() if outcome == "vanishes"] == ["digits", "unheard", "read_late"]
    assert [name for name, outcome in found.items() if outcome == "only signed"] == ["seed"]
    assert len(list_wrong(findings)) == len(found) - 3


def test_a_word_that_is_refused_everywhere_is_no_trial(caller: Caller) -> None:
    """An option whose derived values are all refused has to be given one, or it would never be tried."""

    @click.command()
    @click.option("--unusual")
    def picky(unusual: str | None) -> None:
        if unusual is not None:
            raise UsageError(f"--unusual {unusual}")
        click.echo("a table")

    app.commands["picky"] = picky
    try:
        findings = [
            look(caller, table, option, ("plain",)) for table in [Table("picky", picky)] for option in table.options
        ]
    finally:
        del app.commands["picky"]
    assert list_wrong(findings) == []
    assert len(list_untried(findings)) == 1
