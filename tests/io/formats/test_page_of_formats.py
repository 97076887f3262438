"""The page of formats is made from the declarations, and every command in it runs on such a file."""

from __future__ import annotations

import json
import shlex
import warnings
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from cranfield.cli import app
from cranfield.io.formats import all_formats

RUN = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 0.5}}
QRELS = {"q1": {"d2": 1}, "q2": {"d1": 1}}


def _search_tools(labels: list[tuple[str, str, int]]) -> dict[str, str]:
    """Judgments and hits in the shapes of search tools."""
    hits = {
        topic: {
            "hits": [{"hit": {"_id": document, "_score": score}, "rating": None} for document, score in row.items()]
        }
        for topic, row in RUN.items()
    }
    ratings = [{"query": t, "ratings": [{"docId": d, "rating": f"{x}.0"}]} for t, d, x in labels]
    groups = [{"name": t, "relevant_documents": {d: {"gain": x}}} for t, d, x in labels]
    requests = [{"id": t, "ratings": [{"_id": d, "rating": x}]} for t, d, x in labels]
    return {
        "opensearch.json": json.dumps({"judgmentRatings": ratings}),
        "rre.json": json.dumps({"topics": [{"query_groups": groups}]}),
        "rank_eval.request.json": json.dumps({"requests": requests}),
        "rank_eval.response.json": json.dumps({"details": hits}),
        "quepid.csv": "query,docid,rating\n" + "".join(f"{t},{d},{x}\n" for t, d, x in labels) + "q1,d9,\n",
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of every name that the examples have; all runs and all judgments hold the same."""
    import cbor2
    import lz4.frame

    here = tmp_path_factory.mktemp("formats")
    rows = [(topic, document, score) for topic, row in RUN.items() for document, score in row.items()]
    labels = [(topic, document, label) for topic, row in QRELS.items() for document, label in row.items()]
    texts = {
        "qrels.txt": "".join(f"{topic} 0 {document} {label}\n" for topic, document, label in labels),
        "sampled.prels": "".join(f"{topic} 0 {document} 1 {label}\n" for topic, document, label in labels),
        "ntcir.qrels": "".join(f"{topic} {document} L{label}\n" for topic, document, label in labels),
        "beir-qrels.tsv": "query-id\tcorpus-id\tscore\n" + "".join(f"{t}\t{d}\t{x}\n" for t, d, x in labels),
        "mine.run": "".join(f"{topic} Q0 {document} 0 {score} mine\n" for topic, document, score in rows),
        "msmarco.tsv": "q1\td1\t1\nq1\td2\t2\nq2\td1\t1\n",
        "frame-run.csv": "qid,docno,score\n" + "".join(f"{t},{d},{x}\n" for t, d, x in rows),
        "frame-qrels.csv": "qid,docno,label\n" + "".join(f"{t},{d},{x}\n" for t, d, x in labels),
        "ranx-run.json": json.dumps(RUN),
        "ranx-qrels.json": json.dumps(QRELS),
        "rows-run.jsonl": "".join(json.dumps({"qid": t, "docno": d, "score": x}) + "\n" for t, d, x in rows),
        "rows-qrels.jsonl": "".join(json.dumps({"qid": t, "docno": d, "label": x}) + "\n" for t, d, x in labels),
        "Two_predictions.json": json.dumps({"mteb_model_meta": {}, "en": {"dev": {"q1": {"d2": 1}}, "test": RUN}}),
        "predictions.jsonl": "".join(
            json.dumps({"query_id": topic, "results": [{"corpus_id": d, "score": s} for d, s in row.items()]}) + "\n"
            for topic, row in RUN.items()
        ),
        "candidates-run.jsonl": "".join(
            json.dumps({"query": {"qid": t}, "candidates": [{"docid": d, "score": s} for d, s in row.items()]}) + "\n"
            for t, row in RUN.items()
        ),
    }
    texts |= _search_tools(labels)
    for name, text in texts.items():
        (here / name).write_text(text)
    (here / "ranx-run.lz4").write_bytes(lz4.frame.compress(lz4.frame.compress(cbor2.dumps(RUN))))
    pd.DataFrame(rows, columns=["user_id", "item_id", "prediction"]).to_parquet(here / "run.parquet")
    pd.DataFrame(labels, columns=["user_id", "item_id", "rating"]).to_parquet(here / "qrels.parquet")
    return here


@pytest.mark.parametrize("name", [name for name, form in all_formats().items() if "evaluate" in form.example])
def test_its_example_runs(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    arguments = shlex.split(all_formats()[name].example)
    asked = arguments[arguments.index("-m") + 1] if "-m" in arguments else "RR"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = CliRunner().invoke(app, [*arguments, "-m", asked, "-f", "tsv"], catch_exceptions=False)
    system, topic, measure, value = result.stdout.splitlines()[1].split("\t")
    assert (topic, measure, value) == ("all", asked, "0.75")
    assert system.startswith(
        (
            "mine",
            "msmarco",
            "frame",
            "ranx",
            "rows",
            "Two_predictions#en/test",
            "run",
            "predict",
            "rank_eval",
            "candidates",
        )
    )


def test_the_example_of_nuggets_compares_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two judges on the nuggets of answers: kappa by hand, and nuggets in other words are not compared."""
    said = {"people": ("support", "not_support", "support", "partial_support"), "model": ("support", "not_support") * 2}
    monkeypatch.chdir(tmp_path)
    for judge, words in said.items():
        lines = [
            {"qid": topic, "run_id": "mine", "nuggets": [{"text": f"fact {n}", "assignment": w} for n, w in own]}
            for topic, own in (("q1", [*enumerate(words[:2])]), ("q2", [*enumerate(words[2:])]))
        ]
        lines[1]["nuggets"].append({"text": f"only {judge}'s", "assignment": "support"})  # type: ignore[attr-defined]
        Path(f"{judge}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = CliRunner().invoke(app, [*shlex.split(all_formats()["nuggets"].example), "-f", "json"])
    (row,) = json.loads(result.stdout)["rows"]
    assert (row["documents"], row["judged"], row["equal"]) == (4, 5, 0.75)
    chance = (2 * 2 + 1 * 2 + 1 * 0) / 16
    assert row["kappa"] == pytest.approx((0.75 - chance) / (1 - chance))
    Path("model.jsonl").write_text(Path("model.jsonl").read_text().replace("not_support", "failed"))
    refused = CliRunner().invoke(app, ["judges", "people.jsonl", "model.jsonl", "--show", "labels"])
    said_of_it = "model.jsonl:1: the nugget 'fact 1' has the assignment 'failed': it should be one of support, "
    assert said_of_it in str(refused.exception)
