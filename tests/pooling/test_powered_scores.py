"""Scores from a random sample of documents and a model's labels, against every sample there is and against numpy."""

from __future__ import annotations

import warnings
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import cranfield
from cranfield.errors import InputError, MeasureError
from cranfield.pooling import estimate_powered_scores, sample_pool

LABELS = {"1": {"a": 2, "b": 0, "c": 1, "d": 0, "e": 1}, "2": {"a": 0, "b": 1, "c": 1, "d": 0, "e": 0}}
RUNS = {
    "A": {"1": {"a": 5, "b": 4, "c": 3}, "2": {"d": 5, "b": 4, "a": 3}},
    "B": {"1": {"d": 5, "e": 4, "a": 3}, "2": {"c": 5, "e": 4, "b": 3}},
}
MODEL = {"1": {"a": 3, "b": 3, "c": 7, "d": 3, "e": 7}, "2": {"a": 3, "b": 7, "c": 7, "d": 3, "e": 3}}


pytestmark = pytest.mark.filterwarnings("ignore:.*with fewer than 24 intervals:cranfield.CranfieldWarning")


def prels(path: Path, sampled: dict[str, tuple[str, ...]]) -> Path:
    """Judgments of these documents, and the others as not sampled, in one stratum."""
    rows = [
        f"{t} 0 {d} 1 {label if d in sampled[t] else -1}\n" for t, docs in LABELS.items() for d, label in docs.items()
    ]
    path.write_text("".join(rows))
    return path


def test_a_sample_of_everything_is_the_score(tmp_path: Path) -> None:
    measures = ["P@3", "DCG@2", "nDCG@3", "RBP(p=0.8)", 'nDCG(dcg="exp-log2")@2']
    everything = prels(tmp_path / "s.prels", {t: tuple(docs) for t, docs in LABELS.items()})
    found = estimate_powered_scores(RUNS, everything, measures, predicted=MODEL).systems
    scored = cranfield.evaluate_means(RUNS, LABELS, measures)
    true = [scored[row.system][row.measure] for row in found.itertuples()]
    for column in ("mean_reference", "estimate", "low", "high"):
        assert found[column].tolist() == pytest.approx(true, abs=1e-12)


def test_few_documents_warn(tmp_path: Path) -> None:
    few = prels(tmp_path / "s.prels", {"1": ("a", "b"), "2": ("a", "b")})
    with pytest.warns(
        cranfield.CranfieldWarning, match="^4 sampled documents: with fewer than 24 intervals are too short"
    ):
        estimate_powered_scores(RUNS, few, "P@3")


def test_every_sample_of_two_documents(tmp_path: Path) -> None:
    """Over all 100 samples, people alone are right on average, but for the fit of shares to 4 documents."""
    true = cranfield.evaluate_means(RUNS, LABELS, ["P@3"])
    pairs = list(combinations("abcde", 2))
    estimates, halves = [], []
    for first in pairs:
        for second in pairs:
            file = prels(tmp_path / "s.prels", {"1": first, "2": second})
            rows = estimate_powered_scores(RUNS, file, "P@3").systems
            estimates.append(rows["mean_reference"].tolist())
            half = (rows["mean_reference_high"] - rows["mean_reference_low"]) / 2
            halves.append(half.tolist())
    assert np.mean(estimates, axis=0) == pytest.approx([true[name]["P@3"] for name in "AB"], abs=0.04)
    assert (np.array(halves) >= 0).all()


def by_hand(sampled: dict[str, tuple[str, ...]], system: str, coded: dict[str, dict[str, int]]) -> tuple[float, float]:
    """P@3 by the difference estimator with shares of labels written out, and its standard error."""
    weight, relevant, total = 5 / 2, {}, {}
    every = [(t, d) for t in sampled for d in sampled[t]]
    overall = sum(LABELS[t][d] >= 1 for t, d in every) / len(every)
    for code in {coded[t][d] for t in coded for d in coded[t]}:
        mine = [(t, d) for t, d in every if coded[t][d] == code]
        total[code], relevant[code] = weight * len(mine), weight * sum(LABELS[t][d] >= 1 for t, d in mine)
    of_label = {code: (relevant[code] + 2 * weight * overall) / (total[code] + 2 * weight) for code in total}
    p = {code: (relevant[code] + 2 * weight * of_label[code]) / (total[code] + 2 * weight) for code in total}
    values, variance = [], 0.0
    for topic, docs in sampled.items():
        top = RUNS[system][topic]
        off = [(LABELS[topic][d] >= 1) - p[coded[topic][d]] if d in top else 0.0 for d in docs]
        values.append(sum(p[coded[topic][d]] for d in top) / 3 + weight * sum(off) / 3)
        variance += 25 * (1 - 2 / 5) * np.var(np.array(off) / 3, ddof=1) / 2
    return float(np.mean(values)), float(np.sqrt(variance)) / 2


def test_written_out(tmp_path: Path) -> None:
    sampled = {"1": ("a", "d"), "2": ("b", "e")}
    found = estimate_powered_scores(RUNS, prels(tmp_path / "s.prels", sampled), "P@3", predicted=MODEL)
    none = {t: dict.fromkeys(docs, 0) for t, docs in MODEL.items()}
    for row in found.systems.itertuples():
        for coded, names in ((none, ("mean_reference", "mean_reference_high")), (MODEL, ("estimate", "high"))):
            value, error = by_hand(sampled, row.system, coded)
            assert getattr(row, names[0]) == pytest.approx(value, abs=1e-12)
            # Two strata of two sampled documents each have between 1 and 2 degrees of freedom.
            reach = getattr(row, names[1]) - value
            assert error * stats.t.ppf(0.975, 2) - 1e-9 <= reach <= error * stats.t.ppf(0.975, 1) + 1e-9
    for row in found.pairs.itertuples():
        assert row.estimate == pytest.approx(found.systems["estimate"][0] - found.systems["estimate"][1])


def test_intervals_hold_the_truth_and_a_model_shortens_them() -> None:
    """15 samples of a fifth of the documents; a model that is wrong in a fifth of its labels."""
    made = cranfield.simulation.simulate_runs(n_systems=4, n_topics=30)
    labels, rng = made.qrels.to_dict(), np.random.default_rng(1)
    runs = {
        run.name: {t: {d: s for d, s in list(docs.items())[:10] if d in labels[t]} for t, docs in run.to_dict().items()}
        for run in made.runs
    }
    model = {t: {d: v if rng.random() < 0.8 else float(v < 1) for d, v in docs.items()} for t, docs in labels.items()}
    words = {"qrels": labels, "only_judged": True}
    measures = ["P@10", "nDCG@10"]
    true = estimate_powered_scores(runs, sample_pool(runs, strata={10: 1}, **words).to_qrels(), measures).systems
    covered, widths = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(15):
            drawn = sample_pool(runs, strata={10: 0.2}, seed=seed, **words).to_qrels()
            found = estimate_powered_scores(runs, drawn, measures, predicted=model).systems
            covered.append(found["low"].le(true["estimate"]) & found["high"].ge(true["estimate"]))
            widths.append(found["width"])
    assert np.mean(covered) >= 0.9  # 120 intervals, of which eight share a sample
    assert np.mean(widths) < 0.9


def test_topics_like_these_are_wider(tmp_path: Path) -> None:
    drawn = sample_pool(RUNS, strata={3: 0.7}, qrels=LABELS).to_qrels()
    fixed, sampled = (estimate_powered_scores(RUNS, drawn, "P@3", topic_sample=which) for which in ("fixed", "sampled"))
    assert fixed.systems["estimate"].tolist() == sampled.systems["estimate"].tolist()
    assert "topics like these" in sampled.caption("systems")
    spread = sampled.pairs["high"] - sampled.pairs["low"]
    assert (spread > 0).all()


def test_what_is_refused(tmp_path: Path) -> None:
    file = prels(tmp_path / "s.prels", {"1": ("a", "d"), "2": ("b", "e")})
    with pytest.raises(MeasureError, match="AP is not a sum of what documents add"):
        estimate_powered_scores(RUNS, file, "AP")
    with pytest.raises(MeasureError, match="R@3 is not a sum"):
        estimate_powered_scores(RUNS, file, "R@3")
    with pytest.raises(InputError, match="1 document of the first 2 documents of runs is not in the pool"):
        estimate_powered_scores(RUNS | {"C": {"1": {"z": 1}, "2": {"a": 1}}}, file, "P@2")
    with pytest.raises(InputError, match="nothing was sampled of 1 of 2 strata"):
        estimate_powered_scores(RUNS, prels(tmp_path / "t.prels", {"1": (), "2": ("b", "e")}), "P@3")
    with pytest.raises(InputError, match="100% of the documents that people judged have a label of the model, and 0%"):
        estimate_powered_scores(RUNS, file, "P@3", predicted=file)
    with pytest.raises(InputError, match="labels no document of the pool"):
        estimate_powered_scores(RUNS, file, "P@3", predicted={"9": {"a": 1}})
    with pytest.warns(UserWarning, match="one document was sampled of 1 of 2 strata"):
        estimate_powered_scores(RUNS, prels(tmp_path / "u.prels", {"1": ("a",), "2": ("b", "e")}), "P@3")


def test_probabilities_are_those_of_the_draw() -> None:
    found = sample_pool(RUNS, strata={1: 1, 3: 0.5})
    pool = found.to_frame("pool")
    for row in found.documents.itertuples():
        alike = pool[(pool["topic"] == row.topic) & (pool["stratum"] == row.stratum)]
        assert row.probability == alike["sampled"].mean()
