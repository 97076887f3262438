"""The regression on signs: both engines find the least cross entropy within a tolerance, whatever the cells are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cranfield.engine import Engine
from cranfield.statistics.kernels.logistic import AGREEMENT
from cranfield.statistics.kernels.sign_codes import pack_signs, unpack_signs
from cranfield.statistics.logistic import log_loss, shares
from effort import examples


def cells(
    count: int, predictors: int, seed: int, kind: str
) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.float64]]:
    """Codes, how often each cell occurs, and how often its sign is +, of all."""
    rng = np.random.default_rng(seed)
    x = rng.integers(-1, 2, (count, predictors)).astype(np.int8)
    x[rng.random(count) < 0.1] = 0
    likely = 1 / (1 + np.exp(-x @ rng.normal(0, 0.5, predictors)))
    often = rng.integers(1, 4, count).astype(np.float64)
    toward = rng.binomial(often.astype(int), likely).astype(np.float64)
    if kind == "one-sided":
        toward = often * (rng.random(count) < likely)
    if kind == "separated":
        x[:, 0] = np.where(x.any(axis=1), 1, 0)
        toward = often
    return pack_signs(x), *shares(toward, often - toward)


@examples(40)
@given(
    st.sampled_from([1, 2, 3, 5, 513, 2047, 2049, 4097, 6002]),
    st.sampled_from([1, 4, 5, 6, 11, 26, 260]),
    st.sampled_from(["both", "one-sided", "separated"]),
    st.booleans(),
    st.integers(0, 999),
)
def test_both_engines_come_as_near_to_the_least_cross_entropy(
    compiled: Engine, reference: Engine, count: int, predictors: int, kind: str, beyond: bool, seed: int
) -> None:
    made = cells(count, predictors, seed, kind)
    start = np.zeros(predictors) if seed % 2 else np.random.default_rng(seed).normal(size=predictors) / 8
    one, other = (each.fit_signs(*made, start, beyond) for each in (compiled, reference))
    assert (one[0].dtype, one[1].dtype) == (other[0].dtype, other[1].dtype) == (np.float64, np.float32)
    signs = unpack_signs(made[0], predictors, np.float64)
    for weights, scores, separated in (one, other):
        np.testing.assert_allclose(scores, signs @ weights, rtol=1e-4, atol=1e-4 * (1 + np.abs(weights).sum()))
        if kind == "separated" and not beyond:
            assert separated, "the first sign is that of every cell which says something"
    if not beyond:
        assert one[2] == other[2]
    if not one[2] and not other[2]:
        losses = [log_loss(signs @ weights, *made[1:]) for weights, _, _ in (one, other)]
        assert losses[0] == pytest.approx(losses[1], abs=AGREEMENT)


def test_what_does_not_fit_is_refused(compiled: Engine) -> None:
    codes, share, sign = cells(7, 6, 1, "both")
    for one in ((codes, share[1:], sign[1:], 6), (codes, share, sign[1:], 6), (codes, share, sign, 5)):
        with pytest.raises(ValueError, match="codes, shares, signs and weights do not fit together"):
            compiled.fit_signs(*one[:3], np.zeros(one[3]), False)
