"""What both engines make of five systems in a byte: the same bits, and those of plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.engine import Engine
from cranfield.statistics.kernels.sign_codes import pack_signs, unpack_signs
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
        signs = unpack_signs(found, systems)
        assert signs.tolist() == np.sign(place[:, second].astype(int) - place[:, first]).T.tolist()
        np.testing.assert_array_equal(pack_signs(signs), found)


def test_what_does_not_fit_is_refused(compiled: Engine) -> None:
    place = np.zeros((1, 2), dtype=np.int16)
    for first, second in (([0], [2]), ([-1], [0]), ([0], [])):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.pack_outcomes(place, np.array(first, dtype=np.int64), np.array(second, dtype=np.int64))
