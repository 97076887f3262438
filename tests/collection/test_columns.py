"""Columns by their names: what each tool calls them, what could be two things, and what a caller says."""

from __future__ import annotations

import re

import pytest

from cranfield import InputError, UsageError
from cranfield.collection.column_names import NAMES, WANTED, find, holds, resolve


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["query_id", "doc_id", "score"], ("query_id", "doc_id", "score")),
        (["qid", "docid", "docno", "rank", "score", "query"], ("qid", "docno", "score")),
        (["query", "docid", "score"], ("query", "docid", "score")),
        (["q_id", "doc_id", "score"], ("q_id", "doc_id", "score")),
        (["query-id", "corpus-id", "score"], ("query-id", "corpus-id", "score")),
        (["query_id", "item_id", "rating"], ("query_id", "item_id", "rating")),
        (["user_id", "item_id", "rank", "score"], ("user_id", "item_id", "score")),
        (["userID", "itemID", "prediction"], ("userID", "itemID", "prediction")),
        (["topic", "document", "similarity"], ("topic", "document", "similarity")),
        (["qid", "doc_id", "document", "label", "score"], ("qid", "doc_id", "score")),
    ],
)
def test_a_run_of_each_tool(names: list[str], found: tuple[str, ...]) -> None:
    expected = dict(zip(("topic", "document", "score"), found, strict=True))
    assert resolve(names, "score") == expected | ({"rank": "rank"} if "rank" in names else {})


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["query_id", "doc_id", "relevance", "iteration"], ("query_id", "doc_id", "relevance", "iteration")),
        (["query_id", "doc_id", "relevance", "subtopic_id"], ("query_id", "doc_id", "relevance", "subtopic_id")),
        (["qid", "docno", "label"], ("qid", "docno", "label")),
        (["qid", "docno", "label", "score"], ("qid", "docno", "label")),
        (["query-id", "corpus-id", "score"], ("query-id", "corpus-id", "score")),
        (["q_id", "doc_id", "score"], ("q_id", "doc_id", "score")),
    ],
)
def test_judgments_of_each_tool(names: list[str], found: tuple[str, ...]) -> None:
    assert tuple(resolve(names, "label").values()) == found


def test_scores_are_labels_by_the_names_of_beir_alone() -> None:
    with pytest.raises(InputError, match=re.escape("the frame has no column label (label, relevance, rel); say")):
        resolve(["qid", "docno", "score"], "label")
    assert not holds(["qid", "docno", "score"], "label")
    assert resolve(["qid", "docno", "score"], "label", {"label": "score"})["label"] == "score"


@pytest.mark.parametrize("kind", WANTED)
def test_each_name_is_found_alone(kind: str) -> None:
    required, optional = WANTED[kind]
    plain = {role: NAMES[role][0] for role in required}
    for role in (*required, *optional):
        for name in NAMES[role]:
            columns = plain | {role: name}
            if (role, name) == ("label", "score"):
                columns |= {"topic": "query-id", "document": "corpus-id"}
            assert resolve(["other", *columns.values()], kind) == columns


def test_what_could_be_two_things_is_refused() -> None:
    with pytest.raises(InputError) as refused:
        resolve(["user_id", "item_id", "rating", "prediction"], "score", owner="a.parquet")
    said = "the columns 'rating' and 'prediction' of a.parquet could each be the score; say which it is"
    assert str(refused.value) == f"{said}: columns={{'score': ...}}"
    assert refused.value.code == "column"
    assert holds(["rating", "prediction"], "score")
    given = {"score": "prediction", "label": "rating"}
    assert resolve(["user_id", "item_id", "rating", "prediction"], "score", given)["score"] == "prediction"
    assert resolve(["user_id", "item_id", "rating", "prediction"], "label", given)["label"] == "rating"


def test_a_column_given_for_one_thing_is_not_taken_for_another() -> None:
    assert resolve(["qid", "query", "docno", "score"], "score", {"topic": "query", "document": "qid"}) == {
        "topic": "query",
        "document": "qid",
        "score": "score",
    }
    assert find(["qid", "query_id"], "topic", {"document": "qid"}) == "query_id"


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"topic": "user"}, InputError, "the frame has no column 'user', which is to be the topic; its columns are"),
        ({"topics": "qid"}, UsageError, "columns has no 'topics'; what can be named is topic, document, score"),
        ({"topic": 0}, UsageError, "columns['topic']=0 should be the name of a column"),
        ({"topic": "qid", "document": "qid"}, UsageError, "columns names 'qid' twice; a column is one thing"),
        ("topic", UsageError, "columns='topic' should be a dict such as"),
    ],
)
def test_what_a_caller_says_wrongly_is_named(given: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match="^" + re.escape(message)):
        resolve(["qid", "docno", "score"], "score", given)  # type: ignore[arg-type]
