"""``cranfield diff``: what is printed of two runs, in every format, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pytest
from command import cranfield, printed

import cranfield as package


@pytest.fixture(autouse=True)
def collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("1 0 a 2\n1 0 b 1\n1 0 c 0\n2 0 a 1\n3 0 c 1\n")
    (tmp_path / "old.run").write_text(
        "1 Q0 a 1 9 x\n1 Q0 b 2 8 x\n1 Q0 c 3 7 x\n2 Q0 b 1 9 x\n2 Q0 a 2 8 x\n3 Q0 c 1 1 x\n"
    )
    (tmp_path / "new.run").write_text(
        "1 Q0 z 1 9 y\n1 Q0 a 2 8 y\n1 Q0 c 3 7 y\n2 Q0 a 1 9 y\n2 Q0 b 2 8 y\n3 Q0 c 1 1 y\n"
    )
    (tmp_path / "topics.tsv").write_text("1\twhat comes\n2\twhat goes\n")
    return tmp_path


def diff(*arguments: str) -> str:
    return printed("diff", "qrels.txt", "old.run", "new.run", *arguments)


def test_a_table() -> None:
    """DCG@2 of topic 1 goes from 2 + 1 / log2(3) to 2 / log2(3)."""
    assert diff("-m", "DCG@2", "--topics", "topics.tsv") == (
        "topic   query           old      new   difference   came   went   moved   unjudged      new if judged\n"
        "─────────────────────────────────────────────────────────────────────────────────────────────────────\n"
        "1       what comes   2.6309   1.2619      -1.3691      1      1       1          1   1.2619 to 3.2619\n"
        "2       what goes    0.6309   1.0000      +0.3691      0      0       2          0\n"
        "\n"
        "topic 1 (what comes): 2.6309 to 1.2619, -1.3691\n"
        "document   change      label   rank old   rank new     share\n"
        "────────────────────────────────────────────────────────────\n"
        "a          moved           2          1          2   -0.7381\n"
        "b          went            1          2          -   -0.6309\n"
        "z          came     unjudged          -          1   +0.0000\n"
        "\n"
        "topic 2 (what goes): 0.6309 to 1.0000, +0.3691\n"
        "document   change      label   rank old   rank new     share\n"
        "────────────────────────────────────────────────────────────\n"
        "a          moved           1          2          1   +0.3691\n"
        "b          moved    unjudged          1          2   +0.0000\n"
        "\n"
        "DCG@2 over all topics, old old, new new: 1.4206 to 1.0873, -0.3333; 1 topic better, 1 worse\n"
        "shares of a topic's documents add up to its difference\n"
        "unjudged: documents that came without a judgment; new if judged: the range of new over all labels that "
        "they could have\n"
    )


def test_one_topic_of_a_measure_that_is_no_sum() -> None:
    text = diff("-m", "AP", "--topic", "1")
    lines = text.splitlines()
    assert lines[4] == "topic 1: 1.0000 to 0.2500, -0.7500"
    assert " ".join(lines[5].split()) == "document change label rank old rank new share new without old with"
    assert "AP is not a sum over documents, so shares need not add up to the difference" in text
    assert "topics better" not in text
    assert diff("-m", "AP", "--topic", "3") == "no document of topic 3 came, went or moved: old old, new new\n"


def test_details_and_summary() -> None:
    assert "topic 1:" not in diff("--by-topic")
    assert "topic 1:" not in diff("--details", "0")
    assert "add up" not in diff("--details", "0")
    assert "topic 2:" in diff("--details", "1")


@pytest.mark.parametrize("format_", ["tsv", "csv"])
def test_lines_for_programs(format_: str) -> None:
    between = "\t" if format_ == "tsv" else ","
    found = package.diff("old.run", "new.run", "qrels.txt", "nDCG@2")
    for table, more in (("documents", ()), ("topics", ("--by-topic",))):
        read = [*csv.reader(io.StringIO(diff("-m", "nDCG@2", "-f", format_, *more)), delimiter=between)]
        wanted = found.to_frame(table)
        assert read[0] == list(wanted.columns)
        assert [row[0] for row in read[1:]] == wanted["topic"].tolist()
        last = "share" if table == "documents" else "difference"
        assert [float(row[read[0].index(last)]) for row in read[1:]] == wanted[last].tolist()


def test_json_has_the_rows_and_the_signature() -> None:
    found = package.diff("old.run", "new.run", "qrels.txt")
    read = json.loads(diff("-f", "json"))
    assert read["signature"] == json.loads(json.dumps(found.signature))
    assert read["rows"] == json.loads(found.to_json())["tables"]["documents"]
    assert [row["topic"] for row in json.loads(diff("-f", "json", "--by-topic"))["rows"]] == ["1", "2"]


def test_systems_by_their_tags() -> None:
    assert "nDCG@10 over all topics, old x, new y: " in diff("--names", "tag")


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("-m", "AP", "-m", "RR"), 2, "this command takes one measure at a time: give -m once"),
        (("-m", "AP,RR"), 2, "diff explains one measure at a time, and was given 2"),
        (("--topic", "11"), 2, "no judged topic is called '11'; did you mean '1'?"),
        (("--details", "2", "-f", "tsv"), 2, "--details changes nothing in tsv: it is answered below a table"),
        (("--ties", "bounds"), 2, "diff needs the documents in one order, which --ties bounds leaves open"),
        (("--topics", "topic.tsv"), 1, "topic.tsv: no such file; did you mean topics.tsv?"),
        (("-o", "old.run"), 1, "old.run: cannot be written: this command reads it; name another file"),
        (("-o", "topics.tsv", "--topics", "topics.tsv"), 1, "this command reads it"),
    ],
    ids=str,
)
def test_what_is_refused(arguments: tuple[str, ...], status: int, said: str) -> None:
    ended = cranfield("diff", "qrels.txt", "old.run", "new.run", *arguments)
    assert (ended.status, ended.out) == (status, "")
    assert said in ended.err


def test_several_runs_in_place_of_one() -> None:
    ended = cranfield("diff", "qrels.txt", "old.run", "*.run")
    assert (ended.status, ended.out) == (2, "")
    assert "diff compares two runs, and the new one is several: name one of them" in ended.err


def test_the_same_run_twice() -> None:
    assert printed("diff", "qrels.txt", "old.run", "./old.run") == (
        "no document came, went or moved: old old, new new\n"
    )


def test_runs_and_judgments_exchanged() -> None:
    ended = cranfield("diff", "old.run", "qrels.txt", "new.run")
    assert ended.status == 1
    assert "is this a run? On the command line the qrels come first" in ended.err


def test_markdown_for_a_comment_on_a_change() -> None:
    """The answer first, then what the table has, with a heading for each topic."""
    text = diff("-m", "DCG@2", "--topics", "topics.tsv", "-f", "markdown")
    assert text.startswith(
        "DCG@2 over all topics, old old, new new: 1.4206 to 1.0873, -0.3333; 1 topic better, 1 worse\n\n"
        "| topic | query | old | new | difference | came | went | moved | unjudged | new if judged |\n"
    )
    assert "### topic 1 (what comes): 2.6309 to 1.2619, -1.3691\n\n| document | change | label |" in text
    assert "| z | came | unjudged | - | 1 | +0.0000 |\n" in text
    assert "###" not in diff("--by-topic", "-f", "markdown")
    assert "###" not in diff("--details", "0", "-f", "markdown")
    same = printed("diff", "qrels.txt", "old.run", "./old.run", "-f", "markdown")
    assert same.endswith("\n\nNo document came, went or moved.\n")


TEXTS = {
    "lines": "a\tone\nz\ttwo  words\nunseen\tthree\n",
    "named": "docno,title,text\na,one,\nz,two,words\n",
    "beir": '{"_id": "a", "text": "one"}\n{"_id": "z", "title": "two", "text": "words"}\n',
    "list": '[{"docid": "a", "text": "one"}, {"docid": "z", "text": "two words"}]',
    "object": '{"a": "one", "z": {"title": "two", "text": "words"}}',
    "trec": "<DOC><DOCNO> a </DOCNO><TEXT>one</TEXT></DOC>\n<doc>\n<docno>z</docno>two <b>words</b></doc>\n",
}


@pytest.mark.parametrize("layout", TEXTS)
def test_texts_of_documents(layout: str) -> None:
    Path("texts").write_text(TEXTS[layout])
    rows = json.loads(diff("-m", "DCG@2", "--document-texts", "texts", "-f", "json"))["rows"]
    assert {row["document"]: row["text"] for row in rows} == {"a": "one", "b": "", "z": "two words"}
    assert "| two words |" in diff("-m", "DCG@2", "--document-texts", "texts", "-f", "markdown")


def test_texts_in_memory_and_those_of_other_documents() -> None:
    sources = ({"a": "one"}, pd.DataFrame({"docid": ["a"], "text": ["one"]}))
    for texts in sources:
        documents = package.diff("old.run", "new.run", "qrels.txt", document_texts=texts).documents
        assert set(documents.query("document == 'a'")["text"]) == {"one"}
    with pytest.warns(package.CranfieldWarning, match="none of the documents that changed has a text"):
        package.diff("old.run", "new.run", "qrels.txt", document_texts={"other": "one"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\n", "texts:1: 1 field, expected id and text, with a tab or a comma between: 'a'"),
        ("docid\ttext\na\n", "texts:2: 1 field, expected 2: docid, text: 'a'"),
        ('{"name": "a"}\n{"name": "b"}\n', "texts:1: has no id of the document (docno, "),
        ("<a/>", "texts: holds no <DOC> with a <DOCNO>"),
        ("[1]", "texts: document 1: is not an object such as"),
    ],
)
def test_texts_that_are_refused(text: str, said: str) -> None:
    Path("texts").write_text(text)
    ended = cranfield("diff", "qrels.txt", "old.run", "new.run", "--document-texts", "texts")
    assert said in ended.err
