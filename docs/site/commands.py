"""The reference of the command line: a page for each command with its subcommands, and a page that lists them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from cranfield.cli import app
from cranfield.cli._help import OWN, list_examples, list_options
from cranfield.cli._registry import COMMANDS, subcommands

INDEX = "command-reference.md"
FOLDER = "commands"
INTRODUCTION = """# Commands

`cranfield COMMAND --help` prints what a page here says of a command's own options, and `cranfield help COMMAND --all`
all of it. Standard output has the result, standard error has warnings and progress. The exit status is 0 where all is
done, 1 where input is refused, and 2 where the call is wrong; `gate` also ends with 3 for a regression and 4 where
topics cannot tell, `check --strict` with 3 where a run breaks a rule, and `--keep-going`
with 5 where runs were left out.

[Which command answers which question](command-line.md) is a page of its own.
"""
SPECIAL = str.maketrans({mark: f"\\{mark}" for mark in r"\*_{}<>|$~"})


def command_pages() -> dict[str, str]:
    """File -> text: the list of all commands, and a page for each with its subcommands."""
    rows = [row for name in app.commands for row in _list_rows(name)]
    tree = ["```{toctree}", ":hidden:", "", *(f"{FOLDER}/{name}" for name in app.commands), "```", ""]
    index = "\n".join([INTRODUCTION, "| command | what it does |", "| --- | --- |", *rows, "", *tree])
    return {INDEX: index, **{f"{FOLDER}/{name}.md": _make_page(name) for name in app.commands}}


def commands_below(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """A command, and those of a group, with what is typed for each."""
    yield path, command
    for name in subcommands(path):
        yield f"{path} {name}", app.commands[f"{path} {name}"]
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands_below(inner, f"{path} {name}")


def _list_rows(name: str) -> Iterator[str]:
    for path, command in commands_below(app.commands[name], name):
        anchor = "" if path == name else f"#cranfield-{path.replace(' ', '-')}"
        says = COMMANDS.get(path) or command.get_short_help_str(limit=200)
        yield f"| [{path.translate(SPECIAL)}]({FOLDER}/{name}.md{anchor}) | {_plain(says)} |"


def _make_page(name: str) -> str:
    lines = []
    for path, command in commands_below(app.commands[name], name):
        lines += _section(path, command, "#" if path == name else "##")
    return "\n".join(lines)


def _section(path: str, command: click.Command, level: str) -> Iterator[str]:
    # A command keeps the option of its help, which has the words of the context that asks for it first.
    context = click.Context(command, info_name=f"cranfield {path}", **app.context_settings)
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"{level} cranfield {path.translate(SPECIAL)}\n"
    for paragraph in (command.help or "").split("\n\n"):
        yield f"{_plain(' '.join(paragraph.split()))}\n"
    yield f"```text\ncranfield {path} {usage}\n```\n"
    if examples := list_examples(path, command):
        yield "\n".join([f"Example{'s'[: len(examples) > 1]}:\n", "```sh", *examples, "```\n"])
    for heading, rows in list_options(command, context).items():
        if heading != OWN:
            yield f"**{heading}**\n"
        yield "| option | meaning |\n| --- | --- |"
        yield from (f"| `{option.replace('|', chr(92) + '|')}` | {_plain(meaning)} |" for option, meaning in rows)
        yield ""
    if command.epilog:
        yield f"{_plain(' '.join(command.epilog.split()))}\n"


def _plain(text: str) -> str:
    """Text as Markdown has it; what is between backticks stays code, and so do options, which have two hyphens."""
    parts = text.split("`")
    return "`".join(part if number % 2 else _mark_options(part.translate(SPECIAL)) for number, part in enumerate(parts))


def _mark_options(text: str) -> str:
    return re.sub(r"(?<![\w`-])--[a-z][a-z-]*[a-z]", lambda match: f"`{match[0]}`", text)
