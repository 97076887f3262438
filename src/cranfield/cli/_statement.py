"""``--statement FILE``: the in-toto statement of a page or a verdict, beside what the command prints."""

from __future__ import annotations

import functools
import glob
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cranfield.cli._output import OUTPUTS, check_output_path, emit, remove_earlier
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.comparison.regression_gate.gate import Gate
    from cranfield.results.statement import NamedFile
    from cranfield.scores.topic_groups import TopicGroups

Command = TypeVar("Command", bound=Callable[..., Any])
ROLES = {"entries": "descriptions of runs", "contributors": "contributor"}
"""Option -> the role of the file that it names, where the option's own name does not say it."""
STDOUT = "-"


def statement_option(subject: str) -> Callable[[Command], Command]:
    """Make ``--statement FILE``.

    Args:
        subject: what the statement is about, for the help.
    """
    return click.option(
        "--statement",
        metavar="FILE",
        help=f"In-toto statement of {subject} and its inputs, to sign.",
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


class GateRecord:
    """The gates of a call, one for each group of topics or a single one of the empty name.

    Args:
        cannot_tell: what a test with too few topics counts as.
    """

    def __init__(self, cannot_tell: str | None) -> None:
        self.cannot_tell = cannot_tell
        self.gates: dict[str, Gate] = {}
        self.groups: TopicGroups | None = None

    def format(self) -> str:
        """Return the statement of all gates.

        Raises:
            InputError: a file that an option names cannot be read.
            UsageError: the scores come from memory.
        """
        from cranfield.cli._topic_groups import sign_groups
        from cranfield.comparison.regression_gate.statement import make_gate_statement
        from cranfield.io.skipped_runs import left_so_far

        first, *others = self.gates.values()
        signature = first.signature
        if self.groups is not None:
            signature = sign_groups(self.groups, {name: gate.signature for name, gate in self.gates.items()})
        shared = [
            key for key in first.settings if all(gate.settings.get(key) == first.settings[key] for gate in others)
        ]
        return make_gate_statement(
            {name: gate.rows for name, gate in self.gates.items()},
            first.judged,
            {key: first.settings[key] for key in shared},
            signature,
            cannot_tell=self.cannot_tell,
            left_out=[run.name for run in left_so_far()],
            files=read_option_files(),
            policies=first.policies,
        )


_record: ContextVar[GateRecord | None] = ContextVar("record", default=None)


def record_gate(gate: Gate, *, group: str = "", groups: TopicGroups | None = None) -> None:
    """Record a gate for the statement of this call, if there is one.

    Args:
        gate: the result.
        group: the group of topics that it is about; empty where it is about all.
        groups: all groups.
    """
    record = _record.get()
    if record is not None:
        record.gates[group], record.groups = gate, groups


def state_gates(command: Callable[..., Any]) -> Callable[..., Any]:
    """Write the statement of ``gate``: what the command records in all groups of topics is one statement.

    An earlier statement, and an earlier output, are removed first: a gate that is refused leaves no verdict behind.
    """

    @functools.wraps(command)
    def wrapped(statement: str | None, **arguments: Any) -> Any:
        output = arguments["output"]
        check_output_path(output)
        if statement is None:
            remove_earlier(output)
            return command(**arguments)
        check_statement_path(statement, output)
        for path in (output, None if statement == STDOUT else statement):
            remove_earlier(path)
        record = GateRecord(arguments["cannot_tell"])
        status: str | int | None = 0
        token = _record.set(record)
        try:
            command(**arguments)
        except SystemExit as ended:
            status = ended.code
        finally:
            _record.reset(token)
        write_statement(record.format(), statement)
        raise SystemExit(status)

    return wrapped
