"""Objects of other tools in memory, as the dicts and lists that they hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cranfield.errors import UsageError
from cranfield.io.messages import ORDER


def unwrapped(value: Any, wanted: str) -> Any:
    """``Run`` and ``Qrels`` of ranx as dicts, and an iterator, which is read once, as a list; anything else as it is.

    Args:
        value: of any kind.
        wanted: ``run`` or ``qrels``.

    Raises:
        UsageError: the qrels of ranx where a run is wanted, or the other way round; or an iterator that is used up.
    """
    kind = type(value)
    if kind.__module__.partition(".")[0] == "ranx" and hasattr(value, "to_dict"):
        if kind.__name__.lower() != wanted:
            given = f"a {kind.__name__} of ranx is given as {'a run' if wanted == 'run' else 'qrels'}"
            raise UsageError(f"{given}: are runs and qrels exchanged? {ORDER}")
        return value.to_dict()
    if not isinstance(value, Iterator):
        return value
    held = list(value)
    if not held:
        what = "a run" if wanted == "run" else wanted
        text = f"the {kind.__name__} given as {what} holds nothing: it can be read once, and may have been read before"
        raise UsageError(f"{text}; keep what it gives in a list: list(...)")
    return held


def name_of(value: Any) -> str | None:
    """The name that a run of ranx has, or a data set of ours."""
    name = getattr(value, "name", None)
    library, _, room = type(value).__module__.partition(".")
    known = library == "ranx" or (library == "cranfield" and room.startswith("partitions."))
    return name if known and isinstance(name, str) and name else None
