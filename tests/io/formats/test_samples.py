"""Files that other tools write: every sample gives what it holds, told or asked for; bad ones are refused."""

from __future__ import annotations

import json

import pytest

import cranfield
from cranfield import CranfieldWarning, InputError
from cranfield.errors import FormatError
from data_sets import GOLDEN

FORMATS = GOLDEN / "formats"
RUNS = FORMATS / "runs"
EXPECTED = json.loads((RUNS / "expected.json").read_text())

pytestmark = pytest.mark.usefixtures("each_engine")

OF_RUNS = {
    "mteb/Tiny_predictions.json": "mteb",
    "mteb/TwoSubsets_predictions.json#en/test": "mteb",
    "mteb/nested.json": "json",
    "ranx/run.json": "json",
    "ranx/run.lz4": "cbor",
    "ranx/run.parquet": "parquet",
    "ranx/run.trec": "trec",
    **{f"frames/run.{tool}.csv": "csv" for tool in ("pyterrier", "ir_measures", "ranx", "huggingface", "trec")},
    **{f"frames/run.{tool}.parquet": "parquet" for tool in ("pyterrier", "ir_measures", "ranx", "huggingface", "trec")},
}
OF_QRELS = {
    "ranx/qrels.json": "json",
    "ranx/qrels.parquet": "parquet",
    "ranx/qrels.trec": "trec",
    "beir/qrels.test.tsv": "beir",
    "beir/qrels.crlf.tsv": "beir",
    "beir/qrels.text-score.jsonl": "jsonl",
    **{f"frames/qrels.{tool}.csv": "csv" for tool in ("pyterrier", "ir_measures", "ranx", "huggingface")},
    **{f"frames/qrels.{tool}.parquet": "parquet" for tool in ("pyterrier", "ir_measures", "ranx", "huggingface")},
}


@pytest.mark.parametrize("asked", [False, True], ids=["told", "asked"])
@pytest.mark.parametrize("name", OF_RUNS)
def test_runs(name: str, asked: bool) -> None:
    run = cranfield.read_run(RUNS / name, input_format=OF_RUNS[name] if asked else "auto")
    assert run.to_dict() == EXPECTED["run"]
    assert len(run.sha256) == 64


@pytest.mark.parametrize("asked", [False, True], ids=["told", "asked"])
@pytest.mark.parametrize("name", OF_QRELS)
def test_judgments(name: str, asked: bool) -> None:
    qrels = cranfield.read_qrels(RUNS / name, input_format=OF_QRELS[name] if asked else "auto")
    assert qrels.to_dict() == EXPECTED["qrels"]


def test_judgments_without_a_header_must_be_asked_for() -> None:
    path = RUNS / "beir/qrels.no-header.tsv"
    assert cranfield.read_qrels(path, input_format="beir").to_dict() == EXPECTED["qrels"]
    with pytest.raises(FormatError, match=r"no-header\.tsv:1: 3 fields, .* are read with input_format=beir$"):
        cranfield.read_qrels(path)


def test_judgments_without_labels_are_positive_and_it_is_said() -> None:
    with pytest.warns(CranfieldWarning, match="has no labels: each of the 4 documents listed has label 1"):
        qrels = cranfield.read_qrels(RUNS / "beir/qrels.no-score.tsv")
    positive = {topic: {d: 1 for d, label in row.items() if label > 0} for topic, row in EXPECTED["qrels"].items()}
    assert qrels.to_dict() == positive


def test_scores_are_labels_only_where_it_is_said() -> None:
    for ending in ("csv", "parquet"):
        path = RUNS / f"frames/qrels.trec.{ending}"
        assert cranfield.read_qrels(path, columns={"label": "score"}).to_dict() == EXPECTED["qrels"]
        with pytest.raises(InputError, match="has no column label") as refused:
            cranfield.read_qrels(path)
        assert (refused.value.code, refused.value.path) == ("column", str(path))


def test_numbers_are_ids_and_float32_is_kept() -> None:
    assert cranfield.read_run(RUNS / "frames/run.integer-ids.parquet").topics == ("1", "7")
    run = cranfield.read_run(RUNS / "frames/run.ranx-dictionary-float32.parquet").to_dict()
    assert run["007"]["dé"] == 9.999999747378752e-06


@pytest.mark.filterwarnings("ignore:.*judged topic empty missing")
def test_sentence_transformers_ties_are_told() -> None:
    (path,) = (RUNS / "sentence-transformers").glob("*.jsonl")
    with pytest.warns(CranfieldWarning, match="1 list has equal scores, .*: ties=docid gives its numbers"):
        run = cranfield.read_run(path)
    assert run.to_dict() == EXPECTED["run"]
    qrels = EXPECTED["qrels"] | {"empty": {"d": 1}, "007": {"d2": 1}}
    in_order = cranfield.evaluate(path, qrels, "RR", ties="docid")
    assert in_order["RR"].sel(topic="007").item() == 1 / 2
    with pytest.warns(CranfieldWarning, match="equal scores, .*: ties=docid"):
        assert cranfield.evaluate(path, qrels, "RR")["RR"].sel(topic="007").item() == 1 / 3
    found = cranfield.check([str(path)], str(RUNS / "ranx/qrels.trec")).findings
    assert "topic 'empty' has no document and is read as absent" in [one.text for one in found]


BAD = {
    "bool-score.json": ("topic 'q1': document 'd1': the score True is not a number", None, "score", "True"),
    "broken-line.jsonl": ("is not JSON: Expecting ',' delimiter", 2, "json", ""),
    "duplicate-key.json": ("the key 'd1' occurs twice in one object: keep one of them", None, "json", "d1"),
    "duplicate-query.jsonl": ("the query 'q1' is on line 1 already: keep one of them", 2, "duplicate", "q1"),
    "nan.json": ("is not JSON: NaN is not JSON; what is missing is null", None, "json", "NaN"),
    "no-subset.json": (
        "holds no subset beside mteb_model_meta; expected subset -> split -> topic -> document -> score",
        None,
        "layout",
        "",
    ),
    "null-score.json": ("topic 'q1': document 'd1': the score None is not a finite number", None, "score", "None"),
    "truncated.json": ("is not JSON: Unterminated string starting at", 1, "json", ""),
    "../runs/frames/run.duplicate.parquet": (
        "row 2: column 'docno': document 'd2' occurs twice in topic 'q1': keep one of its rows; on_duplicate=first "
        "would keep the better-ranked one",
        None,
        "duplicate",
        "d2",
    ),
    "../runs/frames/run.null-id.parquet": (
        "row 2: column 'docno': the document id None is a NoneType; ids are strings",
        None,
        "id",
        "None",
    ),
    "../runs/frames/run.null-score.parquet": (
        "row 2: column 'score': the score None is not a finite number",
        None,
        "score",
        "None",
    ),
}


def test_lists_and_numbers_as_text_are_read() -> None:
    assert cranfield.read_run(FORMATS / "bad" / "list.json").to_dict() == {"q1": {"d1": -1.0, "d2": -2.0}}
    assert cranfield.read_run(FORMATS / "bad" / "text-score.json").to_dict() == {"q1": {"d1": 1.0}}


@pytest.mark.parametrize("name", BAD)
def test_bad_runs_are_refused(name: str) -> None:
    text, line, code, value = BAD[name]
    path = FORMATS / "bad" / name
    with pytest.raises(InputError) as refused:
        cranfield.read_run(path)
    where = f"{path}:{line}" if line else f"{path}"
    assert str(refused.value) == f"{where}: {text}"
    assert (refused.value.line, refused.value.code, refused.value.value) == (line, code, value)


def test_bad_judgments() -> None:
    bad = FORMATS / "bad"
    with pytest.raises(FormatError, match=r"other-header\.tsv:1: this is a table with tabs .* known as topic: name it"):
        cranfield.read_qrels(bad / "qrels.other-header.tsv")
    with pytest.raises(FormatError, match=r":1: the line 'query document label' is neither a judgment") as refused:
        cranfield.read_qrels(bad / "qrels.other-header.tsv", input_format="beir")
    assert (refused.value.code, refused.value.value) == ("column", "query document label")
    named = {"topic": "query", "document": "document", "label": "label"}
    assert cranfield.read_qrels(bad / "qrels.other-header.tsv", columns=named).to_dict() == {"q1": {"d1": 1.0}}
    with pytest.raises(InputError, match=r"header-only\.tsv: the file holds no rows") as refused:
        cranfield.read_qrels(bad / "qrels.header-only.tsv")
    assert refused.value.code == "empty"
    with pytest.warns(CranfieldWarning, match=r"fraction\.tsv:2: the label 0\.5 is not a whole number"):
        assert cranfield.read_qrels(bad / "qrels.fraction.tsv").to_dict() == {"q1": {"d1": 0.5}}


def test_a_split_is_named() -> None:
    path = RUNS / "mteb/TwoSubsets_predictions.json"
    with pytest.raises(InputError) as refused:
        cranfield.read_run(path)
    assert str(refused.value) == (
        f"{path}: holds 3 splits: en/dev, en/test, de/test; name one, as in {path}#en/dev".replace(
            f"in {path}", f"in {str(path)[:80]}..." if len(str(path)) > 80 else f"in {path}"
        )
    )
    assert cranfield.read_run(f"{path}#de").to_dict() == {"q1": {"d3": 2.0}}
    run = cranfield.read_run(f"{path}#de/test")
    assert (run.name, run.tag) == ("TwoSubsets_predictions#de/test", "org/model-a")
    for part, said in (("en", "holds 2 splits"), ("fr", "holds no split 'fr', only en/dev, en/test, de/test")):
        with pytest.raises(InputError, match=said) as refused:
            cranfield.read_run(f"{path}#{part}")
        assert (refused.value.code, refused.value.value) == ("part", part)
    with pytest.raises(InputError, match="not a file with parts"):
        cranfield.read_run(f"{RUNS / 'ranx/run.trec'}#x")


@pytest.mark.filterwarnings("ignore:.*not judged, so")
def test_several_splits_are_several_systems() -> None:
    path = RUNS / "mteb/TwoSubsets_predictions.json"
    scores = cranfield.evaluate([f"{path}#en/test", f"{path}#de/test"], {"q1": {"d2": 1, "d3": 1}}, "RR")
    assert scores.system.values.tolist() == ["TwoSubsets_predictions#en/test", "TwoSubsets_predictions#de/test"]
    assert scores["RR"].values.tolist() == [[1.0, 1.0]]
