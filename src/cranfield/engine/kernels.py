"""The registry of kernels: functions over flat arrays that exist twice, compiled and in NumPy.

A kernel is declared where its twin is: ``@kernel`` above a function in NumPy. Whoever calls that function does not know
which engine runs. Both have one name and the same parameters, and give the same bits.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from cranfield import engine
from cranfield._typing import Bytes, Floats, Ints, Mask, Parameters, Returned

KERNELS: dict[str, Callable[..., Any]] = {}
"""The twin of each kernel by its name; filled where twins are imported."""

_ALIASES = {"Floats": Floats, "Ints": Ints, "Mask": Mask, "Bytes": Bytes}
_TYPES = {"Floats": np.float64, "Ints": np.int64, "Mask": np.bool_, "Bytes": np.uint8}
FLAT: dict[Any, Any] = {
    hint: _TYPES[name] for name, alias in _ALIASES.items() for hint in (name, f"{name} | None", alias, alias | None)
}
"""Types of the arrays that the compiled engine reads, C-contiguous ones, by how they are annotated."""


def kernel(twin: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """Run the compiled function of this name where it is there, and the twin where not.

    The twin also runs where the compiled function returns None: of what it does not do, such as numbers of which NumPy
    warns.
    """
    name = twin.__name__
    other = KERNELS.get(name, twin)
    assert other.__module__ == twin.__module__, f"there are two kernels of the name {name}"
    KERNELS[name] = twin
    types = [FLAT.get(hint) for parameter, hint in twin.__annotations__.items() if parameter != "return"]

    @functools.wraps(twin)
    def run(*arguments: Parameters.args, **named: Parameters.kwargs) -> Returned:
        compiled = engine.compiled()
        if compiled is not None:
            flat = [
                value if kind is None or value is None else np.ascontiguousarray(cast("Any", value), dtype=kind)
                for value, kind in zip(arguments, types, strict=False)
            ]
            result = getattr(compiled, name)(*flat, **named)
            if result is not None:
                return cast("Returned", result)
        return twin(*arguments, **named)

    return run
