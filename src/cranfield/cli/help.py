"""``cranfield help``: all commands, one command, options that many commands share, or the codes of findings."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

import click

from cranfield._text import quoted
from cranfield.cli._help import TOPICS, full_help, topic_help
from cranfield.cli._registry import COMMANDS
from cranfield.errors import UsageError

CODES = "codes"
ABOUT_CODES = "Every finding of check, with what to do, and every code of an error."


@click.command("help", options_metavar="[--all]")
@click.argument("names", metavar="[COMMAND|TOPIC]", nargs=-1)
@click.option("--all", "in_full", is_flag=True, help="List every command, or every option of COMMAND in full.")
@click.pass_context
def help(context: click.Context, names: tuple[str, ...], in_full: bool) -> None:
    """Explain a command, or options that many commands share; without a name, list the commands.

    Topics: reading, policies, groups, clusters, holes, intents, datasets, codes.
    """
    program = context.find_root()
    if not names:
        click.echo(_all_commands(program) if in_full else program.get_help())
    elif len(names) == 1 and names[0] in TOPICS:
        click.echo(topic_help(names[0], _commands_of_runs(), program))
    elif names == (CODES,):
        click.echo(_all_codes(program))
    else:
        path, command = _find(" ".join(names))
        with click.Context(command, info_name=path, parent=program) as below:
            click.echo(full_help(command, below) if in_full else command.get_help(below))


def _find(name: str) -> tuple[str, click.Command]:
    """Raises: UsageError: neither a command nor a topic has this name."""
    from cranfield.cli import app
    from cranfield.cli._registry import OLD_NAMES

    try:
        return OLD_NAMES.get(name, name), app.commands[name]
    except KeyError:
        close = get_close_matches(name, [*app.commands, *TOPICS, CODES], 1)
        advice = f"did you mean {close[0]}? " if close else ""
        advice += f"the topics are {', '.join((*TOPICS, CODES))}; `cranfield help --all` lists the commands"
        raise UsageError(f"{quoted(name)} is neither a command nor a help topic: {advice}") from None


def _commands_of_runs() -> Iterator[click.Command]:
    from cranfield.cli import app

    return (app.commands[name] for name in ("compare", "evaluate", "report", "pool order"))


def _all_commands(program: click.Context) -> str:
    from cranfield.cli import app

    formatter = program.make_formatter()
    rows: list[tuple[str, str]] = []
    for name in app.commands:
        rows.append((name, COMMANDS[name]))
        below = {path.partition(" ")[2]: line for path, line in COMMANDS.items() if path.startswith(f"{name} ")}
        below |= {inner: command.get_short_help_str(200) for inner, command in _inner(app.commands[name])}
        rows += [(f"  {inner}", line) for inner, line in below.items()]
    with formatter.section("Commands, and their subcommands"):
        formatter.write_dl(rows)
    with formatter.section("Help topics"):
        formatter.write_dl([*((topic, about) for topic, (_, about) in TOPICS.items()), (CODES, ABOUT_CODES)])
    return formatter.getvalue().rstrip("\n")


def _all_codes(program: click.Context) -> str:
    from cranfield.findings import REFUSALS, TABLE

    formatter = program.make_formatter()
    with formatter.section("Findings of cranfield check"):
        formatter.write_dl(
            [(code, f"{kind.severity}: {kind.meaning} What to do: {kind.remedy}") for code, kind in TABLE.items()]
        )
    with formatter.section("Codes of errors"):
        formatter.write_dl(list(REFUSALS.items()))
    return formatter.getvalue().rstrip("\n")


def _inner(command: click.Command) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        yield from command.commands.items()
