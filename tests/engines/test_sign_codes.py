"""What both engines make of five systems in a byte: the same bits, and those of plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.contract import CODES, SUMMED, Engine
from cranfield.statistics.sign_codes import DIGITS, pack_signs, unpack_signs
from effort import examples


@examples(60)
@given(st.sampled_from([1, 4, 5, 6, 21]), st.integers(0, 7), st.sampled_from([np.int16, np.int32]), st.integers(0, 999))
def test_outcomes_are_packed_pair_by_pair(
    compiled: Engine, reference: Engine, systems: int, pairs: int, kind: type[np.signedinteger], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    place = np.argsort(rng.random((systems, 4)), axis=1).astype(kind)
    place[rng.random(place.shape) < 0.5] = np.iinfo(kind).max
    first, second = rng.integers(0, 4, (2, pairs))
    expected = [[121] * -(-systems // 5) for _ in range(pairs)]
    for system in range(systems):
        for pair, (one, other) in enumerate(zip(place[system, first], place[system, second], strict=True)):
            expected[pair][system // 5] += 3 ** (4 - system % 5) * (int(one < other) - int(one > other))
    for each in (compiled, reference):
        found = each.pack_outcomes(place, first, second)
        assert (found.dtype, found.shape) == (np.uint8, (pairs, -(-systems // 5)))
        assert found.tolist() == expected
        signs = each.unpack_outcomes(found, systems)
        assert signs.dtype == np.float32
        np.testing.assert_array_equal(signs, unpack_signs(found, systems))
        assert signs.tolist() == np.sign(place[:, second].astype(int) - place[:, first]).T.tolist()
        np.testing.assert_array_equal(pack_signs(signs.astype(np.int8)), found)


@examples(30)
@given(st.sampled_from([0, 1, 3, 4, 5, 26]), st.sampled_from([0, 1, 2047, 2048, 5000]), st.integers(0, 999))
def test_sums_are_those_of_one_after_the_other(
    compiled: Engine, reference: Engine, groups: int, pairs: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, rng.integers(1, CODES + 1), (pairs, groups)).astype(np.uint8)
    tables = rng.normal(size=(groups, CODES)).astype(np.float32)
    values = rng.normal(size=pairs).astype(np.float32)
    sums, counted = np.zeros(pairs, dtype=np.float32), np.zeros((groups, CODES))
    for group in range(groups):
        sums += tables[group][codes[:, group]]
        for begin in range(0, pairs, SUMMED):
            some = np.zeros(CODES, dtype=np.float32)
            np.add.at(some, codes[begin : begin + SUMMED, group], values[begin : begin + SUMMED])
            counted[group] += some
    for each in (compiled, reference):
        assert each.look_up_sums(codes, tables).tobytes() == sums.tobytes()
        assert each.sum_by_code(codes, values).tobytes() == counted.tobytes()


def test_they_are_the_products_with_the_signs(compiled: Engine) -> None:
    rng = np.random.default_rng(1)
    signs, weights, values = rng.integers(-1, 2, (40, 10)).astype(np.int8), rng.normal(size=10), rng.normal(size=40)
    codes = pack_signs(signs)
    found = compiled.look_up_sums(codes, (weights.reshape(2, 5) @ DIGITS.T).astype(np.float32))
    np.testing.assert_allclose(found, signs @ weights, atol=2e-6)  # single precision
    counted = compiled.sum_by_code(codes, values.astype(np.float32))
    np.testing.assert_allclose((counted @ DIGITS).ravel(), values @ signs, atol=5e-6)


def test_what_does_not_fit_is_refused(compiled: Engine) -> None:
    place, codes = np.zeros((1, 2), dtype=np.int16), np.zeros((3, 2), dtype=np.uint8)
    for first, second in (([0], [2]), ([-1], [0]), ([0], [])):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.pack_outcomes(place, np.array(first, dtype=np.int64), np.array(second, dtype=np.int64))
    for shape in ((1, CODES), (2, CODES - 1), (2, 2 * CODES)):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.look_up_sums(codes, np.zeros(shape, dtype=np.float32))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.sum_by_code(codes, np.zeros(2, dtype=np.float32))
    for systems in (5, 11):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.unpack_outcomes(codes, systems)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.substitute(np.eye(2), np.eye(2), np.zeros(3))


@examples(30)
@given(st.sampled_from([0, 1, 2, 7, 40]), st.integers(0, 999))
def test_triangles_are_solved_alike(compiled: Engine, reference: Engine, size: int, seed: int) -> None:
    x = np.random.default_rng(seed).normal(size=(size + 5, size))
    bend, right = x.T @ x + np.eye(size), np.arange(size) - 3.0
    lower = np.ascontiguousarray(np.linalg.cholesky(bend))
    upper = np.ascontiguousarray(lower.T)
    found = [each.substitute(lower, upper, right) for each in (compiled, reference)]
    assert found[0].tobytes() == found[1].tobytes()
    np.testing.assert_allclose(bend @ found[0], right, atol=1e-9)
