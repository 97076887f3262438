"""Joint RIC of every two systems at once: counted by bits in the engine, or by products of matrices."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from cranfield import engine
from cranfield._typing import Floats
from cranfield.information.experiment import Experiment
from cranfield.information.joint import each_topic
from cranfield.information.pairs import Pairs, SmallInts
from cranfield.statistics.entropy import Estimate, corrected_pairs, entropy, sign_information
from cranfield.statistics.kernels.pair_counts import EXACT, SignCounts, count_signs

CELLS = 1 << 20
"""Outcomes held at a time, which limits the memory."""
NEAR = 1 << 13
"""Pairs of systems whose tables are processed together, so few that they stay in the cache."""
ALL = slice(None)


def compute_pairwise_joint(experiment: Experiment, estimator: Estimate = "plug-in") -> tuple[Floats, Floats]:
    """Joint RIC of every two systems, and the RIC of the first over the same topics; [S, S] each, means over topics.

    With ``missing="skip"`` two systems are compared on the topics that both answered. Corrected estimates are for one
    source of judgments and pairs that count alike. An experiment keeps them: several analyses begin with them.
    """
    joint, alone = experiment.shared(("joint of pairs", estimator), lambda: _compute_joint(experiment, estimator))
    return joint, alone


def _compute_joint(experiment: Experiment, estimator: Estimate) -> Floats:
    """Compute ``compute_pairwise_joint``, [2, S, S]."""
    size = len(experiment.systems)
    joint, alone, counted = (np.zeros((size, size)) for _ in range(3))
    topics = np.flatnonzero(experiment.counted == 1).tolist()

    def compute(topic: int) -> Floats:
        return experiment.expect(topic, functools.partial(_compute_topic, experiment.pairs[topic], estimator))

    for topic, (joint_bits, alone_bits) in zip(topics, each_topic(experiment, compute, topics), strict=True):
        here = experiment.positions.present[:, topic]
        both = np.outer(here, here)
        joint += np.where(both, joint_bits, 0.0)
        alone += np.where(both, alone_bits, 0.0)
        counted += both
    none = np.full((size, size), np.nan)
    with_topics = counted > 0
    means = (np.divide(joint_bits, counted, out=none.copy(), where=with_topics) for joint_bits in (joint, alone))
    return np.stack([*means])


def _compute_topic(pairs: Pairs, estimator: Estimate, positions: SmallInts, weight: Floats | None) -> Floats:
    """I(R_s, R_t; Q) and I(R_s; Q) for all s and t, [2, S, S]."""
    if weight is not None and not weight.any():
        return np.zeros((2, len(positions), len(positions)))
    if pairs.evidence is not None:
        return _with_alone(_compute_joint_information(pairs, positions, weight, pairs.evidence))
    counts, size = _count_signs(pairs, positions, weight), len(positions)
    if estimator != "plug-in":
        return corrected_pairs(*_tables(counts, weight), estimator)
    step = max(1, NEAR // size)
    parts = (slice(begin, begin + step) for begin in range(0, size, step))
    return _with_alone(np.concatenate([_compute_source_information(*_tables(counts, weight, rows)) for rows in parts]))


def _with_alone(joint_bits: Floats) -> Floats:
    """Stack a table on the information of each system alone, in its row, [2, S, S]."""
    return np.stack([joint_bits, np.broadcast_to(np.diagonal(joint_bits)[:, None], joint_bits.shape)])


def _compute_source_information(toward: Floats, against: Floats, silent: Floats) -> Floats:
    """1 - H(Q | R), from outcomes [4, rows, S] and their mirror images."""
    both = toward + against
    bits: Floats = (both * sign_information(toward, against)).sum(axis=0) / (both.sum(axis=0) + silent)
    return bits


def _compute_joint_information(pairs: Pairs, positions: SmallInts, weight: Floats | None, evidence: Any) -> Floats:
    """H(R) + H(Q) - H(R, Q) for several sources; see ``Cells``."""
    tables = []
    for number in range(int(evidence.max()) + 1):
        chosen = np.flatnonzero(evidence == number)
        assert pairs.named is not None
        pairs_of_source = Pairs.from_documents(pairs.named[0][chosen], pairs.named[1][chosen])
        weight_of_source = None if weight is None else weight[chosen]
        tables.append(_tables(_count_signs(pairs_of_source, positions, weight_of_source), weight_of_source))
    toward, against, silent = (np.stack(parts) for parts in zip(*tables, strict=True))
    both = toward + against  # [sources, 4, S, S]
    total = both.sum(axis=(0, 1)) + silent.sum(axis=0)

    def bits(counts: Floats) -> Floats:
        return entropy(np.moveaxis(counts, 0, -1))

    r_bits = bits(np.concatenate([both.sum(axis=0), silent.sum(axis=0)[None]]))
    q_bits = bits(both.sum(axis=1) + silent)
    shape = (-1, *total.shape)
    joint_bits = bits(np.concatenate([toward.reshape(shape), against.reshape(shape), silent.reshape(shape)]))
    information: Floats = np.maximum(both.sum(axis=(0, 1)) / total + r_bits + q_bits - joint_bits, 0.0)
    return information


def _tables(counts: SignCounts, weight: Floats | None, rows: slice = ALL) -> tuple[Floats, Floats, Floats]:
    """Counts of (+,+), (+,-), (+,0), (0,+) for s and t, of their mirror images, [4, rows, S]; of silence, [rows, S].

    Args:
        counts: what every two systems say.
        weight: of pairs; None where all count alike.
        rows: which of the systems s are.
    """
    (pp, mm), (pm, mp) = ([table[rows] for table in tables] for tables in (counts.same, counts.opposite))
    plus, minus = counts.alone
    toward = np.stack([pp, pm, plus[rows, None] - pp - pm, plus[None, :] - pp - mp])
    against = np.stack([mm, mp, minus[rows, None] - mp - mm, minus[None, :] - pm - mm])
    if weight is not None:
        toward, against = np.maximum(toward, 0.0), np.maximum(against, 0.0)
    silent = np.maximum(counts.total - toward.sum(axis=0) - against.sum(axis=0), 0.0)
    return toward, against, silent


def _count_signs(pairs: Pairs, positions: SmallInts, weight: Floats | None) -> SignCounts:
    """Count the signs of every two systems; pairs by label that all have weight 1 need no products."""
    if weight is None and pairs.order is not None:
        cuts = np.array(pairs.cuts, dtype=np.int64)
        counts = engine.current().count_agreements(np.ascontiguousarray(positions), pairs.order, cuts)
        toward, against, opposite = counts["toward"], counts["against"], counts["opposite"]
        alone = np.diagonal(toward), np.diagonal(against)
        return SignCounts((toward, against), (opposite, opposite.T), alone, float(pairs.size))
    kind = np.float32 if weight is None and pairs.size < EXACT else np.float64  # whole numbers stay exact
    blocks = ((signs, None if weight is None else weight[chosen]) for chosen, signs in _blocks(pairs, positions))
    return count_signs(blocks, len(positions), kind)


def _blocks(pairs: Pairs, positions: SmallInts) -> Iterator[tuple[slice, Any]]:
    """Outcomes as 1, 0, -1, int8 [S, pairs of the block], with the pairs that they are of, some at a time."""
    step = max(1, CELLS // len(positions))
    begun = 0
    for first, second in pairs.sides(positions):
        height = max(1, step // second.shape[-1]) if first.ndim == 3 else step
        for begin in range(0, first.shape[1], height):
            left = first[:, begin : begin + height]
            right = second if first.ndim == 3 else second[:, begin : begin + height]
            signs = np.less(left, right).view(np.int8) - np.greater(left, right).view(np.int8)
            signs = signs.reshape(len(positions), -1)
            yield slice(begun, begun + signs.shape[1]), signs
            begun += signs.shape[1]
