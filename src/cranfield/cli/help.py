"""``cranfield help``: all commands, one command, options that many commands share, or a list to look up."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

import click

from cranfield._text import quoted
from cranfield.cli import app
from cranfield.cli._help import TOPICS, full_help, topic_help
from cranfield.cli._registry import COMMANDS, find_meant
from cranfield.errors import UsageError


@click.command("help", options_metavar="[--all]", short_help="Explain a command, or options that many commands share.")
@click.argument("names", metavar="[COMMAND|TOPIC]", nargs=-1)
@click.option("--all", "in_full", is_flag=True, help="List every command, or every option of COMMAND in full.")
@click.pass_context
def help(context: click.Context, names: tuple[str, ...], in_full: bool) -> None:
    """Explain a command, or options that many commands share; without a name, list the commands.

    Topics: reading, policies, groups, clusters, holes, intents, datasets,
    codes, formats.
    """
    program = context.find_root()
    if not names:
        click.echo(_all_commands(program) if in_full else program.get_help())
    elif len(names) == 1 and names[0] in TOPICS:
        reading = (app.commands[name] for name in ("evaluate", "compare", "report", "pool order", "board"))
        click.echo(topic_help(names[0], reading, program))
    elif len(names) == 1 and names[0] in LISTS:
        click.echo(_format_list(names[0], program))
    else:
        path, command = _find(" ".join(names))
        with click.Context(command, info_name=path, parent=program) as below:
            click.echo(full_help(command, below) if in_full else command.get_help(below))


def _find(name: str) -> tuple[str, click.Command]:
    """Raises: UsageError: neither a command nor a topic has this name."""
    try:
        return name, app.commands[name]
    except KeyError:
        close = next(iter(get_close_matches(name, [*TOPICS, *LISTS], 1)), find_meant(name))
        advice = f"did you mean {close}? " if close else ""
        advice += f"the topics are {', '.join((*TOPICS, *LISTS))}; `cranfield help --all` lists the commands"
        raise UsageError(f"{quoted(name)} is neither a command nor a help topic: {advice}") from None


def _all_commands(program: click.Context) -> str:
    formatter = program.make_formatter()
    rows: list[tuple[str, str]] = []
    for name in app.commands:
        command = app.commands[name]
        rows.append((name, COMMANDS[name]))
        below = {path.partition(" ")[2]: line for path, line in COMMANDS.items() if path.startswith(f"{name} ")}
        if isinstance(command, click.Group):
            below |= {inner: one.get_short_help_str(200) for inner, one in command.commands.items()}
        rows += [(f"  {inner}", line) for inner, line in below.items()]
    with formatter.section("Commands, and their subcommands"):
        formatter.write_dl(rows)
    with formatter.section("Help topics"):
        topics = [(topic, about) for topic, (_, about) in TOPICS.items()]
        formatter.write_dl([*topics, *((name, about) for name, (about, _) in LISTS.items())])
    return formatter.getvalue().rstrip("\n")


def _list_codes() -> dict[str, list[tuple[str, str]]]:
    from cranfield.findings import REFUSALS, TABLE
    from cranfield.findings.declaration import NO_REMEDY

    findings = []
    for code, kind in TABLE.items():
        remedy = "" if kind.remedy == NO_REMEDY else f" What to do: {kind.remedy}"
        findings.append((code, f"{kind.severity}: {kind.meaning}{remedy}"))
    return {"Findings of cranfield check": findings, "Codes of errors": list(REFUSALS.items())}


def _list_formats() -> dict[str, list[tuple[str, str]]]:
    from cranfield.io.formats import all_formats

    rows = []
    for name, form in all_formats().items():
        recognition = (
            f"Recognized: {form.recognized_by}."
            if form.recognized_by
            else f"Not recognized: use --input-format {name}."
        )
        rows.append((name, f"{form.holds}. {recognition} Example: cranfield {form.example}"))
    return {"Formats of runs and judgments": rows}


LISTS: dict[str, tuple[str, Callable[[], dict[str, list[tuple[str, str]]]]]] = {
    "codes": ("Every finding of check, with what to do, and every code of an error.", _list_codes),
    "formats": ("Every format of runs and judgments, and how it is recognized.", _list_formats),
}
"""Help topic -> what it lists, and the function that makes the list, by headings."""


def _format_list(topic: str, program: click.Context) -> str:
    formatter = program.make_formatter()
    for heading, rows in LISTS[topic][1]().items():
        with formatter.section(heading):
            formatter.write_dl(rows)
    return formatter.getvalue().rstrip("\n")
