"""Objects of JSON: topic -> document -> number, or one on each line."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import Any

from cranfield._text import cut, quoted
from cranfield.engine.protocol import Facts
from cranfield.errors import FormatError, InputError
from cranfield.findings.finding import notice
from cranfield.findings.location import Location
from cranfield.io.error_messages import SCORES
from cranfield.io.formats._format import File
from cranfield.io.formats._rows import FileRows
from cranfield.io.strict_json import parse_json
from cranfield.reference_engine.decompression import refuse_wide


def object_in(file: File) -> dict[str, Any]:
    """The one object of JSON that a file holds.

    Raises:
        InputError: it is not JSON, something else than an object, or scores as `evaluate` writes them.
    """
    return checked_object(file, parse_json(file.location, read_text(file)))


def checked_object(file: File, value: Any) -> dict[str, Any]:
    """The value of a JSON file, which should be an object.

    Raises:
        InputError: it is something else, or scores as `evaluate` writes them.
    """
    if not isinstance(value, dict):
        text = f"holds a {name_kind(value)}, expected an object: topic -> document -> {file.number}"
        raise InputError(text, file.location, code="layout", value=name_kind(value))
    if isinstance(value.get("rows"), list) and "signature" in value:
        text = f"holds a signature and rows, expected topic -> document -> {file.number}; {SCORES}"
        raise InputError(text, file.location, code="layout", value="rows")
    return value


def read_text(file: File) -> str:
    """The text of a file.

    Raises:
        EngineError: it is UTF-16 or UTF-32.
        InputError: it is not UTF-8.
    """
    refuse_wide(file.text)
    try:
        return file.text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        location = file.location.at(file.text.count(b"\n", 0, error.start) + 1)
        text = "the line is not valid UTF-8; convert the file, for example with `iconv -f latin1 -t utf-8`"
        raise InputError(text, location, code="utf8") from None


def read_nested(file: File, nested: Mapping[str, Any], location: Location, *, tag: str = "") -> FileRows:
    """Topics with their documents as rows; a list of documents is in their order, and what judgments list has label 1.

    Args:
        file: that they are read from.
        nested: topic -> document -> number.
        location: of what is held, in the file.
        tag: of the run.

    Raises:
        InputError: a topic holds something else than documents with numbers.
    """
    facts: Facts = {"noticed": {}}
    rows = _list_rows(file, nested, location, facts)
    for topic, row in rows.items():
        if not row:
            note_empty(facts, topic)
    topics = list(chain.from_iterable([topic] * len(row) for topic, row in rows.items()))
    documents = [document for row in rows.values() for document, _ in row]

    def where(row: int, part: str) -> Location:
        topic_location = location.within(f"topic {quoted(topics[row])}")
        return topic_location if part == "topic" else topic_location.within(f"document {quoted(str(documents[row]))}")

    numbers = [number for row in rows.values() for _, number in row]
    return FileRows(topic=topics, document=documents, number=numbers, where=where, tag=tag, facts=facts)


def _list_rows(
    file: File, nested: Mapping[str, Any], location: Location, facts: Facts
) -> dict[str, Collection[tuple[Any, Any]]]:
    """Topic -> its documents with their numbers; of lists, scores are minus their ranks, and labels 1.

    Raises:
        InputError: a topic holds something else, or pairs with scores are among documents without.
    """
    if nested and all(isinstance(row, list) for row in nested.values()):
        if file.kind == "qrels":
            notice(facts, "no-labels", sum(map(len, nested.values())))
        return {topic: _list_pairs(file, topic, row, location) for topic, row in nested.items()}
    for topic, row in nested.items():
        if not isinstance(row, dict):
            text = f"holds a {name_kind(row)}, expected an object: document -> {file.number}"
            raise InputError(text, location.within(f"topic {quoted(topic)}"), code="layout", value=cut(topic))
    return {topic: row.items() for topic, row in nested.items()}


def _list_pairs(file: File, topic: str, row: list[Any], location: Location) -> list[tuple[Any, Any]]:
    within = location.within(f"topic {quoted(topic)}")
    pairs = [(entry[0], entry[1]) for entry in row if isinstance(entry, list) and len(entry) == 2]
    if pairs and len(pairs) < len(row):
        text = "some documents have numbers and others none: give [document, number] everywhere or nowhere"
        raise InputError(text, within, code="layout", value=cut(topic))
    if not pairs:
        pairs = [(entry, 1.0 if file.kind == "qrels" else -float(rank)) for rank, entry in enumerate(row, 1)]
    for rank, (document, _) in enumerate(pairs, 1):
        if not isinstance(document, (str, int)):
            text = (
                f"{quoted(cut(str(document)))} is not the id of a document; a list holds ids, or [id, number] of each"
            )
            raise InputError(text, within.within(f"rank {rank}"), code="layout", value=cut(str(document)))
    return pairs


def note_empty(facts: Facts, topic: str) -> None:
    """Note that a topic has no documents."""
    notice(facts, "empty-lists", topic=topic)


def name_kind(value: Any) -> str:
    """Name the kind of a value of JSON."""
    kinds = {list: "list", str: "text", bool: "true or false", type(None): "null", dict: "object"}
    return kinds.get(type(value), "number")


def read_objects(file: File) -> Iterator[tuple[int, dict[str, Any]]]:
    """The object of each line that holds anything, with the number of the line.

    Raises:
        InputError: a line is not an object of JSON.
    """
    for number, line in enumerate(read_text(file).split("\n"), 1):
        if not line.strip():
            continue
        value = parse_json(file.location, line, line=number)
        if not isinstance(value, dict):
            text = f"{quoted(line.strip())} is not an object of JSON"
            raise FormatError(text, file.location.at(number), code="layout", value=cut(line))
        yield number, value
