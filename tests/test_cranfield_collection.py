"""The Cranfield collection in the package: what it holds, where it comes from, and what others compute on it."""

from __future__ import annotations

import hashlib
import importlib.util
import lzma
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import pytrec_eval

import cranfield
from cranfield import InputError, Run
from cranfield.datasets import CranfieldCollection, load_cranfield
from data_sets import DATA

ROOT = Path(__file__).resolve().parents[1]
PACKED = ROOT / "src" / "cranfield" / "datasets" / "cranfield_1400"
DIGESTS = {
    "bm25-b04.tsv": "a8d65455f33254831acfa028d4ce80fbcbda47ce22f9d971bcc01094d87a6541",
    "bm25.tsv": "d5d582df5aaff2e142ce39ea1d22ce24daba70ae4ee7db3ecff76248eb59578d",
    "dirichlet-100.tsv": "66b5c6ecaae697571c01c086542503b3238332d9269bf5760523fb1972aba809",
    "dirichlet-1000.tsv": "cfa929bb09e4a1c795224e7efe2f8884bb5a3f61a81e0c12e703ec5b1531c75d",
    "jelinek-mercer.tsv": "a0ec587701d14cf7fb73b4ba46727ca1620ec30858bab5130a82da94b33799a6",
    "qrels.txt": "2f4dde0c61426951530b5e42b5a84668e659e2ae805ad7d3b4ee20236e97b1d2",
    "sources.txt": "f597c28d6bc1f87e4953423cff0100995b36687736d3dc2526ae71c2da0e6e78",
    "tf-idf.tsv": "0709b7c60bcd0810e570355221b43f920ac009b8e6a6c39b8f47f29d9ab5b29f",
    "topics.tsv": "ed6a3a9362728d777bd15cc3b6c3c89ad7a6cddb1d6e9bccdb235ccaa3e05044",
}
"""SHA-256 of the texts, which numbers in papers and pages may rest on: they never change."""


@pytest.fixture(scope="module")
def collection() -> CranfieldCollection:
    return load_cranfield()


def text(name: str) -> bytes:
    return lzma.decompress((PACKED / f"{name}.xz").read_bytes())


def test_the_texts_never_change() -> None:
    names = {path.name.removesuffix(".xz") for path in PACKED.glob("*.xz")}
    assert {name: hashlib.sha256(text(name)).hexdigest() for name in names} == DIGESTS


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in PACKED.iterdir()) <= 600_000


def test_its_judgments_and_topics(collection: CranfieldCollection) -> None:
    labels = collection.qrels.to_dict()
    assert list(labels) == list(collection.topics) == [str(number) for number in range(1, 226)]
    assert Counter(label for row in labels.values() for label in row.values()) == {
        4: 128,
        3: 387,
        2: 734,
        1: 363,
        0: 225,
    }
    sources = collection.sources.to_dict()
    assert list(sources) == list(labels)
    assert all(len(row) == 1 and row.items() <= labels[topic].items() for topic, row in sources.items())
    assert len({document for row in sources.values() for document in row}) == 128
    assert all(not text.query.endswith(".") and text.query for text in collection.topics.values())


def test_its_runs(collection: CranfieldCollection) -> None:
    assert [run.name for run in collection.runs] == [
        *("bm25", "bm25-b04", "dirichlet-100", "dirichlet-1000", "jelinek-mercer", "tf-idf")
    ]
    for run in collection.runs:
        assert run.tag == run.name
        assert run.topics == tuple(collection.topics)
        assert np.diff(run.starts).tolist() == [100] * 225
        for topic, row in run.to_dict().items():
            assert len(row) == 100, topic
            assert {int(document) for document in row} <= set(range(1, 1401))
            ordered = sorted(row.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
            assert list(row.items()) == ordered, "as trec_eval orders them"


def test_trec_eval_computes_the_same(collection: CranfieldCollection) -> None:
    names = {"AP": "map", "nDCG@10": "ndcg_cut_10", "RR": "recip_rank", "P@10": "P_10"}
    labels = {
        topic: {document: int(label) for document, label in row.items()}
        for topic, row in collection.qrels.to_dict().items()
    }
    evaluator = pytrec_eval.RelevanceEvaluator(labels, set(names.values()))
    scores = cranfield.evaluate(runs=collection.runs, qrels=collection.qrels, measures=list(names))
    for run in collection.runs:
        values = evaluator.evaluate(run.to_dict())
        for ours, theirs in names.items():
            expected = [values[str(topic)][theirs] for topic in scores["topic"].values]
            np.testing.assert_allclose(scores[ours].sel(system=run.name), expected, rtol=0, atol=1e-12)


def test_its_readme_says_what_is_in_it(collection: CranfieldCollection) -> None:
    """Where the source documents stand in the runs, beside complete answers."""
    readme = (PACKED / "README.md").read_text(encoding="utf-8")
    labels, sources = collection.qrels.to_dict(), collection.sources.to_dict()
    complete = {topic: [document for document, label in row.items() if label == 4] for topic, row in labels.items()}
    of_sources = [ranks(run, {topic: list(row) for topic, row in sources.items()}) for run in collection.runs]
    of_answers = [ranks(run, complete) for run in collection.runs]
    first, ten = ([share(found, cutoff) for found in of_sources] for cutoff in (1, 10))
    assert f"{between(first)}% of the topics and among the first ten on {between(ten)}%" in " ".join(readme.split())
    first, ten = ([share(found, cutoff) for found in of_answers] for cutoff in (1, 10))
    assert f"({between(first)}%, and {between(ten)}%)" in " ".join(readme.split())
    for label, count in Counter(label for row in labels.values() for label in row.values()).items():
        assert re.search(rf"\| {label:.0f} \| {count} \|", readme)
    judged = cranfield.evaluate(runs=collection.runs, qrels=collection.qrels, measures=["Judged@10", "nDCG@10"])
    means = cranfield.summarize(judged)
    assert f"({means['Judged@10'].min():.2f} to {means['Judged@10'].max():.2f})".replace("0.", ".") in readme
    residual = cranfield.evaluate(
        runs=collection.runs, qrels=collection.qrels.excluding(collection.sources), measures="nDCG@10"
    )
    lost = cranfield.summarize(residual)["nDCG@10"] - means["nDCG@10"]
    assert f"{lost.min():.2f} to {lost.max():.2f} of nDCG@10".replace("0.", ".") in " ".join(readme.split())


def ranks(run: Run, documents: dict[str, list[str]]) -> list[int]:
    """Of each of these documents, with 101 for one that is not among the first hundred."""
    places = {topic: {document: place for place, document in enumerate(row, 1)} for topic, row in run.to_dict().items()}
    return [places[topic].get(document, 101) for topic, row in documents.items() for document in row]


def share(found: list[int], cutoff: int) -> float:
    return 100 * sum(rank <= cutoff for rank in found) / len(found)


def between(shares: list[float]) -> str:
    return f"{min(shares):.0f} to {max(shares):.0f}"


def test_it_is_written_as_files_that_read_alike(collection: CranfieldCollection, tmp_path: Path) -> None:
    paths = collection.write_collection(tmp_path / "new" / "cranfield")
    assert {str(path.relative_to(tmp_path / "new" / "cranfield")) for path in paths} == {
        *("qrels.txt", "sources.txt", "topics.tsv", "README.md"),
        *(str(Path("runs", f"{run.name}.run")) for run in collection.runs),
    }
    folder = tmp_path / "new" / "cranfield"
    for run in collection.runs:
        assert cranfield.read_run(folder / "runs" / f"{run.name}.run") == run
    assert cranfield.read_qrels(folder / "qrels.txt") == collection.qrels
    assert cranfield.read_qrels(folder / "sources.txt") == collection.sources
    assert cranfield.io.read_topics(folder / "topics.tsv") == collection.topics
    before = {path: path.stat().st_mtime_ns for path in paths}
    assert collection.write_collection(folder) == paths
    assert before.keys() == {path for path in folder.rglob("*") if path.is_file()}


def test_files_of_somebody_else_stay(collection: CranfieldCollection, tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("1 0 mine 1\n")
    with pytest.raises(InputError, match=r"qrels\.txt: exists already, with other content: remove it, or name another"):
        collection.write_collection(tmp_path)
    assert (tmp_path / "qrels.txt").read_text() == "1 0 mine 1\n"
    assert not list(tmp_path.glob("runs/*"))


def test_a_folder_that_cannot_be_made(collection: CranfieldCollection, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="runs: cannot be written: 'file' is a file; name another folder"):
        collection.write_collection(tmp_path / "file")


# ---- where it comes from


def script() -> Any:
    path = ROOT / "reproductions" / "cranfield_1400" / "make_runs.py"
    spec = importlib.util.spec_from_file_location("make_runs", path)
    assert spec is not None and spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.data("data/cranfield-1400")
def test_the_script_makes_these_texts() -> None:
    """It compares what is packed: other releases of xz may pack the same text otherwise."""
    assert {name: made.encode() for name, made in script().make_files(DATA / "cranfield-1400").items()} == {
        name: text(name) for name in DIGESTS
    }


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        *(("bodies", "body"), ("wings", "wing"), ("plates", "plate"), ("flows", "flow")),
        *(("does", "doe"), ("trees", "tree"), ("aerodynamics", "aerodynamic"), ("axes", "axe")),
        *(("stress", "stress"), ("radius", "radius"), ("is", "i"), ("aies", "aie"), ("heat", "heat")),
    ],
)
def test_the_stemmer(word: str, stem: str) -> None:
    """By the three rules of Harman 1991; a word that an exception keeps from one rule may fall under the next."""
    assert script().stem(word) == stem


def test_models_on_two_documents_by_hand() -> None:
    made = script()
    index = made.Index({"a": "wing wing flow", "b": "flow heat"})
    query = Counter({"wing": 1, "flow": 2})
    idf_wing, idf_flow = np.log(1 + 1.5 / 1.5), np.log(1 + 0.5 / 2.5)
    norm_a, norm_b = 1.2 * (0.25 + 0.75 * 3 / 2.5), 1.2 * (0.25 + 0.75 * 2 / 2.5)
    assert made.bm25(1.2, 0.75)(index, query) == pytest.approx(
        {
            "a": idf_wing * 2 * 2.2 / (2 + norm_a) + 2 * idf_flow * 2.2 / (1 + norm_a),
            "b": 2 * idf_flow * 2.2 / (1 + norm_b),
        }
    )
    likelihood = {
        "dirichlet": lambda count, length, p: np.log((count + 10 * p) / (length + 10)),
        "jelinek": lambda count, length, p: np.log(0.3 * count / length + 0.7 * p),
    }
    shared = np.log(2 / 5) + 2 * np.log(2 / 5)
    for name, weigh in {"dirichlet": made.dirichlet(10), "jelinek": made.jelinek_mercer(0.7)}.items():
        log, scores = likelihood[name], weigh(index, query)
        full = {
            "a": log(2, 3, 2 / 5) + 2 * log(1, 3, 2 / 5),
            "b": log(0, 2, 2 / 5) + 2 * log(1, 2, 2 / 5),
        }
        same = shared + (3 * np.log(0.7) if name == "jelinek" else 0.0)
        assert {document: score + same for document, score in scores.items()} == pytest.approx(full)
    query_wing, query_flow = np.log(2), 0.0
    a = (1 + np.log(2)) * query_wing / np.hypot(1 + np.log(2), 1) / query_wing
    assert made.tf_idf()(index, Counter({"wing": 1, "flow": 1})) == pytest.approx({"a": a, "b": query_flow})


def test_ranks_are_those_of_trec_eval() -> None:
    assert script().rank({"9": 1.0, "10": 1.0, "2": 3.0}) == [("2", 3.0), ("9", 1.0), ("10", 1.0)]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")
def test_ease_is_qualified_where_random_orders_are_nearly_ideal(
    collection: CranfieldCollection, tmp_path: Path
) -> None:
    """By the mean of the column random_ndcg; other collections, and condensed lists, have no caution."""
    caution = "a random order of the judged documents already has a mean nDCG of"
    runs = list(collection.runs[:2])
    mean = cranfield.estimate_difficulty(runs, collection.qrels).values["random_ndcg"].mean().item()
    assert mean > 0.8
    assert f"because {caution} {mean:.2f}" in cranfield.report(runs, collection.qrels, "nDCG@10").html
    made = cranfield.simulation.simulate_runs(n_systems=3, n_topics=6, depth=20, seed=1)
    assert cranfield.estimate_difficulty(made.runs, made.qrels).values["random_ndcg"].mean().item() < 0.8
    assert caution not in cranfield.report(made.runs, made.qrels, "nDCG@10").html
    collection.write_collection(tmp_path)
    command = [sys.executable, "-m", "cranfield", "difficulty", "qrels.txt", "runs/bm25.run"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert caution in ended.stdout
    mended = subprocess.run(
        [*command, "--unjudged", "condense"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert caution not in mended.stdout
