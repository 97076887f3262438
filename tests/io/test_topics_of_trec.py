"""TREC's own topic files: XML with a DTD, and lists of queries; what stands for more than it says is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield import InputError
from cranfield.io import read_topics
from data_sets import DATA

WEB = {
    "2009/wt09.topics.full.xml": (range(1, 51), "obama family tree"),
    "2010/wt2010-topics.xml": (range(51, 101), "horse hooves"),
    "2012/full-topics.xml": (range(151, 201), "403b"),
    "2014/trec2014-topics.xml": (range(251, 301), "identifying spider bites"),
}
"""File -> its topics, and the query of the first."""
DTD = """<?xml version="1.0"?>
<!DOCTYPE track [
  <!-- it's a comment with a ] and a " -->
  <!ELEMENT topic (query)>
  <!ATTLIST topic number CDATA #REQUIRED type (a|b) "a]>">
]>
"""
XML = DTD + '<track><topic number="251"><query>a, b</query></topic></track>'


@pytest.mark.data("data/trec-web")
@pytest.mark.parametrize("name", WEB)
def test_topics_of_the_web_tracks(name: str) -> None:
    numbers, first = WEB[name]
    topics = read_topics(DATA / "trec-web" / name)
    assert list(topics) == list(map(str, numbers))
    assert next(iter(topics.values())).query == first
    assert all(topic.query for topic in topics.values())
    assert sum("description" in topic.fields for topic in topics.values()) >= 48


@pytest.mark.data("data/trec-web")
def test_every_topic_file_of_the_web_tracks_is_tried() -> None:
    assert {str(path.relative_to(DATA / "trec-web")) for path in (DATA / "trec-web").rglob("*.xml")} == set(WEB)


@pytest.mark.data("data/trec-web")
@pytest.mark.parametrize("name", WEB)
def test_a_list_of_queries_holds_the_same_queries(tmp_path: Path, name: str) -> None:
    topics = read_topics(DATA / "trec-web" / name)
    (tmp_path / "queries").write_text("".join(f"{topic}:{text.query}\n" for topic, text in topics.items()))
    listed = read_topics(tmp_path / "queries")
    assert {topic: text.query for topic, text in listed.items()} == {
        topic: text.query for topic, text in topics.items()
    }


def test_declared_attributes_are_not_expanded(tmp_path: Path) -> None:
    (tmp_path / "topics.xml").write_text(XML)
    (topic,) = read_topics(tmp_path / "topics.xml").values()
    assert topic.fields == {"query": "a, b"}, "type is declared, and not written"


def test_errors_count_the_lines_of_a_dtd(tmp_path: Path) -> None:
    (tmp_path / "topics.xml").write_text(DTD + "<track><topic></track>")
    with pytest.raises(InputError, match="is not XML") as caught:
        read_topics(tmp_path / "topics.xml")
    assert caught.value.line == DTD.count("\n") + 1


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE t [<!ENTITY a "b">]><t><topic id="1">&a;</topic></t>',
        '<!DOCTYPE t [<!ATTLIST t a CDATA "x"><!ENTITY % a "b">%a;]><t><topic id="1">c</topic></t>',
        '<!DOCTYPE t [<!ATTLIST t a CDATA "x>]><t><topic id="1">c</topic></t>',
        '<!DOCTYPE t [<!ATTLIST t a CDATA "x"> <t><topic id="1">c</topic></t>',
    ],
)
def test_entities_and_broken_declarations_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "topics.xml").write_text(text)
    with pytest.raises(InputError):
        read_topics(tmp_path / "topics.xml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("251:spider bites\n252 : a, b\n", {"251": "spider bites", "252": "a, b"}),
        ("MB001:who: what\nMB2:\tb\n\n", {"MB001": "who: what", "MB2": "b"}),
        ("1:2,text\n1:3,more\n", {"1:2": "text", "1:3": "more"}),
        ("1:2\ttext\n", {"1:2": "text"}),
        ("1,a:b\n", {"1": "a:b"}),
    ],
)
def test_lists_of_queries(tmp_path: Path, text: str, expected: dict[str, str]) -> None:
    (tmp_path / "queries").write_text(text)
    assert {topic: found.query for topic, found in read_topics(tmp_path / "queries").items()} == expected
