"""One task a run, many at a time."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from cranfield.errors import UsageError
from cranfield.io.inputs import NamedRun
from cranfield.threads import cpus, side_by_side

if TYPE_CHECKING:
    from concurrent.futures import Executor

Result = TypeVar("Result")
SHORT = 4 << 20
"""Bytes of a file, of which a compressed one unpacks to some ten times as many."""


def check_executor(executor: Executor | None) -> None:
    """Raises: UsageError: it is not an executor."""
    if executor is None:
        return
    from concurrent.futures import Executor

    if not isinstance(executor, Executor):
        raise UsageError(f"executor={executor!r} is no executor: give one of concurrent.futures, or None for threads")


def in_order(
    task: Callable[[NamedRun], Result], runs: Sequence[NamedRun], executor: Executor | None
) -> Iterator[Result]:
    """Results in the order of the runs; the first error of that order is raised, whichever came first in time."""
    if executor is not None:
        yield from executor.map(task, runs)
        return
    if len(runs) == 1 and _is_short(runs[0]):
        yield task(runs[0])  # nothing waits for a pipe, and to start a thread takes longer than a short run
        return
    yield from side_by_side(task, runs, cpus())


def _is_short(run: NamedRun) -> bool:
    """Whether it is in memory, or in a file that is soon read; an interruption waits for neither for long."""
    if not isinstance(run.data, str):
        return True
    try:
        found = os.stat(run.data)  # noqa: PTH116
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size <= SHORT
