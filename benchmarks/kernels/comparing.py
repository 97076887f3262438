"""What comparisons of runs need: ranks of documents in the lists of many systems, and scores of topics."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

SYSTEMS, DOCUMENTS, LISTS, ROWS = 20, 400, 50, 1000


def ranked(rng: np.random.Generator, systems: int, documents: int) -> np.ndarray:
    """Ranks of documents, [systems, documents]; a third is not retrieved."""
    ranks = np.array([rng.permutation(documents) for _ in range(systems)]).astype(np.int16)
    ranks[rng.random(ranks.shape) < 1 / 3] = np.iinfo(np.int16).max
    return ranks


def signs(rng: np.random.Generator, cells: int, systems: int, engine: Any) -> tuple[np.ndarray, ...]:
    """What systems say of pairs, and how often a sign is + there."""
    ranks = ranked(rng, systems, DOCUMENTS)
    first, second = rng.integers(0, DOCUMENTS, (2, cells))
    often = rng.integers(1, 4, cells)
    toward = rng.binomial(often, 0.6)
    return engine.pack_outcomes(ranks, first, second), often / often.sum(), toward / often.sum()


def numbers(outcomes: Any) -> tuple[np.ndarray, np.ndarray]:
    """Without the pairs that stand for each outcome, which engines are free to choose."""
    return outcomes["toward"], outcomes["against"]


def comparing() -> Mapping[str, Callable[[Any], Any]]:
    """Each kernel by its entry in the contract of both engines."""
    from cranfield import reference_engine

    rng = np.random.default_rng(1)
    ranks, label = ranked(rng, SYSTEMS, DOCUMENTS), np.sort(rng.integers(0, 3, DOCUMENTS))[::-1].astype(np.float64)
    order, cuts = np.arange(DOCUMENTS), np.append(0, np.flatnonzero(np.diff(label)) + 1)
    cuts = np.append(cuts, DOCUMENTS)
    by_document, bounds = np.ascontiguousarray(ranks.T), np.arange(3) * (DOCUMENTS // 2)
    first, second = (side.astype(np.int64) for side in np.triu_indices(DOCUMENTS, 1))
    codes, share, sign = signs(rng, 20_000, SYSTEMS, reference_engine)
    starts, score = np.arange(LISTS + 1) * ROWS, rng.random(LISTS * ROWS).round(4)
    document = np.concatenate([rng.permutation(2 * ROWS)[:ROWS] for _ in range(LISTS)])
    weight = 1 / np.arange(61.0, 61 + ROWS)
    half = SYSTEMS // 2
    return {
        "count_outcomes": lambda engine: numbers(engine.count_outcomes(ranks, order, cuts)),
        "count_agreements": lambda engine: engine.count_agreements(ranks, order, cuts),
        "pack_outcomes": lambda engine: engine.pack_outcomes(ranks, first, second),
        # Its numbers agree to a tolerance alone, which tests hold.
        "fit_signs": lambda engine: len(engine.fit_signs(codes, share, sign, np.zeros(SYSTEMS), False)),
        "majority_order": lambda engine: engine.majority_order(by_document, bounds),
        "order_by_votes": lambda engine: engine.order_by_votes(by_document, bounds, label, half),
        "count_leads": lambda engine: engine.count_leads(by_document, first, second),
        "count_ties": lambda engine: engine.count_ties(starts, score, 100),
        "sum_by_rank": lambda engine: engine.sum_by_rank(document, starts, weight, 2 * ROWS),
    }
