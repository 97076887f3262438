"""Who works: any executor of ``concurrent.futures``, or a Dask cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from cranfield._message import setting
from cranfield._typing import Item, Returned
from cranfield.errors import UsageError
from cranfield.threads import Each, cpus

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from distributed import Client
    from distributed.deploy import Cluster

ExecutorLike: TypeAlias = "Executor | Client | Cluster | str"


@contextmanager
def choose_executor(executor: ExecutorLike | None) -> Iterator[Executor | None]:
    """The executor that does the work, left open if it was given; None where threads of this process do.

    Args:
        executor: of ``concurrent.futures``, or a client, a cluster or an address of Dask.

    Raises:
        InputError: the cluster does not answer, see ``open_executor``.
        MissingPackageError: Dask is not installed.
        UsageError: it is neither.
    """
    if executor is None:
        yield None
        return
    from concurrent.futures import Executor  # here: most calls name none

    if isinstance(executor, Executor):
        yield executor
        return
    if not isinstance(executor, str) and not _is_of_dask(executor):
        raise UsageError(
            f"{setting('executor', executor)} is not an executor: give one of concurrent.futures, a client, a cluster "
            "or an address of Dask, or None for threads"
        )
    from cranfield._dask import open_executor

    with open_executor(executor) as opened:
        yield opened


def _is_of_dask(given: object) -> bool:
    return any(kind.__module__.partition(".")[0] == "distributed" for kind in type(given).__mro__)


@contextmanager
def each_on(executor: ExecutorLike | None) -> Iterator[Each]:
    """A ``map`` that works on an executor, or here where there is none.

    Raises:
        InputError, UsageError: see ``choose_executor``.
    """
    with choose_executor(executor) as pool:
        yield map if pool is None else partial(_in_order, pool)


def _in_order(pool: Executor, work: Callable[[Item], Returned], items: Iterable[Item], /) -> Iterator[Returned]:
    """The results of work on each item, in their order; a few items are on their way at a time."""
    waiting: deque[Future[Returned]] = deque()
    window: int = getattr(pool, "window", 2 * cpus())
    for item in items:
        waiting.append(pool.submit(work, item))
        if len(waiting) >= window:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
