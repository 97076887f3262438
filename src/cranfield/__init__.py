"""Evaluate retrieval runs, and then evaluate the evaluation.

    import cranfield
    from cranfield import AP, nDCG

    scores = cranfield.evaluate("runs/*.run", "qrels.txt", [nDCG @ 10, AP, "RBP(p=0.9)"])
    cranfield.summarize(scores)

Five nouns carry everything: a **Run** (ranked documents by topic) and **Qrels** (labels by topic) are read from files,
frames or dicts; **Rankings** are runs seen through qrels, all that a measure sees; a **Measure** is declared once and
written ``nDCG @ 10``; **Scores** are an ``xarray.Dataset`` with dims (topic, system), signed with all that changes
its numbers. Every measure is an attribute here. Less frequent analyses are in their packages: ``cranfield.trust``
(reliability, stability, sensitivity), ``cranfield.comparison``, ``cranfield.information``,
``cranfield.standardization``, ``cranfield.topic_difficulty``, ``cranfield.fusion``, ``cranfield.pooling``,
``cranfield.simulation``, ``cranfield.agreement`` and ``cranfield.plot``. ``cranfield.load_cranfield`` loads real
runs to try them on. ``cranfield.integrations`` is this engine inside ir_measures and PyTerrier.
"""

from __future__ import annotations

from importlib import import_module

_FACADE = {
    "CranfieldError": "cranfield.errors",
    "CranfieldWarning": "cranfield.errors",
    "InputError": "cranfield.errors",
    "InputOptions": "cranfield.collection.reading",
    "Measure": "cranfield.measures",
    "Protocol": "cranfield.protocol",
    "Qrels": "cranfield.collection.qrels",
    "Run": "cranfield.collection.run",
    "Scorer": "cranfield.scoring.scorer",
    "UsageError": "cranfield.errors",
    "assert_no_regression": "cranfield.comparison.regression_gate.assertion",
    "audit": "cranfield.trust.measure_audit",
    "board": "cranfield.boards.ranking",
    "check": "cranfield.checking.checks",
    "compare": "cranfield.comparison.pairwise",
    "compare_rankings": "cranfield.agreement.ranking_agreement",
    "describe_labels": "cranfield.label_distribution",
    "diff": "cranfield.comparison.run_difference",
    "estimate_difficulty": "cranfield.topic_difficulty.estimation",
    "estimate_headroom": "cranfield.fusion.headroom",
    "estimate_holes": "cranfield.holes.fitting",
    "estimate_means": "cranfield.comparison.means",
    "evaluate": "cranfield.evaluation",
    "evaluate_means": "cranfield.evaluation",
    "fuse": "cranfield.fusion.combination",
    "load_cranfield": "cranfield.datasets.cranfield_collection",
    "measure": "cranfield.measures",
    "parse_measure": "cranfield.measures",
    "parse_measures": "cranfield.measures",
    "read_qrels": "cranfield.io.trec",
    "read_run": "cranfield.io.trec",
    "read_scores": "cranfield.scores.files",
    "repeat_by_group": "cranfield.results.by_group",
    "report": "cranfield.reporting.report",
    "report_scores": "cranfield.reporting.report",
    "select_topics": "cranfield.trust.topic_selection",
    "standardize": "cranfield.standardization.factors",
    "summarize": "cranfield.evaluation",
    "write": "cranfield.io.trec",
    "write_scores": "cranfield.scores.files",
}
"""Public name -> its module, imported when the name is first used, so that ``cranfield --help`` waits for nothing."""
_ROOMS = (
    "agreement",
    "boards",
    "collection",
    "comparison",
    "conformance",
    "datasets",
    "errors",
    "fusion",
    "holes",
    "information",
    "integrations",
    "io",
    "measures",
    "pairwise",
    "partitions",
    "plot",
    "pooling",
    "scores",
    "simulation",
    "standardization",
    "topic_difficulty",
    "trust",
)
"""Packages whose names are public beside these."""


def __getattr__(name: str) -> object:
    if name in _FACADE:
        value = getattr(import_module(_FACADE[name]), name)
    elif name == "__version__":
        value = import_module("importlib.metadata").version("cranfield")
    elif name == "__all__":
        value = [public for public in __dir__() if not public.startswith("_") and public not in _ROOMS]
    elif name.startswith("_"):
        raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
    elif _is_module(name):
        value = _import_room(name)
    else:
        measure = import_module("cranfield.measures").named(name)
        if measure is None:
            deprecation = import_module("cranfield._lazy")
            if f"cranfield.{name}" in deprecation.FORMER:
                return deprecation.resolve(f"cranfield.{name}")
            raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
        return measure
    globals()[name] = value
    return value


def _is_module(name: str) -> bool:
    """Whether the package has a module of this name."""
    from importlib.util import find_spec  # here, since `import cranfield` would take half as long again

    return find_spec(f"cranfield.{name}") is not None


def _import_room(name: str) -> object:
    """Import a module of the package.

    Raises:
        AttributeError: it needs a package that is not installed, for ``hasattr`` and inspection, which know no other.
    """
    try:
        return import_module(f"cranfield.{name}")
    except ModuleNotFoundError as error:
        if isinstance(error, import_module("cranfield.errors").MissingPackageError):
            raise AttributeError(str(error), name=name) from error
        raise


def __dir__() -> list[str]:
    measures = import_module("cranfield.measures")
    attributes = {declaration.attribute for declaration in measures.registry.values()}
    return sorted({*_FACADE, *_ROOMS, *attributes, "__version__"})
