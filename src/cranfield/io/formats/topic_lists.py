"""Lists of documents by topic, as retrievers return them: responses, candidates and samples, in JSON or JSON lines."""

from __future__ import annotations

from typing import Any

from cranfield.collection.retrieved import IDS, LISTS, Ranked, holds_retrieved, lists_documents, read_retrieved
from cranfield.errors import InputError, refusal
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import read_nested, read_objects, read_text
from cranfield.io.formats._rows import load_rows
from cranfield.io.strict_json import parse_json


def read_lists(file: File, value: Any) -> Loaded:
    """Load what a file holds: results by topic, or rows each of which lists the documents of a topic.

    Raises:
        InputError: a document has no id, or a number cannot be used.
    """
    try:
        read = read_retrieved(value, file.kind, file.location.file)
    except InputError as error:
        raise refusal(error.text, file.location, code=error.code, value=error.value) from None
    assert read is not None, "it was looked at"
    return load_rows(file, read_nested(file, _as_json(read), file.location))


def _as_json(read: Ranked) -> dict[str, Any]:
    """Pairs as JSON has them, lists of two."""
    return {
        str(topic): [list(entry) if isinstance(entry, tuple) else entry for entry in documents]
        if isinstance(documents, list)
        else documents
        for topic, documents in read.items()
    }


def _parse(file: File) -> Any:
    """The value of the file: one of JSON, or a list of those in its lines."""
    if lists_documents(file.first_object, file.kind):
        return [row for _, row in read_objects(file)]
    return parse_json(file.location, read_text(file))


def _is_here(file: File) -> bool:
    """Return whether the first line lists documents, or all of it has the shape of what retrievers return."""
    if lists_documents(file.first_object, file.kind):
        return True
    if file.first_line[:1] not in (b"{", b"[") or not any(mark in file.bare_text[:PROBED] for mark in MARKS):
        return False
    try:
        return holds_retrieved(_parse(file), file.kind)
    except InputError:  # it is refused as JSON
        return False


MARKS = tuple(f'"{name}"'.encode() for name in (*LISTS["run"], *LISTS["qrels"], *IDS, "metadata"))
"""Names that tell that documents may be listed."""
PROBED = 1 << 16
"""Bytes that are looked at for a mark."""
FORMAT = Format(
    holds="lists of documents by topic as retrievers return them: hits of Elasticsearch, candidates of RankLLM and "
    "TREC RAG, samples of ragas, dumped documents of LangChain, or any rows with a topic, a list of ids and perhaps "
    "one of scores",
    recognized_by="JSON, or JSON lines, whose objects list documents under one of their usual names",
    example="evaluate qrels.txt candidates-run.jsonl",
    is_here=_is_here,
    run=lambda file: read_lists(file, _parse(file)),
    qrels=lambda file: read_lists(file, _parse(file)),
)
