"""Spark and Ray run what docs/cluster.md says, as it is written there; left out where they are not installed."""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cranfield import InputError, Scorer, evaluate, evaluate_means

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "cluster.md").read_text(encoding="utf-8")
SPARK = """
from pyspark.sql import SparkSession
local = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
engine = SparkSession.builder.master("local[2]").config(map=local).getOrCreate()
run = engine.read.parquet("scattered/").repartition(3)
"""
RAY = """
import ray
ray.init(num_cpus=2, include_dashboard=False, _temp_dir=TEMPORARY, _node_ip_address="127.0.0.1")
"""


def block_after(words: str) -> str:
    found = re.search(r"```python\n(.*?)```", PAGE.partition(words)[2], re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose files hold whole topics, the same one with its rows anywhere, and judgments."""
    made, draw, topics, depth = tmp_path_factory.mktemp("lake"), np.random.default_rng(1), 90, 20
    documents = np.concatenate([draw.permutation(50)[:depth] for _ in range(topics)])
    scores = np.round(draw.random(topics * depth), 2)
    run = pa.table({"user_id": np.repeat(np.arange(topics), depth), "item_id": documents, "prediction": scores})
    for name, rows in (("run", run), ("scattered", run.take(draw.permutation(run.num_rows)))):
        (made / name).mkdir()
        for part in range(3):
            pq.write_table(rows.slice(part * 30 * depth, 30 * depth), made / name / f"{part}.parquet")
    qrels = {str(topic): {str(doc): int(draw.integers(0, 3)) for doc in range(0, 50, 5)} for topic in range(topics)}
    (made / "qrels.json").write_text(json.dumps(qrels))
    return made


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("package", "words", "begin", "end"),
    [("pyspark", "\nSpark, with", SPARK, "engine.stop()"), ("ray", "\nRay, where", RAY, "ray.shutdown()")],
)
def test_the_recipe_has_the_numbers_of_evaluate(folder: Path, package: str, words: str, begin: str, end: str) -> None:
    pytest.importorskip(package, reason=f"{package} is not installed", exc_type=ImportError)
    scorer = (
        'import json\nimport cranfield\nscorer = cranfield.Scorer(json.load(open("qrels.json")), ["AP", "nDCG@10"])\n'
    )
    with tempfile.TemporaryDirectory(prefix="ray") as temporary:  # the paths of its sockets must be short
        begin = begin.replace("TEMPORARY", repr(temporary))
        printed = "print('means', json.dumps("
        code = scorer + begin + block_after(words).replace("print(", printed).replace(".means)", ".means))") + end
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=folder,
            env=os.environ
            | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
            # Nothing is sent anywhere, and nothing is left at home.
            | {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    (said,) = re.findall(r"^means (.*)$", done.stdout, re.MULTILINE)
    whole, qrels = pq.read_table(folder / "run"), json.loads((folder / "qrels.json").read_text())
    assert json.loads(said) == evaluate_means(whole, qrels, ["AP", "nDCG@10"])["run"]  # exact


def test_the_recipes_are_found_on_the_page() -> None:
    assert "mapInArrow(scorer.map_arrow, " in block_after("\nSpark, with")
    assert "map_batches(scorer.map_arrow, " in block_after("\nRay, where")


@pytest.fixture(scope="module")
def qrels(folder: Path) -> dict[str, dict[str, int]]:
    return dict(json.loads((folder / "qrels.json").read_text()))


def test_parts_of_whole_topics_have_the_numbers_of_the_run(folder: Path, qrels: dict[str, dict[str, int]]) -> None:
    """As Spark hands over iterators of batches, and Ray tables; some without rows."""
    scorer = pickle.loads(pickle.dumps(Scorer(qrels, ["AP", "nDCG@10", "GMAP"])))
    whole = pq.read_table(folder / "run")
    tables = [pq.read_table(path) for path in sorted((folder / "run").iterdir())]
    by_iterator = [
        batch["part"][0].as_py()
        for table in (*tables, tables[0].slice(0, 0))
        for batch in scorer.map_arrow(iter(table.to_batches(max_chunksize=7)))
    ]
    by_table = [part for table in tables for part in scorer.map_arrow(table)["part"].to_pylist()]
    expected = evaluate_means(whole, qrels, ["AP", "nDCG@10", "GMAP"])["run"]
    for parts in (by_iterator, by_table, reversed(by_table)):
        found = scorer.result(parts)
        assert {name: float(value).hex() for name, value in found.means.items()} == {
            name: float(value).hex() for name, value in expected.items()
        }
    none = tables[0].slice(0, 0)
    assert scorer.map_arrow(none).schema.names == ["part"]
    assert scorer.map_arrow(none).num_rows == 0
    with pytest.raises(InputError, match="topic"):
        scorer.result([*by_table, by_table[0]])
    with pytest.raises(InputError, match="no part of the run was given"):
        scorer.result([])


def test_scores_by_topic_are_those_of_evaluate(folder: Path, qrels: dict[str, dict[str, int]]) -> None:
    measures = ["AP", "nDCG@10"]
    scorer = Scorer(qrels, measures)
    found = scorer.map_arrow_by_topic(pq.read_table(folder / "run")).to_pylist()
    scores = evaluate(pq.read_table(folder / "run"), qrels, measures)
    assert [row["topic"] for row in found] == scores["topic"].to_numpy().tolist()
    for name in measures:
        assert [row[name] for row in found] == scores[name].to_numpy()[:, 0].tolist()
    assert scorer.schema_by_topic == "`topic` string, `AP` double, `nDCG@10` double"
