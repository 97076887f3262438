"""Samples of lm-evaluation-harness as scores: documents are topics, listed metrics are measures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield.errors import CranfieldWarning, FormatError, InputError

SAMPLE = {"doc_id": 0, "target": "5", "filter": "none", "metrics": ["acc", "f1"], "acc": True, "f1": 0.25}


def written(folder: Path, *samples: dict[str, Any], name: str = "samples_gsm8k_2026.jsonl") -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    return str(path)


def test_metrics_by_document(tmp_path: Path) -> None:
    mine = written(tmp_path / "org__mine", SAMPLE, SAMPLE | {"doc_id": 1, "acc": 0.0, "f1": 0.5})
    theirs = written(tmp_path / "org__theirs", SAMPLE, SAMPLE | {"doc_id": 1})
    scores = cranfield.read_scores([mine, theirs])
    assert sorted(scores.data_vars) == ["acc", "f1"]
    assert scores["acc"].sel(system="org__mine").values.tolist() == [1.0, 0.0]
    assert scores["f1"].to_pandas().to_dict() == {
        "org__mine": {"0": 0.25, "1": 0.5},
        "org__theirs": {"0": 0.25, "1": 0.25},
    }
    alone = cranfield.read_scores(written(tmp_path / "x", SAMPLE, name="mine.jsonl"))
    assert alone["acc"].system.values.tolist() == ["mine"]


def test_filters_are_told_apart(tmp_path: Path) -> None:
    path = written(tmp_path / "m", SAMPLE, SAMPLE | {"filter": "strict", "acc": False})
    scores = cranfield.read_scores(path)
    assert {name: scores[name].item() for name in scores.data_vars} == {
        "acc,none": 1.0, "f1,none": 0.25, "acc,strict": 0.0, "f1,strict": 0.25,
    }  # fmt: skip


def test_metrics_of_the_whole_are_left_out(tmp_path: Path) -> None:
    path = written(tmp_path / "m", SAMPLE | {"metrics": ["acc", "bleu"], "bleu": ["a", "b"]})
    with pytest.warns(CranfieldWarning, match="'bleu' left out: no number for a document"):
        assert list(cranfield.read_scores(path).data_vars) == ["acc"]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (SAMPLE | {"doc_id": 1, "f1": "good"}, "the metric 'f1' is 'good', expected a finite number"),
        (SAMPLE | {"doc_id": 1, "f1": 10**400}, "the metric 'f1' is '10"),
        ({"doc_id": 1, "acc": 1.0}, "expected a sample of lm-evaluation-harness"),
        (SAMPLE | {"doc_id": [1]}, "the doc_id .* is neither a number nor text"),
        (SAMPLE | {"doc_id": 1, "metrics": [3]}, "the metric '3' is not text"),
        (SAMPLE, "twice|already|again"),
    ],
)
def test_other_lines_are_refused(tmp_path: Path, second: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message) as refused:
        cranfield.read_scores(written(tmp_path / "m", SAMPLE, second))
    assert refused.value.line == 2


def test_samples_without_a_number_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no metric of the samples has a number"):
        cranfield.read_scores(written(tmp_path / "m", SAMPLE | {"acc": [1], "f1": None}))
