"""How well a weighted sum of many signs predicts a sign, where Newton's method would take too long."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Bytes, Floats, Ints
from cranfield.statistics.kinds import A_BYTE
from cranfield.statistics.logistic import log_loss, ridged, shares
from cranfield.statistics.sign_codes import DIGITS, pack_signs, unpack_signs

Signs = NDArray[np.int8]

SOME = 4096
"""Cells from which the first weights and the curvature are learned."""
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


class SignSums(Protocol):
    """The two products with signs, five to a byte: an engine has them, see ``cranfield.contract.Engine``."""

    def look_up_sums(self, codes: Bytes, tables: Floats) -> Floats:
        """Sums over the signs of each row."""
        ...

    def sum_by_code(self, codes: Bytes, values: Floats) -> Floats:
        """Sums over the rows of each code."""
        ...


class ManySigns:
    """A sign to be predicted by P(+ | x) = 1 / (1 + exp(-b x)), as ``sign_cross_entropy`` has it, from many signs.

    The first weights are Newton's for a sample of the cells. Then all cells are looked at, once a step, by steps that
    begin with the curvature of the sample and learn from each other (limited-memory BFGS, Nocedal & Wright 2006,
    doi:10.1007/978-0-387-40065-5, algorithm 7.4). Curvatures, which only steer, are found in single precision.

    Args:
        codes: predictors, five to a byte, as ``pack_signs`` has them: [predictors / 5, cells].
        predictors: how many.
        toward, against: how often the sign is + and - in each cell, [cells], not all 0.
        sums: an engine.
    """

    def __init__(self, codes: Bytes, predictors: int, toward: Floats, against: Floats, sums: SignSums) -> None:
        self._codes, self._size, self._sums = np.ascontiguousarray(codes), predictors, sums
        self._share, self._sign = shares(toward, against)

    @classmethod
    def of(cls, x: Signs, toward: Floats, against: Floats, sums: SignSums) -> Self:
        """From predictors, int8 [cells, predictors]."""
        return cls(pack_signs(x), x.shape[1], toward, against, sums)

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
        inverse = _inverse(_curvature(self._x, self._share * best.p * (1 - best.p)))
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
            rest = self._of(pack_signs(np.delete(self._x, one, axis=1)), self._size - 1, self._share, self._sign)
            bits[one] = min(bits[one], rest.cross_entropy)
        return bits

    def _of(self, codes: Bytes, predictors: int, share: Floats, sign: Floats) -> ManySigns:
        made = object.__new__(ManySigns)
        made._codes, made._size, made._sums = np.ascontiguousarray(codes), predictors, self._sums
        made._share, made._sign = share, sign
        return made

    @cached_property
    def _x(self) -> NDArray[np.float32]:
        """The predictors, [cells, predictors]."""
        return unpack_signs(self._codes, self._size, np.float32)

    def _at_each(self, several: Floats) -> tuple[Floats, Floats]:
        """Cross entropies in nats and slopes, of weights in columns."""
        weights, loss, slope = several.astype(np.float32), np.zeros(several.shape[1]), np.zeros(several.shape)
        for begin in range(0, len(self._share), AT_ONCE):
            some = slice(begin, begin + AT_ONCE)
            x, share, sign = self._x[some], self._share[some], self._sign[some]
            score = (x @ weights).astype(np.float64)
            loss += log_loss(score, share, sign)
            p = 1 / (1 + np.exp(-np.clip(score, -700, 700)))
            slope += x.T @ (share[:, None] * p - sign[:, None]).astype(np.float32)
        return loss, slope

    @cached_property
    def _best(self) -> _Point:
        zero = np.zeros(self._size)
        if self._sample is None:
            return self._descended(self._at(zero), SMALL_GAIN)
        few, total = self._sample, self._share[self._sample].sum()
        first = self._of(self._codes[:, few], self._size, self._share[few] / total, self._sign[few] / total)
        start = first._descended(first._at(zero), NEARLY)
        return self._descended(self._at(start.b), SMALL_GAIN, _inverse(first._bend(start.p), RIDGE))

    def _descended(self, here: _Point, enough: float, inverse: Floats | None = None) -> _Point:
        """Where steps end that gain enough, begun with the inverse of a curvature; with the one here where None."""
        moves: list[tuple[Floats, Floats]] = []
        for _ in range(STEPS):
            if inverse is None or len(moves) == MOVES:
                inverse, moves = _inverse(self._bend(here.p), RIDGE), []
            step = _learned(here.slope, inverse, moves)
            gained = float(here.slope @ step)
            there = self._down(here, step, gained) if gained >= enough else None
            if there is None:
                break
            move = there.b - here.b, there.slope - here.slope
            if move[0] @ move[1] > 0:
                moves.append(move)
            here = there
        return here

    @cached_property
    def _sample(self) -> Ints | None:
        """Some of the cells; None where that is all of them."""
        cells = len(self._share)
        return None if cells <= SOME else np.sort(np.random.default_rng(0).choice(cells, SOME, replace=False))

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
        weights = np.zeros(len(self._codes) * A_BYTE)
        weights[: self._size] = b
        score = self._sums.look_up_sums(self._codes, weights.reshape(-1, A_BYTE) @ DIGITS.T)
        small = np.exp(-np.abs(score))
        loss = self._share @ (np.maximum(score, 0.0) + np.log(1.0 + small)) - self._sign @ score
        p = np.where(score >= 0, 1.0, small) / (1.0 + small)
        counted = self._sums.sum_by_code(self._codes, self._share * p - self._sign)
        slope = (counted @ DIGITS).ravel()[: self._size]
        return _Point(b, float(loss), slope, p)

    def _bend(self, p: Floats) -> Floats:
        """The curvature over some cells, as if they were all."""
        weight = self._share * p * (1 - p)
        if self._sample is not None:
            weight = weight[self._sample] / self._share[self._sample].sum()
        return _curvature(self._few, weight)

    @cached_property
    def _few(self) -> NDArray[np.float32]:
        """The predictors of the sample."""
        codes = self._codes if self._sample is None else self._codes[:, self._sample]
        return unpack_signs(codes, self._size, np.float32)


def _curvature(x: NDArray[np.float32], weight: Floats) -> Floats:
    bend, single = np.zeros((x.shape[1],) * 2), weight.astype(np.float32)[:, None]
    for begin in range(0, len(x), AT_ONCE):
        some = slice(begin, begin + AT_ONCE)
        bend += (single[some] * x[some]).T @ x[some]
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
