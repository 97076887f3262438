"""Signals that end the program: what is half written is removed, nothing is traced, and the shell sees the signal."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType
from typing import Any, NoReturn

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Ctrl-C, ``kill``, and a terminal that is closed."""


class Stopped(BaseException):
    """A signal arrived. No ``Exception``: nothing but what cleans up may catch it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Raise ``Stopped`` in the main thread where a signal would end the program; one that is ignored stays so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = (signal.SIG_DFL, signal.default_int_handler)
    before = {number: signal.signal(number, _stop) for number in SIGNALS if signal.getsignal(number) in usual}
    hook = sys.unraisablehook
    sys.unraisablehook = partial(_send_again, hook)
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _: FrameType | None) -> NoReturn:
    raise Stopped(number)


def _send_again(hook: Callable[[Any], object], unraisable: Any) -> None:
    """What an object raises while it is deleted goes no further. The signal then comes once more, a moment later.

    Not before this function is left, on a busy machine too: what is raised here is dropped like the first.
    """
    if not isinstance(unraisable.exc_value, Stopped):
        hook(unraisable)
        return
    again = threading.Timer(0.05, os.kill, (os.getpid(), unraisable.exc_value.number))
    again.daemon = True
    again.start()


def end(number: int) -> NoReturn:
    """End as the signal ends a program that does not know it: a shell reports 128 + its number, and its loop stops.

    Nothing is waited for: a thread may be reading a pipe that nobody writes to, standard output may be one that nobody
    reads.
    """
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    os._exit(128 + number)
