"""Files of scores in Parquet: what their metadata say, whether they belong to one evaluation, and their columns."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield._optional import import_optional, pa, pq
from cranfield._text import cut, quoted, shown, warn
from cranfield._typing import Floats
from cranfield.errors import EngineError, InputError
from cranfield.findings.location import Location
from cranfield.io.error_messages import refusal
from cranfield.io.parquet_size import refuse_large_columns
from cranfield.io.strict_json import parse_json
from cranfield.scores.labels import known_attributes
from cranfield.scores.locations import LocatedFile
from cranfield.scores.parquet_write import KEY, SYSTEM, TOPIC, refuse_lacking, refuse_unlisted
from cranfield.scores.scale import Scale
from cranfield.scores.signature import refuse_other_facts, unlike

OF_ROW = 24
"""Bytes that a row takes beside its columns in Arrow's memory."""
MANY = 5
"""Files or measures that a message names."""


@dataclass(frozen=True)
class ScoreFile:
    """A file of scores, as its metadata describe it.

    Args:
        located: where it is.
        measures: columns of numbers.
        metadata: our own; empty where there are none.
        digest: SHA-256 of its bytes.
        stamp: its size and when it was changed.
    """

    located: LocatedFile
    measures: tuple[str, ...]
    metadata: Mapping[str, Any]
    digest: str
    stamp: tuple[int, int]

    @property
    def location(self) -> Location:
        """The location that messages name."""
        return self.located.location


def described_files(path: str, files: Sequence[LocatedFile]) -> list[ScoreFile]:
    """Files of one evaluation, of which no column is read; see ``parquet_dataset.read_parquet``.

    Raises:
        InputError: they are damaged, no scores, too few, or of several evaluations.
    """
    described = [described_file(file) for file in files]
    for file in described[1:]:
        _refuse_other_scores(described[0], file)
    refuse_lacking(described[0].metadata, len(described), Location(path))
    names = [location.name.rpartition("/")[2] for location in files]
    refuse_unlisted(described[0].metadata, names, files[0].beside, Location(path))
    return described


def find_known(name: str, files: Sequence[ScoreFile]) -> dict[str, Any]:
    """Return the entry of a signature on files of scores: name, number and digest, and their own signature."""
    digest = hashlib.sha256("".join(file.digest for file in files).encode()).hexdigest()
    source = files[0].metadata.get("signature")
    known = {"name": name, "files": len(files), "sha256": files[0].digest if len(files) == 1 else digest}
    return known | ({} if source is None else {"signature": source})


def _refuse_other_scores(first: ScoreFile, second: ScoreFile) -> None:
    """Raises: InputError: other measures, or scored with other judgments or policies."""
    if set(first.measures) != set(second.measures):
        only = [
            name
            for name in (*first.measures, *second.measures)
            if (name in first.measures) != (name in second.measures)
        ]
        names = ", ".join(map(shown, only[:MANY])) + ", ..." * (len(only) > MANY)
        text = f"{names} not in every file of these scores: give other measures as another --scores"
        raise InputError(text, second.location, code="other-scores", value=cut(only[0]))
    if first.metadata.get("measures") != second.metadata.get("measures"):
        for name in first.measures:
            refuse_other_facts(scale_in(first, name), scale_in(second, name), first.located.name, second.location)
    if differ := unlike(first.metadata.get("signature"), second.metadata.get("signature")):
        raise InputError(
            f"was scored otherwise than {shown(first.located.name, 200)}, so that they are not of one evaluation: "
            f"{'; '.join(differ)}; evaluate both alike",
            second.location,
            code="other-scores",
        )


def described_file(located: LocatedFile) -> ScoreFile:
    """Describe a file by its digest, its schema and its metadata; no column is read.

    Raises:
        InputError: PyArrow is not there, or the file is damaged or holds no scores.
    """
    location = located.location
    import_optional("pyarrow", location=location)
    with located.open() as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    with opened(located) as (about, _):
        schema = about.schema_arrow
    columns = {field.name: field.type for field in schema}
    if SYSTEM not in columns or TOPIC not in columns:
        names = ", ".join(map(shown, columns))
        text = f"expected columns system and topic and one for each measure, and there are {names}"
        raise InputError(text, location, code="fields")
    measures = tuple(name for name in columns if name not in (SYSTEM, TOPIC))
    for measure in measures:
        if not (pa.types.is_floating(columns[measure]) or pa.types.is_integer(columns[measure])):
            text = f"the column {quoted(measure)} is {columns[measure]}: scores are numbers"
            raise InputError(text, location, code="score", value=cut(measure))
    if not measures:
        raise InputError("holds no column of scores, only system and topic", location, code="no-scores")
    return ScoreFile(located, measures, _parse_metadata(schema.metadata, location), digest, located.stamp())


@contextlib.contextmanager
def opened(located: LocatedFile) -> Iterator[tuple[Any, Any]]:
    """The file as PyArrow reads it, and the stream of its bytes.

    Raises:
        InputError: it is damaged, also where that is found inside.
    """
    try:
        with located.open() as raw, pa.PythonFile(raw, "r") as stream, pq.ParquetFile(stream) as file:
            yield file, stream
    except MemoryError:
        raise refusal(EngineError("memory"), located.location, "run", "trec") from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        text = f"the Parquet data are damaged: {shown(str(error).strip())}; copy or write the file again"
        raise InputError(text, located.location, code="damaged") from None


def _parse_metadata(metadata: Mapping[bytes, bytes] | None, location: Location) -> Mapping[str, Any]:
    text = (metadata or {}).get(KEY)
    if text is None:
        return {}
    try:
        content = parse_json(location.within("metadata"), text.decode())
    except (InputError, UnicodeDecodeError):
        content = None
    if not isinstance(content, dict) or not isinstance(content.get("measures"), dict):
        warn(f"{location}: its metadata {KEY.decode()!r} are not cranfield's and are ignored")
        return {}
    return content


def scores_in(file: ScoreFile, measure: str) -> Floats:
    """The scores of all rows by a measure; NaN where there is none.

    Raises:
        InputError: one is infinite, or the file was changed or damaged since it was opened.
    """
    refuse_changed(file)
    column = read_columns(file, [measure])[measure].cast(pa.float64())
    values: Floats = column.fill_null(np.nan).to_numpy()
    infinite = np.flatnonzero(np.isinf(values))
    if len(infinite):
        text = f"row {infinite[0] + 1:,}: {shown(measure)} is infinite; a missing score is null or nan"
        raise InputError(text, file.location, code="score")
    return values


def has_text_ids(file: ScoreFile) -> bool:
    """Tell whether systems and topics are text, as they have to be."""
    with opened(file.located) as (source, _):
        return all(is_text(source.schema_arrow.field(name).type) for name in (SYSTEM, TOPIC))


def is_text(kind: Any) -> bool:
    """Tell whether a column of this type holds text."""
    types = pa.types
    return any(is_kind(kind) for is_kind in (types.is_string, types.is_large_string, types.is_dictionary))


def refuse_changed(file: ScoreFile) -> None:
    """Raises: InputError: the file was changed since it was opened."""
    if file.located.stamp() != file.stamp:
        raise InputError("was changed while it was read: read it again", file.location, code="changed")


def read_columns(file: ScoreFile, names: list[str]) -> Any:
    """A table of some columns.

    Raises:
        InputError: the file is damaged, or they would not fit into the memory allowed.
    """
    with opened(file.located) as (source, stream):
        refuse_large_columns(source, stream, names, file.location, file.stamp[0], of_row=OF_ROW)
        table = source.read(columns=names, use_threads=False)
        table.validate(full=True)  # PyArrow looks at no text by itself: whether it is UTF-8
        return table


def scale_in(file: ScoreFile, measure: str) -> Scale:
    """Return the scale of a measure from the metadata of a file."""
    attributes = file.metadata.get("measures", {}).get(measure)
    own = known_attributes(attributes if isinstance(attributes, dict) else {}, f"{file.location}: {shown(measure)}")
    return Scale.from_metadata(measure, own, file.location)
