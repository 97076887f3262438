"""Errors of sampling: derivatives by differences, unbiasedness over all samples, intervals over many."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

import cranfield
from cranfield import UsageError
from cranfield.errors import MeasureError
from cranfield.pooling import estimate_sampling_error

Judged = dict[str, tuple[str, int]]
"""Document -> stratum and label, -1 where it was not sampled."""

POOL = {"a": ("1", 1), "b": ("1", 0), "c": ("2", 1), "d": ("2", 0), "e": ("2", 2), "f": ("2", 1), "g": ("2", 0)}
RANKED = ["c", "a", "x", "d", "e", "b", "f"]
E5 = 1e-5


def prels(path: Path, topics: dict[str, Judged]) -> Path:
    lines = [f"{t} 0 {d} {s} {label}\n" for t, pool in topics.items() for d, (s, label) in pool.items()]
    path.write_text("".join(lines))
    return path


def run_of(ranked: list[str], topics: tuple[str, ...] = ("1",)) -> dict[str, dict[str, float]]:
    return {topic: {document: -float(rank) for rank, document in enumerate(ranked)} for topic in topics}


def totals(weight: dict[str, float], pool: Judged, ranked: list[str], measure: str) -> tuple[float, float]:
    """The totals above and below the line, as functions of the weight of each sampled document."""
    strata = {stratum for stratum, _ in pool.values()}
    if measure == "xinfAP":
        found = 0.0
        for place, document in enumerate(ranked):
            if document in weight and pool[document][1] > 0:
                above = [one for one in ranked[:place] if one in pool]
                precision = 1.0
                for stratum in strata:
                    here = [one for one in above if pool[one][0] == stratum]
                    seen = [one for one in here if one in weight]
                    share = sum(weight[one] for one in seen if pool[one][1] > 0), sum(weight[one] for one in seen)
                    precision += len(here) * (share[0] / share[1] if seen else 1 / 3)
                found += weight[document] * precision / (place + 1)
        return found, sum(one for document, one in weight.items() if pool[document][1] > 0)
    found = 0.0
    for stratum in strata:
        here = [(place, one) for place, one in enumerate(ranked, 1) if one in pool and pool[one][0] == stratum]
        seen = [(place, one) for place, one in here if one in weight]
        gain = sum(weight[one] * pool[one][1] / math.log2(place + 1) for place, one in seen)
        found += len(here) * gain / sum(weight[one] for _, one in seen) if seen else 0.0
    # The ideal list with a discount that is smooth in the number of documents of each gain.
    counts = {gain: sum(weight[one] for one in weight if pool[one][1] == gain) for gain in (2, 1)}
    ends = counts[2], counts[2] + counts[1]
    return found, (smooth(ends[0]) - smooth(0)) * 2 + smooth(ends[1]) - smooth(ends[0])


def smooth(end: float) -> float:
    """An integral of 1/log2(x + 1.5), by Simpson's rule."""
    grid = np.linspace(0.0, end, 2001)
    values = 1 / np.log2(grid + 1.5)
    return float((values[:-1] + values[1:]).sum() / 2 * (grid[1] if end else 0.0))


def jackknife(pool: Judged, ranked: list[str], measure: str, value: float, total: float) -> tuple[float, float]:
    """Error and bias with derivatives by differences, sum by sum; ``total`` is the one below the line."""
    size = {s: [d for d in pool if pool[d][0] == s] for s, _ in pool.values()}
    some = {s: [d for d in docs if pool[d][1] >= 0] for s, docs in size.items()}
    weight = {d: len(size[s]) / len(docs) for s, docs in some.items() for d in docs}
    variance = bias = 0.0
    for s, docs in some.items():
        moves = []
        for document in docs:
            up, down = ({**weight, document: weight[document] + step} for step in (1e-4, -1e-4))
            ends = zip(totals(up, pool, ranked, measure), totals(down, pool, ranked, measure), strict=True)
            moves.append([(one - other) / 2e-4 for one, other in ends])
        n, whole = len(docs), len(size[s])
        means = [sum(column) / n for column in zip(*moves, strict=True)]
        lost = [[whole / (n - 1) * (one - mean) for one, mean in zip(row, means, strict=True)] for row in moves]
        thetas = [(value * total - found) / (total - ideal) for found, ideal in lost]
        middle = sum(thetas) / n
        variance += (1 - n / whole) * (n - 1) / n * sum((theta - middle) ** 2 for theta in thetas)
        bias += (1 - n / whole) * (n - 1) * (middle - value)
    return math.sqrt(variance), bias


@pytest.mark.parametrize("measure", ["xinfAP", "infNDCG"])
@pytest.mark.parametrize("sampled", ["cde", "cdf", "defg", "eg"])
def test_equal_to_a_jackknife_with_derivatives_by_differences(tmp_path: Path, measure: str, sampled: str) -> None:
    pool = {d: (s, label if s == "1" or d in sampled else -1) for d, (s, label) in POOL.items()}
    name = measure if measure == "xinfAP" else 'infNDCG(counts="fraction")'
    found = estimate_sampling_error(run_of(RANKED), prels(tmp_path / "s.prels", {"1": pool}), [name]).topics.iloc[0]
    weights = {s: sum(one[0] == s for one in pool.values()) for s in "12"}
    weights = {s: n / sum(one[0] == s and one[1] >= 0 for one in pool.values()) for s, n in weights.items()}
    counts = {g: sum(weights[s] for s, label in pool.values() if label == g) for g in (2, 1)}
    ranks, steps = np.arange(20), 1 / np.log2(np.arange(19) + 2)
    down = np.interp([0, counts[2], counts[2] + counts[1]], ranks, np.concatenate([[0], np.cumsum(steps)]))
    total = sum(counts.values()) if measure == "xinfAP" else 2 * down[1] + down[2] - down[1]
    error, bias = jackknife(pool, RANKED, measure, float(found["score"]), float(total))
    assert error > 0.01
    assert found["error"] == pytest.approx(error, rel=2e-4)
    assert found["bias"] == pytest.approx(bias, rel=2e-4, abs=1e-6)


def test_over_all_samples_the_total_is_right_but_for_shares_that_nobody_saw(tmp_path: Path) -> None:
    """All 10 samples of 3 of the 5 documents of stratum 2.

    xinfAP times its R, on average, is AP times R, but for documents above which nothing of a stratum was sampled: there
    1/3 stands for the share of relevant ones. What is left of the bias comes from dividing by an estimate of R.
    """
    relevant = {d for d, (_, label) in POOL.items() if label > 0}
    average = cranfield.evaluate_means(run_of(RANKED), {"1": {d: one[1] for d, one in POOL.items()}}, ["AP"])
    scores, sums, guessed = [], [], []
    for drawn in itertools.combinations("cdefg", 3):
        pool = {d: (s, label if s == "1" or d in drawn else -1) for d, (s, label) in POOL.items()}
        row = estimate_sampling_error(run_of(RANKED), prels(tmp_path / "s.prels", {"1": pool}), ["xinfAP"]).topics
        total = 1 + 5 / 3 * len(relevant & set(drawn))
        scores.append(float(row["score"].iloc[0]))
        sums.append(scores[-1] * total / len(relevant))
        unseen = 0.0
        for place, document in enumerate(RANKED, 1):
            weight = 0.0 if document not in relevant else 1.0 if document == "a" else 5 / 3 * (document in drawn)
            for stratum in "12":
                above = [d for d in RANKED[: place - 1] if d in POOL and POOL[d][0] == stratum]
                if not any(pool[d][1] >= 0 for d in above):
                    unseen += weight * (len(above) / 3 - len(relevant & set(above))) / place / len(relevant)
        guessed.append(unseen)
    truth = average["run"]["AP"]
    assert np.mean(sums) - np.mean(guessed) == pytest.approx(truth, abs=2e-5)
    assert abs(np.mean(guessed)) > 0.001
    # What dividing by an estimate of R does; here most of stratum 2 is relevant, and it lowers the score.
    assert np.mean(scores) - np.mean(sums) < -0.01


@pytest.mark.slow
def test_intervals_hold_the_truth_over_many_samples(tmp_path: Path) -> None:
    """15 topics, of each 40 documents: all of the first 10 are judged, and 10 of the 30 others."""
    rng = np.random.default_rng(11)
    topics = tuple(map(str, range(15)))
    labels = {t: (rng.random(40) < 0.6 / (1 + np.arange(40) / 8)).astype(int) for t in topics}
    run = run_of([f"d{number}" for number in range(0, 40, 2)], topics)
    qrels = {t: {f"d{number}": int(label) for number, label in enumerate(labels[t])} for t in topics}
    truth = cranfield.evaluate_means(run, qrels, ["AP", "nDCG"])["run"]
    rows = []
    for _ in range(40):
        whole: dict[str, Judged] = {}
        for t in topics:
            deep = set(rng.choice(np.arange(10, 40), 10, replace=False).tolist())
            whole[t] = {
                f"d{n}": ("1", int(label)) if n < 10 else ("2", int(label) if n in deep else -1)
                for n, label in enumerate(labels[t])
            }
        found = estimate_sampling_error(run, prels(tmp_path / "s.prels", whole)).systems
        rows.append(found[["score", "error", "bias", "lower", "upper"]].to_numpy(dtype=float))
    every = np.stack(rows)
    for number, true in enumerate(truth.values()):
        score, error, bias, lower, upper = every[:, number].T
        noise = score.std(ddof=1) / math.sqrt(len(score))
        assert abs((score - bias).mean() - true) < 4 * noise
        assert error.mean() == pytest.approx(score.std(ddof=1), rel=0.3)
        assert ((lower < true) & (true < upper)).mean() >= 0.87


def test_what_is_known_and_what_is_not(tmp_path: Path) -> None:
    """Topic 1 is judged whole; of topic 2 nothing was sampled of stratum 2; of topic 3 nothing relevant."""
    topics = {
        "1": POOL,
        "2": {d: (s, label if s == "1" else -1) for d, (s, label) in POOL.items()},
        "3": {d: (s, label if d in "bdg" else -1) for d, (s, label) in POOL.items()},
    }
    run = run_of(RANKED, tuple(topics))
    with pytest.warns(cranfield.CranfieldWarning, match="without"):
        found = estimate_sampling_error(run, prels(tmp_path / "s.prels", topics), ["xinfAP"])
    assert found.topics["error"].isna().tolist() == [False, True, True]
    assert found.topics["error"][0] == pytest.approx(0.0, abs=1e-12)
    assert found.systems[["without", "error"]].to_numpy().tolist() == [[2, pytest.approx(0.0, abs=1e-12)]]


def test_topics_were_sampled_independently(tmp_path: Path) -> None:
    sampled = {"1": "cde", "2": "eg"}
    topics = {
        topic: {d: (s, label if s == "1" or d in drawn else -1) for d, (s, label) in POOL.items()}
        for topic, drawn in sampled.items()
    }
    found = estimate_sampling_error(run_of(RANKED, ("1", "2")), prels(tmp_path / "s.prels", topics), ["xinfAP"])
    errors, mean = found.topics["error"], found.systems.iloc[0]
    assert mean["error"] == pytest.approx(math.hypot(*errors) / 2)
    assert mean["bias"] == pytest.approx(found.topics["bias"].mean())


def test_one_document_of_a_stratum_deviates_from_nothing(tmp_path: Path) -> None:
    """R = 1 + 5, the list ends at a: X = 2 + w(c) (1/1 + ...), of which only f, not retrieved, was sampled."""
    pool = {d: (s, label if s == "1" or d == "f" else -1) for d, (s, label) in POOL.items()}
    found = estimate_sampling_error(run_of(["a"]), prels(tmp_path / "s.prels", {"1": pool}), ["xinfAP"]).topics
    # Without f nothing of stratum 2 would be relevant: R falls from 6 to 1, and the value from 1/6 to 1.
    assert found["score"][0] == pytest.approx(1 / 6)
    assert found["error"][0] == pytest.approx(math.sqrt(1 - 1 / 5) * (1 - 1 / 6))


def test_odd_input_is_refused(tmp_path: Path) -> None:
    file = prels(tmp_path / "s.prels", {"1": POOL})
    with pytest.raises(UsageError, match="level=1 should lie between 0 and 1"):
        estimate_sampling_error(run_of(RANKED), file, level=1)
    with pytest.raises(MeasureError, match="AP would take documents that were not sampled"):
        estimate_sampling_error(run_of(RANKED), file, ["AP"])
    with pytest.raises(MeasureError, match="AP is not estimated from a sample of judgments, so that it has no error"):
        estimate_sampling_error(run_of(RANKED), {"1": {"a": 1}}, ["AP"])
