"""Messages in terms of the shell: the setting ``missing='empty'`` of Python is written as ``--missing empty``."""

from __future__ import annotations

import ast
import shlex
from collections.abc import Mapping
from contextvars import ContextVar

import click

from cranfield._message import Message, naming

VIEW = "view_"
"""The beginning of the names of options that choose a table, which messages call by the table."""
_called: ContextVar[click.Command | None] = ContextVar("called", default=None)


def remember(command: click.Command | None, args: list[str]) -> None:
    """Note which command is called; in a group, it is the one that the first argument names."""
    while isinstance(command, click.Group) and args and args[0] in command.commands:
        command, args = command.commands[args[0]], args[1:]
    _called.set(command)
    naming.set(name_options)


def name_options(text: str, command: click.Command | None = None) -> str:
    """Name the settings in a message by the options of a command, and leave all else as it is.

    Args:
        text: the message of an error or a warning.
        command: the command; the one that was called where None.
    """
    command = command or _called.get()
    if command is None or not isinstance(text, Message):
        return text
    options = {
        (option.name or "").rstrip("_").removeprefix(VIEW): option
        for option in command.params
        if isinstance(option, click.Option)
    }
    return "".join(_name_option(part, options) if number % 2 else part for number, part in enumerate(text.parts))


def _name_option(setting: str, options: Mapping[str, click.Option]) -> str:
    """Name a setting by its option; as in Python where the command lacks the option, or the option the value."""
    name, _, written = setting.partition("=")
    option, value = options.get(name), _write_pairs(written) or written.replace("'", "")
    if option is None:
        return setting
    flag = max(option.opts, key=len)
    if not value or (option.is_flag and value in ("True", option.flag_value)):
        return flag
    if isinstance(option.type, click.Choice):
        is_offered = set(value.split(", ")) <= set(option.type.choices)
    else:
        is_offered = not option.is_flag and value != "None"
    return f"{flag} {value}" if is_offered else setting


def _write_pairs(written: str) -> str:
    """Write a dict of Python, such as ``{'relevant': 1}``, as the shell takes it; empty of anything else."""
    if not written.startswith("{"):
        return ""
    try:
        pairs = ast.literal_eval(written)
    except (SyntaxError, ValueError):
        return ""
    return shlex.quote(",".join(f"{name}={value}" for name, value in pairs.items()))
