"""How well a weighted sum of many signs predicts a sign, where Newton's method would take too long."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Floats
from cranfield.statistics.logistic import log_loss, ridged, shares

Signs = NDArray[np.int8]

FIRST, LATER = 2048, 8192
"""Cells from which the first weights and the curvature are learned; and the curvature where it is found anew."""
SMALL_GAIN = 5e-5
"""What another step must gain, in nats, to be taken."""
NEARLY = 1e-3
"""The same of the first weights."""
STEPS, AT_ONCE = 100, 4096
"""Steps at most; cells whose scores by several weights are held at a time."""
MOVES, RIDGE = 8, 1e-4
"""Moves from which the curvature is learned before it is found anew; what is added to it, of its largest part."""


@dataclass(frozen=True)
class _Point:
    """Where a step arrives: weights, their cross entropy in nats, its slope, and P(+) of each cell."""

    b: Floats
    loss: float
    slope: Floats
    p: Floats


class ManySigns:
    """A sign to be predicted by P(+ | x) = 1 / (1 + exp(-b x)), as ``sign_cross_entropy`` has it, from many signs.

    The first weights are Newton's for a sample of the cells. Then all cells are looked at, once a step, by steps that
    begin with the curvature of the sample and learn from each other (limited-memory BFGS, Nocedal & Wright 2006,
    doi:10.1007/978-0-387-40065-5, algorithm 7.4).

    Args:
        x: predictors, int8 [cells, predictors].
        toward, against: how often the sign is + and - in each cell, [cells], not all 0.
    """

    def __init__(self, x: Signs, toward: Floats, against: Floats) -> None:
        self._x = np.ascontiguousarray(x, dtype=np.float32)
        self._share, self._sign = shares(toward, against)

    @cached_property
    def weights(self) -> Floats:
        """The weights b of the least cross entropy, [predictors]."""
        return self._best.b

    @property
    def cross_entropy(self) -> float:
        """The least cross entropy, in bits."""
        return self._best.loss / float(np.log(2))

    @cached_property
    def without_each(self) -> Floats:
        """The cross entropy, in bits, with each predictor left out and the others weighted anew, [predictors].

        The others' weights are found by steps with the curvature at the best weights, and anew where these go up or
        do not end.
        """
        best = self._best
        inverse = _inverse(self._bend(slice(None), best.p))
        toward = inverse / inverse.diagonal()
        others = best.b[:, None] - toward * best.b
        least, left = np.full(len(best.b), np.inf), np.arange(len(best.b))
        far: list[int] = []
        for _ in range(MOVES):
            loss, slope = self._at_each(others[:, left])
            # The step leaves a 0 where it is.
            step = inverse @ slope - toward[:, left] * (inverse[left] * slope.T).sum(axis=1)
            up = ~(loss <= least[left] + SMALL_GAIN)
            far += left[up].tolist()
            least[left] = np.minimum(loss, least[left])
            on = ~up & ((slope * step).sum(axis=0) >= SMALL_GAIN)
            others[:, left[on]] -= step[:, on]
            left = left[on]
            if not len(left):
                break
        bits: Floats = np.maximum(least, best.loss) / np.log(2)
        for one in (*far, *left.tolist()):
            rest = self._of(np.delete(self._x, one, axis=1), self._share, self._sign)
            bits[one] = min(bits[one], rest.cross_entropy)
        return bits

    @classmethod
    def _of(cls, x: NDArray[np.float32], share: Floats, sign: Floats) -> ManySigns:
        made = cls.__new__(cls)
        made._x, made._share, made._sign = x, share, sign
        return made

    def _at_each(self, several: Floats) -> tuple[Floats, Floats]:
        """Cross entropies in nats and slopes, of weights in columns."""
        weights, loss, slope = several.astype(np.float32), np.zeros(several.shape[1]), np.zeros(several.shape)
        for begin in range(0, len(self._x), AT_ONCE):
            some = slice(begin, begin + AT_ONCE)
            x, share, sign = self._x[some], self._share[some], self._sign[some]
            score = (x @ weights).astype(np.float64)
            loss += log_loss(score, share, sign)
            p = 1 / (1 + np.exp(-np.clip(score, -700, 700)))
            slope += x.T @ (share[:, None] * p - sign[:, None]).astype(np.float32)
        return loss, slope

    @cached_property
    def _best(self) -> _Point:
        sample, wider = self._sample(FIRST), self._sample(LATER)
        here = self._at(self._from_sample(sample))
        inverse = _inverse(self._bend(sample, here.p), RIDGE)
        moves: list[tuple[Floats, Floats]] = []
        for _ in range(STEPS):
            if len(moves) == MOVES:
                inverse, moves = _inverse(self._bend(wider, here.p), RIDGE), []
            step = _learned(here.slope, inverse, moves)
            gained = float(here.slope @ step)
            if gained < SMALL_GAIN:
                break
            there = self._down(here, step, gained)
            if there is None:
                break
            move = there.b - here.b, there.slope - here.slope
            if move[0] @ move[1] > 0:
                moves.append(move)
            here = there
        return here

    def _sample(self, size: int) -> NDArray[np.int64]:
        cells = len(self._x)
        if cells <= size:
            return np.arange(cells)
        return np.sort(np.random.default_rng(0).choice(cells, size, replace=False))

    def _from_sample(self, sample: NDArray[np.int64]) -> Floats:
        """Newton's weights for some cells, which need not be their best: the first ones for all."""
        total = self._share[sample].sum()
        some = self._of(self._x[sample], self._share[sample] / total, self._sign[sample] / total)
        here = some._at(np.zeros(self._x.shape[1]))
        for _ in range(STEPS):
            step = np.asarray(np.linalg.solve(ridged(some._bend(slice(None), here.p), RIDGE), here.slope), np.float64)
            gained = float(here.slope @ step)
            there = some._down(here, step, gained) if gained >= NEARLY else None
            if there is None:
                break
            here = there
        return here.b

    def _down(self, here: _Point, step: Floats, gained: float) -> _Point | None:
        """Where the step arrives, halved until it descends; None where it does not."""
        size = 1.0
        while size > 1e-6:
            there = self._at(here.b - size * step)
            if there.loss < here.loss and there.loss <= here.loss - 1e-4 * size * gained:
                return there
            size /= 2
        return None

    def _at(self, b: Floats) -> _Point:
        score = (self._x @ b.astype(np.float32)).astype(np.float64)
        p = 1 / (1 + np.exp(-np.clip(score, -700, 700)))
        slope = (self._share * p - self._sign).astype(np.float32) @ self._x
        return _Point(b, float(log_loss(score, self._share, self._sign)), slope.astype(np.float64), p)

    def _bend(self, some: NDArray[np.int64] | slice, p: Floats) -> Floats:
        """The curvature over some cells, as if they were all."""
        bend, total = np.zeros((self._x.shape[1],) * 2), float(self._share[some].sum())
        x, weight = self._x[some], self._share[some] * p[some] * (1 - p[some]) / total
        for begin in range(0, len(x), AT_ONCE):
            block = x[begin : begin + AT_ONCE]
            bend += (block.T * weight[begin : begin + AT_ONCE].astype(np.float32)) @ block
        return bend


def _inverse(bend: Floats, share: float = 1e-9) -> Floats:
    return np.asarray(np.linalg.inv(ridged(bend, share)), dtype=np.float64)


def _learned(slope: Floats, inverse: Floats, moves: list[tuple[Floats, Floats]]) -> Floats:
    """The step by a curvature and by what earlier moves, of weights and slopes, showed of it."""
    step, shares_of = slope.copy(), []
    for move, change in reversed(moves):
        shares_of.append(float(move @ step / (move @ change)))
        step -= shares_of[-1] * change
    step = np.asarray(inverse @ step, dtype=np.float64)
    for (move, change), share in zip(moves, reversed(shares_of), strict=True):
        step += move * (share - change @ step / (move @ change))
    return step
