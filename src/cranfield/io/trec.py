"""TREC runs and qrels in text files, and their MS MARCO and BEIR relatives."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cranfield import engine
from cranfield.collection.policy import InputFormat, OnDuplicate, Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.collection.text import TextColumn
from cranfield.contract import Facts
from cranfield.errors import FormatError, InputError, UsageError
from cranfield.findings.noticing import warn_of
from cranfield.findings.place import STDIN, Place
from cranfield.io import irds
from cranfield.io.names import stem
from cranfield.io.ntcir import has_levels, load_ntcir_qrels
from cranfield.io.source import (
    as_text,
    check_format,
    max_unpacked,
    read,
    run_layout,
)
from cranfield.io.whole_file import write_whole
from cranfield.wording import cut, quoted

PathLike = str | os.PathLike[str]


def read_run(
    path: PathLike,
    *,
    input_format: InputFormat = "trec",
    on_duplicate: OnDuplicate = "error",
    name: str | None = None,
) -> Run:
    """Read a run from a file: plain, gzip, bzip2, xz or zstd, recognised by content; ``"-"`` is standard input.

    Args:
        path: of the file.
        input_format: ``trec`` and ``beir`` (``topic Q0 document rank score tag``) or ``msmarco``
            (``topic document rank``; the score is then minus the rank). NTCIREVAL's runs (``ntcir``) are TREC's.
        on_duplicate: a document twice in a topic is an ``error``, or its line of largest score is kept (``first``).
        name: of the system; the file's name without its endings where None.

    Raises:
        FormatError: a line is not in its format; the message names file, line and value.
        InputError: the file is not there, empty, damaged or not text.
    """
    run, facts = load_run(path, input_format=input_format, on_duplicate=on_duplicate, name=name)
    warn_of(facts, Place(as_text(path)))
    return run


def load_run(
    path: PathLike,
    *,
    input_format: InputFormat = "trec",
    on_duplicate: OnDuplicate = "error",
    name: str | None = None,
) -> tuple[Run, Facts]:
    """What ``read_run`` reads, and what was noticed on the way instead of warnings."""
    Policy(on_duplicate=on_duplicate)
    check_format(input_format)
    source = as_text(path)
    layout = run_layout(input_format)
    columns = read(
        source,
        "run",
        layout,
        lambda data: engine.current().read_run(data, layout, max_unpacked(), on_duplicate),
    )
    run = Run(
        name or stem(source),
        columns["topics"],
        columns["starts"],
        TextColumn(columns["data"], columns["offsets"]),
        columns["score"],
        columns["rank"],
        tag=columns["facts"]["tag"],
        path=source,
        sha256=columns["sha256"],
    )
    return run, columns["facts"]


def read_qrels(path: PathLike, *, input_format: InputFormat = "trec") -> Qrels:
    """Read judgments from a file: plain, gzip, bzip2, xz or zstd, recognised by content; ``"-"`` is standard input.

    Args:
        path: of the file, or ``irds:ID`` for the judgments of a data set of ir_datasets.
        input_format: ``trec`` and ``msmarco`` (``topic iteration document label``), ``beir``
            (a header, then ``topic document label``) or ``ntcir`` (``topic intent document L2``). A file whose first
            label is one of L0 to L9 is read as ``ntcir`` anyway.

    Raises:
        FormatError: a line is not in its format, or contradicts an earlier one.
        InputError: the file is not there, empty, damaged or not text.
    """
    qrels, facts = load_qrels(path, input_format=input_format)
    warn_of(facts, Place(as_text(path)))
    return qrels


def load_qrels(path: PathLike, *, input_format: InputFormat = "trec") -> tuple[Qrels, Facts]:
    """What ``read_qrels`` reads, and what was noticed on the way instead of warnings."""
    check_format(input_format)
    source = as_text(path)
    if irds.names_dataset(source):
        return load_dataset(source)
    if input_format == "ntcir":
        return load_ntcir_qrels(source)
    try:
        columns = read(
            source, "qrels", input_format, lambda data: engine.current().read_qrels(data, input_format, max_unpacked())
        )
    except FormatError:
        if input_format == "trec" and source != STDIN and has_levels(source):
            return load_ntcir_qrels(source)
        raise
    qrels = Qrels.from_columns(columns, name=stem(source), path=source, sha256=columns["sha256"])
    return qrels, columns["facts"]


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
    write_whole(Path(as_text(path)), trec_text(data))


def trec_text(data: Run | Qrels) -> str:
    """What ``write`` writes.

    Raises:
        InputError: an id holds a blank or begins a comment, which TREC text cannot hold; or a document occurs twice.
        UsageError: ``data`` is neither a Run nor Qrels.
    """
    if isinstance(data, Run):
        return "".join(_run_lines(data))
    if isinstance(data, Qrels):
        return "".join(_qrels_lines(data))
    raise UsageError(f"write takes a Run or Qrels, not {type(data).__name__}")


def _run_lines(run: Run) -> Iterator[str]:
    run.check_unrepeated()
    tag = _word(run.tag or run.name.replace(" ", "_"), "tag")
    documents, scores, bounds = run.documents.tolist(), run.score.tolist(), run.starts.tolist()
    for number, name in enumerate(run.topics):
        topic = _word(name, "topic", first=True)
        rows = range(bounds[number], bounds[number + 1])
        by_id = sorted(rows, key=lambda row: documents[row].encode(), reverse=True)
        place = {row: rank for rank, row in enumerate(sorted(by_id, key=lambda row: -scores[row]), 1)}
        for row in rows:
            rank = place[row] if run.rank is None else run.rank[row]
            yield f"{topic} Q0 {_word(documents[row], 'document')} {rank} {_number(scores[row])} {tag}\n"


def _qrels_lines(qrels: Qrels) -> Iterator[str]:
    for topic, iteration, document, label in zip(*qrels.rows(), strict=True):
        words = _word(topic, "topic", first=True), _word(iteration, "field 2"), _word(document, "document")
        yield f"{' '.join(words)} {_number(float(label))}\n"


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _word(text: str, what: str, *, first: bool = False) -> str:
    if not text or any(char in text for char in " \t\n\r\0") or (first and text.startswith(("#", "\ufeff"))):
        said = f"the {what} {quoted(text)} cannot stand in TREC text: blanks separate fields, # begins a comment"
        raise InputError(said, code="unfit-name", value=cut(text))
    return text
