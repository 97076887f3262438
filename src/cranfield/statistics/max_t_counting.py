"""How many samples of the rows reach what was observed of pairs of columns, part by part of the samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats, Ints
from cranfield.engine.protocol import Reached
from cranfield.statistics.product import ROWS, product
from cranfield.statistics.resampling import Samples
from cranfield.threads import Each

TIE = 1e-9
"""Statistics this close, relatively, are equal: the observed one recurs in other samples, and rounding must not
decide whether >= holds."""
FLOOR = 1e-12
"""The same of u, where it is so near to 1 that a close |t| leaves it as it is."""
HEIGHT = 2048
"""Samples at a time, which one worker of a cluster takes."""
SUMS = 1 << 22
"""Column sums, and weights of rows, that are held at once."""
CELLS = 1 << 20
"""Values of a block of pairs."""


@dataclass(frozen=True)
class Chunk:
    """Some of the samples.

    Args:
        weights: signs or counts of each row, [n, samples].
        sums: weighted sums of the columns, [columns, samples].
    """

    weights: Floats
    sums: Floats


@dataclass(frozen=True)
class Drawn:
    """Some of the samples, on their way to be counted.

    Args:
        rows: which.
        weights: signs or counts of each row, [samples, n].
    """

    rows: slice
    weights: Floats

    @property
    def name(self) -> str:
        """What a cluster calls the task."""
        return f"resamples {self.rows.start + 1:,} to {self.rows.stop:,}"

    def __reduce__(self) -> tuple[Any, ...]:
        small = np.int8 if np.abs(self.weights).max() <= np.iinfo(np.int8).max else np.int32
        return _unpacked, (self.rows, self.weights.astype(small))


def _unpacked(rows: slice, weights: NDArray[np.integer[Any]]) -> Drawn:
    return Drawn(rows, weights.astype(np.float64))


Block = Callable[[Ints, Chunk, Floats, Floats], Reached]
"""Of some pairs, and some samples: how many reach the levels, with the largest value before them."""


@dataclass(frozen=True)
class MaxT:
    """How many samples reach what was observed, [pairs] each.

    Args:
        raw: by the pair's own |t|.
        single_step: by the largest |t| of all pairs.
        step_down: by the largest |t| of the pairs whose observed |t| is not larger; of several equal shares the largest
            up to there, so that no pair comes before one of a larger |t|.
        maxima: the largest |t| of all pairs in each sample, [samples].
    """

    raw: Ints
    single_step: Ints
    step_down: Ints
    maxima: Floats

    def critical(self, hits: int) -> float:
        """The largest |t| that more than so many samples reach; infinite where that is none of them."""
        if hits < 0:
            return np.inf
        place = len(self.maxima) - 1 - hits
        return float(np.partition(self.maxima, place)[place]) if place >= 0 else 0.0


@dataclass(frozen=True)
class Counting:
    """What is done with each part of the samples.

    Args:
        residual: what is summed, [n, columns].
        order: pairs by what was observed, the smallest first.
        levels: what each has to reach.
        block: looks at some of them.
    """

    residual: Floats
    order: Ints
    levels: Floats
    block: Block

    def __call__(self, drawn: Drawn) -> tuple[slice, Reached]:
        """Sum the columns, and go through the pairs."""
        sums = np.ascontiguousarray(product(drawn.weights, self.residual).T)
        chunk = Chunk(np.ascontiguousarray(drawn.weights.T), sums)
        return drawn.rows, of_chunk(chunk, self.order, self.levels, self.block)


def of_chunk(chunk: Chunk, order: Ints, levels: Floats, block: Block) -> Reached:
    """Go through the pairs."""
    alone, together = np.empty((2, len(order)), dtype=np.int64)
    largest = np.zeros(chunk.sums.shape[1])
    width = max(1, CELLS // len(largest))
    for start in range(0, len(order), width):
        some = order[start : start + width]
        found = block(some, chunk, levels[some], largest)
        alone[some], together[some], largest = found["alone"], found["together"], found["largest"]
    return {"alone": alone, "together": together, "largest": largest}


def counted(residual: Floats, samples: Samples, u: Floats, block: Block, each: Each) -> MaxT:
    """Go through the samples, part by part."""
    order, levels = np.argsort(u, kind="stable"), levels_of(u, len(residual))
    parts = each(Counting(residual, order, levels, block), _parts(samples, residual))
    return together_of(parts, len(samples), order, levels, len(residual))


def together_of(parts: Iterable[tuple[slice, Reached]], resamples: int, order: Ints, levels: Floats, n: int) -> MaxT:
    """What was found in all parts of the samples."""
    raw, down = np.zeros((2, len(order)), dtype=np.int64)
    largest = np.empty(resamples)
    for rows, found in parts:
        raw += found["alone"]
        down += found["together"]
        largest[rows] = found["largest"]
    single = len(largest) - np.searchsorted(np.sort(largest), levels, side="left")
    down[order[::-1]] = np.maximum.accumulate(down[order[::-1]])
    finite = largest < 1.0 - FLOOR
    t2 = np.divide((n - 1.0) * largest, 1.0 - largest, out=np.full(len(largest), np.inf), where=finite)
    return MaxT(raw, single.astype(np.int64), down, np.sqrt(t2))


def levels_of(u: Floats, n: int) -> Floats:
    """What a u has to reach, so that its |t| is not below the observed one."""
    finite = u < 1.0 - FLOOR
    t2 = np.divide((n - 1.0) * u, 1.0 - u, out=np.zeros(len(u)), where=finite) * (1.0 - TIE) ** 2
    below = np.where(finite, t2 / (n - 1.0 + t2), 1.0)
    levels: Floats = np.minimum(below, u * (1.0 - FLOOR))
    return levels


def _parts(samples: Samples, residual: Floats) -> Iterator[Drawn]:
    height = max(ROWS, min(HEIGHT, SUMS // max(residual.shape)) // ROWS * ROWS)
    for rows, block in samples.blocks():
        for start in range(0, len(block), height):
            weights = block[start : start + height]
            yield Drawn(slice(rows.start + start, rows.start + start + len(weights)), weights)
