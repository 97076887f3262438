"""``--statement FILE``: the in-toto statement of a page or a verdict, beside what the command prints."""

from __future__ import annotations

import functools
import glob
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._options import Decorated
from cranfield.cli._output import OUTPUTS, check_output_path, emit, remove_earlier
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.results.statement import NamedFile

ROLES = {"entries": "descriptions of runs", "contributors": "contributor"}
"""Option -> the role of the file that it names, where the option's own name does not say it."""
STDOUT = "-"


def statement_option(subject: str) -> Callable[[Decorated], Decorated]:
    """Make ``--statement FILE``.

    Args:
        subject: what the statement is about, for the help.
    """
    return click.option(
        "--statement",
        metavar="FILE",
        help=f"In-toto statement of {subject} and its inputs.",
    )


def check_statement_path(statement: str, output: str | None) -> None:
    """Refuse, before any work is done, a statement that cannot be written, or that shares standard output.

    Args:
        statement: the path to write to, or ``-``.
        output: where the command prints; None for standard output.

    Raises:
        UsageError: both would go to standard output.
        InputError: as for other outputs.
    """
    if statement != STDOUT:
        check_output_path(statement)
    elif output is None:
        raise UsageError("--statement - and the output of this command would both go to standard output: name a file")


def write_statement(text: str, statement: str) -> None:
    """Write a statement to a file, or to standard output."""
    emit(text, None if statement == STDOUT else statement)


def read_option_files() -> list[NamedFile]:
    """Read and hash the files that options of this call name; others are in signatures, as they were read.

    Raises:
        InputError: a file cannot be read.
    """
    from cranfield.results.statement import NamedFile

    return [NamedFile.read(role, path) for role, path in _list_option_files() if Path(path).is_file()]


def _list_option_files() -> Iterator[tuple[str, str]]:
    context = click.get_current_context()
    for option in context.command.params:
        value = context.params.get(option.name or "")
        if not isinstance(option, click.Option) or not value or option.name in OUTPUTS:
            continue
        if not any(word in (option.metavar or "") for word in ("FILE", "QRELS", "RUN")):
            continue
        role = ROLES.get(option.name or "", max(option.opts, key=len).strip("-").replace("-", " "))
        for path in [value] if isinstance(value, str) else value:
            yield role, path
            if glob.has_magic(path):
                yield from ((role, match) for match in sorted(glob.iglob(path)))  # noqa: PTH207


def clear_outputs(command: Callable[..., Any]) -> Callable[..., Any]:
    """Check the outputs and the statement of a command, and remove what an earlier call wrote there before it begins.

    A gate that is refused, for whatever reason, leaves no verdict behind.
    """

    @functools.wraps(command)
    def wrapped(statement: str | None, **arguments: Any) -> Any:
        output = arguments["output"]
        for path in (output, *arguments["also"]):
            check_output_path(path)
        if statement is not None:
            check_statement_path(statement, output)
        for path in (output, *arguments["also"], None if statement == STDOUT else statement):
            remove_earlier(path)
        return command(statement=statement, **arguments)

    return wrapped
