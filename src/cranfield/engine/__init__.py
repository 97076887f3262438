"""The choice between the two engines.

The compiled one (Rust, ``cranfield._engine``) is used where it was built; the reference one
(``cranfield.reference_engine``) does the same in readable Python, and is what the compiled one is tested against.
``CRANFIELD_ENGINE=reference|compiled`` overrides the choice.

The compiled engine, where it was built and is wanted.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING

from cranfield._text import warn
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.engine.compiled_protocol import Compiled
    from cranfield.engine.protocol import Engine


@functools.cache
def current() -> Engine:
    """The engine in use.

    Raises:
        UsageError: ``CRANFIELD_ENGINE`` asks for an engine that is not there.
    """
    found = compiled()
    if found is not None:
        return found
    if not os.environ.get("CRANFIELD_ENGINE"):
        warn(
            "running on the reference engine, which is many times slower: this installation was built without the "
            "compiled one; install Rust (https://rustup.rs) and reinstall cranfield, or set CRANFIELD_ENGINE=reference"
        )
    from cranfield import reference_engine

    return reference_engine


def name() -> str:
    """What the engine in use is called; the compiled one says so before NumPy is imported.

    Raises:
        UsageError: ``CRANFIELD_ENGINE`` asks for an engine that is not there.
    """
    return (before_numpy() or current()).NAME


_held: ContextVar[tuple[Compiled | None] | None] = ContextVar("engine", default=None)
"""What was answered where it is asked once."""


def compiled() -> Compiled | None:
    """The engine in Rust; None where it was not built, or ``CRANFIELD_ENGINE=reference``.

    Raises:
        UsageError: ``CRANFIELD_ENGINE`` asks for an engine that is not there.
    """
    held = _held.get()
    if held is not None:
        return held[0]
    return None if before_numpy() is None else _ready()


@contextlib.contextmanager
def asked_once() -> Iterator[None]:
    """Here the engine stays the one that there is at the beginning.

    Everywhere else the environment is read anew whenever someone asks, which takes longer than much that is then done.

    Raises:
        UsageError: see ``compiled``.
    """
    token = _held.set((compiled(),))
    try:
        yield
    finally:
        _held.reset(token)


def before_numpy() -> Compiled | None:
    """The same for what it does without arrays: NumPy may not be imported yet.

    Raises:
        UsageError: ``CRANFIELD_ENGINE`` asks for an engine that is not there.
    """
    wanted = os.environ.get("CRANFIELD_ENGINE", "")
    if wanted not in ("", "reference", "compiled"):
        raise UsageError(f"CRANFIELD_ENGINE={wanted!r} should be reference, compiled or empty")
    if wanted == "reference":
        return None
    found = _built()
    if found is None and wanted == "compiled":
        raise UsageError(
            "CRANFIELD_ENGINE=compiled, but this installation was built without the compiled engine: "
            "install Rust (https://rustup.rs) and reinstall cranfield"
        )
    return found


@functools.cache
def _built() -> Compiled | None:
    try:
        from cranfield import _engine
    except ImportError:
        return None
    return _engine


@functools.cache
def _ready() -> Compiled | None:
    found = _built()
    if found is not None:
        found.ask_for_numpy()
    return found
