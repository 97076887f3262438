"""Dominance between lists: golden verdicts, closed forms by exhaustion, laws, and what is refused."""

from __future__ import annotations

import itertools
import json
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield.collection.preferences import Preferences
from cranfield.comparison import compare_dominance, compute_dominance_shares
from cranfield.errors import CranfieldError, InputError, UsageError
from cranfield.statistics.dominance import dominance, positions
from data_sets import DATA, GOLDEN
from effort import examples

DOMINANCE = GOLDEN / "dominance"
NAMES = {1.0: "better", -1.0: "worse", 0.0: "equal"}
COLLECTIONS = {
    "dl19": (DATA / "trec-dl-2019-passage", "qrels.dl19-passage.txt.gz", 2.0),
    "robust": (DATA / "trec-robust-2003", "qrels.txt.gz", 1.0),
}
NEEDED = {name: pytest.mark.data(f"data/{folder.name}") for name, (folder, _, _) in COLLECTIONS.items()}


def verdict(x: list[str], y: list[str], judged: dict[str, int], **settings: object) -> str:
    runs = {
        name: {"q": {d: -float(n) for n, d in enumerate(ids)}, "z": {"k": 1.0}}
        for name, ids in zip("xy", (x, y), strict=True)
    }
    result = compare_dominance(runs, {"q": judged, "z": {"k": 1}}, **settings)  # type: ignore[arg-type]
    value = float(result.topics.sel(topic="q").values[0])
    return "undecided" if np.isnan(value) else NAMES[value]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_verdicts_on_generated_pairs_are_the_golden_ones() -> None:
    checked = 0
    for line in (DOMINANCE / "pairs.jsonl").read_text().splitlines()[::3]:
        pair = json.loads(line)
        for key in (key for key in pair if "@" in key):
            kind, _, depth = key.partition("@")
            settings = {"any": {"unjudged": "any"}, "binary1": {"rel": 1.0}}.get(kind, {})
            cutoff = None if depth == "all" else int(depth)
            assert verdict(pair["x"], pair["y"], pair["judged"], cutoff=cutoff, **settings) == pair[key], (
                pair["id"],
                key,
            )
            checked += 1
    assert checked > 500


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=NEEDED[name]) for name in COLLECTIONS])
def test_counts_on_collections_are_the_golden_ones(name: str) -> None:
    folder, qrels, rel = COLLECTIONS[name]
    expected = pd.read_csv(DOMINANCE / f"systems.{name}.tsv.gz", sep="\t")
    for settings, rows in expected.groupby("settings"):
        kind, _, depth = settings.partition("@")
        result = compare_dominance(
            str(folder / "runs" / "*"),
            folder / qrels,
            cutoff=None if depth == "all" else int(depth),
            rel=None if kind == "graded" else rel,
        )
        mirrored = result.pairs.rename(columns={"system": "other", "other": "system", "won": "lost", "lost": "won"})
        known = pd.concat([result.pairs, mirrored]).set_index(["system", "other"])
        ours = known.loc[pd.MultiIndex.from_frame(rows[["x", "y"]])]
        counts = ["won", "lost", "equal", "undecided"]
        assert ours[counts].to_numpy().tolist() == rows[counts].to_numpy().tolist(), settings
        np.testing.assert_allclose(ours["p"], rows["p"], atol=1e-9)
        np.testing.assert_allclose(ours["p_worst"], rows["p_worst"], atol=1e-9)


# ---- closed forms and laws


def decided(labels: int, length: int) -> tuple[int, int]:
    """Ordered pairs with x >= y, and distinct unordered pairs that are decided, over all lists of a length."""
    lists = np.array(list(itertools.product(range(labels), repeat=length)), dtype=float)
    count = len(lists)
    system, rank = np.repeat(np.arange(count), length), np.tile(np.arange(1, length + 1), count)
    good = dominance(positions(system, rank, lists.ravel(), np.arange(1.0, labels), count))
    return int(good.sum()), int((good | good.T)[np.triu_indices(count, 1)].sum())


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 6])
def test_pairs_of_binary_lists_are_counted_by_a_binomial(length: int) -> None:
    assert decided(2, length)[0] == comb(2 * length + 1, length)


@pytest.mark.parametrize(
    ("labels", "length", "ordered", "unordered"),
    [
        (3, 2, 41, 32),
        (3, 3, 301, 274),
        (3, 4, 2307, 2226),
        (3, 5, 18188, 17945),
        (4, 3, 1435, None),
        (2, 6, 1716, 1652),
    ],
)
def test_pairs_of_graded_lists(labels: int, length: int, ordered: int, unordered: int | None) -> None:
    found = decided(labels, length)
    assert found[0] == ordered
    assert unordered in (None, found[1])


LISTS = st.lists(st.integers(0, 3), min_size=6, max_size=6)


@pytest.mark.slow
@given(LISTS, LISTS)
def test_a_verdict_is_never_against_a_measure(x: list[int], y: list[int]) -> None:
    judged = (
        {f"x{n}": label for n, label in enumerate(x)} | {f"y{n}": label for n, label in enumerate(y)} | {"other": 3}
    )
    first, second = [f"x{n}" for n in range(6)], [f"y{n}" for n in range(6)]
    outcome = verdict(first, second, judged)
    runs = {name: {"q": {d: -float(n) for n, d in enumerate(ids)}} for name, ids in (("x", first), ("y", second))}
    scores = cranfield.evaluate(
        runs=runs,
        qrels={"q": judged},
        measures=["AP", "nDCG", "nDCG@3", "RR", "P@4", "RBP(p=0.8)", "ERR", "Q", "Rprec"],
    )
    differences = [float(scores[name].sel(system="x").item() - scores[name].sel(system="y").item()) for name in scores]
    if outcome == "better":
        assert min(differences) >= -1e-12
    elif outcome == "worse":
        assert max(differences) <= 1e-12
    elif outcome == "equal":
        assert max(map(abs, differences)) <= 1e-12


@pytest.mark.slow
@given(LISTS, LISTS)
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_verdicts_are_antisymmetric_and_appending_nothing_changes_nothing(x: list[int], y: list[int]) -> None:
    judged = {f"x{n}": label for n, label in enumerate(x)} | {f"y{n}": label for n, label in enumerate(y)}
    first, second = [f"x{n}" for n in range(6)], [f"y{n}" for n in range(6)]
    opposite = {"better": "worse", "worse": "better"}
    outcome = verdict(first, second, judged)
    assert verdict(second, first, judged) == opposite.get(outcome, outcome)
    assert verdict([*first, "new1", "new2"], second, judged) == outcome
    short = verdict(first, second, judged, cutoff=3)
    if outcome in opposite:
        assert short != opposite[outcome]


@NEEDED["robust"]
def test_p_worst_is_never_smaller_than_p() -> None:
    folder, qrels, _ = COLLECTIONS["robust"]
    pairs = compare_dominance(str(folder / "runs" / "*"), folder / qrels, cutoff=10).pairs
    assert (pairs["p_worst"] >= pairs["p"]).all()


LISTS_OF_ALL = st.lists(st.lists(st.sampled_from([-1, 0, 1, 2, None]), max_size=5), min_size=4, max_size=4)
CONSISTENT = ("nDCG@3", "nDCG", "AP", "AP(rel=2)", "P@2", "R@4", "F1@3", "RR", "Success@2", "Rprec", "ElevenPoint")
CONSISTENT += ("IPrec@0.5", "DCG@4", "NCG@3", "ERR", "nERR@3", "RBP", "SetR", "NumRelRet", 'nDCG(dcg="exp-log2")')


@pytest.mark.slow
@examples(25)
@given(LISTS_OF_ALL, LISTS_OF_ALL)
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_no_consistent_measure_contradicts_a_verdict_on_odd_collections(
    first: list[list[int | None]], second: list[list[int | None]]
) -> None:
    """With equal scores, missing topics, short lists, unjudged documents and labels below 0."""
    runs: dict[str, dict[str, dict[str, float]]] = {}
    qrels: dict[str, dict[str, int]] = {"q0": {"relevant": 2}, "q1": {"relevant": 1}}
    for topic, lists in (("q0", first), ("q1", second)):
        for number, labels in enumerate(lists):
            documents = {f"{number}.{at}": float(-(at // 2)) for at in range(len(labels))}
            if documents:
                runs.setdefault(f"s{number}", {})[topic] = documents
            qrels[topic] |= {f"{number}.{at}": label for at, label in enumerate(labels) if label is not None}
    if len(runs) > 1:
        assert (compute_dominance_shares(runs, qrels, CONSISTENT).table["contradicted"] == 0).all()


EXPECTED = {
    "dl19": {
        "nDCG@10": (0.645, 479, 382, 0, 68),
        "nDCG": (0.236, None, None, None, None),
        "AP(rel=2)": (0.392, 482, 373, 0, 35),
        "P(rel=2)@10": (0.808, None, None, None, None),
    },
    "robust": {
        "nDCG@10": (0.745, 86, 74, 0, 18),
        "nDCG": (0.363, None, None, None, None),
        "AP": (0.411, 109, 92, 0, 10),
        "P@10": (0.824, None, None, None, None),
    },
}
"""Share dominated; pairs that are significant, supported, opposed and robust, as the specification has them."""


@pytest.mark.parametrize("name", [pytest.param(name, marks=NEEDED[name]) for name in EXPECTED])
def test_shares_of_measures_on_collections(name: str) -> None:
    folder, qrels, _ = COLLECTIONS[name]
    made = compute_dominance_shares(str(folder / "runs" / "*"), folder / qrels, list(EXPECTED[name]))
    for row, (measure, (share, *counts)) in zip(made.table.to_dict("records"), EXPECTED[name].items(), strict=True):
        assert row["measure"] == measure
        assert row["dominated"] == pytest.approx(share, abs=0.0006)
        assert row["contradicted"] == 0
        ours = [row[column] for column in ("significant", "supported", "opposed", "robust")]
        assert counts[0] is None or ours == counts
        own = made.pairs[made.pairs["measure"] == measure]["conclusion"].value_counts()
        assert own.get("robust", 0) == row["robust"]


@pytest.mark.parametrize(
    ("name", "shares"),
    [
        pytest.param("dl19", (0.688, 0.647, 0.245), marks=NEEDED["dl19"]),
        pytest.param("robust", (0.493, 0.485, 0.390), marks=NEEDED["robust"]),
    ],
)
def test_orders_of_means_that_no_gain_or_discount_turns(name: str, shares: tuple[float, ...]) -> None:
    folder, qrels, _ = COLLECTIONS[name]
    for cutoff, share in zip((10, 20, 1000), shares, strict=True):
        orders = compare_dominance(str(folder / "runs" / "*"), folder / qrels, cutoff=cutoff).pairs["mean_order"]
        assert orders.isin(["better", "worse"]).mean() == pytest.approx(share, abs=0.0006)


@examples(25)
@given(st.lists(LISTS, min_size=3, max_size=3), st.lists(LISTS, min_size=3, max_size=3))
def test_an_order_of_means_is_that_of_every_dcg(first: list[list[int]], second: list[list[int]]) -> None:
    judged = {f"{label}.{at}": label for label in range(4) for at in range(6)}
    runs = {
        f"s{number}": {
            topic: {f"{label}.{at}": float(-at) for at, label in enumerate(lists[number])}
            for topic, lists in (("q0", first), ("q1", second))
        }
        for number in range(3)
    }
    qrels = {"q0": judged, "q1": judged}
    measures = ["DCG", 'DCG(dcg="exp-log2")', "RBP(p=0.3)", "RBP(p=0.95)", "P@3", "P(rel=2)@5", "DCG@2"]
    scores = cranfield.evaluate(runs, qrels, measures)
    for row in compare_dominance(runs, qrels).pairs.to_dict("records"):
        means = {
            side: [float(scores[name].sel(system=row[side]).mean()) for name in scores] for side in ("system", "other")
        }
        differences = np.subtract(means["system"], means["other"])
        if row["mean_order"] in ("better", "equal"):
            assert differences.min() >= -1e-12
        if row["mean_order"] in ("worse", "equal"):
            assert differences.max() <= 1e-12


@pytest.mark.slow
@examples(25)
@given(
    st.lists(st.sampled_from(["a", "b", "n1", "n2", "n3", "r1", "r2"]), unique=True, max_size=5),
    st.lists(st.sampled_from(["a", "b", "n1", "n2", "n3", "r1", "r2"]), unique=True, max_size=5),
)
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_a_verdict_whatever_the_missing_labels_holds_for_all_labellings(x: list[str], y: list[str]) -> None:
    judged = {"r1": 1, "r2": 2, "a": 0}
    unjudged = sorted({*x, *y} - set(judged))
    outcome = verdict(x, y, judged, unjudged="any")
    labellings = itertools.product((0, 1, 2), repeat=len(unjudged))
    outcomes = {verdict(x, y, judged | dict(zip(unjudged, labels, strict=True))) for labels in labellings}
    if outcome in ("better", "worse"):
        assert outcomes <= {outcome, "equal"}
    elif outcome == "equal":
        assert outcomes == {"equal"}
    else:
        assert "undecided" in outcomes or {"better", "worse"} <= outcomes


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize(("elsewhere", "expected"), [(1, "better"), (2, "undecided")])
def test_an_unjudged_document_may_have_a_label_that_another_topic_has(elsewhere: int, expected: str) -> None:
    runs = {
        name: {"q": {document: 1.0, "n": 0.5}, "z": {"k": 1.0}} for name, document in (("x", "r"), ("y", "unjudged"))
    }
    qrels = {"q": {"r": 1, "n": 0}, "z": {"k": elsewhere}}
    result = compare_dominance(runs, qrels, unjudged="any")
    value = float(result.topics.sel(topic="q").values[0])
    assert ("undecided" if np.isnan(value) else NAMES[value]) == expected
    assert compare_dominance(runs, qrels).topics.sel(topic="q").values[0] == 1.0  # no document has the label there


@examples(40)
@given(LISTS, LISTS, st.integers(1, 3))
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_graded_is_the_meeting_of_all_levels_and_relabelling_changes_nothing(
    x: list[int], y: list[int], factor: int
) -> None:
    judged = {f"x{n}": label for n, label in enumerate(x)} | {f"y{n}": label for n, label in enumerate(y)}
    first, second = [f"x{n}" for n in range(6)], [f"y{n}" for n in range(6)]
    outcome = verdict(first, second, judged)
    levels = sorted({label for label in judged.values() if label > 0})
    by_level = {verdict(first, second, judged, rel=float(level)) for level in levels}
    if levels:
        assert (by_level <= {"better", "equal"}) is (outcome in ("better", "equal"))
        assert (by_level <= {"worse", "equal"}) is (outcome in ("worse", "equal"))
    relabelled = {document: label**2 * factor for document, label in judged.items()}
    assert verdict(first, second, relabelled) == outcome


def test_graded_and_swapped_pairs_of_two_are_undecided() -> None:
    judged = {"a": 1, "b": 1, "c": 2, "d": 0}
    assert verdict(["a", "b"], ["c", "d"], judged) == "undecided"
    assert verdict(["c", "d"], ["d", "c"], judged) == "better"


# ---- refusals


def test_refusals() -> None:
    runs, qrels = {"x": {"q": {"a": 1.0}}, "y": {"q": {"b": 1.0}}}, {"q": {"a": 1}}
    with pytest.raises(UsageError, match="cutoff"):
        compare_dominance(runs, qrels, cutoff=0)
    with pytest.raises(InputError, match="two runs"):
        compare_dominance({"x": runs["x"]}, qrels)
    with pytest.raises(UsageError, match="negative"):
        compare_dominance(runs, qrels, reading=cranfield.InputOptions(negative="keep"))
    with pytest.raises(UsageError, match="discount"):
        compare_dominance(runs, qrels, unjudged="any", discount="convex")
    with pytest.raises(UsageError, match="intent_weights"):
        compare_dominance(runs, qrels, reading=cranfield.InputOptions(intent_weights={"q": {"1": 1.0}}))
    with pytest.raises(CranfieldError):
        compare_dominance(runs, Preferences.of([("q", "a", "b")]))  # type: ignore[arg-type]


@pytest.mark.parametrize("measure", ["RIC", "bpref", "Q", "nDCG(judged_only=True)@10", "NDCG_std", "SetP"])
def test_a_measure_that_may_contradict_is_refused(measure: str) -> None:
    runs, qrels = {"x": {"q": {"a": 1.0}}, "y": {"q": {"b": 1.0}}}, {"q": {"a": 1}}
    with pytest.raises(UsageError, match="not known to be consistent"):
        compute_dominance_shares(runs, qrels, measure)
