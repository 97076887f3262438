"""What measures need of lists: of many judged documents, with labels 0 to 3, and of few."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from cranfield import parse_measure
from cranfield.collection import Policy, Rankings, segments
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import RunningIdeal
from cranfield.collection.segments import distinct
from cranfield.measures import average_precision, binary_preference, compat, ric, sric, summary, values

RANKS = 1000
SHAPES = {"long lists": (5, 50, 500, 800), "short lists": (1, 5000, 3, 6)}
"""Systems, topics, judged documents of a list and of a topic."""


def rankings(systems: int, topics: int, judged: int, pool: int) -> Rankings:
    rng = np.random.default_rng(1)
    grade = rng.choice(4, topics * pool, p=(0.6, 0.2, 0.15, 0.05)).astype(np.float64)
    lists = [
        (np.sort(rng.choice(RANKS, judged, replace=False)) + 1, topic * pool + rng.permutation(pool)[:judged])
        for _ in range(systems)
        for topic in range(topics)
    ]
    document = np.concatenate([rows for _, rows in lists])
    return Rankings(
        systems=tuple(f"system{number}" for number in range(systems)),
        pool=Pool(np.arange(topics + 1) * pool, grade),
        length=np.full(systems * topics, RANKS),
        starts=np.arange(systems * topics + 1) * judged,
        rank=np.concatenate([ranks for ranks, _ in lists]),
        document=document,
        grade=grade[document],
        policy=Policy(),
    )


def measuring() -> Mapping[str, Callable[[Any], Any]]:
    """The kernels of both shapes."""
    return {
        f"{kernel}, {shape}": case
        for shape, sizes in SHAPES.items()
        for kernel, case in measuring_lists(rankings(*sizes)).items()
    }


def ranked(lists: Rankings) -> tuple[Any, Any]:
    return lists.starts, lists.rank


def measuring_lists(seen: Rankings) -> Mapping[str, Callable[[Any], Any]]:
    """Each kernel by the function of Python that calls it where it can, and does the same by NumPy where it cannot."""
    starts, gain, marked = seen.starts, seen.grade / 3, seen.grade >= 2
    relevant, condensed = seen.only(1), seen.only(1, judged_only=True)
    labels, positive, every = (
        seen.pool.labels,
        distinct(seen.pool.labels[seen.pool.labels > 0]),
        np.arange(seen.longest + 1.0),
    )
    known, ones = seen.n_relevant(1), np.ones(len(seen.length))
    best = Rankings.of_pool(seen.pool, seen.policy)
    ideal = RunningIdeal.from_sums(best.length, best.starts, best.running_sum(best.grade))
    penalty = binary_preference._penalties(condensed, condensed.grade, labels)
    depths = np.full(len(seen.length), 300)
    ric.pairs_down(seen)
    seen.positions(1)

    def measured(text: str) -> Callable[[Any], Any]:
        measure = parse_measure(text)
        return lambda engine: values(measure, seen)

    return {
        "list_counts": lambda engine: segments.list_counts(marked, starts),
        "list_sums": lambda engine: seen.sum(gain),
        "list_positions": lambda engine: segments.list_positions(starts),
        "exact_sums": lambda engine: summary("sum", gain.reshape(5, -1)),
        "running_counts": lambda engine: segments.running_counts(marked, starts),
        "running_values: add": lambda engine: seen.running_sum(gain),
        "running_values: add, upward": lambda engine: seen.sum_from(gain),
        "running_values: multiply": lambda engine: segments.running_values(gain, starts, "multiply", False),
        "running_values: maximum, upward": lambda engine: seen.maximum_from(gain),
        "products_before": lambda engine: seen.running_product(1 - gain / 9),
        "first_chances": lambda engine: seen.first_chances(gain / 9),
        "select_rows": lambda engine: seen._keep(marked)[0].document,
        "rows_down_to": lambda engine: seen.rows_down_to(depths),
        "weighed_sums": lambda engine: seen.weighed_sum(every, gain),
        "running_pairs": lambda engine: ric._counted_down(seen),
        "ideal_sums": lambda engine: ideal.down(seen.rank, starts),
        "gap_sums": lambda engine: average_precision.gap_sums(*ranked(relevant), relevant.grade, positive),
        "compat_sums": lambda engine: compat._worth(relevant, ones, every),
        "bpref_sums": lambda engine: binary_preference.bpref_sums(*ranked(condensed), known, known),
        "bpref_relative_sums": lambda engine: binary_preference.bpref_relative_sums(*ranked(condensed)),
        "rpref_sums": lambda engine: binary_preference.rpref_sums(
            *ranked(condensed), condensed.grade, penalty, None, 1
        ),
        "rpref_penalties": lambda engine: binary_preference.rpref_penalties(
            *ranked(condensed), condensed.grade, positive
        ),
        "infap_sums": measured("infAP"),
        "read_with_continuation": measured("BPM(T=20)@1000"),
        "read_inst": measured("INST(T=3)"),
        "pair_shares, reader_bits": lambda engine: sric.expected_bits(seen, 1, 0.99, signed=False),
    }
