"""Every public function that returns a result, called on a small collection: twice alike, and once in another way."""

from __future__ import annotations

import functools
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import xarray as xr

import cranfield
from cranfield import CranfieldWarning, Qrels, Run
from cranfield.results.result import Result


@functools.cache
def made() -> Any:
    """The collection, which no test changes."""
    return cranfield.simulate_runs(systems=5, topics=6, depth=20, seed=4)


def runs() -> list[Run]:
    return list(made().runs)


def qrels() -> Qrels:
    judgments: Qrels = made().qrels
    return judgments


@functools.cache
def second_judge() -> Qrels:
    labels = made().qrels.to_dict()
    binary = {topic: {document: int(label > 1) for document, label in pool.items()} for topic, pool in labels.items()}
    return Qrels.from_dict(binary, name="second")


@functools.cache
def with_intents() -> Qrels:
    labels: dict[str, dict[str, dict[str, float]]] = {}
    for topic, pool in made().qrels.to_dict().items():
        relevant = [document for document, label in pool.items() if label > 0]
        labels[topic] = {"1": dict.fromkeys(relevant[::2], 1), "2": dict.fromkeys(relevant[1::2], 1)}
    return Qrels.from_dict(labels, name="intents", by_intent=True)


@functools.cache
def scores() -> xr.Dataset:
    return cranfield.evaluate(runs(), qrels(), ["nDCG@10", "AP", "P@5"])


def one() -> xr.Dataset:
    """Scores by one measure, with their signature."""
    return scores()[["AP"]]


def signed(measure: str) -> xr.DataArray:
    return scores()[measure].assign_attrs(signature=scores().attrs["signature"])


def factors(**options: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "factors.json"
        cranfield.fit_standardization(scores()).write_factors(path)
        return cranfield.read_factors(path, **options)


def judges() -> dict[str, Qrels]:
    return {"first": qrels(), "second": second_judge()}


def plane(**options: Any) -> Any:
    names = [run.name for run in runs()]
    return cranfield.diversity_plane(runs(), with_intents(), pair=(names[0], names[1]), **options)


CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "agreement": (lambda **o: cranfield.agreement(scores(), **o), {"alpha": 0.1}),
    "audit": (lambda **o: cranfield.audit(scores(), resamples=50, subsets=20, **o), {"target": 0.9}),
    "compare": (lambda **o: cranfield.compare(one(), **o), {"test": "wilcoxon"}),
    "describe_labels": (lambda **o: cranfield.describe_labels(qrels(), **o), {"cutoff": 3}),
    "detectable_difference": (lambda **o: cranfield.detectable_difference(one(), **o), {"topics": 9}),
    "difficulty": (lambda **o: cranfield.difficulty(cranfield.judge(runs(), qrels()), **o), {"cutoff": 3}),
    "difficulty_alternatives": (
        lambda **o: cranfield.difficulty_alternatives(runs(), qrels(), **o),
        {"cutoff": 3},
    ),
    "diversity_plane": (plane, {"cutoff": 3}),
    "estimate_difficulty": (lambda **o: cranfield.estimate_difficulty(runs(), qrels(), **o), {"cutoff": 3}),
    "fit_standardization": (lambda **o: cranfield.fit_standardization(scores(), **o), {"scheme": "N"}),
    "headroom": (lambda **o: cranfield.headroom(runs(), qrels(), permutations=2, **o), {"candidates": 3}),
    "information_difference": (
        lambda **o: cranfield.information_difference(runs(), qrels(), **o),
        {"cutoff": 3},
    ),
    "information_tau": (
        lambda **o: cranfield.information_tau(signed("AP"), signed("P@5"), resamples=20, **o),
        {"ties": "ternary"},
    ),
    "information_taus": (lambda **o: cranfield.information_taus(scores(), resamples=20, **o), {"ties": "ternary"}),
    "joint_ric": (lambda **o: cranfield.joint_ric(runs(), qrels(), permutations=2, **o), {"seed": 2}),
    "judge_agreement": (lambda **o: cranfield.judge_agreement(runs(), judges(), "AP", **o), {"alpha": 0.1}),
    "label_agreement": (lambda **o: cranfield.label_agreement(judges(), **o), {"relevant": 2}),
    "read_factors": (factors, {"scheme": "t(5)"}),
    "reliability": (lambda **o: cranfield.reliability(one(), **o), {"target": 0.9}),
    "select_systems": (
        lambda **o: cranfield.select_systems(runs(), qrels(), permutations=2, **{"size": 2} | o),
        {"size": 3},
    ),
    "select_topics": (lambda **o: cranfield.select_topics(one(), **{"n": 3} | o), {"n": 4}),
    "sensitivity": (lambda **o: cranfield.sensitivity(scores(), resamples=50, **o), {"seed": 2}),
    "simulate_runs": (lambda **o: cranfield.simulate_runs(systems=2, topics=2, depth=5, **o), {"seed": 2}),
    "simulate_scores": (lambda **o: cranfield.simulate_scores(one(), **o), {"seed": 2}),
    "stability": (lambda **o: cranfield.stability(one(), subsets=20, **o), {"seed": 2}),
    "standardization_study": (
        lambda **o: cranfield.standardization_study(one(), topics=3, trials=10, **o),
        {"design": "between"},
    ),
    "topics_needed": (lambda **o: cranfield.topics_needed(one(), 0.1, **o), {"power": 0.9}),
}
"""Function -> a call, and options that make another result of it."""
OWN_INPUTS: dict[str, Callable[[], set[str]]] = {
    "describe_labels": lambda: {qrels().digest},
    "difficulty": set,  # of rankings, which are hashed as they were judged
    "diversity_plane": lambda: {with_intents().digest, *(run.digest for run in runs())},
    "judge_agreement": lambda: {qrels().digest, second_judge().digest, *(run.digest for run in runs())},
    "label_agreement": lambda: {qrels().digest, second_judge().digest},
    "simulate_runs": set,
}
"""Function -> hashes of what it was given, where that is not all the runs and judgments."""


def inputs(name: str) -> set[str]:
    """Hashes of what a call was given."""
    return OWN_INPUTS.get(name, lambda: {qrels().digest, *(run.digest for run in runs())})()


def result(name: str, **options: Any) -> Result:
    """What a call gives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        found: Result = CALLS[name][0](**options)
        return found


usual = functools.cache(result)


@functools.cache
def other(name: str) -> Result:
    return result(name, **CALLS[name][1])
