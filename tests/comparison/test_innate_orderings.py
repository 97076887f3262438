"""Innate orderings: golden verdicts, closed forms by exhaustion, laws, and what is refused."""

from __future__ import annotations

import itertools
import json
from math import comb
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield.comparison import compare_innately
from cranfield.errors import InputError, UsageError
from cranfield.statistics.innate_orderings import dominance, positions

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
GOLDEN, DATA = SHARED / "golden" / "innate-orderings", SHARED / "data"
NAMES = {1.0: "better", -1.0: "worse", 0.0: "equal"}
COLLECTIONS = {
    "dl19": (DATA / "trec-dl-2019-passage", "qrels.dl19-passage.txt.gz", 2.0),
    "robust": (DATA / "trec-robust-2003", "qrels.txt.gz", 1.0),
}
pytestmark = pytest.mark.data("golden/innate-orderings", "data/trec-dl-2019-passage", "data/trec-robust-2003")


def verdict(x: list[str], y: list[str], judged: dict[str, int], **settings: object) -> str:
    runs = {
        name: {"q": {d: -float(n) for n, d in enumerate(ids)}, "z": {"k": 1.0}}
        for name, ids in zip("xy", (x, y), strict=True)
    }
    result = compare_innately(runs, {"q": judged, "z": {"k": 1}}, **settings)  # type: ignore[arg-type]
    value = float(result.topics.sel(topic="q").values[0])
    return "undecided" if np.isnan(value) else NAMES[value]


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_verdicts_on_generated_pairs_are_the_golden_ones() -> None:
    checked = 0
    for line in (GOLDEN / "pairs.jsonl").read_text().splitlines()[::3]:
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


@pytest.mark.parametrize("name", COLLECTIONS)
def test_counts_on_collections_are_the_golden_ones(name: str) -> None:
    folder, qrels, rel = COLLECTIONS[name]
    expected = pd.read_csv(GOLDEN / f"systems.{name}.tsv.gz", sep="\t")
    for settings, rows in expected.groupby("settings"):
        kind, _, depth = settings.partition("@")
        result = compare_innately(
            str(folder / "runs" / "*"),
            folder / qrels,
            cutoff=None if depth == "all" else int(depth),
            rel=None if kind == "graded" else rel,
        )
        turned = result.pairs.rename(columns={"system": "other", "other": "system", "won": "lost", "lost": "won"})
        known = pd.concat([result.pairs, turned]).set_index(["system", "other"])
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


@given(LISTS, LISTS)
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_verdicts_are_antisymmetric_and_appending_nothing_changes_nothing(x: list[int], y: list[int]) -> None:
    judged = {f"x{n}": label for n, label in enumerate(x)} | {f"y{n}": label for n, label in enumerate(y)}
    first, second = [f"x{n}" for n in range(6)], [f"y{n}" for n in range(6)]
    turn = {"better": "worse", "worse": "better"}
    outcome = verdict(first, second, judged)
    assert verdict(second, first, judged) == turn.get(outcome, outcome)
    assert verdict([*first, "new1", "new2"], second, judged) == outcome
    short = verdict(first, second, judged, cutoff=3)
    if outcome in turn:
        assert short != turn[outcome]


def test_p_worst_is_never_smaller_than_p() -> None:
    folder, qrels, _ = COLLECTIONS["robust"]
    pairs = compare_innately(str(folder / "runs" / "*"), folder / qrels, cutoff=10).pairs
    assert (pairs["p_worst"] >= pairs["p"]).all()


def test_graded_and_swapped_pairs_of_two_are_undecided() -> None:
    judged = {"a": 1, "b": 1, "c": 2, "d": 0}
    assert verdict(["a", "b"], ["c", "d"], judged) == "undecided"
    assert verdict(["c", "d"], ["d", "c"], judged) == "better"


# ---- refusals


def test_refusals() -> None:
    runs, qrels = {"x": {"q": {"a": 1.0}}, "y": {"q": {"b": 1.0}}}, {"q": {"a": 1}}
    with pytest.raises(UsageError, match="cutoff"):
        compare_innately(runs, qrels, cutoff=0)
    with pytest.raises(InputError, match="two runs"):
        compare_innately({"x": runs["x"]}, qrels)
    with pytest.raises(UsageError, match="negative"):
        compare_innately(runs, qrels, reading=cranfield.Reading(cranfield.Policy(negative="keep")))
    with pytest.raises(UsageError, match="discount"):
        compare_innately(runs, qrels, unjudged="any", discount="convex")
