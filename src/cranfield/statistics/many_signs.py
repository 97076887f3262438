"""How well a weighted sum of many signs predicts a sign, where Newton's method would take too long."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Bytes, Floats
from cranfield.statistics.kinds import A_BYTE
from cranfield.statistics.logistic import log_loss, ridged, shares
from cranfield.statistics.sign_codes import DIGITS, pack_signs, unpack_signs

Signs = NDArray[np.int8]

FEW, EACH = 2048, 16
"""Cells from which curvatures are learned, at least, and for each predictor."""
ENOUGH, SMALL_GAIN = 2e-5, 5e-5
"""What another step must gain, in nats, to be taken: of all predictors, and with one left out."""
STEPS, ALONG, AT_ONCE = 100, 20, 4096
"""Steps at most; lengths of a step that are tried; cells whose scores by several weights are held at a time."""
ANEW = (0, 2, 5, 10, 20, 40, 70)
"""Steps before which the curvature is found anew."""
MOVES, RIDGE, FLAT = 8, 1e-3, 0.3
"""Moves that are learned from; added to a curvature, of its largest part; slope at a step's end, of its first."""


@dataclass(frozen=True)
class _Point:
    """Where a step arrives: weights, their sums over the signs of each cell, P(+) there, and the slope.

    The slope is that of the cross entropy in nats.
    """

    b: Floats
    score: Floats
    p: Floats
    slope: Floats


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

    All cells are looked at, once a step, by steps that begin with the curvature of some cells and learn from each other
    (limited-memory BFGS, Nocedal & Wright 2006, doi:10.1007/978-0-387-40065-5, algorithm 7.4). A step is as long as it
    descends: the scores along it are one sum, from which the slope of every length is known. Curvatures, which only
    steer, are found in single precision, of the cells that bend most, again and again as the weights change.

    Args:
        codes: predictors, five to a byte, as ``pack_signs`` has them: [cells, predictors / 5].
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
        return self._least / float(np.log(2))

    @cached_property
    def without_each(self) -> Floats:
        """The cross entropy, in bits, with each predictor left out and the others weighted anew, [predictors].

        The others' weights are found by steps with the curvature at the best weights, and anew where these go up, would
        go up, or do not end.
        """
        best = self._best
        inverse = np.linalg.inv(ridged(_curvature(self._x, self._share * best.p * (1 - best.p))))
        toward = inverse / inverse.diagonal()
        others = best.b[:, None] - toward * best.b
        least, left = np.full(len(best.b), np.inf), np.arange(len(best.b))
        far: list[int] = []
        for _ in range(MOVES):
            loss, slope = self._at_each(others[:, left])
            # The step leaves a 0 where it is.
            step = inverse @ slope - toward[:, left] * (inverse[left] * slope.T).sum(axis=1)
            up = ~(loss <= least[left] + SMALL_GAIN)
            gained = (slope * step).sum(axis=0)
            # A curvature that hardly bends may, in single precision, point uphill.
            up |= gained < -SMALL_GAIN
            far += left[up].tolist()
            least[left] = np.minimum(loss, least[left])
            on = ~up & (gained >= SMALL_GAIN)
            others[:, left[on]] -= step[:, on]
            left = left[on]
            if not len(left):
                break
        bits: Floats = np.maximum(least, self._least) / np.log(2)
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
            p = _logistic(score)
            slope += x.T @ (share[:, None] * p - sign[:, None]).astype(np.float32)
        return loss, slope

    @cached_property
    def _least(self) -> float:
        """The least cross entropy, in nats."""
        return float(log_loss(self._best.score, self._share, self._sign))

    @cached_property
    def _best(self) -> _Point:
        """Where steps end that gain enough."""
        here = self._at(np.zeros(self._size), np.zeros(len(self._share)))
        bend, moves = np.zeros((0, 0)), list[tuple[Floats, Floats]]()
        for number in range(STEPS):
            if number in ANEW:
                bend, moves = ridged(self._bend(here.p), RIDGE), []
            step = _learned(here.slope, bend, moves)
            gained = float(here.slope @ step)
            if gained < ENOUGH:
                break
            there = self._down(here, step, gained)
            move = there.b - here.b, there.slope - here.slope
            if move[0] @ move[1] > 0:
                moves = [*moves[1 - MOVES :], move]
            here = there
        return here

    def _down(self, here: _Point, step: Floats, gained: float) -> _Point:
        """Where the step arrives at the length at which it hardly descends any more.

        The slope along it rises from -gained on, and is as good as 0 where it is less than a share of that.
        """
        along = self._scores(step)
        square, size, short, long = along * along, 1.0, 0.0, np.inf
        for _ in range(ALONG):
            score = here.score - size * along
            p = _logistic(score)
            likely = self._share * p
            rising = float(along @ (self._sign - likely))
            if abs(rising) <= FLAT * gained:
                break
            short, long = (size, long) if rising < 0 else (short, size)
            bend = float((likely - likely * p) @ square)
            size = min(size - rising / bend, 3 * size) if bend > 0 else 3 * size
            if not short < size < long:
                size = (short + long) / 2
        return self._at(here.b - size * step, score, p)

    def _at(self, b: Floats, score: Floats, p: Floats | None = None) -> _Point:
        p = _logistic(score) if p is None else p
        counted = self._sums.sum_by_code(self._codes, self._share * p - self._sign)
        return _Point(b, score, p, (counted @ DIGITS).ravel()[: self._size])

    def _scores(self, b: Floats) -> Floats:
        """Sums of weights over the signs of each cell."""
        weights = np.zeros(self._codes.shape[1] * A_BYTE)
        weights[: self._size] = b
        return self._sums.look_up_sums(self._codes, weights.reshape(-1, A_BYTE) @ DIGITS.T)

    def _bend(self, p: Floats) -> Floats:
        """The curvature, of cells that are as frequent as they bend, where not of all."""
        weight, codes = self._share * p * (1 - p), self._codes
        few = max(FEW, EACH * self._size)
        if len(weight) > few:
            upto = np.cumsum(weight)
            chosen = np.searchsorted(upto, (np.arange(few) + 0.5) * (upto[-1] / few))
            codes, weight = codes[np.minimum(chosen, len(weight) - 1)], np.full(few, upto[-1] / few)
        # Without a copy: after the last predictor is 0.
        x = unpack_signs(codes, codes.shape[1] * A_BYTE, np.float32)
        x *= np.sqrt(weight).astype(np.float32)[:, None]
        return np.asarray((x.T @ x)[: self._size, : self._size], dtype=np.float64)


def _logistic(score: Floats) -> Floats:
    """P(+) by scores."""
    p: Floats = 1 / (1 + np.exp(-np.clip(score, -700, 700)))
    return p


def _curvature(x: NDArray[np.float32], weight: Floats) -> Floats:
    bend, single = np.zeros((x.shape[1],) * 2), weight.astype(np.float32)[:, None]
    for begin in range(0, len(x), AT_ONCE):
        some = slice(begin, begin + AT_ONCE)
        bend += (single[some] * x[some]).T @ x[some]
    return bend


def _learned(slope: Floats, bend: Floats, moves: list[tuple[Floats, Floats]]) -> Floats:
    """The step by a curvature and by what earlier moves, of weights and slopes, showed of it."""
    step, shares_of = slope.copy(), []
    for move, change in reversed(moves):
        shares_of.append(float(move @ step / (move @ change)))
        step -= shares_of[-1] * change
    step = np.asarray(np.linalg.solve(bend, step), dtype=np.float64)
    for (move, change), share in zip(moves, reversed(shares_of), strict=True):
        step += move * (share - change @ step / (move @ change))
    return step
