"""Every option of every command changes what each of its tables prints, or is refused by name: none vanishes."""

from __future__ import annotations

import dataclasses
import json

import click
import pytest
from every_option import Caller, Finding, Table, find_tables, list_commands, look
from option_inputs import write_inputs

from cranfield import InputOptions
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


@pytest.mark.parametrize("path", ESTIMATES)
def test_no_option_vanishes_under_estimates(caller: Caller, path: str) -> None:
    """Another function takes the place of the command there."""
    table = Table(path, COMMANDS[path], ("--unjudged", "estimate"))
    options = [option for option in table.options if option.name not in OF_FILES]
    assert list_wrong([look(caller, table, option, VARIANTS[:1]) for option in options]) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", COMMANDS)
def test_no_option_vanishes(caller: Caller, path: str) -> None:
    tables = find_tables(caller, path, COMMANDS[path])
    findings = [look(caller, table, option, VARIANTS) for table in tables for option in table.options]
    assert list_wrong(findings) == []


def test_an_option_that_vanishes_is_found(caller: Caller) -> None:
    """The search itself: a command that ignores one option, shows another, and only signs a third."""

    @click.command()
    @click.option("--digits", type=int)
    @click.option("--limit", type=int)
    @click.option("--seed", type=int)
    def idle(digits: int | None, limit: int | None, seed: int | None) -> None:
        click.echo(json.dumps({"signature": {"seed": seed}, "rows": [{"limit": limit}]}))

    app.commands["idle"] = idle
    try:
        findings = [look(caller, Table("idle", idle), option, ("plain",)) for option in Table("idle", idle).options]
    finally:
        del app.commands["idle"]
    assert [finding.outcome for finding in findings] == ["vanishes", "shows", "only signed"]
    assert [line.partition(":")[0] for line in list_wrong(findings)] == ["vanishes", "only signed"]
