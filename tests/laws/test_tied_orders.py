"""Equal scores, honestly: means and extremes over all orders are those of walking through all orders."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import DOCUMENTS, LABELS, one_of_each, scored, with_intents

import cranfield
from cranfield import InputOptions, Measure
from cranfield.collection import Rankings
from cranfield.errors import MeasureError
from cranfield.measures import extremes, parse_measure, registry, values
from cranfield.testing import LAWS, example
from effort import examples

EXPECTED = [name for name, declaration in registry.items() if declaration.expected]
WITHOUT_MEAN = [name for name in registry if name not in EXPECTED]
SORTABLE = [name for name, declaration in registry.items() if "swap" not in declaration.declines]
UNSORTABLE = [name for name in registry if name not in SORTABLE]

Measures = tuple[Measure, ...]
Case = tuple[dict[str, float], dict[str, float]]
Options = dict[str, str]


@st.composite
def tied(draw: st.DrawFn) -> Case:
    """A list of at most five documents with few scores, and labels for some of them and for two others."""
    documents = DOCUMENTS[: draw(st.integers(1, 5))]
    scores = {document: draw(st.sampled_from([1.0, 1.0, 2.0])) for document in documents}
    labels = {name: draw(st.none() | LABELS) for name in (*documents, "elsewhere1", "elsewhere2")}
    qrels = {name: label for name, label in labels.items() if label is not None}
    return scores, qrels or {"elsewhere1": 1.0}


def all_orders(scores: dict[str, float], qrels: dict[str, float], policy: Options) -> Rankings:
    """Every order of the documents of equal score, a system each."""
    groups = [
        [name for name in scores if scores[name] == score] for score in sorted(set(scores.values()), reverse=True)
    ]
    orders = product(*(permutations(group) for group in groups))
    runs = {
        f"order{number}": {"1": {name: -float(rank) for rank, name in enumerate(chain(*order))}}
        for number, order in enumerate(orders)
    }
    return cranfield.evaluation.make_rankings(runs, {"1": with_intents(qrels)}, **policy)  # type: ignore[arg-type]


def one_list(scores: dict[str, float], qrels: dict[str, float], ties: str, policy: Options) -> Rankings:
    settings = InputOptions(ties=ties, **policy)  # type: ignore[arg-type]
    return cranfield.evaluation.make_rankings({"system": {"1": scores}}, {"1": with_intents(qrels)}, reading=settings)


POLICIES = st.sampled_from([{}, {"unjudged": "condense"}, {"compat": "trec_eval"}, {"negative": "keep"}])
"""Policies that change what a measure sees."""


@pytest.mark.slow
@examples(60)
@given(measures=one_of_each(EXPECTED), case=tied(), policy=POLICIES)
def test_the_mean_over_all_orders(measures: Measures, case: Case, policy: Options) -> None:
    tied_list = one_list(*case, "expected", policy)
    for measure, every in scored([measure for measure in measures if measure.expected], all_orders(*case, policy)):
        (mean,) = values(measure, tied_list)
        np.testing.assert_allclose(
            mean, every.mean(), rtol=0, atol=1e-12 * max(1.0, abs(every[0])), err_msg=str(measure)
        )


def test_the_mean_keeps_its_digits_where_hardly_anybody_stops() -> None:
    """Labels far below the end of the scale: a label of 1 satisfies one user in 2^60."""
    measure = parse_measure("nERR(max_rel=60)")
    scores = {"da": 1.0, "db": 1.0, "dc": 1.0, "dd": 1.0, "de": 2.0}
    qrels = {"da": 1.0, "db": 2.0, "dc": 0.0, "dd": 4.0}
    mean = values(measure, one_list(scores, qrels, "expected", {}))
    np.testing.assert_allclose(mean, values(measure, all_orders(scores, qrels, {})).mean(), rtol=1e-14)


@pytest.mark.slow
@examples(60)
@given(measures=one_of_each(SORTABLE), case=tied(), policy=POLICIES)
def test_the_extremes_over_all_orders(measures: Measures, case: Case, policy: Options) -> None:
    tied_list = one_list(*case, "bounds", policy)
    both = [*(example(measure.declaration) for measure in measures), *filter(has_a_best_order, measures)]
    for measure, every in scored(both, all_orders(*case, policy)):
        least, most = extremes(measure, tied_list)
        np.testing.assert_allclose([*least, *most], [every.min(), every.max()], rtol=0, atol=1e-9, err_msg=str(measure))


def has_a_best_order(measure: Measure) -> bool:
    """Whether the law of swapping was claimed for this setting: it is stated for the usual parameters."""
    usual = example(measure.declaration).parameters
    changed = {name for name, value in measure.parameters.items() if value != usual.get(name)}
    rel = measure.parameters.get("rel")
    known = changed <= {
        *("cutoff", "rel", "judged_only", "p", "relative", "denominator", "no_relevant", "mult", "recall", "beta")
    }
    if "swap" in measure.declines:
        return False
    return known and ("gains" not in measure.parameters or rel is None or rel > 0)


@pytest.mark.parametrize("rel", [-1, 0])
def test_relevant_documents_without_a_gain_have_no_best_order(rel: int) -> None:
    case = {"da": 1.0, "db": 1.0, "dc": 1.0}, {"db": 0.0, "dc": -1.0}
    with pytest.raises(MeasureError, match=rf"Q\(rel={rel}\) has no known best order .* give it a rel above 0"):
        extremes(parse_measure(f"Q(rel={rel})"), one_list(*case, "bounds", {}))


def test_the_law_that_extremes_rest_on_is_tested() -> None:
    assert "swap" in LAWS


@pytest.mark.parametrize("name", WITHOUT_MEAN)
def test_a_measure_without_a_closed_form_says_so(name: str) -> None:
    case = {"da": 1.0, "db": 1.0}, {"da": 1.0}
    with pytest.raises(MeasureError, match=r"no closed form .* these have: AP, DCG, ") as refused:
        values(example(registry[name]), one_list(*case, "expected", {}))
    assert ("ties=bounds gives the range" in str(refused.value)) is (name not in UNSORTABLE)


@pytest.mark.parametrize("name", UNSORTABLE)
def test_a_measure_without_a_best_order_says_so(name: str) -> None:
    case = {"da": 1.0, "db": 1.0}, {"da": 1.0}
    with pytest.raises(MeasureError, match="no known best order of equal scores"):
        extremes(example(registry[name]), one_list(*case, "bounds", {}))


@pytest.mark.parametrize(
    "measure", ["AP", "RR", "nDCG@10", "ERR@20", "P@10", "R@100", "Success@5", "RBP", "Rprec", "iRBU"]
)
def test_a_long_list_of_equal_scores(measure: str) -> None:
    """Two thousand tied documents: the mean is that of many random orders within four standard errors."""
    rng = np.random.default_rng(7)
    names = [f"d{number:04d}" for number in range(2000)]
    qrels = {"1": {name: float(rng.integers(0, 4)) for name in names[::20]}}
    labels = np.array([qrels["1"].get(name, np.nan) for name in names])
    (mean,) = values(cranfield.parse_measure(measure), one_list(dict.fromkeys(names, 1.0), qrels["1"], "expected", {}))
    whole = cranfield.evaluation.make_rankings({"s": {"1": {name: -float(i) for i, name in enumerate(names)}}}, qrels)
    judged = np.flatnonzero(~np.isnan(labels))
    shuffles = []
    for _ in range(400):
        place = rng.permutation(len(names))[judged] + 1
        order = np.argsort(place)
        shuffled = replace(whole, rank=place[order], document=whole.document[order], grade=whole.grade[order])
        shuffles.append(values(cranfield.parse_measure(measure), shuffled)[0])
    error = np.std(shuffles, ddof=1) / np.sqrt(len(shuffles))
    assert error > 0
    assert abs(mean - np.mean(shuffles)) < 4 * error
