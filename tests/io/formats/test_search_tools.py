"""Judgments and results of search tools give what they hold; other shapes are refused with their place."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield import CranfieldWarning, InputError

LABELS = {"red lamp": {"p1": 3, "p2": 0}, "hose": {"p3": 1}}
OPENSEARCH = {
    "name": "shop",
    "type": "IMPORT_JUDGMENT",
    "judgmentRatings": [
        {"query": topic, "ratings": [{"docId": doc, "rating": f"{label}.0"} for doc, label in pool.items()]}
        for topic, pool in LABELS.items()
    ],
}
RRE = {
    "index": "shop",
    "topics": [
        {
            "description": "all",
            "query_groups": [
                {"name": topic, "queries": [], "relevant_documents": {doc: {"gain": x} for doc, x in pool.items()}}
                for topic, pool in LABELS.items()
            ],
        }
    ],
}
BY_GRADE = {
    "query_groups": [
        {"name": "red lamp", "relevant_documents": {"3": ["p1"], "0": ["p2"]}},
        {"queries": [{"placeholders": {"$query": "hose"}}], "relevant_documents": [{"p3": {"gain": 1}}]},
    ]
}
CASE = {
    "case_name": "shop",
    "queries": [
        {
            "query_text": topic,
            "ratings": [{"doc_id": doc, "rating": label} for doc, label in pool.items()]
            + [{"doc_id": "p8", "rating": None}],
        }
        for topic, pool in LABELS.items()
    ],
}
CASE_BY_DOCUMENT = {"queries": [{"query_text": topic, "ratings": pool} for topic, pool in LABELS.items()]}
REQUEST = {
    "requests": [
        {
            "id": topic,
            "request": {"query": {"match": {"title": topic}}},
            "ratings": [{"_index": "shop", "_id": doc, "rating": label} for doc, label in pool.items()],
        }
        for topic, pool in LABELS.items()
    ],
    "metric": {"dcg": {"k": 10}},
}
RESPONSE = {
    "metric_score": 0.5,
    "details": {
        "hose": {"hits": [{"hit": {"_index": "shop", "_id": "p4", "_score": 2.5}, "rating": None},
                          {"hit": {"_index": "shop", "_id": "p3", "_score": 2.0}, "rating": 1}]},
        "red lamp": {"hits": []},
    },
    "failures": {},
}  # fmt: skip
BASIC = "query,docid,rating\nred lamp,p1,3\nred lamp,p2,0\nred lamp,p9,\nhose,p3,1\nnothing found,,\n"


def book(*raters: str) -> dict[str, Any]:
    return {
        "name": "book",
        "query_doc_pairs": [
            {
                "query_text": topic,
                "doc_id": doc,
                "position": 1,
                "judgements": [
                    {"rating": float(label + at), "unrateable": False, "judge_later": False, "user_email": rater}
                    for at, rater in enumerate(raters)
                ],
            }
            for topic, pool in LABELS.items()
            for doc, label in pool.items()
        ],
    }


def written(folder: Path, content: Any, name: str = "file.json") -> str:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("opensearch", OPENSEARCH),
        ("opensearch", {"hits": {"total": 1, "hits": [{"_id": "x", "_source": OPENSEARCH}]}}),
        ("opensearch", {"_id": "x", "_source": OPENSEARCH}),
        ("rre", RRE),
        ("rre", BY_GRADE),
        ("quepid", CASE_BY_DOCUMENT),
        ("quepid", book("ann")),
        ("elasticsearch", REQUEST),
    ],
)
@pytest.mark.parametrize("asked", [False, True])
def test_judgments(tmp_path: Path, name: str, content: Any, asked: bool) -> None:
    path = written(tmp_path, content)
    assert cranfield.read_qrels(path, input_format=name if asked else "auto").to_dict() == LABELS


@pytest.mark.parametrize("content", [CASE, BASIC])
def test_documents_without_a_rating_are_not_judged(tmp_path: Path, content: Any) -> None:
    with pytest.warns(CranfieldWarning, match="without a rating left out: not judged"):
        assert cranfield.read_qrels(written(tmp_path, content)).to_dict() == LABELS


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("q,d,stars", {"topic": "q", "document": "d", "label": "stars"}),
        ("Query,DocID,Rating", {}),
        ("query\tdocid\trating", {}),
        ("qid,doc_id,label", {}),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_rows_without_a_rating_in_other_tables(
    tmp_path: Path, header: str, columns: dict[str, str], turned: bool
) -> None:
    table = list(csv.reader(io.StringIO(BASIC)))
    separator = "\t" if "\t" in header else ","
    table[0] = header.split(separator)
    lines = [[row[1], row[0], row[2], "more"] if turned else row for row in table]
    path = written(tmp_path, "".join(f"{separator.join(row)}\n" for row in lines), "mine.csv")
    for asked in ("auto", "quepid") if columns else ("auto",):
        with pytest.warns(CranfieldWarning, match="1 document without a rating"):
            assert cranfield.read_qrels(path, columns=columns, input_format=asked).to_dict() == LABELS


def test_a_column_that_is_named_and_not_there(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b,c\nx,y,1\n", "mine.csv")
    with pytest.raises(InputError, match="the file has no column 'q', which is to be the topic; its columns are 'a'"):
        cranfield.read_qrels(path, columns={"topic": "q", "document": "b", "label": "c"})


def test_raters_of_a_book_are_judges(tmp_path: Path) -> None:
    path = written(tmp_path, book("ann", "bo"), "book.json")
    agreement = cranfield.agreement.compare_labels([path])
    assert "book#bo" in str(agreement)
    assert "book#ann" in str(agreement.settings) + str(agreement)
    assert cranfield.read_qrels(f"{path}#bo").to_dict()["hose"] == {"p3": 2}
    assert cranfield.read_qrels(f"{path}#ann").to_dict() == LABELS
    for asked, message in (("", "holds 2 raters: ann, bo; name one, as in .*#ann"), ("#cy", "no rater 'cy', only ann")):
        with pytest.raises(InputError, match=message):
            cranfield.read_qrels(path + asked)


def test_hits_are_a_run(tmp_path: Path) -> None:
    path = written(tmp_path, RESPONSE)
    assert cranfield.read_run(path).to_dict() == {"hose": {"p4": 2.5, "p3": 2.0}}
    unsorted = json.loads(json.dumps(RESPONSE))
    unsorted["details"]["hose"]["hits"][1]["hit"]["_score"] = None
    with pytest.warns(CranfieldWarning, match="minus its rank"):
        assert cranfield.read_run(written(tmp_path, unsorted)).to_dict() == {"hose": {"p4": -1.0, "p3": -2.0}}
    with pytest.raises(InputError, match="is the response of _rank_eval, which is a run"):
        cranfield.read_qrels(path, input_format="elasticsearch")
    with pytest.raises(InputError, match="is the request of _rank_eval, which holds judgments"):
        cranfield.read_run(written(tmp_path, REQUEST))


def changed(content: Any, path: list[Any], value: Any) -> Any:
    """A copy in which one thing is another, or not there."""
    copy = json.loads(json.dumps(content))
    held = copy
    for key in path[:-1]:
        held = held[key]
    if value is None:
        del held[path[-1]]
    else:
        held[path[-1]] = value
    return copy


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (changed(OPENSEARCH, ["judgmentRatings"], {}), "'judgmentRatings' holds a object, expected a list"),
        (changed(OPENSEARCH, ["judgmentRatings", 1, "query"], None), "judgmentRatings 2: has no 'query', expected"),
        (
            changed(OPENSEARCH, ["judgmentRatings", 0, "ratings", 1, "docId"], None),
            "judgmentRatings 1: rating 2: has no 'docId'",
        ),
        (
            changed(OPENSEARCH, ["judgmentRatings", 0, "ratings", 0, "rating"], "high"),
            "judgmentRatings 1: rating 1.*'high' is not a",
        ),
        (changed(OPENSEARCH, ["judgmentRatings", 0, "ratings", 0, "rating"], 10**400), "judgmentRatings 1: rating 1"),
        (changed(OPENSEARCH, ["judgmentRatings", 0, "ratings", 0], 3), "rating 1: is a number, expected an object"),
        (changed(RRE, ["topics", 0, "query_groups", 0], {"name": "x"}), "query group 'x': has no 'relevant_documents'"),
        (
            changed(RRE, ["topics", 0, "query_groups", 0, "relevant_documents"], 3),
            "query group 'red lamp': 'relevant_documents' holds a number",
        ),
        (
            changed(RRE, ["topics", 0, "query_groups", 0, "relevant_documents", "p1"], {}),
            "relevant_documents 'p1': has no 'gain'",
        ),
        (changed(CASE, ["queries", 1, "ratings"], None), "query 2: has no 'ratings'"),
        (changed(CASE, ["queries", 1, "ratings"], []), ""),
        (changed(book("ann"), ["query_doc_pairs", 2, "judgements"], None), "query_doc_pair 3: has no 'judgements'"),
        (changed(book("ann"), ["query_doc_pairs"], []), "holds 0 raters: none: rate some pairs"),
        (changed(REQUEST, ["requests", 1, "id"], None), "request 2: has no 'id'"),
        (changed(REQUEST, ["requests", 1, "ratings", 0, "rating"], [1]), "request 2: rating 1"),
        ("query,docid,rating\nq,d,\n", "no row has a rating"),
        ("query,docid,rating\nq,d\n", "file.json:2: 2 fields, expected 3"),
        ("query,docid,rating\nq,d,good\n", "file.json:2.*'good'"),
        ("query,docid,rating\nq,d,1\nq,d,2\n", "another label in"),
    ],
)
def test_other_shapes_are_refused_with_their_place(tmp_path: Path, content: Any, message: str) -> None:
    path = written(tmp_path, content)
    if not message:
        with pytest.warns(CranfieldWarning):
            assert cranfield.read_qrels(path).to_dict() == {"red lamp": LABELS["red lamp"]}
        return
    with pytest.raises(InputError, match=message) as refused:
        cranfield.read_qrels(path)
    assert refused.value.path == path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (changed(RESPONSE, ["details"], 3), "'details' holds a number"),
        (changed(RESPONSE, ["details", "hose", "hits"], {}), "details 'hose': 'hits' holds a object"),
        (changed(RESPONSE, ["details", "hose", "hits", 0, "hit"], None), "details 'hose': hit 1: has no 'hit'"),
        (changed(RESPONSE, ["details", "hose", "hits", 1, "hit", "_id"], None), "hit 2: has no '_id'"),
        (changed(RESPONSE, ["details", "hose", "hits", 1, "hit", "_id"], "p4"), "document 'p4' occurs twice"),
    ],
)
def test_other_responses_are_refused_with_their_place(tmp_path: Path, content: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        cranfield.read_run(written(tmp_path, content), input_format="elasticsearch")
