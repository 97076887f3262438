"""``--limit N``: how many pairs a table for people shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    import pandas as pd

from cranfield.errors import UsageError

LINES = 20
"""Of a table for people where nobody says how many; other formats hold everything."""

limit_option = click.option(
    "--limit",
    type=click.IntRange(0),
    metavar="N",
    help=f"Largest number of pairs to print; 0 for all.  [default: {LINES} in a table, all in other formats]",
)


def refuse_limit(limit: int | None, tables: str) -> None:
    """Raises: UsageError: a limit where the table has no pairs; ``tables`` says which have."""
    if limit is not None:
        raise UsageError(f"--limit is about pairs, and this table has none: {tables}, or leave it out")


def limited(table: pd.DataFrame, limit: int | None, format_: str, order: str) -> tuple[pd.DataFrame, str]:
    """The first rows, and what a caption says of the others; that is nothing where there are none.

    Args:
        table: a row a pair, sorted.
        limit: as it was given.
        format_: in which it is printed.
        order: what the first rows are, for example "the largest differences first".
    """
    shown = limit if limit is not None else LINES if format_ == "table" else 0
    if not shown or len(table) <= shown:
        return table, ""
    return table.head(shown), f"{shown:,} of {len(table):,} pairs, {order}; --limit 0 shows all"


def by_size(table: pd.DataFrame, column: str = "difference") -> pd.DataFrame:
    """Rows by the size of what a column holds, largest first; equal ones as they were."""
    return table.sort_values(column, key=lambda values: -values.abs(), kind="stable", ignore_index=True)
