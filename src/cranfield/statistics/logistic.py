"""Cross entropy of predicting a sign from a weighted sum of signs, by Newton's method.

``ManySigns`` is for many signs, where Newton's method would take too long.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from cranfield._typing import Bytes, Floats, Signs, Singles
from cranfield.engine.protocol import Engine
from cranfield.statistics.kernels.sign_codes import SILENT, pack_signs, unpack_signs
from cranfield.statistics.numeric import ridged

STEPS = 200


EXACT, ROUGH = 1e-13, 1e-4
"""Least gain of another step, in nats: where all cells are known, and where they are a sample."""
SMALL_GAIN, MOVES, AT_ONCE = 5e-5, 8, 4096
"""With one predictor left out: least gain of another step, in nats; most steps; cells at a time."""


def sign_cross_entropy(x: Floats, toward: Floats, against: Floats) -> float:
    """Least cross entropy, in bits, of predicting a sign by P(+ | x) = 1 / (1 + exp(-b x)) over all b.

    There is no constant term: with the sign reversed, x must predict the other sign. Where x separates the signs no
    b is best, and the value is the limit.

    Args:
        x: predictors, [cells, predictors].
        toward, against: how often the sign is + and - in each cell, [cells], not all 0.
    """
    return cross_entropy_with(sign_weights(x, toward, against), x, toward, against)


def cross_entropy_with(b: Floats, x: Floats, toward: Floats, against: Floats) -> float:
    """Cross entropy, in bits, of predicting a sign with the weights b; see ``sign_cross_entropy``."""
    share, sign = shares(toward, against)
    return float(log_loss(x @ b, share, sign) / np.log(2))


def sign_weights(x: Floats, toward: Floats, against: Floats, gain: float = EXACT) -> Floats:
    """The weights b of the least cross entropy, [predictors]: Newton's method, halving steps that overshoot.

    Another step is taken where it gains ``gain``, in nats.
    """
    share, sign = shares(toward, against)
    b = np.zeros(x.shape[1])
    value = log_loss(x @ b, share, sign)
    for _ in range(STEPS):
        p = chances(x @ b)
        slope = x.T @ (share * p - sign)
        bend = (x.T * (share * p * (1 - p))) @ x
        step = np.linalg.solve(ridged(bend), slope)
        gained = float(slope @ step)
        if gained < gain:
            break
        size = 1.0
        while (lower := log_loss(x @ (b - size * step), share, sign)) > value - 0.1 * size * gained and size > 1e-6:
            size /= 2
        if lower >= value:
            break
        b, value = b - size * step, lower
    return b


def chances(score: Floats) -> Floats:
    """P(+) = 1 / (1 + exp(-score)), of the same shape; beyond 700 as there."""
    p: Floats = 1 / (1 + np.exp(-np.minimum(np.maximum(score, -700.0), 700.0)))
    return p


def shares(toward: Floats, against: Floats) -> tuple[Floats, Floats]:
    """The share of each cell in the total, and the share of its + signs."""
    total = toward.sum() + against.sum()
    return (toward + against) / total, toward / total


def log_loss(score: Floats, share: Floats, sign: Floats) -> Floats:
    """Cross entropy in nats: sum of share log(1 + e^score) - sign score, [cells, ...] -> [...]."""
    # As quick as two functions that NumPy has vector instructions for.
    above = np.maximum(score, 0.0) + np.log(1.0 + np.exp(-np.abs(score)))
    loss: Floats = share @ above - sign @ score
    return loss


class _End(NamedTuple):
    """The end of the steps: weights, their sums over the signs of each cell, and whether these separate the signs."""

    b: Floats
    score: Singles
    separated: bool


@dataclass(frozen=True)
class ManySigns:
    """A sign to be predicted by P(+ | x) = 1 / (1 + exp(-b x)), as ``sign_cross_entropy`` has it, from many signs.

    All cells are looked at, once a step, by steps that begin with the curvature of some cells and learn from each other
    (limited-memory BFGS, Nocedal & Wright 2006, doi:10.1007/978-0-387-40065-5, algorithm 7.4). A step is as long as it
    descends: the scores along it are one sum, from which the slope of every length is known. Curvatures, which only
    steer, are found of the cells that bend most, again and again as the weights change. Scores and slopes of cells are
    in single precision; the cross entropy that they end in is a sum in double precision. Where the signs are separated,
    it is the limit that larger weights of the same ratios go to.

    Args:
        codes: predictors, five to a byte, as ``pack_signs`` has them: [cells, predictors / 5].
        predictors: how many.
        share: of each cell in the total, [cells].
        sign: the share of its + signs, [cells].
        engine: what fits.
    """

    codes: Bytes
    predictors: int
    share: Floats
    sign: Floats
    engine: Engine

    @classmethod
    def from_counts(cls, codes: Bytes, predictors: int, toward: Floats, against: Floats, engine: Engine) -> Self:
        """Take how often the sign is + and - in each cell, [cells], not all 0."""
        return cls(np.ascontiguousarray(codes), predictors, *shares(toward, against), engine)

    @classmethod
    def pack(cls, x: Signs, toward: Floats, against: Floats, engine: Engine) -> Self:
        """Pack predictors, int8 [cells, predictors]."""
        return cls.from_counts(pack_signs(x), x.shape[1], toward, against, engine)

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
        p = chances(best.score.astype(np.float64))
        inverse = np.linalg.inv(ridged(_curvature(self._x, self.share * p * (1 - p))))
        direction = inverse / inverse.diagonal()
        weights = best.b[:, None] - direction * best.b
        least, left = np.full(len(best.b), np.inf), np.arange(len(best.b))
        far: list[int] = []
        for _ in range(MOVES):
            loss, slope = self._evaluate_each(weights[:, left])
            # The step leaves a 0 where it is.
            step = inverse @ slope - direction[:, left] * (inverse[left] * slope.T).sum(axis=1)
            up = ~(loss <= least[left] + SMALL_GAIN)
            gained = (slope * step).sum(axis=0)
            # A curvature that hardly bends may, in single precision, point uphill.
            up |= gained < -SMALL_GAIN
            far += left[up].tolist()
            least[left] = np.minimum(loss, least[left])
            on = ~up & (gained >= SMALL_GAIN)
            weights[:, left[on]] -= step[:, on]
            left = left[on]
            if not len(left):
                break
        bits: Floats = np.maximum(least, self._least) / np.log(2)
        for predictor in (*far, *left.tolist()):
            codes = pack_signs(np.delete(self._x, predictor, axis=1))
            fewer = ManySigns(codes, self.predictors - 1, self.share, self.sign, self.engine)
            bits[predictor] = min(bits[predictor], fewer.cross_entropy)
        return bits

    @cached_property
    def _x(self) -> Singles:
        """The predictors, [cells, predictors]."""
        return unpack_signs(self.codes, self.predictors, np.float32)

    def _evaluate_each(self, columns: Floats) -> tuple[Floats, Floats]:
        """Cross entropies in nats, and slopes, for weights in columns."""
        weights, loss, slope = columns.astype(np.float32), np.zeros(columns.shape[1]), np.zeros(columns.shape)
        for begin in range(0, len(self.share), AT_ONCE):
            chunk = slice(begin, begin + AT_ONCE)
            x, share, sign = self._x[chunk], self.share[chunk], self.sign[chunk]
            score = (x @ weights).astype(np.float64)
            loss += log_loss(score, share, sign)
            p = chances(score)
            slope += x.T @ (share[:, None] * p - sign[:, None]).astype(np.float32)
        return loss, slope

    @cached_property
    def _least(self) -> float:
        """The least cross entropy, in nats."""
        if self._end.separated:
            silent = (self.codes == SILENT).all(axis=1)
            return float(np.log(2) * self.share[silent].sum())
        return float(log_loss(self._end.score.astype(np.float64), self.share, self.sign))

    @cached_property
    def _best(self) -> _End:
        """The end of the steps, beyond the point where the signs are separated."""
        return self._descend(self._end.b, beyond=True) if self._end.separated else self._end

    @cached_property
    def _end(self) -> _End:
        """The end of the steps, or the point where the signs are first separated."""
        return self._descend(np.zeros(self.predictors))

    def _descend(self, start: Floats, beyond: bool = False) -> _End:
        return _End(*self.engine.fit_signs(self.codes, self.share, self.sign, start, beyond))


def _curvature(x: Singles, weight: Floats) -> Floats:
    bend, single = np.zeros((x.shape[1],) * 2), weight.astype(np.float32)[:, None]
    for begin in range(0, len(x), AT_ONCE):
        chunk = slice(begin, begin + AT_ONCE)
        bend += (single[chunk] * x[chunk]).T @ x[chunk]
    return bend
