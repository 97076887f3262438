"""Bootstrap samples of very many items in one pass over them: weighted sums of statistics of each item.

How many of a sample's n items are among the first 4,096, the next 4,096, and so on, is multinomial; which of them they
are is then drawn with replacement. Together that is a sample of n of n items, as ``bootstrap_counts`` gives, drawn in
another order, which does not depend on the blocks in which items are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.memory import require
from cranfield.statistics.numeric import product

CHUNK = 1 << 12
"""Items drawn at a time: part of what a seed means."""
DRAWN = 1 << 17
"""Numbers drawn in one call, about."""
INNER = 256
"""Items of one matrix product, so that their weights stay in the cache."""


class StreamedSamples:
    """Samples of n items with replacement, [resamples, items of a chunk] at a time.

    Args:
        resamples: how many.
        n: items.
        rng: what draws; its state advances.
    """

    def __init__(self, resamples: int, n: int, rng: np.random.Generator) -> None:
        self.resamples, self.n, self._rng = resamples, n, rng

    def chunks(self) -> Iterator[Floats]:
        """Return how often each item is drawn into each sample, ``CHUNK`` items after the other; once."""
        sizes = np.full(-(-self.n // CHUNK), CHUNK)
        sizes[-1] = self.n - CHUNK * (len(sizes) - 1)
        per_chunk = self._rng.multinomial(self.n, sizes / self.n, size=self.resamples)
        for size, counts in zip(sizes.tolist(), np.ascontiguousarray(per_chunk.T), strict=True):
            yield self._draw(size, counts)

    def _draw(self, size: int, counts: Ints) -> Floats:
        """Return how often each of ``size`` items is drawn, where each sample draws as many as its count."""
        out = np.empty((self.resamples, size))
        step = max(1, DRAWN // size)
        for start in range(0, self.resamples, step):
            part = counts[start : start + step]
            items = self._rng.integers(0, size, size=int(part.sum()), dtype=np.uint32).astype(np.int64)
            items += np.repeat(np.arange(len(part)) * size, part)
            out[start : start + step] = np.bincount(items, minlength=len(part) * size).reshape(len(part), size)
        return out


def resampled_sums(
    blocks: Iterable[Floats], samples: StreamedSamples, statistics: Callable[[Floats], Floats], width: int, what: str
) -> Floats:
    """The weighted sums of statistics of each sample's items, [resamples, width]; their bits do not depend on blocks.

    Args:
        blocks: values of all items in their order, [rows, items of the block].
        samples: that weigh them.
        statistics: of the items of a chunk, [rows, items] -> [items, width].
        width: how many statistics.
        what: is resampled, for a message.

    Raises:
        InputError: the sums, and the statistics of ``CHUNK`` items, would not fit.
    """
    size = f"{samples.resamples:,} resamples of {what}"
    require(8 * (4 * samples.resamples * (width + CHUNK) + 3 * width * CHUNK), size, "draw fewer, or of fewer systems")
    total = np.zeros((samples.resamples, width))
    for weights, chunk in zip(samples.chunks(), _rechunk(blocks), strict=True):
        values = statistics(chunk)
        for start in range(0, len(values), INNER):
            inner = slice(start, start + INNER)
            total += product(weights[:, inner], values[inner])
    return total


def _rechunk(blocks: Iterable[Floats]) -> Iterator[Floats]:
    """The items, ``CHUNK`` at a time."""
    waiting: list[Floats] = []
    count = 0
    for block in blocks:
        waiting.append(block)
        count += block.shape[1]
        if count < CHUNK:
            continue
        joined = np.concatenate(waiting, axis=1)
        end = count - count % CHUNK
        yield from (np.ascontiguousarray(joined[:, start : start + CHUNK]) for start in range(0, end, CHUNK))
        waiting, count = [joined[:, end:]], count - end
    if count:
        yield np.concatenate(waiting, axis=1)
