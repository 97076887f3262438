"""Messages that name words of Python, such as ``missing='empty'``, in the options of the command that was called."""

from __future__ import annotations

import re
from contextvars import ContextVar

import click

_called: ContextVar[click.Command | None] = ContextVar("called", default=None)

_WORD = re.compile(
    r"(?<![\w=])'[^']*'(?!\w)"  # a value that is quoted, as it is
    r"|\w\([^()]*\)"  # a measure's own parameters, such as NDCG_std(unjudged=mean)
    r"|(?<![\w./])(?P<name>[a-z_]+)=(?:(?P<quoted>'[\w-]+'(?:, '[\w-]+')*)|(?P<plain>[a-z][\w-]*))?"
    r"(?=$|[\s,;:)]|\.(?:\s|$))"
)


def remember(command: click.Command | None, args: list[str]) -> None:
    """Note which command is called; of a group it is the one that the first argument names."""
    while isinstance(command, click.Group) and args and args[0] in command.commands:
        command, args = command.commands[args[0]], args[1:]
    _called.set(command)


def in_options(text: str, command: click.Command | None = None) -> str:
    """A message as the shell says it: ``--missing empty``; words that are no option of the command stay as they are.

    Args:
        text: of an error or a warning.
        command: whose options are meant; the one that was called where None.
    """
    command = command or _called.get()
    options = (
        {}
        if command is None
        else {(one.name or "").rstrip("_"): one for one in command.params if isinstance(one, click.Option)}
    )

    def spelled(found: re.Match[str]) -> str:
        option = options.get(found["name"])
        if option is None:
            return found[0]
        long = max(option.opts, key=len)
        value = (found["quoted"] or found["plain"] or "").replace("'", "")
        if not value:
            return long
        is_offered = isinstance(option.type, click.Choice) and set(value.split(", ")) <= set(option.type.choices)
        return f"{long} {value}" if is_offered else found[0]

    return _WORD.sub(spelled, text)
