"""Metadata of a file, without reading its rows: columns, row groups, and the statistics of topics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from cranfield._optional import pa, pq
from cranfield._text import quoted
from cranfield.collection.column_names import may_name_systems, rank_alone, resolve, several_systems
from cranfield.errors import InputError
from cranfield.io.parquet_size import refuse_contradictions, refuse_large_columns
from cranfield.streaming.partitions.batches import readable_now, record_batches
from cranfield.streaming.partitions.fragment import FORMS, Fragment, RowGroup
from cranfield.streaming.partitions.ipc_size import refuse_large_batches, refuse_long_texts

ROWS = 1 << 17
"""Rows read at a time of a column that may name systems."""


class Footer(NamedTuple):
    """The schema of a file, and Parquet's metadata of its row groups."""

    schema: Any
    metadata: Any
    rows: int


def described(bare: Fragment, kind: str, columns: dict[str, str]) -> Fragment:
    """A file with its columns, row groups and rows.

    Args:
        bare: the file, of which no more is known than where it is.
        kind: ``score`` for a run, ``label`` for judgments.
        columns: role -> column, where the caller says so.

    Raises:
        InputError: the file is damaged, or a column is missing.
    """
    with readable_now(bare):
        footer = _read(bare)
    names = [*footer.schema.names, *(name for name in bare.constants if name not in footer.schema.names)]
    constants = {name: value for name, value in bare.constants.items() if name not in footer.schema.names}
    try:
        if kind == "score":
            _refuse_ranks(names, columns)
        resolved = resolve(names, kind, columns, owner="the file")
    except InputError as error:
        raise InputError(error.text, bare.location, code=error.code, value=error.value) from None
    roles = {role: resolved[role] for role in ("topic", "document", kind)}
    integer = {role: _is_integer(footer.schema, roles[role], constants) for role in ("topic", "document")}
    with readable_now(bare):
        groups = None if footer.metadata is None else _groups(footer, roles["topic"])
    naming = []
    if "system" in resolved:
        naming = [resolved["system"]]
    elif kind == "score":
        naming = may_name_systems(names, columns)
    systems = {name: _constant_value(footer, name, constants) for name in naming}
    return replace(
        bare,
        roles=roles,
        constants=constants,
        integer_ids=integer,
        groups=groups,
        rows=footer.rows,
        systems=systems,
    )


def _refuse_ranks(names: list[str], columns: dict[str, str]) -> None:
    """Raises: InputError: a run has ranks and no scores, which are not read part by part."""
    rank = rank_alone(names, columns)
    if rank is not None:
        text = f"the file has ranks (column {quoted(rank)}) and no scores; write a column score that is minus the rank"
        raise InputError(text, code="column", value=rank)


def _constant_value(footer: Footer, name: str, constants: dict[str, Any]) -> str | None:
    """The value of a column in all rows of a file, where that is known without reading them."""
    if name in constants:
        return str(constants[name])
    if footer.metadata is None:
        return None
    groups = [_statistics(footer.metadata, number, name) for number in range(footer.metadata.num_row_groups)]
    if not groups or not all(known is not None and known.has_min_max and known.null_count == 0 for known in groups):
        return None
    values = {str(end) for known in groups for end in (known.min, known.max)}
    return values.pop() if len(values) == 1 else None


def _statistics(metadata: Any, group: int, name: str) -> Any:
    paths = [metadata.schema.column(number).path for number in range(metadata.num_columns)]
    return metadata.row_group(group).column(paths.index(name)).statistics if name in paths else None


def check_system(fragments: list[Fragment]) -> None:
    """Refuse a run whose rows are of several systems by a column, or by the names of its folders.

    Raises:
        InputError: two values of such a column.
    """
    first: dict[str, str] = {}
    remedy = "write each to a folder of its own, and name these one by one"
    names = list(dict.fromkeys(name for fragment in fragments for name in fragment.systems))
    for fragment in fragments:
        for name in names:
            value = fragment.systems.get(name, "")  # a file without the column is of no system that has a name
            for met in _values(fragment, name) if value is None else (value,):
                if first.setdefault(name, met) != met:
                    text = several_systems(name, first[name], met, remedy)
                    raise InputError(text, fragment.location, code="several-systems", value=met[:80])


def _values(fragment: Fragment, name: str) -> Iterator[str]:
    with readable_now(fragment):
        for _, batch in record_batches(fragment, [name], ROWS):
            yield from map(str, batch.column(0).unique().to_pylist())


def column_names(fragment: Fragment) -> list[str]:
    """The columns of a file and of its folders; none of a file of text.

    Raises:
        InputError: the file is damaged.
    """
    if fragment.form == "trec":
        return []
    with readable_now(fragment):
        return list(dict.fromkeys([*_read(fragment).schema.names, *fragment.constants]))


def count_rows(bare: Fragment) -> int:
    """Count the rows of a file.

    Raises:
        InputError: the file is damaged.
    """
    with readable_now(bare):
        if bare.form == "parquet":
            return _read(bare).rows
        with bare.system.open_input_file(bare.path) as source:
            refuse_large_batches(source, bare.location, packed=bare.size)
            file = pa.ipc.open_file(source)
            return sum(file.get_batch(number).num_rows for number in range(file.num_record_batches))


def read_table(files: list[Fragment], columns: dict[str, str]) -> Any:
    """All rows of all files, with the columns of folders; the columns of roles are called as these.

    Raises:
        InputError: a file is damaged, or has other columns than the first one.
    """
    tables: list[Any] = []
    roles = {name: role.rpartition(".")[2] for role, name in columns.items()}
    for fragment in files:
        with readable_now(fragment), fragment.system.open_input_file(fragment.path) as source:
            table = _read_all(fragment, source)
        for name, value in fragment.constants.items():
            if name not in table.column_names:
                table = table.append_column(name, pa.array([value] * table.num_rows))
        named = table.rename_columns([roles.get(name, name) for name in table.column_names])
        if tables and not named.schema.equals(tables[0].schema):
            text = f"has other columns than {files[0].name}: {_differing(named.schema, tables[0].schema)}"
            raise InputError(f"{text}; write all files with one schema", fragment.location, code="schema")
        tables.append(named.replace_schema_metadata(None))
    return pa.concat_tables(tables)


def _read_all(fragment: Fragment, source: Any) -> Any:
    """All rows of a file, if they fit into memory."""
    if fragment.form == "ipc":
        refuse_large_batches(source, fragment.location, packed=fragment.size, together=True)
        table = pa.ipc.open_file(source).read_all()
        refuse_long_texts(table.to_batches(), fragment.location, packed=fragment.size)
        return table
    file = pq.ParquetFile(source, pre_buffer=not fragment.is_local)
    refuse_large_columns(file, source, file.schema_arrow.names, fragment.location, fragment.size)
    return file.read(use_threads=False)


def _differing(schema: Any, reference: Any) -> str:
    """The first column that differs."""
    ours, theirs = ({field.name: str(field.type) for field in fields} for fields in (schema, reference))
    name = next((name for name in [*ours, *theirs] if ours.get(name) != theirs.get(name)), "their order")
    return f"{quoted(name)} is {ours.get(name, 'missing')}, there {theirs.get(name, 'missing')}"


def _read(bare: Fragment) -> Footer:
    with bare.system.open_input_file(bare.path) as source:
        if bare.form == "parquet":
            metadata = pq.read_metadata(source)
            refuse_contradictions(metadata, bare.location)
            return Footer(metadata.schema.to_arrow_schema(), metadata, metadata.num_rows)
        file = pa.ipc.open_file(source)
        return Footer(file.schema, None, 0)


def _is_integer(schema: Any, name: str, constants: dict[str, Any]) -> bool:
    if name in constants:
        return isinstance(constants[name], int)
    kind = schema.field(name).type
    return bool(pa.types.is_integer(kind.value_type if pa.types.is_dictionary(kind) else kind))


def _groups(footer: Footer, topic: str) -> tuple[RowGroup, ...]:
    metadata = footer.metadata
    paths = [metadata.schema.column(number).path for number in range(metadata.num_columns)]
    column = paths.index(topic) if topic in paths else None
    groups, first = [], 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        known = None if column is None else group.column(column).statistics
        bounds = (known.min, known.max) if known is not None and known.has_min_max else None
        if bounds is not None and not isinstance(bounds[0], (int, str)):
            bounds = None
        groups.append(RowGroup(number, group.num_rows, first, bounds))
        first += group.num_rows
    return tuple(groups)


def check_forms(fragments: list[Fragment]) -> None:
    """Refuse files of another format than the first one.

    Raises:
        InputError: the first such file.
    """
    first = fragments[0]
    for fragment in fragments[1:]:
        if fragment.form != first.form:
            forms = FORMS[fragment.form], FORMS[first.form]
            text = f"is {forms[0]}, and {first.name} is {forms[1]}; keep data of one format in a folder"
            raise InputError(text, fragment.location, code="schema", value=fragment.form)


def check_alike(fragments: list[Fragment]) -> None:
    """Refuse files whose ids are of other kinds than those of the first file.

    Raises:
        InputError: the first such file.
    """
    first = fragments[0]
    for fragment in fragments[1:]:
        for role, is_integer in fragment.integer_ids.items():
            if is_integer != first.integer_ids[role]:
                kinds = ("whole numbers", "text") if is_integer else ("text", "whole numbers")
                column = quoted(fragment.roles[role])
                text = (
                    f"the {role} ids (column {column}) are {kinds[0]}, and in {first.name} {kinds[1]}; "
                    "write all files with one schema"
                )
                raise InputError(text, fragment.location, code="schema", value=fragment.roles[role])
