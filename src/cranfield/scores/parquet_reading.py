"""Parquet of scores, read as far as it is asked for: names at once, a measure when its values are."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._text import counted, cut, listed, quoted, shown, warn
from cranfield._typing import Floats, Ints
from cranfield.errors import InputError
from cranfield.findings.location import Place
from cranfield.memory import analysed, require
from cranfield.scores.attributes import known_attributes
from cranfield.scores.joining import Part
from cranfield.scores.labelled import DIMS
from cranfield.scores.labels import named
from cranfield.scores.located import Located
from cranfield.scores.making import refuse_other_facts, unlike
from cranfield.scores.parquet import SYSTEM, TOPIC
from cranfield.scores.parquet_address import refuse_lacking, refuse_unlisted
from cranfield.scores.parquet_file import File, columns_of, described_file, is_text, scores_in
from cranfield.scores.scale import Scale
from cranfield.scores.signature import SIGNATURE, carried

if TYPE_CHECKING:
    import xarray as xr

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

    from cranfield.scores.lazy import lazily

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
