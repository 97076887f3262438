"""One task a run, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import TypeVar

from cranfield.errors import UsageError
from cranfield.io.judging import cpus
from cranfield.io.runs import NamedRun
from cranfield.threads import side_by_side

Result = TypeVar("Result")


def check_executor(executor: Executor | None) -> None:
    """Raises: UsageError: it is not an executor."""
    if executor is not None and not isinstance(executor, Executor):
        raise UsageError(f"executor={executor!r} is no executor: give one of concurrent.futures, or None for threads")


def in_order(
    task: Callable[[NamedRun], Result], runs: Sequence[NamedRun], executor: Executor | None
) -> Iterator[Result]:
    """Results in the order of the runs; the first error of that order is raised, whichever came first in time."""
    if executor is not None:
        yield from executor.map(task, runs)
        return
    if len(runs) == 1 and not isinstance(runs[0].data, str):
        yield task(runs[0])  # nothing waits for a pipe, and to start a thread takes longer than a short run
        return
    yield from side_by_side(task, runs, cpus())
