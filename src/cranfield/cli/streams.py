"""What goes where: data to standard output or a file, warnings and progress to standard error."""

from __future__ import annotations

import contextlib
import stat
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from cranfield.cli.complaints import complain, silence
from cranfield.errors import CranfieldWarning, InputError
from cranfield.io.trec import write_whole
from cranfield.wording import Remark, condensed, shown

MANY = 8
"""From this many steps on, a progress bar is worth its line."""


def emit(text: str, output: str | None) -> None:
    """Write text to standard output, or to a file that appears whole or not at all."""
    if output is not None:
        write_whole(Path(output), text)
    else:
        # UTF-8 whatever the locale: ids must come out as they went in.
        if sys.stdout is None:
            raise InputError("standard output is closed: nothing can be written to it")
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # Whoever read our output has seen enough.
            silence(sys.stdout)
            raise SystemExit(0) from None
        except OSError as error:
            silence(sys.stdout)
            raise InputError(f"standard output cannot be written: {error.strerror or error}") from None


def check_place(output: str | None) -> None:
    """Refuse a place that cannot be written to before the work is done, not after.

    Raises:
        InputError: there is no such folder, it is a folder, or the system refuses to look there.
    """
    if output is None:
        return
    if not output:
        raise InputError("'': cannot be written: the name is empty")
    try:
        is_folder = stat.S_ISDIR(Path(output).stat().st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        is_folder = False
    except OSError as error:
        raise InputError(f"{shown(output, 4096)}: cannot be written: {error.strerror}") from None
    if is_folder:
        raise InputError(f"{shown(output, 4096)}: cannot be written: it is a folder")
    if not Path(output).absolute().parent.is_dir():
        raise InputError(f"{shown(output, 4096)}: cannot be written: there is no such folder")


@contextlib.contextmanager
def warnings_to_stderr() -> Iterator[list[Remark]]:
    """Gather remarks, and the package's warnings, and print each different one once when all is done."""
    gathered: list[Remark] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", CranfieldWarning)
        try:
            yield gathered
        finally:
            early = [str(entry.message) for entry in caught if issubclass(entry.category, CranfieldWarning)]
            for line in dict.fromkeys([*early, *condensed(gathered)]):
                complain(f"cranfield: warning: {line}")


@contextlib.contextmanager
def progress_of(what: str, total: int) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on a terminal, where there is enough to wait for."""
    if total < MANY or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, of: bar.update(task, completed=done, total=of)
