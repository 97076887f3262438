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
from cranfield.information.pairs import Pairs, Small
from cranfield.statistics._kernels.pair_counts import EXACT, SignCounts, count_signs
from cranfield.statistics.entropy import Estimate, corrected_pairs, entropy, sign_information

CELLS = 1 << 20
"""Outcomes held at a time: bounds the memory."""
NEAR = 1 << 13
"""Pairs of systems whose tables are looked at together, so that they stay in the processor's nearer memory."""
ALL = slice(None)


def joint_of_pairs(asked: Experiment, estimator: Estimate = "plug-in") -> tuple[Floats, Floats]:
    """Joint RIC of every two systems, and the RIC of the first over the same topics; [S, S] each, means over topics.

    With ``missing="skip"`` two systems are compared on the topics that both answered. Corrected estimates are for one
    source of judgments and pairs that count alike. An experiment keeps them: several analyses begin with them.
    """
    joint, alone = asked.shared(("joint of pairs", estimator), lambda: _joint_of_pairs(asked, estimator))
    return joint, alone


def _joint_of_pairs(asked: Experiment, estimator: Estimate) -> Floats:
    """The same, [2, S, S]."""
    size = len(asked.systems)
    joint, alone, counted = (np.zeros((size, size)) for _ in range(3))
    topics = np.flatnonzero(asked.counted == 1).tolist()

    def ask(topic: int) -> Floats:
        return asked.expect(topic, functools.partial(_of_topic, asked.pairs[topic], estimator))

    for topic, (told, of_one) in zip(topics, each_topic(asked, ask, topics), strict=True):
        here = asked.places.present[:, topic]
        both = np.outer(here, here)
        joint += np.where(both, told, 0.0)
        alone += np.where(both, of_one, 0.0)
        counted += both
    none = np.full((size, size), np.nan)
    with_topics = counted > 0
    means = (np.divide(told, counted, out=none.copy(), where=with_topics) for told in (joint, alone))
    return np.stack([*means])


def _of_topic(pairs: Pairs, estimator: Estimate, places: Small, weight: Floats | None) -> Floats:
    """I(R_s, R_t; Q) and I(R_s; Q) for all s and t, [2, S, S]."""
    if weight is not None and not weight.any():
        return np.zeros((2, len(places), len(places)))
    if pairs.evidence is not None:
        return _with_alone(_of_sources(pairs, places, weight, pairs.evidence))
    said, size = _said(pairs, places, weight), len(places)
    if estimator != "plug-in":
        return corrected_pairs(*_tables(said, weight), estimator)
    step = max(1, NEAR // size)
    parts = (slice(begin, begin + step) for begin in range(0, size, step))
    return _with_alone(np.concatenate([_of_source(*_tables(said, weight, rows)) for rows in parts]))


def _with_alone(told: Floats) -> Floats:
    """The same, and of each system with itself in its row."""
    return np.stack([told, np.broadcast_to(np.diagonal(told)[:, None], told.shape)])


def _of_source(toward: Floats, against: Floats, silent: Floats) -> Floats:
    """1 - H(Q | R), from outcomes [4, rows, S] and their mirror images."""
    both = toward + against
    bits: Floats = (both * sign_information(toward, against)).sum(axis=0) / (both.sum(axis=0) + silent)
    return bits


def _of_sources(pairs: Pairs, places: Small, weight: Floats | None, evidence: Any) -> Floats:
    """H(R) + H(Q) - H(R, Q) for several sources; see ``Cells``."""
    tables = []
    for number in range(int(evidence.max()) + 1):
        chosen = np.flatnonzero(evidence == number)
        assert pairs.named is not None
        some = Pairs.of_documents(pairs.named[0][chosen], pairs.named[1][chosen])
        of_some = None if weight is None else weight[chosen]
        tables.append(_tables(_said(some, places, of_some), of_some))
    toward, against, silent = (np.stack(parts) for parts in zip(*tables, strict=True))
    both = toward + against  # [sources, 4, S, S]
    total = both.sum(axis=(0, 1)) + silent.sum(axis=0)

    def bits(counts: Floats) -> Floats:
        return entropy(np.moveaxis(counts, 0, -1))

    of_r = bits(np.concatenate([both.sum(axis=0), silent.sum(axis=0)[None]]))
    of_q = bits(both.sum(axis=1) + silent)
    shape = (-1, *total.shape)
    of_both = bits(np.concatenate([toward.reshape(shape), against.reshape(shape), silent.reshape(shape)]))
    information: Floats = np.maximum(both.sum(axis=(0, 1)) / total + of_r + of_q - of_both, 0.0)
    return information


def _tables(said: SignCounts, weight: Floats | None, rows: slice = ALL) -> tuple[Floats, Floats, Floats]:
    """How often s and t say (+,+), (+,-), (+,0), (0,+), their mirror images, [4, rows, S] each; and nothing, [rows, S].

    Args:
        said: what every two systems say.
        weight: of pairs; None where all count alike.
        rows: which of the systems s are.
    """
    (pp, mm), (pm, mp) = ([table[rows] for table in tables] for tables in (said.same, said.opposite))
    plus, minus = said.alone
    toward = np.stack([pp, pm, plus[rows, None] - pp - pm, plus[None, :] - pp - mp])
    against = np.stack([mm, mp, minus[rows, None] - mp - mm, minus[None, :] - pm - mm])
    if weight is not None:
        toward, against = np.maximum(toward, 0.0), np.maximum(against, 0.0)
    silent = np.maximum(said.total - toward.sum(axis=0) - against.sum(axis=0), 0.0)
    return toward, against, silent


def _said(pairs: Pairs, places: Small, weight: Floats | None) -> SignCounts:
    """What every two systems say; pairs of documents by label that all count alike need no products."""
    if weight is None and pairs.order is not None:
        cuts = np.array(pairs.cuts, dtype=np.int64)
        counts = engine.current().count_agreements(np.ascontiguousarray(places), pairs.order, cuts)
        toward, against, opposite = counts["toward"], counts["against"], counts["opposite"]
        alone = np.diagonal(toward), np.diagonal(against)
        return SignCounts((toward, against), (opposite, opposite.T), alone, float(pairs.size))
    kind = np.float32 if weight is None and pairs.size < EXACT else np.float64  # whole numbers stay exact
    blocks = ((signs, None if weight is None else weight[chosen]) for chosen, signs in _blocks(pairs, places))
    return count_signs(blocks, len(places), kind)


def _blocks(pairs: Pairs, places: Small) -> Iterator[tuple[slice, Any]]:
    """Outcomes as 1, 0, -1, int8 [S, pairs of the block], with the pairs that they are of, some at a time."""
    step = max(1, CELLS // len(places))
    begun = 0
    for first, second in pairs.sides(places):
        many = max(1, step // second.shape[-1]) if first.ndim == 3 else step
        for begin in range(0, first.shape[1], many):
            one = first[:, begin : begin + many]
            other = second if first.ndim == 3 else second[:, begin : begin + many]
            signs = np.less(one, other).view(np.int8) - np.greater(one, other).view(np.int8)
            signs = signs.reshape(len(places), -1)
            yield slice(begun, begun + signs.shape[1]), signs
            begun += signs.shape[1]
