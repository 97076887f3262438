"""This engine inside other tools: ``cranfield.integrations.ir_measures`` and ``cranfield.integrations.pyterrier``.

Nothing of the other tool is imported, and nothing in it changes, until it is asked for.
"""

from importlib import import_module
from typing import Any

_TOOLS = ("ir_measures", "pyterrier")


def __getattr__(name: str) -> Any:
    if name not in _TOOLS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted(_TOOLS)
