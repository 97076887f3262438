"""Every chart of a small collection whose names are strangers', with the result that it shows."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import cranfield
from cranfield import CranfieldWarning, plot
from cranfield.plot.saving import rendered

HOSTILE = (
    "</script><script>alert(1)</script>",
    '"onmouseover="alert(1)',
    "=HYPERLINK(1)",
    "../../x",
    "abc\u202edcb",
    "x" * 10_000,
    "datum.value; 'quoted' \\u0022 &amp; <b>",
    "plain",
)
MEASURES = ("nDCG@10", "AP", "P@5")


@functools.cache
def collection() -> tuple[dict[str, Any], dict[str, Any]]:
    """Runs by hostile names, and judgments of topics with such names."""
    made = cranfield.simulate_runs(systems=len(HOSTILE), topics=len(HOSTILE), depth=30, seed=3)
    topics = dict(zip(made.qrels.topics, (name[:4000] for name in HOSTILE), strict=True))
    runs = {
        name: {topics[topic]: dict(ranking) for topic, ranking in run.to_dict().items()}
        for name, run in zip(HOSTILE, made.runs, strict=True)
    }
    return runs, {topics[topic]: dict(pool) for topic, pool in made.qrels.to_dict().items()}


@functools.cache
def result(name: str) -> Any:
    """A result by the name of the function that makes it."""
    runs, qrels = collection()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        return RESULTS[name](runs, qrels)


def _intents(qrels: dict[str, dict[str, int]]) -> dict[str, dict[str, dict[str, int]]]:
    """The relevant documents of each topic dealt to three intents, the last with one that no run retrieves."""
    made = {}
    for topic, pool in qrels.items():
        relevant = [document for document, label in pool.items() if label > 0]
        made[topic] = {"1": dict.fromkeys(relevant[::2], 1), "2": dict.fromkeys(relevant[1::2], 1), "3": {"unseen": 1}}
    return made


def _judges(qrels: dict[str, dict[str, int]]) -> dict[str, Any]:
    flipped = {topic: {doc: int(label > 1) for doc, label in pool.items()} for topic, pool in qrels.items()}
    return {"human": qrels, HOSTILE[0]: flipped}


RESULTS: dict[str, Callable[[Any, Any], Any]] = {
    "scores": lambda runs, qrels: cranfield.evaluate(runs, qrels, MEASURES),
    "difficulty": lambda runs, qrels: cranfield.estimate_difficulty(runs, qrels, 10),
    "reliability": lambda runs, qrels: [cranfield.reliability(result("scores")[name]) for name in MEASURES],
    "stability": lambda runs, qrels: [cranfield.stability(result("scores")[name], subsets=20) for name in MEASURES],
    "sensitivity": lambda runs, qrels: cranfield.sensitivity(result("scores"), resamples=100),
    "agreement": lambda runs, qrels: cranfield.agreement(result("scores")),
    "taus": lambda runs, qrels: cranfield.information_taus(result("scores"), resamples=50),
    "difference": cranfield.information_difference,
    "headroom": lambda runs, qrels: cranfield.headroom(runs, qrels, permutations=2, candidates=4),
    "plane": lambda runs, qrels: cranfield.diversity_plane(runs, _intents(qrels), pair=(HOSTILE[0], HOSTILE[4])),
    "judges": lambda runs, qrels: cranfield.judge_agreement(runs, _judges(qrels)),
    "alone": lambda runs, qrels: _tau(),
    "conditional": lambda runs, qrels: _tau("P@5"),
    "within": lambda runs, qrels: cranfield.standardization_study(result("scores")["AP"], trials=20, topics=4),
    "between": lambda runs, qrels: cranfield.standardization_study(
        result("scores")["AP"], design="between", trials=20, topics=4
    ),
}


def _tau(*given: str) -> Any:
    scores = result("scores")
    return cranfield.information_tau(scores["nDCG@10"], scores["AP"], [scores[name] for name in given], resamples=50)


CHARTS: dict[str, Callable[[], Any]] = {
    "topic_difficulty": lambda: plot.topic_difficulty(result("difficulty")),
    "topic_difficulty, horizontal": lambda: plot.topic_difficulty(result("difficulty"), horizontal=True),
    "heat_map": lambda: plot.heat_map(result("scores")["AP"]),
    "d_study": lambda: plot.d_study(result("reliability")),
    "d_study, one": lambda: plot.d_study(result("reliability")[0]),
    "error_rates": lambda: plot.error_rates(result("stability")),
    "asl_curves": lambda: plot.asl_curves(result("sensitivity")),
    "agreement_matrix": lambda: plot.agreement_matrix(result("agreement")),
    "rank_scatter": lambda: plot.rank_scatter(result("agreement"), "AP"),
    "conditional_tau": lambda: plot.conditional_tau(result("taus")),
    "topic_tau": lambda: plot.topic_tau(result("alone"), result("conditional")),
    "system_map": lambda: plot.system_map(result("difference")),
    "dendrogram": lambda: plot.dendrogram(result("difference")),
    "information_shares": lambda: plot.information_shares(result("difference"), HOSTILE[0], HOSTILE[5]),
    "difference_scatter": lambda: plot.difference_scatter(result("difference"), result("scores")["AP"]),
    "headroom": lambda: plot.headroom(result("headroom")),
    "fused_pairs": lambda: plot.fused_pairs(result("headroom")),
    "diversity_plane": lambda: plot.diversity_plane(result("plane")),
    "intent_coverage": lambda: plot.intent_coverage(result("plane")),
    "topic_differences": lambda: plot.topic_differences(result("plane")),
    "judge_agreement": lambda: plot.judge_agreement(result("judges")),
    "measure_scatter": lambda: plot.measure_scatter(result("scores"), "AP", "nDCG@10"),
    "measures_by_system": lambda: plot.measures_by_system(result("scores")),
    "score_boxes": lambda: plot.score_boxes(
        {"raw": result("scores")["AP"], "E": cranfield.standardize(result("scores")["AP"])}
    ),
    "standardization_study": lambda: plot.standardization_study(result("within")),
    "standardization_study, between": lambda: plot.standardization_study(result("between")),
}


@functools.cache
def chart(name: str) -> Any:
    """One chart of ``CHARTS``, with warnings as errors."""
    return CHARTS[name]()


@functools.cache
def svg(name: str) -> str:
    """One chart of ``CHARTS`` as a picture."""
    return rendered(chart(name), ".svg").decode()


def rows(drawn: Any, *fields: str) -> list[dict[str, Any]]:
    """The data of a chart that have these fields."""
    datasets = drawn.to_dict()["datasets"].values()
    found = [row for data in datasets for row in data if set(fields) <= set(row)]
    assert found, fields
    return found
