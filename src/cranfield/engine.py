"""The choice between the two engines.

The compiled one (Rust, ``cranfield._engine``) is used where it was built; the reference one
(``cranfield.reference_engine``) does the same in readable Python, and is what the compiled one is tested against.
``CRANFIELD_ENGINE=reference|compiled`` overrides the choice.
"""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING

from cranfield.compiled import before_numpy, compiled
from cranfield.wording import warn

if TYPE_CHECKING:
    from cranfield.contract import Engine


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
