"""The page "Can I trust a language-model judge": how often a judge that errs at random is called partial."""

from __future__ import annotations

from heapq import nlargest
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import cranfield
from cranfield.statistics import estimate_judge_bias
from data_sets import DATA

PAGE = Path(__file__).resolve().parents[2] / "docs" / "questions" / "can-i-trust-a-language-model-judge.md"
PASSAGE = DATA / "trec-dl-2019-passage"
JUDGES = 500
Labels = dict[str, dict[str, int]]


def guessing(labels: Labels, part: float, rng: np.random.Generator) -> Labels:
    """The same, with a part of the documents labelled at random."""
    found = {}
    for topic, own in labels.items():
        grades = np.array(list(own.values()))
        guessed = np.where(rng.random(len(grades)) < part, rng.integers(0, 4, len(grades)), grades)
        found[topic] = dict(zip(own, guessed.tolist(), strict=True))
    return found


def raising(labels: Labels, part: float, rng: np.random.Generator) -> Labels:
    """The same, with a part of the documents labelled a grade higher."""
    return {
        topic: {document: label + int(rng.random() < part) for document, label in own.items()}
        for topic, own in labels.items()
    }


@pytest.mark.heavy
@pytest.mark.data("data/trec-dl-2019-passage")
def test_how_often_judges_that_err_at_random_are_called_partial() -> None:
    human = cranfield.read_qrels(PASSAGE / "qrels.dl19-passage.txt.gz").to_dict()
    runs = {}
    for path in sorted((PASSAGE / "runs").iterdir()):
        run = cranfield.read_run(path)  # nDCG@10 looks at ten documents a topic
        runs[run.name] = {
            topic: dict(nlargest(10, scores.items(), key=lambda one: (one[1], one[0].encode())))
            for topic, scores in run.to_dict().items()
        }

    def scores(labels: Labels) -> NDArray[np.float64]:
        found = cranfield.evaluate(runs, labels, "nDCG@10")["nDCG@10"]
        values: NDArray[np.float64] = found.transpose("topic", "system").sortby("topic").values
        return values

    reference, shares = scores(human), []
    for kind, part in ((guessing, 0.3), (guessing, 0.6), (raising, 0.2)):
        called = 0
        for seed in range(JUDGES):
            judge = scores(kind(human, part, np.random.default_rng([seed, int(10 * part)])))
            p = estimate_judge_bias(reference, judge, resamples=1000, rng=np.random.default_rng(seed)).p
            called += bool(p.min() <= 0.05)
        shares.append(f"{called / JUDGES:.1%}")
    said = f"partial in {shares[0]}, {shares[1]} and {shares[2]} of cases, at a level of 5% ({JUDGES} judges each"
    assert said in " ".join(PAGE.read_text().split())
