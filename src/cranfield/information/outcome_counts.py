"""Counts of the joint outcomes of several systems over pairs of documents, and the information in them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield._typing import Bytes, Floats, Ints, Mask, Signs
from cranfield._validation import word
from cranfield.information.pairs import Pairs, SmallInts
from cranfield.statistics.entropy import entropy, sign_table_information
from cranfield.statistics.kernels.sign_codes import A_BYTE, SILENT, canonical_sign, distinct, pack_signs, unpack_signs
from cranfield.statistics.logistic import ManySigns, sign_cross_entropy

Estimator = Literal["logistic", "table", "miller-madow", "shrinkage"]

DENSE = 10
"""Most systems for which a table holds every possible outcome: 3^10 = 59,049."""
NUMBERS = 1 << 22
"""Outcomes of a topic that the logistic estimate uses with more systems; further pairs are not sampled."""
AT_ONCE = 4
"""Topics whose pairs are cached, as threads work on several in turn."""


@dataclass(frozen=True)
class OutcomeCells:
    """The joint outcomes of m systems over the pairs of a topic. An outcome and its mirror image are one cell.

    Args:
        spoken: whether a system says something, bool [cells].
        evidence: which sources prefer the better document, [cells].
        toward: pairs of that outcome, in numbers or weights, float64 [cells].
        against: pairs of its mirror image; 0 for the outcome that is 0 throughout.
        systems: m.
        written_out: makes ``outcome``, which is large and often not looked at.
        packed: makes the same with five systems in a byte, see ``cranfield.engine.protocol.Engine.pack_outcomes``; from
            ``outcome`` where None.
    """

    spoken: Mask
    evidence: Ints
    toward: Floats
    against: Floats
    systems: int
    written_out: Callable[[], Signs] = field(repr=False)
    packed: Callable[[], Bytes] | None = field(default=None, repr=False)

    @functools.cached_property
    def outcome(self) -> Signs:
        """1, 0, -1 as each system puts the better document first, retrieves neither, puts the worse one first.

        Turned so that the first that is not 0 is 1. int8 [cells, m]
        """
        return self.written_out()

    @property
    def codes(self) -> Bytes:
        """``outcome`` with five systems in a byte, [cells, m / 5]."""
        return pack_signs(self.outcome) if self.packed is None else self.packed()

    @property
    def total(self) -> float:
        """All pairs."""
        return float(self.toward.sum() + self.against.sum())

    @property
    def silent(self) -> float:
        """Pairs of which no system retrieves either document."""
        return float(self.toward[~self.spoken].sum())

    @property
    def occupied(self) -> int:
        """Cells of which a system says something."""
        return int(self.spoken.sum())

    def information(self, estimator: Estimator = "table") -> float:
        """Information of the systems together about which document of a pair is better, in bits.

        ``table``: I(R_1 ... R_m; Q) from the frequencies, 1 - H(Q | R) for one source.
        ``miller-madow``, ``shrinkage``: the same corrected, see ``sign_table_information``; for one source only.
        ``logistic``: 1 - cross entropy of the best weighted sum of the outcomes; for one source only.
        """
        if self.total == 0:
            return 0.0
        if estimator == "logistic":
            return max(0.0, 1.0 - self._cross_entropy())
        word("estimator", estimator, get_args(Estimator))
        if self.evidence.any():
            return self._compute_joint_information(self.spoken)
        toward, against = self.toward[self.spoken], self.against[self.spoken]
        outcomes = 3.0**self.systems if estimator == "shrinkage" else math.nan
        correction = None if estimator == "table" else estimator
        return sign_table_information(toward, against, self.silent, outcomes, correction)

    def _compute_joint_information(self, spoken: NDArray[np.bool_]) -> float:
        """I(R; Q_1 ... Q_k) = H(R) + H(Q) - H(R, Q), each over outcomes and their mirror images.

        A mirror image is as frequent as the outcome, so that each entropy is that of the cells and one bit for the
        side, the silent outcome of R excepted, which is its own mirror image.
        """
        q_counts = np.bincount(self.evidence, self.toward + self.against)
        _, same = np.unique(self.outcome, axis=0, return_inverse=True)
        r_counts = np.bincount(same.ravel(), self.toward + self.against)
        sides = float((self.toward + self.against)[spoken].sum()) / self.total
        # Of all outcomes of R and Q, which is never silent, those of a cell and those against it count apart.
        both = np.concatenate([self.toward, self.against])
        return max(0.0, sides + float(entropy(r_counts)) + float(entropy(q_counts)) - float(entropy(both)))

    def _cross_entropy(self) -> float:
        if self.systems > DENSE:
            return self._many.cross_entropy
        return sign_cross_entropy(self.outcome.astype(np.float64), self.toward, self.against)

    @functools.cached_property
    def _many(self) -> ManySigns:
        return ManySigns.from_counts(self.codes, self.systems, self.toward, self.against, engine.current())

    def without_each(self, estimator: Estimator) -> Floats:
        """``information`` of all systems but one, [m]."""
        size = self.systems
        if estimator == "logistic" and size > DENSE + 1 and self.total:
            return np.maximum(1.0 - self._many.without_each, 0.0)
        subsets = ([system for system in range(size) if system != left_out] for left_out in range(size))
        return np.array([self.select(subset).information(estimator) for subset in subsets])

    def select(self, systems: Sequence[int]) -> OutcomeCells:
        """The outcomes of a subset of the systems."""
        outcome = self.outcome[:, list(systems)]
        if len(systems) <= DENSE:
            outcomes = 3 ** len(systems)
            code = _code(outcome)
            first = outcomes * self.evidence
            coded = np.concatenate([first + code, first + outcomes - 1 - code])
            size = (int(self.evidence.max(initial=0)) + 1) * outcomes
            both = np.concatenate([self.toward, self.against])
            table = np.bincount(coded, both, size).astype(np.float64, copy=False)
            return cells_from_table(table.reshape(-1, outcomes), len(systems))
        turn = _first_sign(outcome) < 0
        outcome = np.where(turn[:, None], -outcome, outcome).astype(np.int8)
        columns = [
            _code(outcome[:, begin : begin + A_BYTE]).astype(np.uint8) for begin in range(0, outcome.shape[1], A_BYTE)
        ]
        chosen, same = distinct([*columns, *number_bytes(self.evidence)])
        toward = np.where(turn, self.against, self.toward)
        against = np.where(turn, self.toward, self.against)
        toward, against = (np.bincount(same, side, minlength=len(chosen)) for side in (toward, against))
        spoken: Mask = np.any(outcome[chosen] != 0, axis=1)
        toward, against = np.where(spoken, toward, toward + against), np.where(spoken, against, 0.0)
        return OutcomeCells(spoken, self.evidence[chosen], toward, against, len(systems), lambda: outcome[chosen])


def cells_from_table(table: Floats, systems: int) -> OutcomeCells:
    """Make cells from the count of each outcome, in base 3, [sources, 3^systems]."""
    middle = 3**systems // 2
    toward, against = table[:, middle:], table[:, middle::-1].copy()
    against[:, 0] = 0.0
    cells = np.flatnonzero((toward + against) != 0)
    evidence: Ints = cells // toward.shape[1]
    cell: Ints = cells % toward.shape[1]
    # The outcome that is 0 throughout is the first.
    return OutcomeCells(
        cell > 0, evidence, toward[evidence, cell], against[evidence, cell], systems, lambda: _outcomes(systems)[cell]
    )


@functools.cache
def _outcomes(systems: int) -> Signs:
    """All outcomes of which the first that is not 0 is 1, after the one that is 0 throughout, [cells, systems]."""
    code = np.arange(3**systems // 2, 3**systems)
    return (code[:, None] // 3 ** np.arange(systems - 1, -1, -1) % 3 - 1).astype(np.int8)


def _code(outcome: Signs) -> Ints:
    """Outcomes in base 3, first system first, [rows]."""
    code = np.zeros(len(outcome), dtype=np.int64)
    for column in outcome.T:
        code *= 3
        code += column
        code += 1
    return code


def _first_sign(outcome: Signs) -> Signs:
    """The first outcome of each row that is not 0, or 0."""
    if outcome.shape[1] == 0:
        return np.zeros(len(outcome), dtype=np.int8)
    signs: Signs = outcome[np.arange(len(outcome)), (outcome != 0).argmax(axis=1)]
    return signs


def number_bytes(number: Ints) -> list[Bytes]:
    """Numbers below 2^32 byte by byte."""
    return list(number.astype(">u4").view(np.uint8).reshape(-1, 4).T)


def observe(pairs: Pairs, positions: SmallInts, weight: Floats | None, estimator: Estimator) -> OutcomeCells:
    """The joint outcomes that an estimator uses: all, or a sample where those of many systems are too many.

    The sample has the same pairs for every analysis.
    """
    if sees_all(pairs, len(positions), estimator):
        return count(pairs, positions, weight)
    return sampled(pairs, positions, weight, NUMBERS // len(positions))


def sees_all(pairs: Pairs, systems: int, estimator: Estimator) -> bool:
    """Return whether an estimator uses all outcomes."""
    return estimator != "logistic" or systems <= DENSE or pairs.size <= NUMBERS // systems


def sampled(pairs: Pairs, positions: SmallInts, weight: Floats | None, size: int) -> OutcomeCells:
    """The outcomes of some pairs: a cell for each pair of documents that any system retrieves.

    Where none retrieves the one document of a pair, all such pairs with the same other document are one cell.
    """
    number, chosen = _drawn(pairs, min(size, pairs.size))
    assert chosen.named is not None
    better, worse, toward = _different(
        positions, *chosen.named, np.ones(len(number)) if weight is None else weight[number]
    )
    codes = engine.current().pack_outcomes(np.ascontiguousarray(positions), better, worse)
    nothing: Ints = np.zeros(len(better), dtype=np.int64)
    # A row of bytes as one thing is compared much quicker than byte by byte.
    silent = np.full(codes.shape[1], SILENT, dtype=np.uint8)
    spoken: Mask = codes.view(f"V{codes.shape[1]}").ravel() != silent.view(f"V{codes.shape[1]}")
    against = np.zeros(len(better))
    return OutcomeCells(
        spoken, nothing, toward, against, len(positions), lambda: unpack_signs(codes, len(positions)), lambda: codes
    )


def _different(positions: SmallInts, better: Ints, worse: Ints, counted: Floats) -> tuple[Ints, Ints, Floats]:
    """Pairs and how much they count; those that differ only in a document that no system retrieves are one."""
    documents = positions.shape[1]
    lost = positions.min(axis=0, initial=np.iinfo(positions.dtype).max) == np.iinfo(positions.dtype).max
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
    better, worse, counted = (np.concatenate([part[~single], merged]) for part, merged in parts)
    return better, worse, counted


@functools.lru_cache(maxsize=AT_ONCE)
def _drawn(pairs: Pairs, size: int) -> tuple[Ints, Pairs]:
    """The numbers of some pairs, and the pairs: kept, as they are looked at with one order of labels after another."""
    number: Ints = np.sort(np.random.default_rng(0).choice(pairs.size, size, replace=False, shuffle=False))
    return number, pairs.chosen(number)


def count(pairs: Pairs, positions: SmallInts, weight: Floats | None = None) -> OutcomeCells:
    """Count the joint outcomes of systems over pairs.

    Args:
        pairs: of a topic.
        positions: [systems, documents].
        weight: how much each pair counts, [pairs]; 1 where None.
    """
    if len(positions) > DENSE and weight is None and pairs.order is not None:
        return _count_in_engine(positions, pairs.order, pairs.cuts)
    packed = _packed(pairs, positions)
    return _dense(pairs, packed, len(positions), weight) if len(positions) <= DENSE else _sparse(pairs, packed, weight)


def _packed(pairs: Pairs, positions: SmallInts) -> list[tuple[Bytes, int]]:
    """Outcomes in base 3, first system first, five systems a byte: bytes [pairs] and how many systems are in it."""
    packed = []
    for first in range(0, len(positions), A_BYTE):
        group = positions[first : first + A_BYTE]
        code = pairs.outcomes(group[0])
        for position in group[1:]:
            code *= 3
            code += pairs.outcomes(position)
        packed.append((code, len(group)))
    return packed


def _dense(pairs: Pairs, packed: list[tuple[Bytes, int]], systems: int, weight: Floats | None) -> OutcomeCells:
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
    return cells_from_table(table.astype(np.float64, copy=False), systems)


def _count_in_engine(positions: SmallInts, order: Ints, cuts: tuple[int, ...]) -> OutcomeCells:
    """Count over pairs of documents with different labels that all have weight 1."""
    by, positions = engine.current(), np.ascontiguousarray(positions)
    outcomes = by.count_outcomes(positions, order, np.array(cuts, dtype=np.int64))
    first, second = outcomes["first"], outcomes["second"]
    spoken = np.ones(len(first), dtype=np.bool_)
    # Where nothing is said of a pair, its outcome is the first.
    spoken[:1] = (positions[:, first[:1]] != positions[:, second[:1]]).any(axis=0)
    nothing = np.zeros(len(first), dtype=np.int64)

    def written_out() -> Signs:
        left, right = positions[:, first], positions[:, second]
        return np.ascontiguousarray((np.less(left, right).view(np.int8) - np.greater(left, right).view(np.int8)).T)

    def packed() -> Bytes:
        return by.pack_outcomes(positions, first, second)

    return OutcomeCells(spoken, nothing, outcomes["toward"], outcomes["against"], len(positions), written_out, packed)


def _sparse(pairs: Pairs, packed: list[tuple[Bytes, int]], weight: Floats | None) -> OutcomeCells:
    columns, turn = canonical_sign(packed)
    chosen, same = distinct([*columns, *([] if pairs.evidence is None else number_bytes(pairs.evidence))])
    counted = np.ones(pairs.size) if weight is None else weight
    sizes = [size for _, size in packed]
    kinds = [column[chosen] for column in columns]
    spoken = np.zeros(len(chosen), dtype=np.bool_)
    for kind, size in zip(kinds, sizes, strict=True):
        spoken |= kind != 3**size // 2
    return OutcomeCells(
        spoken,
        np.zeros(len(chosen), dtype=np.int64) if pairs.evidence is None else pairs.evidence[chosen],
        np.bincount(same, counted * ~turn, minlength=len(chosen)).astype(np.float64, copy=False),
        np.bincount(same, counted * turn, minlength=len(chosen)).astype(np.float64, copy=False),
        sum(sizes),
        lambda: np.column_stack([_digits(size)[kind] for kind, size in zip(kinds, sizes, strict=True)]),
    )


@functools.cache
def _digits(systems: int) -> Signs:
    """The outcomes of each system that a number in base 3 stands for, [3^systems, systems]."""
    code = np.arange(3**systems)
    return (code[:, None] // 3 ** np.arange(systems - 1, -1, -1) % 3 - 1).astype(np.int8)
