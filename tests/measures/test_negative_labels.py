"""nDCG where labels are below zero: four readings, by hand, by enumeration and under every policy."""

from __future__ import annotations

from itertools import permutations, product
from math import isnan, log2

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield import evaluate, parse_measure
from cranfield.cli import app
from cranfield.errors import MeasureError
from cranfield.measures import values

Grade = float | None


def value(name: str, ranked: list[Grade], elsewhere: list[float], **policy: str) -> float:
    """A measure of one list, given its labels by rank (None: not judged) and those of documents it does not hold."""
    documents = [f"d{rank:02d}" for rank in range(len(ranked))]
    labels = {document: grade for document, grade in zip(documents, ranked, strict=True) if grade is not None}
    labels |= {f"e{number:02d}": grade for number, grade in enumerate(elsewhere)}
    run = {"1": {document: -float(rank) for rank, document in enumerate(documents)}}
    rankings = cranfield.evaluation.make_rankings({"run": run}, {"1": labels}, **policy)  # type: ignore[arg-type]
    return float(values(parse_measure(name), rankings)[0])


# ---- the worked examples

TWO_SPAM = [1.0, -2.0, None], [3.0, 0.0, 0.0, -2.0]
ONE_SPAM = [1.0, -2.0, None], [3.0, 1.0, 0.0, 0.0]


def test_worked_example_of_negative_labels() -> None:
    dcg, ideal, worst = 1 - 2 / log2(3), 3 + 1 / log2(3), -2 - 2 / log2(3)
    assert (round(dcg, 6), round(ideal, 6), round(worst, 6)) == (-0.26186, 3.63093, -3.26186)
    assert value("NDCG_org@3", *TWO_SPAM) == pytest.approx(dcg / ideal, rel=1e-14)
    assert round(value("NDCG_org@3", *TWO_SPAM), 6) == -0.072119
    assert round(value("NDCG_0@3", *TWO_SPAM), 6) == 0.275412
    assert value("NDCG_min@3", *TWO_SPAM) == pytest.approx((dcg - worst) / (ideal - worst), rel=1e-14)
    assert round(value("NDCG_min@3", *TWO_SPAM), 6) == 0.435237
    assert round(value("NDCG_org@3", [-2.0, -2.0], [3.0, 1.0, 0.0, 0.0]), 6) == -0.898354
    assert value("NDCG_min@3", [-2.0, -2.0], [3.0, 1.0, 0.0, 0.0]) == 0


def test_worked_example_of_topic_difficulty() -> None:
    assert round(value("NDCG_std@3", *ONE_SPAM), 6) == -0.432993
    assert round(value("NDCG_std(unjudged='mean')@3", *ONE_SPAM), 6) == -0.351439
    assert round(value("NDCG_org@3", *ONE_SPAM), 6) == -0.06339
    assert round(value("NDCG_0@3", *ONE_SPAM), 6) == 0.242076
    assert round(value("NDCG_min@3", *ONE_SPAM), 6) == 0.283504


def test_labels_below_zero_count_0_among_random_orders_too() -> None:
    """Gains 1, 2, 0: DCG 1 + 2/log2(3), of which a random order has the mean gain 1 at each of three ranks."""
    second, third = 1 / np.log2(3), 0.5
    expected, best = 1 + second + third, 2 + second
    found = value("nDCG(baseline='random',negative='zero')", [1.0, 2.0, -1.0], [])
    assert found == pytest.approx((1 + 2 * second - expected) / (best - expected), rel=1e-12)


def test_unfilled_ranks_are_documents_of_label_0_or_of_mean_gain() -> None:
    rest = [3.0, 1.0, 0.0, 0.0, -2.0]
    assert round(value("NDCG_std@3", [1.0], rest), 3) == -0.021
    assert round(value("NDCG_std@3", [1.0], rest, unjudged="mean"), 3) == 0.163
    # the dropped document must not come back as one of label 0
    assert value("NDCG_std@3", [None, 1.0], rest, unjudged="condense") == value(
        "NDCG_std@3", [1.0], rest, unjudged="mean"
    )


# ---- what the readings are for


@pytest.mark.parametrize(
    "pool", [[3.0, 1.0, 1.0, 0.0, -2.0], [-1.0, -2.0, 0.0], [2.0, 0.0, 0.0, 0.0], [0.5, 0.25, 0.5]]
)
@pytest.mark.parametrize("cutoff", ["", "@1", "@2", "@3", "@9"])
@pytest.mark.parametrize("dcg", ["log2", "exp-log2"])
def test_random_orders_of_the_pool_are_worth_0_on_average(pool: list[float], cutoff: str, dcg: str) -> None:
    name = f'NDCG_std(dcg="{dcg}"){cutoff}'
    all_orders = [value(name, list(order), []) for order in permutations(pool)]
    assert np.mean(all_orders) == pytest.approx(0, abs=1e-14)
    assert max(all_orders) == 1
    assert min(all_orders) < 0


RANKED = st.lists(st.sampled_from([None, 0.0, 1.0, 2.0, -1.0, -2.0]), min_size=1, max_size=5)
ELSEWHERE = st.lists(st.sampled_from([0.0, 1.0, 3.0, -2.0]), max_size=4)


@given(ranked=RANKED, elsewhere=ELSEWHERE, cutoff=st.integers(1, 4))
def test_min_is_0_for_the_worst_ranking_and_1_for_the_best(
    ranked: list[Grade], elsewhere: list[float], cutoff: int
) -> None:
    pool = [grade for grade in ranked if grade is not None] + elsewhere
    if not any(pool):
        pool, elsewhere = [*pool, 1.0], [*elsewhere, 1.0]
    # every ranking of pool and unlimited documents without gain
    lists = [list(order) for order in set(product([*pool, None], repeat=cutoff)) if _of_pool(list(order), pool)]

    def total(order: list[Grade]) -> float:
        return sum((grade or 0.0) / log2(rank + 1) for rank, grade in enumerate(order, 1))

    low, high = min(map(total, lists)), max(map(total, lists))
    expected = (total(ranked[:cutoff]) - low) / (high - low)
    assert value(f"NDCG_min@{cutoff}", ranked, elsewhere) == pytest.approx(expected, abs=1e-12)


def _of_pool(order: list[Grade], pool: list[float]) -> bool:
    return all(order.count(grade) <= pool.count(grade) for grade in set(order) - {None})  # type: ignore[arg-type]


@given(ranked=RANKED, elsewhere=st.lists(st.sampled_from([0.0, 1.0, 3.0]), max_size=4), cutoff=st.integers(1, 4))
def test_without_labels_below_zero_three_readings_are_ndcg(
    ranked: list[Grade], elsewhere: list[float], cutoff: int
) -> None:
    ranked, elsewhere = [None if grade is None else abs(grade) for grade in ranked], [*elsewhere, 0.0]
    plain = value(f"nDCG@{cutoff}", ranked, elsewhere)
    for name in ("NDCG_org", "NDCG_0", "NDCG_min"):
        found = value(f"{name}@{cutoff}", ranked, elsewhere)
        assert found == plain or (isnan(found) and isnan(plain))


@given(
    ranked=st.lists(st.sampled_from([0.0, 1.0, 2.0, -2.0]), min_size=3, max_size=5),
    elsewhere=ELSEWHERE,
    scale=st.sampled_from([0.5, 2.0, 3.0]),
    shift=st.sampled_from([-4.0, -0.5, 1.0, 7.0]),
)
def test_std_of_full_lists_knows_neither_scale_nor_zero_of_the_labels(
    ranked: list[Grade], elsewhere: list[float], scale: float, shift: float
) -> None:
    moved = [None if grade is None else scale * grade + shift for grade in ranked]
    found = value("NDCG_std@3", moved, [scale * grade + shift for grade in elsewhere])
    assert found == pytest.approx(value("NDCG_std@3", ranked, elsewhere), abs=1e-12, nan_ok=True)


def test_std_is_not_invariant_where_a_document_is_not_judged() -> None:
    assert value("NDCG_std@2", [1.0, None], [0.0]) != value("NDCG_std@2", [2.0, None], [1.0])


def test_negative_scale_turns_the_order_round() -> None:
    """Lemma 1 of the paper says that nDCG knows no scale c != 0; for c < 0 the best ranking becomes the worst."""
    assert value("NDCG_std@2", [1.0, 0.0], []) == 1
    assert value("NDCG_std@2", [-1.0, -0.0], []) == -1


def test_std_may_exceed_1_where_the_best_order_must_show_harm() -> None:
    """The best order of the pool holds a label below zero; a list may hold an unjudged document there instead."""
    assert value("NDCG_std@1", [None], [-1.0, -2.0]) == 3
    assert value("NDCG_std@2", [1.0, None], [-2.0]) > 1
    assert value("NDCG_std@2", [1.0, None], [-2.0], unjudged="mean") > 1
    assert parse_measure("NDCG_std").range == (-np.inf, np.inf)


def test_pools_smaller_than_the_cutoff_are_read_to_their_end() -> None:
    # labels 2, 0: mean 1; two ranks are looked at, whatever k
    weights = 1 + 1 / log2(3)
    expected = (2 / log2(3) - weights) / (2 - weights)
    for cutoff in ("@2", "@5", ""):
        assert value(f"NDCG_std{cutoff}", [0.0, 2.0], []) == pytest.approx(expected)
        assert value(f"NDCG_std{cutoff}", [0.0, None, 2.0], []) == pytest.approx(-weights / (2 - weights))


def test_ranks_that_count_alike_leave_nothing_to_order() -> None:
    """Järvelin and Kekäläinen's discount leaves the first b ranks alone; a pool of b documents has one value then."""
    for ranked in ([1.0, 0.0, 0.0], [0.1, 0.2, -0.3], [None, None, None]):
        assert isnan(value('NDCG_std(discount="jk",b=3)', ranked, [] if ranked[0] else [1.0, 0.0, 0.0]))
    assert value('NDCG_std(discount="jk",b=3)@3', [1.0, 0.0, 0.0], [0.0]) == 1


def test_gains_that_differ_by_a_rounding_are_equal() -> None:
    assert isnan(value("NDCG_std", [0.1 + 0.2, 0.3, 0.3], []))


# ---- undefined values


def test_undefined_values_and_their_means() -> None:
    cases = {"nothing": {"a": 0.0, "b": 0.0}, "spam": {"a": -2.0, "b": 0.0}, "equal": {"a": 1.0, "b": 1.0}}
    run = {topic: {"b": 2.0, "a": 1.0} for topic in cases}
    names = ["NDCG_org@2", "NDCG_0@2", "NDCG_min@2", "NDCG_std@2"]
    with pytest.warns(cranfield.CranfieldWarning):
        kept = evaluate({"run": run}, cases, names, undefined="keep")
        counted = evaluate({"run": run}, cases, names)
    expected = {
        "NDCG_org@2": [np.nan, np.nan, 1],
        "NDCG_0@2": [np.nan, np.nan, 1],
        # worst: spam at rank 1; here it stands at rank 2
        "NDCG_min@2": [np.nan, 1 - 1 / log2(3), 1],
        "NDCG_std@2": [np.nan, 1, np.nan],
    }
    for name, by_topic in expected.items():
        assert kept[name].values[:, 0] == pytest.approx(by_topic, nan_ok=True)
    means = cranfield.summarize(counted).loc["run"]
    assert means["NDCG_org@2"] == pytest.approx(1 / 3), "undefined counts 0"
    assert means["NDCG_min@2"] == pytest.approx((2 - 1 / log2(3)) / 3)
    assert means["NDCG_std@2"] == 1, "undefined is left out"
    assert np.isnan(counted["NDCG_std@2"].values[[0, 2], 0]).all()


def test_an_empty_ranking_shows_no_spam() -> None:
    run, labels = {"2": {"x": 1.0}}, {"1": {"a": 3.0, "b": -2.0}, "2": {"x": 1.0, "y": -1.0}}
    worst, best = -2.0, 3.0
    with pytest.warns(cranfield.CranfieldWarning, match="judged topic 1 missing"):
        found = evaluate({"run": run}, labels, ["NDCG_min@1", "NDCG_org@1"])
        skipped = evaluate({"run": run}, labels, "NDCG_min@1", missing="skip")
    assert found["NDCG_min@1"].values[0, 0] == pytest.approx(-worst / (best - worst))
    assert found["NDCG_org@1"].values[0, 0] == 0
    assert np.isnan(skipped["NDCG_min@1"].values[0, 0])


def test_a_warning_says_where_std_is_undefined() -> None:
    with pytest.warns(cranfield.CranfieldWarning, match="NDCG_std@2 has no value in topic 7, left out of its mean"):
        evaluate({"run": {"7": {"a": 1.0}, "8": {"a": 1.0}}}, {"7": {"a": 1}, "8": {"a": 1, "b": 0}}, "NDCG_std@2")


# ---- names and policies


def test_readings_are_measures_with_names() -> None:
    assert parse_measure("NDCG_std@20") == cranfield.NDCG_std @ 20
    assert parse_measure('nDCG(negative="keep", baseline="random")@20') == cranfield.NDCG_std @ 20
    assert str(cranfield.nDCG(negative="keep", baseline="worst") @ 5) == "NDCG_min@5"
    assert str(cranfield.NDCG_org(dcg="exp-log2") @ 5) == 'NDCG_org(dcg="exp-log2")@5'
    assert str(cranfield.nDCG(negative="zero", baseline="worst")) == 'nDCG(negative="zero",baseline="worst")'
    assert str(cranfield.nDCG @ 5) == "nDCG@5"
    assert cranfield.NDCG_std(unjudged="condense") == cranfield.NDCG_std(judged_only=True)
    assert cranfield.NDCG_std(unjudged="mean")(unjudged="zero") == cranfield.NDCG_std
    with pytest.raises(MeasureError, match="unjudged='nothing' is not one of zero, mean, condense"):
        parse_measure("NDCG_std(unjudged='nothing')")
    with pytest.raises(MeasureError, match="did you mean NDCG_std"):
        parse_measure("NDCG_sdt@5")


def test_a_reading_decides_where_the_policy_would() -> None:
    for negative in ("zero", "keep"):
        assert round(value("NDCG_org@3", *TWO_SPAM, negative=negative), 6) == -0.072119
        assert round(value("NDCG_0@3", *TWO_SPAM, negative=negative), 6) == 0.275412
    assert value("nDCG@3", *TWO_SPAM, negative="keep") == value("NDCG_org@3", *TWO_SPAM)
    assert value("nDCG@3", *TWO_SPAM) == value("NDCG_0@3", *TWO_SPAM)


def test_who_asks_to_keep_labels_below_zero_sees_them_in_every_mode() -> None:
    for compat in ("none", "trec_eval", "trec_eval9", "gdeval"):
        assert round(value("NDCG_min@3", *TWO_SPAM, compat=compat), 6) == 0.435237
        assert round(value("NDCG_std@3", *ONE_SPAM, compat=compat), 6) == -0.432993


def test_mean_gain_exists_for_std_alone() -> None:
    same = [value(name, *ONE_SPAM, unjudged="mean") for name in ("NDCG_std@3", "NDCG_std(mean_gain=True)@3")]
    assert same[0] == same[1] == value("NDCG_std(unjudged='mean')@3", *ONE_SPAM)
    with pytest.raises(MeasureError, match="AP cannot give unjudged documents a mean gain"):
        value("AP", *ONE_SPAM, unjudged="mean")
    for name, policy in (("nDCG@3", {"unjudged": "mean"}), ("NDCG_min(mean_gain=True)@3", {})):
        with pytest.raises(MeasureError, match="only where its baseline is random"):
            value(name, *ONE_SPAM, **policy)


def test_page_of_the_measure_lists_its_readings() -> None:
    def shown(*words: str) -> str:
        return CliRunner().invoke(app, ["measures", *words], catch_exceptions=False, env={"COLUMNS": "100"}).stdout

    assert "NDCG_min            nDCG in which 0 is the worst ranking, 1 the best.\n" in shown()
    page = shown("NDCG_min@10")
    assert 'NDCG_min = nDCG(negative="keep",baseline="worst"): 0 is the worst ranking, 1 the best' in page
    assert 'with baseline="random": values: from -inf to inf; an undefined value is left out of it' in page
    assert 'with baseline="worst": values: 0 to 1' in page


@given(ranked=RANKED, elsewhere=ELSEWHERE, scale=st.sampled_from([0.5, 2.0, 7.0]), cutoff=st.integers(1, 4))
def test_a_positive_scale_changes_no_reading(
    ranked: list[Grade], elsewhere: list[float], scale: float, cutoff: int
) -> None:
    elsewhere = [*elsewhere, 1.0]
    scaled = [None if grade is None else scale * grade for grade in ranked]
    for name in ("NDCG_org", "NDCG_0", "NDCG_min", "NDCG_std", "NDCG_std(unjudged='mean')"):
        found = value(f"{name}@{cutoff}", scaled, [scale * grade for grade in elsewhere])
        assert found == pytest.approx(value(f"{name}@{cutoff}", ranked, elsewhere), abs=1e-12, nan_ok=True)


@given(ranked=RANKED, elsewhere=ELSEWHERE, cutoff=st.integers(1, 4))
def test_min_is_affine_in_org_within_a_topic(ranked: list[Grade], elsewhere: list[float], cutoff: int) -> None:
    pool = sorted([grade for grade in ranked if grade is not None] + [*elsewhere, 1.0])
    worst, best = (
        sum(grade / log2(rank + 1) for rank, grade in enumerate(grades[:cutoff], 1))
        for grades in ([g for g in pool if g < 0], [g for g in pool[::-1] if g > 0])
    )
    slope = best / (best - worst)
    org, smallest = (value(f"{name}@{cutoff}", ranked, [*elsewhere, 1.0]) for name in ("NDCG_org", "NDCG_min"))
    assert smallest == pytest.approx(slope * org + 1 - slope, abs=1e-12)


def test_the_papers_worst_order_of_the_judged_documents_alone() -> None:
    """Labels 3, 2, 1 in worst order: 0 by the paper's equation over D_n, and .53 where other documents are there."""
    worst_order = [1.0, 2.0]
    assert value("NDCG_min_judged@2", worst_order, [3.0]) == 0
    assert value("NDCG_min@2", worst_order, [3.0]) == pytest.approx((1 + 2 / log2(3)) / (3 + 2 / log2(3)))
    assert round(value("NDCG_min@2", worst_order, [3.0]), 2) == 0.53
    assert value("NDCG_min_judged@2", [3.0, 2.0], [1.0]) == 1
    # beyond the pool: showing nothing is worse than its worst order, all labels being above zero
    assert value("NDCG_min_judged@2", [None], [3.0, 2.0, 1.0]) == pytest.approx(
        -(1 + 2 / log2(3)) / (2 - 2 / log2(3) + 2 / log2(3))
    )
    assert np.isnan(value("NDCG_min_judged@2", [1.0], [1.0])), "no order is worse than another"


def test_two_sums_below_zero_exceed_one_over_the_orders_of_the_judged_documents() -> None:
    """The paper's second violation: labels 1 and -2 in the order -2, 1, k = 2."""
    dcg, ideal = -2 + 1 / log2(3), 1 - 2 / log2(3)
    assert ideal < 0
    assert value("NDCG_org_judged@2", [-2.0, 1.0], []) == pytest.approx(dcg / ideal)
    assert round(value("NDCG_org_judged@2", [-2.0, 1.0], []), 2) == 5.23
    assert value("NDCG_org_judged@2", [1.0, -2.0], []) == 1
    assert value("NDCG_org@2", [-2.0, 1.0], []) == pytest.approx(dcg), "where a document of label 0 can be shown"
    assert value("NDCG_org_judged@2", [1.0, None], [3.0, -2.0]) == value("NDCG_org@2", [1.0, None], [3.0, -2.0])
    assert np.isnan(value("NDCG_org_judged@2", [0.0, 0.0], [])), "the best order gains nothing"


def test_unjudged_documents_do_not_end_a_list_below_which_judged_ones_stand() -> None:
    """NDCG_org_judged looks at k ranks of the list, and its ideal at the judged documents alone."""
    assert value("NDCG_org_judged@2", [None, 1.0], []) == pytest.approx(1 / log2(3))
    assert value("NDCG_org_judged@2", [None, 1.0], []) == value("NDCG_org@2", [None, 1.0], [])
    found = value("NDCG_org_judged@5", [None, 2.0, -1.0, -2.0], [])
    assert found == pytest.approx((2 / log2(3) - 1 / 2 - 2 / log2(5)) / (2 - 1 / log2(3) - 2 / 2))
    assert round(found, 4) == -0.2696


@pytest.mark.parametrize("cutoff", [1, 2, 3])
def test_the_worst_and_best_of_all_orders_are_0_and_1(cutoff: int) -> None:
    pool = [3.0, 1.0, 0.0, -2.0]
    found = {
        order: value(f"NDCG_min_judged@{cutoff}", list(order[:cutoff]), list(order[cutoff:]))
        for order in permutations(pool)
    }
    gain = {
        order: sum(label / log2(rank + 2) for rank, label in enumerate(order[:cutoff])) for order in permutations(pool)
    }
    low, high = min(gain.values()), max(gain.values())
    for order, score in found.items():
        assert score == pytest.approx((gain[order] - low) / (high - low), abs=1e-12)
