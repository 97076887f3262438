"""Strata of a pool: from which part of it each document comes, where only a sample of each part was judged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield._frozen import Frozen, read_only
from cranfield._typing import Floats, Ints, Mask


class Strata(Frozen):
    """The stratum of each pool row.

    Args:
        number: of the stratum among those of its topic, from 0, int64 [rows].
        names: of each row, an index of ``texts``, int64 [rows].
        texts: how the strata are called.
    """

    def __init__(self, number: Ints, names: Ints, texts: Sequence[str]) -> None:
        self.number = read_only(number)
        self.names = read_only(names)
        self.texts = tuple(texts)
        self._freeze()

    def __repr__(self) -> str:
        return f"Strata({len(self.texts):,} names, at most {self.most:,} in a topic)"

    @classmethod
    def of(cls, names: Sequence[str], starts: Ints) -> Strata:
        """Strata by the name of each row; ``starts`` says where the rows of each topic begin."""
        texts = tuple(dict.fromkeys(names))
        code = {text: number for number, text in enumerate(texts)}
        codes = np.array([code[name] for name in names], dtype=np.int64)
        number = np.zeros(len(codes), dtype=np.int64)
        for first, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            number[first:end] = np.unique(codes[first:end], return_inverse=True)[1]
        return cls(number, codes, texts)

    @property
    def most(self) -> int:
        """Strata of the topic that has most."""
        return int(self.number.max(initial=0)) + 1

    def kept(self, keep: Mask) -> Strata:
        """The strata of the marked rows."""
        return Strata(self.number[keep], self.names[keep], self.texts)

    def tally(self, topic: Ints, topics: int, weight: Floats | Mask) -> Floats:
        """Sum of a weight of rows over each stratum of each topic, float64 [topics, strata]."""
        cell = topic * self.most + self.number
        total = np.bincount(cell, weight, minlength=topics * self.most)
        return total.astype(np.float64).reshape(topics, self.most)
