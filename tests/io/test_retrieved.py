"""What retrievers and search engines return is read as a run: by its shape, in memory and in files."""

from __future__ import annotations

import json
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cranfield
from cranfield import InputError, Qrels, UsageError

SCORES = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.1}, "q2": {"d3": 0.7, "d1": 0.2}}
QRELS = {"q1": {"d2": 1}, "q2": {"d3": 1}}
EXPECTED = {"q1": 0.5, "q2": 1.0}
Node = namedtuple("Node", "node_id metadata")


def document(name: str, own: str | None = None, **metadata: str) -> Any:
    """A document as LangChain has it."""
    return SimpleNamespace(page_content="text", id=own, metadata={"id": name, **metadata})


def lists(make: Any) -> dict[str, list[Any]]:
    return {topic: [make(name, score) for name, score in row.items()] for topic, row in SCORES.items()}


class Hits(list[Any]):
    """The hits of a response of Elasticsearch's language of queries, which holds the raw ones too."""

    def __init__(self, raw: list[dict[str, Any]]) -> None:
        fields = {"id": "a field", "score": 7}  # of the document, and none of these
        super().__init__(
            SimpleNamespace(meta=SimpleNamespace(id=hit["_id"], score=hit["_score"]), **fields) for hit in raw
        )
        self.hits = raw


def queried(response: dict[str, Any]) -> Any:
    return SimpleNamespace(hits=Hits(response["hits"]["hits"]), to_dict=lambda: response)


def rows(**columns: Any) -> list[dict[str, Any]]:
    return [{name: make(topic, row) for name, make in columns.items()} for topic, row in SCORES.items()]


def candidates() -> list[dict[str, Any]]:
    return rows(
        query=lambda topic, row: {"qid": topic, "text": "words"},
        candidates=lambda topic, row: [
            {"docid": name, "score": score, "doc": {"title": "x"}} for name, score in row.items()
        ],
    )


LISTED = rows(qid=lambda topic, _: topic, docids=lambda _, row: [*row], scores=lambda _, row: [*row.values()])
JSON: dict[str, Any] = {
    "dicts": lists(lambda name, score: {"id": name, "score": score}),
    "hits": lists(lambda name, score: {"_id": name, "_score": score, "_source": {}}),
    "responses": {
        topic: {
            "took": 3,
            "hits": {"total": 2, "hits": [{"_id": name, "_score": score} for name, score in row.items()]},
        }
        for topic, row in SCORES.items()
    },
    "documents": lists(lambda name, _: {"page_content": "text", "metadata": {"doc_id": name}}),
    "candidates": candidates(),
    "ragas": rows(user_input=lambda topic, _: topic, retrieved_context_ids=lambda _, row: [*row]),
    "listed": LISTED,
    "named": [{"topic_id": t, "document_id": d, "score": s} for t, row in SCORES.items() for d, s in row.items()],
}
OBJECTS: dict[str, Any] = {
    "LangChain": lists(lambda name, _: document(name)),
    "LangChain with scores": lists(lambda name, score: (document(name), score)),
    "LlamaIndex": lists(lambda name, score: SimpleNamespace(node=Node(name, {}), score=score)),
    "LlamaIndex by metadata": lists(lambda name, s: SimpleNamespace(node=Node(name, {"doc_id": name}), score=s)),
    "RankLLM": [
        SimpleNamespace(
            query=SimpleNamespace(qid=one["query"]["qid"], text=""),
            candidates=[SimpleNamespace(**candidate) for candidate in one["candidates"]],
        )
        for one in candidates()
    ],
    "Elasticsearch": {topic: SimpleNamespace(body=one) for topic, one in JSON["responses"].items()},
    "Elasticsearch's inner hits": {topic: one["hits"] for topic, one in JSON["responses"].items()},
    "Elasticsearch's DSL": {topic: queried(one) for topic, one in JSON["responses"].items()},
    "hits of its DSL": {topic: list(queried(one).hits) for topic, one in JSON["responses"].items()},
    "scores of NumPy": lists(lambda name, score: {"id": name, "score": np.float32(score)}),
    "ragas": SimpleNamespace(samples=[SimpleNamespace(**one) for one in JSON["ragas"]]),
    "pandas": pd.DataFrame(LISTED),
    "pandas of Parquet": pa.Table.from_pylist(LISTED).to_pandas(),
    "Polars": pl.DataFrame(LISTED),
    "Arrow": pa.Table.from_pylist(LISTED),
    "Arrow by id": pa.Table.from_pylist(LISTED).rename_columns(["qid", "docno", "scores"]),
}


def reciprocal_ranks(runs: Any, qrels: Any = QRELS) -> dict[Any, float]:
    return cranfield.evaluate(runs, qrels, "RR")["RR"].squeeze("system", drop=True).to_series().to_dict()


@pytest.mark.parametrize("name", [*JSON, *OBJECTS])
def test_objects_are_runs(name: str) -> None:
    value = {**JSON, **OBJECTS}[name]
    assert reciprocal_ranks(value) == EXPECTED
    assert reciprocal_ranks({"mine": value}) == EXPECTED


@pytest.mark.parametrize("name", JSON)
@pytest.mark.parametrize("as_lines", [False, True])
def test_files_of_them_are_runs(name: str, as_lines: bool, tmp_path: Path) -> None:
    value, path = JSON[name], tmp_path / "mine.json"
    if as_lines and not isinstance(value, list):
        pytest.skip("one object has no lines")
    path.write_text("".join(json.dumps(one) + "\n" for one in value) if as_lines else json.dumps(value, indent=1))
    assert reciprocal_ranks(path) == EXPECTED
    assert cranfield.read_run(path).name == "mine"


def test_parquet_with_lists_is_a_run(tmp_path: Path) -> None:
    for number, value in enumerate((LISTED, JSON["ragas"], JSON["candidates"])):
        path = tmp_path / f"{number}.parquet"
        pq.write_table(pa.Table.from_pylist(value), path)
        assert reciprocal_ranks(path) == EXPECTED


def test_samples_of_ragas_are_judgments_too() -> None:
    samples = [
        {"user_input": t, "retrieved_context_ids": [*SCORES[t]], "reference_context_ids": [*QRELS[t]]} for t in SCORES
    ]
    assert reciprocal_ranks(samples, samples) == EXPECTED
    assert reciprocal_ranks(samples, pd.DataFrame(samples)) == EXPECTED
    graded = [{"qid": t, "docids": [*pool], "labels": [*pool.values()]} for t, pool in QRELS.items()]
    assert reciprocal_ranks(samples, graded) == EXPECTED


def test_a_folder_of_beir_holds_judgments(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    for name, document in (("test", "d2"), ("dev", "d1")):
        (tmp_path / "qrels" / f"{name}.tsv").write_text(f"query-id\tcorpus-id\tscore\nq1\t{document}\t1\n")
    with pytest.warns(UserWarning, match=r"the judgments are those of qrels/test\.tsv, and not of 'dev\.tsv'"):
        assert reciprocal_ranks({"q1": SCORES["q1"]}, tmp_path) == {"q1": 0.5}
    (tmp_path / "qrels" / "test.tsv").rename(tmp_path / "qrels" / "train.tsv")
    with pytest.raises(InputError, match=r"qrels/ holds 'dev\.tsv', 'train\.tsv': name one of these files"):
        cranfield.read_qrels(tmp_path)


def test_an_id_in_the_metadata_is_said_where_the_object_has_another() -> None:
    with pytest.warns(UserWarning, match=r"are those of their metadata, such as 'd1', and not their own, 'chunk-1'"):
        assert reciprocal_ranks({"q1": [document("d1", "chunk-1"), document("d2", "chunk-2")]}, {"q1": {"d2": 1}})


REFUSED: dict[str, tuple[Any, str]] = {
    "no id": (
        {"q1": [SimpleNamespace(page_content="x", id=None, metadata={"source": "a.pdf"})]},
        "topic 'q1', rank 1: a SimpleNamespace without the id of its document .*it has 'source': give {topic: ",
    ),
    "distances": ({"q1": [(document("d1"), 0.1), (document("d2"), 0.4)]}, "scores rise along every list"),
    "a distance": ({"q1": [{"id": "d1", "distance": 0.1}]}, "there is a distance and no score, and smaller ones"),
    "some scores": (
        {"q1": [{"id": "d1", "score": 1.0}, {"id": "d2"}]},
        "1 of 2 documents have a score, and rank 2 of topic 'q1' has none",
    ),
    "lengths": ([{"qid": "q1", "docids": ["d1", "d2"], "scores": [1.0]}], "lists 2 documents and not as many scores"),
    "twice": ([LISTED[0], LISTED[0]], "topic 'q1' has a list already"),
    "another row": ([LISTED[0], {"qid": "q2"}], "row 2: the row does not list the documents"),
    "no ids": (
        SimpleNamespace(samples=[SimpleNamespace(user_input="q1", retrieved_contexts=["text"])]),
        r"row 1: the row has a topic, and no list of ids .*\(retrieved_context_ids, .*its lists are 'retrieved_cont",
    ),
    "another list": ([{"topic_id": "q1", "references": ["d1"]}], "its lists are 'references': rename one of them"),
    "one response": (SimpleNamespace(body=JSON["responses"]["q1"]), r"without its topic: give \{topic: response\}"),
    "one response's hits": ({"hits": JSON["responses"]["q1"]["hits"]}, "a response without its topic"),
    "many responses": ({"took": 1, "responses": [*JSON["responses"].values()]}, r"topics, responses\['responses'\]"),
    "a list of responses": (
        [*OBJECTS["Elasticsearch"].values()],
        r"without their topics: give dict\(zip\(topics, results",
    ),
    "a list of lists": ([[document("d1")], [document("d2")]], "results without their topics"),
    "a list of documents": ([document("d1")], "documents without their topic"),
    "ids and distances": ({"ids": [["d1"], ["d2"]], "distances": [[0.1], [0.2]]}, r"zip\(topics, results\['ids'\]"),
    "an error": (
        {"q1": {"error": {"type": "index_not_found"}, "status": 404}, "q2": JSON["responses"]["q2"]},
        "topic 'q1': the response is an error, 'index_not_found'",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_say_what_was_found_and_what_to_do(name: str) -> None:
    value, said = REFUSED[name]
    with pytest.raises(InputError, match=said):
        reciprocal_ranks(value)


def test_other_objects_are_refused_with_a_line_that_makes_a_run() -> None:
    with pytest.raises(UsageError, match=r"object is not a run.*\{topic: \[\(hit\.id, hit\.score\) for hit in hits\]"):
        reciprocal_ranks({"q1": [object()]})
    with pytest.raises(UsageError, match=r"object is not qrels.*\{topic: \{id: 1 for id in ids\}"):
        reciprocal_ranks(SCORES, object())


@pytest.mark.parametrize("columns", [None, {"score": "distance"}])
def test_distances_are_not_taken_for_scores(columns: dict[str, str] | None, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("qid,docid,distance\nq1,d1,0.1\nq1,d2,0.4\n")
    for run in (path, pd.read_csv(path)):
        with pytest.raises(InputError, match=r"of distances smaller are nearer|of 'distance' smaller is nearer"):
            cranfield.evaluate(run, QRELS, "RR", columns=columns)


def test_runs_and_rows_are_what_they_were() -> None:
    record = [{"qid": "q1", "docno": "d1", "score": 1.0}, {"qid": "q1", "docno": "d2", "score": 2.0}]
    assert reciprocal_ranks({"mine": record}, {"q1": {"d2": 1}}) == {"q1": 1.0}
    topics = {"id": {"d1": 1.0, "d2": 2.0}, "score": {"d1": 1.0}}
    assert reciprocal_ranks([topics], {"id": {"d2": 1}, "score": {"d1": 1}}) == {"id": 1.0, "score": 1.0}
    assert Qrels.from_dict({"documents": {"d1": 1}}).to_dict() == {"documents": {"d1": 1.0}}
