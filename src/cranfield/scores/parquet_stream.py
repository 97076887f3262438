"""Scores that are written as Parquet a block of topics at a time: a file for each, all of them or none."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cranfield.io.atomic_write import whole_folder
from cranfield.io.filesystem import is_address, resolve_filesystem
from cranfield.scores.parquet_write import (
    ENDING,
    FILES,
    about,
    as_bytes,
    check_address,
    is_score_part,
    make_batches,
    make_folder,
    part_name,
    put_at,
    write_rows,
)
from cranfield.scores.table import ScoreTable


def write_blocks(path: str, metadata: dict[str, Any], count: int, blocks: Iterator[list[list[Any]]]) -> None:
    """Write a folder of scores, here or at an address.

    Args:
        path: of the folder.
        metadata: of all files.
        count: of the blocks.
        blocks: of each the columns of every system.

    Raises:
        InputError: it cannot be written, or is there and holds something else.
    """
    if is_address(path):
        put_blocks(path, metadata, count, blocks)
        return
    with whole_folder(Path(path), is_score_part) as folder:
        for number, batches in enumerate(blocks):
            with (folder / part_name(number)).open("wb") as stream:
                write_rows(stream, metadata, iter(batches))


def write_at(table: ScoreTable, path: str) -> None:
    """Write one object if the address ends in ``.parquet``, else one for each system; all of them or none.

    Raises:
        InputError: it cannot be written, something is there, or a measure is called as a column is.
    """
    metadata, systems = about(table), range(len(table.systems))
    if not path.rstrip("/").endswith(ENDING):
        put_blocks(path, metadata, len(systems), (make_batches(table, number) for number in systems))
        return
    check_address(path)
    system, inner = resolve_filesystem(path, None, {})
    every = (batch for number in systems for batch in make_batches(table, number))
    put_at(system, inner.rstrip("/"), path, as_bytes(metadata, every))


def put_blocks(path: str, metadata: dict[str, Any], count: int, blocks: Iterator[Any]) -> None:
    """Write a folder at an address; what was written is removed where a part fails.

    An object appears completely. A killed writer leaves some, which ``read_scores`` refuses, as each has their number.
    """
    check_address(path)
    system, inner = resolve_filesystem(path, None, {})
    inner, written = inner.rstrip("/"), list[str]()
    try:
        make_folder(system, inner)
        for number, batches in enumerate(blocks):
            written.append(f"{inner}/{part_name(number)}")
            put_at(system, written[-1], path, as_bytes(metadata | {FILES: count}, iter(batches)))
    except BaseException:
        for name in written:
            with contextlib.suppress(Exception):
                system.delete_file(name)
        raise
