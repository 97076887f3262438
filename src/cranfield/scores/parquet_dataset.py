"""Scores in Parquet as a Dataset: the names are read at once, a measure when its values are needed."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing  # xarray documents it for those who write a backend

from cranfield._optional import pa, pc
from cranfield._text import counted, cut, join_first, listed, quoted, shown, warn
from cranfield._typing import Floats, Ints
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.memory import analysed, require
from cranfield.scores.combining import FileScores
from cranfield.scores.dataset import DIMS
from cranfield.scores.labels import named
from cranfield.scores.locations import LocatedFile
from cranfield.scores.parquet_read import (
    ScoreFile,
    described_files,
    find_known,
    is_text,
    read_columns,
    scale_in,
    scores_in,
)
from cranfield.scores.parquet_write import SYSTEM, TOPIC
from cranfield.scores.signature import SIGNATURE, carried

OF_A_TOPIC = 100
"""Bytes that a topic's name takes, about: the text, and where it is found."""
RowPositions = slice | Ints


@dataclass(frozen=True)
class SystemRows:
    """The rows of one system in a file, and where they go: which ``rows`` to which ``topics`` of which ``system``."""

    file: ScoreFile
    rows: RowPositions
    topics: RowPositions
    system: int


def read_parquet(path: str, name: str, files: Sequence[LocatedFile]) -> tuple[FileScores, dict[str, Any]]:
    """Scores of which only the names are read yet, and what is known of the files.

    Args:
        path: as the user named it.
        name: of the scores among others.
        files: in the order in which systems and topics are to come.

    Raises:
        InputError: PyArrow is not there; files are damaged, no scores, or differ in measures, judgments or policies; a
            system has a topic twice; or the names would not fit into the memory allowed.
    """
    described = described_files(path, files)
    topics, systems, placed = _placed(described)
    dataset = _labelled(described[0], topics, systems, placed)
    return FileScores(path, name, dataset, described[0].metadata.get("signature")), find_known(name, described)


# ---- names


def _placed(files: Sequence[ScoreFile]) -> tuple[tuple[str, ...], tuple[str, ...], list[SystemRows]]:
    """Topics and systems in the order of their first rows, and where the rows go, file by file."""
    by_system: dict[str, list[tuple[ScoreFile, RowPositions, Any]]] = {}
    for file in files:
        for system, rows, names in _by_system(file):
            by_system.setdefault(named(system, "system", file.location), []).append((file, rows, names))
    topics = pa.array([], pa.large_string())
    placed: list[list[SystemRows]] = []
    for system, parts in by_system.items():
        names = pa.concat_arrays([names for _, _, names in parts])
        topics, positions = _positions(topics, names)
        require(OF_A_TOPIC * len(topics), analysed(f"{len(topics):,} topics by name"), "take fewer topics at a time")
        _refuse_twice(system, parts, topics, positions)
        ends = np.cumsum([0, *(len(names) for _, _, names in parts)]).tolist()
        spans = zip(parts, itertools.pairwise(ends), strict=True)
        placed.append(
            [
                SystemRows(file, rows, _slice_positions(positions, start, end), len(placed))
                for (file, rows, _), (start, end) in spans
            ]
        )
    if not len(topics):
        raise InputError("holds no score of a topic", files[0].location, code="no-scores")
    _warn_of_gaps(files[0].location, len(topics), dict(zip(by_system, placed, strict=True)))
    # By file, so that the column of a file is read once.
    by_file = sorted(itertools.chain.from_iterable(placed), key=lambda part: part.file.located.name)
    return tuple(topics.to_pylist()), tuple(by_system), by_file


def _by_system(file: ScoreFile) -> Iterator[tuple[str, RowPositions, Any]]:
    """Each system of a file, its rows, and the topics in them."""
    table = read_columns(file, [SYSTEM, TOPIC])
    for name in (SYSTEM, TOPIC):
        if table[name].null_count or not is_text(table[name].type):
            text = (
                f"the column {name} holds {'a null' if table[name].null_count else str(table[name].type)}: ids are text"
            )
            raise InputError(text, file.location, code="id")
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


def _positions(topics: Any, names: Any) -> tuple[Any, RowPositions]:
    """Return the topics, with those that are new appended, and the positions of the names among them."""
    if not topics.slice(0, len(names)).equals(names):
        new = names.filter(pc.index_in(names, value_set=topics).is_null()).unique()
        topics = pa.concat_arrays([topics, new])
    if topics.slice(0, len(names)).equals(names):
        return topics, slice(0, len(names))
    return topics, pc.index_in(names, value_set=topics).to_numpy(zero_copy_only=False).astype(np.int64)


def _slice_positions(positions: RowPositions, start: int, end: int) -> RowPositions:
    return slice(start, end) if isinstance(positions, slice) else positions[start:end]


def _refuse_twice(
    system: str, parts: Sequence[tuple[ScoreFile, RowPositions, Any]], topics: Any, positions: RowPositions
) -> None:
    """Raises: InputError: a system has a topic twice; both files are named."""
    if isinstance(positions, slice):
        return
    count = np.bincount(positions, minlength=len(topics))
    if count.max() > 1:
        topic = topics[int(count.argmax())].as_py()
        *earlier, last = [file for file, _, names in parts if topic in names.to_pylist()]
        others = join_first([shown(file.located.name, 200) for file in earlier])
        also = f", here and in {others}" if earlier else ""
        text = f"system {quoted(system)} has two rows of topic {quoted(topic)}{also}: give each once"
        raise InputError(text, last.location, code="duplicate", value=cut(topic))


def _warn_of_gaps(location: Location, topics: int, placed: Mapping[str, list[SystemRows]]) -> None:
    """Warn of systems that lack topics which others have."""
    lacking = {name: topics - sum(_count_positions(part.topics) for part in parts) for name, parts in placed.items()}
    lacking = {name: count for name, count in lacking.items() if count}
    if lacking:
        cells, systems = sum(lacking.values()), listed(list(lacking), "system")
        warn(f"{location}: {counted(cells, 'cell')} without a row, read as nan ({systems})")


def _count_positions(positions: RowPositions) -> int:
    return positions.stop - positions.start if isinstance(positions, slice) else len(positions)


# ---- values


def _labelled(
    first: ScoreFile, topics: tuple[str, ...], systems: tuple[str, ...], placed: list[SystemRows]
) -> xr.Dataset:
    """Variables that read their column when their values are needed."""
    marks = carried(first.metadata.get("signature"))
    variables = {}
    for measure in first.measures:
        load = functools.partial(_values, measure, len(topics), systems, placed)
        values = indexing.LazilyIndexedArray(_LazyScores((len(topics), len(systems)), load))
        variables[measure] = xr.Variable(DIMS, values, {**scale_in(first, measure).attributes, **marks})
    labels = {"topic": np.array(topics, dtype=object), "system": np.array(systems, dtype=object)}
    dataset = xr.Dataset(variables, labels, {SIGNATURE: marks[SIGNATURE]} if marks else {})
    return xr.open_dataset(dataset, engine=_Backend)


def _values(measure: str, topics: int, systems: tuple[str, ...], placed: Sequence[SystemRows]) -> Floats:
    """All scores by one measure, [topics, systems]."""
    size = f"{topics:,} topics of {len(systems):,} systems by {shown(measure)}"
    require(8 * topics * len(systems), analysed(size), "take fewer systems at a time")
    values = np.full((topics, len(systems)), np.nan)
    column: tuple[ScoreFile, Floats] | None = None
    for part in placed:
        if column is None or column[0] is not part.file:
            column = part.file, scores_in(part.file, measure)
        values[part.topics, part.system] = column[1][part.rows]
    return values


class _LazyScores(BackendArray):
    """The scores of one measure, which are read completely when the first of them is needed."""

    def __init__(self, shape: tuple[int, ...], load: Callable[[], Floats]) -> None:
        self.shape = shape
        self.dtype = np.dtype(np.float64)
        self._load = load

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._index)

    def _index(self, key: Any) -> Floats:
        values: Floats = self._load()[key]
        return values


class _Backend(BackendEntrypoint):
    """Hands a Dataset to ``xarray.open_dataset``, which keeps what was read in memory."""

    def open_dataset(self, filename_or_obj: Any, *, drop_variables: Any = None) -> xr.Dataset:
        """The Dataset itself."""
        dataset: xr.Dataset = filename_or_obj
        return dataset
