"""Rank-biased overlap of two rankings that need not hold the same items, with bounds for their unknown ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, TypeAlias, get_args

import numpy as np

from cranfield._message import name_value
from cranfield._typing import Floats, Ints
from cranfield._validation import share, word
from cranfield.errors import InputError, UsageError
from cranfield.statistics.numeric import CELLS
from cranfield.statistics.rank_correlation import TauVariant

Ranking: TypeAlias = "Mapping[Any, float] | Sequence[Hashable | Set[Hashable]]"


@dataclass(frozen=True)
class RankBiasedOverlap:
    """Overlap of two rankings known only to some depth.

    Args:
        extrapolated: RBO_EXT, the value if what is unknown agrees as what is known does, in [0, 1]; NaN where a
            ranking is empty.
        lowest: RBO_MIN, the value if no item that is not seen is in both.
        highest: RBO_MAX, the value if as many are as can be; lowest <= extrapolated <= highest, within [0, 1].
    """

    extrapolated: float
    lowest: float
    highest: float

    @property
    def residual(self) -> float:
        """RBO_RES, what the unknown ranks could still change."""
        return self.highest - self.lowest


def rbo_of_rankings(first: Ranking, second: Ranking, *, p: float = 0.9, ties: TauVariant = "a") -> RankBiasedOverlap:
    """Mean overlap of the tops of two rankings, seen by a user who goes one rank deeper with probability p. Symmetric.

    RBO = (1 - p) sum_{d >= 1} p^{d-1} A_d, as in ``rbo``, but rankings may hold different items and be of different
    length, because each is the beginning of a longer one. With s and l the shorter and the longer length, X_d the
    overlap of the first d ranks and A_d its share, extrapolation takes the share of the unknown ranks s + 1..d of the
    shorter list that are in the other to be A_s, and A_d = (X_l + (l - s) A_s) / l beyond l.

    Args:
        first: items in order, a set of items where they are tied: ``["a", {"b", "c"}]``; or item -> score.
        second: the same.
        p: persistence, in (0, 1); the first 1 / (1 - p) ranks or so decide.
        ties: what equal scores mean, as in ``rbo``. ``a`` is the mean over all orders of the tied items only where both
            rankings have the same length: the share of the unknown ranks is extrapolated from the mean overlap, which
            is not the mean of the extrapolated values.

    Raises:
        InputError: an item occurs twice in a ranking, or a score is NaN.
        UsageError: a p outside (0, 1), an unknown word for ties, or no ranking.

    References:
        Webber, Moffat & Zobel 2010, A similarity measure for indefinite rankings. doi:10.1145/1852102.1852106
        Corsi & Urbano 2024, The treatment of ties in rank-biased overlap. SIGIR. arXiv:2406.07121

    >>> found = rbo_of_rankings(["a", "b", "c"], ["b", "a", "x", "y"], p=0.8)
    >>> round(found.extrapolated, 4), round(found.lowest, 4), round(found.highest, 4)
    (0.5867, 0.4047, 0.7317)
    """
    share(p=p)
    word("ties", ties, get_args(TauVariant))
    shorter, longer = sorted(
        (_Listed.read(first, "first"), _Listed.read(second, "second")), key=lambda ranking: ranking.length
    )
    s, l = shorter.length, longer.length  # noqa: E741  (as in the papers)
    depth = np.arange(1, l + 1)
    overlap = _Overlap.count(shorter, longer, ties)
    weight = (1 - p) * p ** (depth - 1.0)
    common = float(overlap.both[-1]) if l else 0.0
    last = overlap.share(overlap.both, s)[s - 1] if s else np.nan
    # Beyond l, sum_{d > l} p^d / d and the rest of a geometric series.
    harmonic = max(0.0, -np.log1p(-p) - float((p**depth / depth).sum()))
    lowest = float(weight @ overlap.share(overlap.both, s)) + (1 - p) / p * common * harmonic
    full = round(l + s - common)
    beyond = np.arange(l + 1, full + 1)
    highest = float(weight @ overlap.share(overlap.both + overlap.most, s)) + p**full
    highest += float(((1 - p) * p ** (beyond - 1.0) * (2 * beyond - l - s + common) / beyond).sum())
    unseen = np.maximum(depth - s, 0) * last * overlap.mean if s else np.full(l, np.nan)
    extrapolated = float(weight @ overlap.share(overlap.both + unseen, s))
    extrapolated += (common + (l - s) * last) / l * p**l if s else np.nan
    # By definition 0 <= lowest <= extrapolated <= highest <= 1, which rounded sums can miss by their last digits.
    highest = float(min(highest, 1.0))
    lowest = float(np.clip(lowest, 0.0, highest))
    return RankBiasedOverlap(float(np.clip(extrapolated, lowest, highest)), lowest, highest)


@dataclass(frozen=True)
class _Listed:
    """Items in order, with the number of items above each and the size of its group of tied items."""

    items: list[Hashable]
    above: Ints
    size: Ints

    @property
    def length(self) -> int:
        return len(self.items)

    @staticmethod
    def read(ranking: Ranking, which: str) -> _Listed:
        items: list[Hashable] = []
        sizes: list[int] = []
        for group in _groups(ranking, which):
            items += group
            sizes.append(len(group))
        try:
            twice = [item for item, count in Counter(items).items() if count > 1]
        except TypeError as error:
            raise UsageError(f"{which}: {error}: items that are tied stand in a set") from None
        if twice:
            raise InputError(f"{which}: {name_value(twice[0])} occurs twice in the ranking")
        size = np.array(sizes, dtype=np.int64)
        return _Listed(items, np.repeat(np.cumsum(size) - size, size), np.repeat(size, size))


def _groups(ranking: Ranking, which: str) -> list[list[Hashable]]:
    """Items that are tied, best first."""
    if isinstance(ranking, Mapping):
        by_score: dict[float, list[Hashable]] = {}
        for item, score in ranking.items():
            if not isinstance(score, (int, float, np.integer, np.floating)) or np.isnan(score):
                raise InputError(f"{which}: the score of {name_value(item)} is {name_value(score)}, not a number")
            by_score.setdefault(score, []).append(item)
        return [by_score[score] for score in sorted(by_score, reverse=True)]
    if isinstance(ranking, (str, bytes)) or not isinstance(ranking, (Sequence, np.ndarray)):
        raise UsageError(f"{which} should be a list of items, best first, or a score for each item")
    return [list(item) if isinstance(item, Set) else [item] for item in ranking]


@dataclass(frozen=True)
class _Overlap:
    """The overlap of the known ranks at each depth d = 1..l, [l] each.

    Args:
        ties: as in ``rbo``.
        both: X_d, of the items in both.
        mean: the mean part in the first d ranks of the longer list of the items that it alone holds and has begun.
        most: the part of the d - s first of those, which the unknown ranks of the shorter list could hold.
        norms: what X_d is divided by is made of, one for each list; of the shorter one, each unknown rank counts 1.
    """

    ties: TauVariant
    both: Floats
    mean: Floats
    most: Floats
    norms: tuple[Floats, Floats]

    @staticmethod
    def count(shorter: _Listed, longer: _Listed, ties: TauVariant) -> _Overlap:
        rank = {item: number for number, item in enumerate(shorter.items)}
        rank_in_shorter = np.array([rank.get(item, -1) for item in longer.items], dtype=np.int64)
        shared, alone = np.flatnonzero(rank_in_shorter >= 0), np.flatnonzero(rank_in_shorter < 0)
        out = np.zeros((5, longer.length))
        width = max(1, CELLS // max(1, longer.length))
        for start in range(0, longer.length, width):
            depth = np.arange(start, min(start + width, longer.length)) + 1
            x, y = (_parts(ranking, depth, ties) for ranking in (shorter, longer))
            own = y[alone]
            begun = np.count_nonzero(own, axis=0)
            may = np.arange(len(alone))[:, None] < depth - shorter.length
            squared = 2 if ties == "b" else 1
            out[:, depth - 1] = (
                (x[rank_in_shorter[shared]] * y[shared]).sum(axis=0),
                own.sum(axis=0) / np.maximum(begun, 1),
                (own * may).sum(axis=0),
                (x**squared).sum(axis=0),
                (y**squared).sum(axis=0),
            )
        both, mean, most, norm_x, norm_y = out
        return _Overlap(ties, both, mean, most, (norm_x, norm_y))

    def share(self, overlap: Floats, s: int) -> Floats:
        """A_d from X_d."""
        depth = np.arange(1, len(overlap) + 1)
        norm_x, norm_y = self.norms
        norm_x = norm_x + np.maximum(depth - s, 0)
        match self.ties:
            case "a":
                return overlap / depth
            case "b":
                return overlap / np.sqrt(norm_x * norm_y)
        return 2 * overlap / (norm_x + norm_y)


def _parts(ranking: _Listed, depth: Ints, ties: TauVariant) -> Floats:
    """The part of each item that lies in the first d ranks, [items, depths]."""
    below = depth[None, :] - ranking.above[:, None]
    if ties == "w":
        return (below > 0).astype(np.float64)
    parts: Floats = np.clip(below / ranking.size[:, None], 0.0, 1.0)
    return parts
