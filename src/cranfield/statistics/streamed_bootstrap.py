"""Bootstrap samples of very many items, gone through once: weighted sums of what is known of each item.

How many of a sample's n items fall among the first 4,096, the next 4,096, and so on, is multinomial; which of them they
are is then drawn with replacement. Together that is a sample of n of n items, as ``bootstrap_counts`` gives, drawn in
another order, which does not know in what blocks items are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from cranfield._typing import Floats
from cranfield.memory import require
from cranfield.statistics._numeric import product

CHUNK = 1 << 12
"""Items drawn at a time: part of what a seed means."""
DRAWN = 1 << 17
"""Numbers drawn in one call, about."""
INNER = 256
"""Items of one product, so that what they weigh stays in the cache."""


class LongSamples:
    """Samples of n items with replacement, [resamples, some items] at a time.

    Args:
        resamples: how many.
        n: items.
        rng: what draws; it goes on.
    """

    def __init__(self, resamples: int, n: int, rng: np.random.Generator) -> None:
        self.resamples, self.n, self._rng = resamples, n, rng

    def chunks(self) -> Iterator[Floats]:
        """How often each item is drawn into each sample, of ``CHUNK`` items after the other; once."""
        sizes = np.full(-(-self.n // CHUNK), CHUNK)
        sizes[-1] = self.n - CHUNK * (len(sizes) - 1)
        falling = self._rng.multinomial(self.n, sizes / self.n, size=self.resamples)
        for size, of_samples in zip(sizes.tolist(), np.ascontiguousarray(falling.T), strict=True):
            yield self._drawn(size, of_samples)

    def _drawn(self, size: int, of_samples: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
        out = np.empty((self.resamples, size))
        step = max(1, DRAWN // size)
        for start in range(0, self.resamples, step):
            some = of_samples[start : start + step]
            place = self._rng.integers(0, size, size=int(some.sum()), dtype=np.uint32).astype(np.int64)
            place += np.repeat(np.arange(len(some)) * size, some)
            out[start : start + step] = np.bincount(place, minlength=len(some) * size).reshape(len(some), size)
        return out


def long_sums(
    blocks: Iterable[Floats], samples: LongSamples, facts: Callable[[Floats], Floats], width: int, what: str
) -> Floats:
    """Of each sample the weighted sums of facts of its items, [resamples, width]; their bits do not know of blocks.

    Args:
        blocks: what is known of all items in their order, [rows, some items] at a time.
        samples: that weigh them.
        facts: of some items, [rows, items] -> [items, width].
        width: of the facts.
        what: is resampled, for a message.

    Raises:
        InputError: sums, and the facts of ``CHUNK`` items, would not fit.
    """
    size = f"{samples.resamples:,} resamples of {what}"
    require(8 * (4 * samples.resamples * (width + CHUNK) + 3 * width * CHUNK), size, "draw fewer, or of fewer systems")
    total = np.zeros((samples.resamples, width))
    for weights, some in zip(samples.chunks(), _in_chunks(blocks), strict=True):
        known = facts(some)
        for start in range(0, len(known), INNER):
            few = slice(start, start + INNER)
            total += product(weights[:, few], known[few])
    return total


def _in_chunks(blocks: Iterable[Floats]) -> Iterator[Floats]:
    """The same items, ``CHUNK`` at a time."""
    held: list[Floats] = []
    there = 0
    for block in blocks:
        held.append(block)
        there += block.shape[1]
        if there < CHUNK:
            continue
        whole = np.concatenate(held, axis=1)
        end = there - there % CHUNK
        yield from (np.ascontiguousarray(whole[:, start : start + CHUNK]) for start in range(0, end, CHUNK))
        held, there = [whole[:, end:]], there - end
    if there:
        yield np.concatenate(held, axis=1)
