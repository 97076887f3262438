"""Measure objects of ir_measures are measures here: all of its registry, with every parameter it has."""

from __future__ import annotations

import sys
from typing import Any

import ir_measures
import pytest
from ir_measures import AP, ERR_IA, RBP, P, alpha_nDCG, nDCG

import cranfield
from cranfield import UsageError, parse_measure, parse_measures
from cranfield.errors import MeasureError

REGISTRY: dict[str, Any] = ir_measures.measures.registry
OTHERS = {
    **{"cutoff": 7, "rel": 2, "judged_only": True, "p": 0.7, "T": 2.0, "min_rel": 1, "max_rel": 3, "alpha": 0.3},
    **{"beta": 0.3, "dcg": "exp-log2", "gains": {1: 2, 2: 5}, "relative": True, "normalize": False, "recall": 0.2},
}
"""A value of each parameter that is not its default."""
NEED_CUTOFF = {"ERR_IA", "alpha_DCG", "P_IA"}
"""Without one, pyndeval refuses them inside ir_measures."""
QRELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"b": 2}}
RUN = {"q1": {"b": 3.2, "a": 2.9, "x": 1.0}, "q2": {"c": 7.0}}


def variants(measure: Any) -> list[Any]:
    """The measure as it is, and with each of its parameters set."""
    required = {name: OTHERS[name] for name, about in measure.SUPPORTED_PARAMS.items() if about.required}
    if measure.NAME in NEED_CUTOFF:
        required["cutoff"] = 5
    base = measure(**required)
    allowed = {name: value for name, value in OTHERS.items() if name in measure.SUPPORTED_PARAMS}
    return [base, *(base(**{name: value}) for name, value in allowed.items())]


@pytest.mark.parametrize("name", REGISTRY)
def test_every_measure_with_every_parameter(name: str) -> None:
    for theirs in variants(REGISTRY[name]):
        ours = parse_measure(theirs)
        assert ours == parse_measure(str(theirs))
        for parameter, value in theirs.params.items():
            assert ours.parameters[parameter] == value


@pytest.mark.parametrize("name", REGISTRY)
def test_what_is_not_given_means_the_same(name: str) -> None:
    theirs = REGISTRY[name]
    ours = parse_measure(variants(theirs)[0]).declaration
    without = ir_measures.measures.base._NOT_PROVIDED
    assert ours.at == theirs.AT_PARAM
    assert ours.summary == {"MeanAgg": "mean", "SumAgg": "sum"}[type(theirs.aggregator()).__name__]
    for parameter, about in theirs.SUPPORTED_PARAMS.items():
        default = None if about.default is without else about.default
        assert ours.parameters[parameter].default == default


def test_the_registry_has_what_these_tests_were_written_for() -> None:
    assert len({type(measure) for measure in REGISTRY.values()}) >= 38


@pytest.mark.parametrize("name", sorted(NEED_CUTOFF))
def test_a_cutoff_that_is_missing_is_named(name: str) -> None:
    with pytest.raises(MeasureError, match=r"^(ERR-IA|alpha-DCG|P-IA) needs a cutoff, for example"):
        parse_measure(REGISTRY[name])


def test_lists_are_mixed_and_columns_have_our_names() -> None:
    asked = [nDCG @ 10, "map", cranfield.RR, P(judged_only=True) @ 5, AP(rel=2), AP]
    scores = cranfield.evaluate(RUN, QRELS, asked)
    assert list(scores) == ["nDCG@10", "AP", "RR", "P(judged_only=True)@5", "AP(rel=2)"]
    assert list(cranfield.evaluate(RUN, QRELS, nDCG @ 10)) == ["nDCG@10"]


def test_the_level_of_the_call_holds_for_their_measures_too() -> None:
    assert list(cranfield.evaluate(RUN, QRELS, [AP, P(rel=1) @ 5], rel=2)) == ["AP(rel=2)", "P@5"]


def test_gains_of_themselves_are_no_gains() -> None:
    assert str(parse_measure(nDCG(gains={1: 1, 2: 5}))) == str(nDCG(gains={1: 1, 2: 5})) == "nDCG(gains={2:5})"


def test_other_functions_that_take_measures() -> None:
    from cranfield.agreement import compare_judges
    from cranfield.comparison import map_diversity

    runs = {"one": RUN, "two": {"q1": {"c": 1.0}, "q2": {"b": 1.0}}}
    by_intent = {"q1": {"1": {"a": 1}, "2": {"b": 1}}, "q2": {"1": {"b": 1}}}
    judges = {"first": QRELS, "second": {"q1": {"a": 1, "b": 2, "c": 1}, "q2": {"b": 1}}}
    assert compare_judges(runs, judges, measure=nDCG @ 5).settings["measure"] == "nDCG@5"
    assert map_diversity(runs, by_intent, relevance=alpha_nDCG, cutoff=5).settings["relevance"] == "alpha-nDCG@5"


def by_query(qrels: Any, run: Any) -> float:
    return float(len(run))


class Mine(ir_measures.Measure):
    __name__ = "AP"
    NAME = __name__
    SUPPORTED_PARAMS = ir_measures.AP.SUPPORTED_PARAMS


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        (
            ir_measures.define_byquery(by_query, name="AP"),
            "AP of ir_measures was made by ir_measures.define, which cannot be computed here: declare it with "
            "@cranfield.measure",
        ),
        (
            ir_measures.define(by_query),
            "a measure of ir_measures was made by ir_measures.define, which cannot be computed here: declare it with "
            "@cranfield.measure",
        ),
        (
            Mine(),
            "AP of ir_measures was made by a class of its own, which cannot be computed here: declare it with "
            "@cranfield.measure",
        ),
        (AP(foo=2), "AP has no parameter 'foo': it has rel,"),
        (nDCG(dcg="ln") @ 5, "nDCG: dcg"),
        (P @ 0, "P: cutoff=0 should be a whole number of at least 1"),
        (RBP(p=1.5), "RBP: p=1.5 should be a number above 0 and below 1"),
        (ERR_IA, "ERR-IA needs a cutoff, for example ERR-IA@10"),
    ],
)
def test_what_is_refused_is_named(measure: Any, message: str) -> None:
    for call in (parse_measure, parse_measures, lambda given: cranfield.evaluate(RUN, QRELS, [given])):
        with pytest.raises(MeasureError) as caught:
            call(measure)
        assert message in str(caught.value)


@pytest.mark.parametrize("measure", [7, None, nDCG.__class__, ir_measures, [["AP"]]])
def test_what_is_no_measure_is_refused(measure: Any) -> None:
    with pytest.raises(UsageError):
        cranfield.evaluate(RUN, QRELS, [measure])


def test_without_ir_measures_nothing_is_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ir_measures")
    with pytest.raises(UsageError, match="is not a measure"):
        cranfield.evaluate(RUN, QRELS, [AP])
