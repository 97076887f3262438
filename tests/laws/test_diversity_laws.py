"""What holds for measures of diversity: one intent, none of them empty, split in two, scaled, renamed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import INTENTS, Problem, instances, problems

import cranfield
from cranfield import Measure, Qrels, parse_measure
from cranfield.collection import IntentWeights
from cranfield.measures import registry, values
from cranfield.testing import example
from effort import examples

NEEDING = [name for name in registry if registry[name].needs_intents]
Labels = dict[str, dict[str, dict[str, float]]]
few = examples(25)
CUTOFFS = st.sampled_from([1, 2, 3, 5, 20])


def of(name: str | Measure, problem: Problem, judgments: Labels, weights: Any = None, **policy: str) -> Any:
    """Values of all lists; topics without intents are left out of the weights."""
    measure = parse_measure(name) if isinstance(name, str) else name
    qrels = Qrels.from_dict(judgments).with_intents(weights)
    return values(measure, cranfield.evaluation.make_rankings(problem.runs, qrels, **policy))  # type: ignore[arg-type]


def same(one: Any, other: Any, tolerance: float = 1e-12) -> bool:
    return bool(np.allclose(one, other, rtol=tolerance, atol=tolerance, equal_nan=True))


@pytest.mark.slow
@few
@given(problem=problems(), cutoff=CUTOFFS)
def test_a_single_intent_is_a_query(problem: Problem, cutoff: int) -> None:
    single = {topic: {"1": row} for topic, row in problem.qrels.items()}
    pairs = {
        "D-nDCG": "nDCG",
        "nDCG-IA": "nDCG",
        "D#-nDCG(gamma=0)": "nDCG",
        "D-Q(rel=0.5)": "Q(rel=0.5)",
        "Q-IA": "Q",
        "AP-IA": "AP",
        "P-IA": "P",
        "I-rec": "Success",
        'ERR-IA(gain="graded")': "ERR",
        'nERR-IA(gain="graded")': "nERR",
        "alpha-nDCG(alpha=0)": "nDCG(gains={1:1,1.5:1,2:1,3:1,4:1})",
    }
    for diverse, plain in pairs.items():
        one, other = (of(f"{name}@{cutoff}", problem, single) for name in (diverse, plain))
        # Measures with an exact 0 for a topic without relevant documents have no value there by intent.
        assert same(np.nan_to_num(one), np.nan_to_num(other)), diverse


@pytest.mark.slow
@few
@given(problem=problems(), cutoff=CUTOFFS)
def test_gamma_weighs_the_parts(problem: Problem, cutoff: int) -> None:
    judged = problem.judgments
    recall = of(f"I-rec@{cutoff}", problem, judged)
    for name in NEEDING:
        if "gamma" in registry[name].parameters and "#" in name:
            plain = example(registry[name.replace("#", "")]) @ cutoff
            part, sharp = of(plain, problem, judged), example(registry[name])
            assert same(of(sharp(gamma=0) @ cutoff, problem, judged), part), name
            assert same(of(sharp(gamma=1) @ cutoff, problem, judged), recall), name
            assert same(of(sharp(gamma=0.3) @ cutoff, problem, judged), 0.3 * recall + 0.7 * part), name


@few
@given(problem=problems(), depth=st.integers(1, 12))
def test_more_ranks_cover_more_intents(problem: Problem, depth: int) -> None:
    shallow, deep = (of(f"I-rec@{cutoff}", problem, problem.judgments) for cutoff in (depth, depth + 1))
    assert (np.nan_to_num(shallow) <= np.nan_to_num(deep)).all()


@few
@given(problem=problems(), cutoff=CUTOFFS, factor=st.sampled_from([2.0, 0.5, 3.0]))
def test_gains_have_no_unit_in_d_ndcg(problem: Problem, cutoff: int, factor: float) -> None:
    scaled = {
        topic: {intent: {document: label * factor for document, label in pool.items()} for intent, pool in row.items()}
        for topic, row in problem.judgments.items()
    }
    for name in ("D-nDCG", "nDCG-IA"):
        assert same(of(f"{name}@{cutoff}", problem, scaled), of(f"{name}@{cutoff}", problem, problem.judgments))


def test_gains_have_a_unit_in_d_q() -> None:
    problem = Problem({}, {"system": {"1": {"a": 2.0, "b": 1.0}}}, {})
    once, twice = ({"1": {"1": {"b": label}, "2": {"c": 2 * label}}} for label in (1.0, 2.0))
    assert not same(of("D-Q", problem, once), of("D-Q", problem, twice))
    assert same(of("D-nDCG", problem, once), of("D-nDCG", problem, twice))


@pytest.mark.slow
@pytest.mark.parametrize("name", NEEDING)
@examples(8)
@given(data=st.data(), problem=problems(max_runs=1), order=st.permutations(INTENTS))
def test_names_of_intents_are_names_without_meaning(
    name: str, data: st.DataObject, problem: Problem, order: list[str]
) -> None:
    # But for categories, whose names have a point, so that none has one here.
    new = {old: f"i{number}" for number, old in enumerate(order)}
    plain = {old: old.replace(".", "-") for old in INTENTS}
    before, after = (
        {topic: {names[intent]: pool for intent, pool in row.items()} for topic, row in problem.judgments.items()}
        for names in (plain, new)
    )
    measure = data.draw(instances(name), label="measure")
    assume(measure.parameters.get("similarity", "JSD") == "JSD")  # the others are of groups in order
    try:
        one, other = of(measure, problem, before), of(measure, problem, after)
    except cranfield.errors.MeasureError:
        return
    if "measure" in name or "plus" in name:  # which of two equal gains is the largest may turn on a last digit
        one, other = np.isnan(one), np.isnan(other)
    assert same(one, other, 1e-9)


def test_names_of_groups_in_order_have_one() -> None:
    problem = Problem({}, {"system": {"1": {"a": 1.0}}}, {})
    first, between = (
        {"1": {one: {"a": 1.0}, other: {"b": 1.0}, "3": {"c": 1.0}}} for one, other in (("1", "2"), ("2", "1"))
    )
    for similarity, near, far in (("NMD", 1 / 4, 1 / 3), ("RNOD", None, None)):
        ends, middle = (of(f'GF(similarity="{similarity}")', problem, rows) for rows in (first, between))
        assert (ends < middle).all()
        if near is not None:
            assert ends == pytest.approx(near)
            assert middle == pytest.approx(far)
    ends, middle = (of("GF", problem, rows) for rows in (first, between))
    assert same(ends, middle)


def test_names_of_intents_have_a_meaning_under_simulated_probabilities() -> None:
    problem = Problem({}, {"system": {"1": {"a": 2.0}}}, {})
    first, second = ({"1": {one: {"a": 1.0}, other: {"b": 1.0}}} for one, other in (("1", "2"), ("2", "1")))
    assert of("nDCG-IA", problem, first, "simulated") == pytest.approx(4 / 6)
    assert of("nDCG-IA", problem, second, "simulated") == pytest.approx(2 / 6)


@few
@given(problem=problems(), cutoff=CUTOFFS, data=st.data())
def test_an_intent_may_be_two_of_half_the_probability(problem: Problem, cutoff: int, data: st.DataObject) -> None:
    likely = st.sampled_from([0.1, 0.2, 0.5])
    given_ = {topic: {intent: data.draw(likely) for intent in row} for topic, row in problem.judgments.items()}
    halves = {
        topic: {f"{intent}{half}": p / 2 for intent, p in row.items() for half in "ab"} for topic, row in given_.items()
    }
    split = {
        topic: {f"{intent}{half}": pool for intent, pool in row.items() for half in "ab"}
        for topic, row in problem.judgments.items()
    }
    for name in ("D-nDCG", "D-Q", "nDCG-IA", "AP-IA", "I-rec", "ERR-IA", "D#-nDCG"):
        measure = f"{name}@{cutoff}"
        assert same(of(measure, problem, problem.judgments, given_), of(measure, problem, split, halves)), name


@few
@given(problem=problems(max_runs=1), cutoff=CUTOFFS)
def test_the_ideal_list_scores_one(problem: Problem, cutoff: int) -> None:
    judged = Qrels.from_dict(problem.judgments)
    assert judged.intents is not None
    weights = judged.intents.probabilities(1e-9)
    gain = dict.fromkeys(zip(*rows_of(judged), strict=True), 0.0)
    for topic, intent, weight in zip(judged.intents.topic, judged.intents.name, weights.tolist(), strict=True):
        for document, label in problem.judgments[judged.topics[topic]].get(intent, {}).items():
            gain[judged.topics[topic], document] += weight * max(label, 0.0)
    best: dict[str, dict[str, float]] = {}
    for (topic, document), value in gain.items():
        best.setdefault(topic, {})[document] = value
    ideal = Problem(problem.qrels, {"ideal": best}, problem.intents)
    found = of(f"D-nDCG@{cutoff}", ideal, problem.judgments)
    assert same(found[~np.isnan(found)], 1.0)


def rows_of(qrels: Qrels) -> tuple[list[str], list[str]]:
    topics, _, documents, _ = qrels.rows()
    return topics, documents


@few
@given(problem=problems(max_runs=1), data=st.data())
def test_without_navigational_intents_types_do_not_matter(problem: Problem, data: st.DataObject) -> None:
    for name in NEEDING:
        if name.startswith("DIN"):
            plain = name.replace("DIN", "D")
            other = plain if plain in registry else {"D-AP": "AP", "D-P": "P", "D-Success": "Success"}[plain]
            one, two = (example(registry[measure])(cutoff=3) for measure in (name, other))
            rel = {"rel": 0.25} if "rel" in registry[other].parameters else {}
            assert same(
                np.nan_to_num(of(one(**rel), problem, problem.judgments)),
                np.nan_to_num(of(two(**rel), problem, problem.judgments)),
            ), name
    assert same(of("P+Q@3", problem, problem.judgments), of("Q-IA@3", problem, problem.judgments))


@few
@given(problem=problems(max_runs=2), cutoff=CUTOFFS)
def test_an_exact_ideal_list_is_never_beaten(problem: Problem, cutoff: int) -> None:
    for name in ("alpha-nDCG", "nERR-IA"):
        greedy, exact = (
            of(f'{name}(ideal="{ideal}")@{cutoff}', problem, problem.judgments) for ideal in ("greedy", "exact")
        )
        assert (np.nan_to_num(exact) <= np.nan_to_num(greedy) * (1 + 1e-12)).all()
        assert (np.nan_to_num(exact) <= 1 + 1e-12).all()


def test_weights_that_say_nothing_change_nothing() -> None:
    problem = Problem({}, {"system": {"1": {"a": 2.0, "b": 1.0}}}, {})
    judged = {"1": {"1": {"a": 1.0}, "2": {"b": 1.0}}}
    for name in NEEDING:
        uniform = of(example(registry[name]), problem, judged, IntentWeights.by_rule("uniform"))
        assert same(of(example(registry[name]), problem, judged), uniform)
        assert same(of(example(registry[name]), problem, judged, {"1": {"1": 0.5, "2": 0.5}}), uniform)
