"""The texts of documents, from files, data sets of ir_datasets, dicts and data frames; only those that are wanted."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from cranfield._text import counted, cut, quoted, warn
from cranfield.collection.column_names import NAMES
from cranfield.collection.frames import is_frame, read_table
from cranfield.errors import FormatError, InputError, UsageError, refusal
from cranfield.findings.location import Location
from cranfield.io import ir_datasets
from cranfield.io.delimited import delimited_lines
from cranfield.io.source import as_text, decode_lines, read_whole
from cranfield.io.strict_json import parse_json
from cranfield.io.topic_files import find_id_column, format_value, one_line

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

DocumentTextsLike: TypeAlias = "str | os.PathLike[str] | Mapping[str, str | Mapping[str, str]] | IntoFrame"
IDS = (*NAMES["document"], "pid", "_id", "id")
"""The names of a document's id; where there are several, the first of these counts."""
Row: TypeAlias = "tuple[str, Mapping[str, Any]]"
"""The id of a document, and its fields by name."""


def read_document_texts(source: DocumentTextsLike, wanted: Collection[str]) -> dict[str, str]:
    """Read the texts of some documents, each in one line: all its fields but the id, in their order.

    Args:
        source: a file of lines `id text` with tabs or commas between (with a line of names, or without), JSON (an
            object a line, as BEIR's ``corpus.jsonl``, a list, or one object of documents), TREC's SGML (``<DOC>``,
            ``<DOCNO>``), compressed or not; ``irds:ID``; document -> text; or a data frame.
        wanted: the documents.

    Raises:
        FormatError: a line is not in its format.
        InputError: the source cannot be read.
        UsageError: it is nothing that holds documents.
    """
    texts: dict[str, str] = {}
    for document, fields in _read_rows(source, wanted):
        if document in wanted and document not in texts:
            texts[document] = one_line(" ".join(filter(None, map(format_value, fields.values()))))
    if wanted and not texts:
        warn("none of the documents that changed has a text: are these the documents of another collection?")
    return texts


def _read_rows(source: DocumentTextsLike, wanted: Collection[str]) -> Iterator[Row]:
    if is_frame(source):
        table = read_table(source)
        name = find_id_column(list(table.names), Location(name="the frame of documents"), IDS, "document")
        columns = {column: table[column].tolist() for column in table.names}
        for number, document in enumerate(columns.pop(name)):
            yield str(document), {column: values[number] for column, values in columns.items()}
    elif isinstance(source, Mapping):
        for document, content in source.items():
            yield str(document), content if isinstance(content, Mapping) else {"text": content}
    elif not isinstance(source, (str, os.PathLike)):
        raise UsageError(f"{type(source).__name__} holds no documents: give a file, irds:ID, a dict or a data frame")
    elif ir_datasets.names_dataset(path := as_text(source)):
        yield from _read_dataset(path, wanted)
    else:
        data, _ = read_whole(path, "qrels")
        yield from _read_text(Location(path), decode_lines(data, Location(path)))


def _read_dataset(name: str, wanted: Collection[str]) -> Iterator[Row]:
    """The documents of a data set, which are looked up one by one.

    Raises:
        InputError: there is no such data set, or it has none.
    """
    dataset = ir_datasets.dataset_called(name)
    if not hasattr(dataset, "docs_handler"):
        raise InputError("holds no documents", name, code="empty")
    with ir_datasets.reading(name):
        for document in dataset.docs_store().get_many_iter(list(wanted)):
            fields = document._asdict()
            yield fields.pop("doc_id"), fields


def _read_text(location: Location, text: str) -> Iterator[Row]:
    """The documents of a text, whose first letter says its layout."""
    match text.lstrip()[:1]:
        case "<":
            yield from _read_markup(location, text)
        case "{" | "[":
            yield from _read_json(location, text)
        case _:
            yield from _read_lines(location, text)


def _read_lines(location: Location, text: str) -> Iterator[Row]:
    """Lines of an id and its fields, of which the first may name the fields.

    Raises:
        FormatError: a line has no text, or another number of fields than there are names.
    """
    names: list[str] = []
    name = ""
    for number, (line, fields) in enumerate(delimited_lines(location, text)):
        if not number and fields[0].strip().lower() in IDS:
            names = [field.strip().lower() for field in fields]
            name = find_id_column(names, location.at(line), IDS, "document")
            continue
        if len(fields) < 2 or (names and len(fields) != len(names)):
            expected = f"{len(names)}: {', '.join(names)}" if names else "id and text, with a tab or a comma between"
            message = f"{counted(len(fields), 'field')}, expected {expected}: {quoted(cut(' '.join(fields)))}"
            raise FormatError(message, location.at(line), code="fields", value=cut(" ".join(fields)))
        row = dict(zip(names or map(str, range(len(fields))), fields, strict=True))
        yield row.pop(name or "0").strip(), row


def _read_json(location: Location, text: str) -> Iterator[Row]:
    """Objects with an id, one a line or in a list, or one object of documents.

    Raises:
        FormatError: a line is not JSON.
        InputError: the text is not JSON, or an object has no id.
    """
    first = text.lstrip().partition("\n")
    if first[0].rstrip().endswith("}") and first[2].lstrip().startswith("{"):
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield _read_object(parse_json(location, line, line=number), location.at(number))
        return
    held = parse_json(location, text)
    if isinstance(held, dict) and not any(key in held for key in IDS):
        for document, content in held.items():
            yield document, content if isinstance(content, dict) else {"text": content}
        return
    for number, content in enumerate(held if isinstance(held, list) else [held], 1):
        yield _read_object(content, location.within(f"document {number:,}"))


def _read_object(held: Any, location: Location) -> Row:
    if not isinstance(held, dict):
        raise refusal('is not an object such as {"_id": "d1", "text": "..."}', location, code="layout")
    name = find_id_column(list(held), location, IDS, "document")
    return str(held.pop(name)), held


def _read_markup(location: Location, text: str) -> Iterator[Row]:
    """TREC's documents, without their tags.

    Raises:
        InputError: there is none.
    """
    found = False
    for part in re.finditer(r"<doc[\s>].*?(?=</doc>|<doc[\s>]|\Z)", text, re.IGNORECASE | re.DOTALL):
        number = re.search(r"<docno>\s*(.*?)\s*</docno>", part[0], re.IGNORECASE | re.DOTALL)
        if number is not None:
            found = True
            yield number[1], {"text": html.unescape(re.sub(r"<[^<>]*>", " ", part[0].replace(number[0], " ")))}
    if not found:
        raise InputError("holds no <DOC> with a <DOCNO>, as TREC's documents are", location, code="layout")
