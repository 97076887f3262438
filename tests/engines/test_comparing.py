"""What both engines say of several lists side by side: the same, and what a second hand in plain Python says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from outcomes import plain

from cranfield.engine import Engine, RunIds
from effort import examples

Outcome = tuple[int, ...]
Table = NDArray[np.signedinteger]


def packed(names: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Ids as data and offsets."""
    ids = [name.encode() for name in names]
    return np.frombuffer(b"".join(ids), dtype=np.uint8), np.cumsum([0, *map(len, ids)]).astype(np.int64)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Table, list[float]]:
    """Places of documents in lists that retrieve some of them, [systems, documents], and labels."""
    documents, systems = draw(st.integers(0, 9)), draw(st.sampled_from([1, 5, 31, 32, 33, 70]))
    kind = draw(st.sampled_from([np.int16, np.int32]))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    retrieved, alike = draw(st.sampled_from([0.0, 0.05, 0.6, 1.0])), draw(st.booleans())
    place = np.argsort(rng.random((systems, documents)), axis=1).astype(kind)
    if alike:
        place[:] = place[0]
    place[rng.random(place.shape) >= retrieved] = np.iinfo(kind).max
    return place, rng.integers(0, 3, documents).astype(np.float64).tolist()


def counted(place: Table, labels: list[float]) -> list[tuple[Outcome, int, int]]:
    """Outcomes, and how many pairs have each and its mirror image, pair by pair."""
    toward: Counter[Outcome] = Counter()
    against: Counter[Outcome] = Counter()
    for one, other in product(range(len(labels)), repeat=2):
        if labels[one] > labels[other]:
            outcome = said(place, one, other)
            turned = tuple(-sign for sign in outcome)
            (against if outcome < turned else toward)[max(outcome, turned)] += 1
    return [(outcome, toward[outcome], against[outcome]) for outcome in sorted(toward.keys() | against.keys())]


def by_label(labels: list[float]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Documents by label descending, and where each label begins, and the end."""
    order = np.argsort(-np.array(labels), kind="stable").astype(np.int64)
    ranked = [labels[at] for at in order]
    cuts = [at for at in range(len(ranked)) if at == 0 or ranked[at] != ranked[at - 1]]
    return order, np.array([*cuts, len(labels)], dtype=np.int64)


def said(place: Table, one: int, other: int) -> Outcome:
    return tuple(int(row[one] < row[other]) - int(row[one] > row[other]) for row in place)


@examples(150)
@given(tables())
def test_outcomes_are_counted_as_pair_by_pair(
    compiled: Engine, reference: Engine, drawn: tuple[Table, list[float]]
) -> None:
    place, labels = drawn
    order, cuts = by_label(labels)
    expected = counted(place, labels)
    for each in (compiled, reference):
        found = each.count_outcomes(place, order, cuts)
        pairs = zip(found["first"].tolist(), found["second"].tolist(), strict=True)
        outcomes = [said(place, *pair) for pair in pairs]
        numbers = (found["toward"].tolist(), found["against"].tolist())
        assert list(zip(outcomes, *numbers, strict=True)) == expected


@pytest.mark.slow
@examples(150)
@given(tables())
def test_agreements_are_counted_as_pair_by_pair(
    compiled: Engine, reference: Engine, drawn: tuple[Table, list[float]]
) -> None:
    place, labels = drawn
    outcomes = [
        said(place, one, other) for one, other in product(range(len(labels)), repeat=2) if labels[one] > labels[other]
    ]
    signs = {"toward": (1, 1), "against": (-1, -1), "opposite": (1, -1)}
    order, cuts = by_label(labels)
    for each in (compiled, reference):
        found = each.count_agreements(place, order, cuts)
        for name, both in signs.items():
            counted = Counter(
                where
                for outcome in outcomes
                for where in product(*(np.flatnonzero(np.equal(outcome, sign)).tolist() for sign in both))
            )
            table = found[name]
            assert table.dtype == np.float64
            assert {tuple(at): int(table[tuple(at)]) for at in np.argwhere(table).tolist()} == counted


@given(st.integers(0, 999), st.integers(1, 4))
@examples(20)
def test_agreements_over_many_documents_are_those_of_the_reference(
    compiled: Engine, reference: Engine, seed: int, labels: int
) -> None:
    """More documents than a number has bits, and better ones than are looked at together."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(60, 400))
    place = np.argsort(rng.random((6, size)), axis=1).astype(np.int16)
    place[place >= rng.integers(0, size, (6, 1))] = np.iinfo(np.int16).max
    place[:, rng.random(size) < rng.choice([0, 0.5, 0.9])] = np.iinfo(np.int16).max  # nobody retrieves these
    order, cuts = by_label(rng.integers(0, labels, size).astype(np.float64).tolist())
    one, other = compiled.count_agreements(place, order, cuts), reference.count_agreements(place, order, cuts)
    for name in ("toward", "against", "opposite"):
        np.testing.assert_array_equal(one[name], other[name])


@pytest.mark.parametrize("ties", ["rank", "none"])
def test_what_order_lists_cannot_order_is_refused(compiled: Engine, reference: Engine, ties: str) -> None:
    two, numbers = np.array([0, 2]), np.zeros(2, dtype=np.int32)
    for each in (compiled, reference):
        with pytest.raises(ValueError, match="do not fit together"):
            each.order_lists(two, two[:1], two, numbers, np.ones(2), None, ties, numbers.copy(), np.ones(2))
        with pytest.raises(ValueError, match="do not fit together"):
            each.order_lists(two, two[:1], two, numbers + 2, np.ones(2), None, "trec", numbers.copy(), np.ones(2))
        with pytest.raises(ValueError, match="do not fit together"):
            each.order_lists(two, two[:1], two, numbers, np.ones(1), None, "trec", numbers.copy(), np.ones(2))


def merged(items: list[int], stays: Callable[[int, int], bool]) -> list[int]:
    """The textbook's merge sort."""
    if len(items) < 2:
        return items
    left, right = merged(items[: len(items) // 2], stays), merged(items[len(items) // 2 :], stays)
    out = []
    while left and right:
        out.append((left if stays(left[0], right[0]) else right).pop(0))
    return out + left + right


@examples(100)
@given(tables(), st.integers(0, 9))
def test_the_majority_sorts_alike(
    compiled: Engine, reference: Engine, drawn: tuple[Table, list[float]], cut: int
) -> None:
    """Of lists with cycles and indifference; the textbook's sort is the second hand."""
    rank = np.ascontiguousarray(drawn[0].T)
    cut = min(cut, len(rank))

    def stays(one: int, other: int) -> bool:
        return sum(said(rank[[one, other]].T, 0, 1)) >= 0

    expected = merged(list(range(cut)), stays) + merged(list(range(cut, len(rank))), stays)
    starts = np.array([0, cut, len(rank)], dtype=np.int64)
    for each in (compiled, reference):
        assert each.majority_order(rank, starts).tolist() == expected


@examples(200)
@given(tables(), st.integers(0, 9), st.sampled_from([0, 1, 3, 5, 16, 33, 35, 70, 71]))
def test_votes_sort_alike(
    compiled: Engine, reference: Engine, drawn: tuple[Table, list[float]], cut: int, need: int
) -> None:
    """Of any number of votes: so many for one side alone decide, and the labels else."""
    rank = np.ascontiguousarray(drawn[0].T)
    cut, label = min(cut, len(rank)), np.array(drawn[1])

    def stays(one: int, other: int) -> bool:
        signs = said(rank[[one, other]].T, 0, 1)
        won, lost = (sum(sign == side for sign in signs) >= need for side in (1, -1))
        return bool(label[one] >= label[other]) if won == lost else won

    expected = merged(list(range(cut)), stays) + merged(list(range(cut, len(rank))), stays)
    starts = np.array([0, cut, len(rank)], dtype=np.int64)
    for each in (compiled, reference):
        assert each.order_by_votes(rank, starts, label, need).tolist() == expected


@examples(100)
@given(st.lists(st.lists(st.integers(0, 5), unique=True), max_size=5), st.sampled_from([1.0, -1.0, 0.5, 1e-17, 0.0]))
def test_places_are_summed_from_the_smallest_value_on(
    compiled: Engine, reference: Engine, lists: list[list[int]], step: float
) -> None:
    """Of weights that fall from the first place on, and of those that rise."""
    weight = 1.0 / np.arange(1.0, 8) ** step
    values = [(document, value) for some in lists for document, value in zip(some, weight.tolist(), strict=False)]
    expected = np.array([sum(sorted(value for of, value in values if of == one), 0.0) for one in range(6)]).tobytes()
    row = np.array([document for document, _ in values], dtype=np.int64)
    starts = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    for each in (compiled, reference):
        assert each.sum_by_rank(row, starts, weight, 6).tobytes() == expected


@examples(100)
@given(tables())
def test_leads_are_counted_column_by_column(
    compiled: Engine, reference: Engine, drawn: tuple[Table, list[float]]
) -> None:
    place = np.ascontiguousarray(drawn[0].T)
    left, right = (some.astype(np.int64) for some in np.triu_indices(len(place)))
    expected = [sum(said(place[[one, other]].T, 0, 1)) for one, other in zip(left, right, strict=True)]
    for each in (compiled, reference):
        assert each.count_leads(place, left, right).tolist() == expected


@examples(150)
@given(
    st.lists(
        st.lists(
            st.sampled_from([0.0, -0.0, 1.0, 1.0 + 2**-40, 2.0, -1.0, 1e300, 2e300, 1e-50, 2.0 - 2**-30]), max_size=9
        ),
        max_size=5,
    ),
    st.integers(1, 5),
)
def test_equal_scores_near_the_top(compiled: Engine, reference: Engine, lists: list[list[float]], depth: int) -> None:
    """Of lists in any order, some in falling order already."""

    def single(number: float) -> float:
        with np.errstate(over="ignore"):
            return float(np.float32(number))

    exactly = either = 0
    rounding = False
    for scores in lists:
        falling = sorted(scores, reverse=True)
        near = [pair for _, pair in zip(range(depth), pairwise(falling), strict=False)]
        same = any(one == other for one, other in near)
        exactly += same
        either += same or any(single(one) == single(other) for one, other in near)
        rounding |= any(one != other and single(one) == single(other) for one, other in pairwise(falling))
    starts = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    score = np.array([number for scores in lists for number in scores], dtype=np.float64)
    for each in (compiled, reference):
        assert each.count_ties(starts, score, depth) == (exactly, either, rounding)


@st.composite
def numbered_runs(draw: st.DrawFn) -> tuple[list[tuple[int, list[int]]], list[float], list[int] | None]:
    """Lists of a run over 3 topics of 4 documents each, some with a document twice; scores; and ranks or none."""
    topics = draw(st.permutations(range(3)))
    lists = [(topic, draw(st.lists(st.integers(4 * topic, 4 * topic + 3), max_size=4))) for topic in topics]
    rows = sum(len(some) for _, some in lists)
    close = st.sampled_from([2.0, 1.0, 1.0 + 1e-12, 0.0, -0.0, -1e300])
    scores = draw(st.lists(close, min_size=rows, max_size=rows))
    return lists, scores, draw(st.none() | st.lists(st.integers(1, 4), min_size=rows, max_size=rows))


@pytest.mark.slow
@examples(200)
@given(numbered_runs(), st.sampled_from(["trec", "trec9", "docid", "file"]))
def test_lists_are_ordered_by_numbers_as_by_ids(
    compiled: Engine,
    reference: Engine,
    drawn: tuple[list[tuple[int, list[int]]], list[float], list[int] | None],
    ties: str,
) -> None:
    """As runs are judged: that entrance looks at the ids, and refuses what occurs twice."""
    lists, scores, ranks = drawn
    rows = np.array([row for _, some in lists for row in some], dtype=np.int32)
    starts = np.cumsum([0, *(len(some) for _, some in lists)]).astype(np.int64)
    topics, bounds = np.array([topic for topic, _ in lists]), np.arange(0, 13, 4)
    score = np.array(scores)
    rank = None if ranks is None else np.array(ranks, dtype=np.int64)
    names, ids = list("abc"), packed([f"d{row:02}" for row in range(12)])
    given_ids = packed([f"d{row:02}" for row in rows.tolist()])
    run = [names[topic] for topic in topics], starts, *given_ids, score, rank
    for each in (compiled, reference):
        document, sorted_score = np.empty(len(rows), dtype=np.int32), np.empty(len(rows))
        found = each.order_lists(starts, topics, bounds, rows, score, rank, ties, document, sorted_score)
        if len(set(rows.tolist())) < len(rows):
            assert found is None
            continue
        (judged,) = each.judge_run(*run, each.index(names, bounds, *ids), [ties], "error")
        assert found is not None
        assert document.tolist() == judged["document"].tolist()
        by_document = dict(zip(rows.tolist(), scores, strict=True))
        assert sorted_score.tolist() == [by_document[one] for one in document.tolist()]
        noticed = judged["facts"]["noticed"].get("rank-contradicts-score", {"count": 0})
        assert len(found) == noticed["count"]
        assert [names[topic] for topic in found[:1]] == [noticed["topic"]][: len(found)] if len(found) else True


@examples(100)
@given(numbered_runs(), st.lists(st.sampled_from(["trec", "trec9", "docid", "file", "expected"]), max_size=4))
def test_policies_asked_together_judge_as_each_alone(
    compiled: Engine,
    reference: Engine,
    drawn: tuple[list[tuple[int, list[int]]], list[float], list[int] | None],
    ties: list[str],
) -> None:
    lists, scores, ranks = drawn
    starts = np.cumsum([0, *(len(some) for _, some in lists)]).astype(np.int64)
    names, ids = list("abc"), packed([f"d{row:02}" for row in range(0, 12, 2)])
    given_ids = packed([f"d{row:02}" for _, some in lists for row in some])
    rank = None if ranks is None else np.array(ranks, dtype=np.int64)
    columns = starts, *given_ids, np.array(scores), rank
    found = []
    for each in (compiled, reference):
        index = each.index(names, np.arange(0, 7, 2), *ids)

        run = [names[topic] for topic, _ in lists], *columns, index
        together = [plain(one) for one in each.judge_run(*run, ties, "first")]
        assert together == [plain(each.judge_run(*run, [one], "first")[0]) for one in ties]
        found.append(together)
    assert found[0] == found[1]


def test_policies_asked_together_judge_as_each_alone_among_many_judgments(compiled: Engine) -> None:
    """So many judged documents of a topic are looked up when the list ends."""
    rng = np.random.default_rng(1)
    ids, given_ids = (packed([f"d{row:04}" for row in range(rows)]) for rows in (600, 900))
    score, starts = rng.integers(0, 300, 900).astype(np.float64), np.array([0, 900])
    index = compiled.index(["q"], np.array([0, 600]), *ids)
    run = ["q"], starts, *given_ids, score, None, index
    ties = ["docid", "trec", "file", "expected"]
    together = [plain(one) for one in compiled.judge_run(*run, ties, "error")]
    assert together == [plain(compiled.judge_run(*run, [one], "error")[0]) for one in ties]
    assert len({str(one["rank"]) for one in together}) == 3


names = st.lists(st.text(st.sampled_from("ab\u00e9\U0001f600"), max_size=3), max_size=6)


@examples(100)
@given(st.lists(st.dictionaries(st.integers(0, 3), names, max_size=4), max_size=4))
@example([{0: ["b", "a", "b"]}, {1: ["b"], 0: ["\U0001f600", "\uffff"]}])
def test_documents_are_united_by_topic_and_id(
    compiled: Engine, reference: Engine, runs: list[dict[int, list[str]]]
) -> None:
    given_: list[RunIds] = []
    for run in runs:
        ids = packed([name for some in run.values() for name in some])
        starts = np.cumsum([0, *map(len, run.values())]).astype(np.int64)
        given_.append((*ids, starts, np.array(list(run), dtype=np.int64)))
    known = [sorted({name.encode() for run in runs for name in run.get(topic, [])}) for topic in range(4)]
    begins = np.cumsum([0, *map(len, known)]).tolist()
    rows = [[begins[t] + known[t].index(name.encode()) for t, some in run.items() for name in some] for run in runs]
    for each in (compiled, reference):
        found = each.unite_documents(given_, 4)
        assert [found["data"][begin:end].tobytes().decode() for begin, end in pairwise(found["offsets"].tolist())] == [
            name.decode() for some in known for name in some
        ]
        assert found["starts"].tolist() == begins
        assert [row.tolist() for row in found["rows"]] == rows


def test_numbers_that_do_not_fit_are_refused(compiled: Engine) -> None:
    place, numbers = np.zeros((1, 2), dtype=np.int16), np.array([0, 2], dtype=np.int64)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.count_outcomes(place, numbers, numbers)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.count_agreements(place, numbers, numbers)
    tied, both = np.zeros((1, 2), dtype=np.int16), np.array([0, 1], dtype=np.int64)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.count_agreements(tied, both, np.array([0, 1, 2], dtype=np.int64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.majority_order(place, numbers)
    for starts, labels in ((numbers, 1), (numbers // 2, 2)):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.order_by_votes(place, starts, np.ones(labels), 1)
    for row, weight in ((numbers, np.ones(2)), (numbers * 0, np.ones(1))):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.sum_by_rank(row, numbers, weight, 2)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.count_ties(numbers, np.ones(1), 1)
    for right in (1, -1):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.count_leads(place, numbers[:1], np.array([right]))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.unite_documents([(np.zeros(1, dtype=np.uint8), numbers, numbers, numbers[:1])], 1)
    one = np.ones(1)
    for right in (1, -1):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.count_reached(np.ones((1, 1)), numbers[:1], np.array([right]), False, one, None, None, one, one)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.count_reached(np.ones((1, 2)), numbers[:1], numbers[:1], False, one, None, None, one, one)
    cell = np.ones((1, 1))
    with pytest.raises(ValueError, match="exclude each other"):
        compiled.count_reached(cell, numbers[:1], numbers[:1], False, one, cell, cell, one, one)
    for right in (1, -1):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.count_decisions(np.ones((1, 1)), numbers[:1], np.array([right]), 0.0, 0.0)
    zero, two = numbers[:1], numbers[1:]
    fits, two_sums = (zero, two, zero + 1), np.ones((2, 2))
    for begin, end, kth in (
        (zero, two, two + 1),
        (zero, two + 1, two),
        (two, two, zero),
        (zero, two, zero),
        (zero, two, both),
    ):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.largest_statistics(two_sums, zero, zero, np.ones((2, 1)), one, one, 1.0, begin, end, kth)
    for left, squares, limit in ((zero, 1, 1), (zero + 2, 2, 1), (zero - 1, 2, 1), (both, 2, 1), (zero, 2, 2)):
        with pytest.raises(ValueError, match="do not fit together"):
            given = np.ones((squares, 1)), np.ones(limit)
            compiled.largest_statistics(two_sums, left, zero, *given, one, 1.0, *fits)
    for columns, products in ((2, (1, 1)), (1, (2, 1)), (2, (4, 1))):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.count_apart(np.ones(columns), np.ones(products), 2.0, 1.0, 1.0)


PAIRS = np.array([0, 1], dtype=np.int64), np.array([1, 0], dtype=np.int64)
SQUARE = np.array([[1.0, 2.0], [3.0, 4.0]])
TWO = np.ones(2)
CUTS = np.array([0, 1], dtype=np.int64), np.array([1, 2], dtype=np.int64)
TABLES: dict[str, Callable[[Engine, Any], object]] = {
    "sums": lambda each, table: each.count_reached(table, *PAIRS, False, TWO, None, None, TWO, TWO),
    "squares": lambda each, table: each.count_reached(SQUARE, *PAIRS, False, TWO, table, None, TWO, TWO),
    "across": lambda each, table: each.count_reached(SQUARE, *PAIRS, False, TWO, None, table, TWO, TWO),
    "decisions": lambda each, table: each.count_decisions(table, *PAIRS, 0.0, 0.0),
    "products": lambda each, table: each.count_apart(TWO, table, 2.0, 1.0, 1.0),
    "outcomes": lambda each, table: each.count_outcomes(table.astype(np.int16, order="K"), *CUTS),
    "agreements": lambda each, table: each.count_agreements(table.astype(np.int16, order="K"), *CUTS),
    "outcomes packed": lambda each, table: each.pack_outcomes(table.astype(np.int16, order="K"), *PAIRS),
    "leads": lambda each, table: each.count_leads(table.astype(np.int16, order="K"), *PAIRS),
    "majorities": lambda each, table: each.majority_order(table.astype(np.int16, order="K"), CUTS[0]),
}


@pytest.mark.parametrize("table", TABLES)
def test_tables_column_by_column_are_refused(compiled: Engine, table: str) -> None:
    TABLES[table](compiled, SQUARE.copy()) if table not in ("agreements", "majorities") else None
    with pytest.raises(ValueError, match="row by row"):
        TABLES[table](compiled, SQUARE.copy().T)
