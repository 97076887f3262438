"""The choice between the two engines.

The compiled one (Rust, ``cranfield._engine``) is used where it was built; the reference one
(``cranfield.reference_engine``) does the same in readable Python, and is what the compiled one is tested against.
``CRANFIELD_ENGINE=reference|compiled`` overrides the choice.
"""

from __future__ import annotations

import functools
import os

from cranfield.contract import Engine
from cranfield.errors import UsageError
from cranfield.wording import warn


@functools.cache
def current() -> Engine:
    """The engine in use.

    Raises:
        UsageError: ``CRANFIELD_ENGINE`` asks for an engine that is not there.
    """
    wanted = os.environ.get("CRANFIELD_ENGINE", "")
    if wanted not in ("", "reference", "compiled"):
        raise UsageError(f"CRANFIELD_ENGINE={wanted!r} should be reference, compiled or empty")
    if wanted != "reference":
        try:
            from cranfield import _engine

            return _engine
        except ImportError:
            if wanted == "compiled":
                raise UsageError(
                    "CRANFIELD_ENGINE=compiled, but this installation was built without the compiled engine: "
                    "install Rust (https://rustup.rs) and reinstall cranfield"
                ) from None
        warn(
            "running on the reference engine, which is many times slower: this installation was built without the "
            "compiled one; install Rust (https://rustup.rs) and reinstall cranfield, or set CRANFIELD_ENGINE=reference"
        )
    from cranfield import reference_engine

    return reference_engine
