"""One file of scores in Parquet: which there are, what their metadata say, and their columns.

Parquet of scores, read as far as it is asked for: names at once, a measure when its values are.

Values that are read when somebody asks for them, as xarray knows them.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from xarray.backends import BackendArray
from xarray.core import indexing

from cranfield._text import counted, cut, listed, quoted, shown, warn
from cranfield._typing import Floats, Ints
from cranfield.errors import EngineError, InputError
from cranfield.findings.location import Place
from cranfield.io.error_messages import refusal
from cranfield.io.formats._format import needed
from cranfield.io.formats._parquet_size import refuse_large_columns
from cranfield.io.strict_json import parse_json
from cranfield.memory import analysed, require
from cranfield.scores.combining import Part
from cranfield.scores.dataset import DIMS
from cranfield.scores.labels import known_attributes, named
from cranfield.scores.locations import Located
from cranfield.scores.parquet_write import KEY, SYSTEM, TOPIC, refuse_lacking, refuse_unlisted
from cranfield.scores.scale import Scale
from cranfield.scores.signature import SIGNATURE, carried, refuse_other_facts, unlike

if TYPE_CHECKING:
    import xarray as xr


OF_ROW = 24
"""Bytes that a row takes beside its columns in Arrow's memory."""


@dataclass(frozen=True)
class File:
    """One file, as its metadata describe it.

    Args:
        located: where it is.
        measures: columns of numbers.
        said: what our metadata say; empty where there are none.
        digest: SHA-256 of its bytes.
        stamp: its size and when it was changed.
    """

    located: Located
    measures: tuple[str, ...]
    said: Mapping[str, Any]
    digest: str
    stamp: tuple[int, int]

    @property
    def place(self) -> Place:
        """For messages."""
        return self.located.place


def described_file(located: Located) -> File:
    """What a file holds, of which no column is read.

    Raises:
        InputError: PyArrow is not there, or the file is damaged or holds no scores.
    """
    place = located.place
    with needed("pyarrow", "Parquet", place):
        import pyarrow as pa
    with located.open() as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    with opened(located) as (about, _):
        schema = about.schema_arrow
    columns = {field.name: field.type for field in schema}
    if SYSTEM not in columns or TOPIC not in columns:
        held = ", ".join(map(shown, columns))
        text = f"expected columns system and topic and one for each measure, and there are {held}"
        raise InputError(text, place, code="fields")
    measures = tuple(name for name in columns if name not in (SYSTEM, TOPIC))
    for measure in measures:
        if not (pa.types.is_floating(columns[measure]) or pa.types.is_integer(columns[measure])):
            text = f"the column {quoted(measure)} is {columns[measure]}: scores are numbers"
            raise InputError(text, place, code="score", value=cut(measure))
    if not measures:
        raise InputError("holds no column of scores, only system and topic", place, code="no-scores")
    return File(located, measures, _said(schema.metadata, place), digest, located.stamp())


@contextlib.contextmanager
def opened(located: Located) -> Iterator[tuple[Any, Any]]:
    """The file as PyArrow reads it, and the stream of its bytes.

    Raises:
        InputError: it is damaged, also where that is found inside.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with located.open() as stream, pq.ParquetFile(stream) as file:
            yield file, stream
    except MemoryError:
        raise refusal(EngineError("memory"), located.place, "run", "trec") from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        text = f"the Parquet data are damaged: {shown(str(error).strip())}; copy or write the file again"
        raise InputError(text, located.place, code="damaged") from None


def _said(metadata: Mapping[bytes, bytes] | None, place: Place) -> Mapping[str, Any]:
    text = (metadata or {}).get(KEY)
    if text is None:
        return {}
    try:
        said = parse_json(place.within("metadata"), text.decode())
    except (InputError, UnicodeDecodeError):
        said = None
    if not isinstance(said, dict) or not isinstance(said.get("measures"), dict):
        warn(f"{place}: its metadata {KEY.decode()!r} are not cranfield's and are ignored")
        return {}
    return said


def scores_in(file: File, measure: str) -> Floats:
    """The scores of all rows by a measure; NaN where there is none.

    Raises:
        InputError: one is infinite, or the file was changed or damaged since it was opened.
    """
    import pyarrow as pa

    refuse_changed(file)
    column = columns_of(file, [measure])[measure].cast(pa.float64())
    values: Floats = column.fill_null(np.nan).to_numpy()
    infinite = np.flatnonzero(np.isinf(values))
    if len(infinite):
        text = f"row {infinite[0] + 1:,}: {shown(measure)} is infinite; a missing score is null or nan"
        raise InputError(text, file.place, code="score")
    return values


def has_text_ids(file: File) -> bool:
    """Whether systems and topics are text, as they have to be."""
    with opened(file.located) as (source, _):
        return all(is_text(source.schema_arrow.field(name).type) for name in (SYSTEM, TOPIC))


def is_text(kind: Any) -> bool:
    """Whether a column of this type holds text."""
    from pyarrow import types

    return any(is_kind(kind) for is_kind in (types.is_string, types.is_large_string, types.is_dictionary))


def refuse_changed(file: File) -> None:
    """Raises: InputError: the file was changed since it was opened."""
    if file.located.stamp() != file.stamp:
        raise InputError("was changed while it was read: read it again", file.place, code="changed")


def columns_of(file: File, names: list[str]) -> Any:
    """A table of some columns.

    Raises:
        InputError: the file is damaged, or they would not fit into the memory allowed.
    """
    with opened(file.located) as (source, stream):
        refuse_large_columns(source, stream, names, file.place, file.stamp[0], of_row=OF_ROW)
        table = source.read(columns=names, use_threads=False)
        table.validate(full=True)  # PyArrow looks at no text by itself: whether it is UTF-8
        return table


OF_A_TOPIC = 100
"""Bytes that a topic's name takes, about: the text, and where it is found."""
MANY = 5
"""Files or measures that a message names."""
Positions = slice | Ints


@dataclass(frozen=True)
class Share:
    """The rows of one system in a file, and where they go: which ``rows`` to which ``topics`` of which ``system``."""

    file: File
    rows: Positions
    topics: Positions
    system: int


def read_parquet(path: str, name: str, files: Sequence[Located]) -> tuple[Part, dict[str, Any]]:
    """Scores of which only the names are read yet, and what is known of the files.

    Args:
        path: as the user named it.
        name: of the scores among others.
        files: in the order in which systems and topics are to come.

    Raises:
        InputError: PyArrow is not there; files are damaged, no scores, or differ in measures, judgments or policies; a
            system has a topic twice; or the names would not fit into the memory allowed.
    """
    found = described_files(path, files)
    topics, systems, shares = _placed(found)
    dataset = _labelled(found[0], topics, systems, shares)
    return Part(path, name, dataset, found[0].said.get("signature")), known_of(name, found)


def described_files(path: str, files: Sequence[Located]) -> list[File]:
    """Files of one evaluation, of which no column is read; see ``read_parquet``.

    Raises:
        InputError: they are damaged, no scores, too few, or of several evaluations.
    """
    found = [described_file(file) for file in files]
    for other in found[1:]:
        _refuse_other_scores(found[0], other)
    refuse_lacking(found[0].said, len(found), Place(path))
    names = [one.name.rpartition("/")[2] for one in files]
    refuse_unlisted(found[0].said, names, files[0].beside, Place(path))
    return found


def known_of(name: str, found: Sequence[File]) -> dict[str, Any]:
    """What a signature says of files that are called so."""
    digest = hashlib.sha256("".join(one.digest for one in found).encode()).hexdigest()
    source = found[0].said.get("signature")
    known = {"name": name, "files": len(found), "sha256": found[0].digest if len(found) == 1 else digest}
    return known | ({} if source is None else {"signature": source})


def _refuse_other_scores(first: File, other: File) -> None:
    """Raises: InputError: other measures, or scored with other judgments or policies."""
    if set(first.measures) != set(other.measures):
        only = [
            name for name in (*first.measures, *other.measures) if (name in first.measures) != (name in other.measures)
        ]
        names = ", ".join(map(shown, only[:MANY])) + ", ..." * (len(only) > MANY)
        text = f"{names} not in every file of these scores: give other measures as another --scores"
        raise InputError(text, other.place, code="other-scores", value=cut(only[0]))
    if first.said.get("measures") != other.said.get("measures"):
        for name in first.measures:
            refuse_other_facts(scale_in(first, name), scale_in(other, name), first.located.name, other.place)
    if differ := unlike(first.said.get("signature"), other.said.get("signature")):
        raise InputError(
            f"was scored otherwise than {shown(first.located.name, 200)}, so that they are not of one evaluation: "
            f"{'; '.join(differ)}; evaluate both alike",
            other.place,
            code="other-scores",
        )


# ---- names


def _placed(files: Sequence[File]) -> tuple[tuple[str, ...], tuple[str, ...], list[Share]]:
    """Topics and systems in the order of their first rows, and where the rows of every file go."""
    import pyarrow as pa

    held: dict[str, list[tuple[File, Positions, Any]]] = {}
    for file in files:
        for system, rows, names in _by_system(file):
            held.setdefault(named(system, "system", file.place), []).append((file, rows, names))
    topics = pa.array([], pa.large_string())
    placed: list[list[Share]] = []
    for system, parts in held.items():
        names = pa.concat_arrays([names for _, _, names in parts])
        topics, positions = _positions(topics, names)
        require(OF_A_TOPIC * len(topics), analysed(f"{len(topics):,} topics by name"), "take fewer topics at a time")
        _refuse_twice(system, parts, topics, positions)
        ends = np.cumsum([0, *(len(names) for _, _, names in parts)]).tolist()
        spans = zip(parts, ends, ends[1:], strict=False)
        placed.append(
            [Share(file, rows, _some(positions, start, end), len(placed)) for (file, rows, _), start, end in spans]
        )
    if not len(topics):
        raise InputError("holds no score of a topic", files[0].place, code="no-scores")
    _warn_of_gaps(files[0].place, len(topics), dict(zip(held, placed, strict=True)))
    return tuple(topics.to_pylist()), tuple(held), _by_file(placed)


def _by_file(placed: Sequence[Sequence[Share]]) -> list[Share]:
    """So that the column of a file is read once."""
    shares = [share for one in placed for share in one]
    return sorted(shares, key=lambda share: share.file.located.name)


def _by_system(file: File) -> Iterator[tuple[str, Positions, Any]]:
    """Each system of a file, its rows, and the topics in them."""
    import pyarrow as pa

    table = columns_of(file, [SYSTEM, TOPIC])
    for name in (SYSTEM, TOPIC):
        if table[name].null_count or not is_text(table[name].type):
            text = (
                f"the column {name} holds {'a null' if table[name].null_count else str(table[name].type)}: ids are text"
            )
            raise InputError(text, file.place, code="id")
    topics = table[TOPIC].cast(pa.large_string()).combine_chunks()
    coded = table[SYSTEM].cast(pa.large_string()).dictionary_encode().combine_chunks()
    coded = coded.chunk(0) if isinstance(coded, pa.ChunkedArray) and coded.num_chunks else coded
    names, codes = coded.dictionary.to_pylist(), coded.indices.to_numpy(zero_copy_only=False)
    if len(names) == 1:
        yield names[0], slice(0, len(topics)), topics
        return
    order = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[order], np.arange(len(names) + 1))
    for number, name in enumerate(names):
        rows = order[ends[number] : ends[number + 1]]
        if len(rows) and rows[-1] - rows[0] == len(rows) - 1:
            start = int(rows[0])
            yield name, slice(start, start + len(rows)), topics.slice(start, len(rows))
        else:
            yield name, rows, topics.take(pa.array(rows))


def _positions(topics: Any, names: Any) -> tuple[Any, Positions]:
    """Where names are among the topics, which grow by new ones."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not topics.slice(0, len(names)).equals(names):
        new = names.filter(pc.index_in(names, value_set=topics).is_null()).unique()
        topics = pa.concat_arrays([topics, new])
    if topics.slice(0, len(names)).equals(names):
        return topics, slice(0, len(names))
    return topics, pc.index_in(names, value_set=topics).to_numpy(zero_copy_only=False).astype(np.int64)


def _some(positions: Positions, start: int, end: int) -> Positions:
    return slice(start, end) if isinstance(positions, slice) else positions[start:end]


def _refuse_twice(system: str, parts: Sequence[tuple[File, Positions, Any]], topics: Any, positions: Positions) -> None:
    """Raises: InputError: a system has a topic twice; both files are named."""
    if isinstance(positions, slice):
        return
    count = np.bincount(positions, minlength=len(topics))
    if count.max() > 1:
        topic = topics[int(count.argmax())].as_py()
        *others, last = [file for file, _, names in parts if topic in names.to_pylist()]
        more = f" and {len(others) - MANY:,} more" if len(others) > MANY else ""
        named = ", ".join(shown(file.located.name, 200) for file in others[:MANY])
        also = f", here and in {named}{more}" if others else ""
        text = f"system {quoted(system)} has two rows of topic {quoted(topic)}{also}: give each once"
        raise InputError(text, last.place, code="duplicate", value=cut(topic))


def _warn_of_gaps(place: Place, topics: int, shares: Mapping[str, list[Share]]) -> None:
    lacking = {name: topics - sum(_length(one.topics) for one in parts) for name, parts in shares.items()}
    lacking = {name: count for name, count in lacking.items() if count}
    if lacking:
        cells, systems = sum(lacking.values()), listed(list(lacking), "system")
        warn(f"{place}: {counted(cells, 'cell')} without a row, read as nan ({systems})")


def _length(positions: Positions) -> int:
    return positions.stop - positions.start if isinstance(positions, slice) else len(positions)


# ---- values


def _labelled(first: File, topics: tuple[str, ...], systems: tuple[str, ...], shares: list[Share]) -> xr.Dataset:
    """Variables that read their column when their values are asked for."""
    import xarray as xr

    marks = carried(first.said.get("signature"))
    variables = {}
    for measure in first.measures:
        attributes = {**scale_in(first, measure).attributes, **marks}
        load: Callable[[], Floats] = functools.partial(_values, measure, len(topics), systems, shares)
        variables[measure] = xr.Variable(DIMS, lazily((len(topics), len(systems)), load), attributes)
    labels = {"topic": np.array(topics, dtype=object), "system": np.array(systems, dtype=object)}
    return xr.Dataset(variables, labels, {SIGNATURE: marks[SIGNATURE]} if marks else {})


def scale_in(file: File, measure: str) -> Scale:
    """How to read a measure, by what the metadata of a file say."""
    given = file.said.get("measures", {}).get(measure)
    own = known_attributes(given if isinstance(given, dict) else {}, f"{file.place}: {shown(measure)}")
    return Scale.said(measure, own, file.place)


def _values(measure: str, topics: int, systems: tuple[str, ...], shares: Sequence[Share]) -> Floats:
    """All scores by one measure, [topics, systems]."""
    size = f"{topics:,} topics of {len(systems):,} systems by {shown(measure)}"
    require(8 * topics * len(systems), analysed(size), "take fewer systems at a time")
    values = np.full((topics, len(systems)), np.nan)
    held: tuple[File, Floats] | None = None
    for share in shares:
        if held is None or held[0] is not share.file:
            held = share.file, scores_in(share.file, measure)
        values[share.topics, share.system] = held[1][share.rows]
    return values


class _Unread(BackendArray):
    """An array that is loaded whole at the first access."""

    def __init__(self, shape: tuple[int, ...], load: Callable[[], Floats]) -> None:
        self.shape = shape
        self.dtype = np.dtype(np.float64)
        self._load = load

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._at)

    def _at(self, key: Any) -> Floats:
        values: Floats = self._load()[key]
        return values


def lazily(shape: tuple[int, ...], load: Callable[[], Floats]) -> Any:
    """What a variable holds instead of values that ``load`` gives."""
    cached: Any = indexing.MemoryCachedArray
    return cached(indexing.LazilyIndexedArray(_Unread(shape, load)))
