"""topic -> document -> number, as JSON has it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from cranfield.errors import InputError
from cranfield.facts import Facts
from cranfield.findings.noticing import notice
from cranfield.findings.place import Place
from cranfield.io.formats._format import File
from cranfield.io.formats._rows import Rows
from cranfield.io.json_text import parse_json
from cranfield.io.messages import SCORES
from cranfield.wording import cut, quoted


def object_in(file: File) -> dict[str, Any]:
    """The one object of JSON that a file holds.

    Raises:
        InputError: it is not JSON, something else than an object, or scores as `evaluate` writes them.
    """
    held = parse_json(file.place, text_of(file))
    what = "score" if file.kind == "run" else "label"
    if not isinstance(held, dict):
        text = f"holds a {_kind(held)}, expected an object: topic -> document -> {what}"
        raise InputError(text, file.place, code="layout", value=_kind(held))
    if isinstance(held.get("rows"), list) and "signature" in held:
        text = f"holds a signature and rows, expected topic -> document -> {what}; {SCORES}"
        raise InputError(text, file.place, code="layout", value="rows")
    return held


def text_of(file: File) -> str:
    """The text of a file.

    Raises:
        InputError: it is not UTF-8.
    """
    try:
        return file.text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = file.place.at(file.text.count(b"\n", 0, error.start) + 1)
        text = "the line is not valid UTF-8; convert the file, for example with `iconv -f latin1 -t utf-8`"
        raise InputError(text, place, code="utf8") from None


def rows_of_nested(file: File, held: Mapping[str, Any], place: Place, *, tag: str = "") -> Rows:
    """Topics with their documents as rows.

    Args:
        file: that they are read from.
        held: topic -> document -> number.
        place: of what is held, in the file.
        tag: of the run.

    Raises:
        InputError: a topic holds something else than documents with numbers.
    """
    what = "score" if file.kind == "run" else "label"
    facts: Facts = {"noticed": {}}
    for topic, row in held.items():
        if not isinstance(row, dict):
            hint = f"; a list has no {what}s" if isinstance(row, list) else ""
            text = f"holds a {_kind(row)}, expected an object: document -> {what}{hint}"
            raise InputError(text, place.within(f"topic {quoted(topic)}"), code="layout", value=cut(topic))
        if not row:
            note_empty(facts, topic)
    topics = list(chain.from_iterable([topic] * len(row) for topic, row in held.items()))
    documents = list(chain.from_iterable(held.values()))

    def where(row: int, part: str) -> Place:
        of_topic = place.within(f"topic {quoted(topics[row])}")
        return of_topic if part == "topic" else of_topic.within(f"document {quoted(str(documents[row]))}")

    numbers = list(chain.from_iterable(row.values() for row in held.values()))
    return Rows(topic=topics, document=documents, number=numbers, where=where, tag=tag, facts=facts)


def note_empty(facts: Facts, topic: str) -> None:
    """Note that a topic has no documents."""
    notice(facts, "empty-lists", topic=topic)


def _kind(value: Any) -> str:
    kinds = {list: "list", str: "text", bool: "true or false", type(None): "null", dict: "object"}
    return kinds.get(type(value), "number")
