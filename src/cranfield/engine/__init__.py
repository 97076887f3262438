"""The choice between the two engines.

The compiled one (Rust, ``cranfield._engine``) is used where it was built; the reference one
(``cranfield.reference_engine``) does the same in readable Python, and is what the compiled one is tested against.
``CRANFIELD_ENGINE=reference|compiled`` overrides the choice, and is read anew at each call.
"""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, cast

from cranfield._lazy import attach
from cranfield._text import warn
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.engine.protocol import Engine, Facts, Judged, QrelsColumns, RunIds
else:  # lazily, since they need NumPy
    __getattr__ = attach(
        __name__,
        dict.fromkeys(("Engine", "Facts", "Judged", "QrelsColumns", "RunIds"), "cranfield.engine.protocol"),
    )

__all__ = [
    "Engine",
    "Facts",
    "Judged",
    "QrelsColumns",
    "RunIds",
    "compiled",
    "current",
    "name",
]


@functools.cache
def current() -> Engine:
    """The engine in use.

    Raises:
        UsageError: ``CRANFIELD_ENGINE`` names an engine that is not there.
    """
    engine = compiled()
    if engine is not None:
        return engine
    if not os.environ.get("CRANFIELD_ENGINE"):
        warn(
            "running on the reference engine, which is many times slower: this installation was built without the "
            "compiled one; install Rust (https://rustup.rs) and reinstall cranfield, or set CRANFIELD_ENGINE=reference"
        )
    from cranfield import reference_engine

    return reference_engine


def name() -> str:
    """The name of the engine in use, for which NumPy need not be imported.

    Raises:
        UsageError: ``CRANFIELD_ENGINE`` names an engine that is not there.
    """
    return (compiled(arrays=False) or current()).NAME


def compiled(*, arrays: bool = True) -> Engine | None:
    """The engine in Rust; None where it was not built, or with ``CRANFIELD_ENGINE=reference``.

    Args:
        arrays: whether it will be given any; if not, NumPy need not be imported.

    Raises:
        UsageError: ``CRANFIELD_ENGINE`` names an engine that is not there.
    """
    choice = os.environ.get("CRANFIELD_ENGINE", "")
    if choice not in ("", "reference", "compiled"):
        raise UsageError(f"CRANFIELD_ENGINE={choice!r} should be reference, compiled or empty")
    if choice == "reference":
        return None
    engine = _load()
    if engine is None and choice == "compiled":
        raise UsageError(
            "CRANFIELD_ENGINE=compiled, but this installation was built without the compiled engine: "
            "install Rust (https://rustup.rs) and reinstall cranfield"
        )
    return _load_with_numpy() if arrays else engine


@functools.cache
def _load() -> Engine | None:
    try:
        from cranfield import _engine
    except ImportError:
        return None
    return cast("Engine", _engine)


@functools.cache
def _load_with_numpy() -> Engine | None:
    engine = _load()
    if engine is not None:
        from cranfield import _engine

        _engine.ask_for_numpy()
    return engine
