"""``read_topics``: the texts of topics from files, data sets of ir_datasets, dicts and data frames.

Files hold TREC's SGML, whose tags need no end, XML, lines of fields, or JSON. Each reader yields rows: the id of a
topic, and its fields as text.
"""

from __future__ import annotations

import html
import json
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cranfield._text import counted, cut, quoted, shown
from cranfield._validation import first_repeated
from cranfield.collection.frames import is_frame, read_table
from cranfield.collection.ids import identifier
from cranfield.collection.topics import TopicText
from cranfield.errors import FormatError, InputError, UsageError, refusal
from cranfield.findings.location import Location
from cranfield.io import ir_datasets
from cranfield.io.delimited import delimited_lines
from cranfield.io.source import as_text, decode_lines, read_whole
from cranfield.io.strict_json import parse_json

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from narwhals.typing import IntoFrame


IDS = ("qid", "query_id", "query-id", "q_id", "topic_id", "topic", "_id", "id", "num", "number")
"""The names of a topic's id; where there are several, the first of these counts."""
NUMBERED = ("number", "id", "num")
"""The names of a subtopic's number."""


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic.

    Args:
        topic: its id.
        fields: name -> text.
        line: of the file; None where it is not made of lines.
        query: what a user would type, where the source says so.
    """

    topic: str
    fields: Mapping[str, str]
    line: int | None = None
    query: str | None = None


def make_topic(values: Mapping[str, Any], topic: str, line: int | None = None, query: str | None = None) -> TopicRow:
    """A topic of values that may be anything: text and numbers, and lists of them or of objects, are kept.

    Args:
        values: name -> value.
        topic: the id.
        line: of the file.
        query: what a user would type, where the source says so.
    """
    fields: dict[str, str] = {}
    for name, value in values.items():
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            fields |= _read_members(str(name).removesuffix("s"), value)
        elif isinstance(value, Mapping):
            fields |= {f"{name} {inner}": text for inner, member in value.items() if (text := format_value(member))}
        elif text := format_value(value):
            fields[str(name)] = text
    return TopicRow(topic, fields, line, query)


def format_value(value: Any) -> str:
    """A value as text in one line; empty where it is neither text nor a number."""
    if isinstance(value, float) and math.isnan(value):  # what a frame has where nothing is
        return ""
    return one_line(str(value)) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""


def one_line(text: str) -> str:
    """A text with single blanks between its words."""
    return " ".join(text.split())


def find_id_column(
    names: Sequence[str], location: Location, known: Sequence[str] = IDS, what: Literal["topic", "document"] = "topic"
) -> str:
    """Find the column, or key, that holds the id.

    Args:
        names: of the columns.
        location: of the file.
        known: names of ids, the first of which is taken.
        what: it is the id of.

    Raises:
        InputError: there is none.
    """
    found = next((name for name in known if name in names), None)
    if found is None:
        listed = ", ".join(quoted(str(name)) for name in names)
        text = f"has no id of the {what} ({', '.join(known)}); it has {listed}"
        raise refusal(text, location, code="column", value=what)
    return found


def _read_members(name: str, values: Sequence[Any]) -> dict[str, str]:
    """The members of a list, each by its number: subtopics are objects or tuples with a number of their own."""
    fields: dict[str, str] = {}
    for position, value in enumerate(values, 1):
        member = value._asdict() if hasattr(value, "_asdict") else value
        number: Any = position
        if isinstance(member, Mapping):
            number = next((member[key] for key in NUMBERED if key in member), position)
            member = next((member[key] for key in ("text", "query", "description", "title") if key in member), None)
        if text := format_value(member):
            fields[f"{name} {number}"] = text
    return fields


TopicsLike: TypeAlias = "str | os.PathLike[str] | Mapping[str, str | Mapping[str, str]] | IntoFrame"
TopicReader: TypeAlias = Callable[[Location, str], Iterator[TopicRow]]
FRAME = Location(name="the frame of topics")
"""The location of a frame in messages."""


def read_topics(source: TopicsLike) -> dict[str, TopicText]:
    """Read what topics ask.

    Files are TREC topics (SGML with ``<top>``, or XML), lines ``id text`` with a tab or a comma between them, lines
    ``251:text``, a table with a line of names, or JSON: an object a line (BEIR's ``queries.jsonl``), a list of objects,
    or one object of topics. The layout is detected by content; compressed or not. ``irds:ID`` names a data set of
    ir_datasets.

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
        return _gather(_read_frame(source), FRAME)
    if isinstance(source, Mapping):
        return _gather(_read_mapping(source), Location(name="the topics"))
    if not isinstance(source, (str, os.PathLike)):
        raise UsageError(f"{type(source).__name__} holds no topics: give a file, irds:ID, a dict or a data frame")
    path = as_text(source)
    location = Location(path)
    if ir_datasets.names_dataset(path):
        return _gather(read_dataset_topics(path), location)
    return _gather(_read_file(path, location), location)


def _gather(rows: Iterable[TopicRow], location: Location) -> dict[str, TopicText]:
    texts: dict[str, TopicText] = {}
    for row in rows:
        try:
            identifier(row.topic, "topic", location)
        except InputError as error:  # locations are made for errors only: there may be a million topics
            raise refusal(error.text, location.at(row.line), code=error.code, value=error.value) from None
        if row.topic in texts:
            message = f"the topic {quoted(row.topic)} occurs twice: keep one of the two"
            raise refusal(message, location.at(row.line), code="duplicate", value=cut(row.topic))
        texts[row.topic] = TopicText.of(row.topic, row.fields, row.query)
    if not texts:
        raise InputError("holds no topics", location, code="empty")
    return texts


def _read_file(path: str, location: Location) -> Iterator[TopicRow]:
    data, _ = read_whole(path, "qrels")
    text = decode_lines(data, location).replace("\r\n", "\n")
    return _reader(text)(location, text)


def _reader(text: str) -> TopicReader:
    """The reader of a text, by its first letter."""

    match text.lstrip()[:1]:
        case "<":
            return topics_in_markup
        case "{" | "[":
            return topics_in_json
        case _:
            return topics_in_lines


def _read_mapping(source: Mapping[Any, Any]) -> Iterator[TopicRow]:
    for topic, content in source.items():
        if isinstance(content, TopicText):
            yield TopicRow(str(topic), content.fields, query=content.query)
        elif isinstance(content, (str, Mapping)):
            yield make_topic({"text": content} if isinstance(content, str) else content, str(topic))
        else:
            kind = type(content).__name__
            raise UsageError(f"the text of topic {quoted(str(topic))} is of type {kind}: give text, or a dict")


def _read_frame(source: Any) -> Iterator[TopicRow]:
    table = read_table(source)
    name = find_id_column(table.names, FRAME)
    columns = {column: table[column].tolist() for column in table.names}
    for number, topic in enumerate(columns.pop(name)):
        yield make_topic({column: values[number] for column, values in columns.items()}, str(topic))


def read_dataset_topics(name: str) -> list[TopicRow]:
    """The topics of a data set that was named.

    Args:
        name: ``irds:ID``.

    Raises:
        InputError: there is no such data set, it holds no topics, or ir_datasets cannot read them.
        UsageError: ir_datasets is not installed.
    """
    dataset = ir_datasets.dataset_called(name)
    if not hasattr(dataset, "queries_handler"):
        raise InputError("holds no topics", name, code="empty")
    rows = []
    with ir_datasets.reading(name):
        for query in dataset.queries_iter():
            fields = query._asdict()
            default_text = getattr(query, "default_text", None)
            default = default_text() if callable(default_text) else None
            rows.append(make_topic(fields, str(fields.pop("query_id")), query=default))
    return rows


def topics_in_lines(location: Location, text: str) -> Iterator[TopicRow]:
    """The topics of a text with tabs or commas between the fields of a line.

    Raises:
        FormatError: a line has too few fields or too many.
    """
    if (listed := _split_at_colons(text)) is not None:
        yield from (make_topic({"text": query}, topic, line) for line, topic, query in listed)
        return
    names: list[str] | None = None
    for number, (line, raw) in enumerate(delimited_lines(location, text)):
        fields = [field.strip() for field in raw]
        if not number and fields[0].lower() in IDS and len(fields) > 1:
            names = [field.lower() for field in fields]
            twice = first_repeated([name for name in names if name])
            if twice is not None:
                text = f"has two columns called {quoted(twice)}: rename one, or leave it out"
                raise FormatError(text, location.at(line), code="column", value=cut(twice))
            continue
        if names is None:
            if len(fields) != 2:
                raise _wrong(location.at(line), fields, "two: id and text, with a tab or a comma between them")
            yield make_topic({"text": fields[1]}, fields[0], line)
        elif len(fields) != len(names):
            raise _wrong(location.at(line), fields, f"{len(names)}: {', '.join(names)}")
        else:
            row = dict(zip(names, fields, strict=True))
            yield make_topic(row, row.pop(find_id_column(names, location)), line)


def _split_at_colons(text: str) -> list[tuple[int, str, str]] | None:
    """Line, id and text of each ``251:text``, as TREC lists queries; None where a line is none, or all are in columns.

    Columns are tried first: an id such as 12:3 may hold a colon.
    """
    listed, in_columns = [], True
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            found = COLON.fullmatch(line)
            if found is None:
                return None
            listed.append((number, found[1], found[2]))
            in_columns = in_columns and ("," in line or "\t" in line)
    return None if in_columns else listed


def _wrong(location: Location, fields: list[str], expected: str) -> FormatError:
    line = " ".join(fields)
    message = f"{counted(len(fields), 'field')}, expected {expected}: {quoted(line)}"
    return FormatError(message, location, code="fields", value=cut(line))


def topics_in_json(location: Location, text: str) -> Iterator[TopicRow]:
    """The topics of a text that begins with ``{`` or ``[``.

    Raises:
        FormatError: a line is not JSON.
        InputError: the text is not JSON, or holds no topics.
    """
    if _has_objects_in_lines(text):
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield _read_object(parse_json(location, line, line=number), location.at(number), number)
        return
    value = parse_json(location, text)
    if isinstance(value, list):
        for position, content in enumerate(value, 1):
            yield _read_object(content, location.within(f"topic {position}"))
        return
    for topic, content in value.items():
        if not isinstance(content, (str, dict)):
            message = f"the topic {quoted(topic)} has neither a text nor an object of texts"
            raise refusal(message, location, code="layout", value=topic)
        yield make_topic({"text": content} if isinstance(content, str) else content, topic)


def _has_objects_in_lines(text: str) -> bool:
    """Return whether the first line that holds anything is an object with an id."""
    try:
        first = json.loads(text.lstrip().partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    # An object of topics may stand in one line, too; an id is text or a number there, and no object.
    return isinstance(first, dict) and any(format_value(first.get(name)) for name in IDS)


def _read_object(members: Any, location: Location, line: int | None = None) -> TopicRow:
    if not isinstance(members, dict):
        raise refusal(f"is not an object such as {_EXAMPLE}", location, code="layout")
    name = find_id_column(list(members), location)
    topic = format_value(members.pop(name))
    if not topic:
        raise refusal(f"the id of a topic, {quoted(name)}, is neither text nor a number", location, code="id")
    return make_topic(members, topic, line)


COLON = re.compile(r"\s*([A-Za-z]*\d+)\s*:(.*)", re.DOTALL)
"""The number of a topic, and what follows a colon."""
_EXAMPLE = '{"_id": "q1", "text": "wireless networks"}'


NAMES = {
    "desc": "description",
    "narr": "narrative",
    "dom": "domain",
    "smry": "summary",
    "con": "concepts",
    "fac": "factors",
    "def": "definitions",
}
"""TREC's short names of fields -> the words that they are short for."""
LABEL = re.compile(
    r"\s*(Number|Topic|Description|Narrative|Domain|Summary|Concept\(s\)|Factor\(s\)|Definition\(s\))\s*:",
    re.IGNORECASE,
)
"""The label before the text of a field of TREC's."""
TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*+)[^<>]*+>")
"""A tag; what has matched is not tried again in shorter pieces, which takes the square of the length of a text."""
ENTITIES = "<!ENTITY"
"""Declarations by which a few bytes stand for many."""
SUBSET = re.compile(
    r"""(?P<head><!DOCTYPE\s++[^\s\[<>"']++(?:\s++(?:SYSTEM|PUBLIC)(?:\s++(?:"[^"]*+"|'[^']*+'))++)?\s*+)"""
    r"""\[(?:<!--[^-]*+(?:-[^-]++)*+-->|"[^"]*+"|'[^']*+'|[^\]"'])*+\]"""
)
"""The declarations of a document: its elements, and attributes that elements have though they are not written."""


def topics_in_markup(location: Location, text: str) -> Iterator[TopicRow]:
    """The topics of a text with tags.

    Raises:
        InputError: it is neither TREC's SGML nor XML, or a topic has no id.
    """
    return _read_sgml(location, text) if re.search(r"<top[\s>]", text, re.IGNORECASE) else _read_xml(location, text)


def _read_sgml(location: Location, text: str) -> Iterator[TopicRow]:
    line, counted = 1, 0
    for start in re.finditer(r"<top(?:\s[^<>]*+)?>", text, re.IGNORECASE):
        line, counted = line + text.count("\n", counted, start.start()), start.start()
        end = re.compile(r"</?top[\s>]", re.IGNORECASE).search(text, start.end())
        fields = _fields(text[start.end() : end.start() if end else len(text)])
        where = location.at(line)
        name = find_id_column(list(fields), where)
        topic = fields.pop(name)
        if not topic:
            raise FormatError(f"the topic has nothing behind <{name}>, which is to be its id", where, code="id")
        yield make_topic(fields, topic, line)


def _fields(text: str) -> dict[str, str]:
    """Name -> text of each tag, to the next one; what a label says again is left out."""
    parts: dict[str, list[str]] = {}
    tags = [*TAG.finditer(text)]
    for position, tag in enumerate(tags):
        if tag[1]:
            continue
        end = tags[position + 1].start() if position + 1 < len(tags) else len(text)
        content = (
            LABEL.sub("", text[tag.end() : end], count=1) if LABEL.match(text, tag.end()) else text[tag.end() : end]
        )
        name = NAMES.get(tag[2].lower(), tag[2].lower())
        parts.setdefault(name, []).append(one_line(html.unescape(content)))
    return {name: " ".join(filter(None, contents)) for name, contents in parts.items()}


def _read_xml(location: Location, text: str) -> Iterator[TopicRow]:
    from xml.etree import ElementTree

    if ENTITIES in text:
        raise InputError("declares entities, which are not expanded: write the text out", location, code="layout")
    # The text was decoded, so what it says of its encoding is past; and of attributes those that are written count.
    plain = re.sub(r"\A\s*<\?xml[^>]*\?>", lambda match: "\n" * match[0].count("\n"), text)
    plain = SUBSET.sub(lambda match: match["head"] + "\n" * match[0][len(match["head"]) :].count("\n"), plain, count=1)
    if "<!ATTLIST" in plain:
        raise InputError("declares attributes, which are not expanded: leave its DTD out", location, code="layout")
    try:
        root = ElementTree.fromstring(plain)
    except ElementTree.ParseError as error:
        raise FormatError(f"is not XML: {shown(str(error))}", location.at(error.position[0]), code="layout") from None
    for position, element in enumerate(root, 1):
        where = location.within(f"topic {position}")
        fields = _read_element(element)
        name = find_id_column(list(fields), where)
        topic = fields.pop(name)
        if not topic:
            message = f"the topic's {quoted(name)} is empty, which is to be its id"
            raise refusal(message, where, code="id")
        yield make_topic(fields, topic)


def _read_element(element: Element) -> dict[str, str]:
    """Attributes, the text and the children of a topic; of several children of one name, each by its number."""
    fields = {name: one_line(value) for name, value in element.attrib.items()}
    content = one_line(" ".join([element.text or "", *(child.tail or "" for child in element)]))
    fields |= {"text": content} if content else {}
    count, seen = Counter(child.tag for child in element), Counter[str]()
    for child in element:
        name = NAMES.get(child.tag, child.tag)
        number = next((child.attrib[key] for key in NUMBERED if key in child.attrib), "")
        seen[child.tag] += 1
        if not number and count[child.tag] > 1:
            number = str(seen[child.tag])
        fields[f"{name} {number}" if number else name] = one_line(" ".join(child.itertext()))
    return fields
