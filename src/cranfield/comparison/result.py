"""What ``compare`` returns.

The tables of a comparison.

Letters for a leaderboard: systems that share one do not differ significantly.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cranfield._message import setting
from cranfield._text import quoted, warn
from cranfield._typing import Floats, Ints
from cranfield.comparison.effect_sizes import effect_sizes
from cranfield.comparison.outcome import ERRORS, Outcome, Verdicts
from cranfield.comparison.streamed import pair_facts
from cranfield.errors import UsageError
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.matrix import Matrix, MeasureScores
from cranfield.scoring.streamed_scores import StreamedScores
from cranfield.statistics.contrasts import Contrasts, pair_noise

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Pairs of systems, tested.

    Args:
        pairs: one row a pair, the better system first, or each system and its baseline. ``system``, ``other``; ``mean``
            and ``mean_other`` over the topics of the test; ``difference`` = mean - mean_other with its interval ``low``
            to ``high``, of which ``settings["interval"]`` says what it is; the effect sizes ``d_pair``, in standard
            deviations of the pair's differences, and ``d_residual``, in those of the residual of topics and systems,
            with the intervals of the pair by itself, ``d_pair_low`` to ``d_pair_high`` and ``d_residual_low`` to
            ``d_residual_high``; ``statistic``; ``p`` and ``p_adjusted``
            for the number of pairs, and their Monte Carlo standard errors ``p_se`` and ``p_adjusted_se``, 0 where
            nothing was drawn; ``significant``: p_adjusted < alpha; on how many topics the system ``wins``, ``ties``
            and ``losses``; ``topics``, how many the test used. After ``add_preferences`` also ``preference`` and
            ``p_preference``.
        measure: what was compared.
        means: of every ``system`` over its topics, the ``mean``, best first.
        unsettled: how many pairs lie within two Monte Carlo standard errors of alpha, so that another seed may decide
            otherwise.
        margins: of the same pairs, whether they are non-inferior or equivalent by a margin; see
            ``comparison.margin.margin_table``. None where no margin was given.
        settings: of the test: among them ``interval``: ``simultaneous`` (all hold together, and are without 0 exactly
            where the pair is significant; under max-t-step-down, where the single step finds it), ``bonferroni`` (all
            hold together; without 0 only where the pair is significant by a t-test), or ``t``, ``percentile`` and
            ``bca`` of each pair by itself; ``resamples``, drawn for the test and for the interval (None where nothing
            was drawn), and under ``permutation`` ``exact_pairs``, of how many pairs p is from all sign flips.
        signature: all that changes these numbers.
    """

    charts: ClassVar[tuple[str, ...]] = ("difference_intervals",)
    pairs: pd.DataFrame
    measure: str
    means: pd.Series[float]
    unsettled: int
    margins: pd.DataFrame | None
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        tables = {"pairs": lambda: tidy(self.pairs), "means": lambda: tidy(self.means.rename("mean"))}
        if self.margins is not None:
            margins = self.margins
            tables["margins"] = lambda: tidy(margins)
        return tables

    def corrected(self, adjusted: Floats, across: dict[str, int]) -> Comparison:
        """The same with p adjusted over more comparisons than these; see ``results.across``.

        Args:
            adjusted: p of each pair, [pairs].
            across: of how many ``groups`` and ``comparisons``.
        """
        table, alpha = self.pairs, float(self.settings["alpha"])
        p = table["p"].to_numpy(dtype=np.float64)
        error = table["p_se"].to_numpy() * np.divide(adjusted, p, out=np.ones(len(p)), where=p > 0)
        columns = {"p_adjusted": adjusted, "p_adjusted_se": error, "significant": adjusted < alpha}
        return replace(
            self,
            pairs=table.assign(**columns),
            unsettled=int(((error > 0) & (np.abs(adjusted - alpha) <= ERRORS * error)).sum()),
            settings=self.settings | {"across_groups": across},
            signature=self.signature | {"across_groups": across},
        )

    def groups(self) -> pd.DataFrame:
        """Systems from best to worst with letters: two systems share one exactly if they do not differ significantly.

        Raises:
            UsageError: not all pairs were compared, or more systems than letters can be read for.
        """
        import pandas as pd

        systems = list(self.means.index)
        if len(self.pairs) != len(systems) * (len(systems) - 1) // 2:
            raise UsageError("groups need all pairs of systems: compare without baselines")
        if len(systems) > LETTERS:
            raise UsageError(
                f"letters of {len(systems):,} systems cannot be read: compare {LETTERS} or fewer, or look at the pairs"
            )
        place = {system: at for at, system in enumerate(systems)}
        different = np.zeros((len(systems), len(systems)), dtype=bool)
        apart = self.pairs[self.pairs["significant"]]
        for one, other in zip(apart["system"], apart["other"], strict=True):
            different[place[one], place[other]] = different[place[other], place[one]] = True
        return pd.DataFrame({"mean": self.means, "groups": letters(different)}, index=self.means.index)


BLOCK = 1 << 12
"""Pairs at a time, of few topics."""
CELLS = 1 << 22
"""Differences at a time."""


def named_pairs(matrix: MeasureScores, pairs: Contrasts) -> dict[str, Any]:
    """The columns ``system`` and ``other``."""
    names = np.array(matrix.systems, dtype=object)
    return {"system": names[pairs.left], "other": names[pairs.right]}


def pair_table(
    matrix: Matrix | StreamedScores, pairs: Contrasts, outcome: Outcome, verdicts: Verdicts, level: float
) -> pd.DataFrame:
    """One row a pair, as ``Comparison.pairs`` says; effect sizes with intervals of this coverage."""
    import pandas as pd

    if isinstance(matrix, StreamedScores):
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
    matrix: Matrix | StreamedScores, pairs: Contrasts, which: NDArray[np.bool_], topics: Ints, what: str, then: str = ""
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


def leaderboard_means(matrix: MeasureScores) -> pd.Series[float]:
    """Of every system over its topics, best first."""
    import pandas as pd

    order = matrix.leaderboard
    index = pd.Index([matrix.systems[at] for at in order], name="system", dtype=object)
    return pd.Series(matrix.means[order], index=index, name=matrix.measure)


LETTERS = 20
"""Systems whose letters can still be read."""
MOST = 2
"""Groups for each item. Tests by one yardstick need no more than one; of others the number can grow without bound."""


def letters(different: NDArray[np.bool_]) -> list[str]:
    """Letters such that two items share one exactly if they are not different, with as few groups as absorption finds.

    Each pair that differs splits every group that holds both; groups inside others are dropped.

    Args:
        different: symmetric, [items, items].

    Returns:
        Of each item its letters, ``a`` for the group of the first item; after ``z`` come ``aa``, ``ab``, ...

    Raises:
        UsageError: more than twice as many groups as items, which no reader follows.

    Reference:
        Piepho 2004, An algorithm for a letter-based representation of all-pairwise comparisons.
        doi:10.1198/1061860043515
    """
    items = len(different)
    groups = {(1 << items) - 1} if items else set()
    for one in range(items):
        against = sum(1 << other for other in range(one + 1, items) if different[one, other])
        if not against:
            continue
        holding = {group for group in groups if group >> one & 1 and group & against}
        groups = _absorbed(
            (groups - holding) | {group & ~(1 << one) for group in holding} | {group & ~against for group in holding}
        )
        most = MOST * max(items, 26)
        if len(groups) > most:
            raise UsageError(
                f"{items:,} systems fall into more than {most:,} groups, which nobody could read: take "
                f"{setting('test', 'tukey')}, "
                "whose yardstick is the same for all pairs, or fewer systems"
            )
    ordered = sorted(groups, key=lambda group: [at for at in range(items) if group >> at & 1])
    names = [_name(at) for at in range(len(ordered))]
    separator = "" if len(names) <= 26 else " "
    return [
        separator.join(name for name, group in zip(names, ordered, strict=True) if group >> at & 1)
        for at in range(items)
    ]


def _absorbed(groups: set[int]) -> set[int]:
    """Without those that lie inside another."""
    kept: list[int] = []
    for group in sorted(groups, key=lambda group: (-group.bit_count(), group)):
        if not any(group & larger == group for larger in kept):
            kept.append(group)
    return set(kept)


def _name(at: int) -> str:
    name = chr(97 + at % 26)
    return name if at < 26 else _name(at // 26 - 1) + name
