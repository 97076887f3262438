"""The memory that columns of a Parquet file take, by the headers of its pages, before they are unpacked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from cranfield._optional import pa, pc, pq
from cranfield._text import shown
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.io.parquet_pages import DamagedPageError, Page, read_pages
from cranfield.memory import budget, require

BYTES = 8
"""Bytes of a number, or of the offset of a text."""
BATCH = 1 << 16
"""Rows whose texts are measured at a time."""
USUAL = 32
"""A file may take this multiple of its size whatever the budget is: rows of a run have some ten bytes each."""
SHARE = 16
"""Rows of a data set that are read together take up to the budget divided by this: they are copied, by many workers."""
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
        InputError: they would take more than the budget, or the footer contradicts itself.
    """
    refuse_contradictions(parquet.metadata, location)
    about, wanted = parquet.metadata, set(names)
    leaves = [at for at in range(about.num_columns) if _find_column(about.schema.column(at).path, wanted)]
    chosen = range(about.num_row_groups) if groups is None else list(groups)
    chunks = [(group, leaf, about.row_group(group).column(leaf)) for group in chosen for leaf in leaves]
    rows = sum(about.row_group(group).num_rows for group in chosen)
    what = f"{rows:,} rows of {', '.join(shown(name) for name in sorted(wanted))}"
    usual = max(ALWAYS, USUAL * packed)
    # What is unpacked in any case: the pages, and for each row a number or the end of a text.
    size = of_row * rows + sum(BYTES * chunk.num_values for _, _, chunk in chunks)
    require(size, what, INSTEAD, location=location, usual=usual)
    limit = max(budget(), usual)
    sizes = []
    for _, _, chunk in chunks:
        sizes.append(0)
        for page in _pages(source, chunk, location):
            sizes[-1] += page.unpacked
            require(size + sum(sizes), what, INSTEAD, location=location, usual=usual)
    size += sum(sizes)
    repeated = sum(
        _at_most(parquet, leaf, chunk, unpacked) for (_, leaf, chunk), unpacked in zip(chunks, sizes, strict=True)
    )
    if size + repeated <= limit:
        return
    for (group, leaf, _), unpacked in zip(chunks, sizes, strict=True):
        size += _measure_repeated(parquet, source, group, leaf, unpacked, limit - size)
        require(size, what, INSTEAD, location=location, usual=usual)


def _find_column(path: str, wanted: Iterable[str]) -> str | None:
    """Find the column to which a leaf belongs, whose name may hold dots as in ``RBP(p=0.8)``; None of others."""
    return next((name for name in wanted if path == name or path.startswith(f"{name}.")), None)


def _is_nested(parquet: Any, leaf: int) -> bool:
    column = parquet.schema.column(leaf)
    return bool(column.name != column.path)


def refuse_contradictions(metadata: Any, location: Location) -> None:
    """Refuse a footer whose numbers of rows contradict each other, so that no other number has to be compared with it.

    Raises:
        InputError: it states a size below 0, or other rows for the file, a row group or a column.
    """
    total = 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        total += group.num_rows
        for leaf in range(group.num_columns):
            chunk = group.column(leaf)
            is_flat = metadata.schema.column(leaf).max_repetition_level == 0
            if min(group.num_rows, chunk.num_values, chunk.total_compressed_size) < 0:
                raise _contradiction(f"row group {number} states a size below 0", location)
            if is_flat and chunk.num_values != group.num_rows:
                column = shown(chunk.path_in_schema)
                text = f"row group {number} has {group.num_rows:,} rows, and its column {column} {chunk.num_values:,}"
                raise _contradiction(text, location)
    if total != metadata.num_rows:
        raise _contradiction(f"it states {metadata.num_rows:,} rows, and its row groups have {total:,}", location)


def _contradiction(text: str, location: Location) -> InputError:
    message = f"the footer of the Parquet data is damaged: {text}; copy or write the file again"
    return InputError(message, location, code="damaged")


def count_rows_within(
    parquet: Any, source: Any, names: Iterable[str], group: int, location: Location, *, most: int
) -> int:
    """The number of rows of a row group that can be unpacked together, at most ``most``.

    Args:
        parquet: the ``pyarrow.parquet.ParquetFile``.
        source: the open file that it reads.
        names: of the columns that will be read together.
        group: the number of the row group.
        location: of the file.
        most: rows that are wanted.

    Raises:
        InputError: a page, or a row, would take more than the budget.
    """
    about, wanted = parquet.metadata, set(names)
    limit, of_row = max(budget(), ALWAYS) // SHARE, BYTES
    for leaf in range(about.num_columns):
        chunk = about.row_group(group).column(leaf)
        name = _find_column(chunk.path_in_schema, wanted)
        if name is None:
            continue
        largest = total = 0
        of_value = BYTES
        for page in _pages(source, chunk, location):
            largest, total = max(largest, page.unpacked), total + page.unpacked + BYTES * page.values
            if not page.is_dictionary:
                of_value = max(of_value, -(-page.unpacked // max(1, page.values)))
            require(largest, f"a page of {shown(name)}", INSTEAD, location=location, usual=ALWAYS)
        if about.schema.column(leaf).max_repetition_level:
            of_row += total
        else:
            of_row += max(of_value, _longest(parquet, source, group, leaf, largest, limit // max(1, most)))
        require(of_row, f"a row of {shown(name)}", INSTEAD, location=location, usual=ALWAYS)
    return max(1, min(most, limit // of_row))


def _longest(parquet: Any, source: Any, group: int, leaf: int, page: int, room: int) -> int:
    """Bytes of the longest value that the pages of a chunk may repeat; no dictionary is read where all have room.

    Args:
        page: bytes of the largest page, which holds each value.
        room: bytes of a value, of which as many have room as are read together.
    """
    chunk = parquet.metadata.row_group(group).column(leaf)
    if chunk.physical_type == "FIXED_LEN_BYTE_ARRAY":
        return int(parquet.schema.column(leaf).length)
    if chunk.physical_type != "BYTE_ARRAY":
        return 0
    if "DELTA_BYTE_ARRAY" in chunk.encodings or page <= room or _is_nested(parquet, leaf):
        return page
    first = next(_arrays(source, group, chunk.path_in_schema, 1), None) if chunk.has_dictionary_page else None
    if first is None or not pa.types.is_dictionary(first.type):
        return 0
    return int(pc.max(pc.binary_length(first.dictionary)).as_py() or 0)


def _pages(source: Any, chunk: Any, location: Location) -> Iterator[Page]:
    """The pages of a chunk.

    Raises:
        InputError: a header is damaged.
    """
    try:
        yield from read_pages(source, chunk)
    except DamagedPageError as error:
        text = f"the Parquet data are damaged: {error}; copy or write the file again"
        raise InputError(text, location, code="damaged") from None


def _at_most(parquet: Any, leaf: int, chunk: Any, unpacked: int) -> int:
    """The bytes of a chunk's values if each is as long as all that is stored of them."""
    if chunk.physical_type == "FIXED_LEN_BYTE_ARRAY":
        return int(chunk.num_values * parquet.schema.column(leaf).length)
    return int(chunk.num_values * unpacked) if chunk.physical_type == "BYTE_ARRAY" else 0


def _measure_repeated(parquet: Any, source: Any, group: int, leaf: int, unpacked: int, room: int) -> int:
    """The bytes, about, of a chunk's values that its pages do not hold; counting ends where there is no more room."""
    chunk = parquet.metadata.row_group(group).column(leaf)
    most = _at_most(parquet, leaf, chunk, unpacked)
    if most <= room or chunk.physical_type != "BYTE_ARRAY" or _is_nested(parquet, leaf):
        return most
    # What a text has in common with the one before may be left out; otherwise only dictionaries repeat anything.
    is_delta = "DELTA_BYTE_ARRAY" in chunk.encodings
    if not is_delta and not chunk.has_dictionary_page:
        return 0
    first = None if is_delta else next(_arrays(source, group, chunk.path_in_schema, 1), None)
    if first is None or not pa.types.is_dictionary(first.type):
        few = max(16, min(BATCH, room // (4 * max(1, unpacked))))
        return _counted(_arrays(source, group, chunk.path_in_schema, few, coded=False), room)
    longest = pc.max(pc.binary_length(first.dictionary)).as_py() or 0
    if chunk.num_values * longest <= room:
        return int(chunk.num_values * longest)
    return _counted(_arrays(source, group, chunk.path_in_schema, BATCH), room)


def _arrays(source: Any, group: int, name: str, rows: int, *, coded: bool = True) -> Iterator[Any]:
    """A column, ``rows`` rows at a time; where it is coded, texts of a dictionary are not written out."""
    # Whoever counts may stop in the middle, and then no thread of PyArrow may be reading on.
    with pq.ParquetFile(source, read_dictionary=[name] if coded else [], pre_buffer=False) as parquet:
        for batch in parquet.iter_batches(rows, row_groups=[group], columns=[name], use_threads=False):
            yield batch.column(0)


def _counted(arrays: Iterator[Any], room: int) -> int:
    """Bytes of all texts, or of as many as are more than there is room for."""
    size = 0
    for array in arrays:
        lengths = pc.binary_length(array.dictionary if pa.types.is_dictionary(array.type) else array)
        if pa.types.is_dictionary(array.type):
            lengths = lengths.take(array.indices)
        size += pc.sum(lengths.cast(pa.int64())).as_py() or 0
        if size > room:
            break
    return size
