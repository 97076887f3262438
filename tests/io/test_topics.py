"""Texts of topics: the same from every kind of file, and what is said of those that hold none."""

from __future__ import annotations

import gzip
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import cranfield
from cranfield import InputError, UsageError
from cranfield.collection import TopicText
from cranfield.io import read_topics
from reading_pages import data_of, full_names, packed

SGML = """
<top>
<num> Number: 301
<title> International Organized
  Crime

<desc> Description:
Identify organizations &amp; groups
that participate.

<narr> Narrative:
A relevant document must as a minimum identify the organization.
</top>

<top>
<num> Number: 302 </num>
<title> Poliomyelitis and Post-Polio: a title </title>
<desc>Is polio under control?</desc>
<narr></narr>
</top>
"""
WEB = """<?xml version="1.0" encoding="ISO-8859-1"?>
<webtrack2012>
  <topic number="151" type="ambiguous">
    <query>403b</query>
    <description>
      What is a 403b plan?
    </description>
    <subtopic number="1" type="inf">What is a 403b plan?</subtopic>
    <subtopic number="2" type="nav">Who is eligible for a 403b &lt;plan&gt;?</subtopic>
  </topic>
  <topic number="152" type="single"><query>angular cheilitis</query></topic>
</webtrack2012>
"""
Write = Callable[[str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str) -> str:
        path = tmp_path / "topics"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return written


def test_sgml_of_trec(write: Write) -> None:
    """Tags need no end, labels go, and what is in several lines comes in one."""
    topics = read_topics(write(SGML))
    assert list(topics) == ["301", "302"]
    assert topics["301"] == TopicText(
        "301",
        "International Organized Crime",
        {
            "title": "International Organized Crime",
            "description": "Identify organizations & groups that participate.",
            "narrative": "A relevant document must as a minimum identify the organization.",
        },
    )
    assert topics["302"].fields == {
        "title": "Poliomyelitis and Post-Polio: a title",
        "description": "Is polio under control?",
    }


def test_xml(write: Write) -> None:
    topics = read_topics(write(WEB))
    assert list(topics) == ["151", "152"]
    assert topics["151"].query == "403b"
    assert topics["151"].fields == {
        "type": "ambiguous",
        "query": "403b",
        "description": "What is a 403b plan?",
        "subtopic 1": "What is a 403b plan?",
        "subtopic 2": "Who is eligible for a 403b <plan>?",
    }
    assert read_topics(write("<queries><query><qid>0001</qid><content>a b</content></query></queries>")) == {
        "0001": TopicText("0001", "a b", {"content": "a b"})
    }
    assert read_topics(write("<topics><topic number='1'>a <b>bold</b> word</topic></topics>"))["1"].query == "a word"


class Query(NamedTuple):
    query_id: str
    title: str
    description: str
    subtopics: tuple[Any, ...]

    def default_text(self) -> str:
        return self.description


class Subtopic(NamedTuple):
    number: str
    text: str
    type: str


TWO = {"q1": "wireless networks", "q2": 'what is "bm25", really'}


@pytest.mark.parametrize(
    "text",
    [
        'q1\twireless networks\nq2\twhat is "bm25", really\n',
        '\ufeffq1\twireless networks\r\n\r\nq2\twhat is "bm25", really',
        'q1,wireless networks\nq2,"what is ""bm25"", really"\n',
        'qid\tquery\nq1\twireless networks\nq2\twhat is "bm25", really\n',
        "".join(json.dumps({"_id": key, "text": text, "metadata": {}}) + "\n" for key, text in TWO.items()),
        json.dumps([{"title": text, "query_id": key} for key, text in TWO.items()], indent=1),
        json.dumps(TWO),
        json.dumps({key: {"query": text} for key, text in TWO.items()}, indent=1),
        f"<topics>{''.join(f'<t id={key!r}><title>{text}</title></t>' for key, text in TWO.items())}</topics>",
        "".join(f"<top>\n<num>Number: {key}\n<title>{text}\n</top>\n" for key, text in TWO.items()),
    ],
)
def test_the_same_from_every_kind_of_file(write: Write, text: str) -> None:
    path = write(text)
    assert {name: topic.query for name, topic in read_topics(path).items()} == TWO
    Path(path).write_bytes(gzip.compress(text.encode()))
    assert {name: topic.query for name, topic in read_topics(Path(path)).items()} == TWO


def test_from_memory() -> None:
    import pandas as pd
    import polars as pl

    frame = {"qid": list(TWO), "query": list(TWO.values()), "length": [2, None]}
    for given in (TWO, {key: {"query": text, "note": ""} for key, text in TWO.items()}, read_topics(TWO)):
        assert {name: topic.query for name, topic in read_topics(given).items()} == TWO  # type: ignore[arg-type]
    for made in (pd.DataFrame(frame), pl.DataFrame(frame)):
        topics = read_topics(made)
        assert {name: topic.query for name, topic in topics.items()} == TWO
        assert "length" in topics["q1"].fields
        assert "length" not in topics["q2"].fields


def test_columns_and_keys_are_fields(write: Write) -> None:
    topics = read_topics(write("topic\tquery\tkind\n1\ta b\tshort\n2\tc\t\n"))
    assert topics["1"].fields == {"query": "a b", "kind": "short"}
    assert topics["2"].fields == {"query": "c"}
    more = '"metadata": {"level": 2, "deep": {"x": 1}}, "subtopics": ["b", {"number": 5, "text": "c"}]'
    assert read_topics(write(f'{{"qid": 7, "text": "a", {more}}}')) == {
        "7": TopicText("7", "a", {"text": "a", "metadata level": "2", "subtopic 1": "b", "subtopic 5": "c"})
    }


@pytest.fixture
def dataset(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path))
    monkeypatch.setenv("IR_DATASETS_DL_TRIES", "1")
    import ir_datasets
    from ir_datasets.datasets.base import Dataset
    from ir_datasets.formats import BaseQueries, TsvQueries
    from ir_datasets.util import Download, RequestsDownload

    class Queries(BaseQueries):  # type: ignore[misc]
        def queries_iter(self) -> Any:
            yield Query("1", "a title", "a description", (Subtopic("3", "a subtopic", "inf"),))

        def queries_cls(self) -> Any:
            return Query

    away = Download([RequestsDownload("http://127.0.0.1:9/queries.tsv")], tmp_path / "away.tsv")
    held = {"t/topics": Dataset(Queries()), "t/none": Dataset(), "t/far": Dataset(TsvQueries(away, lang="en"))}
    for name, one in held.items():
        monkeypatch.setitem(ir_datasets.registry._registered, name, one)


@pytest.mark.usefixtures("dataset")
def test_from_ir_datasets() -> None:
    fields = {"title": "a title", "description": "a description", "subtopic 3": "a subtopic"}
    assert read_topics("irds:t/topics") == {"1": TopicText("1", "a description", fields)}
    for name, said in {
        "t/none": "^irds:t/none: holds no topics$",
        "t/far": "^irds:t/far: ir_datasets cannot download or read it: ConnectionError: ",
        "t/topic": "ir_datasets has no data set 't/topic'; did you mean irds:t/topics",
    }.items():
        with pytest.raises(InputError, match=said):
            read_topics(f"irds:{name}")


@pytest.mark.parametrize(
    ("text", "code", "line", "said"),
    [
        ("", "empty", None, "holds no topics"),
        ("q1\ta\nq2\n", "fields", 2, "1 field, expected two: id and text, with a tab or a comma between them: 'q2'"),
        ("q1 wireless networks\n", "fields", 1, "1 field, expected two: id and text"),
        ("qid,query\n1,a,b\n", "fields", 2, "3 fields, expected 2: qid, query: '1 a b'"),
        ("q1\ta\nq1\tb\n", "duplicate", 2, "the topic 'q1' occurs twice: keep one of the two"),
        ('{"n": 3}\n', "layout", None, "the topic 'n' has neither"),
        ('{"_id": "1", "text": "a"}\n{"text": "b"}\n', "column", 2, "has no id of the topic (qid, "),
        ('{"_id": "1", "text": "a"}\n{"_id"\n', "json", 2, "is not JSON"),
        ('{"_id": "1", "text": "a"}\n[1]\n', "layout", 2, "is not an object such as"),
        ("[1]", "layout", None, "topic 1: is not an object such as"),
        ("<top>\n<title> a\n</top>", "column", 1, "has no id of the topic (qid, "),
        ("\n<top>\n<num> Number:\n<title> a\n</top>", "id", 2, "nothing behind <num>"),
        ("<topics>\n<topic number='1'>\n</topics>", "layout", 3, "is not XML: mismatched tag"),
        ("<a><b><query>a</query></b></a>", "column", None, "topic 1: has no id of the topic"),
        ("<a><b number=''><query>a</query></b></a>", "id", None, "topic 1: the topic's 'number' is empty"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><x/>', "layout", None, "declares entities, which are not expanded"),
    ],
)
def test_what_holds_no_topics(write: Write, text: str, code: str, line: int | None, said: str) -> None:
    with pytest.raises(InputError) as refused:
        read_topics(path := write(text))
    assert (refused.value.code, refused.value.line) == (code, line)
    assert said in str(refused.value)
    assert str(refused.value).startswith(path)


def test_what_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_bytes(b"q1\ta\nq2\t\xff\n")
    with pytest.raises(InputError, match=r"topics:2: the line is not valid UTF-8; convert the file"):
        read_topics(path)
    path.write_bytes("q1\ta\n".encode("utf-16"))
    with pytest.raises(InputError, match=r"the file is UTF-16, not UTF-8 text; convert it"):
        read_topics(path)
    with pytest.raises(InputError, match="no such file; did you mean "):
        read_topics(tmp_path / "topic")
    with pytest.raises(UsageError, match=r"^int holds no topics: give a file, irds:ID, a dict or a data frame$"):
        read_topics(3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^the text of topic 'a' is of type int: give text, or a dict$"):
        read_topics({"a": 3})  # type: ignore[dict-item]


def test_zeros_before_a_number() -> None:
    """TREC's first topics are numbered 051 and judged as 51."""
    texts = read_topics({"051": "a", "52": "b", "7": "c", "07": "d", "q01": "e"})
    topics = ["51", "52", "7", "007", "q1", "099"]
    qrels = {topic: {"d": 1, "e": 0} for topic in topics}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cranfield.CranfieldWarning)  # of what a page on one system does not show
        page = cranfield.report({topic: {"d": 1.0, "e": 0.5} for topic in topics}, qrels, topics=texts).html
    names = full_names(data_of(page)["topics"])
    assert {names[int(number)]: text for number, text in packed(page)["texts"].items()} == {
        "51": ["a"],
        "52": ["b"],
        "7": ["c"],
    }


def test_public_names() -> None:
    assert cranfield.io.read_topics is read_topics
    assert cranfield.collection.TopicText is TopicText
