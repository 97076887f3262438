"""The reference of the command line: what ``--help`` says of every command, as one page."""

from __future__ import annotations

from collections.abc import Iterator

import click

from cranfield.cli import app
from cranfield.cli._registry import COMMANDS, subcommands

INTRODUCTION = """# Reference of the commands

Generated from the commands; `cranfield COMMAND --help` prints one of them. Standard output has the result, standard
error has warnings and progress. The exit status is 0 where all is done, 1 where input is refused, and 2 where the call
is wrong; `gate` also ends with 3 for a regression and 4 where topics cannot tell, and `--keep-going` with 5 where runs
were left out.
"""
SPECIAL = str.maketrans({mark: f"\\{mark}" for mark in r"\*_{}<>|$~"})


def command_page() -> str:
    """One section a command, each followed by its subcommands."""
    lines = [INTRODUCTION]
    for name in app.commands:
        lines.append(f"## {name.translate(SPECIAL)}\n\n{COMMANDS[name]}\n")
        for path, command in commands_below(app.commands[name], name):
            lines += _section(path, command)
    return "\n".join(lines)


def commands_below(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """A command, and those of a group, with what is typed for each."""
    yield path, command
    for name in subcommands(path):
        yield f"{path} {name}", app.commands[f"{path} {name}"]
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands_below(inner, f"{path} {name}")


def _section(path: str, command: click.Command) -> Iterator[str]:
    # A command keeps the option of its help, which has the words of the context that asks for it first.
    context = click.Context(command, info_name=f"cranfield {path}", **app.context_settings)
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"### cranfield {path.translate(SPECIAL)}\n"
    yield f"`cranfield {path} {usage}`\n"
    for paragraph in (command.help or "").split("\n\n"):
        yield f"{_plain(' '.join(paragraph.split()))}\n"
    records = [one.get_help_record(context) for one in command.params if isinstance(one, click.Option)]
    rows = [(option, meaning) for option, meaning in filter(None, records)]
    if rows:
        yield "| option | meaning |\n| --- | --- |"
        yield from (f"| `{option.replace('|', chr(92) + '|')}` | {_plain(meaning)} |" for option, meaning in rows)
        yield ""


def _plain(text: str) -> str:
    """Text as Markdown has it; what is between backticks stays code."""
    parts = text.split("`")
    return "`".join(part if number % 2 else part.translate(SPECIAL) for number, part in enumerate(parts))
