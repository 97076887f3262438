"""topic -> document -> number in CBOR, which ranx packs in LZ4 twice."""

from __future__ import annotations

import io

from cranfield._optional import import_optional
from cranfield._text import shown
from cranfield.errors import InputError
from cranfield.io.formats._format import File, Format, Loaded
from cranfield.io.formats._nested import read_nested
from cranfield.io.formats._rows import load_rows


def _read(file: File) -> Loaded:
    cbor2 = import_optional("cbor2", location=file.location)
    stream = io.BytesIO(file.text)
    try:
        value = cbor2.load(stream, allow_duplicate_keys=False)
    except Exception as error:  # of the library, whose decoders of dates, numbers and so on raise errors of their own
        text = f"the CBOR data are damaged: {shown(str(error))}; save the run again"
        raise InputError(text, file.location, code="damaged") from None
    remaining = len(file.text) - stream.tell()
    if remaining:
        text = f"{remaining:,} bytes follow the end of the CBOR data: cut them off, or save the run again"
        raise InputError(text, file.location, code="trailing")
    if not isinstance(value, dict) or not all(isinstance(topic, str) for topic in value):
        raise InputError("expected topic -> document -> number, as ranx saves it", file.location, code="layout")
    return load_rows(file, read_nested(file, value, file.location))


FORMAT = Format(
    holds="ranx's `run.lz4`: CBOR `{topic: {document: number}}` in LZ4; needs lz4 and cbor2",
    recognized_by="unpacked, it begins with a map of CBOR, which is not text",
    example="evaluate ranx-qrels.json ranx-run.lz4",
    is_here=lambda file: b"\xa0" <= file.text[:1] <= b"\xbf",
    run=_read,
    qrels=_read,
)
