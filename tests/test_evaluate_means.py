"""``evaluate_means``: the numbers of ``summarize(evaluate(...))``, in plain dicts."""

from __future__ import annotations

import subprocess
import sys

import pytest

import cranfield
from cranfield import CranfieldWarning, evaluate, evaluate_means, summarize
from cranfield.engine import Engine

QRELS = {"2": {"a": 1, "b": 0}, "1": {"a": 2, "c": 1}}
RUNS = {"good": {"2": {"a": 2.0, "b": 1.0}, "1": {"a": 3.0, "c": 2.0}}, "bad": {"1": {"c": 3.0, "u": 2.0, "a": 1.0}}}
MEASURES = ["nDCG@10", "AP", "GMAP", "NumRet", "RR(rel=2)"]


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_means_are_those_of_the_dataset(each_engine: Engine) -> None:
    for words in ({}, {"missing": "skip"}, {"ties": "docid", "rel": 2}):
        found = evaluate_means(RUNS, QRELS, MEASURES, **words)  # type: ignore[arg-type]
        table = summarize(evaluate(RUNS, QRELS, MEASURES, **words))  # type: ignore[arg-type]
        assert found == {system: dict(row) for system, row in table.iterrows()}
        assert list(found) == ["good", "bad"]
        assert all(type(value) is float for row in found.values() for value in row.values())


def test_means_by_hand_and_with_warnings(each_engine: Engine) -> None:
    assert evaluate_means({"1": {"x": 2.0, "a": 1.0}}, {"1": {"a": 1}}, ["AP", "RR"]) == {"run": {"AP": 0.5, "RR": 0.5}}
    with pytest.warns(CranfieldWarning, match="judged topic 2 missing"):
        assert evaluate_means({"bad": RUNS["bad"]}, QRELS, "P@1") == {"bad": {"P@1": 0.5}}


def test_prepared_judgments_warn_each_time() -> None:
    qrels = cranfield.Qrels.from_dict({"1": {"a": 1}, "2": {"a": 0}})
    for _ in range(2):
        with pytest.warns(CranfieldWarning, match="2"):
            evaluate_means({"1": {"a": 1.0}, "2": {"a": 1.0}}, qrels, "AP")


def test_nothing_heavy_is_imported_for_means() -> None:
    script = (
        "import sys, cranfield\n"
        "print(cranfield.evaluate_means({'1': {'a': 1.0}}, {'1': {'a': 1}}, 'AP'))\n"
        "print(sorted({'xarray', 'pandas', 'scipy', 'narwhals', 'nanoarrow', 'click', 'rich'} & set(sys.modules)))\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=False)
    assert ended.stdout == "{'run': {'AP': 1.0}}\n[]\n", ended.stderr
