"""Threads, as many as the system gives: fewer, or none, change how long work takes and nothing else."""

from __future__ import annotations

import contextlib
import contextvars
import mmap
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from cranfield._typing import Item, Returned

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor


class Each(Protocol):
    """``map``, or its counterpart on a cluster: the result of work on each item, in the order of the items."""

    def __call__(self, work: Callable[[Item], Returned], items: Iterable[Item], /) -> Iterator[Returned]:
        """Results, in the order of the items."""
        ...


class Reporting:
    """A ``map`` that reports the progress of several calls together, in per cent of them.

    Args:
        each: does the work.
        progress: is called with what is done, and with the total.
        calls: how many there will be.
    """

    def __init__(self, each: Each, progress: Callable[[int, int], None], calls: int) -> None:
        self.each, self.progress, self.calls = each, progress, calls
        self.called = 0

    def __call__(self, work: Callable[[Item], Returned], items: Iterable[Item], /) -> Iterator[Returned]:
        """Results, in the order of the items."""
        listed = list(items)
        before, self.called = self.called, self.called + 1
        for number, result in enumerate(self.each(work, listed), 1):
            self.progress(int(100 * (before + number / len(listed)) / self.calls), 100)
            yield result


LABELLED = ("pandas", "xarray")
"""Libraries of labelled scores, in the order in which the later one would import the other."""
SPARED = 16 << 20
"""Bytes that must be free for each thread before it is started: its stack, and what libraries keep for each thread. The
C library takes that in the thread and ends the process where the system refuses it."""


def cpus() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def side_by_side(work: Callable[[Item], Returned], items: Sequence[Item], workers: int) -> Iterator[Returned]:
    """``work`` on every item, at most ``workers`` at a time, results in the order of the items.

    The first error of that order is raised, whichever came first in time; what runs then is not waited for, since a
    pipe that is being read may never end.
    """
    pool = started(min(workers, len(items)))
    if pool is None:
        yield from map(work, items)
        return
    try:
        yield from pool.map(work, items)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def beside(work: Callable[[], Returned]) -> Future[Returned]:
    """``work`` started on its own thread, or run at once where no thread is available.

    It warns those who hear the thread that asks.
    """
    from concurrent.futures import Future

    pool = started(1)
    if pool is not None:
        future = pool.submit(contextvars.copy_context().run, work)
        pool.shutdown(wait=False)
        return future
    done: Future[Returned] = Future()
    try:
        done.set_result(work())
    except Exception as error:
        done.set_exception(error)
    return done


@contextlib.contextmanager
def importing(*names: str) -> Iterator[None]:
    """Import libraries on a thread of its own while something is done that needs no Python, as the engine's reading.

    Nothing waits for them, and nothing is said of one that cannot be imported: whoever needs it imports it again. Where
    what is done fails, those that were not begun are left out.
    """
    missing = [name for name in names if name not in sys.modules]
    failed = threading.Event()

    def load() -> None:
        with contextlib.suppress(Exception):
            for name in missing:
                if not failed.is_set():
                    import_module(name)

    pool = started(1) if missing else None
    if pool is not None:
        pool.submit(load)
        pool.shutdown(wait=False)
    try:
        yield
    except BaseException:
        failed.set()
        raise


def started(workers: int) -> ThreadPoolExecutor | None:
    """A pool whose threads all run already, so that handing it work cannot fail; None where no thread is available."""
    from concurrent.futures import ThreadPoolExecutor

    while workers > 0:
        pool = ThreadPoolExecutor(max_workers=workers)
        gate = threading.Event()
        had = 0
        try:
            for _ in range(workers):
                # Those that wait at the gate have not taken theirs yet.
                mmap.mmap(-1, SPARED * (had + 1)).close()
                pool.submit(gate.wait)
                had += 1
        except (RuntimeError, OSError):  # can't start new thread, or no memory for it
            pool.shutdown(wait=False, cancel_futures=True)
        finally:
            gate.set()
        if had == workers:
            return pool
        workers = had
    return None
