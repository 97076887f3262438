"""The program: ``cranfield``, or ``python -m cranfield``."""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec

SELDOM = 50_000
"""New containers after which Python looks for rings of objects that nobody holds any more; 700 if nobody says so."""
HELP_TEXTS = ("numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars")
"""What NumPy imports to give help texts to what it has in C: a twentieth of a short call, and nobody reads them here.
Python run with ``-OO`` leaves these texts out as well, so that other packages know how to do without."""
TYPES, ITS_READER = "numpy._typing", "numpy.linalg._linalg"
"""What static checkers are told of arrays, and the only module of NumPy that imports it, for annotations that nothing
reads: a fifteenth of a short call."""
LATER = {"numpy.f2py", "numpy.testing"}
"""Packages that SciPy gathers with all other names of NumPy, and that nothing here uses: a third of what it takes to
import ``scipy.special``."""
QUIET = {"__main__", "__mp_main__", "_distutils_hack", "click", "cranfield", "numpy", "pandas", "scipy", "xarray"}
"""Packages that leave nothing to the end of a process but what they register, beside the standard library."""
BELOW = {"charset_normalizer", "cloudpickle", "cython_runtime", "dateutil", "packaging", "pyarrow", "six"}
"""What these import."""
COMPILED = ("_csparsetools", "_cython_", "_cyutility", "_moduleTNC", "_sysconfigdata_")
"""How what they have in C, and what was noted of how Python was built, is called."""
WATCHING = {"bdb", "cProfile", "profile", "trace", "tracemalloc"}
"""What is of the standard library, and reports at the end."""


def main() -> None:
    """Run it. Until the rest is loaded, Ctrl-C ends it without a trace of the loading."""
    # What is imported stays to the end. To look through it for what could be freed, again and again, costs a tenth
    # of a short call.
    gc.set_threshold(SELDOM)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cranfield.cli import main as run

    try:
        run()
    finally:
        # Nor is it looked through at the end, when all memory goes back at once: that cost a sixth of a short call.
        gc.freeze()


def program() -> None:
    """The same as a process of its own, which begins and ends with it. It never returns."""
    for name in (*HELP_TEXTS, TYPES):
        sys.modules.setdefault(name, _Absent(name))
    sys.meta_path.insert(0, _Later())
    try:
        main()
    except SystemExit as ended:
        if isinstance(ended.code, int) and _nothing_is_left():
            _end(ended.code)
        raise


class _Absent(ModuleType):
    """Stands for a module that is not imported, until someone asks for what is in it."""

    def __getattr__(self, name: str) -> object:
        unread = self.__name__ == TYPES and sys._getframe(1).f_globals.get("__name__") == ITS_READER
        # What is in a package is found by its path.
        if name.startswith("__") and (name != "__path__" or unread):
            raise AttributeError(name)
        if unread:
            # Where Python puts a module of a package that it imports itself.
            sys.modules["numpy"].__dict__["_typing"] = self
            return _AnyArray
        from importlib import import_module

        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


class _AnyArray:
    """Stands for the type of an array where nobody asks which."""

    def __class_getitem__(cls, _: object) -> type:
        return cls


class _Later:
    """Finds modules that are loaded when something in them is asked for, and not when they are imported."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Find one of them; others are found as ever."""
        if name not in LATER:
            return None
        from importlib.machinery import PathFinder
        from importlib.util import LazyLoader

        found = PathFinder.find_spec(name, path, target)
        if found is not None and found.loader is not None:
            found.loader = LazyLoader(found.loader)
        return found


def _nothing_is_left() -> bool:
    """Whether the end of the interpreter would only give back memory, piece by piece, which the system does at once.

    What someone else's code may have left to the end, such as files that are not closed, is never skipped.
    """
    packages = {name.partition(".")[0] for name in sys.modules if not name.startswith(COMPILED)}
    known = packages <= QUIET | BELOW | sys.stdlib_module_names and not packages & WATCHING
    import threading

    return known and threading.active_count() == 1 and not sys.flags.interactive and not sys.flags.inspect


def _end(status: int) -> None:
    """End now; not where what was printed cannot be written, which the interpreter's own end says."""
    import atexit

    try:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except (AttributeError, OSError, ValueError):
        return
    atexit._run_exitfuncs()
    os._exit(status)


if __name__ == "__main__":
    program()
