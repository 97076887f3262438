"""topic -> document -> number as one object of JSON: ranx, pytrec_eval, earlier versions of MTEB."""

from __future__ import annotations

from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import checked_object, read_nested, read_text
from cranfield.io.formats._rows import load_rows
from cranfield.io.formats._tables import read_record_rows, refuse_unknown_objects
from cranfield.io.formats.jsonl import refuse_nested_lines
from cranfield.io.strict_json import parse_json


def _read(file: File) -> Loaded:
    refuse_unknown_objects(file)
    refuse_nested_lines(file)
    value = parse_json(file.location, read_text(file))
    if isinstance(value, list) and value and all(isinstance(record, dict) for record in value):
        return load_rows(file, read_record_rows(file, value))
    return load_rows(file, read_nested(file, checked_object(file, value), file.location))


FORMAT = Format(
    holds="JSON `{topic: {document: number}}`, as ranx saves it and pytrec_eval takes it; or "
    "`{topic: [document, ...]}` in the order of the ranks, of judgments with label 1; or a list of objects with the "
    "names of columns",
    recognized_by="begins with `{` or `[`, and is none of the other formats of JSON",
    example="evaluate ranx-qrels.json ranx-run.json",
    is_here=lambda file: file.first_line[:1] in (b"{", b"["),
    last=True,
    run=_read,
    qrels=_read,
)
