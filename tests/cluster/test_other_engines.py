"""Spark and Ray run what docs/cluster.md says, as it is written there; left out where they are not installed."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cranfield import evaluate_means

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
END = """
import json
print("\\nmeans", json.dumps(scorer.result(total).means))
"""


def function_of_the_page() -> str:
    """The imports and the function ``score``, from the example that is run by the tests of pages."""
    examples = doctest.DocTestParser().get_examples(PAGE)
    return "".join(one.source for one in examples if one.source.startswith(("import", "def score")))


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
    [("pyspark", "For Spark", SPARK, "engine.stop()"), ("ray", "For Ray", RAY, "ray.shutdown()")],
)
def test_the_recipe_has_the_numbers_of_evaluate(folder: Path, package: str, words: str, begin: str, end: str) -> None:
    pytest.importorskip(package, reason=f"{package} is not installed", exc_type=ImportError)
    scorer = 'import json\nscorer = cranfield.Scorer(json.load(open("qrels.json")), ["AP", "nDCG@10"])\n'
    with tempfile.TemporaryDirectory(prefix="ray") as temporary:  # the paths of its sockets must be short
        begin = begin.replace("TEMPORARY", repr(temporary))
        code = function_of_the_page() + scorer + begin + block_after(words) + END + end
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
    assert "def score(batches)" in function_of_the_page()
    assert "mapInArrow(score" in block_after("For Spark")
    assert "map_batches(" in block_after("For Ray")
