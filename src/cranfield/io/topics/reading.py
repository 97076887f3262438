"""``read_topics``: the texts of topics from whatever holds them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from cranfield._text import cut, quoted
from cranfield.collection.frames import is_frame, table_of
from cranfield.collection.ids import identifier
from cranfield.collection.topics import TopicText
from cranfield.errors import FormatError, InputError, UsageError, refusal
from cranfield.findings.location import Place
from cranfield.io import irds
from cranfield.io.source import as_text, read_whole
from cranfield.io.topics.fields import Row, column_of_ids, topic_of

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

TopicsLike: TypeAlias = "str | os.PathLike[str] | Mapping[str, str | Mapping[str, str]] | IntoFrame"
Reader: TypeAlias = Callable[[Place, str], Iterator[Row]]
FRAME = Place(name="the frame of topics")
"""What messages call a frame."""


def read_topics(source: TopicsLike) -> dict[str, TopicText]:
    """Read what topics ask.

    Files are TREC topics (SGML with ``<top>``, or XML), lines ``id text`` with a tab or a comma between them or a table
    with a line of names, or JSON: an object a line (BEIR's ``queries.jsonl``), a list of objects, or one object of
    topics. Which of them it is, is told by the content; compressed or not. ``irds:ID`` names a data set of ir_datasets.

    Args:
        source: a file, ``irds:ID``, topic -> text, topic -> field -> text, or a data frame with a row a topic.

    Returns:
        topic -> its text, in the order of the file.

    Raises:
        FormatError: a line is not in its format.
        InputError: the source cannot be read, holds no topics, or a topic twice.
        UsageError: it is nothing that holds topics, or a package for it is not installed.
    """
    if is_frame(source):
        return _gathered(_of_frame(source), FRAME)
    if isinstance(source, Mapping):
        return _gathered(_of_mapping(source), Place(name="the topics"))
    if not isinstance(source, (str, os.PathLike)):
        raise UsageError(f"{type(source).__name__} holds no topics: give a file, irds:ID, a dict or a data frame")
    path = as_text(source)
    place = Place(path)
    if irds.names_dataset(path):
        from cranfield.io.topics.dataset import topics_of_dataset

        return _gathered(topics_of_dataset(path), place)
    return _gathered(_of_file(path, place), place)


def _gathered(rows: Iterable[Row], place: Place) -> dict[str, TopicText]:
    texts: dict[str, TopicText] = {}
    for row in rows:
        try:
            identifier(row.topic, "topic", place)
        except InputError as error:  # places are made for errors only: there may be a million topics
            raise refusal(error.text, place.at(row.line), code=error.code, value=error.value) from None
        if row.topic in texts:
            said = f"the topic {quoted(row.topic)} occurs twice: keep one of the two"
            raise refusal(said, place.at(row.line), code="duplicate", value=cut(row.topic))
        texts[row.topic] = TopicText.of(row.topic, row.fields, row.query)
    if not texts:
        raise InputError("holds no topics", place, code="empty")
    return texts


def _of_file(path: str, place: Place) -> Iterator[Row]:
    data, _ = read_whole(path, "qrels")
    text = _decoded(data, place)
    return _reader(text)(place, text)


def _decoded(data: bytes, place: Place) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("is UTF-16: save it as UTF-8", place, code="utf16")
    try:
        return data.removeprefix(b"\xef\xbb\xbf").decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError("the line is not valid UTF-8: save the file as UTF-8", place.at(line), code="utf8") from None


def _reader(text: str) -> Reader:
    """What reads a text, by its first letter."""
    from cranfield.io.topics.lines import topics_in_lines
    from cranfield.io.topics.markup import topics_in_markup
    from cranfield.io.topics.objects import topics_in_json

    match text.lstrip()[:1]:
        case "<":
            return topics_in_markup
        case "{" | "[":
            return topics_in_json
        case _:
            return topics_in_lines


def _of_mapping(source: Mapping[Any, Any]) -> Iterator[Row]:
    for topic, held in source.items():
        if isinstance(held, TopicText):
            yield Row(str(topic), held.fields, query=held.query)
        elif isinstance(held, (str, Mapping)):
            yield topic_of({"text": held} if isinstance(held, str) else held, str(topic))
        else:
            kind = type(held).__name__
            raise UsageError(f"the text of topic {quoted(str(topic))} is of type {kind}: give text, or a dict")


def _of_frame(source: Any) -> Iterator[Row]:
    table = table_of(source)
    name = column_of_ids(table.names, FRAME)
    columns = {column: table[column].tolist() for column in table.names}
    for number, topic in enumerate(columns.pop(name)):
        yield topic_of({column: values[number] for column, values in columns.items()}, str(topic))
