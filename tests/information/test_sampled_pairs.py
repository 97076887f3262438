"""The pairs that are looked at of many systems, and those of documents that none of them retrieves."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from cranfield._typing import Floats
from cranfield.engine.protocol import Engine
from cranfield.information.outcome_counts import Cells, sampled
from cranfield.information.pairs import Pairs, Small
from cranfield.statistics._kernels.sign_codes import pack_signs

SYSTEMS, DOCUMENTS = 12, 60


def drawn(known: int, seed: int) -> tuple[Pairs, Small]:
    """Lists that hold some of the first documents, with labels 0, 1 and 2 throughout."""
    rng = np.random.default_rng(seed)
    places = np.full((SYSTEMS, DOCUMENTS), np.iinfo(np.int16).max, dtype=np.int16)
    for place in places:
        listed = rng.permutation(known)[: rng.integers(0, known + 1)]
        place[listed] = np.arange(len(listed))
    return Pairs.of_labels(rng.integers(0, 3, DOCUMENTS).astype(np.float64)), places


def one_by_one(pairs: Pairs, places: Small, weight: Floats | None) -> dict[tuple[int, ...], float]:
    """What the systems say of each pair, and how much such pairs count."""
    assert pairs.order is not None
    better, worse = (np.concatenate([side.ravel() for side in sides]) for sides in zip(*_sides(pairs), strict=True))
    counted: dict[tuple[int, ...], float] = defaultdict(float)
    for number, (one, other) in enumerate(zip(better, worse, strict=True)):
        said = tuple(int(np.sign(int(place[other]) - int(place[one]))) for place in places)
        counted[said] += 1.0 if weight is None else weight[number]
    return counted


def _sides(pairs: Pairs) -> list[tuple[np.ndarray, np.ndarray]]:
    sides = pairs.sides(np.arange(DOCUMENTS))
    return [tuple(np.broadcast_arrays(*side)) for side in sides]  # type: ignore[misc]


@pytest.mark.parametrize("known", [0, 1, 7, DOCUMENTS - 1, DOCUMENTS])
@pytest.mark.parametrize("weighted", [False, True])
def test_no_pair_is_lost_and_none_is_counted_twice(known: int, weighted: bool) -> None:
    pairs, places = drawn(known, known)
    weight = np.random.default_rng(1).integers(1, 9, pairs.size) / 8 if weighted else None
    cells = sampled(pairs, places, weight, pairs.size)
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for said, counted in zip(cells.outcome.tolist(), cells.toward.tolist(), strict=True):
        found[tuple(said)] += counted
    assert found == one_by_one(pairs, places, weight)
    assert not cells.against.any()
    assert cells.silent == found[(0,) * SYSTEMS]


def test_pairs_that_differ_in_a_document_nobody_has_are_one() -> None:
    pairs, places = drawn(7, 2)
    cells = sampled(pairs, places, None, pairs.size)
    # Pairs of two of the seven, one of them with any other in either role, and two others.
    assert len(cells.toward) <= 7 * 6 // 2 + 7 * 2 + 1 < pairs.size
    assert (~cells.spoken).sum() <= 1


@pytest.mark.parametrize("seed", range(3))
def test_they_tell_what_all_pairs_tell_one_by_one(seed: int) -> None:
    pairs, places = drawn(25, seed)
    cells = sampled(pairs, places, None, pairs.size)
    said = one_by_one(pairs, places, None)
    each = np.repeat(np.array(list(said), dtype=np.int8), [int(count) for count in said.values()], axis=0)
    nothing, ones = np.zeros(len(each), dtype=np.int64), np.ones(len(each))
    alone = Cells(each.any(axis=1), nothing, ones, np.zeros(len(each)), SYSTEMS, lambda: each, lambda: pack_signs(each))
    assert alone.total == cells.total == pairs.size
    assert cells.information("logistic") == pytest.approx(alone.information("logistic"), abs=1e-4)
    assert cells.information("table") <= 1.0


def test_a_sample_is_of_as_many_pairs_as_are_asked_for(each_engine: Engine) -> None:
    pairs, places = drawn(20, 5)
    cells, every = sampled(pairs, places, None, 300), one_by_one(pairs, places, None)
    assert cells.toward.sum() == 300 < pairs.size
    assert cells.codes.tolist() == pack_signs(cells.outcome).tolist()
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for said, counted in zip(cells.outcome.tolist(), cells.toward.tolist(), strict=True):
        found[tuple(said)] += counted
    assert all(counted <= every[said] for said, counted in found.items())
