"""How well a weighted sum of many signs predicts a sign, where Newton's method would take too long."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Bytes, Floats, Ints, Singles
from cranfield.statistics.curvature import Curvature, Substitution
from cranfield.statistics.kinds import A_BYTE
from cranfield.statistics.logistic import log_loss, ridged, shares
from cranfield.statistics.sign_codes import DIGITS, SILENT, pack_signs

Signs = NDArray[np.int8]

FEW, EACH = 2048, 8
"""Cells from which curvatures are learned, at least, and for each predictor."""
ENOUGH, SMALL_GAIN = 1.5e-5, 5e-5
"""What another step must gain, in nats, to be taken: of all predictors, and with one left out."""
STEPS, ALONG, AT_ONCE = 100, 20, 4096
"""Steps at most; lengths of a step that are tried; cells whose scores by several weights are held at a time."""
ANEW = (0, 4, 10, 20, 40, 70)
"""Steps before which the curvature is found anew."""
MOVES, RIDGE, FLAT = 8, 1e-3, 0.3
"""Moves that are learned from; added to a curvature, of its largest part; slope at a step's end, of its first."""


@dataclass(frozen=True)
class _Point:
    """Where a step arrives: weights, their sums over the signs of each cell, P(+) there, and the slope.

    The slope is that of the cross entropy in nats.
    """

    b: Floats
    score: Singles
    p: Singles
    slope: Floats


class SignSums(Substitution, Protocol):
    """What an engine does with signs, five to a byte, and with triangles: see ``cranfield.contract.Engine``."""

    def unpack_outcomes(self, codes: Bytes, systems: int) -> Singles:
        """The signs."""
        ...

    def look_up_sums(self, codes: Bytes, tables: Singles) -> Singles:
        """Sums over the signs of each row."""
        ...

    def sum_by_code(self, codes: Bytes, values: Singles) -> Floats:
        """Sums over the rows of each code."""
        ...


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
    def _x(self) -> Singles:
        """The predictors, [cells, predictors]."""
        return self._sums.unpack_outcomes(self._codes, self._size)

    @cached_property
    def _single(self) -> tuple[Singles, Singles]:
        """Shares of cells, and of their signs that are +."""
        return self._share.astype(np.float32), self._sign.astype(np.float32)

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
    def _least(self) -> float:
        """The least cross entropy, in nats."""
        end = self._end
        unknown = self._left_open(end.score)
        if unknown is not None:
            return float(np.log(2)) * unknown
        return float(log_loss(end.score.astype(np.float64), self._share, self._sign))

    @cached_property
    def _best(self) -> _Point:
        """Where steps end that gain enough, also beyond what separates the signs."""
        end = self._end
        return end if self._left_open(end.score) is None else self._descend(end.b, beyond=True)

    @cached_property
    def _end(self) -> _Point:
        """Where steps end that gain enough, or where the signs are first separated."""
        return self._descend(np.zeros(self._size))

    def _descend(self, b: Floats, beyond: bool = False) -> _Point:
        """Where steps from some weights end; not at what separates the signs, but ``beyond``."""
        here = self._at(b, self._scores(b))
        bend, moves = Curvature.of(np.zeros((0, 0))), list[tuple[Floats, Floats]]()
        for number in range(STEPS):
            if not beyond and self._left_open(here.score) is not None:
                break
            if number in ANEW:
                bend, moves = Curvature.of(ridged(self._bend(here.p), RIDGE)), []
            step = bend.step(here.slope, moves, self._sums)
            gained = float(here.slope @ step)
            if gained < ENOUGH:
                break
            there = self._down(here, step, gained)
            move = there.b - here.b, there.slope - here.slope
            if move[0] @ move[1] > 0:
                moves = [*moves[1 - MOVES :], move]
            here = there
        return here

    def _left_open(self, score: Singles) -> float | None:
        """The share of silent cells, where the signs of all others are predicted; else None.

        Larger weights of the same ratios then predict them as surely as one likes.
        """
        if self._aim is None:
            return None
        predicted = score * self._aim > 0
        if predicted.all():
            return 0.0
        open_still = ~predicted
        if score[open_still].any() or (self._codes[open_still] != SILENT).any():
            return None
        return float(self._share[open_still].sum())

    @cached_property
    def _aim(self) -> Singles | None:
        """1 and -1 as the signs of a cell are + or -; None where a cell has both."""
        one_sided = (self._sign == 0) | (self._sign == self._share)
        return np.where(self._sign > 0, np.float32(1), np.float32(-1)) if one_sided.all() else None

    def _down(self, here: _Point, step: Floats, gained: float) -> _Point:
        """Where the step arrives at the length at which it hardly descends any more.

        The slope along it rises from -gained on, and is as good as 0 where it is less than a share of that.
        """
        along, (share, sign) = self._scores(step), self._single
        square, size, short, long = along * along, 1.0, 0.0, np.inf
        for _ in range(ALONG):
            score = here.score - np.float32(size) * along
            p = _logistic(score)
            likely = share * p
            rising = float(along @ (sign - likely))
            if abs(rising) <= FLAT * gained:
                break
            short, long = (size, long) if rising < 0 else (short, size)
            bend = float((likely - likely * p) @ square)
            size = min(size - rising / bend, 3 * size) if bend > 0 else 3 * size
            if not short < size < long:
                size = (short + long) / 2
        return self._at(here.b - size * step, score, p)

    def _at(self, b: Floats, score: Singles, p: Singles | None = None) -> _Point:
        p, (share, sign) = _logistic(score) if p is None else p, self._single
        counted = self._sums.sum_by_code(self._codes, share * p - sign)
        return _Point(b, score, p, (counted @ DIGITS).ravel()[: self._size])

    def _scores(self, b: Floats) -> Singles:
        """Sums of weights over the signs of each cell."""
        weights = np.zeros(self._codes.shape[1] * A_BYTE)
        weights[: self._size] = b
        tables = (weights.reshape(-1, A_BYTE) @ DIGITS.T).astype(np.float32)
        return self._sums.look_up_sums(self._codes, tables)

    def _bend(self, p: Singles) -> Floats:
        """The curvature, of cells that are as frequent as they bend, where not of all."""
        weight, few = self._single[0] * (p * (1 - p)), max(FEW, EACH * self._size)
        if len(weight) > few:
            x = self._sums.unpack_outcomes(self._codes[_as_frequent(weight, few)], self._size)
            return (x.T @ x).astype(np.float64) * (float(weight.sum(dtype=np.float64)) / few)
        x = self._x * np.sqrt(weight)[:, None]
        return (x.T @ x).astype(np.float64)


def _logistic(score: Singles) -> Singles:
    """P(+) by scores."""
    return np.asarray(1 / (1 + np.exp(-np.clip(score, -80, 80))), dtype=np.float32)


def _as_frequent(weight: NDArray[np.floating], few: int) -> Ints:
    """So many cells, as frequent as their weights."""
    upto = np.cumsum(weight, dtype=np.float64)
    chosen: Ints = np.searchsorted(upto, (np.arange(few) + 0.5) * (upto[-1] / few))
    return np.minimum(chosen, len(weight) - 1)


def _curvature(x: Singles, weight: Floats) -> Floats:
    bend, single = np.zeros((x.shape[1],) * 2), weight.astype(np.float32)[:, None]
    for begin in range(0, len(x), AT_ONCE):
        some = slice(begin, begin + AT_ONCE)
        bend += (single[some] * x[some]).T @ x[some]
    return bend
