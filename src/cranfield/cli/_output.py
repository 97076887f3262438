"""What goes where: data to standard output or a file, warnings and progress to standard error.

Names of outputs whose ending promises a format that is not written under it.
"""

from __future__ import annotations

import contextlib
import glob
import os
import stat
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from cranfield._text import Remark, condensed, in_full
from cranfield.cli._errors import complain, silence
from cranfield.cli._option_names import in_options
from cranfield.cli._options import ENDINGS
from cranfield.errors import CranfieldWarning, InputError, UsageError
from cranfield.findings.location import STDIN, Place
from cranfield.io.system_names import part_of

if TYPE_CHECKING:
    from cranfield.results.sheet import Sheet


FILES = ("FILE", "QRELS", "RUN")
"""Words by which an option's or an argument's metavar says that a file is named."""
OUTPUTS = ("output", "truth", "fit")
"""Those of them that are written."""

MANY = 8
"""From this many steps on, a progress bar is worth its line."""


MANY_SYSTEMS = 200
"""From so many on, tests of all pairs take seconds."""


@dataclass(frozen=True)
class Printed:
    """What a command would print.

    Args:
        made: a sheet, or a text.
        format_: of the output.
        output: the file, or None.
    """

    made: Sheet | str
    format_: str
    output: str | None


_collected: ContextVar[list[Printed] | None] = ContextVar("collected", default=None)
_in_progress: ContextVar[bool] = ContextVar("in_progress", default=False)
_heard: ContextVar[list[str] | None] = ContextVar("heard", default=None)


@contextlib.contextmanager
def collecting() -> Iterator[list[Printed]]:
    """Collect what is shown inside instead of printing it."""
    found: list[Printed] = []
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)


@contextlib.contextmanager
def hearing() -> Iterator[list[str]]:
    """Collect the warnings inside instead of printing them."""
    heard: list[str] = []
    token = _heard.set(heard)
    try:
        yield heard
    finally:
        _heard.reset(token)


def present(made: Sheet | str, format_: str, output: str | None) -> None:
    """Print a sheet in a format, or a text that is in it already."""
    found = _collected.get()
    if found is not None:
        found.append(Printed(made, format_, output))
        return
    emit(made if isinstance(made, str) else made.text(format_, plain=output is not None), output)


def emit(text: str | Iterable[bytes], output: str | None) -> None:
    """Write text, or blocks of it, to standard output, or to a file that is written completely or not at all."""
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
            # Whoever read our output has seen enough.
            silence(sys.stdout)
            raise SystemExit(0) from None
        except OSError as error:
            silence(sys.stdout)
            text = f"standard output cannot be written: {error.strerror or error}"
            raise InputError(text, code="unwritable") from None


def check_place(output: str | None, *, folder: bool = False, page: bool = False) -> None:
    """Refuse a place that cannot be written to, or that this call reads from, before the work is done, not after.

    Args:
        output: where to write; None for standard output.
        folder: whether scores are written, for which a name may stand for a folder.
        page: whether a page of HTML is written.

    Raises:
        UsageError: the name ends as one of a format that is not written.
        InputError: there is no such folder; it is a folder, read-only, or an input; or two outputs go there.
    """
    if output is None:
        return
    if not output:
        raise InputError("cannot be written: the name is empty", "''", code="unwritable")
    if folder:
        from cranfield.scores.files import check_scores_place  # NumPy, for which --help does not wait

        check_scores_place(output)
    else:
        from pathlib import Path

        from cranfield.io.atomic_write import check_writable

        check_writable(Path(output))
    reason = ""
    if any(_is_file(output, name) for name in _inputs()):
        reason = "this command reads it"
    elif sum(os.path.realpath(output) == os.path.realpath(name) for name in _named(is_output=True)) > 1:
        reason = "two outputs would go there"
    if reason:
        raise InputError(f"cannot be written: {reason}; name another file", Place(output), code="unwritable")

    check_ending(output, page=page)


def _inputs() -> Iterator[str]:
    """Files that this call reads."""
    for name in _named(is_output=False):
        yield name
        if glob.has_magic(name):
            yield from glob.iglob(name)  # noqa: PTH207  (the path may be absolute)


def _named(*, is_output: bool) -> Iterator[str]:
    """What this call names as files to write, or to read."""
    context = click.get_current_context(silent=True)
    for parameter in context.command.params if context is not None else ():
        kind = getattr(parameter, "metavar", None) or ""
        given = context.params.get(parameter.name or "") if context is not None else None
        if given is not None and any(word in kind for word in FILES) and (parameter.name in OUTPUTS) == is_output:
            yield from [given] if isinstance(given, str) else given


def _is_file(output: str, name: str) -> bool:
    """Whether a file is written and read under two names, or one; pipes and devices may well be both."""
    try:
        written = os.stat(output)  # noqa: PTH116
        # Unlike Path, os.stat answers for any name.
        read = os.fstat(0) if name == STDIN else os.stat(part_of(name)[0])  # noqa: PTH116
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(written.st_mode) and os.path.samestat(written, read)


@contextlib.contextmanager
def warnings_to_stderr() -> Iterator[list[Remark]]:
    """Gather remarks, and the package's warnings, and print each different one once when all is done."""
    gathered: list[Remark] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", CranfieldWarning)
        try:
            yield gathered
        finally:
            early = [entry.message.args[0] for entry in caught if isinstance(entry.message, CranfieldWarning)]
            for line in dict.fromkeys([*early, *condensed(gathered)]):
                say(line)


def say(line: str) -> None:
    """Warn of something on standard error, or to whoever is ``hearing``."""
    if (heard := _heard.get()) is None:
        complain(f"cranfield: warning: {in_options(line)}")
    else:
        heard.append(line)


@contextlib.contextmanager
def progress_of(what: str, total: int) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on a terminal, where there is enough to wait for; inside of it there is no other."""
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


def progress_of_pairs(systems: int) -> contextlib.AbstractContextManager[Callable[[int, int], None] | None]:
    """A progress bar, in per cent, for tests of all pairs of many systems."""
    return progress_of("testing pairs, in %", systems if systems >= MANY_SYSTEMS else 0)


FOREIGN = (".xlsx", ".xls", ".ods", ".docx", ".pdf", ".png", ".svg", ".html", ".htm")
"""Endings that nobody gives to a text of rows."""
PAGE = (".html", ".htm")
"""What a page may end in."""


def check_ending(output: str, *, page: bool) -> None:
    """Refuse a name such as ``scores.xlsx``; other endings, and none, are free.

    Args:
        output: the name.
        page: whether a page of HTML is written.

    Raises:
        UsageError: a program that goes by the ending could not open the file.
    """
    from pathlib import PurePath

    from cranfield.io.compression import is_packed

    *_, before, last = ("", "", *PurePath(output).suffixes)
    ending = (before if is_packed(last) else last).lower()
    if output.endswith(("/", os.sep)) or ending not in (*FOREIGN, *ENDINGS):
        return
    if page:
        if ending not in PAGE:
            raise UsageError(f"{in_full(output)}: a page is HTML, not {ending[1:]}: let the name end in .html")
        return
    written = _formats()
    if ending in FOREIGN and ENDINGS.get(ending) not in written:
        known = [known for known, format_ in ENDINGS.items() if format_ in written]
        instead = f"let the name end in {', '.join(known[:-1])} or {known[-1]}" if known[1:] else "give another ending"
        pages = "; `cranfield report` makes a page" if ending in (*PAGE, ".pdf") else ""
        raise UsageError(f"{in_full(output)}: this command does not write {ending[1:]}: {instead}{pages}")


def _formats() -> tuple[str, ...]:
    """What the command that is called can print, by its ``--format``."""
    context = click.get_current_context(silent=True)
    for option in context.command.params if context is not None else ():
        if option.name == "format_" and isinstance(option.type, click.Choice):
            return tuple(option.type.choices)
    return ()
