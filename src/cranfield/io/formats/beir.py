"""BEIR's judgments: topic, document and label with tabs between, under a header or without one."""

from __future__ import annotations

import re

from cranfield import engine
from cranfield._message import setting
from cranfield._text import cut, quoted
from cranfield._validation import is_decimal
from cranfield.collection.qrels import Qrels
from cranfield.collection.word_labels import advise
from cranfield.errors import EngineError
from cranfield.errors import refusal as refused
from cranfield.io.error_messages import refusal
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._tables import has_columns
from cranfield.io.formats.csv import read_delimited
from cranfield.io.source import max_unpacked

HEADERS = {("query-id", "corpus-id", "score"), ("query_id", "corpus_id", "score")}


def _header(file: File) -> tuple[str, ...]:
    """Names of columns; empty where the first line is a judgment."""
    fields = tuple(re.split("[ \t]+", file.first_line.decode(errors="replace")))
    is_label = len(fields) >= 3 and (is_decimal(fields[2]) or " ".join(fields[2:]) in (file.labels or ()))
    return () if is_label and not has_columns(file, fields[:2]) else fields


def _qrels(file: File) -> Loaded:
    header = _header(file)
    if header and header not in HEADERS and len(header) in (2, 3) and not file.first_line.startswith(b"#"):
        if not has_columns(file, header):
            text = (
                f"the line {quoted(' '.join(header))} is neither a judgment (topic document label) nor a header such "
                f"as query-id corpus-id score; name other columns with "
                f"{setting('columns', {'topic': 'COLUMN', 'document': 'COLUMN', 'label': 'COLUMN'})}"
            )
            text += advise(header[-1]) if len(header) == 3 else ""
            raise refused(text, file.location.at(1), code="column", value=cut(" ".join(header)))
        return read_delimited(file)
    try:
        columns = engine.current().read_qrels(file.with_numbers("beir"), "beir", max_unpacked())
    except EngineError as error:
        raise refusal(error, file.location, "qrels", "beir") from None
    return Qrels.from_columns(
        columns, name=file.name, path=file.location.path, sha256=file.sha256, word_labels=file.labels
    ), columns["facts"]


FORMAT = Format(
    holds="BEIR's judgments, `topic document label` with tabs between; without a header they must be asked for, and "
    "without labels every document has label 1. Runs are TREC's",
    recognized_by="the header is `query-id corpus-id score`",
    example="evaluate beir-qrels.tsv mine.run",
    is_here=lambda file: file.kind == "qrels" and _header(file) in HEADERS,
    qrels=_qrels,
    layout={"run": "beir"},
)
