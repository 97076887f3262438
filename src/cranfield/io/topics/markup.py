"""Topics between tags: TREC's SGML, whose tags need no end, and XML."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cranfield._text import quoted, shown
from cranfield.errors import FormatError, InputError, refusal
from cranfield.findings.location import Place
from cranfield.io.topics.fields import NUMBERED, Row, column_of_ids, one_line, topic_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

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
"""What stands before the text of a field of TREC's."""
TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*+)[^<>]*+>")
"""A tag; what has matched is not tried again in shorter pieces, which takes the square of the length of a text."""
DECLARED = re.compile(r"<!(ENTITY|ATTLIST)")
"""Declarations by which a few bytes stand for many: entities, and attributes that every element has."""


def topics_in_markup(place: Place, text: str) -> Iterator[Row]:
    """The topics of a text with tags.

    Raises:
        InputError: it is neither TREC's SGML nor XML, or a topic has no id.
    """
    return _of_sgml(place, text) if re.search(r"<top[\s>]", text, re.IGNORECASE) else _of_xml(place, text)


def _of_sgml(place: Place, text: str) -> Iterator[Row]:
    line, counted = 1, 0
    for start in re.finditer(r"<top(?:\s[^<>]*+)?>", text, re.IGNORECASE):
        line, counted = line + text.count("\n", counted, start.start()), start.start()
        end = re.compile(r"</?top[\s>]", re.IGNORECASE).search(text, start.end())
        fields = _fields(text[start.end() : end.start() if end else len(text)])
        where = place.at(line)
        name = column_of_ids(list(fields), where)
        topic = fields.pop(name)
        if not topic:
            raise FormatError(f"the topic has nothing behind <{name}>, which is to be its id", where, code="id")
        yield topic_of(fields, topic, line)


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
    return {name: " ".join(filter(None, some)) for name, some in parts.items()}


def _of_xml(place: Place, text: str) -> Iterator[Row]:
    from xml.etree import ElementTree

    if declared := DECLARED.search(text):
        what = "entities" if declared[1] == "ENTITY" else "attributes in a DTD"
        raise InputError(f"declares {what}, which are not expanded: write the text out", place, code="layout")
    # The text was decoded, so what it says of its encoding is past.
    plain = re.sub(r"\A\s*<\?xml[^>]*\?>", lambda found: "\n" * found[0].count("\n"), text)
    try:
        root = ElementTree.fromstring(plain)
    except ElementTree.ParseError as error:
        raise FormatError(f"is not XML: {shown(str(error))}", place.at(error.position[0]), code="layout") from None
    for position, element in enumerate(root, 1):
        where = place.within(f"topic {position}")
        fields = _fields_of_element(element)
        name = column_of_ids(list(fields), where)
        topic = fields.pop(name)
        if not topic:
            said = f"the topic's {quoted(name)} is empty, which is to be its id"
            raise refusal(said, where, code="id")
        yield topic_of(fields, topic)


def _fields_of_element(element: Element) -> dict[str, str]:
    """Attributes, the text and the children of a topic; of several children of one name, each by its number."""
    fields = {name: one_line(value) for name, value in element.attrib.items()}
    own = one_line(" ".join([element.text or "", *(child.tail or "" for child in element)]))
    fields |= {"text": own} if own else {}
    count, seen = Counter(child.tag for child in element), Counter[str]()
    for child in element:
        name = NAMES.get(child.tag, child.tag)
        number = next((child.attrib[key] for key in NUMBERED if key in child.attrib), "")
        seen[child.tag] += 1
        if not number and count[child.tag] > 1:
            number = str(seen[child.tag])
        fields[f"{name} {number}" if number else name] = one_line(" ".join(child.itertext()))
    return fields
