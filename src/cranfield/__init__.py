"""Evaluate retrieval runs, and then evaluate the evaluation.

    import cranfield
    from cranfield import AP, nDCG

    scores = cranfield.evaluate("runs/*.run", "qrels.txt", [nDCG @ 10, AP, "RBP(p=0.9)"])
    cranfield.summarize(scores)

Five nouns carry everything: a **Run** (ranked documents by topic) and **Qrels** (labels by topic) are read from files,
frames or dicts; **Rankings** are runs seen through qrels, all that a measure sees; a **Measure** is declared once and
written ``nDCG @ 10``; **Scores** are an ``xarray.Dataset`` with dims (topic, system), signed with all that changes
its numbers. ``cranfield.measures`` holds one measure a file; every one is also an attribute here.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

_FACADE = {
    "CranfieldError": "cranfield.errors",
    "CranfieldWarning": "cranfield.errors",
    "Evidence": "cranfield.information.evidence",
    "FormatError": "cranfield.errors",
    "InputError": "cranfield.errors",
    "IntentWeights": "cranfield.collection.intent_weights",
    "Measure": "cranfield.measures",
    "MeasureError": "cranfield.errors",
    "Policy": "cranfield.collection.policy",
    "Preferences": "cranfield.collection.preferences",
    "Qrels": "cranfield.collection.qrels",
    "Rankings": "cranfield.collection.rankings",
    "Reading": "cranfield.collection.reading",
    "Run": "cranfield.collection.run",
    "TopicError": "cranfield.errors",
    "UsageError": "cranfield.errors",
    "agreement": "cranfield.synthesis.ranking_agreement",
    "audit": "cranfield.synthesis.audit",
    "check": "cranfield.checking",
    "compare": "cranfield.comparison.compare",
    "describe_labels": "cranfield.labels",
    "detectable_difference": "cranfield.comparison.topic_set_size",
    "difficulty": "cranfield.topic_difficulty.estimation",
    "difficulty_alternatives": "cranfield.topic_difficulty.alternatives",
    "difficulty_weighted_mean": "cranfield.topic_difficulty.weighting",
    "estimate_difficulty": "cranfield.topic_difficulty.estimation",
    "diversity_plane": "cranfield.synthesis.diversity",
    "evaluate": "cranfield.evaluation",
    "experiment": "cranfield.information.experiment",
    "fit_standardization": "cranfield.standardization.factors",
    "fuse": "cranfield.fusion.combination",
    "fusion_bounds": "cranfield.fusion.bounds",
    "headroom": "cranfield.synthesis.headroom",
    "information_difference": "cranfield.information.difference",
    "information_tau": "cranfield.information.tau",
    "information_taus": "cranfield.information.tau",
    "joint_ric": "cranfield.information.joint",
    "judge": "cranfield.evaluation",
    "judge_agreement": "cranfield.synthesis.judge_agreement",
    "label_agreement": "cranfield.synthesis.label_agreement",
    "measure": "cranfield.measures",
    "parse_measure": "cranfield.measures",
    "parse_measures": "cranfield.measures",
    "read_factors": "cranfield.standardization.factors",
    "read_intent_weights": "cranfield.io.ntcir",
    "read_preferences": "cranfield.io.preferences",
    "read_qrels": "cranfield.io.trec",
    "read_run": "cranfield.io.trec",
    "read_scores": "cranfield.scores.files",
    "relevance_information": "cranfield.information.relevance",
    "reliability": "cranfield.trust.reliability",
    "select_systems": "cranfield.information.selection",
    "select_topics": "cranfield.trust.topic_selection",
    "sensitivity": "cranfield.trust.sensitivity",
    "simulate_runs": "cranfield.simulation.runs",
    "simulate_scores": "cranfield.simulation.scores",
    "stability": "cranfield.trust.stability",
    "standardization_study": "cranfield.standardization.study",
    "standardize": "cranfield.standardization.factors",
    "summarize": "cranfield.evaluation",
    "topics_needed": "cranfield.comparison.topic_set_size",
    "write": "cranfield.io.trec",
    "write_scores": "cranfield.scores.files",
}
"""Public name -> where it lives; imported when first asked for, so that ``cranfield --help`` waits for nothing."""


def __getattr__(name: str) -> Any:
    if name in _FACADE:
        found = getattr(import_module(_FACADE[name]), name)
    elif name == "__version__":
        found = import_module("cranfield.scores.signature").package_version()
    elif name == "__all__":
        found = [public for public in __dir__() if not public.startswith("_")]
    elif name.startswith("_"):
        raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
    elif find_spec(f"cranfield.{name}") is not None:
        found = import_module(f"cranfield.{name}")
    else:
        measure = import_module("cranfield.measures").named(name)
        if measure is None:
            raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
        return measure
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    measures = import_module("cranfield.measures")
    attributes = {declaration.attribute for declaration in measures.registry.values()}
    return sorted({*_FACADE, *attributes, "__version__"})
