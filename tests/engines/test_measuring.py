"""What measures ask of the compiled engine gives the bits that NumPy gives."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cranfield import parse_measure
from cranfield.collection import Policy, Rankings, segments
from cranfield.collection.pool import Pool
from cranfield.errors import MeasureError
from cranfield.measures import registry, summary, values
from cranfield.measures.ric import counts_down_to
from cranfield.testing import example
from effort import examples

ODD = st.sampled_from([0.0, -0.0, 1e308, -1e308, 5e-324, float("inf"), float("-inf"), float("nan")])
NUMBERS = st.floats(-1e3, 1e3) | ODD
# Made once: hypothesis keeps none of these, and to make and check one takes longer than to draw from it.
SIZES = st.lists(st.integers(0, 6) | st.just(70), max_size=8)
MOST = st.sampled_from([2, 60])
POOLS = {most: st.lists(st.integers(-2, most).map(float), max_size=50) for most in (2, 60)}


@st.composite
def lists(
    draw: st.DrawFn, numbers: st.SearchStrategy[float] = NUMBERS
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Numbers of some lists, and where each begins."""
    sizes = draw(SIZES)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return np.array(draw(st.lists(numbers, min_size=sum(sizes), max_size=sum(sizes))), dtype=np.float64), starts


def by_both(make: Callable[[], Any]) -> tuple[Any, Any]:
    """What each engine gives, or how NumPy refuses it."""
    found = []
    for name in ("compiled", "reference"):
        with pytest.MonkeyPatch.context() as patch, np.errstate(over="raise", invalid="raise"):
            patch.setenv("CRANFIELD_ENGINE", name)
            try:
                found.append(make())
            except FloatingPointError as error:
                found.append(str(error).partition(" ")[0])
            except MeasureError as error:
                found.append(str(error))
    return found[0], found[1]


def same(one: Any, other: Any) -> bool:
    """Whether both are refused alike, or are the same bits."""
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, type(other)) and one == other
    number = ~np.isnan(one)
    bits = one[number].tobytes() == other[number].tobytes()
    return bool(one.dtype == other.dtype and bits and (number == ~np.isnan(other)).all())


@pytest.mark.slow
@examples(200)
@given(lists())
def test_sums_of_lists_are_the_same(compiled: Any, drawn: tuple[NDArray[np.float64], NDArray[np.int64]]) -> None:
    numbers, starts = drawn
    short, long = by_both(lambda: segments.list_sums(numbers, starts))
    assert same(short, long)


@pytest.mark.slow
@examples(200)
@given(lists(), st.sampled_from(["add", "multiply", "maximum"]), st.booleans())
def test_what_lists_come_to_on_the_way_is_the_same(
    compiled: Any, drawn: tuple[NDArray[np.float64], NDArray[np.int64]], combine: str, upward: bool
) -> None:
    numbers, starts = drawn
    if combine == "maximum":
        numbers = numbers + 0.0  # whether 0 or -0 is the larger, NumPy says differently from machine to machine
    short, long = by_both(lambda: segments.running_values(numbers, starts, combine, upward))
    assert same(short, long)


@pytest.mark.slow
@examples(100)
@given(lists())
def test_marks_are_counted_the_same(compiled: Any, drawn: tuple[NDArray[np.float64], NDArray[np.int64]]) -> None:
    numbers, starts = drawn
    short, long = by_both(lambda: segments.running_counts(numbers > 0, starts))
    assert same(short, long)


@pytest.mark.slow
@examples(100)
@given(lists())
def test_marks_of_lists_and_products_before_rows_are_the_same(
    compiled: Any, drawn: tuple[NDArray[np.float64], NDArray[np.int64]]
) -> None:
    numbers, starts = drawn
    assert same(*by_both(lambda: segments.list_counts(numbers > 0, starts)))
    assert same(*by_both(lambda: segments.products_before(numbers, starts)))


@examples(50)
@given(st.lists(st.integers(0, 200), max_size=9), st.integers(0, 1000))
def test_sums_of_long_lists_are_those_of_each(compiled: Any, sizes: list[int], seed: int) -> None:
    starts = np.cumsum([0, *sizes]).astype(np.int64)
    numbers = np.random.default_rng(seed).normal(size=int(starts[-1]))
    assert same(*by_both(lambda: segments.list_sums(numbers, starts)))


@st.composite
def rankings(draw: st.DrawFn) -> Rankings:
    """Two systems that retrieve some of the judged documents of two topics, which may have many labels."""
    labels = POOLS[draw(MOST)]
    pools = [draw(labels) for _ in range(2)]
    starts = np.cumsum([0, *map(len, pools)])
    grade = np.array([label for pool in pools for label in pool], dtype=np.float64)
    rows: list[list[int]] = []
    for number in (0, 1, 0, 1):
        some = draw(st.permutations(range(int(starts[number]), int(starts[number + 1]))))
        rows.append(some[: draw(st.integers(0, len(some)))])
    ranks = [sorted(draw(st.sets(st.integers(1, 90), min_size=len(some), max_size=len(some)))) for some in rows]
    document = np.array([row for some in rows for row in some], dtype=np.int64)
    return Rankings(
        systems=("one", "two"),
        pool=Pool(starts.astype(np.int64), grade),
        length=np.array([some[-1] if some else 0 for some in ranks], dtype=np.int64),
        starts=np.cumsum([0, *map(len, rows)]).astype(np.int64),
        rank=np.array([rank for some in ranks for rank in some], dtype=np.int64),
        document=document,
        grade=grade[document],
        policy=Policy(),
    )


@pytest.mark.slow
@examples(200)
@given(rankings())
def test_pairs_down_to_each_document_are_those_of_brute_force(compiled: Any, seen: Rankings) -> None:
    rows = np.arange(len(seen.rank))
    short, long = by_both(lambda: counts_down_to(replace(seen), rows, seen.segment))
    assert short.concordant.tolist() == long.concordant.tolist()
    assert short.discordant.tolist() == long.discordant.tolist()
    for row in rows.tolist():
        first = int(seen.starts[seen.segment[row]])
        topic = int(seen.topic[row])
        pool = range(int(seen.pool.starts[topic]), int(seen.pool.starts[topic + 1]))
        place = {document: rank for rank, document in enumerate(seen.document[first : row + 1].tolist())}
        right = wrong = 0
        for better in pool:
            for worse in pool:
                if seen.pool.grade[better] > seen.pool.grade[worse]:
                    above, below = place.get(better, 99), place.get(worse, 99)
                    right += above < below
                    wrong += above > below
        assert (short.concordant[row], short.discordant[row]) == (right, wrong)


@pytest.mark.slow
@examples(100)
@given(rankings(), st.sampled_from([1, 0.5, 2.25]), st.sampled_from([1, 20, 1000]))
def test_a_user_who_hopes_reads_the_same(compiled: Any, seen: Rankings, hope: float, depth: int) -> None:
    for quantity in ("EU", "ETU", "ED", "ETC"):
        asked = parse_measure("INST")(T=hope, depth=depth, quantity=quantity)
        short, long = by_both(lambda asked=asked: values(asked, replace(seen)))
        assert same(short, long)


@pytest.mark.slow
@examples(100)
@given(rankings(), st.integers(1, 95), st.integers(-2, 3))
def test_rows_that_are_kept_and_cut_are_the_same(compiled: Any, seen: Rankings, cutoff: int, label: int) -> None:
    for view in (lambda: replace(seen).top(cutoff), lambda: replace(seen).only(label)):
        short, long = by_both(view)
        for name in ("length", "starts", "rank", "document", "grade"):
            assert getattr(short, name).tolist() == getattr(long, name).tolist()
    cut = replace(seen).top(cutoff)
    assert cut.rank.tolist() == seen.rank[seen.rank <= cutoff].tolist()
    assert cut.document.tolist() == seen.document[seen.rank <= cutoff].tolist()
    assert np.diff(cut.starts).tolist() == seen.count(seen.rank <= cutoff).tolist()
    depths = np.arange(len(seen.length)) * cutoff
    short, long = by_both(lambda: replace(seen).rows_down_to(depths))
    assert short.tolist() == long.tolist()


DECLARED = [example(known) for known in registry.values() if not known.needs_intents]
CHANGED = (
    "BPM(T=3)@20",
    "BPM(T=0)@5",
    'BPM(T=2.5, depth=30, quantity="ETU")@50',
    "BPM(dynamic=True)@9",
    'CWL_RR(depth=5, quantity="ETU")',
    'NERR9(quantity="ETC")@30',
    'NERR10(depth=20, quantity="ETU")',
    "NERR11(depth=None)",
    "SRIC(signed=True)",
    "SRIC(rel=2)@9",
    "GAP(thresholds={1: 0.2, 2: 0.8})",
    "GAP(thresholds={0: 1})",
    "Bpref(rel=2)",
    "bpref_R(rel=0)",
    "rpref_N(gains={0: 1})",
    "P(judged_only=True)@5",
    "Success(rel=2)@70",
    "RBP(rel=1)@30",
    "RBPResidual@9",
    "xinfAP@20",
    "iRBU@20",
)
ASKED = [parse_measure(str(measure)) for measure in (*DECLARED, *CHANGED)]


@examples(50)
@given(rankings())
def test_every_measure_is_the_same_by_both(compiled: Any, seen: Rankings) -> None:
    """Of all of them at once: to draw rankings takes many times longer than to measure them."""
    for measure in ASKED:
        short, long = by_both(lambda measure=measure: values(measure, replace(seen)))
        assert same(short, long), measure


@examples(200)
@given(lists(st.floats(-1e3, 1e3) | st.floats() | ODD))
def test_sums_are_rounded_once_as_python_rounds_them(
    compiled: Any, drawn: tuple[NDArray[np.float64], NDArray[np.int64]]
) -> None:
    values, starts = drawn
    rows = [[value for value in row.tolist() if not math.isnan(value)] for row in np.split(values, starts[1:-1])]
    try:
        expected = [math.fsum(row) for row in rows]
    except (OverflowError, ValueError):
        expected = [math.inf]
    found = compiled.exact_sums(values, starts)
    assert (found is None) is any(map(math.isinf, expected))
    assert found is None or same(found, np.array(expected[: len(starts) - 1]))


@examples(100)
@given(
    st.lists(st.lists(NUMBERS, min_size=5, max_size=5), min_size=1), st.sampled_from(["mean", "sum", "geometric mean"])
)
def test_summaries_are_the_same(rows: list[list[float]], kind: str) -> None:
    short, long = by_both(lambda: summary(kind, np.array(rows)))
    assert same(short, long)


def test_lists_that_do_not_fit_are_refused(compiled: Any) -> None:
    starts, rows = np.array([0, 2]), np.ones(3)
    whole, ranks = np.array([0, 3]), np.array([1, 2, 4])
    for call in (
        lambda: compiled.list_sums(rows, starts),
        lambda: compiled.exact_sums(rows, starts),
        lambda: compiled.running_values(rows, starts, "add", False),
        lambda: compiled.running_values(rows, np.array([0, 3]), "divide", False),
        lambda: compiled.running_counts(rows > 0, starts),
        lambda: compiled.running_pairs(starts, np.zeros(3, dtype=np.int64), 2, ranks[:1], rows[:1], rows[:1]),
        lambda: compiled.running_pairs(whole, ranks, 9, ranks, rows, rows),
        lambda: compiled.running_pairs(whole, ranks - 1, 4, ranks, rows[:2], rows),
        lambda: compiled.running_pairs(whole, np.zeros(3, dtype=np.int64), 1, ranks[:1], rows[:1], rows[:1]),
        lambda: compiled.read_inst(starts, np.array([2, 1]), rows[:2], 5, 2.0),
        lambda: compiled.products_before(rows, starts),
        lambda: compiled.list_counts(rows > 0, starts),
        lambda: compiled.select_rows(rows > 0, np.array([0, 3]), starts, np.arange(3), rows),
        lambda: compiled.rows_down_to(np.array([0, 3]), np.arange(3), starts),
        lambda: compiled.compat_sums(whole, ranks, rows, rows[:1], ranks[:0], rows[:1], np.ones(9)),
        lambda: compiled.compat_sums(whole, ranks, rows, rows[:1], ranks[:1], rows[:1], np.ones(2)),
        lambda: compiled.compat_sums(whole, ranks, rows, np.array([2.0, 1.0]), ranks[:2], rows[:1], np.ones(9)),
        lambda: compiled.gap_sums(starts, ranks, rows, rows[:1]),
        lambda: compiled.list_positions(np.array([0, 2, 1])),
        lambda: compiled.weighed_sums(starts, ranks, np.ones(9)),
        lambda: compiled.weighed_sums(whole, ranks, np.ones(9), rows[:1]),
        lambda: compiled.bpref_sums(whole, ranks, rows, rows),
        lambda: compiled.infap_sums(whole, ranks, ranks[:1], rows[:1], 1.0, 2.0),
        lambda: compiled.rpref_sums(whole, ranks, rows, rows[:1]),
        lambda: compiled.rpref_sums(whole, ranks, rows, rows, rows),
        lambda: compiled.ideal_sums(whole, ranks, ranks[:1], ranks[:1], rows[:0]),
        lambda: compiled.ideal_sums(whole, ranks, ranks[:1], ranks[:1] + 9, rows),
        lambda: compiled.pair_shares(whole, rows, rows, rows[:1], whole, ranks + 9, False),
        lambda: compiled.reader_bits(whole, ranks, np.ones(2), rows, rows, rows, rows),
        lambda: compiled.reader_bits(whole, ranks, np.ones(9), rows, rows, rows, rows[:1]),
        lambda: compiled.read_with_continuation(whole, ranks, rows, np.ones(2), None),
        lambda: compiled.rpref_penalties(np.array([0, 3]), starts, rows, np.array([1.0])),
    ):
        with pytest.raises(ValueError, match=r"do not fit together|no way|a label that there is not"):
            call()
