"""What Sakai et al. 2010 say of measures of diversity in passing, on the cases that they speak of."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield.measures.diversity import _reachable
from effort import examples

Weights = dict[str, dict[str, float]]


def scores(
    documents: list[str], labels: dict[str, dict[str, int]], *measures: str, weights: Weights | None = None
) -> list[float]:
    """A list of documents; intent -> document -> label."""
    run = {"1": {document: -float(rank) for rank, document in enumerate(documents)}}
    qrels = cranfield.Qrels.from_dict({"1": labels}, by_intent=True).with_intents(weights)
    found = cranfield.evaluate({"run": run}, qrels, list(measures))
    return [found[str(cranfield.parse_measure(name))].item() for name in measures]


def test_a_minor_intent_hardly_counts_in_intent_aware_measures() -> None:
    """Section 2.2: P = .9 and .1."""
    labels = {"1": {"a": 1, "b": 1}, "2": {"c": 1}}
    measures = ("nDCG-IA@10", "D#-nDCG@10", "I-rec@10")
    weights = {"1": {"1": 0.9, "2": 0.1}}
    without = scores(["a", "b"], labels, *measures, weights=weights)
    with_it = scores(["a", "b", "c"], labels, *measures, weights=weights)
    gained = [after - before for before, after in zip(without, with_it, strict=True)]
    assert without[0] == pytest.approx(0.9)
    assert gained[0] == pytest.approx(0.1 * 0.5)
    assert gained[1] > 0.25
    assert gained[2] == 0.5


def test_alpha_ndcg_prefers_one_page_of_all_senses() -> None:
    """Sections 2.3 and 3.1: to one page for each sense; intent recall does not."""
    labels = {str(sense): {"all": 1, f"page{sense}": 1} for sense in range(4)}
    measures = ("alpha-nDCG@10", "I-rec@10")
    listing = scores(["all"], labels, *measures)
    pages = scores([f"page{sense}" for sense in range(4)], labels, *measures)
    assert listing[0] > pages[0]
    assert listing[1] == pages[1] == 1


def test_the_best_nrbp_of_few_relevant_documents() -> None:
    """Section 2.4: well below 1 where each intent has a document of its own, but not where five serve one intent."""
    spread = {str(intent): {f"d{intent}": 1} for intent in range(4)}
    documents = [f"d{number}" for number in range(5)]
    (low,) = scores(documents[:4], spread, "NRBP")
    (high,) = scores(documents, {"1": dict.fromkeys(documents, 1)}, "NRBP")
    assert low == pytest.approx(0.75 * (1 + 0.5 + 0.25 + 0.125) / 4)
    assert high == pytest.approx(1 - 0.25**5)


def test_the_best_list_of_div_q_needs_a_cutoff() -> None:
    """Section 3.2: below 1 where a list is shorter than what is relevant, 1 with a cutoff."""
    labels = {"1": {"a": 2, "b": 1, "c": 1}}
    whole, cut = scores(["a", "b"], labels, "D-Q", "D-Q@2")
    assert whole == pytest.approx(2 / 3)
    assert cut == 1


def test_what_beta_does_to_the_blended_ratio() -> None:
    """Footnote 6: small, it is precision; large, the normalised cumulative gain."""
    labels = {"1": {"a": 3, "b": 1}}
    small, one, large = scores(["x", "b", "a"], labels, "D-Q(beta=1e-09)", "D-Q", "D-Q(beta=1000000000)")
    assert small == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert one == pytest.approx((2 / 6 + 6 / 7) / 2)
    assert large == pytest.approx((1 / 4 + 4 / 4) / 2)


def test_idiv_reaches_zero_and_one() -> None:
    """Section 3.3: where the cutoff is no smaller than the number of intents; nDCG-IA does not."""
    labels = {"1": {"a": 1}, "2": {"b": 1}}
    best = scores(["a", "b"], labels, "D#-nDCG@2", "D#-Q@2", "nDCG-IA@2", "D#-nDCG@1")
    assert best[:2] == [1, 1]
    assert max(best[2:]) < 1
    assert scores(["x"], labels, "D#-nDCG@2", "D#-Q@2") == [0, 0]


def test_the_largest_idiv_may_be_below_one() -> None:
    """Section 3.3 against its own definition: P = .9 and .1, all lists of the three documents."""
    labels = {"1": {"a": 1, "b": 1}, "2": {"c": 1}}
    weights = {"1": {"1": 0.9, "2": 0.1}}
    found = [scores(list(order), labels, "D#-nDCG@2", "D#-Q@2", weights=weights) for order in permutations("abc")]
    assert max(ndcg for ndcg, _ in found) == pytest.approx(0.8281, abs=5e-5)
    assert max(q for _, q in found) == pytest.approx(0.9474, abs=5e-5)


def test_some_list_reaches_all_that_can_be_reached() -> None:
    """The same documents: the best list has 1, and no other list more."""
    labels = {"1": {"a": 1, "b": 1}, "2": {"c": 1}}
    weights = {"1": {"1": 0.9, "2": 0.1}}
    measures = [f'D#-{part}(ideal="reachable")@2' for part in ("nDCG", "Q")]
    found = [scores(list(order), labels, *measures, weights=weights) for order in permutations("abc")]
    assert [max(values) for values in zip(*found, strict=True)] == pytest.approx([1, 1])


@examples(40)
@given(
    rows=st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=5),
    likely=st.lists(st.integers(1, 9), min_size=4, max_size=4),
    gamma=st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]),
    cutoff=st.integers(1, 4),
    settings=st.sampled_from(
        [
            "nDCG()",
            "nDCG(discount='jk')",
            "nDCG(dcg='exp-log2')",
            "nDCG(rel=2)",
            "Q()",
            "Q(beta=0)",
            "Q(beta=10)",
            "Q(rel=2)",
        ]
    ),
)
def test_no_order_of_all_passes_what_can_be_reached(
    rows: list[list[int]], likely: list[int], gamma: float, cutoff: int, settings: str
) -> None:
    """Every order of every document: the largest value is 1, so that the divisor is the largest of all lists."""
    documents = [f"d{number}" for number in range(len(rows))]
    labels = {
        str(intent + 1): {document: row[intent] for document, row in zip(documents, rows, strict=True) if row[intent]}
        for intent in range(4)
        if any(row[intent] for row in rows)
    }
    largest = max(label for row in rows for label in row)
    if largest < (2 if "rel=2" in settings else 1):
        return  # nothing is relevant, of which a warning says so
    total = sum(likely[int(intent) - 1] for intent in labels)
    weights = {"1": {intent: likely[int(intent) - 1] / total for intent in labels}}
    part, _, words = settings.rstrip(")").partition("(")
    name = f"D#-{part}({words}{',' if words else ''}gamma={gamma},{{}})@{cutoff}"
    measures = [cranfield.parse_measure(name.format(f'ideal="{ideal}"')) for ideal in ("each", "reachable")]
    runs = {
        "".join(order): {"1": {document: -float(rank) for rank, document in enumerate(order)}}
        for order in permutations(documents)
    }
    qrels = cranfield.Qrels.from_dict({"1": labels}, by_intent=True).with_intents(weights)
    found = cranfield.evaluate(runs, qrels, measures)
    each, share = (found[str(measure)].to_numpy().ravel() for measure in measures)
    if np.isnan(each).any():
        assert np.isnan(share).all()
        return
    if each.max() > 0:
        assert share.max() == pytest.approx(1, abs=1e-12)
        np.testing.assert_allclose(share * each.max(), each, atol=1e-12)


def test_a_bound_stands_for_what_many_intents_could_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more than 12 intents: never below the most there is, on 60 random topics at most .02 above it."""
    rng, gaps = np.random.default_rng(1), []
    for _ in range(60):
        intents = int(rng.integers(13, 16))
        covers = rng.random((int(rng.integers(20, 60)), intents)) < rng.uniform(0.03, 0.15, intents)
        covers = covers[covers.any(axis=1)]
        gain = covers @ rng.dirichlet(np.ones(intents))
        order = np.argsort(-gain)
        covers, gain = covers[order], gain[order]
        weight = 1 / np.log2(np.arange(2, 2 + min(10, len(gain))))
        weight = 0.5 * weight / (gain[: len(weight)] @ weight)
        bound, _ = _reachable.find_best(covers, gain, weight, 0.5 / covers.shape[1])
        monkeypatch.setattr(_reachable, "EXACT", 16)
        most, _ = _reachable.find_best(covers, gain, weight, 0.5 / covers.shape[1])
        monkeypatch.setattr(_reachable, "EXACT", 12)
        assert bound >= most - 1e-12
        gaps.append(bound - most)
    assert max(gaps) < 0.02


def test_a_topic_of_many_intents_is_named() -> None:
    labels = {str(intent): {f"d{intent}": 1} for intent in range(1, 14)}
    with pytest.warns(cranfield.CranfieldWarning, match=r"maximum of topic 1 is an upper bound: more than 12"):
        (value,) = scores(["d2", "d1"], labels, 'D#-nDCG(ideal="reachable")@2')
    assert value <= 1


@examples(60)
@given(
    lists=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=6),
    alpha=st.sampled_from([0.0, 0.3, 0.5, 0.9]),
    beta=st.sampled_from([0.2, 0.5, 0.8]),
)
def test_the_printed_nrbp_is_one_minus_alpha_times_ours(
    lists: list[tuple[bool, bool]], alpha: float, beta: float
) -> None:
    """Equation 3: its exponent counts relevant documents down to rank r, that of ndeval those above it."""
    labels = {
        f"i{intent}": {f"d{rank}": int(row[intent]) for rank, row in enumerate(lists)}
        for intent in (0, 1)
        if any(row[intent] for row in lists)
    }
    if not labels:
        return
    (ours,) = scores([f"d{rank}" for rank in range(len(lists))], labels, f"NRBP(alpha={alpha:g},beta={beta:g})")
    total = 0.0
    for documents in labels.values():
        seen = 0
        for rank in range(len(lists)):
            seen += documents[f"d{rank}"]
            total += documents[f"d{rank}"] * (1 - alpha) ** seen * beta**rank
    printed = (1 - (1 - alpha) * beta) / len(labels) * total
    assert printed == pytest.approx((1 - alpha) * ours, abs=1e-12)


@examples(60)
@given(
    rows=st.lists(st.lists(st.sampled_from([None, -2, 0, 1, 2, 3]), min_size=3, max_size=3), max_size=6),
    p=st.sampled_from([Fraction(1, 2), Fraction(4, 5), Fraction(99, 100)]),
    effort=st.sampled_from([Fraction(0), Fraction(3, 100), Fraction(1)]),
    cutoff=st.integers(1, 7),
)
def test_rbu_is_the_printed_sum_in_fractions(
    rows: list[list[int | None]], p: Fraction, effort: Fraction, cutoff: int
) -> None:
    """The paper's sum, whose rank r weighs p^r, is p / (1 - p) times ours, and the authors' program has ours."""
    labels = {
        str(intent): {f"d{rank}": label for rank, row in enumerate(rows) if (label := row[intent - 1]) is not None}
        for intent in (1, 2, 3)
    }
    labels["1"]["best"] = 3  # nothing finds it; the scale ends here
    wanted = [intent for intent, row in labels.items() if any(label > 0 for label in row.values())]
    likely = {intent: Fraction(int(intent), sum(map(int, wanted))) for intent in wanted}
    weights = {"1": {intent: float(share) for intent, share in likely.items()}}
    printed = Fraction(0)
    for rank, row in enumerate(rows[:cutoff], start=1):
        useful = Fraction(0)
        for intent, share in likely.items():
            above = Fraction(1)
            for other in rows[: rank - 1]:
                above *= 1 - gain(other[int(intent) - 1])
            useful += share * gain(row[int(intent) - 1]) * above
        printed += p**rank * (useful - effort)
    (ours,) = scores(
        [f"d{rank}" for rank in range(len(rows))] or ["unjudged"],
        {intent: row for intent, row in labels.items() if row},
        f"RBU(p={float(p)},effort={float(effort)})@{cutoff}",
        weights=weights,
    )
    if rows:
        assert ours == pytest.approx(float(printed * (1 - p) / p), abs=1e-14)
    else:
        assert ours == pytest.approx(float(-effort * (1 - p)), abs=1e-14)


def gain(label: int | None) -> Fraction:
    """Probability that a label of a scale of 3 satisfies."""
    return Fraction(2 ** max(label or 0, 0) - 1, 8)
