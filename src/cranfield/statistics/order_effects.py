"""Verdicts on pairs that were judged in both orders, ratios over topics, and cyclic triads.

Shapes: n verdicts, G topics; outcomes are 1 (left), 0 (a tie) and -1 (right).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints

Repeats = Literal["mean", "first", "last"]


class Ratio(NamedTuple):
    """A sum over topics divided by another: value, standard error, and degrees of freedom."""

    value: float
    error: float
    df: int


class Sums(NamedTuple):
    """The parts of a topic in the numerator and the denominator of a ratio, [G] each."""

    part: Floats
    total: Floats


def sum_by_topic(topic: Ints, values: Floats, topics: int) -> Floats:
    """Sums of values by the number of their topic, [topics]."""
    return np.asarray(np.bincount(topic, values, topics), dtype=np.float64)


def estimate_ratio(sums: Sums) -> Ratio:
    """p = sum y / sum n over topics, with the error sqrt(G / (G - 1) sum (y - p n)^2) / sum n."""
    has = sums.total > 0
    count = int(has.sum())
    if not count:
        return Ratio(np.nan, np.nan, 0)
    value = float(sums.part.sum() / sums.total.sum())
    return Ratio(value, _clustered_error(_influences(sums), count), count - 1)


def estimate_difference(left: Sums, right: Sums) -> Ratio:
    """The difference of two ratios over the same topics, which may have a part in either."""
    count = int(((left.total > 0) | (right.total > 0)).sum())
    if not left.total.sum() or not right.total.sum():
        return Ratio(np.nan, np.nan, 0)
    value = float(left.part.sum() / left.total.sum() - right.part.sum() / right.total.sum())
    return Ratio(value, _clustered_error(_influences(left) - _influences(right), count), count - 1)


def _influences(sums: Sums) -> Floats:
    total = sums.total.sum()
    return np.asarray((sums.part - sums.part.sum() / total * sums.total) / total)


def _clustered_error(influences: Floats, count: int) -> float:
    return float(np.sqrt(count / (count - 1) * (influences**2).sum())) if count > 1 else float("nan")


class OrderTable(NamedTuple):
    """Pairs that were judged in both orders, and cells (topic, left, right) with several verdicts.

    Args:
        topic: of each pair, [pairs].
        shares: of outcomes 1, 0 and -1 for the system with the smaller number, where that is first and where it is
            second, [pairs, 2, 3].
        cell_topic: of each cell with several verdicts, [cells].
        differ: share of the pairs of its verdicts that differ, [cells].
    """

    topic: Ints
    shares: Floats
    cell_topic: Ints
    differ: Floats


def tabulate_orders(topic: Ints, left: Ints, right: Ints, outcome: Ints, systems: int, repeats: Repeats) -> OrderTable:
    """Count outcomes by pair and order; ``repeats``: all verdicts in one order share it, or one has it."""
    low, high = np.minimum(left, right), np.maximum(left, right)
    is_second = (left != low).astype(np.int64)
    own = np.where(is_second, -outcome, outcome)
    _, pair = np.unique((topic * systems + low) * systems + high, return_inverse=True)
    count = int(pair.max(initial=-1)) + 1
    cell = pair * 2 + is_second
    counts = np.bincount(cell * 3 + (1 - own), minlength=count * 6).reshape(count, 2, 3).astype(float)
    pair_topic = np.zeros(count, dtype=np.int64)
    pair_topic[pair] = topic
    k = counts.sum(axis=2)
    both, several = (k > 0).all(axis=1), k > 1
    alike = (counts * (counts - 1)).sum(axis=2)[several]
    if repeats == "mean":
        shares = counts / np.maximum(k, 1)[:, :, None]
    else:
        step = -1 if repeats == "first" else 1
        shares = np.zeros_like(counts).reshape(-1, 3)
        chosen = np.full(2 * count, -1)
        chosen[cell[::step]] = np.arange(len(cell))[::step]
        has = chosen >= 0
        shares[np.flatnonzero(has), 1 - own[chosen[has]]] = 1.0
        shares = shares.reshape(counts.shape)
    differ = 1 - alike / (k * (k - 1))[several]
    return OrderTable(pair_topic[both], shares[both], np.repeat(pair_topic[:, None], 2, 1)[several], differ)


def order_statistics(table: OrderTable, topics: int) -> dict[str, Ratio]:
    """Every statistic of the order effect, by its name."""
    first, second = table.shares[:, 0], table.shares[:, 1]
    first_both, second_both = first[:, 0] * second[:, 2], first[:, 2] * second[:, 0]
    reversed_, with_tie = first_both + second_both, first[:, 1] * (1 - second[:, 1]) + second[:, 1] * (1 - first[:, 1])
    by_pair = {
        "changed": reversed_ + with_tie,
        "reversed": reversed_,
        "to_or_from_tie": with_tie,
        "first_both": first_both,
        "second_both": second_both,
        "first": (first[:, 0] + first[:, 1] / 2 + second[:, 2] + second[:, 1] / 2) / 2,
    }
    total = np.bincount(table.topic, minlength=topics).astype(float)
    sums = {name: Sums(sum_by_topic(table.topic, values, topics), total) for name, values in by_pair.items()}
    cells = np.bincount(table.cell_topic, minlength=topics).astype(float)
    repeat = Sums(sum_by_topic(table.cell_topic, table.differ, topics), cells)
    result = {name: estimate_ratio(own) for name, own in sums.items()}
    result |= {"repeat": estimate_ratio(repeat), "excess": estimate_difference(sums["changed"], repeat)}
    pairs = len(table.topic)
    ties = estimate_ratio(Sums(sum_by_topic(table.topic, table.shares[:, :, 1].mean(axis=1), topics), total))
    tied = ties.value
    chance = 1 - ((1 - tied) ** 2 / 2 + tied**2)
    consistency = 1 - result["changed"].value / chance if chance > 0 else float("nan")
    plain = {"changed_by_chance": chance, "consistency": consistency, "pairs": float(pairs)}
    return result | {"ties": ties} | {name: Ratio(value, np.nan, 0) for name, value in plain.items()}


class TriadCounts(NamedTuple):
    """Triads of which all three pairs are judged: all, those without a tie, and the cyclic ones among them."""

    judged: float
    decided: float
    cyclic: float


def count_triads(sign: Floats) -> TriadCounts:
    """Count the triads of one table of signs, NaN where a pair is not judged, [systems, systems]."""
    judged = (~np.isnan(sign)).astype(float)
    np.fill_diagonal(judged, 0.0)
    won = (np.nan_to_num(sign) > 0).astype(float)
    decided = won + won.T
    return TriadCounts(_trace_cube(judged) / 6, _trace_cube(decided) / 6, _trace_cube(won) / 3)


def _trace_cube(table: Floats) -> float:
    return float(np.einsum("ij,ji->", table @ table, table))


def count_topic_triads(topic: Ints, low: Ints, high: Ints, sign: Ints, topics: int) -> list[TriadCounts]:
    """Count the triads of each topic, from one row a pair of a topic; rows are in order of topics."""
    starts = np.searchsorted(topic, np.arange(topics + 1))
    result = []
    for start, end in pairwise(starts):
        if end - start < 3:
            result.append(TriadCounts(0.0, 0.0, 0.0))
            continue
        names, code = np.unique(np.concatenate([low[start:end], high[start:end]]), return_inverse=True)
        left, right = code[: end - start], code[end - start :]
        table = np.full((len(names), len(names)), np.nan)
        table[left, right], table[right, left] = sign[start:end], -sign[start:end]
        result.append(count_triads(table))
    return result
