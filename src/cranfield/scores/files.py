"""Score files: from a matrix, rows or netCDF to labelled scores, and back."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from cranfield import escaping
from cranfield.arrays import Floats
from cranfield.errors import FormatError, InputError, MeasureError, UsageError
from cranfield.io.names import stem
from cranfield.io.source import as_text, display_name, max_unpacked, read
from cranfield.io.whole_file import write_bytes, write_whole
from cranfield.measures import parse_measures, summary
from cranfield.scores.attributes import known_attributes, signature_in
from cranfield.scores.grid import ScoreGrid, place
from cranfield.scores.matrix_text import as_matrix, read_matrix
from cranfield.scores.rows import ALL, Row, as_csv, as_json, as_tsv, is_header, read_json, read_table
from cranfield.wording import in_full, listed, quoted, shown

if TYPE_CHECKING:
    import xarray as xr

PathLike = str | os.PathLike[str]
ScoreFormat = Literal["matrix", "tsv", "csv", "json", "netcdf"]

SUFFIXES: dict[str, ScoreFormat] = {".tsv": "tsv", ".csv": "csv", ".json": "json", ".nc": "netcdf"}


def read_scores(files: PathLike | Sequence[PathLike]) -> xr.Dataset:
    """Read scores from files that this package or others wrote; the format is recognised by content.

    - A matrix: CSV (or with tabs), a header with the names of systems, a row for each topic. A first column called
      ``topic`` (or ``query``, ``qid``, or nothing) holds the topics, else they are 1, 2, ... One measure a file,
      called by the file's name without its ending.
    - Rows ``system topic measure value`` under this header: tsv, csv or json, as ``cranfield evaluate -q`` writes
      them. Rows of the topic ``all`` are summaries and are left out.
    - netCDF with dims (topic, system).

    A missing score is ``nan``, ``NA`` or an empty cell; it is NaN in the result. Files may be compressed; ``"-"`` is
    standard input.

    Args:
        files: one, or several of the same systems and topics with different measures.

    Returns:
        One variable a measure, dims (topic, system), as ``evaluate`` gives.

    Raises:
        FormatError: a line is not in its format; the message names file, line and value.
        InputError: a file cannot be read or holds nothing, or several do not fit together.
    """
    given = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    if not given:
        raise UsageError("no score file was given")
    paths = [as_text(path) for path in given]
    parts = [_read(path) for path in paths]
    whole = parts[0]
    for path, part in zip(paths[1:], parts[1:], strict=True):
        whole = _joined(whole, part, display_name(path))
    signature = {"scores": [json.loads(part.attrs["signature"]) for part in parts]}
    return whole.assign_attrs(signature=json.dumps(signature))


def write_scores(scores: xr.Dataset | xr.DataArray, path: PathLike, *, format: ScoreFormat | None = None) -> None:
    """Write scores so that ``read_scores`` gives them back exactly; the file appears whole or not at all.

    Args:
        scores: dims (topic, system).
        path: of the file.
        format: ``matrix`` (CSV, one measure), ``tsv``, ``csv`` and ``json`` (rows ``system topic measure value``, a
            system's topics and then its summary), or ``netcdf`` (version 3); by the ending of the name where None.

    Raises:
        InputError: the format cannot hold a name, or the file cannot be written.
        UsageError: an unknown format, or several measures for a matrix.
    """
    target = Path(as_text(path))
    chosen: str | None = format or SUFFIXES.get(target.suffix)
    if chosen is None or chosen not in get_args(ScoreFormat):
        known = ", ".join(get_args(ScoreFormat))
        raise UsageError(f"{in_full(str(target))}: format={format!r} is not one of {known}")
    dataset = as_dataset(scores)
    if chosen == "netcdf":
        write_bytes(target, _as_netcdf(dataset))
    else:
        write_whole(target, scores_as_text(dataset, chosen))


def scores_as_text(scores: xr.Dataset, format: str, *, by_topic: bool = True) -> str:
    """Scores in one of the text formats.

    Raises:
        InputError: a name that the format cannot hold.
        UsageError: several measures for a matrix.
    """
    if format == "matrix":
        if len(scores.data_vars) != 1:
            names = ", ".join(map(str, scores.data_vars))
            raise UsageError(f"a matrix holds one measure, not {len(scores.data_vars)} ({names})")
        (variable,) = (variable.transpose("topic", "system") for variable in scores.data_vars.values())
        return as_matrix(_names(scores, "topic"), _names(scores, "system"), variable.to_numpy())
    rows = score_rows(scores, by_topic=by_topic)
    if format == "json":
        return as_json(rows, signature_in(scores.attrs, "the scores"))
    return as_tsv(rows) if format == "tsv" else as_csv(rows)


def score_rows(scores: xr.Dataset, *, by_topic: bool) -> Iterator[Row]:
    """(system, topic, measure, value): systems and topics in their order, then ``all``, as ``cranfield evaluate``.

    Raises:
        InputError: a topic is called ``all``.
    """
    topics, systems = _names(scores, "topic"), _names(scores, "system")
    if by_topic and ALL in topics:
        raise InputError("a topic is called 'all', as the summary is in this format: rename it")
    names = [str(name) for name in scores.data_vars]
    tables = [variable.transpose("system", "topic").to_numpy().tolist() for variable in scores.data_vars.values()]
    summaries = [summary_of(variable).tolist() for variable in scores.data_vars.values()]
    # A geometric mean has no value of a topic.
    whole = [variable.attrs.get("summary") == "geometric mean" for variable in scores.data_vars.values()]
    for at, system in enumerate(systems):
        if by_topic:
            for number, topic in enumerate(topics):
                for name, table, left_out in zip(names, tables, whole, strict=True):
                    if not left_out:
                        yield system, topic, name, table[at][number]
        for name, values in zip(names, summaries, strict=True):
            yield system, ALL, name, values[at]


def summary_of(variable: xr.DataArray) -> Floats:
    """Each system's summary of one measure over topics, as its attributes say; the mean where they say nothing."""
    block = variable.transpose("system", "topic").to_numpy().astype(np.float64)
    if variable.attrs.get("peer_summary_topics") == variable.sizes["topic"]:
        return np.full(len(block), variable.attrs["peer_summary"])
    return summary(str(variable.attrs.get("summary", "mean")), block)


def as_dataset(scores: xr.Dataset | xr.DataArray) -> xr.Dataset:
    """Scores as a Dataset, checked.

    Raises:
        UsageError: no labelled scores, or other dims than topic and system.
    """
    if not hasattr(scores, "dims") or not hasattr(scores, "coords"):
        raise UsageError(f"{type(scores).__name__} is no xarray Dataset or DataArray with dims (topic, system)")
    dataset = scores
    if not hasattr(scores, "data_vars"):
        dataset = scores.to_dataset(name=scores.name or "score").assign_attrs(scores.attrs)
    for name, variable in dataset.data_vars.items():
        if set(variable.dims) != {"topic", "system"}:
            raise UsageError(f"{name} has dims {variable.dims}, expected (topic, system)")
    if not dataset.data_vars:
        raise UsageError("the Dataset holds no scores")
    return dataset  # type: ignore[return-value]


def to_dataset(grid: ScoreGrid, attributes: dict[str, Any]) -> xr.Dataset:
    """Plain scores with their labels."""
    import xarray as xr

    variables = {
        measure: (("topic", "system"), grid.values[number], _facts(measure))
        for number, measure in enumerate(grid.measures)
    }
    coordinates = {
        "topic": np.array(grid.topics, dtype=object),
        "system": np.array(grid.systems, dtype=object),
    }
    return xr.Dataset(variables, coordinates, attributes)


def _facts(measure: str) -> dict[str, Any]:
    """What is known of a measure by its name; anything unknown is averaged, and more is better."""
    try:
        known = parse_measures(measure)
    except MeasureError:
        known = []
    return known[0].declaration.attributes if len(known) == 1 else {"summary": "mean", "larger_is_better": 1}


def _names(scores: xr.Dataset, dim: str) -> list[str]:
    return [str(name) for name in scores[dim].to_numpy().tolist()]


def score_file_name(path: str) -> str:
    """What the scores of a matrix file are called."""
    name = stem(path)
    return next((name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix) and name != suffix), name)


def _read(path: str) -> xr.Dataset:
    from cranfield.reference_engine import signed_text_of

    name = display_name(path)
    data, digest = read(path, "run", "trec", lambda source: signed_text_of(source, max_unpacked()))
    source = {"name": stem(path), "sha256": digest}
    if data.startswith((b"CDF\1", b"CDF\2", b"\x89HDF\r\n\x1a\n")):
        dataset = _from_netcdf(name, data)
        inner = dataset.attrs.get("signature")
    else:
        grid = _parse(name, score_file_name(path), _decoded(name, data))
        dataset = to_dataset(grid, {})
        inner = None if grid.signature is None else json.dumps(grid.signature)
    signature = source | ({"signature": json.loads(inner)} if inner else {})
    return dataset.assign_attrs(signature=json.dumps(signature))


def _decoded(name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(
            f"{place(name, line)}: the line is not valid UTF-8; convert the file, for example with `iconv -t utf-8`"
        ) from None


def _parse(name: str, measure: str, text: str) -> ScoreGrid:
    if text.lstrip()[:1] == "{":
        return read_json(name, text)
    is_csv = _separator(text) == ","
    lines = _csv_lines(name, text) if is_csv else _tsv_lines(text)
    header = next(lines, None)
    if header is None:
        raise InputError(f"{in_full(name)}: the file is empty; expected a header and scores")
    if is_header(header[1]):
        places = [at for at, column in enumerate(header[1]) if column in ("system", "run", "topic") and is_csv]
        plain = (
            (line, [escaping.unguarded(text) if at in places else text for at, text in enumerate(fields)])
            for line, fields in lines
        )
        return read_table(name, header[1], plain)
    return read_matrix(name, measure, header[1], lines, is_csv=is_csv)


def _separator(text: str) -> str:
    """Comma or tab: which comes first in the first line that holds anything, quoted names apart."""
    first = text.lstrip("\r\n").partition("\n")[0]
    found = re.search(r"[,\t]", re.sub(r'"[^"]*"', "", first))
    return found[0] if found else ","


def _tsv_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if line.strip():
            yield number, line.split("\t")


def _csv_lines(name: str, text: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    while True:
        try:
            fields = next(reader, None)
        except csv.Error as error:
            raise FormatError(f"{place(name, line)}: is not CSV: {error}") from None
        if fields is None:
            return
        if fields and any(text.strip() for text in fields):
            yield line, fields
        line = reader.line_num + 1


def _joined(whole: xr.Dataset, part: xr.Dataset, name: str) -> xr.Dataset:
    """Further measures of the same systems and topics.

    Raises:
        InputError: a measure stands twice, or systems or topics differ.
    """
    for dim in ("topic", "system"):
        ours, theirs = set(_names(whole, dim)), set(_names(part, dim))
        if ours != theirs:
            only = [text for text in (*_names(whole, dim), *_names(part, dim)) if (text in ours) != (text in theirs)]
            words = listed(only) if dim == "topic" else ", ".join(map(quoted, only[:5])) + ", ..." * (len(only) > 5)
            raise InputError(
                f"{in_full(name)}: {words} not in every score file: several files hold other measures of the same "
                f"systems and topics; to put {dim}s together, join the rows in one file"
            )
    twice = [str(measure) for measure in part.data_vars if measure in whole.data_vars]
    if twice:
        raise InputError(
            f"{in_full(name)}: {shown(twice[0])} is in an earlier score file too: several files hold other "
            "measures of the same systems and topics. A matrix is called by its file's name: rename the file; of rows, "
            "rename the measure. `cranfield agreement --scores FILE --scores FILE` compares scores of one measure"
        )
    return whole.assign(part.reindex_like(whole).data_vars)


def _from_netcdf(name: str, data: bytes) -> xr.Dataset:
    import xarray as xr

    engine: Any = "scipy" if data.startswith(b"CDF") else "h5netcdf"
    if find_spec(engine) is None:
        raise InputError(f"{in_full(name)}: is netCDF-4: install {engine} to read it, or write netCDF-3")
    try:
        dataset = xr.load_dataset(io.BytesIO(data), engine=engine)
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{in_full(name)}: is damaged, or no netCDF ({shown(reason)})") from None
    try:
        as_dataset(dataset)
    except UsageError as error:
        raise InputError(f"{in_full(name)}: {error}") from None
    labels = {}
    for dim in ("topic", "system"):
        given = dataset[dim].to_numpy().tolist() if dim in dataset.coords else range(1, dataset.sizes[dim] + 1)
        labels[dim] = np.array([str(label) for label in given], dtype=object)
        if len(set(labels[dim])) < len(labels[dim]):
            raise InputError(f"{in_full(name)}: a {dim} stands twice")
    dataset = dataset.assign_coords(labels)
    where = in_full(name)
    dataset.attrs = known_attributes(dataset.attrs, where)
    for measure, variable in dataset.data_vars.items():
        if variable.dtype.kind not in "fiu" or np.isinf(variable.to_numpy()).any():
            raise InputError(f"{in_full(name)}: {shown(str(measure))} holds values that are not finite numbers")
        variable.attrs = _facts(str(measure)) | known_attributes(variable.attrs, f"{where}: {shown(str(measure))}")
    return dataset.astype(np.float64).transpose("topic", "system")


def _as_netcdf(dataset: xr.Dataset) -> bytes:
    texts = {name: coordinate.astype(str) for name, coordinate in dataset.coords.items() if coordinate.dtype == object}
    try:
        return bytes(dataset.assign_coords(texts).to_netcdf(engine="scipy", format="NETCDF3_64BIT"))
    except (ValueError, TypeError) as error:
        raise InputError(f"netCDF cannot hold these scores: {error}") from None
