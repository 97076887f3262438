"""What Sakai et al. 2010 say of measures of diversity in passing, on the cases that they speak of."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
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
