"""The walk from runs to sampled judgments and back to scores, on TREC Deep Learning 2019, as its page tells it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import cranfield
from cranfield import engine
from cranfield.collection import Rankings
from cranfield.engine import Engine
from cranfield.measures import sampled_ap
from cranfield.pooling import estimate_sampling_error, sample_pool
from cranfield.statistics import tau_b
from data_sets import DATA

PASSAGE = DATA / "trec-dl-2019-passage"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "questions" / "which-documents-to-judge.md"
DRAWS = 8
MEASURES = {"xinfAP(rel=2)": "AP(rel=2)", "infNDCG": "nDCG"}


@pytest.mark.slow
@pytest.mark.data("data/trec-dl-2019-passage")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_the_numbers_of_the_page(compiled: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "current", lambda: compiled)
    runs = [cranfield.read_run(path) for path in sorted((PASSAGE / "runs").iterdir())[::3]]
    qrels = cranfield.read_qrels(PASSAGE / "qrels.dl19-passage.txt.gz")
    plan = {"strata": {10: 1, 1000: 0.2}, "qrels": qrels, "only_judged": True}
    pool = sample_pool(runs, strata={1000: 1}, qrels=qrels, only_judged=True).to_qrels()
    full = cranfield.evaluate_means(runs, pool.to_dict(), list(MEASURES.values()))
    found, known, taus = [], [], []
    for seed in range(1, DRAWS + 1):
        sample = sample_pool(runs, **plan, seed=seed).to_qrels()  # type: ignore[arg-type]
        scores = estimate_sampling_error(runs, sample, list(MEASURES))
        by_system = scores.systems.pivot(index="system", columns="measure")
        for name, exact in MEASURES.items():
            truth = np.array([full[system][exact] for system in by_system.index])
            row = {key: by_system[key][name].to_numpy() for key in ("score", "error", "bias")}
            found.append((name, (row["score"] - truth).mean(), row["bias"].mean(), row["error"].mean()))
            taus.append((name, tau_b(row["score"], truth)))
        known.append(
            _with_known_number(scores.topics, sample, pool) - np.mean([one["AP(rel=2)"] for one in full.values()])
        )
    text = " ".join(PAGE.read_text().split())
    for name in MEASURES:
        off, bias, error = (np.mean([row[place] for row in found if row[0] == name]) for place in (1, 2, 3))
        tau = np.mean([one for other, one in taus if other == name])
        assert f"| `{name}` | {off:+.3f} | {bias:+.3f} | {error:.3f} | {tau:.2f} |" in text
    assert f"{int((sample.grade >= 0).sum()):,} of {len(pool.grade):,} judgments" in text
    assert f"{np.mean(known):+.3f}" in text


@pytest.mark.heavy
@pytest.mark.data("data/trec-dl-2019-passage")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize(
    ("plan", "down_to", "rate", "samples", "first"),
    [
        ("all of the first 10, a fifth of the rest", 10, 0.2, 60, "of the first plan gave {} and {}, those"),
        ("all of the first 30, a fifth of the rest", 30, 0.2, 60, "those of the second {} and {}."),
        ("all of the first 10, half of the rest", 10, 0.5, 20, ""),
    ],
)
def test_how_often_intervals_hold_the_truth(
    plan: str, down_to: int, rate: float, samples: int, first: str, compiled: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "current", lambda: compiled)
    runs = [cranfield.read_run(path) for path in sorted((PASSAGE / "runs").iterdir())[::3]]
    qrels = cranfield.read_qrels(PASSAGE / "qrels.dl19-passage.txt.gz")
    pool = sample_pool(runs, strata={1000: 1}, qrels=qrels, only_judged=True).to_qrels()
    full = cranfield.evaluate_means(runs, pool.to_dict(), list(MEASURES.values()))
    held: dict[str, list[float]] = {name: [] for name in MEASURES}
    for seed in range(1, samples + 1):
        drawn = sample_pool(runs, strata={down_to: 1, 1000: rate}, qrels=qrels, only_judged=True, seed=seed)
        found = estimate_sampling_error(runs, drawn.to_qrels(), list(MEASURES)).systems
        for name, exact in MEASURES.items():
            mine = found[found["measure"] == name]
            truth = np.array([full[system][exact] for system in mine["system"]])
            held[name].append(float(((mine["lower"] <= truth) & (truth <= mine["upper"])).mean()))
    text = " ".join(PAGE.read_text().split())
    shares, of_twenty = ([f"{np.mean(held[name][:number]):.0%}" for name in MEASURES] for number in (samples, 20))
    assert f"| {plan} | {samples} | {' | '.join(shares)} |" in text
    assert first.format(*of_twenty) in text


@pytest.mark.heavy
@pytest.mark.data("data/trec-dl-2019-passage")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_what_a_third_stands_for_where_nothing_was_sampled(compiled: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "current", lambda: compiled)
    runs = [cranfield.read_run(path) for path in sorted((PASSAGE / "runs").iterdir())[::3]]
    qrels = cranfield.read_qrels(PASSAGE / "qrels.dl19-passage.txt.gz")
    full = sample_pool(runs, strata={1000: 1}, qrels=qrels, only_judged=True).to_qrels()
    smoothed = sampled_ap._Above.from_view.__func__  # type: ignore[attr-defined]

    def true(
        cls: type[sampled_ap._Above],
        view: Rankings,
        inside: NDArray[np.bool_],
        relevant: NDArray[np.bool_],
        rows: NDArray[np.int64] | None = None,
    ) -> sampled_ap._Above:
        found: sampled_ap._Above = smoothed(cls, view, inside, relevant, rows)
        here = slice(None) if rows is None else rows
        really = inside & (full.grade[view.document] >= 2)
        share = (view.running_count(really)[here] - really[here]) / np.maximum(found.pooled, 1)
        return found._replace(share=np.where((found.judged == 0) & (found.pooled > 0), share, found.share))

    moved = []
    for seed in range(1, 21):
        drawn = sample_pool(runs, strata={10: 1, 1000: 0.2}, qrels=qrels, only_judged=True, seed=seed).to_qrels()
        assert drawn.documents.data.tobytes() == full.documents.data.tobytes()
        means = []
        for share in (smoothed, true):
            monkeypatch.setattr(sampled_ap._Above, "from_view", classmethod(share))
            scores = cranfield.evaluate_means(runs, drawn, ["xinfAP(rel=2)"])
            means.append(np.mean([one["xinfAP(rel=2)"] for one in scores.values()]))
        moved.append(means[0] - means[1])
    mean, most = (f"{value:.4f}" for value in (np.mean(moved), np.abs(moved).max()))
    assert f"moved the mean by {mean} on average and by {most} at most" in " ".join(PAGE.read_text().split())


def _with_known_number(topics: object, sample: object, pool: object) -> float:
    """Mean of xinfAP(rel=2) where R is known and not estimated: what dividing by an estimate does is gone."""
    rows = topics[topics["measure"] == "xinfAP(rel=2)"]  # type: ignore[index]
    weight: dict[str, float] = {}
    for number, topic in enumerate(sample.topics):  # type: ignore[attr-defined]
        part = slice(*sample.starts[number : number + 2])  # type: ignore[attr-defined]
        grade, stratum = sample.grade[part], sample.pool.strata.number[part]  # type: ignore[attr-defined]
        estimated = sum(
            (stratum == one).sum() / ((stratum == one) & (grade >= 0)).sum() * ((stratum == one) & (grade >= 2)).sum()
            for one in np.unique(stratum)
        )
        weight[topic] = estimated / (pool.grade[part] >= 2).sum()  # type: ignore[attr-defined]
    return float((rows["score"] * rows["topic"].map(weight)).mean())
