"""The memory that columns of a Parquet file take, by its footer and dictionaries, before they are unpacked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from cranfield._text import shown
from cranfield.findings.location import Location
from cranfield.memory import budget, require

BYTES = 8
"""Bytes of a number, or of the offset of a text."""
BATCH = 1 << 16
"""Rows that are counted at a time, where lengths are counted."""
USUAL = 32
"""A file may take this multiple of its size whatever the budget is: rows of a run have some ten bytes each."""
ALWAYS = 16 << 20
"""Bytes that any file may take: the package itself takes more."""
INSTEAD = "write fewer rows or shorter texts into one file"


def refuse_large_columns(
    parquet: Any,
    source: Any,
    names: Iterable[str],
    location: Location,
    packed: int,
    *,
    of_row: int = 0,
    groups: Iterable[int] | None = None,
) -> None:
    """Refuse columns that would not fit into memory.

    A text that is there a million times takes no more room in the file than once: the file's size says little.

    Args:
        parquet: the ``pyarrow.parquet.ParquetFile``.
        source: the open file that it reads.
        names: of the columns that will be read together.
        location: of the file.
        packed: its size.
        of_row: bytes that each row takes besides, in whatever is made of the columns.
        groups: numbers of the row groups that will be read together; all where None.

    Raises:
        InputError: they would take more than the budget.
    """
    about, wanted = parquet.metadata, set(names)
    leaves = [at for at in range(about.num_columns) if about.schema.column(at).path.partition(".")[0] in wanted]
    chosen = range(about.num_row_groups) if groups is None else list(groups)
    chunks = [(group, leaf, about.row_group(group).column(leaf)) for group in chosen for leaf in leaves]
    rows = sum(about.row_group(group).num_rows for group in chosen)
    what = f"{rows:,} rows of {', '.join(shown(name) for name in sorted(wanted))}"
    # What is unpacked in any case: the pages, and for each row a number or the end of a text.
    size = of_row * rows + sum(chunk.total_uncompressed_size + BYTES * chunk.num_values for _, _, chunk in chunks)
    require(size, what, INSTEAD, location=location, usual=max(ALWAYS, USUAL * packed))
    limit = max(budget(), ALWAYS, USUAL * packed)
    if size + sum(_at_most(parquet, leaf, chunk) for _, leaf, chunk in chunks) <= limit:
        return
    for group, leaf, _ in chunks:
        size += _measure_repeated(parquet, source, group, leaf, limit - size)
        require(size, what, INSTEAD, location=location, usual=max(ALWAYS, USUAL * packed))


def _at_most(parquet: Any, leaf: int, chunk: Any) -> int:
    """The bytes of a chunk's values if each is as long as all that is stored of them."""
    if chunk.physical_type == "FIXED_LEN_BYTE_ARRAY":
        return int(chunk.num_values * parquet.schema.column(leaf).length)
    return int(chunk.num_values * chunk.total_uncompressed_size) if chunk.physical_type == "BYTE_ARRAY" else 0


def _measure_repeated(parquet: Any, source: Any, group: int, leaf: int, room: int) -> int:
    """The bytes, about, of a chunk's values that its pages do not hold; counting ends where there is no more room."""
    import pyarrow as pa
    import pyarrow.compute as pc

    chunk = parquet.metadata.row_group(group).column(leaf)
    most = _at_most(parquet, leaf, chunk)
    if most <= room or chunk.physical_type != "BYTE_ARRAY" or "." in chunk.path_in_schema:
        return most
    # What a text has in common with the one before may be left out; otherwise only dictionaries repeat anything.
    shares = "DELTA_BYTE_ARRAY" in chunk.encodings
    if not shares and not chunk.has_dictionary_page:
        return 0
    first = None if shares else next(_arrays(source, group, chunk.path_in_schema, 1), None)
    if first is None or not pa.types.is_dictionary(first.type):
        few = max(16, min(BATCH, room // (4 * max(1, chunk.total_uncompressed_size))))
        return _counted(_arrays(source, group, chunk.path_in_schema, few, coded=False), room)
    longest = pc.max(pc.binary_length(first.dictionary)).as_py() or 0
    if chunk.num_values * longest <= room:
        return int(chunk.num_values * longest)
    return _counted(_arrays(source, group, chunk.path_in_schema, BATCH), room)


def _arrays(source: Any, group: int, name: str, rows: int, *, coded: bool = True) -> Iterator[Any]:
    """A column, ``rows`` rows at a time; where it is coded, texts of a dictionary are not written out."""
    import pyarrow.parquet as pq

    # Whoever counts may stop in the middle, and then no thread of PyArrow may be reading on.
    with pq.ParquetFile(source, read_dictionary=[name] if coded else [], pre_buffer=False) as parquet:
        for batch in parquet.iter_batches(rows, row_groups=[group], columns=[name], use_threads=False):
            yield batch.column(0)


def _counted(arrays: Iterator[Any], room: int) -> int:
    """Bytes of all texts, or of as many as are more than there is room for."""
    import pyarrow as pa
    import pyarrow.compute as pc

    size = 0
    for array in arrays:
        lengths = pc.binary_length(array.dictionary if pa.types.is_dictionary(array.type) else array)
        if pa.types.is_dictionary(array.type):
            lengths = lengths.take(array.indices)
        size += pc.sum(lengths.cast(pa.int64())).as_py() or 0
        if size > room:
            break
    return size
