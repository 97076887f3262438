"""Parts of a run as engines hand them over and take them back: Arrow's tables, or iterators of record batches."""

from __future__ import annotations

import functools
import operator
import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from cranfield._optional import pa
from cranfield.errors import InputError
from cranfield.scoring.partial_sums import Partial


def map_rows(rows: Any, compute: Callable[[Any], dict[str, Any]], types: dict[str, str]) -> Any:
    """Apply a function of a table to a table, a record batch or an iterator of record batches.

    Args:
        rows: the part.
        compute: from its rows to the columns that come back.
        types: of these columns, in Arrow's words.
    """
    schema = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in types.items()])
    if hasattr(rows, "num_rows"):
        return pa.table(compute(rows), schema=schema) if rows.num_rows else schema.empty_table()
    return _map_batches(rows, compute, schema)


def _map_batches(batches: Iterable[Any], compute: Callable[[Any], dict[str, Any]], schema: Any) -> Iterator[Any]:
    held = [batch for batch in batches if batch.num_rows]
    if held:
        yield from pa.table(compute(pa.Table.from_batches(held)), schema=schema).to_batches()


def merge_parts(parts: Iterable[Partial | bytes]) -> Partial:
    """Merge the sums of all parts; bytes are those that ``map_arrow`` wrote.

    Raises:
        InputError: there is none, or a topic is in two.
    """
    sums: Iterator[Partial] = (part if isinstance(part, Partial) else pickle.loads(part) for part in parts)
    first = next(sums, None)
    if first is None:
        raise InputError("no part of the run was given: it has no rows", code="empty")
    return functools.reduce(operator.or_, sums, first)
