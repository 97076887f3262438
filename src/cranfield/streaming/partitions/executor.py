"""Parts on an executor, a few at a time: any one with the interface of ``concurrent.futures``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait

from cranfield._executor import Answer, AnsweredTask
from cranfield._typing import Returned
from cranfield.errors import CranfieldError, InputError, UsageError
from cranfield.streaming.partitions.part_scoring import Failed
from cranfield.streaming.partitions.parts import Part
from cranfield.threads import cpus, started


def outcomes(
    work: Callable[[Part], Returned | Failed],
    parts: Sequence[Part],
    executor: Executor | None,
    window: int | None,
    *,
    go_on: bool = False,
) -> Iterator[Returned | Failed]:
    """The result of each part, as soon as it is known.

    Args:
        work: may be sent to other processes where the executor needs that.
        parts: all of them.
        executor: of threads, processes or a cluster; threads where None.
        window: parts that are under way at a time; twice as many as there are processors where None.
        go_on: whether further parts are begun after one has failed.

    Raises:
        UsageError: a window without a part.
    """
    if window is not None and window < 1:
        raise UsageError(f"window={window} should be at least 1")
    own = started(min(cpus(), len(parts))) if executor is None and len(parts) > 1 else None
    pool = executor or own
    if pool is None:
        for part in parts:
            yield (outcome := work(part))
            if isinstance(outcome, Failed) and not go_on:
                return
        return
    try:
        yield from _windowed(pool, work, parts, window or (cpus() if own else 2 * cpus()), go_on)
    finally:
        if own is not None:
            own.shutdown(wait=False, cancel_futures=True)


def _windowed(
    pool: Executor, work: Callable[[Part], Returned | Failed], parts: Sequence[Part], window: int, go_on: bool
) -> Iterator[Returned | Failed]:
    task = AnsweredTask(work)
    waiting: dict[Future[Answer[Returned | Failed]], Part] = {}
    remaining = iter(parts)
    while True:
        while len(waiting) < window and (part := next(remaining, None)) is not None:
            waiting[pool.submit(task, part, part.number)] = part
        if not waiting:
            return
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            yield (outcome := _outcome(task, future, waiting.pop(future)))
            if isinstance(outcome, Failed) and not go_on:
                remaining = iter(())


def _outcome(
    task: AnsweredTask[Part, Returned | Failed], future: Future[Answer[Returned | Failed]], part: Part
) -> Returned | Failed:
    try:
        return task.unpack(future.result(), part.number, part.location)
    except (KeyboardInterrupt, SystemExit):
        raise
    except Exception as error:  # of the executor: a worker that was killed, or something that cannot be sent
        if isinstance(error, CranfieldError):
            return Failed(part.number, part.location.file, error)
        text = f"the worker that scored it failed: {type(error).__name__}: {error}"
        return Failed(part.number, part.location.file, InputError(text, part.location, code="worker"))


def is_shared(executor: Executor | None) -> bool:
    """Tell whether parts may be done on other machines: on a Dask cluster."""
    return hasattr(executor, "window") or type(executor).__module__.startswith("distributed.")


def split_outcomes(outcomes: Iterable[Returned | Failed]) -> tuple[list[Returned], list[Failed]]:
    """The results of parts, and the parts that failed, these by their numbers."""
    done: list[Returned] = []
    wrong: list[Failed] = []
    for outcome in outcomes:
        if isinstance(outcome, Failed):
            wrong.append(outcome)
        else:
            done.append(outcome)
    return done, sorted(wrong, key=lambda outcome: outcome.part)
