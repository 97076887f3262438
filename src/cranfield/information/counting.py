"""Counting what several lists together say of pairs of documents."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield._typing import Bytes, Floats, Ints, Mask
from cranfield.information.cells import DENSE, Cells, Estimator, Signs, number_bytes, of_table
from cranfield.information.pairs import Pairs
from cranfield.information.places import Small
from cranfield.statistics._kernels.sign_codes import A_BYTE, SILENT, distinct, turned, unpack_signs

NUMBERS = 1 << 22
"""Of more systems the logistic estimate looks at so many outcomes of a topic, and no more pairs than have them."""
AT_ONCE = 4
"""Topics whose pairs are kept, as threads ask about several in turn."""


def observe(pairs: Pairs, places: Small, weight: Floats | None, estimator: Estimator) -> Cells:
    """The joint outcomes that an estimator looks at: all, or where those of many systems are too many, of a sample.

    They are the same pairs whatever is asked.
    """
    if sees_all(pairs, len(places), estimator):
        return count(pairs, places, weight)
    return sampled(pairs, places, weight, NUMBERS // len(places))


def sees_all(pairs: Pairs, systems: int, estimator: Estimator) -> bool:
    """Whether an estimator looks at all outcomes."""
    return estimator != "logistic" or systems <= DENSE or pairs.size <= NUMBERS // systems


def sampled(pairs: Pairs, places: Small, weight: Floats | None, size: int) -> Cells:
    """The outcomes of some pairs: a cell for each pair of documents that any system retrieves.

    Where none retrieves the one document of a pair, all such pairs with the same other document are one cell.
    """
    number, chosen = _drawn(pairs, min(size, pairs.size))
    assert chosen.named is not None
    better, worse, toward = _different(
        places, *chosen.named, np.ones(len(number)) if weight is None else weight[number]
    )
    codes = engine.current().pack_outcomes(np.ascontiguousarray(places), better, worse)
    nothing: Ints = np.zeros(len(better), dtype=np.int64)
    # A row of bytes as one thing is compared much quicker than byte by byte.
    silent = np.full(codes.shape[1], SILENT, dtype=np.uint8)
    spoken: Mask = codes.view(f"V{codes.shape[1]}").ravel() != silent.view(f"V{codes.shape[1]}")
    against = np.zeros(len(better))
    return Cells(spoken, nothing, toward, against, len(places), lambda: unpack_signs(codes, len(places)), lambda: codes)


def _different(places: Small, better: Ints, worse: Ints, counted: Floats) -> tuple[Ints, Ints, Floats]:
    """Pairs and how much they count; those that differ only in a document that no system retrieves are one."""
    documents = places.shape[1]
    lost = places.min(axis=0, initial=np.iinfo(places.dtype).max) == np.iinfo(places.dtype).max
    without = lost[better], lost[worse]
    single = without[0] | without[1]
    if not single.any():
        return better, worse, counted
    # A pair by the document that is retrieved, if any, and whether that is the better one.
    kind = np.where(without[0], np.where(without[1], 2 * documents, documents + worse), better)[single]
    sums = np.bincount(kind, counted[single], minlength=2 * documents + 1)
    kinds, a_lost = np.flatnonzero(sums), int(lost.argmax())
    first = np.where(kinds < documents, kinds, a_lost)
    second = np.where((kinds >= documents) & (kinds < 2 * documents), kinds - documents, a_lost)
    parts = (better, first), (worse, second), (counted, sums[kinds])
    one, other, counted = (np.concatenate([part[~single], merged]) for part, merged in parts)
    return one, other, counted


@functools.lru_cache(maxsize=AT_ONCE)
def _drawn(pairs: Pairs, size: int) -> tuple[Ints, Pairs]:
    """The numbers of some pairs, and the pairs: kept, as they are looked at with one order of labels after another."""
    number: Ints = np.sort(np.random.default_rng(0).choice(pairs.size, size, replace=False, shuffle=False))
    return number, pairs.chosen(number)


def count(pairs: Pairs, places: Small, weight: Floats | None = None) -> Cells:
    """Count the joint outcomes of systems over pairs.

    Args:
        pairs: of a topic.
        places: [systems, documents].
        weight: how much each pair counts, [pairs]; 1 where None.
    """
    if len(places) > DENSE and weight is None and pairs.order is not None:
        return _of_engine(places, pairs.order, pairs.cuts)
    packed = _packed(pairs, places)
    return _dense(pairs, packed, len(places), weight) if len(places) <= DENSE else _sparse(pairs, packed, weight)


def _packed(pairs: Pairs, places: Small) -> list[tuple[Bytes, int]]:
    """Outcomes in base 3, first system first, five systems a byte: bytes [pairs] and how many systems are in it."""
    packed = []
    for first in range(0, len(places), A_BYTE):
        group = places[first : first + A_BYTE]
        code = pairs.said(group[0])
        for place in group[1:]:
            code *= 3
            code += pairs.said(place)
        packed.append((code, len(group)))
    return packed


def _dense(pairs: Pairs, packed: list[tuple[Bytes, int]], systems: int, weight: Floats | None) -> Cells:
    outcomes = 3**systems
    code: NDArray[np.uint16] = np.zeros(pairs.size, dtype=np.uint16)
    for group, size in packed:
        code *= 3**size
        code += group
    sources = 1
    if pairs.evidence is not None:
        sources = int(pairs.evidence.max(initial=0)) + 1
    coded = code if pairs.evidence is None else code + outcomes * pairs.evidence
    table = np.bincount(coded, weight, minlength=sources * outcomes).reshape(sources, outcomes)
    return of_table(table.astype(np.float64, copy=False), systems)


def _of_engine(places: Small, order: Ints, cuts: tuple[int, ...]) -> Cells:
    """From pairs of documents with different labels that all count alike."""
    by, places = engine.current(), np.ascontiguousarray(places)
    outcomes = by.count_outcomes(places, order, np.array(cuts, dtype=np.int64))
    first, second = outcomes["first"], outcomes["second"]
    spoken = np.ones(len(first), dtype=np.bool_)
    # Where nothing is said of a pair, its outcome is the first.
    spoken[:1] = (places[:, first[:1]] != places[:, second[:1]]).any(axis=0)
    nothing = np.zeros(len(first), dtype=np.int64)

    def written_out() -> Signs:
        one, other = places[:, first], places[:, second]
        return np.ascontiguousarray((np.less(one, other).view(np.int8) - np.greater(one, other).view(np.int8)).T)

    def packed() -> Bytes:
        return by.pack_outcomes(places, first, second)

    return Cells(spoken, nothing, outcomes["toward"], outcomes["against"], len(places), written_out, packed)


def _sparse(pairs: Pairs, packed: list[tuple[Bytes, int]], weight: Floats | None) -> Cells:
    columns, turn = turned(packed)
    chosen, same = distinct([*columns, *([] if pairs.evidence is None else number_bytes(pairs.evidence))])
    counted = np.ones(pairs.size) if weight is None else weight
    sizes = [size for _, size in packed]
    kinds = [column[chosen] for column in columns]
    spoken = np.zeros(len(chosen), dtype=np.bool_)
    for kind, size in zip(kinds, sizes, strict=True):
        spoken |= kind != 3**size // 2
    return Cells(
        spoken,
        np.zeros(len(chosen), dtype=np.int64) if pairs.evidence is None else pairs.evidence[chosen],
        np.bincount(same, counted * ~turn, minlength=len(chosen)).astype(np.float64, copy=False),
        np.bincount(same, counted * turn, minlength=len(chosen)).astype(np.float64, copy=False),
        sum(sizes),
        lambda: np.column_stack([_digits(size)[kind] for kind, size in zip(kinds, sizes, strict=True)]),
    )


@functools.cache
def _digits(systems: int) -> Signs:
    """What each number in base 3 says of so many systems, [3^systems, systems]."""
    code = np.arange(3**systems)
    return (code[:, None] // 3 ** np.arange(systems - 1, -1, -1) % 3 - 1).astype(np.int8)
