"""Every public function that returns a result, called on a small collection: twice alike, and once in another way."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import xarray as xr

import cranfield
from cranfield import CranfieldWarning, Qrels, Run
from cranfield.cli import DECLARED
from cranfield.results import Result

LEADERBOARD = import_module("cranfield.comparison.leaderboard")
OF_HOLES = import_module("cranfield.holes.leaderboard")
"""Modules whose functions are those of commands alone."""

CASES = Path(__file__).parents[2] / "conformance" / "cases" / "precision-at-3--short-list.json"


@functools.cache
def made() -> Any:
    """The collection, which no test changes."""
    return cranfield.simulation.simulate_runs(n_systems=5, n_topics=6, depth=20, seed=4)


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
def third_judge() -> Qrels:
    labels = made().qrels.to_dict()
    lower = {topic: {document: max(label - 1, 0) for document, label in pool.items()} for topic, pool in labels.items()}
    return Qrels.from_dict(lower, name="third")


@functools.cache
def holes() -> cranfield.holes.Holes:
    return cranfield.estimate_holes(runs(), sparse_qrels(), depth=5)


def sparse_qrels() -> Qrels:
    labels = made().qrels.to_dict()
    return Qrels.from_dict({topic: dict(list(pool.items())[::2]) for topic, pool in labels.items()}, name="sparse")


@functools.cache
def sampled() -> Qrels:
    return cranfield.pooling.sample_pool(runs(), strata={3: 0.5}, qrels=whole_qrels()).to_qrels()


@functools.cache
def whole_qrels() -> Qrels:
    """Labels of all that is retrieved, 0 where there is none."""
    known = made().qrels.to_dict()
    lists = [(topic, document) for run in runs() for topic, ranked in run.to_dict().items() for document in ranked]
    labels: dict[str, dict[str, float]] = {}
    for topic, document in lists:
        labels.setdefault(topic, {})[document] = known.get(topic, {}).get(document, 0)
    return Qrels.from_dict(labels, name="whole")


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


def halves() -> dict[str, str]:
    """The first topics, and the others."""
    topics = [str(topic) for topic in scores()["topic"].values]
    return {topic: "first" if number < len(topics) // 2 else "other" for number, topic in enumerate(topics)}


def by_ap() -> dict[str, float]:
    return {str(topic): float(ap) for topic, ap in one()["AP"].mean("system").to_series().items()}


def by_precision() -> dict[str, float]:
    return {str(topic): float(p) for topic, p in scores()["P@5"].mean("system").to_series().items()}


def signed(measure: str) -> xr.DataArray:
    return scores()[measure].assign_attrs(signature=scores().attrs["signature"])


def factors(**options: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "factors.json"
        cranfield.standardization.fit_standardization(scores()).write_factors(path)
        return cranfield.standardization.read_factors(path, **options)


def partitioned(**options: Any) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as folder:
        pq.write_table(pa.table({"qid": [1, 1], "docno": [1, 2], "score": [1.0, 2.0]}), Path(folder) / "run.parquet")
        run = cranfield.partitions.Dataset(folder, name="run")
        return cranfield.partitions.evaluate_partitions(run, {"1": {"1": 1}}, ["AP", "P@5"], **options)


def judges() -> dict[str, Qrels]:
    return {"first": qrels(), "second": second_judge()}


def panel(**options: Any) -> Any:
    return cranfield.agreement.estimate_panel({**judges(), "third": third_judge()}, **{"resamples": 20, **options})


def plane(**options: Any) -> Any:
    names = [run.name for run in runs()]
    return cranfield.comparison.map_diversity(runs(), with_intents(), pair=(names[0], names[1]), **options)


@functools.cache
def folder() -> Path:
    """The collection as files, for what takes no other."""
    place = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, place)
    made().write_collection(place)
    return place


def check(**options: Any) -> Any:
    return cranfield.check([str(folder() / "runs" / "*.run")], str(folder() / "qrels.txt"), **options)


@functools.cache
def verdicts() -> Any:
    """The verdicts of two judges on the same pairs, which two measures imply."""
    import pandas as pd

    converted = [cranfield.pairwise.convert_scores(scores()[[name]]).to_frame() for name in ("AP", "P@5")]
    return cranfield.pairwise.PairVerdicts.of(pd.concat(converted))


def powered(**options: Any) -> Any:
    return cranfield.agreement.estimate_powered_means(one().isel(topic=slice(0, 4)), one(), **options)


OWN_CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "measure_order_effect": (lambda **o: cranfield.pairwise.measure_order_effect(verdicts(), **o), {"alpha": 0.1}),
    "count_triads": (lambda **o: cranfield.pairwise.count_triads(verdicts(), **o), {"alpha": 0.1}),
    "count_wins": (lambda **o: cranfield.pairwise.count_wins(verdicts(), **o), {"weights": "verdicts"}),
    "estimate_strengths": (
        lambda **o: cranfield.pairwise.estimate_strengths(verdicts(), **{"resamples": 50, "prior": 1.0} | o),
        {"pair_ties": "davidson"},
    ),
    "list_verdicts": (lambda **o: cranfield.pairwise.list_verdicts(one(), **o), {"threshold": 0.3}),
    "compare_verdicts": (
        lambda **o: cranfield.pairwise.compare_verdicts(verdicts(), **{"prior": 1.0} | o),
        {"prior": 2.0},
    ),
    "compare_with_scores": (
        lambda **o: cranfield.pairwise.compare_with_scores(verdicts(), one(), **{"resamples": 20, "prior": 1.0} | o),
        {"seed": 2},
    ),
    "compare_leaderboards": (
        lambda **o: cranfield.agreement.compare_leaderboards(scores(), **{"resamples": 20, **o}),
        {"level": 0.9},
    ),
    "board": (lambda **o: cranfield.board(one()["AP"], **o), {"aggregate": "borda"}),
    "compute_dominance_shares": (
        lambda **o: cranfield.comparison.compute_dominance_shares(runs(), qrels(), ["nDCG@10", "AP"], **o),
        {"alpha": 0.1},
    ),
    "run": (lambda **o: cranfield.conformance.run(CASES, **o), {"tolerance": 1e-6}),
    "compare_rankings": (lambda **o: cranfield.compare_rankings(scores(), **o), {"alpha": 0.1}),
    "audit": (lambda **o: cranfield.audit(scores(), resamples=50, subsets=20, **o), {"target": 0.9}),
    "check": (check, {"depth": 3}),
    "compare": (lambda **o: cranfield.compare(one(), **o), {"test": "wilcoxon"}),
    "add_preferences": (
        lambda **o: cranfield.comparison.add_preferences(
            cranfield.compare(one(), **o), cranfield.comparison.prefer(runs(), qrels())
        ),
        {"test": "wilcoxon"},
    ),
    "average_collections": (
        lambda called="one": cranfield.comparison.average_collections({called: scores()}),
        {"called": "two"},
    ),
    "repeat_by_group": (
        lambda **o: cranfield.repeat_by_group(cranfield.compare, one(), halves(), **o),
        {"test": "wilcoxon"},
    ),
    "gate": (lambda **o: cranfield.comparison.gate(scores(), **o), {"margin": 0.2}),
    "untested_gate": (
        lambda **o: cranfield.comparison.regression_gate.gate.untested_gate(scores(), "few topics", "cannot tell", **o),
        {"margin": 0.2},
    ),
    "assert_no_regression": (
        lambda **o: cranfield.assert_no_regression(
            runs()[1:], qrels(), **{"margin": 2.0} | o, baseline=runs()[0], cannot_tell="pass"
        ),
        {"margin": 3.0},
    ),
    "describe_labels": (lambda **o: cranfield.describe_labels(qrels(), **o), {"cutoff": 3}),
    "describe_label_effects": (lambda **o: cranfield.describe_label_effects(runs(), qrels(), **o), {"cutoff": 3}),
    "estimate_detectable_difference": (
        lambda **o: cranfield.comparison.estimate_detectable_difference(one(), **o),
        {"n_topics": 9},
    ),
    "compute_difficulty": (
        lambda **o: cranfield.topic_difficulty.compute_difficulty(
            cranfield.evaluation.make_rankings(runs(), qrels()), **o
        ),
        {"cutoff": 3},
    ),
    "compute_prediction_errors": (
        lambda **o: cranfield.topic_difficulty.compute_prediction_errors(
            **{"predictions": by_precision(), "effectiveness": by_ap()} | o
        ),
        {"effectiveness": {topic: -ap for topic, ap in by_ap().items()}},
    ),
    "estimate_powered_means": (powered, {"tuning": 0.5}),
    "estimate_difficulty_otherwise": (
        lambda **o: cranfield.topic_difficulty.estimate_difficulty_otherwise(runs(), qrels(), **o),
        {"cutoff": 3},
    ),
    "map_diversity": (plane, {"cutoff": 3}),
    "fit_standardization": (lambda **o: cranfield.standardization.fit_standardization(scores(), **o), {"scheme": "N"}),
    "estimate_headroom": (
        lambda **o: cranfield.estimate_headroom(runs(), qrels(), permutations=2, **o),
        {"candidates": 3},
    ),
    "diff": (lambda **o: cranfield.diff(*runs()[:2], qrels(), "AP", **o), {"depth": 5}),
    "compare_orders": (
        lambda **o: cranfield.information.compare_orders(scores(), resamples=20, **o),
        {"tau_ties": "ternary"},
    ),
    "compute_information_tau": (
        lambda **o: cranfield.information.compute_information_tau(signed("AP"), signed("P@5"), resamples=20, **o),
        {"tau_ties": "ternary"},
    ),
    "compute_information_taus": (
        lambda **o: cranfield.information.compute_information_taus(scores(), resamples=20, **o),
        {"tau_ties": "ternary"},
    ),
    "estimate_information_tau_null": (
        lambda **o: cranfield.information.estimate_information_tau_null(signed("AP"), signed("P@5"), **o),
        {"tau_ties": "ternary"},
    ),
    "compute_joint_ric": (
        lambda **o: cranfield.information.compute_joint_ric(runs(), qrels(), permutations=2, **o),
        {"seed": 2},
    ),
    "compare_judges": (lambda **o: cranfield.agreement.compare_judges(runs(), judges(), "AP", **o), {"alpha": 0.1}),
    "compare_reproduction": (
        lambda **o: cranfield.comparison.compare_reproduction(runs()[:2], runs()[2:4], qrels(), **o),
        {"depth": 5},
    ),
    "compare_scales": (
        lambda **o: cranfield.trust.compare_scales(runs(), qrels(), ["P@3", "nDCG@3"], **o),
        {"test": "wilcoxon"},
    ),
    "combine_labels": (lambda **o: cranfield.agreement.combine_labels(judges(), **o), {"vote_ties": "high"}),
    "estimate_panel": (panel, {"level": 0.9}),
    "compare_labels": (lambda **o: cranfield.agreement.compare_labels(judges(), **o), {"rel": 2}),
    "weigh_judges": (lambda **o: cranfield.information.weigh_judges(judges(), **o), {"cost": 2}),
    "read_factors": (factors, {"scheme": "t(5)"}),
    "estimate_budget": (
        lambda **o: cranfield.pooling.estimate_budget(runs(), qrels(), "AP", trials=1, budgets=[2, 5], **o),
        {"orders": ["mtf"]},
    ),
    "estimate_reusability": (
        lambda **o: cranfield.pooling.estimate_reusability(runs(), qrels(), "AP", **o),
        {"depth": 3},
    ),
    "estimate_by_bootstrap": (
        lambda **o: cranfield.holes.estimate_by_bootstrap(runs(), sparse_qrels(), **{"draws": 200, **o}),
        {"seed": 2},
    ),
    "estimate_scores": (
        lambda **o: OF_HOLES.estimate_scores(runs(), sparse_qrels(), "P@5", **{"draws": 200, **o}),
        {"seed": 2},
    ),
    "make_leaderboard": (
        lambda **o: LEADERBOARD.make_leaderboard(runs(), qrels(), **{"measures": "P@5", **o}),
        {"bounds": True},
    ),
    "Holes.evaluate": (lambda **o: holes().evaluate("P@5", **{"draws": 200, **o}), {"seed": 2}),
    "Holes.gate": (
        lambda **o: holes().gate(holes().systems[0], "P@5", **{"draws": 200, **o}),
        {"seed": 2, "margin": 0.1},
    ),
    "Holes.compare": (lambda **o: holes().compare(*holes().systems[:2], "P@5", **{"draws": 200, **o}), {"seed": 2}),
    "gate_estimates": (
        lambda **o: cranfield.holes.gate_estimates(runs(), sparse_qrels(), "P@5", **{"draws": 200, **o}),
        {"margin": 0.2},
    ),
    "estimate_differences": (
        lambda **o: cranfield.holes.estimate_differences(runs(), sparse_qrels(), "P@5", **{"draws": 200, **o}),
        {"seed": 2},
    ),
    "Holes.judge_next": (
        lambda **o: holes().judge_next(*holes().systems[:2], "P@5", **{"draws": 200, **o}),
        {"seed": 2},
    ),
    "select_judgments": (
        lambda **o: cranfield.holes.select_judgments(runs()[:2], sparse_qrels(), "P@5", **{"draws": 200, **o}),
        {"seed": 2},
    ),
    "list_documents": (lambda **o: cranfield.pooling.list_documents(runs(), **o), {"depth": 5}),
    "sample_pool": (lambda **o: cranfield.pooling.sample_pool(runs(), **o), {"seed": 2}),
    "estimate_powered_scores": (
        lambda **o: cranfield.pooling.estimate_powered_scores(runs(), sampled(), "DCG@3", predicted=whole_qrels(), **o),
        {"level": 0.9},
    ),
    "estimate_sampling_error": (
        lambda **o: cranfield.pooling.estimate_sampling_error(runs(), qrels(), "xinfAP", **o),
        {"level": 0.9},
    ),
    "estimate_abstention": (
        lambda **o: cranfield.trust.estimate_abstention(runs(), qrels(), **{"measure": "AP", **o}),
        {"measure": "RR"},
    ),
    "find_penalty_changes": (
        lambda **o: cranfield.trust.find_penalty_changes(runs(), qrels(), **{"harmful": 1} | o),
        {"largest": 5},
    ),
    "estimate_cluster_reliability": (
        lambda **o: cranfield.trust.estimate_cluster_reliability(
            one(), {str(topic): int(at) % 5 for at, topic in enumerate(one()["topic"].values)}, **o
        ),
        {"cluster_cost": 4},
    ),
    "estimate_replicate_reliability": (
        lambda **o: cranfield.trust.estimate_replicate_reliability(
            one().isel(system=slice(0, 4)),
            {str(run): at // 2 for at, run in enumerate(one()["system"].values[:4])},
            **o,
        ),
        {"n_replicates": [5]},
    ),
    "select_systems": (
        lambda **o: cranfield.information.select_systems(runs(), qrels(), permutations=2, **{"n_systems": 2} | o),
        {"n_systems": 3},
    ),
    "select_topics": (lambda **o: cranfield.select_topics(one(), **{"n_topics": 3} | o), {"n_topics": 4}),
    "estimate_sensitivity": (
        lambda **o: cranfield.trust.estimate_sensitivity(scores(), resamples=50, **o),
        {"seed": 2},
    ),
    "simulate_runs": (
        lambda **o: cranfield.simulation.simulate_runs(n_systems=2, n_topics=2, depth=5, **o),
        {"seed": 2},
    ),
    "simulate_scores": (lambda **o: cranfield.simulation.simulate_scores(one(), **o), {"seed": 2}),
    "evaluate_partitions": (partitioned, {"keep_going": True}),
    "estimate_stability": (lambda **o: cranfield.trust.estimate_stability(one(), subsets=20, **o), {"seed": 2}),
    "study_tests": (
        lambda **o: cranfield.comparison.study_tests(one(), trials=3, resamples=40, **{"effects": 0.1} | o),
        {"effects": (0.05, 0.1)},
    ),
    "study_standardization": (
        lambda **o: cranfield.standardization.study_standardization(one(), n_topics=3, trials=10, **o),
        {"design": "between"},
    ),
    "estimate_standardized_means": (
        lambda **o: cranfield.standardization.estimate_standardized_means(
            one(), **{"resamples": 20, "scheme": "N"} | o
        ),
        {"level": 0.9},
    ),
    "estimate_topics_needed": (
        lambda **o: cranfield.comparison.estimate_topics_needed(one(), 0.1, **o),
        {"power": 0.9},
    ),
}
"""Function -> a call, and options that make another result of it, where these do not follow from its declaration."""


def is_of(listed: Any, *kinds: str) -> bool:
    """Whether an analysis declares inputs of one of some kinds."""
    return type(listed.facts.inputs).__name__ in kinds


def _derive_call(listed: Any) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Derive the call of an analysis of scores, or of runs, and an option that makes another result of it."""

    def call(**options: Any) -> Any:
        function = getattr(import_module(listed.module), listed.function)
        if is_of(listed, "FromRuns"):
            return function(runs(), qrels(), **options)
        return function(scores() if listed.facts.inputs.measures == "all" else one(), **options)

    return call, next(_find_others(listed))


def _find_others(listed: Any) -> Iterator[dict[str, Any]]:
    """Find values of options that are not the default: another choice, half of a number, a small integer."""
    options = [one for name, one in listed.options.items() if one.option.recorded and name != "missing_scores"]
    of_kind = {kind: [one for one in options if one.kind == kind] for kind in ("number", "choice", "integer")}
    yield from ({one.name: next(word for word in one.choices if word != one.default)} for one in of_kind["choice"])
    yield from ({one.name: one.default / 2} for one in of_kind["number"] if one.default)
    yield from ({one.name: [3] if one.several else 3} for one in of_kind["integer"])


CALLS = {
    listed.function: _derive_call(listed)
    for command in DECLARED.values()
    for listed in command.functions
    if is_of(listed, "FromScores", "FromRuns") and listed.function not in OWN_CALLS
} | OWN_CALLS
"""Function -> a call, and options that make another result of it."""
OWN_INPUTS: dict[str, Callable[[], set[str]]] = {
    "run": set,
    **dict.fromkeys(
        ("measure_order_effect", "count_triads", "count_wins", "estimate_strengths", "compare_verdicts"),
        lambda: {verdicts().digest},
    ),
    "list_verdicts": lambda: {cranfield.pairwise.convert_scores(one()).digest},
    "evaluate_partitions": lambda: {Qrels.from_dict({"1": {"1": 1}}).digest},
    "check": lambda: {sha256(path.read_bytes()).hexdigest() for path in folder().rglob("*.run")},
    "describe_labels": lambda: {qrels().digest},
    "compute_difficulty": set,  # of rankings, which are hashed as they were judged
    "compute_prediction_errors": set,  # of plain numbers, which are hashed
    "map_diversity": lambda: {with_intents().digest, *(run.digest for run in runs())},
    **dict.fromkeys(
        (
            "estimate_by_bootstrap",
            "estimate_differences",
            "gate_estimates",
            "estimate_scores",
            "Holes.evaluate",
            "Holes.compare",
            "Holes.gate",
            "Holes.judge_next",
        ),
        lambda: {sparse_qrels().digest, *(run.digest for run in runs())},
    ),
    "select_judgments": lambda: {sparse_qrels().digest, *(run.digest for run in runs()[:2])},
    "compare_judges": lambda: {qrels().digest, second_judge().digest, *(run.digest for run in runs())},
    "combine_labels": lambda: {qrels().digest, second_judge().digest},
    "estimate_panel": lambda: {qrels().digest, second_judge().digest, third_judge().digest},
    "compare_labels": lambda: {qrels().digest, second_judge().digest},
    "weigh_judges": lambda: {qrels().digest, second_judge().digest},
    "diff": lambda: {qrels().digest, *(run.digest for run in runs()[:2])},
    "compare_reproduction": lambda: {qrels().digest, *(run.digest for run in runs()[:4])},
    "list_documents": lambda: {run.digest for run in runs()},
    "sample_pool": lambda: {run.digest for run in runs()},
    "estimate_powered_scores": lambda: {sampled().digest, whole_qrels().digest, *(run.digest for run in runs())},
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
