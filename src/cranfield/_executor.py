"""Who works: any executor of ``concurrent.futures``, or a Dask cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias
from uuid import uuid4

from cranfield._message import setting
from cranfield._typing import Item, Returned
from cranfield._version import package_version
from cranfield.errors import InputError, UsageError
from cranfield.threads import Each, cpus

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from distributed import Client
    from distributed.deploy import Cluster

    from cranfield.errors import Located

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
    waiting: deque[Future[Answer[Returned]]] = deque()
    window: int = getattr(pool, "window", 2 * cpus())  # that of ``_dask`` knows its workers
    task, taken = AnsweredTask(work), count()
    for number, item in enumerate(items):
        waiting.append(pool.submit(task, item, number))
        if len(waiting) >= window:
            yield task.unpack(waiting.popleft().result(), next(taken))
    while waiting:
        yield task.unpack(waiting.popleft().result(), next(taken))


def map_on(pool: Executor, work: Callable[[Item], Returned], items: Sequence[Item]) -> Iterator[Returned]:
    """The results of work on each item, in their order; all are handed over at once."""
    task = AnsweredTask(work)
    for number, answer in enumerate(pool.map(task, items, range(len(items)))):
        yield task.unpack(answer, number)


class Answer(NamedTuple, Generic[Returned]):
    """The result that a worker returns, with the task and the call that it is of."""

    call: str
    number: int
    version: str
    result: Returned


class AnsweredTask(Generic[Item, Returned]):
    """Work whose results say of which item they are, so that none is taken for that of another one.

    A worker may return an earlier result, or that of another call, where an executor keeps results by the name of a
    function or by equal arguments.

    Args:
        func: the work on an item.
    """

    def __init__(self, func: Callable[[Item], Returned]) -> None:
        self.func = func
        self.call = uuid4().hex

    def __call__(self, item: Item, number: int) -> Answer[Returned]:
        """On a worker: the result of an item."""
        return Answer(self.call, number, package_version(), self.func(item))

    def unpack(self, answer: Answer[Returned], number: int, location: Located | None = None) -> Returned:
        """The result, if it is that of the task with this number.

        Args:
            answer: of a worker.
            number: of the task.
            location: that an error names.

        Raises:
            InputError: it is of another task or call, or of another version of the package.
        """
        if (getattr(answer, "call", None), getattr(answer, "number", None)) != (self.call, number):
            text = f"the executor returned something else than the result of task {number + 1}"
            text = f"{text}: one that it kept, or that of another task; use another executor"
            raise InputError(text, location, code="worker")
        if answer.version != package_version():
            text = f"a worker has version {answer.version} of cranfield, and here it is {package_version()}"
            text = f"{text}: numbers could differ; install the same on all workers"
            raise InputError(text, location, code="versions")
        return answer.result
