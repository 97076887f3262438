"""Runs and qrels from files of any format, and to files of TREC text."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cranfield import engine
from cranfield.collection.policy import OnDuplicate, Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import AUTO, InputFormat
from cranfield.collection.run import Run
from cranfield.collection.string_column import TextColumn
from cranfield.findings.finding import warn_of
from cranfield.findings.location import Place
from cranfield.io import irds
from cranfield.io.formats._opening import load
from cranfield.io.names import stem
from cranfield.io.source import as_text, check_format, max_unpacked

if TYPE_CHECKING:
    from cranfield.engine.protocol import Facts

PathLike = str | os.PathLike[str]


def read_run(
    path: PathLike,
    *,
    input_format: InputFormat = AUTO,
    columns: Mapping[str, str] | None = None,
    on_duplicate: OnDuplicate = "error",
    name: str | None = None,
) -> Run:
    """Read a run from a file: plain, gzip, bzip2, xz or zstd, recognised by content; ``"-"`` is standard input.

    Args:
        path: of the file; of MTEB's predictions with the split, as in ``FILE#subset/split``.
        input_format: ``auto`` tells it by content: TREC text (``topic Q0 document rank score tag``), JSON, Parquet, CSV
            and others, see the documentation of formats. ``msmarco`` (``topic document rank``; the score is then minus
            the rank) must be asked for.
        columns: role -> column, such as ``{"topic": "user_id"}``, of tables whose columns are called otherwise than
            usual.
        on_duplicate: a document twice in a topic is an ``error``, or its line of largest score is kept (``first``).
        name: of the system; the file's name without its endings where None.

    Raises:
        FormatError: a line is not in its format; the message names file, line and value.
        InputError: the file is not there, empty, damaged or not text.
    """
    run, facts = load_run(path, input_format=input_format, columns=columns, on_duplicate=on_duplicate, name=name)
    warn_of(facts, Place(as_text(path)))
    return run


def load_run(
    path: PathLike,
    *,
    input_format: InputFormat = AUTO,
    columns: Mapping[str, str] | None = None,
    on_duplicate: OnDuplicate = "error",
    name: str | None = None,
) -> tuple[Run, Facts]:
    """What ``read_run`` reads, and what was noticed on the way instead of warnings."""
    Policy(on_duplicate=on_duplicate)
    check_format(input_format)
    source = as_text(path)
    how: Any = {"input_format": input_format, "columns": columns, "name": name, "on_duplicate": on_duplicate}
    found = load(
        source,
        "run",
        lambda data, layout: engine.current().read_run(data, layout, max_unpacked(), on_duplicate),
        **how,
    )
    if isinstance(found, tuple):
        return found
    run = Run(
        name or stem(source),
        found["topics"],
        found["starts"],
        TextColumn(found["data"], found["offsets"]),
        found["score"],
        found["rank"],
        tag=found["facts"]["tag"],
        path=source,
        sha256=found["sha256"],
    )
    return run, found["facts"]


def read_qrels(path: PathLike, *, input_format: InputFormat = AUTO, columns: Mapping[str, str] | None = None) -> Qrels:
    """Read judgments from a file: plain, gzip, bzip2, xz or zstd, recognised by content; ``"-"`` is standard input.

    Args:
        path: of the file, or ``irds:ID`` for the judgments of a data set of ir_datasets.
        input_format: ``auto`` tells it by content: TREC text (``topic iteration document label``), BEIR's with a
            header, NTCIREVAL's, JSON, Parquet, CSV and others, see the documentation of formats. BEIR's without a
            header (``beir``: ``topic document label``) must be asked for.
        columns: as in ``read_run``.

    Raises:
        FormatError: a line is not in its format, or contradicts an earlier one.
        InputError: the file is not there, empty, damaged or not text.
    """
    qrels, facts = load_qrels(path, input_format=input_format, columns=columns)
    warn_of(facts, Place(as_text(path)))
    return qrels


def load_qrels(
    path: PathLike, *, input_format: InputFormat = AUTO, columns: Mapping[str, str] | None = None
) -> tuple[Qrels, Facts]:
    """What ``read_qrels`` reads, and what was noticed on the way instead of warnings."""
    check_format(input_format)
    source = as_text(path)
    if irds.names_dataset(source):
        return load_dataset(source)
    found = load(
        source,
        "qrels",
        lambda data, layout: engine.current().read_qrels(data, layout, max_unpacked()),
        input_format=input_format,
        columns=columns,
    )
    if isinstance(found, tuple):
        return found
    return Qrels.from_columns(found, name=stem(source), path=source, sha256=found["sha256"]), found["facts"]


def load_dataset(name: str, dataset: Any = None) -> tuple[Qrels, Facts]:
    """The judgments of a data set of ir_datasets, and what was noticed on the way; see ``io.irds``."""
    found = irds.judgments_of(name, dataset)
    if found.labels is not None:
        return Qrels.from_dict(found.labels, name=name), {}
    assert found.path is not None
    qrels, facts = load_qrels(found.path)
    columns = qrels.topics, qrels.starts, qrels.documents, qrels.grade, qrels.judgments, qrels.iterations
    return Qrels(*columns, name=name, path=name, sha256=qrels.sha256), facts


def write(data: Run | Qrels, path: PathLike) -> None:
    """Write a run or judgments as TREC text; the file is written completely or not at all.

    A file whose name ends in ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` is packed so. A file that was there gives its mode.
    Scores and labels are written with the shortest digits that read back exactly. A run without ranks gets the ranks
    of trec_eval's order: score descending, then id descending.

    Raises:
        InputError: an id holds a blank or begins a comment, which TREC text cannot hold; a document occurs twice in a
            topic; or the file cannot be written.
        UsageError: ``data`` is neither a Run nor Qrels.
    """
    from pathlib import Path

    from cranfield.io.trec_lines import trec_lines
    from cranfield.io.whole_file import write_whole

    write_whole(Path(as_text(path)), trec_lines(data))
