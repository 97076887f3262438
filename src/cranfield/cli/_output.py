"""Output of commands: data on standard output or in a file that was checked before, messages on standard error."""

from __future__ import annotations

import contextlib
import glob
import os
import stat
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar

import click

from cranfield._text import Remark, condensed, in_full
from cranfield.cli._errors import print_to_stderr, silence
from cranfield.cli._option_names import name_options
from cranfield.cli._options import ENDINGS
from cranfield.errors import CranfieldWarning, InputError, UsageError
from cranfield.findings.location import STDIN, Location
from cranfield.io.system_names import split_part

FILES = ("FILE", "QRELS", "RUN", "SCORES")
"""Parts of the metavars of options and arguments that name files."""
OUTPUTS = ("output", "truth", "fit", "statement", "also")
"""Parameters that name files to write."""

MANY = 8
"""The fewest steps for which a progress bar is shown."""


MANY_SYSTEMS = 200
"""With this number or more, tests of all pairs take seconds."""


_in_progress: ContextVar[bool] = ContextVar("in_progress", default=False)


def emit(text: str | Iterable[bytes], output: str | None) -> None:
    """Write text, or blocks of it, to standard output, or atomically to a file."""
    if output is not None:
        from pathlib import Path

        from cranfield.io.atomic_write import write_whole

        write_whole(Path(output), text)
    else:
        # UTF-8 whatever the locale: ids must come out as they went in.
        if sys.stdout is None:
            raise InputError("is closed: nothing can be written to it", "standard output", code="unwritable")
        try:
            sys.stdout.flush()
            blocks = [text.encode("utf-8", "surrogateescape")] if isinstance(text, str) else text
            sys.stdout.buffer.writelines(blocks)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # The reader, such as `head`, has closed the pipe: what is left to write, nobody wants, but the exit
            # status, such as a gate's, counts as before.
            silence(sys.stdout)
        except OSError as error:
            silence(sys.stdout)
            text = f"standard output cannot be written: {error.strerror or error}"
            raise InputError(text, code="unwritable") from None


def check_output_path(output: str | None, *, folder: bool = False, page: bool = False) -> None:
    """Refuse, before any work is done, a path that cannot be written to or that this call reads from.

    Args:
        output: the path to write to; None for standard output.
        folder: whether scores are written, whose path may be a folder.
        page: whether an HTML page is written.

    Raises:
        UsageError: the ending is that of a format that is not written.
        InputError: the folder does not exist; the path is a folder, read-only, or an input; or two outputs share it.
    """
    if output is None:
        return
    if not output:
        raise InputError("cannot be written: the name is empty", "''", code="unwritable")
    if folder:
        from cranfield.scores.files import check_scores_path  # NumPy, for which --help does not wait

        check_scores_path(output)
    else:
        from pathlib import Path

        from cranfield.io.atomic_write import check_writable

        check_writable(Path(output))
    reason = ""
    if any(_is_same_file(output, name) for name in _list_inputs()):
        reason = "this command reads it"
    elif sum(os.path.realpath(output) == os.path.realpath(name) for name in _list_named_files(is_output=True)) > 1:
        reason = "two outputs would go there"
    if reason:
        raise InputError(f"cannot be written: {reason}; name another file", Location(output), code="unwritable")

    check_ending(output, page=page)


def remove_earlier(path: str | None) -> None:
    """Remove what an earlier call wrote to a path that was checked: where this call fails, it must not stay.

    Args:
        path: of a file; pipes, devices and links stay, but not what a link leads to. None for standard output.

    Raises:
        InputError: it cannot be removed.
    """
    if path is not None and os.path.isfile(path):  # noqa: PTH113  (unlike Path, it answers for any name)
        try:
            os.unlink(os.path.realpath(path))  # noqa: PTH108
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", Location(path), code="unwritable") from None


def _list_inputs() -> Iterator[str]:
    """List the files that this call reads."""
    for name in _list_named_files(is_output=False):
        yield name
        if glob.has_magic(name):
            yield from glob.iglob(name)  # noqa: PTH207  (the path may be absolute)


def _list_named_files(*, is_output: bool) -> Iterator[str]:
    """List the files that this call names, to write or to read."""
    context = click.get_current_context(silent=True)
    for parameter in context.command.params if context is not None else ():
        kind = getattr(parameter, "metavar", None) or ""
        value = context.params.get(parameter.name or "") if context is not None else None
        if value is not None and any(word in kind for word in FILES) and (parameter.name in OUTPUTS) == is_output:
            yield from [value] if isinstance(value, str) else value


def list_named_files() -> list[str]:
    """List all files that this call names."""
    return [*_list_named_files(is_output=False), *_list_named_files(is_output=True)]


def _is_same_file(output: str, name: str) -> bool:
    """Return whether both names are the same regular file, or one is in the other; pipes and devices may be both."""
    try:
        written = os.stat(output)  # noqa: PTH116
        # Unlike Path, os.stat answers for any name.
        read = os.fstat(0) if name == STDIN else os.stat(split_part(name)[0])  # noqa: PTH116
    except (OSError, ValueError):
        return False
    if stat.S_ISDIR(read.st_mode):
        return _is_below(output, name)
    if stat.S_ISDIR(written.st_mode):
        return _is_below(name, output)
    return stat.S_ISREG(written.st_mode) and os.path.samestat(written, read)


def _is_below(path: str, folder: str) -> bool:
    """Return whether both are one folder, or the path leads into it."""
    return os.path.join(os.path.realpath(path), "").startswith(os.path.join(os.path.realpath(folder), ""))  # noqa: PTH118


class RemarkWarning(CranfieldWarning):
    """A remark, as a warning: of several with one text, the first is printed with the number of the others."""

    def __init__(self, remark: Remark) -> None:
        super().__init__(remark.text)
        self.remark = remark


def add_remarks(remarks: Iterable[Remark]) -> None:
    """Add remarks to the warnings that are printed at the end."""
    for remark in remarks:
        warnings.warn(RemarkWarning(remark), stacklevel=2)


@contextlib.contextmanager
def gather_warnings() -> Iterator[list[str]]:
    """Gather the package's warnings and remarks, each distinct one once; the list is complete at the end."""
    lines: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", CranfieldWarning)
        try:
            yield lines
        finally:
            ours = [entry.message for entry in caught if isinstance(entry.message, CranfieldWarning)]
            remarks = [warning.remark for warning in ours if isinstance(warning, RemarkWarning)]
            early = [warning.args[0] for warning in ours if not isinstance(warning, RemarkWarning)]
            lines += dict.fromkeys([*early, *condensed(remarks)])


@contextlib.contextmanager
def warnings_to_stderr() -> Iterator[None]:
    """Gather the package's warnings and remarks, and print each distinct one once at the end."""
    lines: list[str] = []
    try:
        with gather_warnings() as lines:
            yield
    finally:
        for line in lines:
            print_warning(line)


def print_warning(line: str) -> None:
    """Print a warning on standard error."""
    print_to_stderr(f"cranfield: warning: {name_options(line)}")


@contextlib.contextmanager
def show_progress(what: str, total: int) -> Iterator[Callable[[int, int], None] | None]:
    """Show a progress bar on a terminal, where there are enough steps, and no other bar is shown."""
    if total < MANY or sys.stderr is None or not sys.stderr.isatty() or _in_progress.get():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        token = _in_progress.set(True)
        try:
            yield lambda done, of: bar.update(task, completed=done, total=of)
        finally:
            _in_progress.reset(token)


def show_progress_of_pairs(systems: int) -> contextlib.AbstractContextManager[Callable[[int, int], None] | None]:
    """A progress bar, in per cent, for tests of all pairs of many systems."""
    return show_progress("testing pairs, in %", systems if systems >= MANY_SYSTEMS else 0)


FOREIGN = (".xlsx", ".xls", ".ods", ".docx", ".pdf", ".png", ".svg", ".html", ".htm")
"""Endings of formats that are not rows of text."""
PAGE = (".html", ".htm")
"""Endings of an HTML page."""


def check_ending(output: str, *, page: bool) -> None:
    """Refuse a name such as ``scores.xlsx``; unknown endings, and none, are allowed.

    Args:
        output: the name.
        page: whether an HTML page is written.

    Raises:
        UsageError: the ending is that of a format that is not written.
    """
    from pathlib import PurePath

    from cranfield.io.atomic_write import is_packed

    *_, before, last = ("", "", *PurePath(output).suffixes)
    ending = (before if is_packed(last) else last).lower()
    if output.endswith(("/", os.sep)) or ending not in (*FOREIGN, *ENDINGS):
        return
    if page:
        if ending not in PAGE:
            raise UsageError(f"{in_full(output)}: a page is HTML, not {ending[1:]}: let the name end in .html")
        return
    written = _list_formats()
    if ending in FOREIGN and ENDINGS.get(ending) not in written:
        known = [known for known, format_ in ENDINGS.items() if format_ in written]
        instead = f"let the name end in {', '.join(known[:-1])} or {known[-1]}" if known[1:] else "give another ending"
        pages = "; `cranfield report` makes a page" if ending in (*PAGE, ".pdf") else ""
        raise UsageError(f"{in_full(output)}: this command does not write {ending[1:]}: {instead}{pages}")


def _list_formats() -> tuple[str, ...]:
    """List the formats of the command that is called, by its ``--format``."""
    context = click.get_current_context(silent=True)
    for option in context.command.params if context is not None else ():
        if option.name == "format_" and isinstance(option.type, click.Choice):
            return tuple(option.type.choices)
    return ()
