"""The tables of a comparison."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cranfield._text import quoted, warn
from cranfield._typing import Floats, Ints
from cranfield.comparison.effects import effect_sizes
from cranfield.comparison.long import pair_facts
from cranfield.comparison.outcome import Outcome
from cranfield.comparison.verdicts import Verdicts
from cranfield.scores.matrix import Matrix, Standing
from cranfield.scoring.streamed_scores import LongScores
from cranfield.statistics.contrasts import Contrasts, pair_noise

if TYPE_CHECKING:
    import pandas as pd

BLOCK = 1 << 12
"""Pairs at a time, of few topics."""
CELLS = 1 << 22
"""Differences at a time."""


def named_pairs(matrix: Standing, pairs: Contrasts) -> dict[str, Any]:
    """The columns ``system`` and ``other``."""
    names = np.array(matrix.systems, dtype=object)
    return {"system": names[pairs.left], "other": names[pairs.right]}


def pair_table(
    matrix: Matrix | LongScores, pairs: Contrasts, outcome: Outcome, verdicts: Verdicts, level: float
) -> pd.DataFrame:
    """One row a pair, as ``Comparison.pairs`` says; effect sizes with intervals of this coverage."""
    import pandas as pd

    if isinstance(matrix, LongScores):
        (wins, ties, losses, means, other_means), effects = pair_facts(matrix, pairs, level)
    else:
        wins, ties, losses, means, other_means = _by_topic(matrix, pairs)
        effects = effect_sizes(matrix.values, pairs, level)
    _remark(matrix, pairs, (wins + losses == 0) & (ties > 0), outcome.topics, "have the same scores")
    without = ", which leaves no spread to judge by: no interval" + ", no p" * bool(np.isnan(outcome.p).any())
    _remark(matrix, pairs, np.isinf(effects["d_pair"]), outcome.topics, "differ by the same amount", without)
    return pd.DataFrame(
        named_pairs(matrix, pairs)
        | {
            "mean": means,
            "mean_other": other_means,
            "difference": outcome.difference,
            "low": outcome.interval.low,
            "high": outcome.interval.high,
        }
        | effects
        | {
            "statistic": outcome.statistic,
            "p": outcome.p,
            "p_se": verdicts.p_error,
            "p_adjusted": verdicts.adjusted,
            "p_adjusted_se": verdicts.adjusted_error,
            "significant": verdicts.significant,
            "wins": wins,
            "ties": ties,
            "losses": losses,
            "topics": outcome.topics,
        }
    )


def _by_topic(matrix: Matrix, pairs: Contrasts) -> tuple[Ints, Ints, Ints, Floats, Floats]:
    """Topics on which the left system is better, equal and worse, and both means over the topics they share."""
    table = matrix.values
    known = ~np.isnan(table)
    filled = np.where(known, table, 0.0)
    slack = pair_noise(filled, pairs)
    sign = 1.0 if matrix.larger_is_better else -1.0
    facts = np.empty((5, len(pairs)))
    width = max(1, min(BLOCK, CELLS // len(table)))
    for start in range(0, len(pairs), width):
        place = slice(start, start + width)
        left, right = pairs.left[place], pairs.right[place]
        both = known[:, left] & known[:, right]
        z = np.where(both, sign * (filled[:, left] - filled[:, right]), 0.0)
        count = np.maximum(both.sum(axis=0), 1)
        facts[0, place] = (z > slack[place]).sum(axis=0)
        facts[2, place] = (z < -slack[place]).sum(axis=0)
        facts[1, place] = both.sum(axis=0) - facts[0, place] - facts[2, place]
        facts[3, place] = (both * filled[:, left]).sum(axis=0) / count
        facts[4, place] = (both * filled[:, right]).sum(axis=0) / count
    wins, ties, losses = facts[:3].astype(np.int64)
    return wins, ties, losses, facts[3], facts[4]


def _remark(
    matrix: Matrix | LongScores, pairs: Contrasts, which: NDArray[np.bool_], topics: Ints, what: str, then: str = ""
) -> None:
    """Warn of pairs whose result is a convention, or has none."""
    if which.any():
        named = [
            f"{quoted(matrix.systems[left])} and {quoted(matrix.systems[right])}"
            for left, right in zip(pairs.left[which], pairs.right[which], strict=True)
        ]
        # Where systems lack topics, nothing is known of the others.
        all_topics = "on every topic" if topics[which].min() >= len(matrix.topics) else "on every topic that both have"
        warn(f"{matrix.called}: {_some(named)} {what} {all_topics}{then}")


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    more = f" (and {len(listed) - 3:,} more pairs)" if len(listed) > 3 else ""
    return "; ".join(listed[:3]) + more


def leaderboard_means(matrix: Standing) -> pd.Series[float]:
    """Of every system over its topics, best first."""
    import pandas as pd

    order = matrix.leaderboard
    index = pd.Index([matrix.systems[at] for at in order], name="system", dtype=object)
    return pd.Series(matrix.means[order], index=index, name=matrix.measure)
