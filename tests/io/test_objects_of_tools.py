"""Objects of other tools in memory, of their real packages: each is the run, or the judgments, that it holds."""

from __future__ import annotations

from typing import Any

import datasets
import duckdb
import ir_datasets.formats as irds
import nanoarrow
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import cranfield
from cranfield import InputError, Qrels, Run, UsageError, evaluate_means
from cranfield.engine import Engine

QRELS = {"q1": {"d1": 0, "d2": 2}, "q2": {"d1": 1}}
RUN = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"a document of a longer name": 0.5, "d1": 0.25}}
ROWS = [(topic, document, score) for topic, row in RUN.items() for document, score in row.items()]
LABELS = [(topic, document, label) for topic, row in QRELS.items() for document, label in row.items()]


def columns(rows: list[tuple[Any, ...]], names: str) -> dict[str, list[Any]]:
    return dict(zip(names.split(), map(list, zip(*rows, strict=True)), strict=True))


BEIR = columns(ROWS, "query-id corpus-id score")
TABLE = pa.table(BEIR)
FRAMES = {
    "table": TABLE,
    "batch": TABLE.to_batches()[0],
    "reader": TABLE.to_reader(),
    "slices": pa.concat_tables([TABLE.slice(0, 1), TABLE.slice(1, 0), TABLE.slice(1)]),
    "polars": pl.DataFrame(BEIR),
    "lazy": pl.LazyFrame(BEIR),
    "categories": pl.DataFrame(BEIR).with_columns(pl.col("query-id").cast(pl.Categorical)),
    "pandas": pd.DataFrame(BEIR),
    "pandas with Arrow": pd.DataFrame(BEIR).convert_dtypes(dtype_backend="pyarrow"),
    "pandas with categories": pd.DataFrame(BEIR).astype({"query-id": "category"}),
    "duckdb": duckdb.connect().from_arrow(TABLE),
    "decimals": TABLE.set_column(2, "score", TABLE["score"].cast(pa.decimal128(10, 2))),
    "nanoarrow": nanoarrow.Array(TABLE.to_batches()[0]),
    "nanoarrow's stream": nanoarrow.ArrayStream(TABLE.to_reader()),
    "HuggingFace": datasets.Dataset.from_dict(BEIR),
    "HuggingFace, chosen": datasets.Dataset.from_dict({n: v + v for n, v in BEIR.items()}).select([4, 1, 2, 3]),
}


@pytest.mark.parametrize("name", [name for name in FRAMES if name not in ("reader", "nanoarrow's stream")])
def test_each_frame_is_the_same_run(each_engine: Engine, name: str) -> None:
    assert Run.from_frame(FRAMES[name]).to_dict() == RUN
    assert evaluate_means(FRAMES[name], QRELS, "AP") == evaluate_means(RUN, QRELS, "AP")


@pytest.mark.parametrize("make", [TABLE.to_reader, lambda: nanoarrow.ArrayStream(TABLE.to_reader())])
def test_a_stream_is_read_once(each_engine: Engine, make: Any) -> None:
    assert evaluate_means(make(), QRELS, "AP") == evaluate_means(RUN, QRELS, "AP")


@pytest.mark.parametrize("library", [pa.table, pl.DataFrame, pd.DataFrame, datasets.Dataset.from_dict])
def test_judgments_by_the_names_of_beir(each_engine: Engine, library: Any) -> None:
    given = library(columns(LABELS, "query-id corpus-id score"))
    assert Qrels.from_frame(given) == Qrels.from_dict(QRELS)
    assert evaluate_means(RUN, given, "AP") == evaluate_means(RUN, QRELS, "AP")


def test_intents_of_a_frame(each_engine: Engine) -> None:
    rows = [(topic, document, label, "1") for topic, document, label in LABELS]
    rows += [(topic, document, label, "2") for topic, document, label in LABELS]
    found = Qrels.from_frame(pa.table(columns(rows, "qid docno label subtopic_id")), by_intent=True)
    assert found.iterations == ("1", "2")
    found = Qrels.from_frame(pa.table(columns([(*row, "Q0") for row in LABELS], "qid docno label iteration")))
    assert (found.iterations, found.intents) == (("Q0",), None)


def test_a_data_set_of_several_splits_is_refused() -> None:
    with pytest.raises(UsageError, match="a DatasetDict is not a frame: give one of its splits"):
        evaluate_means(datasets.DatasetDict({"test": FRAMES["HuggingFace"]}), QRELS, "AP")


def test_named_columns_are_taken(each_engine: Engine) -> None:
    frame = pa.table(columns(ROWS, "who what rating")).append_column("score", pa.array([0.0] * len(ROWS)))
    with pytest.raises(InputError, match="no column topic"):
        Run.from_frame(frame)
    given = {"topic": "who", "document": "what", "score": "rating"}
    assert Run.from_frame(frame, columns=given).to_dict() == RUN
    labels = pa.table(columns(LABELS, "who what rating"))
    assert Qrels.from_frame(labels, columns={**given, "label": "rating"}) == Qrels.from_dict(QRELS)


def test_a_column_that_holds_no_ids_is_named(each_engine: Engine) -> None:
    times = TABLE.set_column(0, "qid", pa.array(range(len(ROWS)), pa.timestamp("s")))
    with pytest.raises(
        InputError, match=r"^column 'qid' is of the Arrow type 'tss:', which holds neither ids nor numbers"
    ):
        Run.from_frame(times)
    nulls = pa.table({"qid": ["q", None], "docno": ["a", "b"], "score": [1.0, 2.0]})
    for frame in (
        nulls,
        pl.from_arrow(nulls),
        nanoarrow.Array(nulls.to_batches()[0]),
        duckdb.connect().from_arrow(nulls),
    ):
        with pytest.raises(InputError, match=r"^run, row 2, column 'qid': the topic id None is a NoneType"):
            Run.from_frame(frame)
    with pytest.raises(InputError, match="a single column; give a table"):
        Run.from_frame(pl.Series(["a"]))


def test_tuples_and_iterators_of_ir_datasets(each_engine: Engine) -> None:
    docs = (irds.GenericScoredDoc(*row) for row in ROWS)
    labels = (irds.TrecQrel(*row, "0") for row in LABELS)
    assert evaluate_means(docs, labels, "AP") == evaluate_means(RUN, QRELS, "AP")
    made = Qrels.from_rows(irds.TrecSubQrel(*row, "7") for row in LABELS)
    assert made.iterations == ("7",)
    with pytest.raises(InputError, match="sample with inclusion probabilities") as sampled:
        Qrels.from_rows([irds.TrecPrel("q1", "d1", 1, "1", 0.5)])
    assert sampled.value.code == "sampled"


def test_runs_and_qrels_of_ranx(each_engine: Engine) -> None:
    import ranx

    run, qrels = ranx.Run(RUN, name="bm25"), ranx.Qrels(QRELS)
    expected = evaluate_means(RUN, QRELS, "AP")["run"]
    assert evaluate_means(run, qrels, "AP") == {"bm25": expected}
    assert evaluate_means([run, RUN], qrels, "AP") == {"bm25": expected, "run2": expected}
    assert evaluate_means({"mine": run}, qrels, "AP") == {"mine": expected}
    with pytest.raises(UsageError, match="a Qrels of ranx is given as a run"):
        cranfield.evaluate(qrels, run, "AP")
