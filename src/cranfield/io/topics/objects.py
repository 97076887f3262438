"""Topics in JSON: an object a line, a list of objects, or one object of topics."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from cranfield._text import quoted
from cranfield.errors import refusal
from cranfield.findings.location import Place
from cranfield.io.json_text import parse_json
from cranfield.io.topics.fields import IDS, Row, column_of_ids, text_of_value, topic_of


def topics_in_json(place: Place, text: str) -> Iterator[Row]:
    """The topics of a text that begins with ``{`` or ``[``.

    Raises:
        FormatError: a line is not JSON.
        InputError: the text is not JSON, or holds no topics.
    """
    if _has_objects_in_lines(text):
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield _of_object(parse_json(place, line, line=number), place.at(number), number)
        return
    held = parse_json(place, text)
    if isinstance(held, list):
        for position, one in enumerate(held, 1):
            yield _of_object(one, place.within(f"topic {position}"))
        return
    for topic, one in held.items():
        if not isinstance(one, (str, dict)):
            said = f"the topic {quoted(topic)} has neither a text nor an object of texts"
            raise refusal(said, place, code="layout", value=topic)
        yield topic_of({"text": one} if isinstance(one, str) else one, topic)


def _has_objects_in_lines(text: str) -> bool:
    """Whether the first line that holds anything is an object with an id."""
    try:
        first = json.loads(text.lstrip().partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    # An object of topics may stand in one line, too; an id is text or a number there, and no object.
    return isinstance(first, dict) and any(text_of_value(first.get(name)) for name in IDS)


def _of_object(held: Any, place: Place, line: int | None = None) -> Row:
    if not isinstance(held, dict):
        raise refusal(f"is no object such as {_EXAMPLE}", place, code="layout")
    name = column_of_ids(list(held), place)
    topic = text_of_value(held.pop(name))
    if not topic:
        raise refusal(f"the id of a topic, {quoted(name)}, is neither text nor a number", place, code="id")
    return topic_of(held, topic, line)


_EXAMPLE = '{"_id": "q1", "text": "wireless networks"}'
