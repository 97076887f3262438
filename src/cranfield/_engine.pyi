"""The compiled engine (``engine/src/python/module.rs``), which ``cranfield.engine`` hands out as its protocol."""

from typing import Any

NAME: str

def __getattr__(name: str) -> Any: ...
