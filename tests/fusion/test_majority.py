"""CondorcetFuse and the bounds: worked examples, and a second hand that compares documents one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield import AP, RIC, R, UsageError
from cranfield.fusion import compute_fusion_bounds, fuse
from cranfield.measures import values
from effort import examples

ABSENT = 10**9
Lists = list[list[str]]
Compare = Callable[[str, str], int]


def run_of(ranked: Sequence[str]) -> dict[str, dict[str, float]]:
    return {"q": {document: -float(rank) for rank, document in enumerate(ranked)}}


def merge(documents: list[str], compare: Compare) -> list[str]:
    """The textbook's merge sort."""
    if len(documents) < 2:
        return documents
    middle = len(documents) // 2
    left, right = merge(documents[:middle], compare), merge(documents[middle:], compare)
    merged = []
    while left and right:
        merged.append(left.pop(0) if compare(left[0], right[0]) <= 0 else right.pop(0))
    return merged + left + right


def votes(lists: Lists, one: str, other: str) -> tuple[int, int]:
    place = [{document: at for at, document in enumerate(ranked)} for ranked in lists]
    won = sum(p.get(one, ABSENT) < p.get(other, ABSENT) for p in place)
    return won, sum(p.get(one, ABSENT) > p.get(other, ABSENT) for p in place)


def start(lists: Lists, documents: set[str], labels: dict[str, float] | None = None) -> list[str]:
    def height(document: str) -> tuple[float, float, str]:
        found = sorted(1 / (ranked.index(document) + 1) for ranked in lists if document in ranked)
        return (-(labels or {}).get(document, 0.0), -sum(found), document)

    return sorted(documents, key=height)


def condorcet(lists: Lists) -> list[str]:
    def compare(one: str, other: str) -> int:
        won, lost = votes(lists, one, other)
        return (won < lost) - (won > lost)

    return merge(start(lists, {d for ranked in lists for d in ranked}), compare)


def bound(lists: Lists, labels: dict[str, float], name: str, abstain: str) -> list[str]:
    def compare(one: str, other: str) -> int:
        won, lost = votes(lists, one, other)
        by_label = (labels[one] < labels[other]) - (labels[one] > labels[other])
        if name == "Pareto" and abstain == "fail":
            first, last = won == len(lists), lost == len(lists)
        elif name == "Pareto":
            first, last = won > 0 == lost, lost > 0 == won
        elif name == "Majoritarian":
            half, against = 2 * won >= len(lists), 2 * lost >= len(lists)
            first, last = half and not against, against and not half
        else:
            first = last = False
        return -1 if first else 1 if last else by_label

    return merge(start(lists, {d for ranked in lists for d in ranked if d in labels}, labels), compare)


LISTS = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1, max_size=8), min_size=1, max_size=5)
LABELS = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.0, 1.0, 2.0, -1.0]), min_size=1)


def test_a_cycle() -> None:
    """a > b > c > a by two to one: the start decides where it is cut."""
    runs = [run_of(ranked) for ranked in ("abc", "bca", "cab")]
    assert list(fuse(runs, "condorcet").to_dict()["q"]) == ["a", "b", "c"]
    judged = cranfield.evaluation.make_rankings(runs, {"q": {"a": 0, "b": 0, "c": 1}})
    assert orders(compute_fusion_bounds(judged), "abc")["Majoritarian"] == ["c", "a", "b"]


def test_pareto_can_go_in_circles_too() -> None:
    """Unanimous X > Y, by label Y > Z and Z > X."""
    runs = [run_of("XYZ"), run_of("ZXY")]
    judged = cranfield.evaluation.make_rankings(runs, {"q": {"X": 0, "Y": 2, "Z": 1}})
    found = orders(compute_fusion_bounds(judged), "XYZ")["Pareto"]
    assert found == bound(["XYZ", "ZXY"], {"X": 0, "Y": 2, "Z": 1}, "Pareto", "fail")  # type: ignore[list-item]


def test_sorting_need_not_find_the_order_that_there_is() -> None:
    """Of four lists d beats c three to one, and no majority goes in circles; still the published sort has c first."""
    runs = [run_of(ranked) for ranked in ("abdc", "adcb", "abdc", "cbda")]
    assert list(fuse(runs, "condorcet").to_dict()["q"]) == ["a", "c", "b", "d"]
    assert list(fuse(runs, "condorcet", cycles="components").to_dict()["q"]) == ["a", "b", "d", "c"]


@examples(150)
@given(LISTS)
def test_condorcet_compares_documents_one_by_one(lists: Lists) -> None:
    found = fuse([run_of(ranked) for ranked in lists], "condorcet").to_dict()["q"]
    expected = condorcet(lists)
    assert found == {document: float(len(expected) - at) for at, document in enumerate(expected)}


def orders(found: cranfield.collection.Rankings, judged: Sequence[str]) -> dict[str, list[str]]:
    """Documents of each bound, of which the judged ones are rows of the pool in id order."""
    out = {}
    for number, name in enumerate(found.systems):
        rows = slice(found.starts[number], found.starts[number + 1])
        assert found.rank[rows].tolist() == list(range(1, int(found.length[number]) + 1))
        out[name] = [sorted(judged)[row] for row in found.document[rows]]
    return out


@pytest.mark.slow
@pytest.mark.parametrize("abstain", ["fail", "ignore"])
@examples(100)
@given(lists=LISTS, labels=LABELS)
def test_bounds_compare_documents_one_by_one(abstain: str, lists: Lists, labels: dict[str, float]) -> None:
    judged = cranfield.evaluation.make_rankings([run_of(ranked) for ranked in lists], {"q": labels})
    found = orders(compute_fusion_bounds(judged, abstain=abstain), list(labels))  # type: ignore[arg-type]
    for name in ("Pareto", "Majoritarian", "Naive"):
        assert found[name] == bound(lists, labels, name, abstain), name


@examples(100)
@given(lists=LISTS, labels=st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.0, 1.0]), min_size=2))
def test_binary_naive_ric_is_the_recall_of_the_union(lists: Lists, labels: dict[str, float]) -> None:
    judged = cranfield.evaluation.make_rankings([run_of(ranked) for ranked in lists], {"q": labels})
    found = compute_fusion_bounds(judged)
    ric, recall = values(RIC, found)[0], values(R @ 100, found)[0]
    if len(set(labels.values())) > 1:
        assert ric == pytest.approx(recall, abs=1e-12)
    best = values(AP, found)
    assert np.isnan(best).all() or best[0] == pytest.approx(best.max())


@given(st.permutations("abcdef"), LABELS)
def test_of_one_system_the_majority_is_its_list(ranked: list[str], labels: dict[str, float]) -> None:
    judged = cranfield.evaluation.make_rankings({"one": run_of(ranked)}, {"q": labels})
    found = orders(compute_fusion_bounds(judged), list(labels))
    kept = [document for document in ranked if document in labels]
    assert found["Pareto"] == found["Majoritarian"] == kept


def by_transitive_closure(beats: list[list[bool]]) -> list[int]:
    """Components by reachability, then what the page says: free components in turn, wins inside, then the start."""
    size = len(beats)
    reaches = [[beats[i][j] or i == j for j in range(size)] for i in range(size)]
    for k in range(size):
        for i in range(size):
            for j in range(size):
                reaches[i][j] |= reaches[i][k] and reaches[k][j]
    components: list[list[int]] = []
    for i in range(size):
        home = next((c for c in components if reaches[i][c[0]] and reaches[c[0]][i]), None)
        if home is None:
            components.append([i])
        else:
            home.append(i)
    order: list[int] = []
    while components:
        free = [c for c in components if not any(beats[i][j] for d in components if d is not c for i in d for j in c)]
        chosen = min(free, key=min)
        components.remove(chosen)
        order += sorted(chosen, key=lambda i: (-sum(beats[i][j] for j in chosen), i))
    return order


@examples(100)
@given(st.integers(1, 9), st.integers(0, 2**32 - 1), st.sampled_from([0.1, 0.3, 0.6]))
def test_components(size: int, seed: int, share: float) -> None:
    """Any relation is that of a majority: two lists for each pair, which agree on no other (McGarvey 1953)."""
    table = np.random.default_rng(seed).random((size, size)) < share
    np.fill_diagonal(table, False)
    table &= ~table.T | np.triu(np.ones((size, size), dtype=bool))  # no two beat each other
    documents = list("abcdefghi"[:size])
    lists = [documents, documents[::-1]]
    for winner, loser in np.argwhere(table).tolist():
        pair, others = [documents[winner], documents[loser]], [*documents]
        others.remove(pair[0])
        others.remove(pair[1])
        lists += [[*pair, *others], [*others[::-1], *pair]]
    first = start(lists, set(documents))
    beats = [[bool(table[documents.index(one), documents.index(other)]) for other in first] for one in first]
    found = fuse([run_of(ranked) for ranked in lists], "condorcet", cycles="components").to_dict()["q"]
    assert list(found) == [first[at] for at in by_transitive_closure(beats)]


@given(LISTS)
def test_components_agree_with_an_order_where_there_is_one(lists: Lists) -> None:
    """One list: sorting by its own comparison is sorting."""
    ranked = lists[0]
    found = fuse([run_of(ranked)], "condorcet", cycles="components").to_dict()["q"]
    place = {document: at for at, document in enumerate(ranked)}
    assert list(found) == sorted(ranked, key=cmp_to_key(lambda x, y: place[x] - place[y]))


def test_topics_without_documents() -> None:
    runs = {"one": {"1": {"a": 1.0}, "2": {"x": 1.0}}, "two": {"1": {"b": 1.0}}}
    judged = cranfield.evaluation.make_rankings(runs, {"1": {"a": 1, "b": 0}, "2": {"y": 1}, "3": {"z": 1}})
    found = compute_fusion_bounds(judged)
    assert found.length.tolist() == [2, 0, 0] * 3
    assert values(AP, found).tolist() == [1, 0, 0] * 3


def test_negative_labels_are_unjudged_to_trec_eval() -> None:
    runs = {"one": run_of("abc")}
    qrels = {"q": {"a": -2, "b": 0, "c": 1}}
    assert compute_fusion_bounds(cranfield.evaluation.make_rankings(runs, qrels)).length.tolist() == [3, 3, 3]
    judged = cranfield.evaluation.make_rankings(runs, qrels, compat="trec_eval")
    assert compute_fusion_bounds(judged).length.tolist() == [2, 2, 2]


def test_refusals() -> None:
    judged = cranfield.evaluation.make_rankings({"one": run_of("abc")}, {"q": {"a": 1}})
    with pytest.raises(UsageError, match="abstain='x' is not one of fail, ignore"):
        compute_fusion_bounds(judged, abstain="x")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="cycles='x' is not one of sort, components"):
        compute_fusion_bounds(judged, cycles="x")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="which ties='bounds' leaves open"):
        compute_fusion_bounds(
            cranfield.evaluation.make_rankings({"a": {"q": {"x": 1}}}, {"q": {"x": 1}}, ties="bounds")
        )


def test_a_topic_is_ordered_alike_beside_one_whose_ranks_take_wider_integers() -> None:
    """Documents that a run lacks are below all of its own, in however wide integers ranks are held."""
    few = [["a", "b", "c"], ["c", "d"], ["d", "a"], ["e", "b"]]
    many = [[f"d{number}" for number in range(33_000)], ["d1", "d0"], ["d2"], ["d0", "d1"]]
    alone = fuse([run_of(ranked) for ranked in few], "condorcet").to_dict()["q"]
    runs = [run_of(ranked) | {"wide": run_of(others)["q"]} for ranked, others in zip(few, many, strict=True)]
    beside = fuse(runs, "condorcet").to_dict()["q"]
    assert sorted(beside, key=beside.__getitem__) == sorted(alone, key=alone.__getitem__)
    assert len(alone) == 5
