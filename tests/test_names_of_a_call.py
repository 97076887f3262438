"""A name where several may stand is one name, in every public function."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest

import cranfield
from cranfield import UsageError, comparison, fusion, information, plot, pooling, standardization

RUNS = {
    "bm25": {topic: {"d1": 2.0, "d2": 1.0, "d3": 0.5} for topic in ("q1", "q2", "q3")},
    "other": {topic: {"d2": 2.0, "d3": 1.0, "d1": 0.5} for topic in ("q1", "q2", "q3")},
    "third": {topic: {"d3": 2.0, "d1": 1.0, "d2": 0.5} for topic in ("q1", "q2", "q3")},
}
QRELS = {"q1": {"d1": 1, "d2": 0, "d3": 0}, "q2": {"d1": 0, "d2": 1, "d3": 0}, "q3": {"d1": 1, "d2": 0, "d3": 1}}


@pytest.fixture(scope="module")
def scores() -> Any:
    return cranfield.evaluate(RUNS, QRELS, "AP")


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "compare": lambda scores, name: cranfield.compare(scores, baseline=name).pairs,
    "estimate_posterior": lambda scores, name: comparison.estimate_posterior(scores, baseline=name).pairs,
    "estimate_risk": lambda scores, name: comparison.estimate_risk(scores, name, resamples=0).systems,
    "compare_measures": lambda scores, name: comparison.compare_measures(scores, baseline=name).to_frame(),
    "standardize": lambda scores, name: cranfield.standardize(scores, "E", reference_systems=name)["AP"].to_pandas(),
    "compute_joint_ric": lambda _, name: information.compute_joint_ric(RUNS, QRELS, systems=name).to_frame(),
    "compute_information_difference": lambda _, name: information.compute_information_difference(
        RUNS, QRELS, systems=name
    ).ric.to_pandas(),
    "select_systems": lambda _, name: information.select_systems(
        RUNS, QRELS, n_systems=2, start=name, permutations=0
    ).to_frame(),
    "score_history": lambda scores, name: plot.score_history({"a": scores, "b": scores}, systems=name).to_dict(),
    "report_scores": lambda scores, name: cranfield.report_scores(scores, "AP", baseline=name).html,
    "report": lambda _, name: cranfield.report(RUNS, QRELS, "AP", baseline=name, sections="summary").html,
}


@pytest.mark.parametrize("function", CALLS)
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_a_name_alone_is_a_list_of_it(scores: Any, function: str) -> None:
    alone, listed = (CALLS[function](scores, name) for name in ("bm25", ["bm25"]))
    if hasattr(alone, "equals"):
        assert alone.equals(listed)
    else:
        assert alone == listed


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_words_alone_are_lists_of_them() -> None:
    alone = fusion.estimate_headroom(RUNS, QRELS, "AP", methods="rrf")
    assert alone.settings["methods"] == ["rrf"]
    assert pooling.estimate_budget(RUNS, QRELS, "AP", orders="depth", budgets=[1]).settings["orders"] == ["depth"]
    assert standardization.fit_standardization(
        cranfield.evaluate(RUNS, QRELS, "AP"), reference_systems="bm25"
    ).systems == ("bm25",)


@pytest.mark.parametrize("given", [3, None, b"bm25", ["bm25", 3]])
def test_what_is_no_name_is_refused(scores: Any, given: Any) -> None:
    with pytest.raises(UsageError, match="baseline="):
        cranfield.compare(scores, baseline=given)


ONE = re.compile(r"str \| |Union\[str|RunsLike|QrelsLike")
SEVERAL = re.compile(r"(Sequence|Iterable|Collection|list|set)\[str\]")


def list_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions that people call, with their names."""
    for room in [
        "cranfield",
        *(f"cranfield.{module.name}" for module in iter_modules(cranfield.__path__) if module.ispkg),
    ]:
        if room.rpartition(".")[2].startswith("_") or room.endswith(
            (".charts", ".cli", ".engine", ".reference_engine")
        ):
            continue
        module = import_module(room)
        for name in dir(module):
            member = getattr(module, name)
            if not name.startswith("_") and inspect.isfunction(member) and member.__module__.startswith("cranfield"):
                yield f"{room}.{name}", member


PAIRED = {"results.melted", "measures.measure"}
"""Functions of those who write results and measures, whose lists are written out in code."""


def test_every_parameter_that_takes_names_takes_one() -> None:
    lacking = [
        f"{name}({parameter.name}: {parameter.annotation})"
        for name, function in list_functions()
        for parameter in inspect.signature(function).parameters.values()
        if SEVERAL.search(str(parameter.annotation)) and not ONE.search(str(parameter.annotation))
        if name.removeprefix("cranfield.") not in PAIRED
    ]
    assert lacking == []
